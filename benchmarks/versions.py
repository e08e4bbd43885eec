"""A campaign of many guidelines versions: how long its site takes, and what a rebuild makes anew.

`python -m benchmarks versions`. The data are drawn here, the same in each run: a third of the documents
stand in the version before as well, and annotators grow surer from version to version.
"""

import json
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

VERSIONS = 12
DOCUMENTS = 500
ANNOTATORS = ("Ada", "Ben", "Cleo")
CATEGORIES = ("Former", "New", "Alias")
WORDS = ("gene", "protein", "renamed", "strain", "operon", "coding", "region", "spo", "mutant", "of", "in")
WORDS_OF_A_TEXT = 40
# How many words of a text name something.
NAMED = 4
SHARED = 3
CERTAINTY = (0.75, 0.015)
SEED = 2026
KINDS = ("table", "texts")
MEGABYTE = 1024


@dataclass(frozen=True)
class Step:
    """One build: what was done before it, its seconds, and which folders it made anew."""

    name: str
    seconds: float
    anew: int
    folders: int


def run(kind: str) -> str:
    """Build a campaign of one kind four times, and return what it took as lines of text."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_campaign(folder / "campaign", kind)
        steps = list(_steps(folder, kind))
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / MEGABYTE
    lines = [f"{VERSIONS} versions of {DOCUMENTS} documents, {len(ANNOTATORS)} annotators: {kind}"]
    lines += [
        f"  {each.name:<32} {each.seconds:7.1f} s   {each.anew} of {each.folders} folders anew"
        for each in steps
    ]
    return "\n".join([*lines, f"  memory at most {peak:.0f} MB"])


def _steps(folder: Path, kind: str) -> Iterator[Step]:
    yield _timed("everything anew", folder)
    yield _timed("nothing changed", folder)
    _change(folder / "campaign", kind, VERSIONS // 2)
    yield _timed(f"version {VERSIONS // 2} changed", folder)
    _change(folder / "campaign", kind, VERSIONS)
    yield _timed("the newest version changed", folder)


def _timed(name: str, folder: Path) -> Step:
    site = folder / "site"
    before = {path: path.stat().st_ino for path in site.rglob("SHA256SUMS")}
    command = (sys.executable, "-m", "reportgen", "build", "campaign", "--out", "site")
    start = perf_counter()
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    seconds = perf_counter() - start
    after = {path: path.stat().st_ino for path in site.rglob("SHA256SUMS")}
    return Step(name, seconds, sum(before.get(path) != inode for path, inode in after.items()), len(after))


def write_campaign(folder: Path, kind: str) -> None:
    """Write a campaign of one kind: "texts", marked with brat, or "table"."""
    folder.mkdir()
    toml = ['title = "Twelve versions"', *(["[task]", f"categories = {json.dumps(CATEGORIES)}"])]
    for version in range(1, VERSIONS + 1):
        toml += ["[[guidelines]]", f'version = "{version}"', f"date = 2020-{version:02}-01"]
        toml += ['path = "{annotator}/{document}"'] if kind == "texts" else []
        toml += [f'changes = "Round {version}: the examples of {CATEGORIES[version % 3]} are sharper."']
        _write_version(folder / "exports" / str(version), kind, version)
    (folder / "campaign.toml").write_text("\n".join(toml) + "\n", encoding="utf-8")


def _write_version(folder: Path, kind: str, version: int) -> None:
    write = _write_brat if kind == "texts" else _write_table
    write(folder, version, random.Random(SEED + version))  # noqa: S311 - data, no secret


def _change(campaign: Path, kind: str, version: int) -> None:
    """Take back what one annotator said last under one version."""
    name = (
        f"{ANNOTATORS[0]}/d{DOCUMENTS - 1 + version * DOCUMENTS:05}.ann" if kind == "texts" else "ratings.csv"
    )
    path = campaign / "exports" / str(version) / name
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:-1]), encoding="utf-8")


def _documents(version: int) -> Iterator[tuple[str, random.Random]]:
    """Yield a version's documents, each with what its text is drawn by; a third are of the version before."""
    for place in range(DOCUMENTS):
        of_the_one_before = version > 1 and place % SHARED == 0
        number = place + (version - of_the_one_before) * DOCUMENTS
        yield f"d{number:05}", random.Random(SEED * number)  # noqa: S311 - data, no secret


def _text(drawn: random.Random) -> tuple[list[str], list[tuple[int, str]]]:
    """Return the words of a text, and what names something there: place and true category."""
    words = drawn.choices(WORDS, k=WORDS_OF_A_TEXT)
    places = sorted(drawn.sample(range(WORDS_OF_A_TEXT), NAMED))
    return words, [(place, drawn.choice(CATEGORIES)) for place in places]


def _said(version: int, truth: str, blind: random.Random) -> str | None:
    """Return what an annotator says of a name: the truth mostly, else anything or nothing."""
    sure, more = CERTAINTY
    if blind.random() < sure + more * version:
        return truth
    return blind.choice((*CATEGORIES, None))


def _write_brat(folder: Path, version: int, blind: random.Random) -> None:
    for name, drawn in _documents(version):
        words, named = _text(drawn)
        text = " ".join(words)
        starts = [len(" ".join(words[:place])) + bool(place) for place in range(len(words))]
        for annotator in ANNOTATORS:
            said = [(starts[place], words[place], _said(version, truth, blind)) for place, truth in named]
            marks = [(start, start + len(word), word, label) for start, word, label in said if label]
            lines = [
                f"T{number}\t{label} {start} {end}\t{word}\n"
                for number, (start, end, word, label) in enumerate(marks, 1)
            ]
            own = folder / annotator
            own.mkdir(parents=True, exist_ok=True)
            (own / f"{name}.txt").write_text(text, encoding="utf-8")
            (own / f"{name}.ann").write_text("".join(lines), encoding="utf-8")


def _write_table(folder: Path, version: int, blind: random.Random) -> None:
    rows = ["document,item,annotator,label\n"]
    for name, drawn in _documents(version):
        for place, truth in _text(drawn)[1]:
            rows += [
                f"{name},{name}-{place},{annotator},{_said(version, truth, blind) or 'None'}\n"
                for annotator in ANNOTATORS
            ]
    folder.mkdir(parents=True)
    (folder / "ratings.csv").write_text("".join(rows), encoding="utf-8")
