"""What a table of labels holds."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from reportgen.formats.annotations import Annotations, Codes, Ratings, TextMarks
from reportgen.formats.survey.columns import Columns
from reportgen.formats.survey.found import Found, LayerFound, by_count

SEPARATORS = ("|", ";")
# What may stand between the labels of a set where it is known that labels are sets.
IN_SETS = (*SEPARATORS, ",", "/")
GOOD_SHARE = 0.05
HALF = 0.5


def of_labels(annotations: Annotations, columns: Columns | None) -> Found:
    """Return what a table, or a matrix, holds."""
    content = annotations.content
    if isinstance(content, TextMarks):
        return _found(annotations, columns, _counted(content, None), len(content.documents), content.document)
    ratings = annotations.ratings
    counted = _counted(ratings, ratings.unit_weight[ratings.unit])
    found = _found(annotations, columns, counted, len(ratings.unit_names), ratings.unit)
    units = int(ratings.unit_weight.sum())
    if ratings.ordered:
        return replace(found, units=units, ordered=True, whole=LayerFound(None, dict(counted), "items"))
    return replace(found, units=units, set_separator=separator_of(found.whole.labels))


def _counted(content: Ratings | TextMarks, weight: Codes | None) -> list[tuple[str, int]]:
    counts = np.bincount(content.label, weights=weight, minlength=len(content.labels)).astype(np.int64)
    return list(zip(content.labels, counts.tolist(), strict=True))


def _found(
    annotations: Annotations,
    columns: Columns | None,
    counted: Sequence[tuple[str, int]],
    units: int,
    marked: Codes,
) -> Found:
    content = annotations.content
    return Found(
        annotators=content.annotators,
        documents=len(content.documents),
        unmarked=units - len(np.unique(marked)),
        roles=annotations.roles,
        whole=LayerFound(None, by_count(counted), "texts" if isinstance(content, TextMarks) else "items"),
        columns=columns,
    )


def separator_of(labels: Mapping[str, int], among: Sequence[str] = SEPARATORS) -> str | None:
    """Return what separates the members of labels that are sets, None where labels are none.

    A good share of the labels has it, and most of the members come back in other labels: in running
    text they do not.
    """
    total = sum(labels.values())
    for separator in among:
        held = {label: count for label, count in labels.items() if separator in label}
        if held and sum(held.values()) >= GOOD_SHARE * total and _members_recur(labels, separator):
            return separator
    return None


def _members_recur(labels: Mapping[str, int], separator: str) -> bool:
    sets = [{member.strip() for member in label.split(separator)} - {""} for label in labels]
    members = Counter(member for each in sets for member in each)
    several = [member for each in sets if len(each) > 1 for member in each]
    return sum(members[member] > 1 for member in several) >= max(HALF * len(several), 1)
