"""Which groups of annotators differ: a difference may be how people see things, and accuses nobody."""

from collections.abc import Iterator

from reportgen.findings.layer_facts import LEVEL, Facts, FindingTemplate
from reportgen.results import Finding

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


def groups(facts: Facts) -> Iterator[Finding]:
    """Yield the groups that differ in agreement beyond chance."""
    found = facts.results.groups
    tables = [table for table in (found.layers if found else ()) if table.layer == facts.layer]
    for attribute, own in ((table.attribute, own) for table in tables for own in table.agreement):
        apart = own.difference.value
        if own.group is None or apart is None or own.adjusted_p is None or own.adjusted_p >= LEVEL:
            continue
        yield (APART if apart > 0 else MIXED).finding(
            attribute=attribute,
            group=own.group,
            within=own.within.value,
            between=own.between.value,
            p=own.adjusted_p,
        )
