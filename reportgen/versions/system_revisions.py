"""Systems, models and annotators against a reference twice: what rose, what fell, and where.

The two times are two guidelines versions, or two releases of one system under one version. GATE's Corpus
Benchmark tool compares the outputs of two versions of an application with a key in the same way, document by
document and annotation type by annotation type (GATE user guide, 10.4.1 and 10.4.3); what is added here is
whether a difference is more than chance, and how annotators agree in the same measure.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.campaign import Annotator
from reportgen.measures import MOST_ANNOTATORS, NoDifference
from reportgen.measures.retrieval import F
from reportgen.results.annotators import Comparison, Comparisons, nearest
from reportgen.results.comparison import SpanRevision
from reportgen.results.parts import Categories, Change, SystemRevision
from reportgen.units import ComparedUnits
from reportgen.versions.agreement_revisions import revise_spans
from reportgen.versions.sides import Key, Side, edited_documents
from reportgen.versions.system_comparison import (
    OTHERS,
    STRICT,
    UNKNOWN,
    AgainstKey,
    CommonUnits,
    Frame,
    LabelScores,
    MarkScores,
    common_units,
    joined,
    same_units,
)
from reportgen.versions.version_figures import (
    CommonDocuments,
    LabelSide,
    MarkSide,
    Merges,
    common_documents,
    crosswalk,
    match,
    match_units,
    overlap_in_one,
)

REFERENCE, ANNOTATOR = "reference", "annotator"
ALPHA = "krippendorff_alpha"
OBSERVED = "observed_agreement"


@dataclass(frozen=True)
class VersionParticipants:
    """Everybody in one version, by code: names and roles.

    `declared` are the people of campaign.toml by the names that are shown, in their order there.
    """

    names: Sequence[str]
    roles: Sequence[str]
    declared: Mapping[str, Annotator]

    def codes(self, *roles: str) -> dict[str, int]:
        """Return who has one of the roles, by name."""
        participants = zip(self.names, self.roles, strict=True)
        return {name: code for code, (name, role) in enumerate(participants) if role in roles}

    def role(self, name: str) -> str:
        """Return somebody's role."""
        return self.roles[self.names.index(name)]

    @property
    def keys(self) -> dict[str, int]:
        """Return against whom others are held: references, or annotators where there is none."""
        return self.codes(REFERENCE) or self.codes(ANNOTATOR)

    @property
    def others(self) -> dict[str, int]:
        """Return who is compared with keys; a crowd of annotators is not."""
        annotators = self.codes(ANNOTATOR)
        compared = annotators if self.codes(REFERENCE) and len(annotators) <= MOST_ANNOTATORS else {}
        return self.codes(*OTHERS) | compared

    def system_of(self, name: str) -> tuple[str | None, str | None]:
        """Return which system somebody is declared to be, and which release of it."""
        annotator = self.declared.get(name)
        return (annotator.system, annotator.release) if annotator else (None, None)

    def releases(self) -> dict[str, list[str]]:
        """Return the names of each declared system's releases, in the order in which they are declared."""
        there = self.codes(*OTHERS)
        by_system: dict[str, list[str]] = {}
        for name, annotator in self.declared.items():
            if annotator.system is not None and name in there:
                by_system.setdefault(annotator.system, []).append(name)
        return by_system


def over_versions(first: VersionParticipants, second: VersionParticipants) -> Iterator[AgainstKey]:
    """Yield who is compared with the same key under both versions: by name, and the last release of a system.

    Where each version has one reference, the two are the same key whatever they are called. A version with
    references is not compared with one without.
    """
    if bool(first.codes(REFERENCE)) != bool(second.codes(REFERENCE)):
        return
    keys = [(name, name) for name in second.keys if name in first.keys]
    if not keys and second.codes(REFERENCE) and len(first.keys) == len(second.keys) == 1:
        keys = list(zip(first.keys, second.keys, strict=True))
    mine, theirs, before = first.others, second.others, first.releases()
    pairs = [
        *((name, name) for name in theirs if name in mine and first.role(name) == second.role(name)),
        *((before[system][-1], names[-1]) for system, names in second.releases().items() if system in before),
    ]
    for key in keys:
        for pair in dict.fromkeys(pairs):
            yield _against_key(first, second, key, pair)


def over_releases(people: VersionParticipants) -> Iterator[AgainstKey]:
    """Yield each release of a system against the one before, and the newest against the first."""
    for names in people.releases().values():
        pairs = [*pairwise(names), *([(names[0], names[-1])] if len(names) > 2 else [])]
        for key in people.keys:
            for pair in pairs:
                yield _against_key(people, people, (key, key), pair)


def behind_best(
    comparisons: Comparisons, marks: Iterable[MarkSide], labels: Iterable[LabelSide]
) -> Comparisons:
    """Return comparisons in which each system knows how far it is behind the best one beside its reference.

    Of each system the newest release counts. The two are compared on what both and the reference have, by
    marks and in primary unit sets, as two releases are.
    """
    sides: dict[Key, MarkSide | LabelSide] = {(own.spans.layer, ""): own for own in marks}
    sides |= {
        (own.compared.units.layer, own.compared.units.id): own for own in labels if own.compared.units.primary
    }
    behind: dict[int, Change] = {}
    for whole in comparisons.sets:
        side = sides.get((whole.layer, whole.unit_set or ""))
        own = [
            pair for pair in comparisons.pairs if (pair.layer, pair.unit_set) == (whole.layer, whole.unit_set)
        ]
        systems = [pair for pair in own if pair.role != ANNOTATOR]
        for key in whole.references or dict.fromkeys(pair.key for pair in systems[:1]):
            best, *others = nearest([pair for pair in systems if pair.key == key], whole.figure) or (None,)
            changes = _behind(side, whole.figure, best, others) if side and best and others else {}
            behind |= {id(pair): changes[pair.other] for pair in others if pair.other in changes}
    pairs = (
        pair.model_copy(update={"behind": behind[id(pair)]}) if id(pair) in behind else pair
        for pair in comparisons.pairs
    )
    return comparisons.model_copy(update={"pairs": tuple(pairs)}) if behind else comparisons


def _behind(
    side: MarkSide | LabelSide, figure: str, best: Comparison, others: Sequence[Comparison]
) -> dict[str, Change]:
    """Return by name how far some systems are behind the best one, where both have something in common."""
    if isinstance(side, MarkSide):
        people = VersionParticipants(side.spans.people, side.spans.roles, {})
    else:
        people = VersionParticipants(side.compared.units.annotators, side.compared.roles, {})
    rivals = [_against_key(people, people, (best.key,) * 2, (own.other, best.other)) for own in others]
    revised = (
        revised_by_marks(side, side, None, {}, rivals=rivals)
        if isinstance(side, MarkSide)
        else revised_by_labels(side, side, None, {}, rivals=rivals)
    )
    return {
        revision.first: revision.measures[figure]
        for revision in revised
        if revision.basis == "shared" and figure in revision.measures
    }


def _against_key(
    first: VersionParticipants, second: VersionParticipants, key: tuple[str, str], pair: tuple[str, str]
) -> AgainstKey:
    (_, before), (system, after) = first.system_of(pair[0]), second.system_of(pair[1])
    return AgainstKey(
        system=system or pair[1],
        role=second.role(pair[1]),
        key=key[1],
        names=pair,
        codes=((first.keys[key[0]], first.others[pair[0]]), (second.keys[key[1]], second.others[pair[1]])),
        releases=None if before is None or after is None else (before, after),
    )


# What is compared with what, layer by layer.


def revised_by_labels(  # noqa: PLR0913 - both sides, and who is compared
    first: LabelSide,
    second: LabelSide,
    matching: Categories | None,
    declared: Mapping[str, Annotator],
    edited: frozenset[str] = frozenset(),
    *,
    rivals: Sequence[AgainstKey] = (),
) -> Iterator[SystemRevision]:
    """Yield everybody who is compared with a key twice in one unit set.

    The categories of the first have the names that `matching` gives them; without it the two are one version,
    and releases of one system are compared, or `rivals`. `edited` are documents whose text is another in the
    second version.
    """
    units = [side.compared.units for side in (first, second)]
    people = [
        VersionParticipants(side.compared.units.annotators, side.compared.roles, declared)
        for side in (first, second)
    ]
    pairs = rivals or list(over_versions(*people) if matching else over_releases(people[1]))
    if not pairs:
        return
    if matching:
        if matching.split:
            second = second.renamed(second, matching.split)
        first = first.renamed(second, {name: name for name in units[0].categories} | dict(matching.merged))
        common = common_units(first.compared.units, second.compared.units, edited)
    else:
        common = same_units(units[1])
    frame = Frame(
        layer=units[1].layer,
        unit_set=units[1].id,
        figure=second.coefficient if second.coefficient in {*first.names} & {*second.names} else ALPHA,
        document_figure=OBSERVED,
        names=common.names,
        edited=len(common.edited),
        annotators=_in_both(*people),
        matching=matching,
        rules=None if first.setting.scale == second.setting.scale else NoDifference.SCALE,
        distances=first.other_distances(second),
    )
    for against_key in pairs:
        one, other = against_key.codes
        scores = [
            LabelScores(first, one, one, common.first),
            LabelScores(second, other, other, common.second),
        ]
        if not matching:
            # Of two releases, the units that both and the key labelled, where there are any.
            together = [replace(score, people=(*one, other[1])) for score in scores]
            scores = together if len(together[0].units) else scores
        yield from _revised_labels(frame, against_key, scores, common)


def _in_both(first: VersionParticipants, second: VersionParticipants) -> tuple[str, ...]:
    return tuple(name for name in second.codes(ANNOTATOR) if name in first.codes(ANNOTATOR))


def _revised_labels(
    frame: Frame, against_key: AgainstKey, scores: Sequence[LabelScores], common: CommonUnits
) -> Iterator[SystemRevision]:
    """Yield somebody's figures twice: on the units of both, and on all of each where that differs."""
    units = [
        code[score.units] for code, score in zip((common.first_unit, common.second_unit), scores, strict=True)
    ]
    shared = [np.isin(mine, theirs) & (mine != UNKNOWN) for mine, theirs in (units, units[::-1])]
    both = [score.only(score.units[in_both]) for score, in_both in zip(scores, shared, strict=True)]
    clusters = len(np.unique(both[1].documents[both[1].units]))
    count = clusters if common.clustered else 0, int(shared[1].sum())
    if clusters >= 2:
        yield joined(frame, against_key, "shared", both, count)
    if clusters < 2 or not all(mask.all() for mask in shared):
        yield joined(frame, against_key, "all", scores, count)


def revised_by_marks(  # noqa: PLR0913 - both sides, and who is compared
    first: MarkSide,
    second: MarkSide,
    matching: Categories | None,
    declared: Mapping[str, Annotator],
    edited: frozenset[str] = frozenset(),
    *,
    rivals: Sequence[AgainstKey] = (),
) -> Iterator[SystemRevision]:
    """Yield everybody who is compared with a key twice, by marks in texts; as for labels.

    The types of the first version have their later names.
    """
    people = [VersionParticipants(side.spans.people, side.spans.roles, declared) for side in (first, second)]
    pairs = rivals or list(over_versions(*people) if matching else over_releases(people[1]))
    if not pairs:
        return
    common = common_documents(first.spans.documents, second.spans.documents, edited)
    strict = f"{F}[{STRICT}]"
    frame = Frame(
        layer=second.spans.layer,
        unit_set=None,
        figure=strict,
        document_figure=strict,
        names=common.names,
        edited=len(common.edited),
        annotators=_in_both(*people),
        matching=matching,
        rules=None if first.rules == second.rules else NoDifference.MATCHING,
    )
    for against_key in pairs:
        yield from _revised_marks(frame, against_key, (first, second), common)


def _revised_marks(
    frame: Frame, against_key: AgainstKey, sides: tuple[MarkSide, MarkSide], common: CommonDocuments
) -> Iterator[SystemRevision]:
    """Yield somebody's figures twice: in the documents of both, and in all of each where that differs."""
    scores = [
        MarkScores.of(side, codes, code)
        for side, codes, code in zip(sides, against_key.codes, (common.first, common.second), strict=True)
    ]
    saw = [common.there(score.cells) for score in scores]
    shared = common.same & saw[0] & saw[1]
    count = int(shared.sum())
    if count >= 2:
        yield joined(frame, against_key, "shared", [score.only(shared) for score in scores], (count, None))
    if count < 2 or any((mask != shared).any() for mask in saw):
        yield joined(frame, against_key, "all", scores, (count, None))


# Marks, systems and references: what is compared with what, layer by layer.


def revised_marks(first: Side, second: Side, merges: Merges) -> Iterator[SpanRevision]:
    """Yield agreement on marks in texts under both versions, for each layer that has such in both.

    `merges` are the later names of categories, of each version after the first up to the second.
    """
    edited = edited_documents(first, second)
    for marks, matching in _marks_of_both(first, second, merges):
        yield from revise_spans(*marks, matching, edited)


def revised_systems(
    first: Side,
    second: Side,
    merges: Merges,
    declared: Mapping[str, Annotator],
    coefficients: Mapping[str, str],
) -> tuple[SystemRevision, ...]:
    """Return everybody who is compared with the same key under both versions, by marks and by units.

    `declared` are people by the names that are shown, `coefficients` the primary one of each layer.
    """
    edited = edited_documents(first, second)
    revisions: list[SystemRevision] = []
    for marks, matching in _marks_of_both(first, second, merges):
        revisions += revised_by_marks(*marks, matching, declared, edited)
    before, after = _compared(first), _compared(second)
    for key, later_labels in after.items():
        if key in before:
            both, units = [before[key], later_labels], [first.unit_sets[key], second.unit_sets[key]]
            if overlap_in_one(*units) or overlap_in_one(*(labels.units for labels in both)):
                both = [replace(labels, units=labels.units.as_sets) for labels in both]
                units = [coded.as_sets for coded in units]
            sides = [
                LabelSide(labels, tuple(side.tables), coefficients[key[0]])
                for side, labels in zip((first, second), both, strict=True)
            ]
            matching, *_ = match_units(units[0], units[1], merges)
            revisions += revised_by_labels(sides[0], sides[1], matching, declared, edited)
    return _regressions_first(revisions)


def revised_releases(
    marks: Iterable[MarkSide], labels: Iterable[LabelSide], declared: Mapping[str, Annotator]
) -> tuple[SystemRevision, ...]:
    """Return each release of a system against another under one version, by marks and by units."""
    if not any(annotator.release for annotator in declared.values()):
        return ()
    revisions = [revision for side in marks for revision in revised_by_marks(side, side, None, declared)]
    revisions += [revision for side in labels for revision in revised_by_labels(side, side, None, declared)]
    return _regressions_first(revisions)


def _regressions_first(revisions: Iterable[SystemRevision]) -> tuple[SystemRevision, ...]:
    """Return regressions first, the worst before the others; what has no difference comes last."""
    return tuple(sorted(revisions, key=_fallen))


def _fallen(revision: SystemRevision) -> tuple[bool, float]:
    moved = revision.measures[revision.figure].difference
    return moved is None, moved or 0.0


def _marks_of_both(
    first: Side, second: Side, merges: Merges
) -> Iterator[tuple[tuple[MarkSide, MarkSide], Categories]]:
    """Yield the marks of each layer that both versions have, the first under the later names of their types.

    What counts alone can't tell under these is left out.
    """
    for layer, later in second.marks.items():
        if layer in first.marks:
            types = first.marks[layer].types
            matching = match(types, later.types, crosswalk(types, merges))
            before, after = first.marks[layer].renamed(matching.merged), later.renamed(matching.split or {})
            if before is not None and after is not None:
                yield (before, after), matching


def _compared(side: Side) -> dict[Key, ComparedUnits]:
    """Return everybody's labels by layer and unit set."""
    return {
        (compared.units.layer, compared.units.id): compared
        for study in side.studies
        for compared in study.compared
    }
