"""What a sheet calls things: its columns, the causes of a disagreement, and the reference made from it."""

from collections.abc import Sequence

# The annotator that the decisions become.
REFERENCE = "adjudicated"

PLACE = ("layer", "document", "unit", "offsets")
CONTEXT = ("before", "text", "after")
ANSWERS = ("decision", "cause")
COLUMNS = (*PLACE, *CONTEXT, *ANSWERS)
# What surrounds a unit is for the reader of the sheet alone.
REQUIRED = (*PLACE, "text", *ANSWERS)
# With more annotators than these, one column says how often each label was given.
MOST_ANNOTATORS = 50
LABELS = "labels"

CAUSES = (
    "slip",
    "guideline silent",
    "guideline forgotten",
    "text ambiguous",
    "pre-annotation missed",
    "other",
)


def cause_of(cell: str) -> str | None:
    """Return the cause that a cell names, whatever its spaces, hyphens and case; None where it names none."""
    return next((cause for cause in CAUSES if _letters(cause) == _letters(cell)), None)


def _letters(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def annotator_column(name: str) -> str:
    """Return what heads an annotator's labels: the name, unless a column of the sheet is called so."""
    return f"annotator {name}" if name.strip().casefold() in (*COLUMNS, LABELS) else name


def annotator_columns(annotators: Sequence[str]) -> list[str]:
    """Return the columns that hold labels."""
    return [annotator_column(name) for name in annotators] if len(annotators) <= MOST_ANNOTATORS else [LABELS]
