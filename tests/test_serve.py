"""`reportgen serve`: the site on this computer alone, built again as sources change, what is wrong shown."""

import contextlib
import http.client
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from time import monotonic, sleep

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reportgen.app import web as app_server
from reportgen.app.web import ServedSite, Server, Trouble, clean, digest_of, problems_page, reloading, type_of
from reportgen.base.errors import Problem
from reportgen.cli import common, serving
from reportgen.cli.serving import Workshop, changes
from tests.commands import append, edit, on_disk, run
from tests.own_templates import own_templates
from tests.served import Process, running

PATIENCE = 240
RATINGS = "item,anna,ben\n1,yes,yes\n2,no,no\n3,yes,no\n4,no,no\n5,yes,yes\n"
TOML = 'title = "Served"\n[[guidelines]]\nversion = "1"\n'
SEEN = re.compile(rb"seen=([0-9a-f]+)")


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    return on_disk(tmp_path / "c", {"campaign.toml": TOML, "exports/1/ratings.csv": RATINGS})


@dataclass
class Reply:
    status: int
    headers: Message
    content: bytes


def ask(port: int, path: str, host: str | None = None, method: str = "GET") -> Reply:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    with contextlib.closing(connection):
        connection.putrequest(method, path, skip_host=host is not None)
        if host is not None:
            connection.putheader("Host", host)
        connection.endheaders()
        answer = connection.getresponse()
        return Reply(answer.status, answer.headers, answer.read())


def told(port: int, path: str, seen: str) -> bool:
    """Wait until the server says that a page changed."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    with contextlib.closing(connection):
        connection.request("GET", f"/.reportgen/events?page={path}&seen={seen}")
        answer = connection.getresponse()
        assert answer.headers["Content-Type"] == "text/event-stream"
        while line := answer.readline():
            if line.startswith(b"data: changed"):
                return True
    return False


def until(holds: Callable[[], bool]) -> None:
    end = monotonic() + PATIENCE
    while not holds():
        assert monotonic() < end
        sleep(0.05)


def seen_on(page: bytes) -> str:
    found = SEEN.search(page)
    assert found
    return found[1].decode()


@contextlib.contextmanager
def waiting(port: int, path: str, page: bytes) -> Iterator[list[bool]]:
    """Wait, meanwhile, until the server says that a page changed; hold in the end that it did."""
    results: list[bool] = []
    thread = threading.Thread(target=lambda: results.append(told(port, path, seen_on(page))))
    thread.start()
    yield results
    thread.join(PATIENCE)
    assert results == [True]


# The whole command


@pytest.fixture
def served(campaign: Path) -> Iterator[tuple[int, Process]]:
    with running("serve", campaign, "--port", "0", ready="127.0.0.1:") as (process, said):
        port = int(said[-1].partition("127.0.0.1:")[2].partition("/")[0])
        until(lambda: ask(port, "/c/1/").status == 200)
        yield port, process


@pytest.mark.slow
def test_a_change_changes_the_page(campaign: Path, served: tuple[int, Process]) -> None:
    port, process = served
    before = ask(port, "/c/1/").content
    with waiting(port, "/c/1/", before):
        append(campaign / "exports/1/ratings.csv", "6,yes,yes\n7,no,yes\n")
    after = ask(port, "/c/1/").content
    assert seen_on(after) != seen_on(before)

    # What is wrong stands in place of the page, with its place and its remedy; mended, the page is back.
    (campaign / "campaign.toml").write_text(TOML + '[task]\nscale = "nominl"\n', encoding="utf-8")
    until(lambda: ask(port, "/c/1/").status == 500)
    wrong = ask(port, "/c/1/").content
    assert b"campaign.toml:5" in wrong
    assert b"nominl" in wrong
    assert told(port, "/c/1/", seen_on(after))
    (campaign / "campaign.toml").write_text(TOML, encoding="utf-8")
    assert told(port, "/c/1/", seen_on(wrong))
    assert ask(port, "/c/1/").content == after

    process.send_signal(signal.SIGINT)
    _, rest = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert rest.endswith("Ended.\n")
    assert "Traceback" not in rest


@pytest.mark.slow
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_the_command_ends_well_wherever_it_is_ended(name: str) -> None:
    # Every dataclass runs a text when it is made: where such a text is interrupted Python ends by the signal.
    code = (
        "import os, signal\nfrom reportgen.cli.serving import until_ended\n"
        f"text = 'os.kill(os.getpid(), signal.{name})\\nwhile True: pass'\n"
        "with until_ended(): exec(text)\n"
        "print('Ended.')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "Ended.\n", "")


def test_a_port_that_is_taken_is_a_clear_error_with_a_free_one(campaign: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        answer = run("serve", campaign, "--port", str(port))
    assert answer.exit_code == 2
    assert f"--port: {port} can't be listened to: address already in use." in answer.stderr
    free = re.search(r"(\d+) is free: --port (\d+)\.", answer.stderr)
    assert free
    assert free[1] == free[2] != str(port)


# The server


@pytest.fixture
def site(tmp_path: Path) -> Path:
    page = '<meta http-equiv="Content-Security-Policy" content="script-src &#39;x&#39;"><body>é</body>'
    data = {"a b/data.json": "{}", ".reportgen.json": "{}"}
    folder = on_disk(tmp_path / "site", {"index.html": page, "a b/index.html": page, **data})
    (folder / "empty").mkdir()
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (folder / "out.txt").symlink_to(tmp_path / "secret.txt")
    return folder


@pytest.fixture
def server(site: Path) -> Iterator[Server]:
    made = Server(0, ServedSite(site))
    with made.answering():
        yield made


STATUS = {
    200: ("/", "/index.html", "/?query", "/a%20b/", "//a%20b//", "/a%20b/data.json"),
    301: ("/a%20b",),
    404: (
        *("/empty/", "/empty", "/.reportgen.json", "/../secret.txt", "/%2e%2e/secret.txt", "/nothing"),
        *("/a%20b/..%2f..%2fsecret.txt", "/..%5csecret.txt", "/out.txt", "/%00", "/%ff"),
    ),
}


@pytest.mark.parametrize(("status", "path"), [(code, path) for code in STATUS for path in STATUS[code]])
def test_files_of_the_site_are_served_and_nothing_else(server: Server, path: str, status: int) -> None:
    answer = ask(server.port, path)
    assert answer.status == status
    assert b"secret" not in answer.content
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "", "127.0.0.1", "127.0.0.1.evil.example"]
)
def test_who_asks_by_another_name_is_refused(server: Server, host: str) -> None:
    for path in ("/", "/a%20b/data.json", "/.reportgen/events?page=/&seen="):
        assert ask(server.port, path, host=host).status == 403


def test_a_folder_has_a_slash_a_file_its_type_head_no_content_and_others_are_refused(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1"
    for name in ("127.0.0.1", "localhost", "LOCALHOST"):
        assert ask(server.port, "/", host=f"{name}:{server.port}").status == 200
    assert ask(server.port, "/a%20b").headers["Location"] == "/a%20b/"
    assert ask(server.port, "/", method="POST").status == 501
    head = ask(server.port, "/", method="HEAD")
    assert (head.status, head.content) == (200, b"")
    assert head.headers["Content-Length"] == str(len(ask(server.port, "/").content))
    names = {"a.html": "text/html", "a.csv": "text/csv", "SHA256SUMS": "text/plain", "a.svg": "image/svg+xml"}
    assert {name: type_of(name).partition(";")[0] for name in names} == names
    assert type_of("a.exe") == "application/octet-stream"
    for address in ("http://[", "http://[::1", "//[", "*"):
        assert ask(server.port, address, host=f"127.0.0.1:{server.port}").status == 404
    for path in ("/a/../b", "/./a", "/a/.b", "/a\\b", "/%2e%2e", "/a%00"):
        assert clean(path) is None


def test_a_page_gets_the_lines_that_reload_it_and_its_file_stays_as_it_is(server: Server, site: Path) -> None:
    before = (site / "index.html").read_bytes()
    page = ask(server.port, "/").content.decode()
    assert (site / "index.html").read_bytes() == before
    assert "EventSource" in page
    assert "é" in page
    assert "connect-src &#x27;self&#x27;" in page
    assert "script-src &#x27;sha256-" in page
    assert b"EventSource" not in ask(server.port, "/a%20b/data.json").content


def test_who_waits_is_told_when_this_page_changes_alone(server: Server, site: Path) -> None:
    with waiting(server.port, "/", ask(server.port, "/").content) as results:
        until(lambda: server.looked_at() == ["/"])
        (site / "a b" / "index.html").write_text("<body></body>", encoding="utf-8")
        server.served.show()
        assert not results
        server.served.show(ahead={"index.html": b"<body>ahead</body>"})
    assert b"ahead" in ask(server.port, "/").content
    until(lambda: server.looked_at() == [])


def test_a_page_that_is_not_there_gives_way_to_one_that_comes(server: Server, site: Path) -> None:
    missing = ask(server.port, "/c/1.0")
    assert missing.status == 404
    assert b"There is no such page" in missing.content
    assert ask(server.port, "/c/2.0/").content == missing.content
    with waiting(server.port, "/c/", missing.content):
        until(lambda: server.looked_at() == ["/c/"])
        server.served.show()
        on_disk(site / "c", {"index.html": "<body></body>"})
        server.served.show()
    assert ask(server.port, "/c/").status == 200


@pytest.fixture
def screen_that_reads(site: Path) -> Iterator[Server]:
    async def read(request: Request) -> Response:
        return Response(await request.body())

    made = Server(0, ServedSite(site), [Route("/.reportgen/open/x", read, methods=["POST"])])
    with made.answering():
        yield made


HEAD = "GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
FORM = (
    "POST /.reportgen/open/x HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
    "Content-Length: 9\r\n\r\n"
)


def is_cut_off(half: socket.socket, more: bytes) -> bool:
    """Go on with a request, a byte now and then; tell whether it is ended, before long."""
    half.settimeout(0.05)
    for _ in range(200):
        try:
            half.sendall(more)
            if half.recv(100) == b"":
                return True
        except TimeoutError:
            continue
        except ConnectionError:
            return True
    return False


@pytest.mark.parametrize("more", [b"", b"x"])
@pytest.mark.parametrize("start", ["", "GET", HEAD, FORM])
def test_a_request_that_is_never_whole_ends_after_a_while_and_others_are_answered(
    screen_that_reads: Server, monkeypatch: pytest.MonkeyPatch, start: str, more: bytes
) -> None:
    port = screen_that_reads.port
    monkeypatch.setattr(app_server, "LONGEST", {"IDLE": 0.3, "SEND_BODY": 0.3})
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as half:
        half.sendall(start.replace("{port}", str(port)).replace(" 9", " 9999").encode())
        assert ask(port, "/").status == 200
        assert is_cut_off(half, more)


def test_a_body_that_stops_is_ended(screen_that_reads: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_server, "REQUEST_SILENCE", 0.4)
    port = screen_that_reads.port
    form = FORM.replace("{port}", str(port)).encode()
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as slow:
        slow.sendall(form)
        for _ in range(9):
            slow.sendall(b"x")
            sleep(0.06)
        assert slow.recv(1000).endswith(b"xxxxxxxxx")
        # Between two requests nobody waits for a head.
        sleep(0.5)
        slow.sendall(form + b"xx")
        assert is_cut_off(slow, b"")


def test_problems_are_text_wherever_they_come_from() -> None:
    hostile = "<script>alert(1)</script>"
    page = problems_page(hostile, [Problem(hostile, 3, hostile, hostile, hostile), hostile]).decode()
    assert "<script>alert" not in page
    assert page.count("&lt;script&gt;alert") == 7


def test_trouble_stands_in_place_of_pages_and_of_nothing_else(site: Path) -> None:
    served = ServedSite(
        site, Trouble("Wrong", [Problem("campaign.toml", 3, "title", "is missing.", "Add it.")])
    )
    page, data = served.answer("/a b/"), served.answer("/a b/data.json")
    assert page
    assert data
    assert page.status == 500
    assert b"campaign.toml:3" in page.content
    assert data.content == b"{}"
    assert served.digest("/a b/") == seen_on(page.content)
    served.show()
    found = served.answer("/a b/")
    assert found
    assert served.digest("/a b/") == digest_of(found.content)
    assert seen_on(reloading(found.content)) == digest_of(found.content)


# The workshop


class Watched(ServedSite):
    """Remembers which pages stood before the site was built."""

    stood: Mapping[str, bytes]

    def show(self, trouble: Trouble | None = None, ahead: Mapping[str, bytes] | None = None) -> None:
        if ahead:
            self.stood = ahead
        super().show(trouble, ahead)


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[Path]:
    with own_templates(tmp_path) as folder:
        yield folder


@pytest.fixture
def workshop(campaign: Path, tmp_path: Path, pages: Path) -> Workshop:
    assert pages.is_dir()
    site = tmp_path / "built"
    looked_at = ["/c/1/", "/c/", "/c/1/measures/index.html", "/", "/nothing/"]
    return Workshop([campaign], site, Watched(site), lambda: looked_at)


def test_what_changed_unseen_is_built(
    campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(common, "say", said.append)
    monkeypatch.setattr(serving, "say", said.append)
    site = tmp_path / "built"
    workshop = Workshop([campaign], site, ServedSite(site))
    workshop.build()
    assert [each.partition(":")[0] for each in said] == ["Built"]
    workshop.build(())
    assert len(said) == 1
    (campaign / "campaign.toml").write_text(f"{TOML}colour = 1\n", encoding="utf-8")
    workshop.build(())
    told = said[1:]
    assert any("colour" in each for each in told)
    workshop.build(())
    assert said[1:] == told
    (campaign / "campaign.toml").write_text(TOML, encoding="utf-8")
    workshop.build([campaign / "campaign.toml"])
    assert said[-1] == "Nothing changed in the site."


@pytest.mark.slow
def test_what_is_looked_at_is_rendered_ahead_as_it_will_stand(workshop: Workshop, pages: Path) -> None:
    workshop.build()
    base = pages / "base.html.j2"
    edit(base, "</body>", "<p>New.</p></body>")
    workshop.build([base])
    assert isinstance(workshop.served, Watched)
    ahead = workshop.served.stood
    assert set(ahead) == {"c/1/index.html", "c/index.html", "c/1/measures/index.html"}
    for name, content in ahead.items():
        assert b"<p>New.</p>" in content
        assert (workshop.site / name).read_bytes() == content


@pytest.mark.slow
def test_a_broken_template_is_shown_until_it_is_mended(workshop: Workshop, pages: Path) -> None:
    workshop.build()
    base = pages / "base.html.j2"
    whole = base.read_text(encoding="utf-8")
    before = (workshop.site / "c" / "1" / "index.html").read_bytes()
    for broken, said in (
        ("\n{% nonsense %}", "base.html.j2:2: TemplateSyntaxError"),
        ("{{ nobody }}", ":1: Undef"),
    ):
        base.write_text(broken, encoding="utf-8")
        workshop.build([base])
        assert workshop.served.trouble
        assert said in str(workshop.served.trouble.problems[0])
        assert (workshop.site / "c" / "1" / "index.html").read_bytes() == before
    base.write_text(whole, encoding="utf-8")
    workshop.build([base])
    assert workshop.served.trouble is None
    assert (workshop.site / "c" / "1" / "index.html").read_bytes() == before


# What is watched


@pytest.mark.slow
def test_changes_of_campaigns_count_and_those_of_the_site_do_not(campaign: Path, tmp_path: Path) -> None:
    site = tmp_path / "c" / "site"
    site.mkdir()
    found: list[set[str]] = []

    def watch() -> None:
        for changed in changes([campaign], site):
            found.append({path.name for path in changed})
            if (campaign / "last").exists():
                return

    thread = threading.Thread(target=watch)
    thread.start()
    # What changed while nobody watched yet may have been missed: that is said first.
    until(lambda: found == [set()])
    (campaign / "first").write_bytes(b"x")
    until(lambda: len(found) > 1)
    (site / "page.html").write_bytes(b"x")
    (campaign / "__pycache__").mkdir()
    (campaign / "__pycache__" / "code").write_bytes(b"x")
    (campaign / "last").write_bytes(b"x")
    thread.join(PATIENCE)
    assert not thread.is_alive()
    assert set().union(*found) == {"first", "last"}
