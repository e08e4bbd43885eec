"""Who agrees with whom: every figure of every two, and each annotator against the majority."""

from reportgen.report.contents import figures_of_pairs, slug
from reportgen.report.tables import ReportTable, table_if
from reportgen.results import Results, UnitSet
from reportgen.words.language import _, say_many


def every_pair(results: Results, unit_set: UnitSet) -> ReportTable | None:
    """Return every figure of every pair, for the CSV; None for a single pair."""
    names = results.in_order({name for pair in unit_set.pairs for name in pair.measures})
    return figures_of_pairs(results, unit_set, names)


def majority(unit_set: UnitSet) -> ReportTable | None:
    """Return how often each annotator says what most of the others say."""
    by_annotator = unit_set.against_majority
    caption = say_many(
        "{The {count} annotator|Each of the {count} annotators} against the most common label of the others.",
        len(by_annotator),
    )
    agrees = _("Agrees with most others [95% interval]")
    return table_if(
        f"majority-{slug(unit_set)}",
        caption,
        by_annotator.items(),
        ("annotator", _("Annotator"), "text", lambda row: row[0]),
        ("units", _("Units"), "count", lambda row: row[1].units),
        ("majority_agreement", agrees, "estimate", lambda row: row[1]),
        file=f"majority.{slug(unit_set)}.csv",
        what="Each annotator against the commonest label of the others.",
    )
