"""Pseudonyms, put in before anything is rendered, so that pages, results, paths and inputs agree."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any

from reportgen.formats import Annotations, Ratings
from reportgen.study.coded import CodedUnits, Material, Study
from reportgen.study.paths import LONG, PathNames

# How each kind of pseudonym begins, and how many digits it has at least.
ANNOTATOR, DOCUMENT, UNIT = ("A", 2), ("D", 4), ("U", 5)
PLACE = re.compile(r"[0-9]{1,9}")
KINDS = {"annotator": ANNOTATOR, "document": DOCUMENT, "unit": UNIT}


@dataclass(frozen=True)
class Pseudonyms:
    """What annotators, documents and units are called instead, by their names; what is shown is absent."""

    annotators: Mapping[str, str] = field(default_factory=dict)
    documents: Mapping[str, str] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)

    def __or__(self, other: "Pseudonyms") -> "Pseudonyms":
        """Return the pseudonyms of both; a name has the same one in either."""
        return Pseudonyms(
            {**self.annotators, **other.annotators},
            {**self.documents, **other.documents},
            {**self.units, **other.units},
        )

    @property
    def hides_documents(self) -> bool:
        """Tell whether documents or units are called otherwise than in the exports."""
        return bool(self.documents or self.units)

    @property
    def of_annotators(self) -> "Pseudonyms":
        """Return the same with documents and units under their names."""
        return Pseudonyms(self.annotators)

    def annotator(self, name: str) -> str:
        """Return what an annotator is called."""
        return self.annotators.get(name, name)

    def document(self, name: str) -> str:
        """Return what a document is called."""
        return self.documents.get(name, name)

    def unit(self, name: str) -> str:
        """Return what a unit is called; one that is a document is called as it is."""
        return self.units.get(name) or self.document(name)

    def in_path(self, file: str) -> str:
        """Return a path with pseudonyms for the names in it, where they stand as words of their own."""
        return self._words.hidden(file)

    def some(
        self, annotators: Collection[str], documents: Collection[str], units: Collection[str]
    ) -> "Pseudonyms":
        """Return those of some names alone."""
        return Pseudonyms(
            {name: shown for name, shown in self.annotators.items() if name in annotators},
            {name: shown for name, shown in self.documents.items() if name in documents},
            {name: shown for name, shown in self.units.items() if name in units},
        )

    def in_paths(self, files: Iterable[str]) -> set[str]:
        """Return the names that stand in any of some paths."""
        return {found for file in files for found in self._words.found(file)}

    def as_json(self) -> dict[str, Any]:
        """Return what a key of the memory holds."""
        return asdict(self)

    @cached_property
    def _words(self) -> PathNames:
        units = {name: shown for name, shown in self.units.items() if len(name) >= LONG}
        return PathNames({**units, **self.documents, **self.annotators}, self.annotators)


def pseudonyms(versions: Iterable[Iterable[str]], kind: str = "annotator") -> dict[str, str]:
    """Return A01, A02, … for each name, numbered by guidelines version and then by name.

    Documents are D0001, units U00001. A later version changes no earlier number. What has no name needs none.
    Where those of the first version are pseudonyms already, as in counts, they keep their numbers.
    """
    known = [sorted(filter(None, set(names))) for names in versions]
    ordered = dict.fromkeys(chain.from_iterable(known))
    kept = all(_number(name, kind) for name in next(filter(None, known), ()))
    numbers, taken, last = dict[str, int](), set[int](), 0
    for name in ordered:
        own = _number(name, kind) if kept else 0
        numbers[name] = own if own and own not in taken else last + 1
        taken.add(numbers[name])
        last = max(last, numbers[name])
    return {name: _called(number, kind) for name, number in numbers.items()}


def _called(number: int, kind: str) -> str:
    letter, width = KINDS[kind]
    return f"{letter}{number:0{width}}"


def _number(name: str, kind: str) -> int:
    """Return the number of a name that is a pseudonym, 0 where it is none."""
    digits = name.removeprefix(KINDS[kind][0])
    number = int(digits) if PLACE.fullmatch(digits) else 0
    return number if name == _called(number, kind) else 0


def document_names(annotations: Annotations) -> tuple[str, ...]:
    """Return the names of the documents of an export, also of those that were labelled as a whole."""
    content = annotations.content
    if isinstance(content, Ratings) and annotations.attendance is not None:
        return (*content.documents, *content.unit_names)
    return content.documents


def unit_names(annotations: Annotations) -> tuple[str, ...]:
    """Return the names that a table gives its units, none where they are documents or in texts."""
    content = annotations.content
    if isinstance(content, Ratings) and annotations.attendance is None:
        return content.unit_names
    return ()


def with_pseudonyms(study: Study, names: Pseudonyms) -> Study:
    """Return the study with other names for its annotators, documents and units, in the same order."""
    spans = study.spans
    return replace(
        study,
        unit_sets=tuple(_units(each, names) for each in study.unit_sets),
        left_out=tuple(
            replace(each, annotator=names.annotator(each.annotator), file=names.in_path(each.file))
            for each in study.left_out
        ),
        material=_material(study.material, names),
        spans=spans
        and replace(
            spans,
            people=_renamed(spans.people, names.annotator),
            documents=_renamed(spans.documents, names.document),
            derived=_renamed(spans.derived, names.annotator),
        ),
        compared=tuple(
            replace(each, units=_units(each.units, names), derived=_renamed(each.derived, names.annotator))
            for each in study.compared
        ),
        controls=study.controls and replace(study.controls, units=_units(study.controls.units, names)),
        passes=study.passes
        and replace(
            study.passes,
            people=_renamed(study.passes.people, names.annotator),
            units=_places(study.passes.units, names),
        ),
    )


def _units(units: CodedUnits, names: Pseudonyms) -> CodedUnits:
    return replace(_places(units, names), annotators=_renamed(units.annotators, names.annotator))


def _places(units: CodedUnits, names: Pseudonyms) -> CodedUnits:
    """Return units under other names, in documents under other names, of annotators as they are."""
    origin = units.candidates
    return replace(
        units,
        documents=_renamed(units.documents, names.document),
        places=replace(units.places, names=_renamed(units.places.names, names.unit)),
        candidates=origin and replace(origin, file=names.in_path(origin.file)),
    )


def _material(material: Material, names: Pseudonyms) -> Material:
    attendance = (replace(each, annotator=names.annotator(each.annotator)) for each in material.attendance)
    return replace(material, attendance=tuple(attendance))


def _renamed(names: Iterable[str], shown: Callable[[str], str]) -> tuple[str, ...]:
    return tuple(map(shown, names))
