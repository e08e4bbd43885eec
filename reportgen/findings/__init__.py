"""What do the figures mean, and what is to be done? One small rule each."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from reportgen.findings import (
    annotator_pairs,
    causes,
    certainty,
    change_certainty,
    change_confusions,
    change_figures,
    change_systems,
    confusions,
    mark_habits,
    of_groups,
    outliers,
    protocol,
    systems_and_models,
    trees,
    units,
)
from reportgen.findings.layer_facts import (
    Changes,
    Facts,
    FindingTemplate,
    Rule,
    SubjectRules,
    gravest_first,
)
from reportgen.findings.subjects import SUBJECTS, subject_of
from reportgen.findings.to_clarify import clarify
from reportgen.results import Finding, Results
from reportgen.results.comparison import VersionComparison

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

ChangeRule = Callable[[Changes], Iterator[Finding]]

# Of each layer, from its primary unit set, behind the verdict of its subject.
LAYER_RULES: tuple[Rule, ...] = (
    certainty.other_scale,
    certainty.prevalence,
    certainty.uninformative,
    units.choice,
    units.limit,
    units.length,
    annotator_pairs.swapped,
    outliers.one_label,
    outliers.silent,
    annotator_pairs.identical,
    outliers.disagreeing,
    outliers.overruled,
    confusions.weak,
    confusions.confused,
    confusions.unused,
    mark_habits.directions,
    mark_habits.kinds,
    mark_habits.boundaries,
    mark_habits.omissions,
    mark_habits.other_types,
    annotator_pairs.bias,
    of_groups.groups,
    systems_and_models.prompts,
    systems_and_models.replacing,
    units.compared,
    units.circular,
    outliers.unreliable_aggregate,
    certainty.straddles,
    certainty.documents,
    certainty.wide,
    certainty.finn,
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
    trees.heads,
    trees.confused,
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
    outliers.rejected,
    outliers.near_chance,
    outliers.drift,
    systems_and_models.not_independent,
    systems_and_models.beside_humans,
    systems_and_models.few_documents,
    systems_and_models.release_fell,
    systems_and_models.release_fell_on,
)
# Of a comparison of two versions.
CHANGE_OPENING: tuple[ChangeRule, ...] = (change_figures.verdict, change_figures.caveat)
CHANGE_RULES: tuple[ChangeRule, ...] = (
    change_systems.regressed,
    change_systems.categories,
    change_figures.stayed,
    change_figures.worse,
    change_confusions.more,
    change_confusions.sides,
    change_confusions.left,
    change_certainty.learning,
    change_certainty.annotators,
    change_certainty.categories,
    change_certainty.edited,
    change_certainty.few_documents,
    change_certainty.tests_differ,
    change_certainty.prevalence,
    change_certainty.documents_needed,
    change_figures.layers,
    change_figures.spans,
    change_figures.all_documents,
    change_figures.better,
    change_confusions.less,
    change_systems.rose,
)


def find(results: Results) -> tuple[Finding, ...]:
    """Return the verdict and every finding, the gravest first; `results` has none yet.

    With one layer its verdict and caveat come first; with several, verdicts on all, then each layer's.
    """
    layers = [Facts(results, layer) for layer in results.layers]
    opening = [list(_of_layer(_subject(facts).opening, facts)) for facts in layers]
    findings = [finding for facts in layers for finding in _of_layer(_rules_for(facts), facts)]
    without = frozenset[Rule]().union(*(_subject(facts).without for facts in layers))
    of_campaign = [finding for rule in CAMPAIGN_RULES if rule not in without for finding in rule(layers[0])]
    behind = causes.cause(layers[0])
    return (*_opening(opening), *behind, *gravest_first([*merged(findings), *of_campaign]))


def find_changes(comparison: VersionComparison) -> tuple[Finding, ...]:
    """Return the verdict, its caveat, and every finding, the gravest first; `comparison` has none yet."""
    changes = Changes(comparison)
    opening = [finding for rule in CHANGE_OPENING for finding in rule(changes)]
    return (*opening, *gravest_first(finding for rule in CHANGE_RULES for finding in rule(changes)))


def _subject(facts: Facts) -> SubjectRules:
    """Return what is said because of the subject of a layer."""
    return SUBJECTS[facts.results.subject_of(facts.layer)]


def _rules_for(facts: Facts) -> Iterable[Rule]:
    """Return the rules of a layer, those of its subject first.

    Where labels suggest another scale, those that take labels for names are not among them.
    """
    subject = _subject(facts)
    left_out = subject.without | (OF_NAMES if certainty.suggested_scale(facts) else frozenset())
    return (rule for rule in (*subject.rules, *LAYER_RULES) if rule not in left_out)


def _of_layer(rules: Iterable[Rule], facts: Facts) -> Iterator[Finding]:
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
        chain(certainty.over_layers(alike), (own for own, *_ in by_layer if own.subject is not None))
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
