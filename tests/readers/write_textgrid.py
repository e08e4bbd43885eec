"""Writes copies as Praat TextGrids, long or short, as the Praat manual describes both."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from reportgen.readers import DocumentCopy, ExportFile
from tests.readers.given_files import written

# A tier's labelled stretches of time: begin, end, label; in milliseconds.
Labelled = tuple[int, int, str]


def grid(length: int, tiers: Mapping[str, Sequence[Labelled]], *, short: bool = False) -> str:
    """Return a TextGrid; a tier of stretches without length is one of points, others have their gaps filled.

    Stretches that overlap are written as they are, which Praat itself never does.
    """
    values = list(_values(length, tiers))
    lines = [value for _, value in values] if short else [f"{name}{value} " for name, value in values]
    return 'File type = "ooTextFile"\nObject class = "TextGrid"\n\n' + "\n".join(lines) + "\n"


def _values(length: int, tiers: Mapping[str, Sequence[Labelled]]) -> Iterator[tuple[str, str]]:
    """Yield each value with what the long form writes before it."""
    yield from (("xmin = ", "0"), ("xmax = ", _time(length)), ("tiers? ", "<exists>"))
    yield "size = ", str(len(tiers))
    for number, (name, stretches) in enumerate(tiers.items(), 1):
        points = bool(stretches) and all(begin == end for begin, end, _ in stretches)
        rows = stretches if points else list(_filled(length, stretches))
        yield f"item [{number}]:\n    class = ", '"TextTier"' if points else '"IntervalTier"'
        yield from (("name = ", _text(name)), ("xmin = ", "0"), ("xmax = ", _time(length)))
        yield f"{'points' if points else 'intervals'}: size = ", str(len(rows))
        for place, (begin, end, label) in enumerate(rows, 1):
            if points:
                yield from ((f"points [{place}]:\n    number = ", _time(begin)), ("mark = ", _text(label)))
            else:
                yield f"intervals [{place}]:\n    xmin = ", _time(begin)
                yield from (("xmax = ", _time(end)), ("text = ", _text(label)))


def _filled(length: int, stretches: Sequence[Labelled]) -> Iterator[Labelled]:
    """Yield the stretches, and an interval without a label for each gap."""
    reached = 0
    for begin, end, label in stretches:
        if reached < begin:
            yield reached, begin, ""
        yield begin, end, label
        reached = max(reached, end)
    if reached < length:
        yield reached, length, ""


def _time(milliseconds: int) -> str:
    return f"{milliseconds / 1000:.15g}"


def _text(value: str) -> str:
    return '"' + value.replace('"', '""') + '"'


def write(
    copies: Sequence[DocumentCopy], folder: Path, *, short: bool = False, encoding: str = "utf-8"
) -> list[ExportFile]:
    """Write a file for each copy, a tier for each type of mark.

    A TextGrid can't carry discontinuous marks, further features, and documents not seen.
    """
    files: dict[str, bytes] = {}
    for copy in copies:
        tiers: dict[str, list[Labelled]] = {name: [] for name in sorted(copy.asked or ())}
        for mark in copy.marks:
            tiers[mark.type].append((*mark.spans[0], mark.features[mark.type]))
        content = grid(copy.length or 0, tiers, short=short).encode(encoding)
        files[f"{copy.annotator}/{copy.document}.TextGrid"] = content
    return written(folder, files)
