"""No claim of a report is false: what it says of labels made up at random is counted again from them."""

import os
from pathlib import Path

import pytest

from reportgen.campaign import load
from reportgen.pipeline.reading import read_campaign
from reportgen.pipeline.version_reports import compare_versions
from reportgen.units import Pseudonyms
from tests.campaigns import results_of
from tests.truth.claims import hold
from tests.truth.made import Kind, Made, kinds, made, special
from tests.truth.marked import Marking, made_marks, markings
from tests.truth.of_changes import check_change
from tests.truth.versions import Revising, Versions, made_versions, revisings

AnyKind = Kind | Marking | Revising
TABLES, MARKED, REVISED = [*kinds(), *special()], [*markings()], [*revisings()]
EVERY: list[AnyKind] = [*TABLES, *MARKED, *REVISED]
# Prime, so that none of the properties that kinds are made of is skipped throughout.
FEW: list[AnyKind] = [*TABLES[::131], *MARKED[::73], *REVISED[::59]]
# `make test-all` looks at every third part, `make truth` at all.
PARTS = range(0, 41, 1 if "REPORTGEN_EVERY_CLAIM" in os.environ else 3)


def build(kind: AnyKind, seed: int) -> Made:
    """Return a campaign of any kind."""
    if isinstance(kind, Kind):
        return made(kind, seed)
    return made_marks(kind, seed) if isinstance(kind, Marking) else made_versions(kind, seed)


def checked(folder: Path, campaign: Made) -> int:
    """Return how many claims of a campaign's report, or of its comparison, were held against its labels."""
    if not isinstance(campaign, Versions):
        return hold(results_of(campaign.written(folder)), campaign)
    declared = load(campaign.written(folder))
    first, second = read_campaign(declared)
    comparison = compare_versions(declared, first, second, Pseudonyms()).comparison
    for finding in comparison.findings:
        check_change(campaign, comparison, finding)
    return len(comparison.findings)


@pytest.mark.parametrize("kind", FEW, ids=lambda kind: kind.name)
def test_each_claim_follows_from_the_labels(kind: AnyKind, tmp_path: Path) -> None:
    assert checked(tmp_path, build(kind, 1))


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_no_claim_about_hundreds_of_campaigns_is_false(part: int, tmp_path: Path) -> None:
    assert len(EVERY) > 1000
    false = []
    for number, kind in enumerate(EVERY[part :: PARTS.stop]):
        try:
            assert checked(tmp_path / str(number), build(kind, 2)), kind.name
        except (AssertionError, pytest.fail.Exception) as error:
            false.append(str(error))
    assert not false, "\n\n".join(false)
