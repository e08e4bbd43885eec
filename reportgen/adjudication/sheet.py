"""The sheet that an adjudicator fills in: every disagreement that is not decided yet."""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from reportgen.adjudication.cells import after, before, covered, written
from reportgen.adjudication.names import ANSWERS, CONTEXT, LABELS, PLACE, annotator_columns
from reportgen.adjudication.offsets import shown
from reportgen.adjudication.units import Adjudication, SheetUnits


def sheet_csv(layers: Sequence[Adjudication], names: Mapping[str, str]) -> str | None:
    """Return the sheet of all layers as CSV, None where no unit has a name or a place.

    `names` are the annotators' pseudonyms, if any. A cause that was noted without a decision stays.
    """
    listed = [each for each in layers if each.sheet.named]
    if not listed:
        return None
    annotators = list(dict.fromkeys(name for each in listed for name in each.sheet.units.annotators))
    columns = annotator_columns([names.get(name, name) for name in annotators])
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(map(written, (*PLACE, *CONTEXT, *columns, *ANSWERS)))
    for each in listed:
        for row in _rows(each, annotators, crowd=columns == [LABELS]):
            writer.writerow(map(written, row))
    return buffer.getvalue()


def _rows(layer: Adjudication, annotators: Sequence[str], *, crowd: bool) -> Iterator[tuple[str, ...]]:
    sheet, units = layer.sheet, layer.open
    for unit, spans in zip(units.tolist(), sheet.spans_of(units), strict=True):
        labels = sheet.rated(unit)
        given = [tallied(sheet, labels)] if crowd else [labels.get(name, "") for name in annotators]
        around = ("", "", "")
        if spans:
            text = sheet.texts[int(sheet.units.unit_document[unit])]
            around = (before(text, spans[0][0]), covered(text, spans), after(text, spans[-1][1]))
        where = (sheet.layer, sheet.document_of(unit), sheet.names[unit], shown(spans))
        yield (*where, *around, *given, "", layer.causes.get(unit, ""))


def tallied(sheet: SheetUnits, labels: Mapping[str, str]) -> str:
    """Return how often each label was given, in the order of the categories: "yes (3), no (2)"."""
    times = Counter(labels.values())
    return ", ".join(f"{name} ({times[name]})" for name in sheet.units.categories if name in times)
