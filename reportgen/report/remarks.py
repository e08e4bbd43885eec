"""What a unit set counts and leaves out, in sentences."""

from collections.abc import Iterator

from reportgen.report import numbers
from reportgen.report.language import _, say, say_many
from reportgen.results import Candidates, UnitSet

PAIR = 2


def remarks(unit_set: UnitSet) -> Iterator[str]:
    """Yield what is to be said of a unit set beside its reason."""
    if unit_set.candidates:
        yield f"{_candidates(unit_set.candidates)} {_outside(unit_set.candidates)}"
    if unit_set.boundary is not None:
        yield say_many(
            "Boundary cases: {count} of the {marks} marks begins or ends inside a token, and counts for the "
            "whole of it.",
            "Boundary cases: {count} of the {marks} marks begin or end inside a token, and count for the "
            "whole of it.",
            unit_set.boundary,
            count=numbers.count(unit_set.boundary),
            marks=numbers.count(unit_set.marks.used),
        )
    if unit_set.units_left_out:
        yield " ".join(_left_out(unit_set))
    if _without_curve(unit_set):
        yield _(
            "What other sizes would make of the coefficients is not shown: not everybody rated every unit "
            "compared, and who would rate a further one is not known."
        )


def _without_curve(unit_set: UnitSet) -> bool:
    """Tell whether the size of the non-annotated category was a choice, but ratings of many are missing."""
    some = any(PAIR <= int(each) < len(unit_set.annotators) for each in unit_set.units_by_annotators)
    return unit_set.non_annotated is not None and unit_set.size_curve is None and some


def _candidates(found: Candidates) -> str:
    if not found.file:
        return say("Candidates are the marks of {layer}, whoever made them.", layer=found.layer)
    terms = found.terms or 0
    return say_many(
        "Candidates are where the {count} term in {file} stands.",
        "Candidates are where one of the {count} terms in {file} stands.",
        terms,
        count=numbers.count(terms),
        file=found.file,
    )


def _outside(found: Candidates) -> str:
    if found.keep_marked:
        return _("Marked stretches outside them are units too.")
    return _("Marks outside them are left out.")


def _left_out(unit_set: UnitSet) -> Iterator[str]:
    reasons = (
        say("{count} ({reason})", count=numbers.count(units), reason=numbers.message(reason, {}))
        for reason, units in unit_set.units_left_out.items()
    )
    read = unit_set.units_read
    yield say_many(
        "Left out of the export's {count} unit: {reasons}.",
        "Left out of the export's {count} units: {reasons}.",
        read,
        count=numbers.count(read),
        reasons=_("; ").join(reasons),
    )
    if unit_set.units_added:
        yield say_many(
            "Added: {count} unit that nobody marked.",
            "Added: {count} units that nobody marked.",
            unit_set.units_added,
            count=numbers.count(unit_set.units_added),
        )
