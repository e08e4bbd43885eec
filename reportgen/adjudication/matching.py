"""Which unit of the exports a row of a sheet means, and whether the row still fits it."""

from collections.abc import Callable, Iterator, Sequence

from reportgen.adjudication import offsets
from reportgen.adjudication.cells import Names, Span, covered, plain, read, spelling
from reportgen.adjudication.filled import Row
from reportgen.adjudication.sheet import tallied
from reportgen.adjudication.units import SheetUnits
from reportgen.errors import Problem, did_you_mean
from reportgen.formats import NO_DOCUMENT
from reportgen.study import natural_order

Found = tuple[int | None, list[Problem]]

REMAKE = "Take the row from a sheet that was made of these exports."


def find_unit(row: Row, sheet: SheetUnits) -> Found:
    """Return the unit (number) that a row means, or None and why it means none."""
    document, problems = _document(row, sheet)
    if document is None:
        return None, problems
    return _stretch(row, sheet, document) if sheet.texts else _named(row, sheet, document)


def _document(row: Row, sheet: SheetUnits) -> Found:
    """Return the document (code) that a row names, NO_DOCUMENT where units have none and it names none."""
    cell = row.cells["document"]
    if not cell.strip() and not sheet.texts:
        return NO_DOCUMENT, []
    found = sheet.documents.find(cell)
    if found is not None:
        return found, []
    if not cell.strip():
        return None, [row.problem("document", "is empty.", REMAKE)]
    message = f'no document of layer "{sheet.layer}" is called "{plain(cell)}".'
    return None, [row.problem("document", message, did_you_mean(plain(cell), sheet.units.documents))]


def _named(row: Row, sheet: SheetUnits, document: int) -> Found:
    """Return the unit of a table that a row names."""
    cell = row.cells["unit"]
    names, units = sheet.by_name.get(document, (Names(()), []))
    found = names.find(cell)
    if found is not None:
        return units[found], []
    if not cell.strip():
        return None, [row.problem("unit", "is empty.", REMAKE)]
    where = f' in document "{sheet.units.documents[document]}"' if document != NO_DOCUMENT else ""
    message = f'no unit{where} is called "{plain(cell)}".'
    known = [sheet.names[unit] for unit in units]
    return None, [row.problem("unit", message, did_you_mean(plain(cell), known))]


def _stretch(row: Row, sheet: SheetUnits, document: int) -> Found:
    """Return the stretch of a text that a row means by its offsets and by what they cover."""
    text = sheet.texts[document]
    meant = offsets.possible(row.cells["offsets"])
    fitting = [spans for spans in meant if _covers(row, text, spans)]
    units = [sheet.by_place.get((document, spans)) for spans in fitting]
    found = next((unit for unit in units if unit is not None), None)
    if found is not None:
        return found, []
    if fitting:
        message = f"no annotator marked {offsets.shown(fitting[0])} in this document."
        return None, [row.problem("offsets", message, REMAKE)]
    if meant:
        return None, [_other_text(row, text, meant[0])]
    return None, [_no_offsets(row, sheet, document)]


def _covers(row: Row, text: str, spans: Sequence[Span]) -> bool:
    """Tell whether stretches of a text cover what a row says that they do."""
    if any(not start <= end <= len(text) for start, end in spans):
        return False
    cell = row.cells["text"]
    here = plain(covered(text, spans))
    return here in (plain(read(cell)), plain(cell)) or spelling(here) == spelling(read(cell))


def _other_text(row: Row, text: str, spans: Sequence[Span]) -> Problem:
    message = f'is "{plain(row.cells["text"])}", but {offsets.shown(spans)} is "{covered(text, spans)}".'
    if max(end for _, end in spans) > len(text):
        last = f"the document has {len(text):,} characters"
        return row.problem("offsets", f"is {offsets.shown(spans)}, but {last}.", REMAKE)
    return row.problem("text", message, REMAKE)


def _no_offsets(row: Row, sheet: SheetUnits, document: int) -> Problem:
    """Return the problem of a row without offsets, with those of the only unit that covers its text."""
    text = sheet.texts[document]
    places = [spans for where, spans in sheet.by_place if where == document and _covers(row, text, spans)]
    mend = (
        f'Write "{offsets.shown(places[0])}", in a cell that is formatted as text.'
        if len(places) == 1
        else REMAKE
    )
    cell = plain(row.cells["offsets"])
    found = f'is "{cell}"' if cell else "is empty"
    return row.problem("offsets", f'{found}; offsets such as "12-18" were expected.', mend)


def wrong_labels(row: Row, sheet: SheetUnits, unit: int) -> Problem | None:
    """Return a problem where the annotators' labels in a row are others than those in the exports.

    Who gave which is not compared: pseudonyms may have changed since the sheet was made.
    """
    labels = sheet.rated(unit)
    given = [cell for cell in map(read, row.labels) if plain(cell)]
    if sorted(map(spelling, given)) == sorted(map(spelling, filter(plain, labels.values()))):
        return None
    now = tallied(sheet, labels)
    if [plain(cell) for cell in given] == [plain(now)]:
        return None
    shown = ", ".join(f'"{plain(cell)}"' for cell in given) or "none"
    return Problem(
        row.file,
        row.line,
        "labels of the annotators",
        f"are {shown}, but the exports have {now}.",
        "The exports have changed since the sheet was made: decide again in a new one.",
    )


def find_decision(cell: str, sheet: SheetUnits, clean: Callable[[str], str]) -> str | None:
    """Return the category that a decision names; a set of labels may name them in any order."""
    categories = Names(sheet.categories)
    for text in (cell, clean(read(cell)), *_as_set(cell, sheet)):
        found = categories.find(text)
        if found is not None:
            return sheet.categories[found]
    if not sheet.texts:
        return None
    return next(_as_set(cell, sheet), None)


def _as_set(cell: str, sheet: SheetUnits) -> Iterator[str]:
    """Yield the set of labels that a cell names, where units of the layer have several."""
    if not (sheet.units.joined or sheet.units.scale == "set") or sheet.separator not in cell:
        return
    single = [name for name in dict.fromkeys((*sheet.labels, *sheet.categories)) if name != _absent(sheet)]
    known = Names(single)
    found = [known.find(part) for part in read(cell).split(sheet.separator)]
    if None not in found:
        members = {single[each] for each in found if each is not None}
        yield sheet.separator.join(natural_order(members))


def _absent(sheet: SheetUnits) -> str:
    return sheet.units.non_annotated_name
