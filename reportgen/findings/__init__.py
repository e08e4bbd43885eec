"""What do the figures mean, and what is to be done? One small rule each."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from reportgen.findings import (
    annotator_pairs,
    annotators,
    causes,
    change_confusions,
    changes,
    confusions,
    marks,
    protocol,
    systems,
    units,
    verdicts,
)
from reportgen.findings.confusions import clarify
from reportgen.findings.layer_facts import (
    FindingTemplate,
    LayerChanges,
    LayerFacts,
    Rule,
    SubjectRules,
    gravest_first,
)
from reportgen.findings.subjects import SUBJECTS, subject_of
from reportgen.results import Finding, Results
from reportgen.results.versions import VersionComparison

__all__ = [
    "CAMPAIGN_RULES",
    "CHANGE_OPENING",
    "CHANGE_RULES",
    "LAYER_RULES",
    "LAYER_VERDICT",
    "FindingTemplate",
    "clarify",
    "find",
    "find_changes",
    "subject_of",
]


# The id of each layer's verdict where there are several, and its kind.
LAYER_VERDICT = "layer-verdict"

ChangeRule = Callable[[LayerChanges], Iterator[Finding]]

# Of each layer, from its primary unit set, behind the verdict of its subject.
LAYER_RULES: tuple[Rule, ...] = (
    verdicts.other_scale,
    causes.too_fine,
    verdicts.prevalence,
    verdicts.uninformative,
    units.choice,
    units.limit,
    units.length,
    annotator_pairs.swapped,
    annotators.one_label,
    annotators.silent,
    annotator_pairs.identical,
    annotators.disagreeing,
    annotators.overruled,
    confusions.weak,
    confusions.confused,
    confusions.unused,
    marks.directions,
    marks.boundaries,
    marks.omissions,
    marks.other_types,
    annotator_pairs.bias,
    annotators.groups,
    systems.prompts,
    systems.replacing,
    units.compared,
    units.circular,
    annotators.unreliable_aggregate,
    verdicts.straddles,
    verdicts.documents,
    verdicts.wide,
    units.not_divided,
    units.one_set,
    units.weak_labels,
    confusions.confused_labels,
    units.differing,
    units.unused_labels,
    units.whole_sets,
    units.unjustified,
    units.omission,
    units.several_labels,
    marks.heads,
    marks.confused,
    protocol.undeclared,
    protocol.oversights,
    protocol.contradicting,
    units.gathered,
    protocol.sample,
)
# Of labels that are names: true of nothing where they suggest another scale.
OF_NAMES: frozenset[Rule] = frozenset((confusions.weak, confusions.confused, confusions.confused_labels))
# Of the whole campaign, each finding naming its layer where it has one.
CAMPAIGN_RULES: tuple[Rule, ...] = (
    protocol.independence,
    protocol.faulty_files,
    protocol.different_texts,
    protocol.left_out,
    protocol.not_compared,
    protocol.causes,
    annotators.rejected,
    annotators.near_chance,
    annotators.drift,
    systems.not_independent,
    systems.beside_humans,
    systems.few_documents,
    systems.release_fell,
    systems.release_fell_on,
)
# Of a comparison of two versions.
CHANGE_OPENING: tuple[ChangeRule, ...] = (changes.verdict, changes.caveat)
CHANGE_RULES: tuple[ChangeRule, ...] = (
    changes.regressed,
    changes.categories_of_systems,
    changes.stayed,
    changes.worse,
    change_confusions.more,
    change_confusions.sides,
    change_confusions.left,
    changes.learning,
    changes.annotators,
    changes.matched_categories,
    changes.edited,
    changes.few_documents,
    changes.prevalence,
    changes.documents_needed,
    changes.layers,
    changes.spans,
    changes.better,
    change_confusions.less,
    changes.rose,
)


def find(results: Results) -> tuple[Finding, ...]:
    """Return the verdict and every finding, the gravest first; `results` has none yet.

    With one layer its verdict and caveat come first; with several, verdicts on all, then each layer's. What
    asks for something comes in the order of its causes, and all else behind it, the gravest first.
    """
    layers = [LayerFacts(results, layer) for layer in results.layers]
    opening = [list(_of_layer(_subject(facts).opening, facts)) for facts in layers]
    findings = [finding for facts in layers for finding in _of_layer(_rules_for(facts), facts)]
    without = frozenset[Rule]().union(*(_subject(facts).without for facts in layers))
    of_campaign = [finding for rule in CAMPAIGN_RULES if rule not in without for finding in rule(layers[0])]
    others = gravest_first([*merged(findings), *of_campaign])
    every = (*_opening(opening), *causes.cause(layers[0], findings), *others)
    ordered = list(causes.numbered(causes.ranked(results, every)))
    rest = [own for own in every if not causes.asks_for_something(own)]
    return (
        *(own for own in rest if own.is_opening),
        *ordered,
        *(own for own in rest if not own.is_opening),
    )


def find_changes(comparison: VersionComparison) -> tuple[Finding, ...]:
    """Return the verdict, its caveat, and every finding, the gravest first; `comparison` has none yet."""
    changes = LayerChanges(comparison)
    opening = [finding for rule in CHANGE_OPENING for finding in rule(changes)]
    return (*opening, *gravest_first(finding for rule in CHANGE_RULES for finding in rule(changes)))


def _subject(facts: LayerFacts) -> SubjectRules:
    """Return what is said because of the subject of a layer."""
    return SUBJECTS[facts.results.subject_of(facts.layer)]


def _rules_for(facts: LayerFacts) -> Iterable[Rule]:
    """Return the rules of a layer, those of its subject first.

    Where labels suggest another scale, those that take labels for names are not among them.
    """
    subject = _subject(facts)
    left_out = subject.without | (OF_NAMES if verdicts.suggested_scale(facts) else frozenset())
    return (rule for rule in (*subject.rules, *LAYER_RULES) if rule not in left_out)


def _of_layer(rules: Iterable[Rule], facts: LayerFacts) -> Iterator[Finding]:
    """Yield a layer's findings; they say what its units are where their messages have a place for that."""
    for finding in chain.from_iterable(rule(facts) for rule in rules):
        noun = {"noun": facts.unit_set.noun} if "{noun}" in finding.claim + finding.advice else {}
        values = {**finding.values, **noun}
        yield finding.model_copy(update={"layers": (facts.layer,), "values": values})


def _opening(by_layer: Sequence[Sequence[Finding]]) -> Iterator[Finding]:
    """Yield what the report opens with; of several layers each one's verdict is no longer the report's."""
    if len(by_layer) == 1:
        yield from by_layer[0]
        return
    # Verdicts of annotators' labels are summed up; any other answers a question of its own.
    alike = {own.layers[0]: own for own, *_ in by_layer if own.subject is None}
    yield from gravest_first(
        chain(verdicts.over_layers(alike), (own for own, *_ in by_layer if own.subject is not None))
    )
    for own, *others in by_layer:
        yield own.model_copy(update={"id": LAYER_VERDICT, "kind": LAYER_VERDICT, "of_data": None})
        yield from others


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings, those that say the same of several layers as one."""
    first: dict[str, Finding] = {}
    for finding in findings:
        key = finding.model_copy(update={"layers": ()}).model_dump_json()
        earlier = first.setdefault(key, finding)
        first[key] = earlier.model_copy(
            update={"layers": tuple(dict.fromkeys((*earlier.layers, *finding.layers)))}
        )
    return list(first.values())
