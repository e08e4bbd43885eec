"""Findings in words, in the language that is being written."""

from dataclasses import dataclass

from reportgen.report import numbers
from reportgen.report.language import N_, _
from reportgen.results import Finding

SEVERITIES = {"good": N_("good"), "note": N_("note"), "warning": N_("warning"), "problem": N_("problem")}


@dataclass(frozen=True)
class Note:
    """A finding in words; `layer` is the one that it names, empty where it names none."""

    id: str
    severity: str
    claim: str
    advice: str
    evidence: str
    layer: str = ""

    @property
    def level(self) -> str:
        """Return how grave it is, in words."""
        return _(SEVERITIES[self.severity])


def note(finding: Finding) -> Note:
    """Return a finding with its messages filled in."""
    claim = numbers.message(finding.claim, finding.values)
    advice = numbers.message(finding.advice, finding.values)
    return Note(finding.id, finding.severity, claim, advice, finding.evidence, _layer(finding))


def _layer(finding: Finding) -> str:
    named = (each for key, each in finding.values.items() if key == "layer" or key.endswith("_layer"))
    return str(next(named, ""))
