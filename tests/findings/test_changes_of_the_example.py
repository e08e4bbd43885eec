"""The example in texts shows what a comparison is for: a confusion that got better, and one that did not."""

import pytest

from reportgen.campaign import load
from reportgen.findings import change_confusions as confusions
from reportgen.pipeline.reading import read_campaign
from reportgen.pipeline.version_reports import compare_versions
from reportgen.results.versions import VersionComparison
from reportgen.units import Pseudonyms
from tests.campaigns import GENE_RENAMING
from tests.findings.made_comparison import one

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def comparison() -> VersionComparison:
    campaign = load(GENE_RENAMING.parent / "gene-renaming-in-texts")
    first, second = read_campaign(campaign)
    return compare_versions(campaign, first, second, Pseudonyms()).comparison


def test_agreement_rose_on_the_abstracts_of_the_pilot(comparison: VersionComparison) -> None:
    found = one(comparison, "verdict")
    assert (found.severity, found.values["documents"]) == ("good", 14)
    assert comparison.primary is not None
    assert comparison.primary.basis == "shared"


def test_one_confusion_got_better_and_one_did_not(comparison: VersionComparison) -> None:
    revision = comparison.primary
    assert revision is not None
    assert revision.disagreement is not None
    moved = {each.categories: each.contribution for each in revision.disagreement.confusions}
    assert moved["Former", "New"] < 0
    assert moved["Former", "None"] < 0
    assert moved["New", "None"] >= 0
    # Of the other layer's largest confusion, which became rarer, no test shows it.
    left, *_ = (each for each in comparison.findings if each.id == "confusion-left")
    assert (left.claim, left.values["first"]) == (
        confusions.MISSED[confusions.LEFT].claim,
        "New (layer names)",
    )


def test_who_annotated_the_pilot_knew_its_abstracts(comparison: VersionComparison) -> None:
    assert one(comparison, "learning").severity == "warning"
    assert [each for each in comparison.findings if each.id == "annotators-changed"] == []
