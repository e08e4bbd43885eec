"""What `reportgen bundle` says of what it wrote, to people and to programs."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reportgen.base.errors import printable
from reportgen.publish.bundle import Bundled, BundleOptions
from reportgen.publish.sentences import coefficient, has_layers, leading
from reportgen.results import Figure, UnitSet
from reportgen.words.numbers import estimate

UNITS = ("KB", "MB", "GB", "TB")
THOUSAND = 1000


def as_json_text(out: Path, made: Bundled, digest: str | None) -> str:
    """Return what was written as JSON; `digest` is the SHA-256 of a zip file, None of a folder."""
    account = {
        "out": printable(out.as_posix()),
        "sha256": digest,
        "bytes": _bytes(out, made),
        "files": {name: len(content) for name, content in made.files.items()},
        "date": made.date,
        "figures": [_figure(*each) for each in _figures(made)],
        "notices": [str(each) for each in made.notices],
    }
    return json.dumps(account, sort_keys=True, ensure_ascii=False, indent=1) + "\n"


def _figure(unit_set: UnitSet, name: str, found: Figure | None) -> dict[str, Any]:
    interval = found.interval if found else None
    return {
        "layer": unit_set.layer,
        "unit_set": unit_set.id,
        "figure": name,
        "value": found.value if found else None,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
    }


def _figures(made: Bundled) -> list[tuple[UnitSet, str, Figure | None]]:
    """Return the primary coefficient of each layer, in its primary unit set."""
    return [(each, *coefficient(made.results, each)) for each in leading(made.results)]


def _bytes(out: Path, made: Bundled) -> int:
    return out.stat().st_size if out.is_file() else sum(map(len, made.files.values()))


def in_lines(out: Path, made: Bundled, choice: BundleOptions) -> Iterator[str]:
    """Yield what was written in lines for people: its figures, what it holds and lacks, how to check it."""
    results, where = made.results, printable(out.as_posix())
    for unit_set, name, found in _figures(made):
        layer = f", {unit_set.layer}" if has_layers(results) else ""
        head = f"{results.campaign.id} {results.guidelines}{layer}: {results.name_of(name)}"
        yield printable(f"{head} {estimate(found)}")
    if choice.texts:
        yield "In it: the annotated texts. Whoever has the bundle can read them."
    if choice.exports:
        yield "In it: the exports as they are, with the names of annotators and documents."
    if absent := list(_absent(choice)):
        yield f"Not in it: {', '.join(absent)}."
    yield f"Written: {where} ({len(made.files):,} files, {_size(_bytes(out, made))})"
    yield f"Check it: reportgen verify {where}"


def _absent(choice: BundleOptions) -> Iterator[str]:
    if not choice.texts:
        yield "texts (--with-texts)"
    if not choice.exports:
        yield "exports (--with-exports)"


def _size(number: int) -> str:
    """Return a number of bytes in the unit that is read easily."""
    size, unit = float(number), "bytes"
    for larger in UNITS:
        if size < THOUSAND:
            break
        size, unit = size / THOUSAND, larger
    return f"{size:.3g} {unit}"
