"""What do the figures mean, and what is to be done? One small rule each."""

from collections.abc import Callable, Iterator

from reportgen.findings import (
    adjudication,
    bias,
    certainty,
    comparisons,
    confusions,
    distances,
    prevalence,
    protocol,
    quality,
    releases,
    sets,
    tokens,
    units,
    verdict,
)
from reportgen.findings.changes import find_changes
from reportgen.findings.clarify import clarify
from reportgen.findings.facts import SEVERITIES, Facts, Message, gravest_first
from reportgen.results import Finding, Results

__all__ = ["RULES", "SEVERITIES", "Message", "clarify", "find", "find_changes"]

Rule = Callable[[Facts], Iterator[Finding]]

OPENING: tuple[Rule, ...] = (verdict.verdict, verdict.caveat)
RULES: tuple[Rule, ...] = (
    prevalence.prevalence,
    prevalence.uninformative,
    units.choice,
    units.limit,
    units.unjustified,
    units.omission,
    tokens.length,
    tokens.several,
    confusions.weak,
    confusions.confused,
    confusions.unused,
    bias.bias,
    distances.compared,
    distances.circular,
    certainty.straddles,
    certainty.documents,
    certainty.wide,
    certainty.finn,
    sets.gathered,
    sets.whole_sets,
    protocol.independence,
    protocol.sample,
    protocol.left_out,
    adjudication.causes,
    quality.rejected,
    quality.near_chance,
    quality.apart,
    quality.drift,
    comparisons.not_independent,
    comparisons.beside_humans,
    comparisons.few_documents,
    releases.release_fell,
    releases.release_fell_on,
)


def find(results: Results) -> tuple[Finding, ...]:
    """Return the verdict, its caveat, and every finding, the gravest first; `results` has none yet."""
    facts = Facts(results)
    opening = [found for rule in OPENING for found in rule(facts)]
    return (*opening, *gravest_first(found for rule in RULES for found in rule(facts)))
