"""Is what was promised held? The rules of [gate] against a version's results and its comparison.

`rules_of` takes them from a campaign, `unknown` says what they name in vain, `hold` what became of each.
"""

from reportgen.gate.falls import Fall, FallTest, clusters_needed, falls, lowest, one_sided
from reportgen.gate.found import Found
from reportgen.gate.outcomes import Message, Outcome
from reportgen.gate.rules import Rule, compares, rules_of
from reportgen.gate.unknown import unknown
from reportgen.gate.verdicts import hold

__all__ = [
    "Fall",
    "FallTest",
    "Found",
    "Message",
    "Outcome",
    "Rule",
    "clusters_needed",
    "compares",
    "falls",
    "hold",
    "lowest",
    "one_sided",
    "rules_of",
    "unknown",
]
