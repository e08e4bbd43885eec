"""No claim of a report is false: what it says of labels made up at random is counted again from them."""

from pathlib import Path

import pytest

from tests.campaigns import results
from tests.truth.claims import Case, check
from tests.truth.made import Kind, Made, kinds, made, special

EVERY = [*kinds(), *special()]
FEW = EVERY[:: max(1, len(EVERY) // 40)]


def hold(folder: Path, campaign: Made) -> int:
    """Check every claim of a campaign's report; return how many there were."""
    found = results(folder, campaign.toml, campaign.export)
    checked = 0
    for layer in campaign.layers.values():
        people = sorted({who for unit in layer.rated for who in unit})
        names = dict(zip(people, sorted(found.primary_of(layer.id).annotators), strict=True))
        for finding in found.findings:
            if layer.id in finding.layers:
                check(Case(layer, found, names), finding)
                checked += 1
    return checked


@pytest.mark.parametrize("kind", FEW, ids=lambda kind: kind.name)
def test_each_claim_follows_from_the_labels(kind: Kind, tmp_path: Path) -> None:
    assert hold(tmp_path, made(kind, 1))
