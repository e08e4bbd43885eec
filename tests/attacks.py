"""Attack `reportgen open`, and print what came of it as the table of docs/without-a-terminal.md.

`python -m tests.attacks` runs all, or those that are named; a full disk needs the right to mount one.
"""

import contextlib
import http.client
import io
import random
import re
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from reportgen.app.door import DROP, ENTER, KEEP, PATH, READING, TAKE
from tests.test_open import (
    BOUNDARY,
    RANKS,
    WIDE,
    Visitor,
    ask,
    asked_below,
    command,
    cookie_for,
    form_with,
    opened,
    zipped,
)
from tests.test_settle import Reply, asked

TIMES = 20
OK, SEE_OTHER = 200, 303
OUTSIDE = Path(tempfile.gettempdir(), "evil.csv")
SOMEBODY = "Chloé"
PATHS = (
    "/",
    PATH,
    DROP,
    READING,
    KEEP,
    f"{TAKE}campaign.zip",
    f"{TAKE}paper.docx",
    "/films/1.0/",
    "/films/1.0/results.json",
)
KIND = f"multipart/form-data; boundary={BOUNDARY}"
Row = tuple[str, int, str]


@contextlib.contextmanager
def with_report() -> Iterator[tuple[Visitor, Path]]:
    """Yield a session with a report, and the folder that it is in."""
    with tempfile.TemporaryDirectory() as made, opened(Path(made) / "state") as visitor:
        visitor.come_in().send(("films.csv", WIDE))
        visitor.ask(READING, {"do": "report"})
        yield visitor, Path(made)


def strangers() -> Iterator[Row]:
    """Yield what came of who has no cookie, another name, another origin."""
    with with_report() as (visitor, _):
        port, ours = visitor.server.port, visitor.cookie
        form = visitor.fields() | {"title": "Evil", "do": "apply"}
        before = visitor.toml

        def served(**headers: Any) -> list[int]:  # noqa: ANN401 - of whatever `ask` takes
            replies = [visitor.ask(path, **headers) for path in PATHS]
            posts = [
                visitor.ask(READING, form, **headers),
                visitor.ask(
                    DROP, body=form_with([("evil.csv", RANKS.encode())]), Content_Type=KIND, **headers
                ),
                visitor.ask(f"{DROP}?example=yes", {}, **headers),
            ]
            assert SOMEBODY not in "".join(reply.text for reply in replies)
            assert visitor.toml == before
            return [reply.status for reply in (*replies, *posts)]

        hosts = [
            "evil.example",
            f"evil.example:{port}",
            f"127.0.0.1.evil.example:{port}",
            "127.0.0.1",
            "localhost",
            f"[::1]:{port}",
            f"0.0.0.0:{port}",
            f"127.0.0.1:{port + 1}",
            f"127.0.0.1:{port}@evil.example",
        ]
        yield said(
            "Another name in `Host`, with the cookie", [code for host in hosts for code in served(Host=host)]
        )
        origins = [
            "http://evil.example",
            "null",
            "file://",
            f"https://127.0.0.1:{port}",
            f"http://127.0.0.1:{port + 1}",
            f"http://127.0.0.1:{port}.evil.example",
            f"http://evil.example:{port}",
            "moz-extension://x",
            f"http://[::1]:{port}",
            f"http://127.0.0.1@evil.example:{port}",
        ]
        yield said(
            "Another site's page or form in `Origin`, with the cookie",
            [code for origin in origins for code in served(Origin=origin)],
        )
        visitor.cookie = ""
        yield said(
            "No cookie: another user of the computer", [code for _ in range(TIMES) for code in served()]
        )
        visitor.cookie = ours
        codes = []
        for _ in range(TIMES):
            way = f"/{secrets.token_urlsafe(32)}"
            sent = {"Cookie": ours, "Origin": visitor.server.address.rstrip("/")}
            codes += [
                asked(port, f"{below}{path}", None, sent).status for path in PATHS for below in ("", way)
            ]
        yield said("The cookie with another path: a server at another port", codes)
        codes = []
        for _ in range(TIMES):
            visitor.cookie = f"reportgen-{port}={secrets.token_urlsafe(32)}"
            codes += served()
        yield said("A guessed cookie", codes)
        visitor.cookie = ""
        guesses = [secrets.token_urlsafe(32) for _ in range(500)]
        yield said("A guessed token", [visitor.ask(f"{ENTER}?token={guess}").status for guess in guesses])
        visitor.cookie = ours
        assert visitor.ask(READING).status == 200


def said(attack: str, codes: list[int]) -> Row:
    refused = sum(code == 403 for code in codes)
    return attack, len(codes), f"{refused} refused, {len(codes) - refused} answered"


def names() -> Iterator[Row]:
    """Yield what came of names of files and of members of archives that lead elsewhere."""
    evil = [
        "../../evil.csv",
        f"{OUTSIDE}",
        "..\\..\\evil.csv",
        "C:\\evil.csv",
        "a/../../evil.csv",
        "evil.csv\0.png",
        ".evil.csv",
        "~/evil.csv",
        "%2e%2e%2fevil.csv",
        "evil.csv/../../../evil.csv",
        "\u202eevil.csv",
        "CON",
        "evil" * 200 + ".csv",
        "\n/evil.csv",
        "x/" * 300 + "evil.csv",
        "...",
        "..",
        "//host/evil.csv",
        "evil.csv:stream",
        "$(touch evil).csv",
    ]
    for what, wrap in (
        ("names of files", lambda name: (name, WIDE)),
        ("names in an archive", lambda name: ("a.zip", zipped((name, WIDE), ("ok.csv", WIDE)))),
    ):
        outside = 0
        for name in evil:
            with tempfile.TemporaryDirectory() as made, opened(Path(made) / "state") as visitor:
                visitor.come_in().send(wrap(name))
                outside += sum(
                    "evil" in path.name
                    for path in Path(made).rglob("*")
                    if not path.is_relative_to(visitor.own.folder)
                )
                outside += OUTSIDE.exists()
        yield f"Paths in {what}", len(evil), f"{outside} files outside the session's folder"


def archives() -> Iterator[Row]:
    """Yield what came of archives that grow."""

    def bomb(members: int, size: int, depth: int = 0) -> bytes:
        with io.BytesIO() as buffer:
            with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
                inside = bomb(members, size, depth - 1) if depth else b"0" * size
                for number in range(members):
                    archive.writestr(f"{number}.{'zip' if depth else 'csv'}", inside)
            return buffer.getvalue()

    tried = [bomb(1, 2 * 1024**3 - 1), bomb(20, 100 * 1024**2), bomb(200_000, 1), bomb(16, 10 * 1024**2, 2)]
    largest, refused = 0, 0
    for content in tried:
        with tempfile.TemporaryDirectory() as made, opened(Path(made) / "state") as visitor:
            reply = visitor.come_in().send(("bomb.zip", content))
            refused += visitor.own.campaign is None or "This can" in reply.text
            largest = max(
                largest, sum(path.stat().st_size for path in Path(made).rglob("*") if path.is_file())
            )
    yield (
        "Archives that grow: 2 GB in one file, 2 GB in 20, 200,000 files, zips in zips",
        len(tried),
        f"{refused} refused, at most {largest // 1024**2} MB on the disk",
    )


def endless() -> Iterator[Row]:
    """Yield what came of an upload that never ends: one that is too large, and one that stops."""
    with tempfile.TemporaryDirectory() as made, opened(Path(made) / "state") as visitor:
        visitor.come_in()
        head = (
            f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="a.csv"\r\n\r\n'.encode()
        )
        largest, sent = 0, 0
        with (
            socket.create_connection(("127.0.0.1", visitor.server.port)) as stranger,
            contextlib.suppress(OSError),
        ):
            lines = [
                f"POST {visitor.door.below}{DROP} HTTP/1.1",
                f"Host: 127.0.0.1:{visitor.server.port}",
                f"Origin: {visitor.server.address.rstrip('/')}",
                f"Cookie: {visitor.cookie}",
                f"Content-Type: {KIND}",
                "Transfer-Encoding: chunked",
                "",
                "",
            ]
            stranger.sendall("\r\n".join(lines).encode() + b"%x\r\n%b\r\n" % (len(head), head))
            block = b"0" * 1024**2
            while sent < 4 * 1024**3:
                stranger.sendall(b"%x\r\n%b\r\n" % (len(block), block))
                sent += len(block)
                if sent % (64 * 1024**2) == 0:
                    largest = max(largest, on_disk(Path(made)))
        assert not on_disk(Path(made))
        yield (
            "An upload without end",
            1,
            f"cut after {sent // 1024**2:,} MB, at most {largest // 1024**2} MB on the disk, none left",
        )
        stopped = []
        for _ in range(TIMES):
            stranger = socket.create_connection(("127.0.0.1", visitor.server.port))
            stranger.sendall("\r\n".join(lines).encode() + b"%x\r\n%b\r\n" % (len(head), head))
            stopped.append(stranger)
        answered = visitor.send(("films.csv", WIDE)).status == 200
        for stranger in stopped:
            stranger.close()
        time.sleep(2)
        left = len(list((visitor.own.folder / "arriving").iterdir()))
        yield (
            "Uploads that stop in the middle",
            TIMES,
            f"others are {'' if answered else 'NOT '}answered meanwhile, {left} folders left",
        )


def on_disk(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            total += path.stat().st_size if path.is_file() else 0
    return total


def full() -> Iterator[Row]:
    """Yield what came of a disk that is full when files arrive, are decided on, or are built."""
    said_so, kept = 0, 0
    for turn in range(TIMES):
        with tempfile.TemporaryDirectory() as made:
            subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", made], check=True)
            try:
                with opened(Path(made) / "state") as visitor:
                    visitor.come_in().send(("films.csv", WIDE))
                    visitor.decide(title="Kept")
                    free = random.Random(turn).randrange(0, 24_576, 4096)
                    with contextlib.suppress(OSError), Path(made, "filler").open("wb", buffering=0) as filler:
                        while True:
                            filler.write(b"0" * 4096)
                    with Path(made, "filler").open("r+b") as filler:
                        filler.truncate(max(0, Path(made, "filler").stat().st_size - free))
                    step = turn % 4
                    if step == 0:
                        reply = visitor.send(("large.csv", WIDE * 40))
                    elif step == 1:
                        reply = visitor.ask(READING, visitor.fields() | {"title": "New" * 600, "do": "apply"})
                    elif step == 2:
                        reply = visitor.ask(READING, {"do": "report"})
                    else:
                        reply = visitor.send(("later.csv", WIDE * 40), version="2.0")
                    said_so += any(
                        words in reply.text for words in ("Make room", "No space", "can&#39;t be written")
                    )
                    Path(made, "filler").unlink()
                    kept += (
                        visitor.toml["title"] in ("Kept", "New" * 600)
                        and SOMEBODY in visitor.ask(READING).text
                    )
            finally:
                subprocess.run(["umount", "-l", made], check=True)
    yield (
        "A full disk while files arrive, a decision is written, the report is built, a version is added",
        TIMES,
        f"{said_so} said so, {kept} went on with what there was before",
    )


def tabs() -> Iterator[Row]:
    """Yield what came of two tabs that decide at the same time."""
    whole = 0
    with with_report() as (visitor, _):
        for turn in range(TIMES):
            first, second = visitor.fields(), visitor.fields()
            forms = [
                first | {"title": f"T{turn}", "do": "apply"},
                second | {"why-items": f"W{turn}", "do": "apply"},
            ]
            threads = [threading.Thread(target=visitor.ask, args=(READING, form)) for form in forms]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            whole += visitor.toml["title"] == f"T{turn}" and visitor.toml["unit_sets"][0]["why"] == f"W{turn}"
    yield "Two tabs that decide different things at once", TIMES, f"{whole} times both were kept"


# Each step says what it decided, by a number that grows: what was confirmed is never lost.
Step = Callable[[str, str, int], object]
NUMBER = re.compile(r"Kept ([0-9]+)")


def post(address: str, cookie: str, content: bytes, path: str = DROP) -> None:
    ((port, below),) = re.findall(r":(\d+)(/[^/]+)", address)
    origin = f"http://127.0.0.1:{port}"
    sent = {"Cookie": cookie, "Origin": origin, "Content-Type": KIND}
    asked_below(int(port), below, path, content, sent)


def decide(address: str, cookie: str, number: int) -> None:
    reply = ask(address, cookie, READING, {"title": f"Kept {number}", "do": "apply"})
    assert reply.status == SEE_OTHER


def arrive(address: str, cookie: str, number: int) -> None:
    decide(address, cookie, number)
    # What is too large never takes the place of what is there.
    content = form_with([("films.csv", WIDE.encode()), ("x.bin", b"0" * 250_000_000)])
    post(address, cookie, content)


def look(address: str, cookie: str, number: int) -> None:
    decide(address, cookie, number)
    ask(address, cookie, READING)


def build(address: str, cookie: str, number: int) -> None:
    ask(address, cookie, READING, {"title": f"Kept {number}", "do": "report"})


def add(address: str, cookie: str, number: int) -> None:
    decide(address, cookie, number)
    post(address, cookie, form_with([("b.csv", WIDE.encode())], version="2.0"), f"{DROP}?next=yes")
    ask(address, cookie, READING, {"do": "take-back"})


def keep(address: str, cookie: str, number: int) -> None:
    decide(address, cookie, number)
    ask(address, cookie, f"{TAKE}campaign.zip")


def settle(address: str, cookie: str, number: int) -> None:
    link = re.search(r'href="(/[^"]*/\.reportgen/settle/[^"]+)"', ask(address, cookie, KEEP).text)
    if link is None:
        build(address, cookie, number)
        return
    first = ask(address, cookie, link[1]).location
    text = ask(address, cookie, first).text
    form = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', text))
    if "unit" not in form:
        decide(address, cookie, number)
        return
    said = {"label": ("good", "bad")[number % 2], "note": f"Kept {number}"}
    assert ask(address, cookie, link[1], {**form, **said}).status == SEE_OTHER


STEPS: dict[str, Step] = {
    "files arrive": arrive,
    "files are read": look,
    "a decision is written": decide,
    "the report is built": build,
    "the next version is added and taken away": add,
    "it is packed": keep,
    "disagreements are settled": settle,
}


def kills() -> Iterator[Row]:
    """Yield what came of a kill at some moment of each step."""
    for what, step in STEPS.items():
        went_on, chance, last, number = 0, random.Random(what), 0, 0
        with tempfile.TemporaryDirectory() as made:
            state, file = Path(made) / "state", Path(made) / "films.csv"
            file.write_text(WIDE, encoding="utf-8")
            with command(state, file) as (process, _, address):
                decide(address, cookie_for(address), 0)
                process.kill()
            for turn in range(TIMES + 1):
                with command(state) as (process, lines, address):
                    cookie = cookie_for(address)
                    shown = ask(address, cookie, READING)
                    if turn:
                        wrong = what_is_wrong(lines, shown, state, last)
                        went_on += not wrong
                        if wrong:
                            print(f"{what}, {turn}: {wrong}", file=sys.stderr)
                    if turn == TIMES:
                        process.send_signal(signal.SIGINT)
                        process.communicate(timeout=60)
                        break
                    done = [number := number + 1_000]
                    thread = threading.Thread(target=quietly, args=(step, address, cookie, done))
                    thread.start()
                    time.sleep(chance.uniform(0.02, 1.5))
                    process.kill()
                    process.wait()
                    thread.join()
                    last = done[-2] if len(done) > 1 else last
            left = [path for path in state.rglob("*") if path.is_file() and path.suffix != ".lock"]
        yield (
            f"Killed while {what}",
            TIMES,
            f"{went_on} went on with files, decisions and figure; {len(left)} files left at the end",
        )


def what_is_wrong(lines: list[str], shown: Reply, state: Path, last: int) -> str:
    """Return what was lost by a kill, empty where nothing was."""
    if "Going on" not in lines[0]:
        return f"it began again: {lines[0]}"
    if shown.status != OK or SOMEBODY not in shown.text or 'class="figure"' not in shown.text:
        return f"the screen is another one: {shown.status} {shown.text}"
    return "" if highest(state) >= last else f"{last} was confirmed, and {highest(state)} is there"


def highest(state: Path) -> int:
    """Return the number of the last decision that is in the files of a campaign."""
    files = [path for path in state.glob("*/*/*/campaigns/**/*") if path.suffix in (".toml", ".csv")]
    numbers = (int(number) for path in files for number in NUMBER.findall(path.read_text(encoding="utf-8")))
    return max(numbers, default=-1)


def quietly(step: Step, address: str, cookie: str, done: list[int]) -> None:
    """Do a step again and again until nobody answers; the last number of `done` is that under way."""
    with contextlib.suppress(OSError, http.client.HTTPException):
        while True:
            step(address, cookie, done[-1])
            done.append(done[-1] + 1)


ALL = {
    "strangers": strangers,
    "names": names,
    "archives": archives,
    "endless": endless,
    "full": full,
    "tabs": tabs,
    "kills": kills,
}

if __name__ == "__main__":
    for name in sys.argv[1:] or ALL:
        for attack, number, outcome in ALL[name]():
            print(f"| {attack} | {number:,} | {outcome} |", flush=True)
