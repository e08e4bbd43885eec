"""What has to hold in the report of every campaign that the project comes with."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from reportgen.results import Pair, Results, UnitSet
from tests.campaigns import GENE_RENAMING

CAMPAIGNS = sorted(path.parent.name for path in GENE_RENAMING.parent.glob("*/campaign.toml"))


def reports(site: Path) -> list[Results]:
    """Return the results of each version of a campaign's part of a site."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(site.glob("*/results.json"))]
    return [Results.model_validate_json(text) for text in texts]


@pytest.fixture(scope="module", params=CAMPAIGNS)
def found(request: pytest.FixtureRequest, example_site: Path) -> list[Results]:
    return reports(example_site / request.param)


def pairs(found: list[Results]) -> Iterator[tuple[UnitSet, Pair]]:
    for results in found:
        for unit_set in results.unit_sets:
            for pair in unit_set.pairs:
                yield unit_set, pair


def test_the_limit_of_kappa_is_the_mean_of_labelled_and_unlabelled_f(found: list[Results]) -> None:
    """As unmarked units are added, kappa, pi and alpha tend to it (research file, 2.6)."""
    seen = 0
    for unit_set, pair in pairs(found):
        curve = pair.size_curve
        if unit_set.non_annotated is None or curve is None or curve.f_labelled is None:
            continue
        assert curve.f_unlabelled is not None
        mean = (curve.f_labelled + curve.f_unlabelled) / 2
        for name in ("cohen_kappa", "scott_pi", "krippendorff_alpha"):
            assert curve.limit[name] == pytest.approx(mean, abs=1e-11)
        seen += 1
    assert seen


def test_f_over_spans_is_specific_agreement_on_them(found: list[Results]) -> None:
    for results in found:
        for pair in results.spans.pairs if results.spans else ():
            counts = pair.counts
            one = counts.match + counts.overlap + counts.only_first
            other = counts.match + counts.overlap + counts.only_second
            if one + other:
                value = pair.strict["f_measure"].value
                assert value == pytest.approx(2 * counts.match / (one + other), abs=1e-11)


def test_marks_read_are_used_or_left_out_everywhere(found: list[Results]) -> None:
    for results in found:
        assert results.marks.read == results.marks.used + results.marks.left_out
        for unit_set in results.unit_sets:
            left_out = sum(unit_set.marks.left_out.values())
            assert unit_set.marks.read == unit_set.marks.used + left_out
