"""What counts as a unit: the kinds of unit set, and what each keeps, leaves out and adds."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem
from reportgen.campaign import ControlItems, Task, UnitSet
from reportgen.readers import NO_DOCUMENT, Annotations, Codes
from reportgen.units.coded import (
    NO_CATEGORY,
    NO_PLACE,
    CodedUnits,
    ExportParticipants,
    Mask,
    people,
    sums_by,
)
from reportgen.units.pattern_matches import seconds_for

Size = int | Mapping[str, int]

IN_TEXTS = ("tokens", "sentences", "candidates")
OF_ANY_EXPORT = ("declared", "annotated-by-any", "annotated-by-all")

UNMARKED = "nobody marked the unit"
UNMARKED_BY_SOME = "not every annotator marked the unit"
REPLACED = "unmarked units of the export, which the declared size replaces"


@dataclass(frozen=True)
class Declaration:
    """A unit set as declared, with its size and terms read, and the file and key to name in an error."""

    unit_set: UnitSet
    size: Size | None
    file: str
    key: str
    terms: tuple[str, ...] = ()

    def problem(self, key: str, message: str, remedy: str) -> Problem:
        """Return a problem with a key of the unit set."""
        return Problem(self.file, key=f"{self.key}.{key}", message=message, remedy=remedy)


def select(units: CodedUnits, declaration: Declaration) -> CodedUnits:
    """Return the units that a declared unit set keeps or adds, out of all units of the export.

    Raises BadInput for a declared size below the number of marked units.
    """
    kind = declaration.unit_set.units
    if kind == "declared":
        return _declared(units, declaration)
    if kind == "annotated-by-any":
        return keep(units, _marks_per_unit(units) > 0, UNMARKED)
    if kind == "annotated-by-all":
        by_all = _marks_per_unit(units) == len(units.annotators)
        return without_non_annotated(keep(units, by_all, UNMARKED_BY_SOME))
    return units


def needs_texts(declaration: Declaration) -> Problem:
    """Return the problem of a unit set that needs texts, where the export has labels of units."""
    message = (
        f'"{declaration.unit_set.units}" needs an export that has texts with marks in them; '
        "this one has labels of units."
    )
    return _wrong_kind(declaration, message, ("items", *OF_ANY_EXPORT))


def needs_items(declaration: Declaration) -> Problem:
    """Return the problem of a unit set of items, where the export has marks in texts."""
    message = '"items" needs an export that lists its units; this one has texts and marks in them.'
    return _wrong_kind(declaration, message, (*IN_TEXTS, *OF_ANY_EXPORT))


def needs_marks(declaration: Declaration) -> Problem:
    """Return the problem of a unit set of pieces of text, where relations between such are compared."""
    base = declaration.unit_set.base
    kind = f'base = "{base}"' if base else f'"{declaration.unit_set.units}"'
    message = f"{kind} cuts texts into pieces, and a relation lies between several: it is on none of them."
    return _wrong_kind(declaration, message, OF_ANY_EXPORT, "base" if base else "units")


def needs_words(declaration: Declaration) -> Problem:
    """Return the problem of a unit set of pieces of text, where recordings have none."""
    unit_set = declaration.unit_set
    kind = f'base = "{unit_set.base}"' if unit_set.base else f'"{unit_set.units}"'
    message = f"{kind} needs texts; this export has recordings, whose marks are stretches of time."
    if unit_set.base:
        return declaration.problem("base", message, "Remove it: units are then stretches.")
    return _wrong_kind(declaration, message, OF_ANY_EXPORT)


def costly_pattern(declaration: Declaration, texts: Sequence[str], error: Exception) -> Problem:
    """Return the problem of a pattern that takes too long for texts, or too much memory."""
    message = "takes too much memory"
    if isinstance(error, TimeoutError):
        message = f"takes longer than {seconds_for(texts):,} seconds"
    characters = sum(map(len, texts))
    remedy = r"Write it without a repetition within a repetition, as (\w+\s?)+ has one."
    return declaration.problem("token_pattern", f"{message} for {characters:,} characters of text.", remedy)


def cuts_texts(unit_set: UnitSet) -> bool:
    """Say whether units of this kind are pieces of a text."""
    return bool(unit_set.units in ("tokens", "sentences") or unit_set.file or unit_set.base)


def fits_relations(unit_set: UnitSet) -> bool:
    """Say whether units of this kind can be relations."""
    return unit_set.units in OF_ANY_EXPORT and unit_set.base is None


def no_candidate(declaration: Declaration) -> Problem:
    """Return the problem of candidates of which the texts have none."""
    unit_set = declaration.unit_set
    if unit_set.file is None:
        message = f'no mark of "{unit_set.layer}" is of a stretch of text.'
        remedy = "Name a layer whose marks are in the texts."
        return declaration.problem("layer", message, remedy)
    message = f"none of the {len(declaration.terms):,} terms in {unit_set.file} occurs in a text."
    remedy = "Write each as the texts have it, upper and lower case too, on a line of its own."
    return declaration.problem("file", message, remedy)


def _wrong_kind(declaration: Declaration, message: str, kinds: Iterable[str], key: str = "units") -> Problem:
    remedy = f"Use one of {', '.join(kinds)}." if key == "units" else "Remove it: units are then relations."
    return declaration.problem(key, message, remedy)


def _marks_per_unit(units: CodedUnits) -> Codes:
    """Return how many annotators marked each unit: gave it any but the non-annotated category."""
    marked = units.unit[units.label != units.non_annotated]
    return np.bincount(marked, minlength=len(units.unit_weight))


def without_non_annotated(units: CodedUnits) -> CodedUnits:
    """Return units that everybody marked, on which the non-annotated category, the last one, can't occur."""
    last = units.non_annotated
    if last == NO_CATEGORY:
        return units
    sets = units.sets and units.sets[:last]
    return replace(units, categories=units.categories[:last], sets=sets, non_annotated=NO_CATEGORY)


def keep(units: CodedUnits, chosen: Mask, reason: str) -> CodedUnits:
    """Return the units that are `chosen` (units,), the others counted under the reason."""
    if chosen.all():
        return units
    new_number = np.cumsum(chosen) - 1
    ratings, links = chosen[units.unit], chosen[units.mark_unit]
    dropped = int(units.unit_weight[~chosen].sum())
    lost = np.setdiff1d(units.mark, units.mark[links])
    return replace(
        units,
        unit_document=units.unit_document[chosen],
        unit_weight=units.unit_weight[chosen],
        unit_place=units.unit_place[chosen],
        unit=new_number[units.unit[ratings]],
        annotator=units.annotator[ratings],
        label=units.label[ratings],
        mark=units.mark[links],
        mark_unit=new_number[units.mark_unit[links]],
        marks_lost=(*units.marks_lost, (reason, lost)) if len(lost) else units.marks_lost,
        units_left_out={**units.units_left_out, reason: dropped} if dropped else units.units_left_out,
    )


def _declared(units: CodedUnits, declaration: Declaration) -> CodedUnits:
    """Keep the marked units, and add as many unmarked ones as the declared size has room for."""
    marked = keep(units, _marks_per_unit(units) > 0, REPLACED)
    marked = marked if marked.non_annotated != NO_CATEGORY else _with_non_annotated(marked, declaration)
    if isinstance(declaration.size, Mapping):
        return _fill_documents(marked, declaration, declaration.size)
    room = int(declaration.size or 0) - marked.units
    if room < 0:
        raise BadInput([_too_small(declaration, int(declaration.size or 0), marked.units)])
    return _add_unmarked(marked, np.array([NO_DOCUMENT]), np.array([room]))


def _with_non_annotated(units: CodedUnits, declaration: Declaration) -> CodedUnits:
    """Return the units with a non-annotated category, which the export itself never names."""
    if not units.non_annotated_name:
        message = "a unit set of declared size needs a name for the category of unmarked units."
        remedy = 'Set non_annotated under [task], such as non_annotated = "none".'
        raise BadInput([Problem(declaration.file, 0, "task.non_annotated", message, remedy)])
    return replace(
        units,
        categories=(*units.categories, units.non_annotated_name),
        sets=units.sets if units.sets is None else (*units.sets, frozenset()),
        non_annotated=len(units.categories),
    )


def _in_file(declaration: Declaration) -> str:
    """Return where sizes by document are, for an error."""
    return f" in {declaration.unit_set.size}" if isinstance(declaration.unit_set.size, str) else ""


def _too_small(declaration: Declaration, size: int, marked: int, document: str = "") -> Problem:
    of_document = f" of document {document}{_in_file(declaration)}" if document else ""
    message = f"the size {size}{of_document} is below the {marked} units that were marked there."
    return declaration.problem("size", message, "Count every unit, marked or not.")


def _fill_documents(units: CodedUnits, declaration: Declaration, sizes: Mapping[str, int]) -> CodedUnits:
    """Add to each document the unmarked units that its declared size has room for."""
    marked = _marked_by_document(units)
    problems = [*_misfits(declaration, sizes, marked), *_without_document(units, declaration)]
    if problems:
        raise BadInput(problems)
    documents = tuple(dict.fromkeys((*marked, *sizes)))
    room = [sizes[name] - marked.get(name, 0) for name in documents]
    return _add_unmarked(
        replace(units, documents=documents), np.arange(len(documents)), np.array(room, dtype=np.int64)
    )


def _marked_by_document(units: CodedUnits) -> dict[str, int]:
    """Return how many units each document of the export has."""
    in_document = units.unit_document != NO_DOCUMENT
    marked = sums_by(units.unit_document[in_document], units.unit_weight[in_document], len(units.documents))
    return dict(zip(units.documents, marked.tolist(), strict=True))


def _misfits(
    declaration: Declaration, sizes: Mapping[str, int], marked: Mapping[str, int]
) -> Iterator[Problem]:
    """Yield the documents whose size is missing or below the units marked there."""
    for name, count in marked.items():
        if name not in sizes:
            message = f"the size of document {name}{_in_file(declaration)} is missing."
            yield declaration.problem("size", message, "Add a row for it.")
        elif sizes[name] < count:
            yield _too_small(declaration, sizes[name], count, name)


def _without_document(units: CodedUnits, declaration: Declaration) -> Iterator[Problem]:
    """Yield a problem where marked units have no document, so that no document's size counts them."""
    homeless = int(units.unit_weight[units.unit_document == NO_DOCUMENT].sum())
    if homeless:
        message = f"sizes are declared by document, but {homeless} marked units of the export have none."
        remedy = "Declare the size as one number, or name the column that has the document."
        yield declaration.problem("size", message, remedy)


def _add_unmarked(units: CodedUnits, documents: Codes, room: Codes) -> CodedUnits:
    """Add `room` units to each of `documents` that every annotator left unmarked."""
    documents, room = documents[room > 0], room[room > 0]
    added, present = len(room), len(units.unit_weight)
    everyone = np.arange(len(units.annotators))
    return replace(
        units,
        unit_document=np.concatenate([units.unit_document, documents]),
        unit_weight=np.concatenate([units.unit_weight, room]),
        unit_place=np.concatenate([units.unit_place, np.full(added, NO_PLACE, dtype=np.int64)]),
        unit=np.concatenate([units.unit, np.repeat(np.arange(present, present + added), len(everyone))]),
        annotator=np.concatenate([units.annotator, np.tile(everyone, added)]),
        label=np.concatenate([units.label, np.full(added * len(everyone), units.non_annotated)]),
        units_added=int(room.sum()),
    )


# What to compare, and how: the question that a study answers.

SEPARATOR = "|"


@dataclass(frozen=True)
class Request:
    """The task, the unit sets, and who is not simply an annotator.

    `roles` maps annotators to roles other than "annotator"; `same_as` an annotator to the one whose
    second pass it is; `file` is the campaign's file, named in errors; `separator` is between the
    labels of a unit that has several; `split` says that the campaign declares it, so that names are taken
    apart at it. `controls` are the control items of all layers; `rejected` names the
    annotators whose marks do not count because of them.
    """

    task: Task
    unit_sets: Sequence[Declaration]
    roles: Mapping[str, str]
    same_as: Mapping[str, str]
    file: str
    layer: str = "main"
    separator: str = SEPARATOR
    split: bool = False
    controls: ControlItems | None = None
    rejected: Collection[str] = ()

    def problem(self, key: str, message: str, remedy: str) -> Problem:
        """Return a problem with a key of campaign.toml."""
        return Problem(self.file, key=key, message=message, remedy=remedy)

    @property
    def nothing(self) -> CodedUnits:
        """Return a unit set of the layer without any unit."""
        return CodedUnits(self.layer, scale=self.task.scale, category_count=self.task.category_count)


def participants_of(annotations: Annotations, request: Request) -> ExportParticipants:
    """Return who is behind the names of an export, with roles as the campaign has them, else the export."""
    roles = {**annotations.roles, **request.roles}
    return people(annotations.content.annotators, roles, request.same_as)
