"""Control items: units whose right label is known, and the rule by which annotators are rejected."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from reportgen.campaign.table import NumberedRow, read_table
from reportgen.campaign.wording import alternatives, did_you_mean, printable, quoted
from reportgen.errors import BadInput, Problem

NEEDED = ("unit", "label")
ALLOWED = (*NEEDED, "document", "layer")


@dataclass(frozen=True)
class ControlItem:
    """One control item: its unit, the document where the file names it, the layer, and its right label."""

    line: int
    unit: str
    label: str
    document: str
    layer: str


@dataclass(frozen=True)
class ControlItems:
    """The control items of a campaign, the file that lists them, and the rule of rejection.

    An annotator who labelled at least `minimum` of them is rejected where the upper end of the interval of
    the share of right labels is below `reject_below`; None rejects nobody.
    """

    file: str
    items: tuple[ControlItem, ...]
    reject_below: float | None
    minimum: int


def read_controls(path: Path, name: str, layers: Sequence[str]) -> tuple[ControlItem, ...]:
    """Return the control items of a CSV file with the columns unit and label.

    The columns document and layer are optional; an item without a layer is of the first. `name` is what
    errors call the file. Raises BadInput with everything that is wrong: other columns, a row of another
    length, an empty unit or label, a layer that is none, an item that stands there twice.
    """
    _, rows = read_table(path, name)
    line, header = rows[0][0], [cell.casefold() for cell in rows[0][1]]
    _check_header(name, line, header)
    problems: list[Problem] = []
    found: dict[tuple[str, str, str], ControlItem] = {}
    for row in rows[1:]:
        item = _item(row, header, layers)
        wrong = list(_wrong(name, row, item, layers))
        if item and not wrong:
            key = item.layer, item.document, item.unit
            wrong = list(_again(name, item, found.get(key)))
            found.setdefault(key, item)
        problems += wrong
    if not found and not problems:
        problems = [Problem(name, line, "", "lists no control item.", "Write one row a control item.")]
    if problems:
        raise BadInput(problems)
    return tuple(found.values())


def _check_header(name: str, line: int, header: Sequence[str]) -> None:
    fits = set(NEEDED) <= set(header) <= set(ALLOWED) and len(set(header)) == len(header)
    if not fits:
        message = f"has the columns {alternatives(header, 'and')}; unit and label were expected."
        mend = "Write unit,label above them; document and layer may stand beside."
        raise BadInput([Problem(name, line, "first row", message, mend)])


def _item(row: NumberedRow, header: Sequence[str], layers: Sequence[str]) -> ControlItem | None:
    """Return the control item of a row, None where the row has another length."""
    line, cells = row
    if len(cells) != len(header):
        return None
    named = dict.fromkeys(ALLOWED, "") | dict(zip(header, cells, strict=True))
    return ControlItem(line, named["unit"], named["label"], named["document"], named["layer"] or layers[0])


def _wrong(name: str, row: NumberedRow, item: ControlItem | None, layers: Sequence[str]) -> Iterator[Problem]:
    line, cells = row
    if item is None:
        message = f"has {len(cells)} cell{'s' if len(cells) != 1 else ''}, another number than the first row."
        yield Problem(name, line, "", message, "Correct the row.")
        return
    for column in NEEDED:
        if not getattr(item, column):
            yield Problem(name, line, f"column {column}", "is empty.", f"Write the {column}.")
    if item.layer not in layers:
        mend = did_you_mean(item.layer, layers) or f"It has {alternatives(layers, 'and')}."
        message = f"the campaign has no layer {quoted(item.layer)}."
        yield Problem(name, line, "column layer", message, mend)


def _again(name: str, item: ControlItem, first: ControlItem | None) -> Iterator[Problem]:
    if first is not None:
        message = f"stands on line {first.line} already."
        yield Problem(name, item.line, f"row {printable(item.unit)}", message, "Keep one of the two.")
