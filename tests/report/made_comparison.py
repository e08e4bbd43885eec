"""A comparison made by hand, with values as those of a campaign of ours, and parts to vary it."""

import itertools
from collections.abc import Mapping
from typing import Any

from reportgen.measures import NoDifference
from reportgen.results import Finding
from reportgen.results.model import FindingKind, Severity
from reportgen.results.parts import Change, Overlap
from reportgen.results.versions import (
    Changed,
    ChangedUnit,
    ChangedUnits,
    ComparedCampaign,
    ConfusionChange,
    DisagreementChange,
    Flips,
    GuidelinesCompared,
    PairChange,
    Passage,
    SpanRevision,
    UnitSetRevision,
    VersionComparison,
    VersionSide,
)
from tests.findings.made_comparison import changed as changed_figure
from tests.findings.made_comparison import comparison as compared_versions
from tests.findings.made_comparison import revision, sample

PEOPLE = ("A01", "A02", "A03")
NAMES = {
    "krippendorff_alpha": "Krippendorff's alpha",
    "observed_agreement": "Observed agreement",
    "fleiss_kappa": "Fleiss' kappa",
    "f_measure": "F-measure",
    "cohen_kappa": "Cohen's kappa",
    "specific_agreement": "Specific agreement",
}
PLACES = {
    name: place for place, name in enumerate(("observed_agreement", "krippendorff_alpha", "fleiss_kappa"))
}


def change(
    first: float | None,
    second: float | None,
    p: float | None = 0.01,
    adjusted: float | None = None,
    **more: object,
) -> Change:
    """Return a change with a test of this p value; without one where it is None."""
    both = first is not None and second is not None
    why = NoDifference.NO_VARIATION if both else "one of the two figures is undefined"
    made = changed_figure(first, second, p if both else None, adjusted=adjusted, untested=why)
    return made.model_copy(update=more)


def unit_set(**values: object) -> UnitSetRevision:
    """Return the primary unit set on the fourteen documents of both."""
    known: dict[str, Any] = {
        "layer": "names",
        "people": (PEOPLE, PEOPLE),
        "documents": 14,
        "measures": {
            "observed_agreement": change(0.951, 0.984, 0.003),
            "krippendorff_alpha": change(0.421, 0.713, 0.004),
            "fleiss_kappa": change(0.42, 0.712, 0.004),
            "kappa_max": change(None, 0.9),
            "finn_r": change(0.9, 0.9, None),
        },
        "specific_agreement": {
            "None": change(0.975, 0.991, 0.01, 0.02),
            "New": change(0.402, 0.755, 0.002, 0.006),
            "Former": change(0.502, 0.489, 0.81, 0.81),
        },
        "pairs": tuple(
            PairChange(annotators=pair, measures={"cohen_kappa": change(0.4, 0.7, 0.02)})
            for pair in itertools.combinations(PEOPLE, 2)
        ),
        "disagreement": disagreement(),
        "flips": Flips(agreed=1240, mended=2, broken=1, disputed=1),
    }
    return revision(**(known | values))


def disagreement() -> DisagreementChange:
    """Return three confusions, whose contributions add up."""
    whole = 3930
    counts = ((("Former", "None"), 60, 50), (("Former", "New"), 12, 22), (("New", "None"), 120, 38))
    found = [
        ConfusionChange(categories=pair, first=before, second=after, contribution=(after - before) / whole)
        for pair, before, after in counts
    ]
    ordered = tuple(sorted(found, key=lambda each: each.contribution))
    return DisagreementChange(
        first=192 / whole,
        second=110 / whole,
        change=-82 / whole,
        denominators=(whole, whole),
        confusions=ordered,
    )


def finding(name: str, severity: Severity, evidence: str, claim: str, advice: str = "") -> Finding:
    """Return a finding without places to fill."""
    kinds: dict[str, FindingKind] = {"verdict": "verdict", "caveat": "caveat", "learning": "doubt"}
    return Finding(
        id=name,
        severity=severity,
        claim=claim,
        advice=advice,
        values={},
        evidence=evidence,
        kind=kinds.get(name),
    )


FINDINGS = (
    finding("verdict", "good", "figures", "Krippendorff's alpha rose from 0.421 (0.9) to 0.713 (1.0)."),
    finding("caveat", "note", "figures", "The same 14 documents stand on both sides."),
    finding(
        "learning",
        "warning",
        "annotators",
        "A01, A02 and A03 had annotated these documents before.",
        "Ask new ones.",
    ),
    finding("category-stayed-below", "problem", "categories", "Former stayed below 0.667.", "Say it again."),
)
GUIDELINES = GuidelinesCompared(
    first="guidelines/0.9.md",
    second="guidelines/1.0.md",
    passages=(
        Passage(kind="kept", text="# Gene renaming"),
        Passage(kind="kept", text="## What to mark"),
        Passage(
            kind="removed", text="**Former**: the name that the gene had before,", categories=("Former",)
        ),
        Passage(kind="added", text="**Former**: the name that is given up before,", categories=("Former",)),
        Passage(kind="kept", text="Read the whole abstract."),
        Passage(kind="removed", text="## Open questions"),
        Passage(kind="added", text="The New is the name to be used from now on.", categories=("New",)),
    ),
)


def comparison(**values: object) -> VersionComparison:
    """Return the comparison of two versions."""
    known: dict[str, Any] = {
        "campaign": ComparedCampaign(id="genes", title="Gene renaming in texts"),
        "first": VersionSide(guidelines="0.9", date="2026-03-02", changes="The pilot."),
        "second": VersionSide(
            guidelines="1.0", date="2026-05-18", changes="What the pilot left *open* is said."
        ),
        "coefficients": {"names": "krippendorff_alpha"},
        "unit_sets": (unit_set(),),
        "spans": (spans(),),
        "guidelines": GUIDELINES,
        "names": NAMES,
        "places": PLACES,
        "findings": FINDINGS,
    }
    return compared_versions(**(known | values))


def spans() -> SpanRevision:
    """Return marks in the texts of the one layer."""
    return SpanRevision(
        layer="names",
        basis="shared",
        first=sample(14, PEOPLE, 120),
        second=sample(14, PEOPLE, 120),
        overlap=Overlap(documents=14, annotators=PEOPLE),
        measures={"f_measure[strict]": change(0.4, 0.6), "f_measure[lenient]": change(0.5, 0.7)},
        by_type={"New": change(0.4, 0.6, 0.01, 0.02), "Former": change(0.5, 0.5, 0.9, 0.9)},
    )


def unit(word: str, first: Mapping[str, str], second: Mapping[str, str]) -> ChangedUnit:
    """Return a unit in its context."""
    return ChangedUnit(
        document="Abstract 7",
        before="The gene formerly called ",
        unit=word,
        after=" is now abcD.",
        first=first,
        second=second,
    )


def changed() -> Changed:
    """Return the units that changed sides."""
    apart, alike = {"A01": "Former", "A02": "None", "A03": "None"}, dict.fromkeys(PEOPLE, "Former")
    lists = ChangedUnits(
        layer="names",
        unit_set="tokens",
        mended=(unit("yxaA", apart, alike), unit("yxaB", apart, alike)),
        broken=(unit("yxaC", alike, apart),),
        disputed=(unit("yxaD", apart, apart),),
    )
    return Changed(first="0.9", second="1.0", unit_sets=(lists,))
