"""Each annotator's mean agreement with all others, and with references: the last columns of a pair table."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from reportgen.results import Results, Standing, UnitSet, rounded
from reportgen.results.parts import Mean
from reportgen.results.spans import SpanPair

STRICT = "f_measure[strict]"
OBSERVED = "observed_agreement"
ANNOTATOR, REFERENCE = "annotator", "reference"
PAIR = 2

Values = Mapping[str, float | None]


@dataclass(frozen=True)
class _Compared:
    """Two people and how much they agree: micro, and macro where it is known."""

    people: tuple[str, str]
    roles: tuple[str, str]
    values: Values

    def partner(self, name: str) -> tuple[str, str] | None:
        """Return whom somebody was compared with, and that one's role."""
        if name not in self.people:
            return None
        other = 1 - self.people.index(name)
        return self.people[other], self.roles[other]


def standings(results: Results) -> tuple[Standing, ...] | None:
    """Return each annotator's means in each layer, None where no layer has pairs to tell apart.

    Marks in texts are compared by their strict F-measure, ratings of more than two annotators by observed
    agreement in the primary unit set. Roles are those of the spans; in ratings all are annotators.
    """
    found = [each for layer in results.coefficients for each in _of_layer(results, layer)]
    return tuple(found) or None


def _of_layer(results: Results, layer: str) -> Iterator[Standing]:
    spans = results.spans.pairs if results.spans else ()
    marked = [_marks(pair) for pair in spans if pair.layer == layer]
    if marked:
        yield from _standings(layer, STRICT, marked)
        return
    primary = next((each for each in results.unit_sets if each.layer == layer and each.primary), None)
    if primary and len(primary.annotators) > PAIR:
        yield from _standings(layer, OBSERVED, list(_ratings(primary)))


def _marks(pair: SpanPair) -> _Compared:
    macro = pair.macro_documents["strict"]["f_measure"].value
    values = {"micro": pair.strict["f_measure"].value, "macro": macro}
    return _Compared(pair.annotators, pair.roles, values)


def _ratings(unit_set: UnitSet) -> Iterator[_Compared]:
    for pair in unit_set.pairs:
        value = pair.measures[OBSERVED].value
        yield _Compared(pair.annotators, (ANNOTATOR, ANNOTATOR), {"micro": value})


def _standings(layer: str, figure: str, pairs: Sequence[_Compared]) -> Iterator[Standing]:
    people = dict(item for pair in pairs for item in zip(pair.people, pair.roles, strict=True))
    for name in sorted(people):
        if people[name] == ANNOTATOR:
            others, references = (_means(pairs, name, role) for role in (ANNOTATOR, REFERENCE))
            yield Standing(layer=layer, annotator=name, figure=figure, others=others, references=references)


def _means(pairs: Sequence[_Compared], name: str, role: str) -> dict[str, Mean]:
    """Return somebody's means over the pairs with all others of a role."""
    values: dict[str, list[float]] = {}
    for pair in pairs:
        partner = pair.partner(name)
        if partner and partner[1] == role:
            for kind, value in pair.values.items():
                values.setdefault(kind, []).extend([] if value is None else [value])
    return {kind: _mean(found) for kind, found in values.items() if found}


def _mean(values: Iterable[float]) -> Mean:
    found = list(values)
    return Mean(value=rounded(math.fsum(found) / len(found)), pairs=len(found))
