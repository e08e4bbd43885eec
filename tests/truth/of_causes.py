"""What claims on what is behind all disagreements say, checked against labels and marks."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from reportgen.findings import causes
from reportgen.measures.causes import EXPLAINS
from tests.truth import naive
from tests.truth.case import Case, Check, Values, near, number
from tests.truth.marked import meetings


@dataclass(frozen=True)
class Difference:
    """Two people who differ: in which layer and document, and what each said; `nothing` is nothing."""

    layer: str
    document: str
    people: tuple[str, str]
    said: tuple[str | None, str | None]
    ends: bool = False
    nothing: str | None = None


def differences(case: Case) -> Iterator[Difference]:
    """Yield every two labels of a unit that differ, and every case of marks."""
    for layer in case.made.layers.values():
        nothing = case.results.primary_of(layer.id).non_annotated
        if layer.marks:
            for document in sorted({name for own in layer.marks.values() for name in own}):
                own = {who: {document: marks.get(document, ())} for who, marks in layer.marks.items()}
                for mark, met, people in meetings(own):
                    if mark != met:
                        types = mark[0] if mark else None, met[0] if met else None
                        overlap = mark is not None and met is not None and mark[0] == met[0]
                        yield Difference(layer.id, document, people, types, overlap)
            continue
        for document, labels in layer.units:
            for first, second in combinations(sorted(labels), 2):
                if labels[first] != labels[second]:
                    said = labels[first], labels[second]
                    yield Difference(layer.id, document, (first, second), said, nothing=nothing)


def among(is_one: Callable[[Difference, Values], bool]) -> Check:
    """Return the check of a cause: its share of all disagreements, and that it has more than the rest."""

    def check(case: Case, values: Values) -> None:
        every = list(differences(case))
        assert values["total"] == len(every)
        cases = sum(is_one(each, values) for each in every)
        assert near(values["cause_share"], cases / len(every))
        assert number(values["cause_share"]) - number(values.get("expected_share", 0)) >= EXPLAINS - 1e-9

    return check


def marked_alone(each: Difference, values: Values) -> bool:
    return any(
        who == values["annotator"] and each.nothing == other != own
        for who, own, other in zip(each.people, each.said, each.said[::-1], strict=True)
    )


def left_out(each: Difference, values: Values) -> bool:
    return any(
        who == values["annotator"] and each.nothing == own != other
        for who, own, other in zip(each.people, each.said, each.said[::-1], strict=True)
    )


def one_way(each: Difference, values: Values) -> bool:
    by = dict(zip(each.people, each.said, strict=True))
    return (by[str(values["first"])], by[str(values["second"])]) == (values["category"], values["other"])


def of_two(each: Difference, values: Values) -> bool:
    return {*each.said} == {values["category"], values["other"]}


def single(case: Case, values: Values) -> None:
    assert values["total"] == sum(1 for _ in differences(case))


def settled(case: Case, values: Values) -> None:
    assert near(values["now"], case.figure.value)
    assert number(values["now"]) <= number(values["reached"]) <= 1


def all_settled(case: Case, values: Values) -> None:
    of_layers = [
        case.results.primary_of(layer).measures[case.results.coefficients[layer]].value
        for layer in case.results.layers
    ]
    known = [value for value in of_layers if value is not None]
    assert min(known) <= number(values["low_reached"])
    assert max(known) <= number(values["high_reached"]) <= 1


def too_fine(case: Case, values: Values) -> None:
    given = naive.labels(case.units)
    nothing = case.unit_set.non_annotated
    times = sorted(number for name, number in given.items() if name != nothing)
    assert values["labels"] == len(times)
    assert values["times"] == round(median(times))


CHECKED: Mapping[str, Callable[[Difference, Values], bool]] = {
    "one-sided": marked_alone,
    "marks-more": marked_alone,
    "marks-less": left_out,
    "annotator": lambda each, values: values["annotator"] in each.people,
    "direction": one_way,
    "labels": of_two,
    "label": lambda each, values: values["category"] in each.said,
    "document": lambda each, values: each.document == values["document"],
    "layer": lambda each, values: each.layer == values["layer_name"],
    "ends": lambda each, _values: each.ends,
}
CHECKS: Mapping[str, Check] = {
    **{template.claim: among(CHECKED[kind]) for kind, template in causes.BY_KIND.items()},
    causes.SETTLED_ONE.claim: settled,
    causes.SETTLED_SEVERAL.claim: all_settled,
    causes.NO_SINGLE.claim: single,
    causes.TOO_FINE.claim: too_fine,
}
