"""A campaign's page, comparisons and the list of campaigns in French: words, numbers, dates, links, data."""

from collections.abc import Mapping

import pytest

from reportgen.report.site import index_html
from reportgen.results.versions import History, VersionComparison
from tests.rendered import campaign_files, comparison_files
from tests.report import made_comparison
from tests.report.made_history import history
from tests.untranslated import SAME, in_brackets, left_over

BOTH = ("en", "fr")
CYRILLIC = ("Прежний", "Новый")
CHANGED = "Что изменилось."


def compared() -> VersionComparison:
    """Return a comparison whose own words are in Cyrillic letters."""
    found = made_comparison.comparison(guidelines=None)
    sides = {
        name: getattr(found, name).model_copy(update={"changes": CHANGED}) for name in ("first", "second")
    }
    campaign = found.campaign.model_copy(update={"title": CHANGED})
    return found.model_copy(update={**sides, "campaign": campaign})


def told(found: History) -> History:
    """Return a history whose versions say what changed in Cyrillic letters."""
    versions = tuple(each.model_copy(update={"changes": CHANGED}) for each in found.versions)
    return found.model_copy(update={"versions": versions})


@pytest.fixture(scope="module")
def both() -> Mapping[str, str]:
    return dict(campaign_files(history(systems=True), BOTH))


@pytest.fixture(scope="module")
def comparison() -> Mapping[str, str]:
    return dict(comparison_files(made_comparison.comparison(), made_comparison.changed(), BOTH))


def test_french_pages_lead_to_french_pages_and_to_the_one_set_of_data(
    both: Mapping[str, str], comparison: Mapping[str, str]
) -> None:
    for target in (
        *("../../index.html", "../1.1/fr/index.html", "../compare/1.0...1.1/fr/index.html"),
        *("../tables/versions.csv", "../history.json", "../badge.svg", "../feed.xml", "history.md"),
        *("figures/agreement.svg", "../index.html"),
    ):
        assert f'href="{target}"' in both["fr/index.html"] or f"href={target}" in both["fr/index.html"], (
            target
        )
    for target in (
        *("../../../fr/index.html", "../../../0.9/fr/index.html", "../comparison.json", "../changed.json"),
        *("../tables/changes.csv", "comparison.md"),
    ):
        page = comparison["fr/index.html"]
        assert f'href="{target}"' in page or f"href={target}" in page, target


def test_data_are_the_same_in_every_language() -> None:
    english, french = (dict(campaign_files(history(), (each,))) for each in BOTH)
    same = {name for name in english if name.startswith("tables/") or name == "history.json"}
    assert len(same) > 4
    assert all(english[name] == french[name] for name in same)


def test_a_line_beside_each_campaign_says_its_values_in_words() -> None:
    page = index_html([history((0.4, None, 0.7))])
    assert "Krippendorff's alpha: 1.0 0.400 [0.320, 0.480]; 1.1 –; 1.2 0.700 [0.620, 0.780]." in page
    assert 'class="spark"' not in index_html([history((0.5,))])


def test_nothing_on_these_pages_goes_past_the_catalogues() -> None:
    same = SAME | {"ours", "main", "layer", "tagger", "gold", "tokens", "names", "made", "Ann", "Author"}
    same |= {"campaigns", "kappa_max", "max", "finn", "made_comparison", "guidelines", "genes", "None"}
    same |= {"Former", "New", "Abstract", "The", "gene", "formerly", "called", "now", "abcD", "withheld"}
    same |= {"yxaA", "yxaB", "yxaC", "yxaD"}
    made = told(history((0.4, 0.5, 0.7), CYRILLIC, layers=2, systems=True, title=CHANGED))
    with in_brackets():
        files = {f"history/{name}": text for name, text in campaign_files(made)}
        files |= dict(comparison_files(compared(), made_comparison.changed()))
        files["list"] = index_html([made])
    pages = {name: text for name, text in files.items() if name == "list" or name.endswith(".html")}
    found = {name: [each for each in left_over(text, same) if each.strip()] for name, text in pages.items()}
    assert len(pages) == 3
    assert {name: each for name, each in found.items() if each} == {}
