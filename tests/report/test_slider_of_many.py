"""The curve, the table and the slider of three and more annotators, in both languages."""

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
from playwright.sync_api import Page

from reportgen.pipeline.build import build_site
from reportgen.results import Results, SizeCurve
from reportgen.words import numbers
from reportgen.words.language import Edition, writing
from tests.campaigns import written
from tests.conftest import OpenPage
from tests.slowly import slow_but

pytestmark = pytest.mark.slow

NOTHING = "Rien"
WHO = "ABCD"
TOML = f"""language = ["en", "fr"]
[task]
categories = ["New", "Former", "Never"]
non_annotated = "{NOTHING}"
[[unit_sets]]
id = "items"
units = "items"
primary = true
why = "w"
[[unit_sets]]
id = "big"
units = "declared"
size = 5000
why = "w"
"""
MOVED = ("conger_kappa", "fleiss_kappa", "krippendorff_alpha", "bennett_s", "gwet_ac1")
FIGURES = """sizes => sizes.map(size => {
  const field = document.querySelector(".explore [type=number]");
  field.value = size;
  field.dispatchEvent(new Event("input"));
  return Object.fromEntries([...document.querySelectorAll("[data-moved]")]
    .map(each => [each.dataset.moved.split(" ")[0], each.querySelector("b").textContent]));
})"""
PAGES = [("index.html", "en"), ("fr/index.html", "fr")]


def drawn() -> list[list[str]]:
    draw = random.Random(7)  # noqa: S311 - a test's data

    def unit() -> list[str]:
        base = draw.choice(["New", "Former", NOTHING, NOTHING])
        return [base if draw.random() < 0.8 else draw.choice(["New", "Former", NOTHING]) for _ in WHO]

    return [unit() for _ in range(60)]


def export(rows: list[list[str]]) -> dict[str, str]:
    lines = [
        f"u{n},d{n // 6},{who},{label}\n"
        for n, row in enumerate(rows)
        for who, label in zip(WHO, row, strict=True)
        if label
    ]
    return {"exports/1.0/e.csv": "item,document,worker,label\n" + "".join(lines)}


@pytest.fixture(scope="module")
def version(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("slid")
    build_site([written(folder / "four", TOML, export(drawn()))], folder / "site")
    return folder / "site" / "four" / "1.0"


@pytest.fixture(scope="module")
def curve(version: Path) -> SizeCurve:
    results = Results.model_validate_json((version / "results.json").read_text(encoding="utf-8"))
    found = [each.size_curve for each in results.unit_sets if each.size_curve]
    assert [each.declared for each in found] == [60, 5000]
    return found[1]


def counted_anew(rows: list[list[str]], size: int) -> dict[str, str]:
    """Return the figures of so many units, from the labels and nothing else."""
    marked = [row for row in rows if set(row) != {NOTHING}]
    own = [Counter(row[place] for row in marked) for place in range(len(WHO))]
    for each in own:
        each[NOTHING] += size - len(marked)
    pairs = [*combinations(range(len(WHO)), 2)]
    apart = sum(row[i] != row[j] for row in marked for i, j in pairs)
    same = 1 - Fraction(apart, size * len(pairs))
    ratings, together = size * len(WHO), sum(own, Counter())
    pooled = Fraction(sum(n * n for n in together.values()), ratings**2)
    chance = {
        "conger_kappa": Fraction(
            sum(own[i][label] * own[j][label] for i, j in pairs for label in together), size**2 * len(pairs)
        ),
        "fleiss_kappa": pooled,
        "krippendorff_alpha": Fraction(sum(n * (n - 1) for n in together.values()), ratings * (ratings - 1)),
        "bennett_s": Fraction(1, 4),
        "gwet_ac1": (1 - pooled) / 3,
    }
    return {name: numbers.figure(float((same - each) / (1 - each))) for name, each in chance.items()}


def at_sizes(page: Page, sizes: list[int]) -> list[dict[str, str]]:
    found: list[dict[str, str]] = page.evaluate(FIGURES, sizes)
    return found


@pytest.mark.browser
@pytest.mark.parametrize(("name", "tongue"), slow_but(PAGES, PAGES[0]))
def test_the_slider_says_at_every_size_what_results_and_the_labels_say(
    version: Path, curve: SizeCurve, open_page: OpenPage, name: str, tongue: str
) -> None:
    page = open_page()
    page.goto((version / name).as_uri())
    page.locator("#size-curve > summary").click()
    draw = random.Random(tongue)  # noqa: S311 - a test's data
    between = [draw.randint(curve.sizes[0], curve.sizes[-1]) for _ in range(40)]
    with writing(Edition(tongue)):
        assert at_sizes(page, list(curve.sizes)) == [
            {each: numbers.figure(curve.values[each][place]) for each in MOVED}
            for place in range(len(curve.sizes))
        ]
        assert at_sizes(page, between) == [counted_anew(drawn(), size) for size in between]
        page.locator(".explore [type=range]").fill("241")
        shown = page.locator("[data-moved] b").all_inner_texts()
        assert shown == [numbers.figure(curve.limit[each]) for each in MOVED]


@pytest.mark.browser
@pytest.mark.parametrize(("name", "tongue"), slow_but(PAGES, PAGES[1]))
def test_without_scripts_the_curve_and_the_table_say_the_same(
    version: Path, curve: SizeCurve, open_page: OpenPage, name: str, tongue: str
) -> None:
    page = open_page(java_script_enabled=False)
    page.goto((version / name).as_uri())
    page.locator("#size-curve > summary").click()
    assert not page.locator(".explore").is_visible()
    assert page.locator("#size-curve figure svg").is_visible()
    page.locator("#size-curve summary").nth(1).click()
    row = page.locator("#size-curve table").first.locator("tr", has_text="big").first
    shown = row.locator("th, td").all_inner_texts()[2:]
    names = (
        "observed_agreement",
        "bennett_s",
        "fleiss_kappa",
        "conger_kappa",
        "krippendorff_alpha",
        "gwet_ac1",
    )
    with writing(Edition(tongue)):
        assert shown == [numbers.figure(curve.value_at(each, 5000)) for each in names]


def test_the_limit_stands_beside_the_two_f_measures_whose_mean_it_is(version: Path, curve: SizeCurve) -> None:
    assert curve.f_labelled is not None
    assert curve.f_unlabelled is not None
    assert curve.limit["krippendorff_alpha"] == pytest.approx((curve.f_labelled + curve.f_unlabelled) / 2)
    limit = curve.limit["krippendorff_alpha"]
    rows = (version / "tables" / "limits.csv").read_text(encoding="utf-8").splitlines()
    assert f"big,{curve.f_labelled},{curve.f_unlabelled},{limit}" in rows


def test_the_sums_are_those_of_the_pairs_tables(version: Path, curve: SizeCurve) -> None:
    results = Results.model_validate_json((version / "results.json").read_text(encoding="utf-8"))
    tables = [pair.confusion for pair in results.unit_sets[0].pairs]
    assert curve.sums is not None
    assert (curve.sums.annotators, curve.sums.categories) == (4, 4)
    agreed = [sum(each.grid[place][place] for place in range(4)) for each in tables]
    assert curve.sums.disagreements == sum(each.units for each in tables) - sum(agreed)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("index.html", "not everybody rated every unit"),
        ("fr/index.html", "tous n’ont pas annoté chaque unité"),
    ],
)
def test_where_a_rating_is_missing_the_page_says_why_it_has_no_curve(
    tmp_path: Path, version: Path, name: str, said: str
) -> None:
    rows = [["", *drawn()[0][1:]], *drawn()[1:]]
    build_site([written(tmp_path / "gaps", TOML.partition("[[")[0], export(rows))], tmp_path / "site")
    page = (tmp_path / "site" / "gaps" / "1.0" / name).read_text(encoding="utf-8")
    assert said in page
    assert 'id="size-curve"' not in page
    assert said not in (version / name).read_text(encoding="utf-8")
