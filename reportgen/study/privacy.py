"""Pseudonyms, put in before anything is rendered, so that pages, results, paths and inputs agree."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

from reportgen.formats import Annotations, Ratings
from reportgen.study.coded import CodedUnits, Material, Study

# How each kind of pseudonym begins, and how many digits it has at least.
ANNOTATOR, DOCUMENT, UNIT = ("A", 2), ("D", 4), ("U", 5)
KINDS = {"annotator": ANNOTATOR, "document": DOCUMENT, "unit": UNIT}
# How names of exports end, whoever is called so too.
_ENDINGS = {"ann", "txt", "csv", "tsv", "json", "jsonl", "xml", "xmi", "conll", "conllu", "zip", "gz", "xlsx"}
# Between the numbers of a version.
_POINT_BEFORE, _POINT_BEHIND = re.compile(r"\d\.$"), re.compile(r"\.\d")


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
    def _words(self) -> "_Words":
        return _Words({**self.documents, **self.annotators})


def pseudonyms(versions: Iterable[Iterable[str]], kind: str = "annotator") -> dict[str, str]:
    """Return A01, A02, … for each name, numbered by guidelines version and then by name.

    Documents are D0001, units U00001. A later version changes no earlier number. What has no name needs none.
    """
    letter, width = KINDS[kind]
    ordered = dict.fromkeys(name for names in versions for name in sorted(set(names)) if name)
    return {name: f"{letter}{place:0{width}}" for place, name in enumerate(ordered, 1)}


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


# Names in paths


def hide_in_path(file: str, names: Mapping[str, str]) -> str:
    """Return a path with pseudonyms for the names in it, where they stand as words of their own.

    The longest name is taken where several begin at one place: "A1" in "A1_doc3.csv", not in "A10.csv".
    """
    return _Words(names).hidden(file)


class _Words:
    """Names as paths have them: the same but for case and for how signs with accents are put together."""

    def __init__(self, names: Mapping[str, str]) -> None:
        """Index the names by how they may be written."""
        self._shown = names
        self._folded: dict[str, str] = {}
        for name in sorted(names):
            self._folded.setdefault(_folded(name), name)
        # Putting signs together may shorten a name, but only its other form is longer in a path.
        self._longest = max((len(unicodedata.normalize("NFD", name)) for name in names), default=0)

    def hidden(self, text: str) -> str:
        """Return a path with what its names are called instead."""
        if not self._shown:
            return text
        parts: list[str] = []
        last = 0
        for start, end, name in self._matches(text):
            parts += [text[last:start], self._shown[name]]
            last = end
        return "".join([*parts, text[last:]])

    def found(self, text: str) -> set[str]:
        """Return the names that stand in a path."""
        return {name for _, _, name in self._matches(text)} if self._shown else set()

    def _matches(self, text: str) -> list[tuple[int, int, str]]:
        edges = _edges(text)
        found: list[tuple[int, int, str]] = []
        last = 0
        for start in edges[:-1]:
            if start >= last and (match := self._longest_at(text, start, edges)):
                found.append((start, *match))
                last = match[0]
        return found

    def _longest_at(self, text: str, start: int, edges: list[int]) -> tuple[int, str] | None:
        for end in reversed(edges):
            if end <= start:
                return None
            if end - start <= self._longest and (name := self._name(text, start, end)) is not None:
                return end, name
        return None

    def _name(self, text: str, start: int, end: int) -> str | None:
        """Return the name that a part of a path is; the 1 of 1.0 is none, nor is how a file ends."""
        part = text[start:end]
        if part.isdecimal() and (_POINT_BEFORE.search(text[:start]) or _POINT_BEHIND.match(text, end)):
            return None
        if end == len(text) and text[start - 1 : start] == "." and part.casefold() in _ENDINGS:
            return None
        return part if part in self._shown else self._folded.get(_folded(part))


def _edges(text: str) -> list[int]:
    """Return where a word may begin or end: not between two letters or digits, nor before an accent alone."""
    inside = [each.isalnum() or unicodedata.combining(each) > 0 for each in text]
    places = range(1, len(text))
    return [0, *(place for place in places if not (inside[place - 1] and inside[place])), len(text)]


@lru_cache(maxsize=1 << 16)
def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()
