"""Pages that would be too heavy, or say of one what is said of several."""

import random
import re
from pathlib import Path

import pytest

from reportgen.report import page
from reportgen.report.matrices import MOST, most_of
from reportgen.report.site import pages_behind
from reportgen.report.view import ReportView
from reportgen.results import Results
from reportgen.results.texts import Disagreement, Disagreements, Texts, in_context
from reportgen.words.language import Edition, writing
from tests.campaigns import results

pytestmark = pytest.mark.slow

LIGHTEST = 167_000
NOTHING = '[task]\nnon_annotated = "-"\n'


def shown(found: Results, language: str = "en") -> str:
    """Return a report's page without its drawings."""
    with writing(Edition(language)):
        text = page.report_html(ReportView(found), alone=False)
    return re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL)


@pytest.fixture(scope="module")
def layers(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """Five layers of thirty categories, labelled by three."""
    draw = random.Random(5)  # noqa: S311 - a test's data
    names = [f"l{number}" for number in range(5)]
    rows = [
        ",".join([f"u{unit}", f"d{unit // 20}", who, *(f"{name}-{draw.randrange(30):02}" for name in names)])
        for unit in range(400)
        for who in "ABC"
    ]
    toml = "".join(f'[[layers]]\nid = "layer-{name}"\nsource = "{name}"\n' for name in names)
    export = "\n".join([f"item,document,worker,{','.join(names)}", *rows])
    return results(tmp_path_factory.mktemp("layers"), toml, export)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_several_layers_of_many_categories_share_the_room_of_a_page(layers: Results, language: str) -> None:
    text = shown(layers, language)
    assert len(text.encode()) <= LIGHTEST
    said = {"en": "Shown are the 10 categories of 30 on which", "fr": "que les 10 catégories sur 30 où"}
    assert text.count(said[language]) == 5


def test_of_a_layer_with_many_categories_those_that_agree_least_are_shown(layers: Results) -> None:
    view = ReportView(layers).layers[0].primary
    values = {name: each.value for name, each in view.unit_set.specific_agreement.items()}
    least = sorted(value for value in values.values() if value is not None)[:10]
    assert sorted(values[str(row[0])] or 0 for row in view.specific_shown.rows) == least
    assert len(view.specific.rows) == 30


@pytest.mark.parametrize(("number", "most"), [(0, MOST), (1, MOST), (2, 10), (5, 5), (50, 5)])
def test_matrices_of_more_layers_are_smaller(number: int, most: int) -> None:
    assert most_of(number) == most


def test_a_list_of_units_with_very_long_labels_has_light_pages(tmp_path: Path) -> None:
    names = [f"{'категория' * 22}{place}" for place in range(20)]
    draw = random.Random(1)  # noqa: S311 - a test's data
    pairs = [tuple(draw.sample(names, 2)) for _ in range(500)]
    ratings = [
        f"u{n},{who},{label}" for n, pair in enumerate(pairs) for who, label in zip("AB", pair, strict=True)
    ]
    rated = results(tmp_path, "", "\n".join(["unit,annotator,label", *ratings]))
    units = tuple(
        Disagreement(name=f"u{n}", labels=dict(zip(("A01", "A02"), pair, strict=True)))
        for n, pair in enumerate(pairs)
    )
    disputed = Disagreements(layer="main", unit_set=rated.primary.id, units=units)
    found = Texts(guidelines="1.0", documents=(), disagreements=(disputed,))
    pages = {name: text for name, text in pages_behind(ReportView(rated, found)) if "disagreements/" in name}
    assert max(len(text.encode()) for text in pages.values()) <= LIGHTEST
    assert sum(len(re.findall(r"<th scope=\W?row", text)) for text in pages.values()) == 500
    for href, anchor in set(
        re.findall(r'href="?([^"#> ]*)#(confused-[\d-]+)', pages["disagreements/items.html"])
    ):
        assert re.search(rf'id="?{anchor}\b', pages[f"disagreements/{href or 'items.html'}"])


@pytest.mark.parametrize("both", [True, False])
def test_one_unit_is_never_said_in_the_plural(tmp_path: Path, both: bool) -> None:  # noqa: FBT001 - a case
    marked = {(3, "A"), (3, "B")} if both else {(3, "A")}
    rows = [f"u{u},{who},{'a' if (u, who) in marked else '-'}" for u in range(40) for who in "AB"]
    found = results(tmp_path, NOTHING, "\n".join(["item,worker,label", *rows]))
    for language, wrong in (("en", "1 units"), ("fr", "1 unités")):
        with writing(Edition(language)):
            text = page.report_html(ReportView(found), alone=False)
        assert not re.search(rf"(?<![\d,.]){wrong}", text)


def test_a_single_unit_is_agreed_on_in_the_singular(tmp_path: Path) -> None:
    export = "item,document,worker,label\nu,d,A,x\nu,d,B,y\n"
    found = results(tmp_path, "[privacy]\nsmallest = 1\n", export)
    drawn = ReportView(found).layers[0].heat_map
    assert drawn is not None
    assert "agree on 0 of 1 unit" in drawn.title
    assert "of 1 units" not in page.report_html(ReportView(found), alone=False)


def test_a_verdict_without_units_does_not_say_what_it_rests_on(tmp_path: Path) -> None:
    found = results(tmp_path, "", "item,worker,label\nu,A,x\nv,A,y\n")
    assert "It was fitted to 0" not in page.report_html(ReportView(found), alone=False)


@pytest.mark.parametrize(
    ("text", "from_right"),
    [("12 «ذهب» أحمد Anna", True), ("Anna ذهب", False), ("1, 2, 3", False), ("שלום", True)],
)
def test_a_context_knows_which_way_it_reads(text: str, from_right: bool) -> None:  # noqa: FBT001 - a case
    assert in_context(text, [(0, 2)]).from_right is from_right


def test_where_control_items_rejected_everybody_nobody_is_counted(tmp_path: Path) -> None:
    rows = [f"u{u},d{u % 5},{who},{'ab'[u % 2]}" for u in range(60) for who in "AB"]
    gold = "unit,label\n" + "".join(f"u{u},{'ba'[u % 2]}\n" for u in range(40))
    toml = '[controls]\nfile = "controls.csv"\nreject_below = 0.7\nminimum = 10\n'
    export = "\n".join(["item,document,worker,label", *rows])
    found = results(tmp_path, toml, export, {"controls.csv": gold})
    for language, said in (("en", "no annotators"), ("fr", "aucun annotateur")):
        text = shown(found, language)
        assert said in text
        assert not re.search(r"\b0 annotat", text)
