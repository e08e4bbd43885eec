"""Texts with marks made up in a line, and the tokens on which their annotators differ."""

import re
from collections.abc import Iterator, Mapping, Sequence

from reportgen.results.texts import (
    Disagreement,
    Disagreements,
    Document,
    DocumentMarks,
    LayerMarks,
    Mark,
    Span,
    Texts,
)

UNMARKED = "(unmarked)"
# An annotator's mark: whose, of which label, its stretches.
Made = tuple[str, str, tuple[Span, ...]]


def marks(*made: Made) -> tuple[Mark, ...]:
    """Return marks in order of place, as texts.json has them."""
    ordered = sorted(made, key=lambda mark: (mark[2], mark[0], mark[1]))
    return tuple(Mark(annotator=who, label=label, spans=spans) for who, label, spans in ordered)


def layer(
    documents: Sequence[Sequence[Made]], seen: Sequence[Sequence[str]], name: str = "main", **roles: str
) -> LayerMarks:
    """Return a layer with the marks of each document and those who saw it."""
    people = tuple(sorted({who for names in seen for who in names}))
    parts = tuple(
        DocumentMarks(document=number, seen=tuple(names), marks=marks(*made))
        for number, (made, names) in enumerate(zip(documents, seen, strict=True))
    )
    return LayerMarks(layer=name, annotators=people, roles=roles, documents=parts)


def tokens(found: LayerMarks, documents: Sequence[Document], unit_set: str = "tokens") -> Disagreements:
    """Return the tokens of all documents to which annotators gave different labels."""
    units = [unit for part in found.documents for unit in _tokens(found, part, documents[part.document])]
    return Disagreements(layer=found.layer, unit_set=unit_set, units=tuple(units))


def _tokens(found: LayerMarks, part: DocumentMarks, document: Document) -> Iterator[Disagreement]:
    for token in re.finditer(r"\S+", document.text or ""):
        labels = {name: UNMARKED for name in part.seen if name not in found.roles}
        for mark in part.marks:
            if mark.annotator in labels and any(s < token.end() and token.start() < e for s, e in mark.spans):
                labels[mark.annotator] = mark.label
        if len(set(labels.values())) > 1:
            yield Disagreement(document=part.document, spans=(token.span(),), labels=labels)


def texts(documents: Mapping[str, str | None], *layers: LayerMarks, unit_set: str = "tokens") -> Texts:
    """Return texts with layers, and the lists of disagreements that follow from them."""
    known = tuple(Document(name=name, text=text) for name, text in documents.items())
    found = tuple(tokens(each, known, unit_set) for each in layers)
    return Texts(guidelines="1.0", documents=known, layers=layers, disagreements=found)
