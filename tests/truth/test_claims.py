"""No claim of a report is false: what it says of labels made up at random is counted again from them."""

from pathlib import Path

import pytest

from tests.campaigns import results_of
from tests.truth.claims import hold
from tests.truth.marked import made_marks, markings
from tests.truth.made import Kind, kinds, made, special

EVERY = [*kinds(), *special()]
MARKED = [*markings()]
FEW = EVERY[:: len(EVERY) // 40]


@pytest.mark.parametrize("kind", FEW, ids=lambda kind: kind.name)
def test_each_claim_follows_from_the_labels(kind: Kind, tmp_path: Path) -> None:
    campaign = made(kind, 1)
    assert hold(results_of(campaign.written(tmp_path)), campaign)
