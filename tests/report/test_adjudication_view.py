"""What the report makes of the causes that adjudicators noted."""

from reportgen.report.quality_tables import Commonest, commonest
from reportgen.results import Adjudication


def first(causes: dict[str, dict[str, int]]) -> Commonest | None:
    totals: dict[str, int] = {}
    for each in causes.values():
        for cause, times in each.items():
            totals[cause] = totals.get(cause, 0) + times
    found = Adjudication.model_validate(
        {"layer": "main", "open": 1, "listed": True, "causes": causes, "by_cause": totals}
    )
    return commonest(found, "none")


def test_what_the_guidelines_should_say_first_is_nothing_that_happens_under_any() -> None:
    found = first(
        {
            "PER": {"slip": 9, "guideline silent": 2},
            "LOC": {"text ambiguous": 3},
            "none": {"guideline silent": 8},
        }
    )
    assert found == ("LOC", "text ambiguous", 3)


def test_slips_alone_call_for_no_rule() -> None:
    assert first({"PER": {"slip": 9, "other": 1}}) is None
