"""Pages in French: no English reason on them, and signs, joints and sentences as French sets them."""

import html
import re
from collections.abc import Mapping, Sequence

import pytest

from reportgen.measures.estimate import Undefined
from reportgen.report import page
from reportgen.report.view import ReportView
from reportgen.results import Figure, Results, UnitSet
from reportgen.results.model import LeftOut
from reportgen.words.language import Edition, _, writing
from tests.campaigns import marked, results_of, written
from tests.closed_lists import messages, reasons

CONTROLS = "unit,label\n" + "".join(f"u{place},{'xyz'[place % 3]}\n" for place in range(12))
TEXTS = {f"d{place}": f"The gene abc{place} is now called def{place}. It was renamed." for place in range(4)}
GENES = "".join(f"abc{place}\n" for place in range(4))
SETS = """[[unit_sets]]
id = "tokens"
units = "tokens"
primary = true
[[unit_sets]]
id = "any"
units = "annotated-by-any"
[[unit_sets]]
id = "all"
units = "annotated-by-all"
[[unit_sets]]
id = "sentences"
units = "sentences"
[[unit_sets]]
id = "genes"
units = "candidates"
file = "genes.txt"
"""
TAXONOMY = "child,parent\nx,letter\ny,letter\nz,last\nlast,letter\n"
ROLES = """controls = { file = "controls.csv", minimum = 5, reject_below = 0.9 }
[annotators.gold]
role = "reference"
[annotators.t1]
system = "tagger"
release = "1.0"
[annotators.t2]
system = "tagger"
release = "2.0"
[annotators.llm]
role = "model"
[annotators.again]
same_as = "A"
"""
DECLARED = """[[unit_sets]]
id = "items"
units = "items"
primary = true
[[unit_sets]]
id = "more"
units = "declared"
size = 90
"""


def export(who: Sequence[str], labels: str = "xyz", units: int = 24, *, apart: bool = False) -> str:
    """Return labels as a long CSV: nearly the same by everybody, or of other units by each."""
    rows = ["item,document,worker,label\n"]
    for unit in range(units):
        for place, name in enumerate(who):
            if not apart or unit % len(who) == place:
                label = labels[(unit + (unit % (place + 3) == 0)) % len(labels)]
                rows.append(f"u{unit},d{unit // 6},{name},{label}\n")
    return "".join(rows)


def spans() -> dict[str, str]:
    """Return brat's files of three people who differ in texts, with a note in one of them."""
    said = {
        "A": {name: [("Old", 9, 13), ("New", 28, 32)] for name in TEXTS},
        "B": {name: [("Old", 4, 13), ("Old", 28, 32)] for name in list(TEXTS)[:3]},
        "C": {name: [("New", 9, 13), ("Old", 9, 13), ("New", 21, 32)] for name in list(TEXTS)[1:]},
    }
    files = {f"exports/1.0/{name}": text for name, text in marked(TEXTS, said).items()}
    files["exports/1.0/A/d0.ann"] += "#1\tAnnotatorNotes T1\tnot sure\n"
    return files | {"genes.txt": GENES}


def csv(text: str, **files: str) -> dict[str, str]:
    return {"exports/1.0/e.csv": text} | {f"{name}.csv": each for name, each in files.items()}


CAMPAIGNS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "two": ("", csv(export("AB"))),
    "declared": ('task = { non_annotated = "z" }\n' + DECLARED, csv(export("ABC"))),
    "one annotator": ("", csv(export("A"))),
    "nothing in common": ("", csv(export("AB", apart=True))),
    "one unit": ("", csv(export("ABC", "x", 1))),
    "one category": ("", csv(export("ABCD", "x"))),
    "ordinal": ('task = { scale = "ordinal", categories = ["x", "y", "z"] }\n', csv(export("ABC"))),
    "constant on a scale": ('task = { scale = "interval" }\n', csv(export("AB", "1"))),
    "interval": ('task = { scale = "interval" }\n', csv(export("ABC", "1234"))),
    "sets": ('task = { scale = "set", category_count = 50 }\n', csv(export("ABC"))),
    "roles": (ROLES, csv(export([*"ABCD", "gold", "t1", "t2", "llm", "again"], units=40), controls=CONTROLS)),
    "taxonomy": ('[[distances]]\nid = "tax"\ntaxonomy = "tax.csv"\n', csv(export("AB"), tax=TAXONOMY)),
    "marks": ('task = { priority = ["New", "Old"] }\n' + SETS, spans()),
}
MARKDOWN, ALONE, LINKED = "Markdown", "one file", "linked"


@pytest.fixture(scope="module", params=CAMPAIGNS)
def found(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Results:
    toml, files = CAMPAIGNS[request.param]
    return results_of(written(tmp_path_factory.mktemp("french") / "campaign", toml, files))


@pytest.fixture(scope="module")
def said(found: Results) -> dict[str, str]:
    return french(found)


def french(found: Results) -> dict[str, str]:
    """Return what the pages of a report say in French."""
    with writing(Edition("fr")):
        view = ReportView(found)
        return {
            LINKED: words(page.report_html(view, alone=False)),
            ALONE: words(page.report_html(view, alone=True)),
            MARKDOWN: page.report_markdown(view),
        }


def words(text: str) -> str:
    """Return what a page says: its text, and what is said of its parts, each on a line."""
    shown = re.sub(r"<(style|script|math|code|pre)\b.*?</\1>", " ", text, flags=re.DOTALL)
    held = re.findall(r'(?:title|aria-label|placeholder|data-label)="([^"]*)"', shown)
    shown = re.sub(r"</?(?:p|td|th|li|h\d|div|title|desc|text|dt|dd|summary|caption)\b[^>]*>", "\n", shown)
    return html.unescape("\n".join([re.sub(r"<[^>]*>", "", shown), *held]))


def in_english() -> list[str]:
    """Return every message of closed lists that French has in other words, where it is no single word."""
    with writing(Edition("fr")):
        return [each for each in dict.fromkeys(messages()) if each.count(" ") > 1 and _(each) != each]


def left_in_english(pages: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(name, each) for each in in_english() for name, text in pages.items() if each in text]


def test_no_message_of_a_closed_list_is_left_in_english(said: dict[str, str]) -> None:
    assert left_in_english(said) == []


# A sign right behind a word, where French has a space that breaks no line.
SIGNS = re.compile(r"[^\s:|~*_\\-][:;!?](?=\s|$)", re.MULTILINE)
RUN_ON = re.compile(r"[a-zà-ÿ»)%]\.(?=[A-ZÀÉÊ][a-zà-ÿ’])")
UNELIDED = re.compile(r"\b(?:(?:de|que|le|la|ne|se) (?:une?|ils?|elles?|items|unité|on|autre)|si ils?)\b")
ENGLISH_NUMBER = re.compile(r"(?<![\w.,/-])0\.\d+(?![\w.])")


def test_signs_stand_as_french_sets_them(said: dict[str, str]) -> None:
    for name, text in said.items():
        own = html.unescape(text).replace("campaign.toml", "")
        assert sorted({around(own, each) for each in SIGNS.finditer(own)}) == [], name


def around(text: str, where: re.Match[str]) -> str:
    return text[max(0, where.start() - 30) : where.end() + 10]


@pytest.mark.parametrize("wrong", [RUN_ON, UNELIDED, ENGLISH_NUMBER])
def test_sentences_words_and_numbers_are_put_together_as_in_french(
    said: dict[str, str], wrong: re.Pattern[str]
) -> None:
    for name, text in said.items():
        assert sorted({around(text, each) for each in wrong.finditer(text)}) == [], name


@pytest.mark.parametrize("number", ["0", "1"])
def test_none_and_one_are_singular(said: dict[str, str], number: str) -> None:
    things = "unité|annotateur|document|catégorie|paire|marque|token|jugement|étiquette"
    several = re.compile(
        rf"(?<![\w,.\N{{NARROW NO-BREAK SPACE}}/-]){number}[ \N{{NO-BREAK SPACE}}](?:{things})s\b"
    )
    for name, text in said.items():
        assert several.findall(text) == [], name


def test_the_net_catches_what_is_wrong() -> None:
    assert SIGNS.search("New ou None: 22")
    assert not SIGNS.search("New ou None : 22 ; 23")
    assert RUN_ON.search("trop étroit.Le jackknife")
    assert UNELIDED.search("Unités de items")
    assert ENGLISH_NUMBER.search("vaut 0.5 sur")
    assert left_in_english({"page": f"– {next(iter(Undefined))}"})


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return results_of(written(tmp_path_factory.mktemp("base") / "campaign", "", csv(export("ABC"))))


def without_values(unit_set: UnitSet, why: Sequence[str]) -> UnitSet:
    """Return a unit set whose figures have no value, each for another reason."""
    kept = dict(zip(unit_set.measures, why, strict=False))
    measures = {name: Figure(value=None, undefined=reason) for name, reason in kept.items()}
    return unit_set.model_copy(update={"measures": {**unit_set.measures, **measures}})


WHY = [str(each) for each in Undefined]


@pytest.mark.parametrize("why", [WHY[place : place + 6] for place in range(0, len(WHY), 6)])
def test_every_reason_why_a_figure_has_no_value_is_said_in_french(base: Results, why: Sequence[str]) -> None:
    first, *others = base.unit_sets
    found = base.model_copy(update={"unit_sets": [without_values(first, why), *others]})
    said = french(found)
    assert left_in_english(said) == []
    with writing(Edition("fr")):
        assert [each for each in why if _(each) not in said[LINKED]] == []


def test_every_reason_why_marks_are_left_out_is_said_in_french(base: Results) -> None:
    left = [
        LeftOut(file="exports/e.csv", line=line, annotator="A01", reason=each, marks=1)
        for line, each in enumerate(dict.fromkeys(reasons()), 1)
    ]
    said = french(base.model_copy(update={"left_out": left}))
    assert left_in_english(said) == []
