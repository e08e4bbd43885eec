"""From what was computed of references and systems to what results.json says of them."""

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from reportgen.campaign import Annotator
from reportgen.measures import (
    LEVEL,
    ComparedAgreement,
    Estimate,
    EstimateDifference,
    KeyComparison,
    SpanComparison,
    SpanComparisons,
    clusters_needed,
)
from reportgen.measures.comparisons import HumanAgreement
from reportgen.measures.figures import figure, figures_by_name
from reportgen.measures.scores import MODE, SHOWN, CategoryEstimates, F, SpanHumans
from reportgen.measures.sets import judged
from reportgen.results import rounded
from reportgen.results.marks import SpanFigures
from reportgen.versions.figures import Matching, TestedChange, twice
from reportgen.versions.marks import MarkSample, SpanRevised
from reportgen.versions.system_comparison import DocumentRevised, SystemRevised

# From what was computed of spans, systems and releases twice to what comparison.json says of them.


def span_revision(found: SpanRevised) -> dict[str, Any]:
    """Return agreement on marks under both versions, as a SpanRevision of the results."""
    return {
        "layer": found.layer,
        "basis": found.basis,
        "first": _sample(found.samples[0]),
        "second": _sample(found.samples[1]),
        "overlap": {"documents": found.shared, "annotators": found.annotators, "edited": found.edited},
        "measures": _changes(found.measures),
        "by_type": _changes(found.by_type),
        "pairs": [
            {"annotators": names, "measures": _changes(measures)} for names, measures in found.pairs.items()
        ],
        "categories": _matching(found.matching),
    }


def _sample(found: MarkSample) -> dict[str, Any]:
    return {
        "documents": found.documents,
        "units": found.marks,
        "annotators": found.annotators,
        "categories": found.types,
    }


def _matching(found: Matching) -> dict[str, Any]:
    return asdict(found)


def in_order(found: Iterable[SystemRevised]) -> list[SystemRevised]:
    """Return regressions first, the worst before the others; what has no difference stands last."""
    return sorted(found, key=_fallen)


def _fallen(each: SystemRevised) -> tuple[bool, float]:
    moved = each.moved
    return moved is None, moved or 0.0


def system_revisions(found: Iterable[SystemRevised]) -> list[dict[str, Any]]:
    """Return systems and whoever else is held against a key twice, as SystemRevisions of the results."""
    return [system_revision(each) for each in in_order(found)]


def system_revision(found: SystemRevised) -> dict[str, Any]:
    """Return somebody against a key twice, as a SystemRevision of the results."""
    held, (first, second) = found.held, found.scored
    documents, units = found.shared
    other = found.document_figure if found.document_figure != found.figure else None
    return {
        "layer": found.layer,
        "unit_set": found.unit_set,
        "system": held.system,
        "role": held.role,
        "key": held.key,
        "first": held.names[0],
        "second": held.names[1],
        "releases": held.releases,
        "basis": found.basis,
        "figure": found.figure,
        "documents": (first.documents, second.documents),
        "units": None if found.unit_set is None else (first.units, second.units),
        "overlap": {
            "documents": documents,
            "units": units,
            "annotators": found.annotators,
            "edited": found.edited,
        },
        "measures": _changes(found.measures),
        "by_category": _changes(found.by_category),
        "by_document": [_document(each) for each in found.by_document],
        "document_figure": other,
        "humans": {
            name: figure(each)
            for name, each in zip(("first", "second"), found.humans or (), strict=bool(found.humans))
        },
        "categories": found.matching and _matching(found.matching),
    }


def _document(found: DocumentRevised) -> dict[str, Any]:
    return {**vars(found), "difference": found.difference}


def _changes(found: Mapping[str, TestedChange]) -> dict[str, Any]:
    return {name: change(each) for name, each in found.items()}


def change(found: TestedChange) -> dict[str, Any]:
    """Return a figure twice, with its difference and test, as a Change of the results."""
    known: dict[str, Any] = {
        "first": figure(found.first),
        "second": figure(found.second),
        "difference": found.moved,
    }
    tested = found.tested
    if not isinstance(tested, EstimateDifference):
        return known | {"untested": str(tested)}
    return known | {
        "difference": tested.value,
        "standard_error": tested.standard_error,
        "interval": {"low": tested.low, "high": tested.high, "level": LEVEL},
        "test": {
            "method": tested.method,
            "statistic": tested.statistic,
            "degrees": tested.degrees,
            "p": tested.p,
            "adjusted": found.adjusted,
        },
        "needed": clusters_needed(tested),
    }


# From what was computed of references and systems to what results.json says of them.

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


def _units(found: ComparedAgreement, pair: KeyComparison, systems: Mapping[str, Annotator]) -> dict[str, Any]:
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
        "measures": figures_by_name(pair.measures),
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


def _scores(scores: CategoryEstimates) -> dict[str, Any]:
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


def _humans(humans: HumanAgreement, names: Sequence[str]) -> dict[str, Any]:
    return {
        "pairs": humans.pairs,
        "units": humans.units,
        "documents": humans.documents,
        "measures": figures_by_name(humans.measures),
        "against_reference": {names[code]: figures_by_name(each) for code, each in humans.against.items()},
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
        "by_category": {name: _type(each) for name, each in own.figures.by_type.items()},
        "humans": _span_humans(pair.humans, spans.people) if pair.humans else None,
        "against_humans": _tested(pair.humans.mean if pair.humans else None, own.shares[MODE][F]),
    } | _declared(spans.people[own.second], systems)


def _type(found: SpanFigures) -> dict[str, Any]:
    counts = found.counts
    return {
        "key": counts.match + counts.overlap + counts.only_first,
        "other": counts.match + counts.overlap + counts.only_second,
        "both": counts.match,
        "precision": found.strict["precision"],
        "recall": found.strict["recall"],
        "specific_agreement": found.strict["f_measure"],
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
