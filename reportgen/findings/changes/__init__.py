"""What does a comparison of two versions mean, and what is to be done? One small rule each."""

from collections.abc import Callable, Iterator

from reportgen.findings.changes import categories, certainty, confusions, verdict
from reportgen.findings.changes.facts import Changes
from reportgen.findings.facts import gravest_first
from reportgen.results import Finding
from reportgen.results.comparison import VersionComparison

__all__ = [
    "CHANGE_RULES",
    "Changes",
    "find_changes",
]


ChangeRule = Callable[[Changes], Iterator[Finding]]

OPENING: tuple[ChangeRule, ...] = (verdict.verdict, verdict.caveat)
CHANGE_RULES: tuple[ChangeRule, ...] = (
    categories.regressed,
    categories.categories,
    categories.stayed,
    categories.worse,
    confusions.more,
    confusions.sides,
    confusions.left,
    certainty.learning,
    certainty.annotators,
    certainty.categories,
    certainty.edited,
    certainty.few_documents,
    certainty.tests_differ,
    certainty.prevalence,
    certainty.documents_needed,
    verdict.layers,
    verdict.spans,
    verdict.all_documents,
    categories.better,
    confusions.less,
    categories.rose,
)


def find_changes(comparison: VersionComparison) -> tuple[Finding, ...]:
    """Return the verdict, its caveat, and every finding, the gravest first; `comparison` has none yet."""
    changes = Changes(comparison)
    opening = [found for rule in OPENING for found in rule(changes)]
    return (*opening, *gravest_first(found for rule in CHANGE_RULES for found in rule(changes)))
