"""Which groups of annotators differ: a difference may be how people see things, and accuses nobody."""

from collections.abc import Iterator

from reportgen.findings.layer_facts import LEVEL, Facts, FindingTemplate
from reportgen.results import Finding
from reportgen.results.groups import LayerGroups

# A finding names so many of the labels that groups use more, the surest.
MOST_TOLD = 3
GROUPS = FindingTemplate("groups", "note", "groups", of_data="disagreement")
APART = GROUPS.saying(
    "Annotators whose {attribute} is {group} agree more among themselves ({within}) than with the others "
    "({between}) on the same units (p = {p}).",
    "Publish groups beside labels, and see which labels each gives more often: what most people say may hide "
    "what one group says.",
)
MIXED = GROUPS.saying(
    "Annotators whose {attribute} is {group} agree less among themselves ({within}) than with the others "
    "({between}) on the same units (p = {p}): they see things in more different ways.",
    APART.advice,
)
MORE = FindingTemplate(
    "group-labels", "note", "groups", of_data="disagreement", categories=("category",)
).saying(
    "Annotators whose {attribute} is {group} give {category} more often than the others on the same units: "
    "{share} of their labels, {others_share} of those of the others (p = {p}).",
    "It may be how they see it, and no error. Decide whether guidelines are to settle it, or publish what "
    "each group says.",
)


def groups(facts: Facts) -> Iterator[Finding]:
    """Yield the groups that differ beyond chance: in agreement, and in the labels that they give more."""
    found = facts.results.groups
    for table in found.layers if found else ():
        if table.layer == facts.layer:
            yield from _agreement(table)
            yield from _labels(table)


def _agreement(table: LayerGroups) -> Iterator[Finding]:
    for own in table.agreement:
        apart = own.difference.value
        if own.group is None or apart is None or own.adjusted_p is None or own.adjusted_p >= LEVEL:
            continue
        yield (APART if apart > 0 else MIXED).finding(
            attribute=table.attribute,
            group=own.group,
            within=own.within.value,
            between=own.between.value,
            p=own.adjusted_p,
        )


def _labels(table: LayerGroups) -> Iterator[Finding]:
    more = [
        (own.adjusted_p, -own.difference.value, own)
        for own in table.labels
        if own.adjusted_p is not None
        and own.adjusted_p < LEVEL
        and own.difference.value is not None
        and own.difference.value > 0
    ]
    for p, _, own in sorted(more, key=lambda each: each[:2])[:MOST_TOLD]:
        yield MORE.finding(
            attribute=table.attribute,
            group=own.group,
            category=own.category,
            share=own.share.value,
            others_share=own.others.value,
            p=p,
        )
