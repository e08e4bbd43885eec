"""The study of one layer: whose marks count, what the units are, and what none of them uses."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np

from reportgen.errors import BadInput, for_each
from reportgen.formats import Annotations, LeftOut, Ratings, TextMarks
from reportgen.study.candidates import regions_of_pieces
from reportgen.study.coded import Candidates, CodedUnits, Study
from reportgen.study.material import material
from reportgen.study.people import left_out
from reportgen.study.ratings import from_ratings
from reportgen.study.request import Request
from reportgen.study.spans import Spans, spans
from reportgen.study.terms import find_terms
from reportgen.study.texts import MarkedTexts
from reportgen.study.unit_sets import (
    IN_TEXTS,
    Declaration,
    needs_items,
    needs_marks,
    needs_texts,
    no_candidate,
    select,
)

Units = Callable[[Declaration], CodedUnits]


def build_study(annotations: Annotations, request: Request) -> Study:
    """Return every unit set of a layer, with what none of them uses.

    Raises BadInput, all at once, for unit sets that can't be made from this export.
    """
    content = annotations.content
    marked: Spans | None = None
    if isinstance(content, TextMarks):
        texts = MarkedTexts(annotations, content, request)
        unit_sets = _unit_sets(request, lambda each: _in_texts(texts, annotations, content, each))
        others = texts.left_out
        marked = spans(annotations, content, request)
    else:
        roles = replace(request, roles={**annotations.roles, **request.roles})
        whole, others = from_ratings(content, roles, annotations.derived)
        unit_sets = _unit_sets(request, lambda _: whole)
    passed_over = (*annotations.left_out, *others)
    unused = tuple(_used_nowhere(content, unit_sets))
    return Study(
        unit_sets=tuple(unit_sets),
        marks_read=annotations.marks_read,
        marks_used=_used(unit_sets),
        left_out=(*passed_over, *unused),
        passed_over=_by_reason(passed_over),
        material=material(annotations, request, unit_sets),
        spans=marked,
    )


def _used(unit_sets: list[CodedUnits]) -> int:
    """Return how many marks some unit set uses."""
    marks = np.unique(np.concatenate([each.mark for each in unit_sets]))
    return int(unit_sets[0].mark_weight[marks].sum())


def _by_reason(left_out: Iterable[LeftOut]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for each in left_out:
        found[each.reason] += each.marks
    return dict(found)


def _in_texts(
    texts: MarkedTexts, annotations: Annotations, content: TextMarks, declaration: Declaration
) -> CodedUnits:
    unit_set = declaration.unit_set
    if annotations.compared == "relations" and (unit_set.units in IN_TEXTS or unit_set.base):
        raise BadInput([needs_marks(declaration)])
    if unit_set.units == "tokens" or unit_set.base == "tokens":
        return texts.by_token(unit_set.token_pattern)
    if unit_set.units == "sentences":
        return texts.by_sentence()
    if unit_set.units == "candidates":
        return _candidates(texts, annotations, content, declaration)
    return texts.by_stretch()


def _candidates(
    texts: MarkedTexts, annotations: Annotations, content: TextMarks, declaration: Declaration
) -> CodedUnits:
    """Return candidates as units; raise BadInput where the texts have none."""
    unit_set = declaration.unit_set
    if unit_set.layer is None:
        found = regions_of_pieces(find_terms(content.texts, declaration.terms))
    else:
        found = annotations.candidates[f"{declaration.key}.layer"]
    if not len(found.document):
        raise BadInput([no_candidate(declaration)])
    origin = Candidates(
        file=unit_set.file or "",
        terms=len(declaration.terms),
        layer=unit_set.layer or "",
        keep_marked=unit_set.keep_marked,
    )
    units = texts.by_candidate(found, keep_marked=unit_set.keep_marked)
    return replace(units, candidates=origin)


def _unit_sets(request: Request, units: Units) -> list[CodedUnits]:
    return for_each(request.unit_sets, lambda declared: _select(units(declared), declared))


def _select(whole: CodedUnits, declaration: Declaration) -> CodedUnits:
    chosen = declaration.unit_set
    if whole.base == "units" and chosen.units in IN_TEXTS:
        raise BadInput([needs_texts(declaration)])
    if whole.base != "units" and chosen.units == "items":
        raise BadInput([needs_items(declaration)])
    named = replace(whole, id=chosen.id, kind=chosen.units, why=chosen.why or "", primary=chosen.primary)
    return select(named, declaration)


def _used_nowhere(content: Ratings | TextMarks, unit_sets: list[CodedUnits]) -> Iterator[LeftOut]:
    """Yield the marks that every unit set leaves out, for the reason of the first."""
    used = np.unique(np.concatenate([each.mark for each in unit_sets]))
    for reason, marks in unit_sets[0].marks_lost:
        lost = np.zeros(len(content.label), dtype=np.bool_)
        lost[np.setdiff1d(marks, used)] = True
        yield from left_out(content, lost, reason)
