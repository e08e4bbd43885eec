"""What became of every mark: used, or left out for a reason, and none lost."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import replace

from reportgen.study import LeftOut, Study

# With more places of marks left out than these, results.json joins those of one file and reason.
MOST_LEFT_OUT = 1000


def sum_of_marks(studies: Iterable[Study], left_out: Sequence[LeftOut]) -> dict[str, int]:
    """Return the sum of marks, and see that nothing was lost."""
    known = tuple(studies)
    read = sum(study.marks_read for study in known)
    used = sum(study.marks_used for study in known)
    missed = sum(each.marks for each in left_out)
    if read != used + missed:
        message = (
            f"{read} marks were read, {used} used and {missed} left out: {read - used - missed} are lost"
        )
        raise AssertionError(message)
    missing = sum(study.missing for study in known)
    return {"read": read, "used": used, "left_out": missed, "missing": missing}


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
