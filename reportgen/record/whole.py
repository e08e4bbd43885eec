"""From what was computed to the model of results.json."""

import csv
import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib import metadata
from typing import Any

import numpy as np

from reportgen import __version__
from reportgen.adjudication import Account
from reportgen.agreement import (
    SHARES,
    CreditAgreement,
    Estimate,
    PairAgreement,
    SizeCurve,
    SpanAgreement,
    SymmetryTest,
    UnitizingAgreement,
    UnitSetAgreement,
    base_id,
)
from reportgen.campaign import Campaign, DistanceTable, Version
from reportgen.files import Source
from reportgen.quality import LayerQuality
from reportgen.record.choice import choose
from reportgen.record.comparisons import ComputedComparisons, comparisons_content
from reportgen.record.credits import distance_table
from reportgen.record.definitions import definition_content, figures_of, weighting_content
from reportgen.record.figures import by_name, figure
from reportgen.record.means import standings
from reportgen.record.over_documents import macro_over_documents
from reportgen.record.quality import quality_content
from reportgen.record.sets import sets_content
from reportgen.record.spans import spans_content
from reportgen.record.together import together
from reportgen.record.uncertainty import uncertainty
from reportgen.record.unitizing import unitizing_ids, with_unitizing
from reportgen.results import Results, UnitSet, dumps, rounded
from reportgen.study import NO_CATEGORY, NO_DOCUMENT, CodedUnits, Codes, LeftOut, Study

LIBRARIES = ("numpy", "scipy", "matplotlib")
PAIR = 2
# With more categories than these, one pair of many shows only those that it used.
MOST_CATEGORIES = 20
# With more places of marks left out than these, results.json joins those of one file and reason.
MOST_LEFT_OUT = 1000


@dataclass(frozen=True)
class Computed:
    """All that was computed of one guidelines version."""

    campaign: Campaign
    version: Version
    reading: str
    studies: Sequence[Study]
    agreements: Sequence[UnitSetAgreement]
    spans: Sequence[SpanAgreement]
    credits: Sequence[Sequence[CreditAgreement]]
    adjudication: Sequence[Account]
    distances: Sequence[DistanceTable]
    sources: Sequence[Source]
    unread: Sequence[str]
    unitizing: Sequence[UnitizingAgreement] = ()
    quality: Sequence[LayerQuality] = ()
    comparisons: ComputedComparisons = field(default_factory=ComputedComparisons)


def record(computed: Computed) -> Results:
    """Return the results of one guidelines version, without findings."""
    campaign, version = computed.campaign, computed.version
    chosen = {layer.id: choose(campaign, version.id, layer.id) for layer in version.layers}
    left_out = [each for study in computed.studies for each in study.left_out]
    studies = dict(zip((layer.id for layer in version.layers), computed.studies, strict=True))
    content: dict[str, Any] = {
        "schema": 1,
        "campaign": _facts(campaign),
        "guidelines": version.id,
        "revision": _revision(version),
        "coefficient": chosen[version.layers[0].id].coefficient,
        "coefficients": {layer: each.coefficient for layer, each in chosen.items()},
        "coefficient_declared": chosen[version.layers[0].id].declared,
        "choice": {layer: asdict(each) | {"declared": each.declared} for layer, each in chosen.items()},
        "reading": computed.reading,
        "unit_sets": [unit_set(each, studies[each.units.layer]) for each in computed.agreements],
        "spans": with_unitizing(spans_content(computed.spans, computed.credits), computed.unitizing),
        "comparisons": comparisons_content(computed.comparisons),
        "quality": quality_content(computed.quality),
        "adjudication": [_adjudication(each) for each in computed.adjudication] or None,
        "distances": [distance_table(each) for each in computed.distances],
        "marks": _marks(computed.studies, left_out),
        "left_out": [asdict(each) for each in joined(left_out)],
        "material": [_material(study) for study in computed.studies],
        "unread": computed.unread,
        "inputs": [asdict(each) for each in computed.sources],
        "catalogue": _catalogue(computed.agreements, computed.spans, unitizing_ids(computed.unitizing)),
        "weightings": weighting_content(figures_of(computed.agreements, spans=bool(computed.spans))),
        "tool": tool(),
    }
    # As read back from the file: what is rendered can't hang on anything that the file does not hold.
    found = Results.model_validate_json(dumps(Results.model_validate(rounded(content))))
    return found.model_copy(update={"standings": standings(found)})


def record_unit_set(agreement: UnitSetAgreement, study: Study) -> UnitSet:
    """Return one unit set of results.json alone."""
    return UnitSet.model_validate(rounded(unit_set(agreement, study)))


def tool() -> dict[str, Any]:
    """Return what provenance says of this program and the libraries that numbers and figures depend on."""
    libraries = {name: metadata.version(name) for name in LIBRARIES}
    return {"name": "reportgen", "version": __version__, "libraries": libraries}


def _facts(campaign: Campaign) -> dict[str, Any]:
    def known(table: Any) -> dict[str, Any]:  # noqa: ANN401 - any table of campaign.toml
        return dict(table.model_dump(mode="json", exclude_none=True))

    return {
        "id": campaign.id,
        "title": campaign.title,
        "corpus": known(campaign.corpus),
        "authors": [known(author) for author in campaign.authors],
        "protocol": known(campaign.protocol),
        "references": [known(reference) for reference in campaign.references],
    }


def _revision(version: Version) -> dict[str, Any]:
    date = version.date.isoformat() if version.date else None
    return {"date": date, "changes": version.changes, "document": version.document}


def _marks(studies: Iterable[Study], left_out: Sequence[LeftOut]) -> dict[str, int]:
    """Return the sum of marks, and see that nothing was lost."""
    read = sum(study.marks_read for study in studies)
    used = sum(study.marks_used for study in studies)
    missed = sum(each.marks for each in left_out)
    if read != used + missed:
        message = (
            f"{read} marks were read, {used} used and {missed} left out: {read - used - missed} are lost"
        )
        raise AssertionError(message)
    return {"read": read, "used": used, "left_out": missed}


def joined(left_out: Sequence[LeftOut], most: int = MOST_LEFT_OUT) -> list[LeftOut]:
    """Return what is left out; where it is much, one row for each file, annotator and reason.

    Such a row has the line of the first mark. The whole list stands in tables/left-out.csv.
    """
    if len(left_out) <= most:
        return list(left_out)
    found: dict[tuple[str, str, str], LeftOut] = {}
    for each in left_out:
        key = each.file, each.annotator, each.reason
        first = found.get(key)
        found[key] = replace(first, marks=first.marks + each.marks) if first else each
    return list(found.values())


def left_out_csv(studies: Iterable[Study]) -> str | None:
    """Return every mark that is left out with its place, None where results.json has them all."""
    left_out = [each for study in studies for each in study.left_out]
    if len(left_out) <= MOST_LEFT_OUT:
        return None
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(("annotator", "reason", "marks", "file", "line"))
    writer.writerows(
        (each.annotator, each.reason, each.marks, each.file, each.line or "") for each in left_out
    )
    return buffer.getvalue()


def _material(study: Study) -> dict[str, Any]:
    material = study.material
    shares = {name: count / material.marks for name, count in material.labels.items()}
    return asdict(material) | {
        "shares": shares,
        "marks_per_document": material.marks / material.copies if material.copies else None,
        "marks_per_1000_tokens": 1000 * material.marks / material.tokens_seen
        if material.tokens_seen
        else None,
    }


def _adjudication(found: Account) -> dict[str, Any]:
    """Return what was decided in one layer; without a sheet nothing was, and there is only what is open."""
    known = {"layer": found.layer, "open": found.open, "listed": found.listed}
    if not found.filled:
        return known
    annotators = {
        name: asdict(each) | {"share": each.agreed / each.units} for name, each in found.annotators.items()
    }
    return asdict(found) | known | {"independent": False, "annotators": annotators}


def _catalogue(
    agreements: Iterable[UnitSetAgreement], spans: Sequence[SpanAgreement], others: set[str]
) -> dict[str, Any]:
    """Return the definitions of the measures that the results use, in the catalogue's order."""
    used = {base_id(name) for each in agreements for name in (*each.measures, *each.mean_over_pairs)}
    for agreement in agreements:
        for pair in agreement.pairs:
            used |= {base_id(name) for name in (*pair.measures, *pair.tests)}
            used |= {base_id(name) for figures in pair.against_rest for name in figures}
            used |= {"conditional_probabilities", "computed_distances"}
    used.add("specific_agreement")
    used |= {*SHARES, "false_positives"} if spans else set()
    used |= others
    return {name: each for name, each in definition_content().items() if name in used}


def pairs_csv(agreements: Iterable[UnitSetAgreement]) -> str | None:
    """Return the figures of every pair of too many annotators for a table each, None where there are few."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(("layer", "unit_set", "first", "second", "units", "observed_agreement", "cohen_kappa"))
    crowded = [(each.units, each.pair_figures) for each in agreements if each.pair_figures is not None]
    for units, figures in crowded:
        columns = (figures.first, figures.second, figures.units, figures.observed, figures.kappa)
        for first, second, n, observed, kappa in zip(*(each.tolist() for each in columns), strict=True):
            names = units.annotators[first], units.annotators[second]
            undefined = math.isnan(kappa)
            writer.writerow(
                (units.layer, units.id, *names, n, rounded(observed), "" if undefined else rounded(kappa))
            )
    return buffer.getvalue() if crowded else None


def unit_set(agreement: UnitSetAgreement, study: Study) -> dict[str, Any]:
    """Return one unit set with all its figures, floats not yet rounded."""
    units = agreement.units
    known = units.unit_document != NO_DOCUMENT
    raters = np.bincount(units.unit, minlength=len(known))
    compared = raters > 1
    pairs = [_pair(pair, units.annotators, units.categories) for pair in agreement.pairs]
    only = pairs[0] if len(pairs) == 1 and len(units.annotators) == PAIR else {}
    return {
        "layer": units.layer,
        "id": units.id,
        "primary": units.primary,
        "kind": units.kind,
        "why": units.why,
        "scale": units.scale,
        "units": units.units,
        "units_read": units.units_read,
        "units_added": units.units_added,
        "units_left_out": dict(units.units_left_out),
        "units_by_annotators": _by_raters(raters, units.unit_weight),
        "base": units.base,
        "candidates": _candidates(units),
        "boundary": units.boundary,
        "several": units.several,
        "joined": units.joined,
        "marks": {
            "read": study.marks_read,
            "used": units.marks_used,
            "left_out": {**study.passed_over, **units.marks_left_out},
        },
        "documents": len(np.unique(units.unit_document[known])),
        "documents_compared": len(np.unique(units.unit_document[known & compared])),
        "units_compared": int(units.unit_weight[compared].sum()),
        "units_alone": int(units.unit_weight[~known].sum()),
        "annotators": units.annotators,
        "categories": units.categories,
        "non_annotated": None
        if units.non_annotated == NO_CATEGORY
        else units.categories[units.non_annotated],
        "labels": dict(zip(units.categories, _label_totals(units), strict=True)),
        "measures": by_name(agreement.measures),
        "mean_over_pairs": {name: asdict(mean) for name, mean in agreement.mean_over_pairs.items()},
        "macro_over_documents": macro_over_documents(agreement),
        "specific_agreement": _by_category(agreement.specific, units.categories),
        "size_curve": only.get("size_curve"),
        "pairs": pairs,
        "sets": sets_content(agreement),
        **together(agreement),
        **uncertainty(agreement),
    }


def _candidates(units: CodedUnits) -> dict[str, Any] | None:
    if units.candidates is None:
        return None
    known = {name: value for name, value in asdict(units.candidates).items() if value}
    return {**known, "keep_marked": units.candidates.keep_marked}


def _by_raters(raters: Codes, weight: Codes) -> dict[str, int]:
    """Return how many units were rated by 0, 1, 2, … annotators, numbers that do not occur left out."""
    units = np.zeros(int(raters.max(initial=0)) + 1, dtype=np.int64)
    np.add.at(units, raters, weight)
    return {str(number): count for number, count in enumerate(units.tolist()) if count}


def _label_totals(units: CodedUnits) -> list[int]:
    totals = np.zeros(len(units.categories), dtype=np.int64)
    np.add.at(totals, units.label, units.unit_weight[units.unit])
    return list(totals.tolist())


def _pair(pair: PairAgreement, annotators: Sequence[str], categories: Sequence[str]) -> dict[str, Any]:
    names = annotators[pair.table.first], annotators[pair.table.second]
    shown = _shown(pair, annotators, categories)
    here = [categories[code] for code in shown]
    square = np.ix_(shown, shown)
    rest = [pair.against_rest[code] for code in shown] if pair.against_rest else []
    return {
        "annotators": names,
        "documents": pair.table.documents,
        "confusion": {
            "rows": names[0],
            "columns": names[1],
            "categories": here,
            "counts": pair.table.counts[square].tolist(),
        },
        "measures": by_name(pair.measures),
        "specific_agreement": _by_category([pair.specific[code] for code in shown], here),
        "against_rest": {name: by_name(figures) for name, figures in zip(here, rest, strict=False)},
        "conditional_probabilities": pair.conditional[square].tolist(),
        "distances": {
            "computed_alpha": pair.computed_alpha[square].tolist(),
            "computed_kappa": pair.computed_kappa[square].tolist(),
        },
        "size_curve": _curve(pair.curve),
        "symmetry": {name: _test(test) for name, test in pair.tests.items()},
    }


def _shown(pair: PairAgreement, annotators: Sequence[str], categories: Sequence[str]) -> list[int]:
    """Return the codes of the categories that a pair's tables show.

    One pair of many shows only those that it used, where there are many: an inventory is large, and a
    pair's share of it small.
    """
    if len(annotators) == PAIR or len(categories) <= MOST_CATEGORIES:
        return list(range(len(categories)))
    return list(np.flatnonzero(pair.table.row_totals + pair.table.column_totals).tolist())


def _by_category(estimates: Sequence[Estimate], categories: Sequence[str]) -> dict[str, Any]:
    return {name: figure(estimate) for name, estimate in zip(categories, estimates, strict=True)}


def _curve(curve: SizeCurve | None) -> dict[str, Any] | None:
    return None if curve is None else asdict(curve)


def _test(test: SymmetryTest) -> dict[str, Any]:
    known = {name: value for name, value in vars(test).items() if value is not None}
    return known if test.undefined is None else {key: known[key] for key in known if key != "degrees"}
