"""What claims on categories say, held against labels: verdicts, caveats, confusions, weak categories."""

from collections.abc import Mapping
from functools import partial

from reportgen.catalogue import is_true_of
from reportgen.findings import confusions, verdicts
from reportgen.results import Figure
from reportgen.results.model import Level
from tests.present import present
from tests.truth import naive, of_sets
from tests.truth.case import RELIABLE, TENTATIVE, Case, Check, Values, known, near, some
from tests.truth.of_crowds import in_level


def span(case: Case, values: Values) -> None:
    low, high = case.ends
    assert near(values["value"], case.figure.value)
    assert near(values["low"], low)
    assert near(values["high"], high)
    assert low <= float(str(values["value"])) <= high
    assert known(values["value"], case.coefficient(case.units))


def lies(case: Case, values: Values, level: Level) -> None:
    span(case, values)
    assert in_level(level, values)
    assert level != "low" or case.ends[1] >= 0
    not_blind(case)


def is_below_chance(case: Case, values: Values) -> None:
    span(case, values)
    assert case.ends[1] < 0


def not_blind(case: Case) -> None:
    """No threshold is for a figure without correction for chance, nor for some under prevalence."""
    assert case.measure not in {"observed_agreement", "unanimous_agreement", "majority_agreement"}
    shares = naive.labels(case.layer.rated)
    if max(shares.values()) / sum(shares.values()) > verdicts.PREVALENT:
        assert not is_true_of(case.measure, lambda measure: measure.blind_to_prevalence)


def counts_chance(case: Case, values: Values) -> None:
    span(case, values)
    assert case.measure in {"observed_agreement", "unanimous_agreement", "majority_agreement"}


def is_prevalent(case: Case, values: Values) -> None:
    """The category is the most frequent, and its share of all labels is what is said."""
    shares = naive.labels(case.layer.rated)
    category = str(values["category"])
    assert shares[category] == max(shares.values())
    share = shares[category] / sum(shares.values())
    assert near(values["label_share"], share)
    assert share > verdicts.PREVALENT


def stays_high(case: Case, values: Values) -> None:
    span(case, values)
    is_prevalent(case, values)


def no_interval(case: Case, values: Values) -> None:
    assert near(values["value"], case.figure.value)
    assert case.figure.interval is None or case.figure.interval.low is None
    assert values["reason"]


def rare_labels(case: Case, values: Values) -> None:
    """How many labels are another than the commonest."""
    given = naive.labels(case.layer.rated)
    category = str(values["category"])
    assert near(values["value"], case.figure.value)
    assert given[category] == max(given.values())
    assert values["labels"] == sum(given.values())
    assert values["others"] == sum(given.values()) - given[category]


def undefined(case: Case, values: Values) -> None:
    assert case.results.primary_of(case.layer.id).measures.get(case.measure, Figure(value=None)).value is None
    assert values["reason"]
    if "only one category" in str(values["reason"]):
        assert len(naive.labels(case.units)) == 1


def prevails(case: Case, values: Values) -> None:
    """The others are all that were used beside the common category, and no more."""
    is_prevalent(case, values)
    others = [name for name in case.unit_set.categories if naive.labels(case.layer.rated)[name]]
    others.remove(str(values["category"]))
    assert some(values["others_list"], others, values.get("others_more"))


def uninformative(case: Case, values: Values) -> None:
    """The floors are what they would be had nobody agreed beside the common category."""
    common = str(values["category"])
    joint = sum(set(unit.values()) == {common} for unit in case.units)
    size, categories = len(case.units), len(case.unit_set.categories)
    agreed = sum(len(set(unit.values())) == 1 for unit in case.units) / size
    assert values["rare_units"] == size - joint
    assert near(values["observed_floor"], joint / size)
    assert near(values["observed"], agreed)
    assert near(values["s"], (agreed - 1 / categories) / (1 - 1 / categories))
    assert near(values["s_floor"], (joint / size - 1 / categories) / (1 - 1 / categories))
    assert agreed - joint / size <= 0.1 + 1e-9


def confused(case: Case, values: Values) -> None:
    """The share is that of all disagreement, beside what chance gives; what it would rise to follows."""
    found = naive.disagreements(case.units)
    first, second = str(values["first"]), str(values["second"])
    share = found[frozenset((first, second))] / sum(found.values())
    assert near(values["disagreement_share"], share)
    labels = naive.labels(case.units)
    # Slips that give all other labels equally often.
    evenly = (labels[first] + labels[second]) / sum(labels.values()) / (len(labels) - 1)
    by_use = naive.by_chance(case.units, first, second)
    unmarked = case.unit_set.non_annotated in case.unit_set.categories
    assert near(values["chance_share"], by_use if unmarked else max(by_use, evenly))
    assert len(naive.labels(case.units)) > 2, "of two categories all disagreement is between them"
    assert by_use < 1
    if "units" in values:
        assert values["units"] == sum(set(unit.values()) == {first, second} for unit in case.units)
    if "reached" in values:
        value = present(case.figure.value)
        assert near(values["reached"], 1 - (1 - value) * (1 - share))
        assert near(values["value"], value)


def beyond_chance(case: Case, values: Values) -> None:
    confused(case, values)
    assert float(str(values["disagreement_share"])) > float(str(values["chance_share"]))


def missed(case: Case, values: Values) -> None:
    confused(case, values)
    assert values["second"] == case.unit_set.non_annotated


def weak(case: Case, values: Values) -> None:
    if case.layer.kind.scale == "set":
        of_sets.weak(case, values)
    else:
        weak_category(case, values)


def weak_category(case: Case, values: Values) -> None:
    """The category's own alpha is below the threshold, and another was given most often in its place."""
    category, other = str(values["category"]), str(values["other"])
    assert near(values["agreement_share"], naive.specific(case.units, category))
    assert near(values["value"], naive.alpha(naive.one_against_rest(case.units, category)))
    assert float(str(values["low"])) <= float(str(values["value"])) <= float(str(values["high"])) < TENTATIVE
    assert category != case.unit_set.non_annotated
    assert case.layer.kind.scale == "nominal"
    found = naive.disagreements(case.units)
    own = {pair: many for pair, many in found.items() if category in pair}
    assert near(own[frozenset((category, other))], max(own.values()))


def more_weak(case: Case, values: Values) -> None:
    below = [
        name
        for name in naive.labels(case.units)
        if (found := naive.alpha(naive.one_against_rest(case.units, name))) is not None and found < TENTATIVE
    ]
    assert int(str(values["count"])) + confusions.SHOWN <= len(below)
    assert values["all"] == len(case.unit_set.categories)


def never_used(case: Case, values: Values) -> None:
    assert values["category"] in case.unit_set.categories
    assert values["category"] not in naive.labels(case.layer.rated)
    assert values["category"] != case.unit_set.non_annotated


def never_used_ones(case: Case, values: Values) -> None:
    used = naive.labels(case.layer.rated)
    unused = [name for name in case.unit_set.categories if not used[name]]
    assert values["count"] == len([name for name in unused if name != case.unit_set.non_annotated])
    names = values["names_list"]
    assert isinstance(names, list | tuple)
    assert set(names) <= set(unused)


def over_layers(case: Case, values: Values, level: str) -> None:
    """The layers named are those whose own verdict is this one, and no other."""
    own = [
        name
        for name, layer in case.made.layers.items()
        if _level(Case(layer, case.results, case.made)) == level
    ]
    assert some(values["names_list"], own, values.get("names_more"))
    assert values["count"] == len(own)
    assert values["all"] == len(case.made.layers)


def _level(case: Case) -> str:
    figure = case.unit_set.measures.get(case.measure)
    if figure is None or figure.value is None or figure.interval is None or figure.interval.low is None:
        return "none"
    try:
        not_blind(case)
    except AssertionError:
        return "none"
    low, high = case.ends
    if low >= TENTATIVE:
        return "high" if low >= RELIABLE else "fair"
    return "low" if high < TENTATIVE else "open"


CHECKS: Mapping[str, Check] = {
    verdicts.HIGH.claim: partial(lies, level="high"),
    verdicts.FAIR.claim: partial(lies, level="tentative"),
    verdicts.OPEN.claim: partial(lies, level="open"),
    verdicts.LOW.claim: partial(lies, level="low"),
    verdicts.BELOW_CHANCE.claim: is_below_chance,
    verdicts.UNFIT["chance"].claim: counts_chance,
    verdicts.UNFIT["prevalence"].claim: stays_high,
    verdicts.NO_INTERVAL.claim: no_interval,
    verdicts.RARE_LABELS.claim: rare_labels,
    verdicts.UNDEFINED.claim: undefined,
    verdicts.PREVALENCE.claim: prevails,
    verdicts.UNINFORMATIVE.claim: uninformative,
    confusions.CONFUSED.claim: beyond_chance,
    confusions.CONFUSED_AMONG.claim: beyond_chance,
    confusions.MISSED.claim: missed,
    confusions.MISSED_AMONG.claim: missed,
    confusions.WEAK.claim: weak,
    confusions.MORE_WEAK.claim: more_weak,
    confusions.UNUSED.claim: never_used,
    confusions.ALL_UNUSED.claim: never_used_ones,
    verdicts.NO_VERDICT.claim: partial(over_layers, level="none"),
    verdicts.OVER_LAYERS["low"].claim: partial(over_layers, level="low"),
    verdicts.OVER_LAYERS["open"].claim: partial(over_layers, level="open"),
    verdicts.OVER_LAYERS["tentative"].claim: partial(over_layers, level="fair"),
    verdicts.OVER_LAYERS["high"].claim: partial(over_layers, level="high"),
}
