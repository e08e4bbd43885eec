"""The door without a terminal: who gets in, what files may do, what is decided and kept, how it ends."""

import asyncio
import contextlib
import errno
import json
import os
import re
import signal
import socket
import time
import tomllib
import webbrowser
import zipfile
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote, urlencode, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import escape
from playwright.sync_api import Page
from starlette.datastructures import Headers

from reportgen.app import session as sessions
from reportgen.app.door import DROP, ENTER, INSTEAD, KEEP, PATH, READING, TAKE, Door, pack
from reportgen.app.session import Session, safe_path, session
from reportgen.app.understood import figures, read_as_built
from reportgen.app.web import EVENTS, GRACE, SILENCE, Tabs, browse
from reportgen.campaign import load as asked_for
from reportgen.pipeline.export_folder import comes_last, name_after, survey_folder
from reportgen.pipeline.reading import LastRead
from reportgen.pipeline.scaffold import Decisions, plan_of, render
from reportgen.words.language import Edition, say, writing
from tests.commands import files, on_disk, run_alone
from tests.conftest import OpenPage
from tests.messy import MESSY, Messy, separators, sheets_of_coders, titles_and_totals, write
from tests.pages import VIEWS
from tests.readers.samples import samples, zipped
from tests.served import PROGRAM, Client, Process, Reply, accessible, asked, come_in, running
from tests.slowly import slow_in_chromium

WIDE = "sentence,Anna,Ben,Chloé,remarks\n" + "".join(
    f"s{n},{'good' if n % 2 else 'bad'},{'good' if n % 3 else 'bad'},{'good' if n % 4 else 'bad'},\n"
    for n in range(1, 25)
)
RANKS = "item,rater,score\n" + "".join(
    f"i{n},{who},{1 + (n * k + n // 3) % 5}\n" for n in range(20) for k, who in ((1, "anna"), (2, "ben"))
)
# Ben is a language model, or his labels are of his own: which columns are annotators?
SEVERAL = "item,Anna,Ben,Chloé\n" + "".join(
    f"{n},yes,{label},yes\n" for n, label in enumerate(["yes", "yes", *"abcdefgh"])
)
QUESTIONS = "item,rater,stance,topic\n" + "".join(
    f"i{n},{who},{'for' if (n + k) % 3 else 'against'},{'a' if (n + k) % 4 else 'b'}\n"
    for n in range(20)
    for k, who in enumerate(("anna", "ben"))
)
BOUNDARY = "----reportgen7MA4YWxkTrZu0gW"


def form_with(files: Sequence[tuple[str, bytes]], **fields: str) -> bytes:
    """Return a form with fields and files, as browsers send it."""
    parts = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{text}\r\n'.encode()
        for name, text in fields.items()
    ]
    parts += [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n".encode()
        + content
        + b"\r\n"
        for name, content in files
    ]
    return b"".join(parts) + f"--{BOUNDARY}--\r\n".encode()


@dataclass(kw_only=True)
class Visitor(Client):
    """A server with the door of a session, and what asks it."""

    door: Door
    own: Session

    @property
    def folder(self) -> Path:
        """Return the folder of the campaign."""
        assert self.own.campaign
        return self.own.campaign

    def send(self, *files: tuple[str, bytes | str], version: str = "") -> Reply:
        """Send files, as the next `version` where there is one; return the screen that comes next."""
        content = form_with(
            [(name, text.encode() if isinstance(text, str) else text) for name, text in files],
            **({"version": version} if version else {}),
        )
        kind = f"multipart/form-data; boundary={BOUNDARY}"
        reply = self.ask(f"{DROP}?next=yes" if version else DROP, body=content, Content_Type=kind)
        return self.ask(reply.location) if reply.status == 303 else reply

    def fields(self) -> dict[str, str]:
        """Return what the form of a reading says as it is shown."""
        text = self.ask(READING).text
        found = dict(re.findall(r'<input type="hidden" name="([\w-]+)" value="([^"]*)"', text))
        for name, options in re.findall(r'<select name="([\w-]+)"[^>]*>(.*?)</select>', text, re.DOTALL):
            chosen = re.search(r'<option value="([^"]*)"[^>]* selected', options)
            found[name] = chosen[1] if chosen else ""
        found |= dict(re.findall(r'<input type="checkbox" name="([\w-]+)" value="(\w+)" checked', text))
        found |= dict(re.findall(r'<input type="radio" name="([\w-]+)" value="(\w+)" checked', text))
        return found

    def decide(self, **changes: str) -> dict[str, Any]:
        """Send the form of a reading with changes, and return campaign.toml."""
        form = self.fields() | {name.replace("_", "-"): text for name, text in changes.items()}
        reply = self.ask(READING, {"do": "apply", **form})
        assert reply.status == 303, reply.text
        return self.toml

    @property
    def toml(self) -> dict[str, Any]:
        return tomllib.loads((self.folder / "campaign.toml").read_text(encoding="utf-8"))


@contextlib.contextmanager
def opened(folder: Path) -> Iterator[Visitor]:
    with session(folder) as own:
        door = Door(own, lambda _: None)
        server = door.listening(0)
        with server.answering():
            yield Visitor(server=server, address=door.address, below=door.below, door=door, own=own)


@pytest.fixture
def visitor(tmp_path: Path) -> Iterator[Visitor]:
    with opened(tmp_path / "state") as made:
        yield made


@pytest.fixture
def films(visitor: Visitor) -> Visitor:
    """A visitor who came in and sent a table of three annotators."""
    visitor.come_in().send(("films.csv", WIDE))
    return visitor


# Who gets in


def test_a_token_opens_the_door_once_and_without_its_cookie_nothing_is_shown(visitor: Visitor) -> None:
    token = visitor.door.entrance.token
    inside = visitor.come_in().cookie
    visitor.send(("films.csv", WIDE))
    for cookie in ("", f"reportgen-{visitor.server.port}=x", inside + "x"):
        visitor.cookie = cookie
        assert visitor.ask(f"{ENTER}?token={token}").status == 403
        assert visitor.ask(f"{ENTER}?token=").status == 403
        for path in ("/", PATH, DROP, READING, KEEP, f"{TAKE}campaign.zip", "/films/1.0/", "/nothing"):
            reply = visitor.ask(path)
            assert reply.status == 403
            assert "Anna" not in reply.text
        assert visitor.ask(READING, {"do": "report"}).status == 403
        assert visitor.send(("mine.csv", RANKS)).status == 403
    visitor.cookie = inside
    assert "Anna" in visitor.ask(READING).text
    # The first address leads in again where one is in.
    assert visitor.ask(f"{ENTER}?token={token}").status == 200
    assert visitor.folder.name == "films"


def test_a_cookie_is_for_a_path_that_nobody_can_guess_and_opens_nothing_elsewhere(visitor: Visitor) -> None:
    """Browsers send cookies to every port of this computer: who listens at another one may know them."""
    door, port = visitor.door, visitor.server.port
    reply = visitor.ask(f"{ENTER}?token={door.entrance.token}")
    assert all(f"; {part}" in reply.cookie for part in (f"Path={door.below};", "HttpOnly", "SameSite=strict"))
    visitor.cookie = reply.cookie.partition(";")[0]
    visitor.send(("films.csv", WIDE))
    visitor.ask(READING, {"do": "report"})
    sent = {"Cookie": visitor.cookie, "Origin": visitor.server.address.rstrip("/")}
    guess = f"/{'x' * len(door.below)}"
    for way in ("", guess, door.below[:-1], f"{door.below}x", door.below.swapcase()):
        for path in ("/", PATH, DROP, READING, KEEP, f"{TAKE}campaign.zip", "/films/1.0/", EVENTS):
            assert asked(port, f"{way}{path}", None, sent).status == 403
        assert asked(port, f"{way}{READING}", b"do=report", sent).status in {403, 501}
    assert len(door.below) > 40
    # Pages lead to places below it alone.
    for path in (DROP, READING, KEEP, "/films/1.0/", "/films/1.0/nothing/"):
        text = visitor.ask(path).text
        assert door.below in text
        assert re.findall(rf'(?:href|action)="/(?!{re.escape(door.below[1:])}/)[^"]*"', text) == []
        assert not re.search(r"[`\"]/\.reportgen", text)


def test_a_browser_is_opened_by_a_private_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened_at: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened_at.append)
    browse("http://127.0.0.1:1/x?token=a&b", tmp_path)
    (address,) = opened_at
    file = Path(unquote(urlsplit(address).path))
    assert address.startswith("file:///")
    assert file.stat().st_mode & 0o777 == 0o600
    assert 'content="0; url=http://127.0.0.1:1/x?token=a&amp;b"' in file.read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_other_hosts_origins_and_forms_are_refused(films: Visitor) -> None:
    form = films.fields() | {"title": "Evil"}
    port = films.server.port
    for origin in (
        "http://evil.example",
        "null",
        f"http://127.0.0.1:{port + 1}",
        f"https://127.0.0.1:{port}",
    ):
        assert films.ask(READING, form, Origin=origin).status == 403
        assert films.ask(READING, Origin=origin).status == 403
        assert films.ask(DROP, body=b"x", Origin=origin).status == 403
    assert films.ask(READING, form, Origin="").status == 403
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1"):
        assert films.ask(READING, Host=host).status == 403
        assert films.ask(f"{ENTER}?token={films.door.entrance.token}", Host=host).status == 403
    assert films.toml["title"] == "Films"
    assert films.ask(READING, form).status == 303
    assert films.toml["title"] == "Evil"


def test_every_screen_has_a_policy_and_no_answer_is_for_other_sites(visitor: Visitor) -> None:
    visitor.come_in()
    for screen in (visitor.ask(DROP), visitor.send(("films.csv", WIDE))):
        assert "default-src &#39;none&#39;" in screen.text
        assert "unsafe" not in screen.text
        assert "://" not in screen.text


# What files may do


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("a.csv", "a.csv"),
        ("../../../etc/passwd", "etc/passwd"),
        ("/etc/passwd", "etc/passwd"),
        (r"C:\Users\x\y.csv", "C_/Users/x/y.csv"),
        ("a/./../b.csv", "a/b.csv"),
        ("x/.git/config", "x/git/config"),
        ("nul\0l.csv", "nul_l.csv"),
        ("exports/*[a-z].csv", "exports/__a-z_.csv"),
        ("dots...", "dots"),
        ("/".join("abcdefghijkl"), "e/f/g/h/i/j/k/l"),
    ],
)
def test_a_name_is_a_path_below_the_folder_whatever_is_in_it(name: str, path: str) -> None:
    assert safe_path(name) == PurePosixPath(path)


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../..", "/", ".hidden", "a/.DS_Store", "__MACOSX/a.csv", " "]
)
def test_hidden_files_and_names_of_nothing_are_not_taken(name: str) -> None:
    assert safe_path(name) is None


@given(st.text())
def test_no_name_leads_out_of_the_folder(name: str) -> None:
    path = safe_path(name)
    assert path is None or (not path.is_absolute() and ".." not in path.parts and "\0" not in str(path))
    assert path is None or all(map(len, path.parts))
    assert path is None or len(path.parts) == 1 or len(str(path)) <= sessions.LONGEST_PATH


@given(st.data())
def test_a_form_may_come_in_any_pieces(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    tricky = st.lists(st.sampled_from([b"\r\n--", b"\r\n", b"--", BOUNDARY.encode(), b"x", b"\0"])).map(
        b"".join
    )
    contents = data.draw(
        st.lists(tricky.filter(lambda text: f"\r\n--{BOUNDARY}".encode() not in text), max_size=3)
    )
    content = form_with([(f"{n}.csv", text) for n, text in enumerate(contents)])
    folder = tmp_path_factory.mktemp("form")
    step = data.draw(st.integers(1, len(content)))

    async def pieces() -> AsyncGenerator[bytes]:
        for start in range(0, len(content), step):
            yield content[start : start + step]

    headers = Headers({"content-type": f"multipart/form-data; boundary={BOUNDARY}"})
    # A browser of another test may have a loop in this thread.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, sessions.receive(headers, pieces(), folder)).result()
    assert [(folder / f"{n}.csv").read_bytes() for n in range(len(contents))] == contents
    assert len([*folder.iterdir()]) == len(contents)


TABLES = [(f"{who}.csv", b"item,label\n1,a\n2,b\n") for who in ("anna", "ben", "cleo")]
# A bound of tests, what is sent, and what is said of it.
Sent = Sequence[tuple[str, bytes]]
REFUSED: Sequence[tuple[Mapping[str, int], Sent, str]] = (
    ({"LARGEST_FILE": 1000}, [("large.csv", b"x" * 1001)], "larger|more than"),
    ({"LARGEST": 2500}, [(f"{n}.csv", b"x" * 900) for n in range(3)], "larger|more than"),
    ({"MOST_FILES": 4}, [(f"{n}.csv", b"x") for n in range(5)], "larger|more than"),
    ({"MOST_TABLES": 2}, TABLES, "has 3 tables; 2 are read at most."),
    ({"MOST_MEMBERS": 2}, [("many.zip", zipped(dict(TABLES)))], "has 3 files; 2 are read at most"),
    ({}, [("evil.zip", zipped({"../../evil.csv": WIDE}))], "leads out of the archive"),
    ({}, [("empty.csv", b"")], "is empty"),
    ({}, [("broken.xlsx", b"PK\x03\x04 nothing")], "damaged archive"),
    ({}, [("picture.png", b"\x89PNG\r\n\x1a\n\0\0")], "has no export in a known format"),
)


@pytest.mark.parametrize(("bounds", "sent", "words"), REFUSED)
def test_what_can_not_be_read_is_said_and_what_was_there_stays(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch, bounds: Mapping[str, int], sent: Sent, words: str
) -> None:
    visitor.come_in()
    for name, bound in bounds.items():
        monkeypatch.setattr(sessions, name, bound)
    reply = visitor.send(*sent)
    assert re.search(words, reply.text)
    assert str(visitor.own.folder) not in reply.text
    assert not list(visitor.own.folder.parent.rglob("evil*"))
    if reply.status == 400:
        assert visitor.own.campaign is None
        assert not list(visitor.own.folder.rglob("*.csv"))
    else:
        visitor.ask(f"{DROP}?language=fr")
        assert '<span lang="en">' not in visitor.ask(READING).text


@pytest.mark.parametrize("inside", [True, False])
def test_an_upload_without_end_is_cut_off_and_leaves_nothing(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch, *, inside: bool
) -> None:
    """Whether or not who sends it has come in."""
    monkeypatch.setattr(sessions, "LARGEST_FILE", 1000)
    monkeypatch.setattr(sessions, "LARGEST", 2500)
    lines = [
        f"POST {visitor.door.below if inside else ''}{DROP} HTTP/1.1",
        f"Host: 127.0.0.1:{visitor.server.port}",
        f"Origin: {visitor.server.address.rstrip('/')}",
        *([f"Cookie: {visitor.come_in().cookie}"] if inside else []),
        f"Content-Type: multipart/form-data; boundary={BOUNDARY}",
        "Transfer-Encoding: chunked",
        "",
        "",
    ]
    head = form_with([("a.csv", b"x")]).partition(b"x\r\n--")[0]
    with socket.create_connection(("127.0.0.1", visitor.server.port), timeout=60) as stranger:
        stranger.sendall("\r\n".join(lines).encode() + b"%x\r\n%b\r\n" % (len(head), head))
        with pytest.raises(ConnectionError):
            pour(stranger)
    assert not [*visitor.own.folder.rglob("*.csv")]


def pour(stranger: socket.socket) -> None:
    while True:
        stranger.sendall(b"%x\r\n%b\r\n" % (65_536, b"0" * 65_536))


def test_a_full_disk_is_said_and_files_stay(films: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sessions, "free_place", full_disk)
        reply = films.send(("later.csv", WIDE))
    assert (reply.status, "Make room on the disk." in reply.text) == (400, True)
    assert "3 annotators" in films.ask(READING).text


def full_disk(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"x" * 20_000,
        form_with([("a.csv", b"x")])[:-20],
        b"\r\n--" + BOUNDARY.encode() + b"\r\n" + b"x" * 9000,
    ],
)
def test_what_is_no_whole_form_is_refused(visitor: Visitor, body: bytes) -> None:
    visitor.come_in()
    reply = visitor.ask(DROP, body=body, Content_Type=f"multipart/form-data; boundary={BOUNDARY}")
    assert reply.status == 400
    assert visitor.ask(DROP, body=body, Content_Type="text/plain").status == 400
    assert visitor.own.campaign is None


def test_a_zip_of_tables_is_read_and_stays_whatever_comes_next(visitor: Visitor) -> None:
    visitor.come_in()
    rows = {who: "".join(f"{n},{n % k}\n" for n in range(20)) for who, k in (("anna", 2), ("ben", 3))}
    tables = {f"labels/{who}.csv": f"item,label\n{text}" for who, text in rows.items()}
    assert "2 annotators" in visitor.send(("labels.zip", zipped(tables))).text
    assert visitor.send(("evil.zip", zipped({"../../evil.csv": WIDE}))).status == 400
    assert "2 annotators" in visitor.ask(READING).text


MOODS = ("negative", "neutral", "positive")
# What two said of twenty-four units; what is asked of it, and the key that each answer writes.
QUESTIONS_OF_TABLES: dict[
    str, tuple[Callable[[int], tuple[object, ...]], str, dict[str, tuple[str, object]]]
] = {
    "an order": (
        lambda n: (MOODS[n % 3], MOODS[(n + n % 5 // 4) % 3]),
        "Does their order count?",
        {"ordered-0": ("categories", [*MOODS]), "names-0": ("scale", "nominal")},
    ),
    "a code": (
        lambda n: (1 + n % 3, 9 if n % 6 == 0 else 1 + n % 3),
        "Does 9 say that there is no label?",
        {"none-0": ("missing", ["9"]), "label-0": ("missing", None)},
    ),
    "spellings": (
        lambda n: ("yes", "Yes") if n % 2 else ("No", "No"),
        "Yes and yes.",
        {"same": ("labels", {"yes": "Yes"}), "differ": ("labels", None)},
    ),
}


@pytest.mark.parametrize("name", QUESTIONS_OF_TABLES)
def test_what_a_table_leaves_open_is_asked_and_the_answer_is_a_key(visitor: Visitor, name: str) -> None:
    labels_of, question, answers = QUESTIONS_OF_TABLES[name]
    rows = "".join("{},{},{}\n".format(n, *labels_of(n)) for n in range(24))
    assert question in visitor.come_in().send(("table.csv", f"item,Anna,Ben\n{rows}")).text
    for answer, (key, value) in answers.items():
        visitor.decide(do="found")
        assert question in visitor.ask(READING).text
        toml = visitor.decide(do=answer)
        assert (toml["task"] | toml["guidelines"][0]).get(key) == value
        shown = visitor.ask(READING).text
        assert question not in shown
        # What is no label, or the same one, divides nobody.
        assert ("<strong>1.000</strong>" in shown) == (answer in {"none-0", "same"})


@pytest.mark.parametrize("code", ["en", "fr"])
def test_what_a_report_advises_to_write_is_where_the_page_asks_for_it(visitor: Visitor, code: str) -> None:
    visitor.come_in().ask(f"{DROP}?language={code}")
    with writing(Edition(code)):
        advised = "".join(f"<p>{escape(say(advice))}</p>" for advice in INSTEAD)
    page = f"<html><head></head><body>{advised}</body></html>"
    shown = visitor.door.dressed(page.encode()).decode()
    assert shown.count("How it was read" if code == "en" else "Comment c’est lu") == len(INSTEAD)
    assert "campaign.toml" not in shown


def test_a_form_with_a_row_for_each_person_is_turned_where_somebody_says_so(visitor: Visitor) -> None:
    questions = ",".join(f"Q{n}. Is this rude?" for n in range(1, 13))
    rows = "".join(
        f"2024/03/0{who} 10:00,r{who}@example.org,{','.join('yes' if n % 3 else 'no' for n in range(12))},\n"
        for who in (1, 2, 3)
    )
    shown = visitor.come_in().send(("form.csv", f"Timestamp,Email,{questions},Remarks\n{rows}"))
    assert "3 annotators: r1@example.org, r2@example.org, r3@example.org. 12 units." in shown.text
    assert visitor.ask(READING, {"do": "way-0"}).status == 303
    shown = visitor.ask(READING)
    assert "<strong>1.000</strong>" in shown.text
    assert visitor.toml["guidelines"][0]["turned"] is True
    assert "This is how it was read" in shown.text


def test_a_column_of_questions_is_shown_as_such_and_may_be_taken_for_something_else(visitor: Visitor) -> None:
    rows = [
        f"i{n},{who},{asked},{answers[(n + k) % 3 % len(answers)]}"
        for n in range(12)
        for k, who in enumerate(("anna", "ben"))
        for asked, answers in (("tone", "ab"), ("stance", "xyz"))
    ]
    visitor.come_in().send(("asked.csv", "\n".join(["item,rater,aspect,value", *rows, ""])))
    assert visitor.fields()["column-2"] == "question"
    columns = {"unit": "item", "annotator": "rater", "question": "aspect", "answer": "value"}
    assert visitor.toml["guidelines"][0]["columns"] == columns
    assert [layer["source"] for layer in visitor.toml["layers"]] == ["tone", "stance"]
    written = visitor.decide(column_2="pass")["guidelines"][0]["columns"]
    assert written == {"unit": "item", "annotator": "rater", "pass": "aspect", "label": "value"}


def test_words_of_files_are_text(visitor: Visitor) -> None:
    hostile = "<script>alert(1)</script>"
    table = f"item,{hostile},Ben{hostile}\n" + "".join(
        f"<b>{n}</b>,{'xy'[n % 2]},{'xy'[n % 3 % 2]}\n" for n in range(12)
    )
    shown = visitor.come_in().send((f"{hostile}.csv", table))
    assert hostile not in shown.text
    assert "&lt;b&gt;3&lt;/b&gt;" in shown.text


# What a decision writes


@pytest.mark.slow
def test_each_decision_on_a_table_is_a_key(films: Visitor) -> None:
    assert films.decide(title='Films "x"')["title"] == 'Films "x"'
    assert films.decide(language="fr")["language"] == "fr"
    assert films.decide(role_2="reference")["annotators"] == {"Chloé": {"role": "reference"}}
    assert films.decide(why_items="Each is one review.")["unit_sets"][0]["why"] == "Each is one review."
    assert films.decide(scale_0="ordinal")["task"]["scale"] == "ordinal"
    order = films.toml["task"]["categories"]
    assert films.decide(do="down-0-0")["task"]["categories"] == order[::-1]
    assert films.decide(do="order-0", order_0="\n".join(order))["task"]["categories"] == order
    # Names have no order, whatever was said of it.
    assert films.decide(scale_0="nominal")["task"] == {"scale": "nominal"}
    version = films.decide(column_3="")["guidelines"][0]
    assert (version["columns"], version["annotators"]) == ({"unit": "sentence"}, ["Anna", "Ben"])
    # All of these are still there, and go together.
    assert films.toml["title"] == 'Films "x"'
    assert films.decide(do="found")["title"] == "Films"
    assert "annotators" not in films.toml["guidelines"][0]


def test_a_question_that_is_not_compared_is_no_layer(visitor: Visitor) -> None:
    visitor.come_in().send(("questions.csv", QUESTIONS))
    assert [layer["source"] for layer in visitor.toml["layers"]] == ["stance", "topic"]
    assert [layer["source"] for layer in visitor.decide(use_1="")["layers"]] == ["stance"]
    assert [layer["source"] for layer in visitor.decide(use_1="yes")["layers"]] == ["stance", "topic"]
    assert visitor.decide(scale_1="set")["layers"][1]["scale"] == "set"


def test_groups_of_annotators_are_compared_where_somebody_says_so(visitor: Visitor) -> None:
    header, *rows = RANKS.splitlines()
    aged = "".join(f"{row},{'30' if 'anna' in row else '60'}\n" for row in rows)
    visitor.come_in().send(("ages.csv", f"{header},age\n{aged}"))
    columns = {"unit": "item", "annotator": "rater", "label": "score"}
    assert visitor.toml["guidelines"][0]["columns"] == columns
    assert visitor.decide(group_0="yes")["guidelines"][0]["columns"] == {**columns, "group": ["age"]}
    assert visitor.decide(group_0="")["guidelines"][0]["columns"] == columns


def test_files_are_read_again_only_where_they_or_how_they_are_read_change(tmp_path: Path) -> None:
    folder, last = tmp_path / "c", LastRead()
    folder.mkdir()
    (folder / "wide.csv").write_text(WIDE, encoding="utf-8")
    written = render(plan_of(survey_folder(folder), Decisions()))

    def read(old: str = "", new: str = "") -> object:
        (folder / "campaign.toml").write_text(written.replace(old, new, 1), encoding="utf-8")
        kept, fresh = (read_as_built(folder, "1.0", each) for each in (last, None))
        assert figures(kept) == figures(fresh)
        return last.layers(campaign := asked_for(folder), campaign.version("1.0"))

    first = read()
    assert read("[task]", '[task]\nscale = "ordinal"\ncategories = ["bad", "good"]') is first
    assert read('\nversion = "1.0"', '\nversion = "1.0"\nmissing = ["bad"]') is not first
    first = read()
    (folder / "wide.csv").write_text(WIDE.replace("bad", "good", 3), encoding="utf-8")
    assert read() is not first


def test_what_another_tab_decided_meanwhile_stays(films: Visitor) -> None:
    stale = films.fields()
    films.decide(column_3="", role_0="model", scale_0="ordinal", title="First", why_items="One.")
    before = films.toml
    assert films.ask(READING, stale | {"do": "apply", "language": "fr"}).status == 303
    assert films.toml == before | {"language": "fr"}


@pytest.mark.slow
def test_of_many_annotators_the_last_can_be_left_out_too(visitor: Visitor) -> None:
    people = [f"person{n}" for n in range(1, 10)]
    rows = "".join(f"{n},{','.join('ab'[(n * k) % 7 % 2] for k in range(1, 10))}\n" for n in range(20))
    visitor.come_in().send(("many.csv", f"item,{','.join(people)}\n{rows}"))
    assert visitor.decide(column_8="")["guidelines"][0]["annotators"] == [*people[:7], people[8]]
    assert visitor.decide(column_9="")["guidelines"][0]["annotators"] == people[:7]
    assert "7 annotators" in visitor.ask(READING).text


def test_of_files_of_an_annotator_each_columns_are_changed_and_names_stay(visitor: Visitor) -> None:
    rows = {
        who: "".join(f"{n},{n % k},{n % 4 // 2}\n" for n in range(20)) for who, k in (("anna", 2), ("ben", 3))
    }
    visitor.come_in().send(
        *((f"codes_{who}.csv", f"item,label,second\n{text}") for who, text in rows.items())
    )
    version = visitor.decide(column_2="")["guidelines"][0]
    assert version["path"] == "codes_{annotator}"
    assert version["columns"] == {"unit": "item", "label": "label"}
    assert "2 annotators" in visitor.ask(READING).text


@pytest.mark.slow
@pytest.mark.parametrize("name", samples())
def test_every_format_is_read_as_init_reads_it(visitor: Visitor, tmp_path: Path, name: str) -> None:
    files = {f"sample/{path}": content for path, content in samples()[name].items()}
    shown = visitor.come_in().send(*files.items())
    assert shown.status == 200
    on_disk(tmp_path, files)
    text = (visitor.folder / "campaign.toml").read_text(encoding="utf-8")
    alone = survey_folder(tmp_path / "sample")
    assert text == render(plan_of(alone))
    # In a folder of its version it is what it was.
    visitor.send(*files.items(), version=name_after(alone.versions[-1].id))
    assert [each.export_survey for each in visitor.own.survey().versions] == [
        *(each.export_survey for each in alone.versions),
        alone.versions[-1].export_survey,
    ]


def test_files_of_one_annotator_or_without_labels_are_no_figure_but_a_question(visitor: Visitor) -> None:
    alone = "item,annotator,label\n" + "".join(f"{n},anna,{n % 2}\n" for n in range(9))
    unlabelled = '{"id": 1, "text": "Ann met Ben.", "label": []}\n'
    visitor.come_in()
    for name, content, words in (
        ("alone.csv", alone, "one annotator alone"),
        ("alone.jsonl", unlabelled, "no label that could be compared"),
    ):
        shown = visitor.send((name, content)).text
        assert "There is no figure yet" in shown
        assert words in shown
        assert 'value="report"' not in shown


@pytest.mark.slow
def test_a_column_that_makes_no_sense_is_said_and_can_be_changed_back(films: Visitor) -> None:
    wrong = films.fields() | {"column-1": "unit", "column-2": "", "column-3": "", "do": "apply"}
    assert "has no labels, as its columns are said to be" in films.ask(READING, wrong).text
    # What was said is there, though it makes no sense yet.
    assert [films.fields()[f"column-{n}"] for n in range(4)] == ["unit", "unit", "", ""]
    right = dict.fromkeys(("column-1", "column-2", "column-3"), "person")
    assert films.ask(READING, films.fields() | right).status == 303
    assert "This is how it was read" in films.ask(READING).text


def test_rows_are_left_out_taken_back_and_named(visitor: Visitor) -> None:
    name, content, value = titles_and_totals()
    shown = visitor.come_in().send((name, content)).text
    assert f"<strong>{value:.3f}</strong>" in shown
    assert "sums up other rows" in shown
    assert "<s>Bitte nur die gelben Felder ausfüllen!</s>" in shown
    first = visitor.toml["guidelines"][0]
    assert (first["header"], first["skip_rows"]) == (4, [39])
    assert "31 units" in str(visitor.decide(do="row-39")) + visitor.ask(READING).text
    assert visitor.toml["guidelines"][0]["skip_rows"] == []
    assert visitor.decide(row_39="out")["guidelines"][0]["skip_rows"] == [39]
    assert visitor.decide(row_6="out")["guidelines"][0]["skip_rows"] == [6, 39]
    assert "29 units" in visitor.ask(READING).text
    # A row that names columns in vain is said to be wrong, and the rows are there to choose another.
    wrong = visitor.ask(READING, visitor.fields() | {"row-2": "names", "do": "apply"})
    shown = wrong.text if wrong.status == 200 else visitor.ask(READING).text
    assert 'role="alert"' in shown
    assert visitor.decide(row_4="names")["guidelines"][0]["header"] == 4
    assert "29 units" in visitor.ask(READING).text
    assert visitor.decide(do="found")["guidelines"][0] == first


def test_sheets_are_chosen(visitor: Visitor) -> None:
    name, content, _ = sheets_of_coders()
    assert "3 annotators" in visitor.come_in().send((name, content)).text
    assert visitor.fields().keys() >= {f"sheet-{number}" for number in (1, 2, 3)}
    assert visitor.decide(sheet_3="")["guidelines"][0]["sheets"] == ["Marie", "Paul"]
    assert "2 annotators" in visitor.ask(READING).text
    assert visitor.decide(sheet_3="yes")["guidelines"][0]["sheets"] == ["Marie", "Paul", "Zoé"]


def test_one_thing_of_which_there_is_one_is_not_said_of_two_columns(films: Visitor) -> None:
    before = films.toml
    wrong = films.ask(READING, films.fields() | {"column-1": "document", "column-2": "document"})
    assert "are all said to be one thing: Anna, Ben." in wrong.text
    assert films.toml == before
    answered = films.ask(READING, {"do": "way-0"})
    assert "this question is not asked any more" in answered.text


def test_a_text_of_units_is_what_somebody_says(visitor: Visitor) -> None:
    rows = "".join(f"{n},{'ab'[n % 2]},{'ab'[n % 3 % 2]},remark {n}\n" for n in range(20))
    visitor.come_in().send(("t.csv", f"item,Anna,Ben,note\n{rows}"))
    assert visitor.decide(column_3="text")["guidelines"][0]["columns"] == {"unit": "item", "text": "note"}
    assert visitor.fields()["column-3"] == "text"


def test_a_column_that_nothing_explains_is_in_front(visitor: Visitor) -> None:
    name, content, _ = separators()
    shown = visitor.come_in().send((name, content)).text
    assert '<a href="#column-5">final</a>' in shown
    assert shown.index("One column is not explained") < shown.index("The first rows")
    # It is explained once somebody says that it is not read, or what it is.
    visitor.decide(do="aside")
    assert "One column is not explained" not in visitor.ask(READING).text


def test_a_form_that_is_none_of_ours_changes_nothing(films: Visitor) -> None:
    before = films.toml
    for form in (
        {"do": "dance"},
        {"scale-0": "huge", "source-0": ""},
        {"role-0": "king", "who-0": "Anna"},
        {"column-0": "nothing", "column-99": "unit"},
        {"language": "xx"},
        {f"x{n}": "y" for n in range(3000)},
    ):
        assert films.ask(READING, form).status == 303
        assert films.toml == before


def test_a_folder_that_is_a_campaign_keeps_its_campaign_toml(visitor: Visitor) -> None:
    toml = 'title = "Mine"\n[[guidelines]]\nversion = "1"\nexports = "a.csv"\n'
    shown = visitor.come_in().send(("mine/campaign.toml", toml), ("mine/a.csv", WIDE))
    assert "is a campaign already" in shown.text
    visitor.ask(READING, {"title": "Other", "do": "apply"})
    assert (visitor.folder / "campaign.toml").read_text(encoding="utf-8") == toml


# The next version of the guidelines


def test_the_next_version_is_read_beside_the_others_and_each_has_its_decisions(films: Visitor) -> None:
    first = films.decide(column_3="", title="Films!")["guidelines"][0]
    assert 'name="version" value="2.0"' in films.ask(f"{DROP}?next=yes").text
    shown = films.send(("new.csv", WIDE.replace("Chloé", "Dan")), version="2.0")
    assert "3 annotators" in shown.text
    assert "2 annotators" in films.ask(f"{READING}?version=1.0").text
    toml = films.decide(changes="Irony is bad.", column_1="")
    assert toml["title"] == "Films!"
    assert toml["guidelines"] == [
        first | {"exports": "exports/1.0"},
        {
            "version": "2.0",
            "exports": "exports/2.0",
            "changes": "Irony is bad.",
            "columns": {"unit": "sentence"},
            "annotators": ["Ben", "Dan"],
            "beside": {"Anna": "left out"},
        },
    ]
    form = {"column-3": "person", "was-column-3": "", "do": "apply"}
    assert films.ask(f"{READING}?version=1.0", form).location == f"{READING}?version=1.0"
    people = [version["annotators"] for version in films.toml["guidelines"]]
    assert people == [["Anna", "Ben", "Chloé"], ["Ben", "Dan"]]
    films.ask(READING, {"do": "take-back"})
    assert [version["version"] for version in films.toml["guidelines"]] == ["1.0"]
    films.ask(READING, {"do": "take-back"})
    assert [version["version"] for version in films.toml["guidelines"]] == ["1.0"]


# Sentences of texts, in a column whose name and numbers do not say that it is a text's.
IN_TEXTS = "nr,series,Anna,Ben,Chloé\n" + "".join(
    f"{n},t{n % 6},{'good' if n % 2 else 'bad'},{'good' if n % 3 else 'bad'},{'good' if n % 4 else 'bad'}\n"
    for n in range(1, 31)
)


def test_what_was_corrected_of_a_version_holds_for_the_next_one(visitor: Visitor) -> None:
    """Columns where they fit; the scale and roles are the campaign's, and versions are compared in pairs."""
    visitor.come_in().send(("a.csv", IN_TEXTS))
    first = visitor.decide(column_1="document", column_4="", scale_0="ordinal", role_1="reference")
    assert first["guidelines"][0]["columns"] == {"unit": "nr", "document": "series"}
    visitor.send(("b.csv", IN_TEXTS.replace("good", "bad", 9)), version="2.0")
    toml = visitor.toml
    assert toml["guidelines"][1] == first["guidelines"][0] | {"version": "2.0", "exports": "exports/2.0"}
    assert {key: toml[key] for key in ("task", "annotators")} == {
        key: first[key] for key in ("task", "annotators")
    }
    # Dan was not there before: whose columns these are is found, and documents stay documents.
    visitor.send(("c.csv", IN_TEXTS.replace("Chloé", "Dan")), version="3.0")
    last = visitor.toml["guidelines"][2]
    assert last["columns"] == {"unit": "nr", "document": "series"}
    assert "annotators" not in last
    # Other columns are other columns.
    visitor.send(("d.csv", WIDE), version="4.0")
    assert visitor.toml["guidelines"][3]["columns"] == {"unit": "sentence"}


@pytest.mark.parametrize(
    ("version", "name", "content", "words"),
    [
        ("1.0", "a.csv", WIDE, "is not a name that comes after 1.0"),
        ("0.9", "a.csv", WIDE, "is not a name that comes after 1.0"),
        ("../..", "a.csv", WIDE, "is not a name that comes after 1.0"),
        ("2.0", "a.csv", "", "a.csv"),
        ("2.0", "broken.xlsx", "PK\x03\x04 nothing", "damaged archive"),
    ],
)
def test_what_is_no_next_version_changes_nothing(
    films: Visitor, version: str, name: str, content: str, words: str
) -> None:
    before = files(films.folder)
    reply = films.send((name, content), version=version)
    assert reply.status == 400
    assert words in reply.text
    assert str(films.own.folder) not in reply.text
    assert files(films.folder) == before


@pytest.mark.parametrize(
    ("newest", "after"),
    [("1.0", "2.0"), ("1.3", "2.0"), ("v2", "v3"), ("round 9", "round 10"), ("pilot", "pilot-2")],
)
def test_a_version_is_counted_on_and_comes_last(newest: str, after: str) -> None:
    assert name_after(newest) == after
    assert comes_last(after, [newest])
    assert not comes_last(newest, [newest, after])


def test_what_was_kept_is_taken_up_unless_it_was_edited(films: Visitor, tmp_path: Path) -> None:
    films.decide(title="Kept", column_3="")
    pack(films.own, tmp_path / "kept.zip")
    before = films.toml
    films.send(("other.csv", RANKS))
    films.send(("films (1).zip", (tmp_path / "kept.zip").read_bytes()))
    assert films.decide(role_1="model") == before | {"annotators": {"Ben": {"role": "model"}}}
    with zipfile.ZipFile(tmp_path / "kept.zip") as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    toml = "campaigns/films/campaign.toml"
    members[toml] = members[toml].replace(b'"Kept"', b'"Written"')
    shown = films.send(*((f"kept/{name}", content) for name, content in members.items()))
    assert "is a campaign already" in shown.text
    assert films.toml["title"] == "Written"


def test_a_campaign_in_french_is_asked_in_french(visitor: Visitor) -> None:
    visitor.come_in()
    visitor.ask(PATH, Accept_Language="fr-CA,en;q=0.5")
    assert '<html lang="fr">' in visitor.ask(DROP).text
    visitor.send(("films.csv", WIDE))
    assert visitor.decide()["language"] == "fr"


def test_a_fault_is_said_with_the_way_back(films: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:

    def fault(*_: object) -> None:
        message = "<b>no</b>"
        raise RuntimeError(message)

    with monkeypatch.context() as patch:
        patch.setattr("reportgen.app.door.read_as_built", fault)
        reply = films.ask(READING)
    assert reply.status == 500
    assert "&lt;b&gt;no&lt;/b&gt;" in reply.text
    assert f'href="{films.door.below}{READING}"' in reply.text
    assert films.ask(READING).status == 200


# What is kept


@pytest.mark.slow
def test_what_is_kept_gives_the_same_bytes_by_the_command_line(visitor: Visitor, tmp_path: Path) -> None:
    visitor.come_in().send(("ranks.csv", RANKS))
    visitor.decide(title="Ranks", why_items="Each was asked about.", role_1="model")
    assert visitor.ask(READING, {"do": "report"}).location == "/ranks/1.0/"
    visitor.send(("later.csv", RANKS.replace(",1", ",2")), version="2.0")
    reply = visitor.ask(READING, visitor.fields() | {"do": "report", "changes": "1 is 2."})
    assert reply.location == "/ranks/2.0/"
    assert "1 is 2." in visitor.ask("/ranks/compare/1.0...2.0/").text
    page = visitor.ask(reply.location)
    assert 'class="door"' in page.text
    assert "Ranks" in page.text
    kept_page = visitor.ask(KEEP).text
    # A tab in which somebody settles is there too.
    settle = re.findall(r'href="(/[^"]*/\.reportgen/settle/[^"]+)"', kept_page)[0]
    assert "sendBeacon" in visitor.ask(visitor.ask(settle).location).text
    kept = tmp_path / "kept"
    pack(visitor.own, tmp_path / "a.zip")
    pack(visitor.own, tmp_path / "b.zip")
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        archive.extractall(kept)
    before = files(kept)
    assert {name.partition("/")[0] for name in before} == {"campaigns", "site"}
    done = run_alone("build", "--fresh", cwd=kept)
    assert done.returncode == 0, done.stderr
    assert files(kept) == before


# How it ends


def test_the_last_tab_that_is_closed_ends_it_after_a_while_and_one_that_crashed_later() -> None:
    now = [0.0]
    tabs = Tabs(lambda: now[0])

    def after(seconds: float) -> tuple[bool, bool]:
        now[0] += seconds
        return tabs.are_closed, tabs.are_silent

    assert after(2 * SILENCE) == (False, False), "none was open"
    for tab in "ab":
        tabs.here(tab)
    tabs.gone("a")
    assert after(2 * GRACE) == (False, False)
    tabs.gone("b")
    tabs.gone("b")
    assert after(0) == (False, False)
    now[0] += GRACE / 2
    tabs.here("c")
    assert after(2 * GRACE) == (False, False)
    assert after(SILENCE) == (False, True)
    tabs.here("c")
    tabs.gone("c")
    assert after(2 * GRACE) == (True, False)


@pytest.mark.slow
def test_a_session_goes_at_its_end_and_is_there_after_a_crash(tmp_path: Path) -> None:
    with opened(tmp_path) as first:
        first.come_in().send(("films.csv", WIDE))
        first.decide(title="Kept")
        first.own.kept = True
        with session(tmp_path) as second:
            assert second.folder != first.own.folder
        assert not second.folder.exists()
    with session(tmp_path, new=True) as third:
        assert third.campaign is None
    with opened(tmp_path) as again:
        assert again.own.folder == first.own.folder
        again.come_in()
        assert again.own.decided.title == "Kept"
        assert 'value="Kept"' in again.ask(READING).text
    assert not list(tmp_path.iterdir())


def test_the_folder_of_a_session_is_the_users_alone(tmp_path: Path) -> None:
    with session(tmp_path / "state") as own:
        assert own.folder.stat().st_mode & 0o077 == 0


# In a browser, and from the command line


@contextlib.contextmanager
def command(
    state: Path, *arguments: str | Path, program: Sequence[str] = PROGRAM
) -> Iterator[tuple[Process, list[str], str]]:
    """Run the command; yield it with what it said until it was ready, and its address."""
    where = {"XDG_STATE_HOME": str(state)}
    with running("open", "--no-open", *arguments, program=program, env=where) as (process, said):
        yield process, said, said[-1].split()[-1]


def ask(address: str, cookie: str, path: str, form: Mapping[str, str] | None = None) -> Reply:
    ((port, below),) = re.findall(r":(\d+)(/[^/]+)", address)
    sent = {"Cookie": cookie, "Origin": f"http://127.0.0.1:{port}"}
    return asked(int(port), path, urlencode(form).encode() if form else None, sent, below)


def cookie_for(address: str) -> str:
    return ask(address, "", f"{ENTER}?{address.partition('?')[2]}").cookie.partition(";")[0]


@pytest.mark.slow
@pytest.mark.parametrize("killed", ["read", "decided", "built"])
def test_after_a_kill_it_goes_on_and_at_the_end_nothing_is_left(tmp_path: Path, killed: str) -> None:
    (tmp_path / "films.csv").write_text(WIDE, encoding="utf-8")
    with command(tmp_path / "state", tmp_path / "films.csv") as (process, _, address):
        cookie = cookie_for(address)
        if killed != "read":
            assert ask(address, cookie, READING, {"title": "Kept", "do": "apply"}).status == 303
        if killed == "built":
            assert ask(address, cookie, READING, {"do": "report"}).location == "/films/1.0/"
        process.kill()
    with command(tmp_path / "state") as (process, said, address):
        assert "Going on" in said[0]
        cookie = cookie_for(address)
        shown = ask(address, cookie, READING).text
        assert f'value="{"Films" if killed == "read" else "Kept"}"' in shown
        if killed == "built":
            assert ask(address, cookie, "/films/1.0/").status == 200
        process.send_signal(signal.SIGINT)
        _, rest = process.communicate(timeout=60)
        assert rest.splitlines()[-1] == "Ended. What was not kept is removed."
    assert not list((tmp_path / "state").rglob("*.csv"))


@slow_in_chromium
def test_a_browser_comes_in_by_the_file_and_again_by_the_address(
    visitor: Visitor, open_page: OpenPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened_at: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened_at.append)
    browse(visitor.door.address, tmp_path)
    page = open_page(offline=False)
    page.goto(opened_at[0])
    page.wait_for_url(f"**{visitor.door.below}{DROP}")
    assert page.locator("#files").count() == 1
    # Other tests have come in by this browser too.
    assert visitor.door.below in {cookie["path"] for cookie in page.context.cookies()}
    come_in(page, visitor.door.address)


def choose(page: Page, *files: Path) -> None:
    with page.expect_navigation(url="**/reading*"):
        page.set_input_files("#files", [str(file) for file in files])


@slow_in_chromium
@pytest.mark.parametrize(("width", "scheme"), VIEWS)
def test_no_screen_has_an_axe_violation_or_scrolls_sideways(
    visitor: Visitor, open_page: OpenPage, tmp_path: Path, width: int, scheme: str
) -> None:
    page = open_page(offline=False, width=width, color_scheme=scheme)
    come_in(page, visitor.door.address)
    accessible(page)
    (tmp_path / "several.csv").write_text(SEVERAL, encoding="utf-8")
    choose(page, tmp_path / "several.csv")
    accessible(page)
    page.click("button[value=way-1]")
    page.wait_for_selector("[role=status] .figure")
    accessible(page)
    with page.expect_navigation(url="**/several/1.0/*"):
        page.locator("button[value=report]").first.click()
    accessible(page)
    page.click(".door a:last-of-type")
    page.wait_for_url(f"**{KEEP}")
    accessible(page)
    (tmp_path / "empty.csv").write_text("", encoding="utf-8")
    page.goto(f"{visitor.server.address.rstrip('/')}{visitor.door.below}{DROP}")
    choose(page, tmp_path / "empty.csv")
    accessible(page)
    assert "is empty" in page.inner_text("main")


@slow_in_chromium
@pytest.mark.parametrize("made", MESSY)
def test_tables_as_linguists_keep_them_go_from_file_to_the_right_figure(
    visitor: Visitor, open_page: OpenPage, tmp_path: Path, made: Messy
) -> None:
    """Two clicks: the file, and the report. What somebody has to say of it would be one more each."""
    page = open_page(offline=False)
    come_in(page, visitor.door.address)
    file, value = write(tmp_path, made)
    choose(page, file)
    figure = f"{value:.3f}".replace("-", "−")
    assert page.locator(".result .figure strong").first.inner_text() == figure
    assert page.locator("[role=alert]").count() == 0
    page.locator("button[value=report]").first.click()
    page.wait_for_selector("nav.door")
    results = json.loads(next(visitor.own.site.rglob("results.json")).read_bytes())
    assert results["unit_sets"][0]["measures"]["krippendorff_alpha"]["value"] == pytest.approx(value)


FOCUS = """() => {
    const it = document.activeElement, style = getComputedStyle(it), box = it.getBoundingClientRect();
    return {
        words: it.innerText || it.getAttribute("aria-label") || it.labels?.[0]?.innerText || "", id: it.id,
        seen: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 && box.width > 0,
    };
}"""


@slow_in_chromium
def test_from_files_to_a_paper_by_keys_alone(visitor: Visitor, open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(offline=False)
    page.set_default_timeout(120_000)
    page.on("filechooser", lambda chooser: chooser.set_files(str(tmp_path / "films.csv")))
    come_in(page, visitor.door.address)
    (tmp_path / "films.csv").write_text(WIDE.replace(",bad,", ",fair,", 9), encoding="utf-8")

    def reach(words: str) -> None:
        for _ in range(160):
            page.keyboard.press("Tab")
            now = page.evaluate(FOCUS)
            assert now["seen"] or not now["words"], now
            if words in (now["words"], now["id"]) or (len(words) > 8 and words in now["words"]):
                return
        raise AssertionError(words)

    def press_on(words: str, leads_to: str = "**/reading*") -> None:
        reach(words)
        with page.expect_navigation(url=leads_to):
            page.keyboard.press("Enter")

    def choose_by_keys() -> None:
        reach("files")
        with page.expect_navigation(url="**/reading*"):
            page.keyboard.press("Enter")

    choose_by_keys()
    reach("column-3")
    with page.expect_navigation():
        page.keyboard.press("n")
    assert page.evaluate(FOCUS)["id"] == "column-3"
    page.locator("p.first[role=status]", has_text="alpha").wait_for(state="attached")
    assert "2 annotators" in page.inner_text("main")
    press_on("down-0-0", "**/reading**")
    assert page.evaluate(FOCUS)["id"] == "down-0-1"
    press_on("Looks right: show the report", "**/1.0/*")
    press_on("Keep →", f"**{KEEP}")
    press_on("The guidelines changed: add the next version", "**/drop?next=yes")
    choose_by_keys()
    assert [each["version"] for each in visitor.toml["guidelines"]] == ["1.0", "2.0"]
    press_on("Looks right: show the report", "**/2.0/*")
    press_on("Keep →", f"**{KEEP}")
    reach("For a paper: a Word document")
    with page.expect_download() as paper:
        page.keyboard.press("Enter")
    assert paper.value.suggested_filename.endswith("paper.docx")
    reach("Settle disagreements")
    with page.expect_popup() as settled:
        page.keyboard.press("Enter")
    page = settled.value
    page.wait_for_load_state()
    page.bring_to_front()
    with page.expect_navigation():
        page.keyboard.press("1")


@slow_in_chromium
def test_everything_works_without_script(visitor: Visitor, open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(offline=False, java_script_enabled=False)
    come_in(page, visitor.door.address)
    for who, k in (("anna", 2), ("ben", 3)):
        text = "".join(f"{n},{'abc'[n % k]}\n" for n in range(20))
        (tmp_path / f"{who}.csv").write_text(f"item,label\n{text}", encoding="utf-8")
    page.set_input_files("#files", [str(tmp_path / "anna.csv"), str(tmp_path / "ben.csv")])
    page.get_by_role("button", name="Read them").click()
    assert "2 annotators" in page.inner_text("main")
    page.select_option("#role-1", "reference")
    page.get_by_role("button", name="Apply the changes").click()
    assert visitor.toml["annotators"] == {"ben": {"role": "reference"}}
    page.select_option("#role-1", "person")
    page.locator("button[value=report]").last.click()
    assert page.url.endswith("/1.0/")


@slow_in_chromium
def test_categories_are_put_in_order_by_dragging_and_by_keys(visitor: Visitor, open_page: OpenPage) -> None:
    visitor.come_in().send(("films.csv", WIDE.replace(",bad,", ",fair,", 9)))
    visitor.decide(scale_0="ordinal")
    order = visitor.toml["task"]["categories"]
    page = open_page(offline=False)
    come_in(page, visitor.door.address)
    items = page.locator(".order li")
    with page.expect_navigation():
        items.nth(0).drag_to(items.nth(2), target_position={"x": 5, "y": 30})
    assert visitor.toml["task"]["categories"] == [order[1], order[2], order[0]]
    page.focus("#up-0-2")
    for left in (1, 0):
        with page.expect_navigation():
            page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.closest('li').dataset.name") == order[0]
        assert visitor.toml["task"]["categories"][left] == order[0]
    assert visitor.toml["task"]["categories"] == order


def brat(folder: Path) -> Path:
    """Write a folder with a folder for each annotator, as brat has them; return it."""
    copy = {"d1.txt": "Anna met Ben.", "d1.ann": "T1\tPER 0 4\tAnna\n"}
    names = {f"{who}/{name}": text for who in ("anna", "ben") for name, text in copy.items()}
    return on_disk(folder / "brat", names)


def drop(page: Page, *paths: Path) -> None:
    """Drop files and folders on a page, as from a file manager."""
    devtools = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    with page.expect_navigation(url="**/reading*"):
        for kind in ("dragEnter", "dragOver", "drop"):
            devtools.send("Input.dispatchDragEvent", {"type": kind, "x": 200, "y": 120, "data": data})


@slow_in_chromium
def test_files_and_folders_are_dropped(visitor: Visitor, open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(offline=False)
    come_in(page, visitor.door.address)
    (tmp_path / "dropped.csv").write_text(WIDE, encoding="utf-8")
    drop(page, tmp_path / "dropped.csv")
    assert "3 annotators" in page.inner_text("main")
    assert visitor.folder.name == "dropped"
    next_version = f"{visitor.server.address.rstrip('/')}{visitor.door.below}{DROP}?next=yes"
    page.goto(next_version)
    drop(page, brat(tmp_path))
    page.goto(next_version)
    with page.expect_navigation(url="**/reading*"):
        page.set_input_files("#folder", str(tmp_path / "brat"))
    assert [version["version"] for version in visitor.toml["guidelines"]] == ["1.0", "2.0", "3.0"]
    assert page.locator(".lanes li").count() == 2
    assert page.locator(".lanes mark").first.inner_text() == "AnnaPER"
    assert "2 annotators" in page.inner_text("main")


@slow_in_chromium
def test_the_server_knows_when_the_last_tab_is_closed(visitor: Visitor, open_page: OpenPage) -> None:
    now = [0.0]
    tabs = visitor.door.tabs
    tabs.clock = lambda: now[0]
    page = open_page(offline=False)
    come_in(page, visitor.door.address)
    page.get_by_role("button", name="Try an example").click()
    page.wait_for_url("**/reading*")
    page.wait_for_timeout(1500)
    now[0] += 2 * GRACE
    assert not tabs.are_closed
    page.close(run_before_unload=True)
    for _ in range(200):
        time.sleep(0.05)
        now[0] += 2 * GRACE
        if visitor.door.tabs.are_closed:
            break
    else:
        raise AssertionError("the server waits for a tab that is closed")
