"""`reportgen.load(folder)`: the reports, results and comparisons of a campaign without the command line."""

import subprocess
import sys
from pathlib import Path

import pytest

import reportgen
from reportgen.base.errors import BadInput
from reportgen.results import Results, dumps
from reportgen.results.versions import VersionComparison
from tests.commands import on_disk

TOML = """title = "Opinions <of> reviews"

[task]
categories = ["yes", "no"]

[[guidelines]]
version = "1"

[[guidelines]]
version = "2"
"""
FIRST = "item,Ada,Bea\n1,yes,yes\n2,yes,no\n3,no,no\n4,no,yes\n"
SECOND = "item,Ada,Bea\n1,yes,yes\n2,no,no\n3,no,no\n4,no,yes\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tables = {"exports/1/ratings.csv": FIRST, "exports/2/ratings.csv": SECOND}
    return on_disk(tmp_path / "reviews", {"campaign.toml": TOML, **tables})


@pytest.mark.slow
def test_results_are_those_of_the_site(folder: Path, tmp_path: Path) -> None:
    campaign = reportgen.load(str(folder))
    page = campaign.build(tmp_path / "site")
    assert page == tmp_path / "site/reviews/index.html"
    assert page.exists()
    for version in campaign.versions:
        written = (tmp_path / "site/reviews" / version / "results.json").read_text(encoding="utf-8")
        assert dumps(campaign.results[version]) == written
        assert Results.model_validate_json(written).guidelines == version
    written = (tmp_path / "site/reviews/compare/1...2/comparison.json").read_text(encoding="utf-8")
    assert dumps(campaign.compare("2", "1")) == written, "the earlier version is the first in either order"
    assert VersionComparison.model_validate_json(written).second.guidelines == "2"


def test_a_campaign_is_short_to_print_and_a_table_in_a_notebook(folder: Path) -> None:
    from matplotlib import pyplot as plt

    campaign = reportgen.load(folder)
    assert repr(campaign) == "<campaign reviews: versions 1, 2>"
    shown = campaign._repr_html_()
    assert "Opinions &lt;of&gt; reviews" in shown
    assert shown.count("<tr>") == 2
    assert any("Krippendorff's alpha" in each for each in campaign.findings)
    assert len(repr(campaign.newest)) < 1500, "results are megabytes"
    assert repr(campaign.newest.primary.measures["gwet_ac1"]).startswith("Figure(value=0.")
    assert campaign.changes("1", "2")[0].startswith(
        "Krippendorff's alpha is 0.125 (1) and 0.533 (2) on the 4 units"
    )
    assert campaign.newest is campaign.results["2"]
    plt.switch_backend("agg")
    assert campaign.plot_of("1").categories() is not None
    plt.close("all")


def test_what_is_wrong_is_said_in_words(folder: Path) -> None:
    campaign = reportgen.load(folder)
    with pytest.raises(BadInput, match="1 and 1 are one guidelines version"):
        campaign.compare("1", "1")
    with pytest.raises(BadInput, match='"3"'):
        campaign.compare("1", "3")
    with pytest.raises(BadInput, match=r'no layer is called "man"\. Did you mean "main"'):
        campaign.plot_of("1", layer="man")
    with pytest.raises(BadInput, match="there is no such folder"):
        reportgen.load(folder / "nowhere")
    (folder / "exports/2/ratings.csv").write_text("item,Ada\n1,yes\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"ratings\.csv"):
        _ = reportgen.load(folder).results


def test_importing_reportgen_loads_nothing_that_takes_long() -> None:
    code = (
        "import sys, reportgen; "
        "sys.exit(any(each in sys.modules for each in ('numpy', 'pandas', 'pydantic', 'matplotlib')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
