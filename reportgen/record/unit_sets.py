"""One unit set of results.json: what was a unit, and every figure."""

from dataclasses import asdict
from typing import Any

import numpy as np

from reportgen.agreement import UnitSetAgreement
from reportgen.record.figures import by_category, by_name
from reportgen.record.over_documents import macro_over_documents
from reportgen.record.pairs import curve_content, pairs_content
from reportgen.record.sets import sets_content
from reportgen.record.together import together
from reportgen.record.uncertainty import uncertainty
from reportgen.results import UnitSet, rounded
from reportgen.study import NO_CATEGORY, NO_DOCUMENT, CodedUnits, Codes, Study

# What results.json says of a unit set in the words of the study.
AS_THEY_ARE = (
    *("layer", "id", "primary", "kind", "why", "scale", "annotators", "categories"),
    *("units", "units_read", "units_added", "base", "boundary", "several", "joined"),
)


def record_unit_set(agreement: UnitSetAgreement, study: Study) -> UnitSet:
    """Return one unit set of results.json alone."""
    return UnitSet.model_validate(rounded(unit_set(agreement, study)))


def unit_set(agreement: UnitSetAgreement, study: Study) -> dict[str, Any]:
    """Return one unit set with all its figures, floats not yet rounded."""
    units = agreement.units
    return {
        **_description(units, study),
        **_sizes(units),
        "measures": by_name(agreement.measures),
        "mean_over_pairs": {name: asdict(mean) for name, mean in agreement.mean_over_pairs.items()},
        "macro_over_documents": macro_over_documents(agreement),
        "specific_agreement": by_category(agreement.specific, agreement.judged),
        "size_curve": curve_content(agreement.curve),
        "pairs": pairs_content(agreement),
        "sets": sets_content(agreement),
        **together(agreement),
        **uncertainty(agreement),
    }


def _description(units: CodedUnits, study: Study) -> dict[str, Any]:
    """Return what was a unit, who labelled it, with what, and what became of the marks."""
    absent = units.non_annotated
    return {
        **{name: getattr(units, name) for name in AS_THEY_ARE},
        "units_left_out": dict(units.units_left_out),
        "candidates": _candidates(units),
        "categories_declared": study.declared,
        "marks": {
            "read": study.marks_read,
            "used": units.marks_used,
            "left_out": {**study.passed_over, **units.marks_left_out},
            "missing": study.missing,
            "repeated": study.repeated,
            "contradicting": study.contradicting,
        },
        "non_annotated": None if absent == NO_CATEGORY else units.categories[absent],
        "labels": dict(zip(units.categories, _label_totals(units), strict=True)),
    }


def _sizes(units: CodedUnits) -> dict[str, Any]:
    """Return how many documents and units there are, and how many that two annotators labelled."""
    known = units.unit_document != NO_DOCUMENT
    raters = np.bincount(units.unit, minlength=len(known))
    compared = raters > 1
    return {
        "units_by_annotators": _by_raters(raters, units.unit_weight),
        "documents": len(np.unique(units.unit_document[known])),
        "documents_compared": len(np.unique(units.unit_document[known & compared])),
        "units_compared": int(units.unit_weight[compared].sum()),
        "units_alone": int(units.unit_weight[~known].sum()),
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
