"""Writes copies as WebAnno TSV 3.3."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reportgen.readers import DocumentCopy, ExportFile, ParsedMark
from tests.readers.given_files import written

TOKEN = re.compile(r"[^ \n]+")
ESCAPES = ("\\", "[", "]", "|", "_", "->", ";", "*")


@dataclass(frozen=True)
class _Unit:
    """A row: a token, or a part of one."""

    token: int
    start: int
    end: int
    whole: bool


def write(copies: Sequence[DocumentCopy], folder: Path) -> list[ExportFile]:
    """Write a folder for each annotator, with a file a document.

    The format can't carry marks of whole documents, marks that begin or end in white space, discontinuous
    ones, and white space other than single spaces between tokens and line feeds between sentences. Who did
    not see a document has no file.
    """
    types: dict[str, dict[str, None]] = {}
    for copy in copies:
        for mark in copy.marks:
            types.setdefault(mark.type, {}).update(dict.fromkeys(mark.features))
    files = {
        f"{copy.annotator}/{copy.document}.tsv": "".join(_lines(copy, types))
        for copy in copies
        if copy.state == "seen"
    }
    return written(folder, dict(sorted(files.items())))


def _lines(copy: DocumentCopy, types: Mapping[str, Mapping[str, None]]) -> Iterator[str]:
    text = copy.text or ""
    tokens = [found.span() for found in TOKEN.finditer(text)]
    numbered = list(enumerate(copy.marks, 1))
    placed = [(number, mark, _units(mark, tokens)) for number, mark in numbered]
    every = {_Unit(place, *span, whole=True) for place, span in enumerate(tokens)}
    every |= {unit for _, _, units in placed for unit in units}
    yield "#FORMAT=WebAnno TSV 3.3\n"
    for name, features in types.items():
        yield f"#T_SP={name}|{'|'.join(features)}\n"
    yield "\n"
    sentence, line_start, first, part = 0, -1, 0, 0
    for unit in sorted(every, key=lambda each: (each.token, not each.whole, each.start, each.end)):
        start = text.rfind("\n", 0, tokens[unit.token][0]) + 1
        if start != line_start:
            sentence, line_start, first = sentence + 1, start, unit.token
            yield f"\n#Text={_escaped_text(text[start:].partition(chr(10))[0])}\n"
        part = 0 if unit.whole else part + 1
        address = f"{sentence}-{unit.token - first + 1}" + (f".{part}" if part else "")
        cells = [_cell(placed, unit, name, feature) for name in types for feature in types[name] or [""]]
        offsets = f"{_utf16(text, unit.start)}-{_utf16(text, unit.end)}"
        yield "\t".join([address, offsets, text[unit.start : unit.end], *cells, "\n"])


def _units(mark: ParsedMark, tokens: Sequence[tuple[int, int]]) -> list[_Unit]:
    ((start, end),) = mark.spans
    units = []
    for place, (first, last) in enumerate(tokens):
        left, right = max(first, start), min(last, end)
        if left < right or (start == end and first <= start <= last):
            units.append(_Unit(place, left, right, whole=(left, right) == (first, last)))
    return units


def _cell(placed: Sequence[tuple[int, ParsedMark, list[_Unit]]], unit: _Unit, name: str, feature: str) -> str:
    here = [(number, mark, units) for number, mark, units in placed if mark.type == name and unit in units]
    return "|".join(
        _value(mark, feature) + (f"[{number}]" if len(units) > 1 or len(here) > 1 else "")
        for number, mark, units in here
    ) or ("_" if not here else "")


def _value(mark: ParsedMark, feature: str) -> str:
    if feature not in mark.features:
        return "*"
    value = mark.features[feature]
    for escape in ESCAPES:
        value = value.replace(escape, f"\\{escape}")
    return value.replace("\t", "\\t").replace("\n", "\\n")


def _escaped_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\t", "\\t")


def _utf16(text: str, place: int) -> int:
    return len(text[:place].encode("utf-16-le")) // 2
