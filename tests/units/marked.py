"""Marked texts made up in a line: copies in, what is compared out."""

from collections.abc import Mapping, Sequence
from typing import Any

from reportgen.campaign import Task, UnitSet
from reportgen.readers import Annotations, DocumentCopy, Export, ParsedMark, ReaderOptions
from reportgen.readers.layers_of_marks import assemble
from reportgen.units import CodedUnits, DeclaredUnitSet, LayerSettings, LayerUnits, Spans, build_study

FILE = "c/campaign.toml"

Marks = Sequence[tuple[int, int, str]]
Documents = Mapping[str, tuple[Marks, Marks]]

TEXT = "abcdefghijklmnopqrstuvwxyz " * 2


def copy(annotator: str, text: str, marks: Marks = (), document: str = "d", **more: Any) -> DocumentCopy:  # noqa: ANN401
    """Return an annotator's copy of a document with marks given as (start, end, type)."""
    made = [ParsedMark(name, ((start, end),), line=line) for line, (start, end, name) in enumerate(marks, 1)]
    return DocumentCopy(document, annotator, f"{annotator}/{document}.ann", text, made, **more)


def annotations(*copies: DocumentCopy, **options: Any) -> Annotations:  # noqa: ANN401 - options differ in type
    """Return the only layer of an export of these copies."""
    return assemble(Export(copies, "Made up.", ()), [ReaderOptions(**options)], "made-up")[0]


def study(
    export: Annotations,
    *kinds: str | UnitSet,
    roles: Mapping[str, str] | None = None,
    same_as: Mapping[str, str] | None = None,
    terms: Sequence[str] = (),
    **task: Any,  # noqa: ANN401 - keys of [task]
) -> LayerUnits:
    """Return the study of an export under unit sets given by kind, by default tokens."""
    sets = [
        each if isinstance(each, UnitSet) else UnitSet.model_validate({"id": each, "units": each})
        for each in kinds or ("tokens",)
    ]
    size = [each.size if isinstance(each.size, int) else None for each in sets]
    declared = [
        DeclaredUnitSet(each, size[place], FILE, f"unit_sets.{place + 1}", tuple(terms))
        for place, each in enumerate(sets)
    ]
    return build_study(export, LayerSettings(Task(**task), declared, roles or {}, same_as or {}, FILE))


def spans_in(found: LayerUnits) -> Spans:
    """Return the marks of a study of texts."""
    assert isinstance(found.spans, Spans)
    return found.spans


def spans_of(*copies: DocumentCopy, **task: Any) -> Spans:  # noqa: ANN401 - of `study`
    """Return the marks of the only layer of these copies."""
    return spans_in(study(annotations(*copies), **task))


def rated(units: CodedUnits) -> list[tuple[int, dict[str, str]]]:
    """Return each unit: how many it stands for, and the label of each annotator who rated it."""
    labels: list[dict[str, str]] = [{} for _ in units.weight]
    for unit, who, label in zip(
        units.unit.tolist(), units.annotator.tolist(), units.label.tolist(), strict=True
    ):
        labels[unit][units.annotators[who]] = units.categories[label]
    return list(zip(units.weight.tolist(), labels, strict=True))


def labelled(units: CodedUnits) -> dict[tuple[int, str], str]:
    """Return the label of each unit by each annotator, in names."""
    return {
        (unit, units.annotators[who]): units.categories[label]
        for unit, who, label in zip(
            units.unit.tolist(), units.annotator.tolist(), units.label.tolist(), strict=True
        )
    }


def copies_of(documents: Documents) -> list[DocumentCopy]:
    """Return two annotators' copies of documents that all have the same text."""
    return [
        copy(name, TEXT, marks, document=document)
        for document, both in documents.items()
        for name, marks in zip("ab", both, strict=True)
    ]
