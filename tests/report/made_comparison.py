"""A comparison made by hand, with values as those of a campaign of ours, and parts to vary it."""

from collections.abc import Mapping
from typing import Any

from reportgen.measures import NoDifference
from reportgen.results import Figure, Finding, Interval, Tool
from reportgen.results.parts import Categories, Change, DifferenceTest, Overlap, Permutation
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
    Sample,
    SpanRevision,
    UnitSetRevision,
    VersionComparison,
    VersionSide,
)

PEOPLE = ("A01", "A02", "A03")
CATEGORIES = ("Former", "New", "None")
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


def figure(value: float | None, half: float = 0.1, undefined: str | None = None) -> Figure:
    """Return a figure with an interval of some half-width."""
    if value is None:
        return Figure(value=None, undefined=undefined or "one category was used")
    interval = Interval(low=value - half, high=min(1.0, value + half), level=0.95, method="t")
    return Figure(value=value, units=1310, standard_error=half / 2, interval=interval)


def change(
    first: float | None,
    second: float | None,
    p: float | None = 0.01,
    adjusted: float | None = None,
    **more: object,
) -> Change:
    """Return a change with a test of this p value; without one where it is None."""
    known: dict[str, object] = {"first": figure(first), "second": figure(second)}
    if first is None or second is None:
        return Change.model_validate(known | {"untested": "one of the two figures is undefined"} | more)
    difference = second - first
    known |= {"difference": difference}
    if p is None:
        return Change.model_validate(known | {"untested": NoDifference.NO_VARIATION} | more)
    test = DifferenceTest(method="paired", statistic=3.1, degrees=13, p=p, adjusted=adjusted)
    interval = Interval(low=difference - 0.15, high=difference + 0.15, level=0.95, method="t")
    return Change.model_validate(known | {"test": test, "interval": interval, "standard_error": 0.07} | more)


def unit_set(**values: object) -> UnitSetRevision:
    """Return the primary unit set on the fourteen documents of both."""
    sample = Sample(documents=14, units=1310, annotators=PEOPLE, categories=CATEGORIES)
    measures = {
        "observed_agreement": change(0.951, 0.984, 0.003),
        "krippendorff_alpha": change(
            0.421, 0.713, 0.004, permutation=Permutation(p=0.0061, samples=16384, exact=True)
        ),
        "fleiss_kappa": change(0.42, 0.712, 0.004),
        "kappa_max": change(None, 0.9),
        "finn_r": change(0.9, 0.9, None),
    }
    specific = {
        "None": change(0.975, 0.991, 0.01, 0.02),
        "New": change(0.402, 0.755, 0.002, 0.006),
        "Former": change(0.502, 0.489, 0.81, 0.81),
    }
    known: dict[str, Any] = {
        "layer": "names",
        "unit_set": "tokens",
        "primary": True,
        "figure": "krippendorff_alpha",
        "basis": "shared",
        "clusters": "document",
        "first": sample,
        "second": sample,
        "overlap": Overlap(documents=14, units=1310, annotators=PEOPLE),
        "categories": Categories(how="same"),
        "measures": measures,
        "specific_agreement": specific,
        "pairs": tuple(
            PairChange(annotators=pair, measures={"cohen_kappa": change(0.4, 0.7, 0.02)})
            for pair in (("A01", "A02"), ("A01", "A03"), ("A02", "A03"))
        ),
        "disagreement": disagreement(),
        "flips": Flips(agreed=1240, mended=2, broken=1, disputed=1),
    }
    return UnitSetRevision.model_validate(known | values)


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


def finding(name: str, severity: str, evidence: str, claim: str, advice: str = "") -> Finding:
    """Return a finding without places to fill."""
    return Finding.model_validate(
        {
            "id": name,
            "severity": severity,
            "claim": claim,
            "advice": advice,
            "values": {},
            "evidence": evidence,
            "kind": {"verdict": "verdict", "caveat": "caveat", "learning": "doubt"}.get(name),
        }
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
        "tool": Tool(name="reportgen", version="0", libraries={"numpy": "2"}),
    }
    return VersionComparison.model_validate(known | values)


def spans() -> SpanRevision:
    """Return marks in the texts of the one layer."""
    sample = Sample(documents=14, units=120, annotators=PEOPLE, categories=CATEGORIES[:2])
    return SpanRevision(
        layer="names",
        basis="shared",
        first=sample,
        second=sample,
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
