"""The curve and the slider at every size, held against results.json and whole tables counted again."""

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
from playwright.sync_api import Page

from reportgen.pipeline.build import build_site
from reportgen.results import Confusion, Results, SizeCurve, UnitSet
from reportgen.words import numbers
from reportgen.words.language import Edition, writing
from tests.campaigns import written
from tests.conftest import OpenPage
from tests.slowly import slow_but

# The slider at its ends and between, held against results.json and against whole tables counted anew


NOTHING = "Rien"
TASK = f'[task]\nnon_annotated = "{NOTHING}"\n'
DISTANCES = '[[distances]]\nid = "mine"\nfile = "d.csv"\nwhy = "w"\n'
TABLE = ",a,b,c,Rien\na,0,.2,.5,1\nb,.2,0,.3,1\nc,.5,.3,0,1\nRien,1,1,1,0\n"
LAYERS = "".join(f'[[layers]]\nid = "{each}"\nsource = "{each}"\n' for each in ("first", "second"))
SETS = "".join(
    f'[[unit_sets]]\nid = "s{size}"\nunits = "declared"\nsize = {size}\nwhy = "w"\n'
    for size in (60, 61, 70, 9_000_000)
)
MOVED = ("cohen_kappa", "scott_pi", "krippendorff_alpha", "bennett_s")
FIGURES = """sizes => sizes.map(size => {
  const box = document.querySelectorAll(".explore")[BOX];
  const field = box.querySelector("[type=number]");
  field.value = size;
  field.dispatchEvent(new Event("input"));
  return Object.fromEntries([...box.querySelectorAll("[data-moved]")]
    .map(each => [each.dataset.moved.split(" ")[0], each.querySelector("b").textContent]));
})"""


def ratings(labels: str, units: int = 60, head: str = "label") -> str:
    draw = random.Random(labels)  # noqa: S311 - a test's data
    known = [NOTHING if each == "-" else each for each in labels]
    columns = len(head.split(","))

    def row(unit: int, who: str) -> str:
        return ",".join([f"u{unit}", f"d{unit // 6}", who, *(draw.choice(known) for _ in range(columns))])

    return f"item,document,worker,{head}\n" + "".join(
        f"{row(u, who)}\n" for u in range(units) for who in "AB"
    )


def one_mark(*, both: bool) -> str:
    marked = [(3, "A"), *([(3, "B")] if both else [])]
    return "item,worker,label\n" + "".join(
        f"u{u},{who},{'a' if (u, who) in marked else NOTHING}\n" for u in range(40) for who in "AB"
    )


CASES = {
    "plain": (TASK, {"exports/1.0/e.csv": ratings("ab--")}),
    "sixty": (
        TASK,
        {"exports/1.0/e.csv": ratings("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-", 400)},
    ),
    "weighted": (TASK + DISTANCES, {"exports/1.0/e.csv": ratings("abc--"), "d.csv": TABLE}),
    "layers": (TASK + LAYERS, {"exports/1.0/e.csv": ratings("ab-", head="first,second")}),
    "sizes": (TASK + SETS, {"exports/1.0/m.csv": "B\\A,a,b,Rien\na,20,5,4\nb,3,18,2\nRien,6,1,0\n"}),
    "apart": (TASK, {"exports/1.0/m.csv": "B\\A,a,b,Rien\na,0,9,4\nb,9,0,2\nRien,6,1,5\n"}),
    "agreed": (TASK, {"exports/1.0/e.csv": one_mark(both=True)}),
    "alone": (TASK, {"exports/1.0/e.csv": one_mark(both=False)}),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("slid")
    build_site([written(folder / name, *case) for name, case in CASES.items()], folder / "site")
    return folder / "site"


def opened(open_page: OpenPage, path: Path) -> Page:
    """Return a page with everything unfolded: of several layers one curve is shown at first."""
    page = open_page()
    page.goto(path.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    return page


def widest(results: Results) -> Iterator[UnitSet]:
    """Yield the unit set whose curve is explored, of each layer."""
    for layer in dict.fromkeys(each.layer for each in results.unit_sets):
        known = [each for each in results.unit_sets if each.layer == layer and each.size_curve]
        yield max(known, key=lambda each: each.units_compared)


def counted_anew(table: Confusion, size: int) -> dict[str, str]:
    """Return the figures of a table whose jointly unmarked units make up the size, from its cells alone."""
    counts = [list(row) for row in table.grid]
    last = table.categories.index(NOTHING)
    counts[last][last] += size - table.units
    rows = [sum(row) for row in counts]
    columns = [sum(column) for column in zip(*counts, strict=True)]
    both = [r + c for r, c in zip(rows, columns, strict=True)]
    same = Fraction(sum(counts[place][place] for place in range(len(rows))), size)
    chance = {
        "cohen_kappa": Fraction(sum(r * c for r, c in zip(rows, columns, strict=True)), size**2),
        "scott_pi": Fraction(sum(each**2 for each in both), 4 * size**2),
        "krippendorff_alpha": Fraction(sum(each * (each - 1) for each in both), 2 * size * (2 * size - 1)),
        "bennett_s": Fraction(1, len(rows)),
    }
    return {name: numbers.figure(_corrected(same, each)) for name, each in chance.items()}


def _corrected(same: Fraction, chance: Fraction) -> float | None:
    return None if chance == 1 else float((same - chance) / (1 - chance))


def at_sizes(page: Page, box: int, sizes: list[int]) -> list[dict[str, str]]:
    found: list[dict[str, str]] = page.evaluate(FIGURES.replace("BOX", str(box)), sizes)
    return found


@pytest.mark.browser
@pytest.mark.parametrize("case", slow_but(CASES))
def test_every_size_says_what_a_table_of_that_size_says(site: Path, open_page: OpenPage, case: str) -> None:
    page = opened(open_page, site / case / "1.0" / "index.html")
    results = Results.model_validate_json((site / case / "1.0" / "results.json").read_text(encoding="utf-8"))
    for box, each in enumerate(widest(results)):
        assert each.size_curve is not None
        assert each.only_pair is not None
        curve, table = each.size_curve, each.only_pair.confusion
        draw = random.Random(case)  # noqa: S311 - a test's data
        between = [draw.randint(curve.sizes[0], curve.sizes[-1]) for _ in range(40)]
        assert at_sizes(page, box, list(curve.sizes)) == [
            {name: numbers.figure(curve.values[name][place]) for name in MOVED}
            for place in range(len(curve.sizes))
        ]
        assert at_sizes(page, box, between) == [counted_anew(table, size) for size in between]


# The curve, the table and the slider of three and more annotators, in both languages


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
MOVED_OF_MANY = ("conger_kappa", "fleiss_kappa", "krippendorff_alpha", "bennett_s", "gwet_ac1")
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


def counted_of_many(rows: list[list[str]], size: int) -> dict[str, str]:
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


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize(("name", "tongue"), slow_but(PAGES, PAGES[0]))
def test_the_slider_says_at_every_size_what_results_and_the_labels_say(
    version: Path, curve: SizeCurve, open_page: OpenPage, name: str, tongue: str
) -> None:
    page = opened(open_page, version / name)
    draw = random.Random(tongue)  # noqa: S311 - a test's data
    between = [draw.randint(curve.sizes[0], curve.sizes[-1]) for _ in range(40)]
    with writing(Edition(tongue)):
        assert at_sizes(page, 0, list(curve.sizes)) == [
            {each: numbers.figure(curve.values[each][place]) for each in MOVED_OF_MANY}
            for place in range(len(curve.sizes))
        ]
        assert at_sizes(page, 0, between) == [counted_of_many(drawn(), size) for size in between]
        page.locator(".explore [type=range]").fill("241")
        shown = page.locator("[data-moved] b").all_inner_texts()
        assert shown == [numbers.figure(curve.limit[each]) for each in MOVED_OF_MANY]


@pytest.mark.slow
def test_the_limit_stands_beside_the_two_f_measures_whose_mean_it_is(version: Path, curve: SizeCurve) -> None:
    assert curve.f_labelled is not None
    assert curve.f_unlabelled is not None
    assert curve.limit["krippendorff_alpha"] == pytest.approx((curve.f_labelled + curve.f_unlabelled) / 2)
    limit = curve.limit["krippendorff_alpha"]
    rows = (version / "tables" / "limits.csv").read_text(encoding="utf-8").splitlines()
    assert f"big,{curve.f_labelled},{curve.f_unlabelled},{limit}" in rows
