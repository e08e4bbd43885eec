"""Exports that are damaged as a disk, a mail program or an editor does it: for each number, another one."""

import io
import random
import re
import signal
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FrameType

from reportgen.base.errors import BadInput
from reportgen.readers import Ratings, ReaderOptions, read_export, readers
from tests.readers.samples import further_shapes, samples
from tests.readers.shapes.published import SHAPES

SECONDS = 5
HALF = 0.5
TOKENS = (
    *(b"", b"null", b"[]", b"{}", b"-1", b"1e999", b"0", b'"x"', b"\n", b"\t"),
    *(b"<", b"&", b'"', b"|", b"_", b"\xff"),
)
# How Python and libraries say what they stumbled over.
TELLTALE = re.compile(
    r"invalid literal|base 10|could not convert|list index|out of range|codec can't|has no attribute|NoneType"
    r"|not subscriptable|not iterable|unpack requires|bytes-like|expecting (?:value|property|',')|extra data"
    r"|not enough values|too many values|unhashable|positional argument|keyword argument|while decompressing"
    r"|(?-i:[a-z](?:Error|Exception)\b)|[a-z] Error:|magic bytes|TType"
    r"|field larger|Traceback|unsupported operand|<class '|int\(\)",
    re.IGNORECASE,
)
Files = Mapping[str, bytes]


class TooSlowError(Exception):
    """Reading took longer than a small file ever may."""


@dataclass(frozen=True)
class Case:
    """A damaged export, how it came about, and the options under which it is read."""

    what: str
    files: Files
    options: ReaderOptions


def originals(shared: Path | None) -> dict[str, Files]:
    """Return the undamaged exports: one of each format, and real ones where they are there."""
    found: dict[str, Files] = {
        name: {file: text if isinstance(text, bytes) else text.encode() for file, text in files.items()}
        for name, files in {**samples(), **further_shapes()}.items()
    }
    found |= published()
    # Those that a tool exports as an archive.
    found |= {f"{name}, zipped": {f"{name}.zip": _zipped(found[name])} for name in ("cas-xmi", "doccano")}
    for folder in sorted((shared / "formats").iterdir()) if shared else []:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            beside = [other for other in path.parent.iterdir() if other.is_file() and other.stem in path.name]
            files = {other.name: other.read_bytes() for other in sorted({path, *beside})}
            found[f"{folder.name}/{path.name}"] = files
    return found


@cache
def published() -> dict[str, Files]:
    """Return the tables and JSON files that people publish."""
    found: dict[str, Files] = {}
    for name, write in SHAPES.items():
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder))
            files = sorted(path for path in Path(folder).rglob("*") if path.is_file())
            found[name] = {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
    return found


def case(number: int, exports: Mapping[str, Files]) -> Case:
    """Return the damaged export of a number; the same one each time."""
    chance = random.Random(number)  # noqa: S311 - to be repeated, not to be secret
    name = chance.choice(sorted(exports))
    files = dict(exports[name])
    file = chance.choice(sorted(files))
    damage = chance.choice(sorted(DAMAGES))
    inside = zipfile.is_zipfile(io.BytesIO(files[file])) and chance.random() < HALF
    files[file] = _inside(files[file], damage, chance) if inside else DAMAGES[damage](files[file], chance)
    forced = chance.choice([reader.name for reader in readers()]) if damage == "other format" else None
    return Case(f"{number}: {name}, {file}: {damage} {forced or ''}", files, ReaderOptions(format=forced))


def _zipped(files: Files) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, each in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), each)
    return content.getvalue()


def _inside(content: bytes, damage: str, chance: random.Random) -> bytes:
    """Return an archive of which one member is damaged and the rest is whole, its checksums too."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    name = chance.choice(sorted(files))
    return _zipped({**files, name: DAMAGES[damage](files[name], chance)})


def outcome(damaged: Case) -> str:
    """Return "read", or "refused" where the problems help; raise whatever else comes of a damaged export."""
    with tempfile.TemporaryDirectory() as folder, limited():
        paths = list(_written(Path(folder), damaged.files))
        try:
            annotations = read_export(paths, damaged.options)
        except BadInput as error:
            _see_that_it_helps(error, damaged)
            return "refused"
    assert annotations.marks_read > 0
    if isinstance(annotations.content, Ratings):
        used = int(annotations.content.weight[annotations.content.unit].sum())
        besides = sum(annotations.not_compared.values())
        assert annotations.marks_read == used + sum(left.marks for left in annotations.left_out) + besides
    return "read"


def _written(folder: Path, files: Files) -> Iterator[tuple[Path, str]]:
    for name, content in sorted(files.items()):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        yield path, name


def _see_that_it_helps(error: BadInput, damaged: Case) -> None:
    assert error.problems
    for problem in error.problems:
        assert problem.message
        assert len(str(problem)) < 2000, str(problem)
        assert not TELLTALE.search(problem.message), str(problem)
        assert not problem.file or any(problem.file.startswith(name) for name in damaged.files), str(problem)


@contextmanager
def limited(seconds: int = SECONDS) -> Iterator[None]:
    """Stop what takes a processor longer than any small file may, however busy the machine."""

    def stop(_: int, frame: FrameType | None) -> None:
        raise TooSlowError(str(frame))

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _truncated(content: bytes, chance: random.Random) -> bytes:
    return content[: chance.randrange(len(content) + 1)]


def _flipped(content: bytes, chance: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(chance.randint(1, 8) if changed else 0):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _swapped(content: bytes, chance: random.Random) -> bytes:
    lines = content.splitlines(keepends=True)
    if len(lines) > 1:
        one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def _repeated(content: bytes, chance: random.Random) -> bytes:
    lines = content.splitlines(keepends=True)
    if lines:
        lines.insert(chance.randrange(len(lines)), chance.choice(lines))
    return b"".join(lines)


def _without(content: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(content) + 1)
    return content[:start] + content[start + chance.randint(1, 40) :]


def _inserted(content: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(content) + 1)
    return content[:start] + chance.choice(TOKENS) + content[start:]


def _replaced(content: bytes, chance: random.Random) -> bytes:
    """Put a token of another kind in the place of a word or number."""
    start = chance.randrange(len(content) + 1)
    end = start
    while end < len(content) and (content[end : end + 1].isalnum() or content[end] in b'"-'):
        end += 1
    return content[:start] + chance.choice(TOKENS) + content[end:]


def _as_it_is(content: bytes, _: random.Random) -> bytes:
    return content


DAMAGES: Mapping[str, Callable[[bytes, random.Random], bytes]] = {
    "truncated": _truncated,
    "bytes flipped": _flipped,
    "lines swapped": _swapped,
    "line repeated": _repeated,
    "bytes missing": _without,
    "bytes inserted": _inserted,
    "value replaced": _replaced,
    "other format": _as_it_is,
}
