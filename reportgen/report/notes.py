"""Findings in words, in the language that is being written."""

from collections.abc import Sequence
from dataclasses import dataclass

from reportgen.report import numbers
from reportgen.report.language import N_, _, listed, say_many
from reportgen.results import Finding

SEVERITIES = {"good": N_("good"), "note": N_("note"), "warning": N_("warning"), "problem": N_("problem")}


@dataclass(frozen=True)
class Note:
    """A finding in words; `layers` are those that it is about, none where it is about the campaign."""

    id: str
    severity: str
    claim: str
    advice: str
    evidence: str
    layers: tuple[str, ...] = ()
    gain: float = 0.0

    def where(self, layers: Sequence[str]) -> str:
        """Return which of all layers it is about, in words."""
        if set(self.layers) >= set(layers):
            return say_many("the layer", "all {count} layers", len(layers), count=len(layers))
        return say_many("layer {names}", "layers {names}", len(self.layers), names=listed(self.layers))

    @property
    def level(self) -> str:
        """Return how grave it is, in words."""
        return _(SEVERITIES[self.severity])


def note(finding: Finding) -> Note:
    """Return a finding with its messages filled in."""
    claim = numbers.message(finding.claim, finding.values)
    advice = numbers.message(finding.advice, finding.values)
    layers = finding.layers or _named(finding)
    return Note(finding.id, finding.severity, claim, advice, finding.evidence, layers, finding.gain or 0.0)


def _named(finding: Finding) -> tuple[str, ...]:
    """Return the layer that a finding about the campaign names in its words."""
    named = (each for key, each in finding.values.items() if key == "layer" or key.endswith("_layer"))
    return tuple(str(each) for each in named)[:1]
