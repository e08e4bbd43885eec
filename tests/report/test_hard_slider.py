"""The slider at its ends and between, held against results.json and against whole tables counted anew."""

import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page

from reportgen.pipeline.build import build_site
from reportgen.results import Confusion, Results, UnitSet
from reportgen.words import numbers
from tests.campaigns import written
from tests.conftest import OpenPage
from tests.slowly import slow_but

pytestmark = pytest.mark.browser

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


def told(box: Locator) -> dict[str, str]:
    found: dict[str, str] = box.evaluate(
        """box => Object.fromEntries([...box.querySelectorAll("[data-moved]")]
        .map(each => [each.dataset.moved.split(" ")[0], each.querySelector("b").textContent]))"""
    )
    return found


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


@pytest.mark.parametrize("case", slow_but(CASES))
def test_both_ends_are_the_first_size_and_the_limit(site: Path, open_page: OpenPage, case: str) -> None:
    page = opened(open_page, site / case / "1.0" / "index.html")
    results = Results.model_validate_json((site / case / "1.0" / "results.json").read_text(encoding="utf-8"))
    for box, each in enumerate(widest(results)):
        assert each.size_curve is not None
        curve, found = each.size_curve, page.locator(".explore").nth(box)
        slider = found.locator("[type=range]")
        slider.fill("241")
        assert told(found) == {name: numbers.figure(curve.limit.get(name)) for name in MOVED}
        slider.fill("0")
        assert told(found) == {name: numbers.figure(curve.values[name][0]) for name in MOVED}
        assert found.locator("[type=number]").input_value() == str(curve.sizes[0])
