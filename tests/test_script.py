"""What the script of a page helps with, in Chromium; without it, everything is there as well."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from reportgen.report import page
from reportgen.report.tables import ReportTable, TableColumn
from reportgen.results import Figure, Interval
from reportgen.words import language
from tests.conftest import OpenPage
from tests.slowly import slow_but

pytestmark = pytest.mark.browser

# A browser has no clipboard for pages from disk everywhere: what would be copied is kept instead.
CLIPBOARD = """window.copied = [];
const clipboard = { writeText: async (text) => { copied.push(text); } };
Object.defineProperty(navigator, "clipboard", { value: clipboard });"""
NO_CLIPBOARD = """Object.defineProperty(navigator, "clipboard", { value: undefined });
window.copied = [];
document.execCommand = () => copied.push(document.activeElement.value) > 0;"""
TEMPLATE = """{% extends "base.html.j2" %}
{% block title %}Tables{% endblock %}
{% block body %}
<header class="top"><h1>Tables</h1></header>
<nav class="sections" aria-label="Contents"><div><ol><li><a href="#first">First</a></li></ol></div></nav>
<div class="body">
<main id="content">
<section id="first" aria-labelledby="first-title"><h2 id="first-title">First</h2>
{{ table(short) }}
</section>
<section id="second" aria-labelledby="second-title"><h2 id="second-title">Second</h2>
<details><summary>More</summary>{{ table(long) }}</details>
<pre tabindex="0">@misc{key,
  title = {A}
}</pre>
</section>
</main></div>
{% endblock %}
"""


def figure(value: float) -> Figure:
    return Figure(value=value, interval=Interval(low=value - 0.1, high=value + 0.1, level=0.95, method="m"))


SHORT = ReportTable(
    id="short",
    caption="Figures of annotators.",
    columns=(
        TableColumn("name", "Name"),
        TableColumn("units", "Units", "count"),
        TableColumn("kappa", "Kappa", "estimate"),
        TableColumn("share", "Share", "percent"),
    ),
    rows=(
        ("A & B", 1200, figure(0.5), 0.031),
        ("a_10|x", 90, figure(-0.25), 0.5),
        ('"a_9", y', 10001, Figure(value=None, undefined="no unit is shared"), 0.2),
        ("Zoë", 7, Figure(value=0.75, interval=Interval(undefined="no disagreement was seen")), 0.1),
        ("Sum", 11298, figure(0.2), 1),
    ),
    total=True,
)
LONG = ReportTable(
    id="long",
    caption="Documents.",
    columns=(TableColumn("document", "Document"), TableColumn("marks", "Marks", "count")),
    rows=tuple((f"abstract {number}", number) for number in range(1, 15)),
)


@pytest.fixture(params=slow_but(["en", "fr"], "en"))
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a page with a short table that has a margin, and a long one that is folded."""
    return written(tmp_path, request.param)


def written(folder: Path, code: str) -> str:
    with language.writing(language.Edition(code)):
        template = page._html(language.edition()).from_string(TEMPLATE)  # noqa: SLF001
        text = page.rendered(template, short=SHORT, long=LONG)
    path = folder / f"{code}.html"
    path.write_text(text, encoding="utf-8")
    return path.as_uri()


def opened(open_page: OpenPage, address: str, before: str = CLIPBOARD) -> Page:
    found = open_page()
    found.add_init_script(before)
    found.goto(address)
    return found


def names(found: Page, table: str = "short") -> list[str]:
    return [each.strip() for each in found.locator(f"#table-{table} tbody tr:visible th").all_text_contents()]


def copied(found: Page) -> str:
    texts: list[str] = found.evaluate("copied")
    return texts[-1]


# Sorting


@pytest.mark.slow
def test_clicks_sort_numbers_both_ways_and_restore(open_page: OpenPage, address: str) -> None:
    found = opened(open_page, address)
    before = ["A & B", "a_10|x", '"a_9", y', "Zoë", "Sum"]
    assert names(found) == before
    head = found.locator("#table-short thead th").nth(1)
    for state, order in (
        ("ascending", ["Zoë", "a_10|x", "A & B", '"a_9", y', "Sum"]),
        ("descending", ['"a_9", y', "A & B", "a_10|x", "Zoë", "Sum"]),
    ):
        head.locator("button").click()
        expect(head).to_have_attribute("aria-sort", state)
        assert names(found) == order, "thousands are read, and the margin stays last"
    head.locator("button").click()
    assert head.get_attribute("aria-sort") is None
    assert names(found) == before


@pytest.mark.parametrize("address", slow_but(["en", "fr"], "fr"), indirect=True)
def test_percentages_and_words_sort_as_the_language_has_them(open_page: OpenPage, address: str) -> None:
    found = opened(open_page, address)
    found.locator("#table-short thead button").nth(3).click()
    assert names(found) == ["A & B", "Zoë", '"a_9", y', "a_10|x", "Sum"]
    found.locator("#table-short thead button").first.click()
    order = names(found)
    assert order.index('"a_9", y') < order.index("a_10|x") < order.index("Zoë"), "9 comes before 10"
    assert found.locator("#table-short thead th[aria-sort]").count() == 1


# Filtering and finding


def test_a_long_table_has_a_filter_that_counts_rows(open_page: OpenPage, address: str) -> None:
    found = opened(open_page, address)
    assert found.locator("#first input").count() == 0, "five rows need none"
    found.locator("#second details").first.evaluate("each => { each.open = true }")
    found.locator("#second input").fill("ABSTRACT 1")
    assert len(names(found, "long")) == 6
    assert found.locator("#second output").inner_text() in {"6 of 14 rows", "6 lignes sur 14"}
    found.locator("#second input").fill("")
    assert len(names(found, "long")) == 14
    assert found.locator("#second output").inner_text() == ""


def looked_for(found: Page, wanted: str) -> str:
    """Look for words; return what the page says of them."""
    found.locator(".find input").fill(wanted)
    status = found.locator(".find [role=status]")
    expect(status).not_to_have_text("" if wanted else "…")
    expect(found.locator(".find input")).to_have_value(wanted)
    found.wait_for_timeout(300)
    return status.inner_text()


def marked(found: Page, name: str) -> list[str]:
    texts: list[str] = found.evaluate(f"[...CSS.highlights.get('{name}') ?? []].map(String)")
    return texts


@pytest.mark.slow
def test_words_are_found_marked_counted_and_unfolded(open_page: OpenPage, address: str) -> None:
    found = opened(open_page, address)
    assert looked_for(found, "zoe").startswith("1"), "letters without their accents"
    assert (marked(found, "found"), marked(found, "here")) == (["Zoë"], ["Zoë"])
    assert found.locator("nav [data-hits]").all_text_contents() == ["First"]
    assert not found.locator("#second details").first.evaluate("each => each.open")
    assert looked_for(found, "abstract 1").endswith("6")
    assert len(marked(found, "found")) == 6
    expect(found.locator("tbody th", has_text="abstract 10")).to_be_visible()
    found.keyboard.press("Shift+Enter")
    expect(found.locator("tbody th", has_text="abstract 14")).to_be_in_viewport()
    assert marked(found, "here") == ["abstract 1"]
    assert looked_for(found, "no such thing") in {"Nothing found.", "Rien trouvé."}
    assert found.locator(".find button:visible").count() == 0


@pytest.mark.slow
def test_keys_lead_to_the_search_and_back(open_page: OpenPage, address: str) -> None:
    found = opened(open_page, address)
    found.keyboard.press("/")
    expect(found.locator(".find input")).to_be_focused()
    looked_for(found, "kappa")
    looked_for(found, "abstract 13")
    assert found.url == f"{address}?find=abstract+13"
    found.go_back()
    assert found.url == address
    expect(found.locator(".find input")).to_have_value("")
    assert marked(found, "found") == []
    found.goto(f"{address}?find=abstract+13#second")
    expect(found.locator("tbody th", has_text="abstract 13")).to_be_in_viewport()
    found.locator(".find input").focus()
    found.keyboard.press("Escape")
    expect(found.locator("tbody th", has_text="abstract 13")).to_be_focused()
    assert marked(found, "found") == []


def is_french(found: Page) -> bool:
    return bool(found.evaluate("document.documentElement.lang === 'fr'"))


# Copying


def copy(found: Page, form: str) -> str:
    """Copy the short table with the keyboard."""
    menu = found.locator("#first .tools")
    if menu.get_attribute("open") is None:
        menu.locator("summary").focus()
        found.keyboard.press("Enter")
    menu.get_by_role("button", name=form).focus()
    found.keyboard.press("Enter")
    expect(found.locator(".said")).to_have_text(("Copied.", "Copié.")[is_french(found)])
    return copied(found)


@pytest.mark.parametrize("before", slow_but([CLIPBOARD, NO_CLIPBOARD], NO_CLIPBOARD))
def test_a_table_is_copied_as_csv(open_page: OpenPage, tmp_path: Path, before: str) -> None:
    found = opened(open_page, written(tmp_path, "en"), before)
    assert copy(found, "CSV").splitlines() == [
        "Name,Units,Kappa,Share",
        'A & B,"1,200","0.500 [0.400, 0.600]",3.1%',
        'a_10|x,90,"−0.250 [−0.350, −0.150]",50.0%',
        '"""a_9"", y","10,001",–,20.0%',
        "Zoë,7,0.750 [–],10.0%",
        'Sum,"11,298","0.200 [0.100, 0.300]",100.0%',
    ]


@pytest.mark.slow
def test_a_table_is_copied_as_markdown_as_it_is_sorted(open_page: OpenPage, tmp_path: Path) -> None:
    found = opened(open_page, written(tmp_path, "en"))
    found.locator("#table-short thead button").nth(1).click()
    lines = copy(found, "Markdown").splitlines()
    assert lines[:2] == ["| Name | Units | Kappa | Share |", "| :-- | --: | --: | --: |"]
    assert [line.split(" | ")[0] for line in lines[2:]] == [
        "| Zoë",
        r"| a\_10\|x",
        "| A & B",
        r'| "a\_9", y',
        "| Sum",
    ]


@pytest.mark.slow
def test_a_table_is_copied_as_latex_with_its_specials_escaped(open_page: OpenPage, address: str) -> None:
    found = opened(open_page, address)
    text = copy(found, "LaTeX")
    lines = text.splitlines()
    assert (lines[1], lines[2], lines[4]) == (r"\begin{tabular}{lrrr}", r"\toprule", r"\midrule")
    assert r"A \& B & " in text
    assert r"a\_10$|$x & 90 & $-$0" in text
    assert r"\% \\" in text
    assert lines[-4] == r"\midrule", "the margin has a rule of its own"
    assert lines[-2:] == [r"\bottomrule", r"\end{tabular}"]
    # LaTeX does not know these blanks.
    assert not set(text + copy(found, "CSV")) & {"\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}"}


@pytest.mark.slow
def test_bibtex_and_the_address_of_a_section_are_copied(open_page: OpenPage, address: str) -> None:
    found = opened(open_page, address)
    found.locator("pre + .tools button").click()
    assert copied(found) == "@misc{key,\n  title = {A}\n}"
    link = found.locator("h2 + .anchor").nth(1)
    assert link.get_attribute("href") == "#second"
    link.focus()
    found.keyboard.press("Enter")
    assert copied(found) == f"{address}#second"
    assert found.url == f"{address}#second"


# Explanations


@pytest.mark.slow
def test_a_keyboard_reaches_why_a_figure_is_undefined(open_page: OpenPage, tmp_path: Path) -> None:
    found = opened(open_page, written(tmp_path, "en"))
    tip = found.locator("[role=tooltip]")
    expect(tip).to_be_hidden()
    dash = found.locator("td .none")
    dash.focus()
    expect(tip).to_have_text("no unit is shared")
    assert dash.get_attribute("aria-describedby") == "tip"
    found.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    dash.hover()
    expect(tip).to_be_visible()
    tip.hover()
    expect(tip).to_be_visible()
    found.locator("h1").hover()
    expect(tip).to_be_hidden()
    dash.click()
    expect(tip).to_be_visible()


@pytest.mark.slow
def test_without_scripts_everything_is_there(open_page: OpenPage, address: str) -> None:
    found = open_page(java_script_enabled=False)
    found.goto(address)
    assert found.locator("button, input, .anchor, .tools, .tip").count() == 0
    assert len(names(found)) == 5
    assert found.locator("td .none").get_attribute("title")
    found.locator("summary").click()
    assert len(names(found, "long")) == 14


@pytest.mark.slow
def test_for_print_heads_are_text_and_folds_are_open(open_page: OpenPage, address: str) -> None:
    found = opened(open_page, address)
    buttons, folded = found.locator("thead button"), found.locator("#second details:not(.tools)")
    before = buttons.count()
    assert before > 0
    found.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert (buttons.count(), folded.evaluate("each => each.open")) == (0, True)
    assert found.locator("#table-short thead th").first.inner_text() == "Name"
    found.evaluate("dispatchEvent(new Event('afterprint'))")
    assert (buttons.count(), folded.evaluate("each => each.open")) == (before, False)
    button = found.locator("#table-short thead button").nth(2)
    button.focus()
    found.keyboard.press("Enter")
    assert names(found) == ["a_10|x", "A & B", "Zoë", '"a_9", y', "Sum"], "a true minus, and no interval"
    found.keyboard.press("Space")
    assert names(found) == ["Zoë", "A & B", "a_10|x", '"a_9", y', "Sum"]
    expect(button).to_be_focused()
