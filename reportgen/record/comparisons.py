"""From what was computed of references and systems to what results.json says of them."""

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reportgen.agreement import ComparedAgreement, Comparison, Estimate, SpanComparison, SpanComparisons
from reportgen.agreement.comparisons.humans import Humans
from reportgen.agreement.comparisons.of_spans import MODE, SHOWN, F, SpanHumans
from reportgen.agreement.comparisons.scores import CategoryScores
from reportgen.agreement.sets.labels import judged
from reportgen.campaign import Annotator
from reportgen.counts import OUTCOMES
from reportgen.record.figures import by_name, figure
from reportgen.record.system_revisions import change
from reportgen.results import rounded
from reportgen.revisions.tested import twice

HEAD = ("layer", "unit_set", "key", "other", "role", "units", "observed_agreement", "cohen_kappa")
ANNOTATOR = "annotator"


@dataclass(frozen=True)
class ComputedComparisons:
    """What was computed of units and of marks; `systems` are the declared people by the names shown."""

    units: Sequence[ComparedAgreement] = ()
    spans: Sequence[SpanComparisons] = ()
    systems: Mapping[str, Annotator] = field(default_factory=dict)


def comparisons_content(computed: ComputedComparisons) -> dict[str, Any] | None:
    """Return the part `comparisons` of results.json; None where all are annotators."""
    if not computed.units and not computed.spans:
        return None
    known = computed.systems
    found = [_units(each, pair, known) for each in computed.units for pair in each.pairs]
    found += [_marks(each, pair, known) for each in computed.spans for pair in each.pairs]
    return {
        "sets": [*map(_set_of_units, computed.units), *map(_set_of_marks, computed.spans)],
        "pairs": sorted(found, key=lambda pair: _order(pair, known)),
    }


def _order(pair: Mapping[str, Any], systems: Mapping[str, Annotator]) -> tuple[bool, int, int]:
    """Return where a comparison stands: systems first, in declared order, releases of one together.

    Everybody else stays in place; layers and unit sets are told apart where they are shown.
    """
    declared = list(systems)
    if pair["role"] == ANNOTATOR:
        return True, 0, 0
    if pair["other"] not in systems:
        return False, len(declared), 0
    own = declared.index(pair["other"])
    name = systems[pair["other"]].system
    releases = [place for place, each in enumerate(systems.values()) if name and each.system == name]
    return False, min(releases, default=own), own


def _declared(name: str, systems: Mapping[str, Annotator]) -> dict[str, Any]:
    """Return which system, and which release of it, somebody is declared to be."""
    known = systems.get(name)
    if known is None or known.system is None:
        return {}
    return {"system": known.system, "release": known.release}


def _set_of_units(found: ComparedAgreement) -> dict[str, Any]:
    compared = found.compared
    names = compared.units.annotators
    return {
        "layer": compared.units.layer,
        "unit_set": compared.units.id,
        "figure": found.figure,
        "references": [names[code] for code in compared.of_role("reference")],
        "not_independent": compared.derived,
        "choice": compared.choice,
        "people": found.people,
        "crowded": found.crowd is not None,
        "humans": {names[key]: _humans(each, names) for key, each in found.humans.items()},
    }


def _set_of_marks(found: SpanComparisons) -> dict[str, Any]:
    spans = found.agreement.spans
    pairs = zip(spans.people, spans.roles, strict=True)
    return {
        "layer": spans.layer,
        "figure": f"f_measure[{MODE}]",
        "references": [name for name, role in pairs if role == "reference"],
        "not_independent": [name for name in spans.people if name in spans.derived],
        "people": len(found.pairs),
        "crowded": False,
        "humans": {spans.people[key]: _span_humans(each, spans.people) for key, each in found.humans.items()},
    }


def _units(found: ComparedAgreement, pair: Comparison, systems: Mapping[str, Annotator]) -> dict[str, Any]:
    compared = found.compared
    names, roles = compared.units.annotators, compared.roles
    key, other = pair.table.first, pair.table.second
    categories = judged(compared.units)
    means = pair.humans.by_category if pair.humans else ()
    return {
        "layer": compared.units.layer,
        "unit_set": compared.units.id,
        "key": names[key],
        "key_role": roles[key],
        "other": names[other],
        "role": roles[other],
        "independent": False if compared.made_from(key, other) else None,
        "units": pair.table.units,
        "documents": pair.table.documents,
        "measures": by_name(pair.measures),
        "by_category": {
            categories[code]: _scores(each) | _mean(means, code) for code, each in pair.by_category.items()
        },
        "humans": _humans(pair.humans, names) if pair.humans else None,
        "against_humans": _tested(
            pair.humans.measures.get(found.figure) if pair.humans else None, pair.measures.get(found.figure)
        ),
    } | _declared(names[other], systems)


def _tested(humans: Estimate | None, other: Estimate | None) -> dict[str, Any] | None:
    """Return the mean of annotators with each other beside a system's figure, and the test of the difference.

    Both are of the same units, so that documents are paired.
    """
    if humans is None or other is None or humans.value is None or other.value is None:
        return None
    return change(twice((humans, other), same_material=True))


def _scores(scores: CategoryScores) -> dict[str, Any]:
    return {
        "key": scores.key,
        "other": scores.other,
        "both": scores.both,
        "precision": figure(scores.precision),
        "recall": figure(scores.recall),
        "specific_agreement": figure(scores.specific),
    }


def _mean(means: Sequence[tuple[float, int] | None], code: int) -> dict[str, Any]:
    mean = means[code] if code < len(means) else None
    return {} if mean is None else {"humans": {"value": mean[0], "pairs": mean[1]}}


def _humans(humans: Humans, names: Sequence[str]) -> dict[str, Any]:
    return {
        "pairs": humans.pairs,
        "units": humans.units,
        "documents": humans.documents,
        "measures": by_name(humans.measures),
        "against_reference": {names[code]: by_name(each) for code, each in humans.against.items()},
    }


def _marks(found: SpanComparisons, pair: SpanComparison, systems: Mapping[str, Annotator]) -> dict[str, Any]:
    spans, own = found.agreement.spans, pair.pair
    return {
        "layer": spans.layer,
        "key": spans.people[own.first],
        "key_role": spans.roles[own.first],
        "other": spans.people[own.second],
        "role": spans.roles[own.second],
        "independent": False if spans.made_from(own.first, own.second) else None,
        "documents": len(own.documents),
        "measures": {f"{name}[{MODE}]": figure(own.shares[MODE][name]) for name in SHOWN},
        "by_category": {
            spans.types[code]: _type(each.counts.tolist(), each.shares[MODE])
            for code, each in own.by_type.items()
        },
        "humans": _span_humans(pair.humans, spans.people) if pair.humans else None,
        "against_humans": _tested(pair.humans.mean if pair.humans else None, own.shares[MODE][F]),
    } | _declared(spans.people[own.second], systems)


def _type(counts: Sequence[int], shares: Mapping[str, Any]) -> dict[str, Any]:
    match, overlap, only_first, only_second = (counts[place] for place in range(len(OUTCOMES)))
    return {
        "key": match + overlap + only_first,
        "other": match + overlap + only_second,
        "both": match,
        "precision": figure(shares["precision"]),
        "recall": figure(shares["recall"]),
        "specific_agreement": figure(shares["f_measure"]),
    }


def _span_humans(humans: SpanHumans, names: Sequence[str]) -> dict[str, Any]:
    return {
        "pairs": humans.pairs,
        "documents": humans.documents,
        "measures": {f"f_measure[{MODE}]": figure(humans.mean)},
        "against_reference": {
            names[code]: {f"{name}[{MODE}]": figure(each) for name, each in shares.items()}
            for code, shares in humans.against.items()
        },
    }


def crowd_csv(agreements: Iterable[ComparedAgreement]) -> str | None:
    """Return what is known of everybody in a crowd against each key, None where nowhere is a crowd."""
    crowds = [each for each in agreements if each.crowd is not None]
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(HEAD)
    for each in crowds:
        writer.writerows(_rows(each))
    return buffer.getvalue() if crowds else None


def _rows(found: ComparedAgreement) -> Iterable[Sequence[object]]:
    crowd, units, roles = found.crowd, found.compared.units, found.compared.roles
    if crowd is None:
        return
    columns = (crowd.first, crowd.second, crowd.units, crowd.observed, crowd.kappa)
    for first, second, n, observed, kappa in zip(*(each.tolist() for each in columns), strict=True):
        names = units.annotators[first], units.annotators[second]
        shown = "" if math.isnan(kappa) else rounded(kappa)
        yield (units.layer, units.id, *names, roles[second], n, rounded(observed), shown)
