"""What claims on material, intervals, scales and units say, held against labels."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations

from reportgen.findings import protocol, units, verdicts
from tests.truth import naive
from tests.truth.case import Case, Check, Values, known, near, number

# Of the normal distribution, for a level of 5% and a power of 80%.
LEVEL_AND_POWER = 1.959964 + 0.841621
FEW_DOCUMENTS = 20


def straddles(case: Case, values: Values) -> None:
    """The threshold lies within the interval, and what it takes to tell is more than there is."""
    low, high = case.ends
    assert near(values["low"], low)
    assert near(values["high"], high)
    assert low < float(str(values["threshold"])) <= high
    if "needed" in values:
        here = len(case.layer.documents) or len(case.units)
        assert number(values["needed"]) == here + number(values["more"])
        assert number(values["more"]) >= 1
        value, error = case.figure.value, case.figure.standard_error
        assert value is not None
        assert error is not None
        least = here * (LEVEL_AND_POWER * error / (value - float(str(values["threshold"])))) ** 2
        assert number(values["needed"]) >= 0.99 * least


def wide(case: Case, values: Values) -> None:
    low, high = case.ends
    assert near(values["low"], low)
    assert near(values["high"], high)
    assert (high - low) / 2 > float(str(values["width"])) > float(str(values["half_width"]))
    assert 0 < number(values["more"]) < number(values["many_more"])


def no_documents(case: Case, _: Values) -> None:
    assert not {name for name, _ in case.layer.units} - {""}
    assert case.units, "there are no intervals"


def some_documents(case: Case, values: Values) -> None:
    alone = [document for document, _ in case.layer.units if not document]
    assert (values["alone"], values["units"]) == (len(alone), len(case.layer.units))


def own_documents(case: Case, values: Values) -> None:
    assert values["units"] == len(case.layer.units) == len(case.layer.documents)


def conditions(case: Case, values: Values) -> None:
    few_documents(case, values)
    assert values["units"] == len(case.layer.units) >= 10 * number(values["documents"])


def few_documents(case: Case, values: Values) -> None:
    assert values["documents"] == len(case.layer.documents)
    assert number(values["documents"]) < number(values["least"]) == FEW_DOCUMENTS


def circular(case: Case, values: Values) -> None:
    """Both figures are those of the report, of a table with more than one distance."""
    measures = case.unit_set.measures
    assert naive.disagreements(case.units), "nothing is forgiven"
    assert len(naive.labels(case.layer.rated)) > 2, "nothing is forgiven more than another"
    assert near(values["alpha"], measures["krippendorff_alpha[computed]"].value)
    assert near(values["kappa"], measures["weighted_kappa[computed]"].value)


def whole_sets(case: Case, _: Values) -> None:
    assert case.layer.kind.scale == "set"
    assert "[" not in case.measure


def unjustified(case: Case, values: Values) -> None:
    assert values["unit_set"] in {each.id for each in case.results.unit_sets}
    assert "why" not in case.made.toml


def omission(case: Case, values: Values) -> None:
    """No unit of the set is one that nobody marked."""
    marked = case.layer.others[str(values["unit_set"])]
    assert all(set(unit.values()) != {case.unit_set.non_annotated} for _, unit in marked)


def choice(case: Case, values: Values) -> None:
    """The coefficient of the two unit sets is counted anew, and none is lower or higher."""
    found = {}
    for name, members in case.layer.others.items():
        compared = [unit for _, unit in members if len(unit) > 1]
        found[name] = (case.coefficient(compared), len(compared))
    for end, best in (("lowest", min), ("highest", max)):
        value, size = found[str(values[f"{end}_set"])]
        assert known(values[end], value)
        assert near(value, best(each for each, _ in found.values() if each is not None))
        assert values[f"{end}_units"] == size
    assert near(values["difference"], number(values["highest"]) - number(values["lowest"]))
    assert values["highest_set"] != values["lowest_set"]
    assert number(values["difference"]) > 0


def limit(case: Case, values: Values) -> None:
    """The limit is 1 - Σ d / Σ (R + S) over pairs of annotators."""
    apart = marked = 0
    nothing = case.unit_set.non_annotated
    for unit in case.units:
        for one, other in combinations(unit.values(), 2):
            apart += one != other
            marked += (one != nothing) + (other != nothing)
    reached = 1 - apart / marked
    assert near(values["value"], case.figure.value)
    assert values["units"] == len(case.units)
    if case.measure == "krippendorff_alpha":
        assert near(values["limit"], reached)


def never_passed(case: Case, values: Values) -> None:
    limit(case, values)
    assert number(values["value"]) <= number(values["limit"]) + 1e-12


def labels_given(case: Case) -> Counter[str]:
    """Return how often annotators gave each label; of sets, each member."""
    given = naive.labels(case.layer.rated)
    if case.layer.kind.scale != "set":
        return given
    members: Counter[str] = Counter()
    for label, times in given.items():
        members.update(dict.fromkeys(label.split("|"), times))
    return members


def undeclared(case: Case, values: Values) -> None:
    label = str(values["label"])
    assert label not in case.unit_set.categories_declared
    assert values["times"] == labels_given(case)[label]
    assert values.get("nearest", case.unit_set.categories_declared[0]) in case.unit_set.categories_declared


def alike(case: Case, _: Values) -> None:
    """Nothing is declared, and there are labels that case or white space alone tells apart."""
    assert not case.unit_set.categories_declared
    spelt = Counter(" ".join(label.split()).casefold() for label in labels_given(case))
    assert max(spelt.values()) > 1


def looking_missing(case: Case, values: Values) -> None:
    assert not case.unit_set.categories_declared
    named = [label for label in labels_given(case) if f'"{label}"' in str(values["labels"])]
    assert values["times"] == sum(labels_given(case)[label] for label in named)


def contradicting(case: Case, values: Values) -> None:
    assert values["contradicting"] == case.layer.again


def left_out(case: Case, values: Values) -> None:
    """What is read are all labels of annotators, what is left out are those that say something again."""
    read = sum(_cells(case))
    assert values["read"] == read
    assert values["left_out"] == sum(each.again for each in case.made.layers.values())


def chains(case: Case, _: Values) -> None:
    """No made campaign has chains, which only exports of marks in texts have."""
    assert not case.made.layers


def _cells(case: Case) -> Iterator[int]:
    for layer in case.made.layers.values():
        yield sum(len(labels) for _, labels in layer.units)
        yield layer.again


def independence(case: Case, _: Values) -> None:
    assert "independent" not in case.made.toml


CHECKS: Mapping[str, Check] = {
    verdicts.STRADDLES.claim: straddles,
    verdicts.WIDE_BY_UNIT.claim: wide,
    verdicts.NO_DOCUMENTS.claim: no_documents,
    verdicts.SOME_DOCUMENTS.claim: some_documents,
    verdicts.OWN_DOCUMENTS.claim: own_documents,
    verdicts.CONDITIONS.claim: conditions,
    verdicts.FEW.claim: few_documents,
    units.CIRCULAR.claim: circular,
    units.WHOLE_SETS.claim: whole_sets,
    units.UNJUSTIFIED.claim: unjustified,
    units.OMISSION.claim: omission,
    units.CHOICE.claim: choice,
    units.LIMIT.claim: never_passed,
    units.FALLS.claim: limit,
    protocol.UNDECLARED.claim: undeclared,
    protocol.MISSPELT.claim: undeclared,
    protocol.ALIKE.claim: alike,
    protocol.LOOKING_MISSING.claim: looking_missing,
    protocol.CONTRADICTING.claim: contradicting,
    protocol.LEFT_OUT.claim: left_out,
    protocol.UNKNOWN.claim: independence,
    protocol.CHAINS.claim: chains,
}
