"""A campaign of each subject with a planted cause: the title says it, one act follows, nothing denies it."""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise

import pytest
from lxml import html

from reportgen.findings.causes import ranked
from reportgen.report.page import report_html
from reportgen.report.view import ReportView
from reportgen.results import Results
from tests.campaigns import marked, results_of, written
from tests.readers.write_textgrid import grid
from tests.six_subjects import ROLES

Made = tuple[str, Mapping[str, str]]
PEOPLE = "Ada", "Blaise", "Cleo", "Dora"


def table(*rows: tuple[object, ...]) -> dict[str, str]:
    return {"exports/1.0/e.csv": "".join(f"{','.join(map(str, row))}\n" for row in rows)}


def marks_more() -> Made:
    """Blaise marks what Ada leaves out, in twelve texts."""
    draw = random.Random(1)  # noqa: S311 - made data
    text = " ".join(["river", "Paris", "anna"] * 20)
    marks: dict[str, dict[str, list[tuple[str, int, int]]]] = {"Ada": {}, "Blaise": {}}
    for number in range(12):
        every = [("LOC", place, place + 5) for place in range(6, 300, 16)]
        marks["Blaise"][f"d{number}"] = every
        marks["Ada"][f"d{number}"] = [mark for mark in every if draw.random() < 0.5]
    files = marked({f"d{number}": text for number in range(12)}, marks)
    return "", {f"exports/1.0/{name}": content for name, content in files.items()}


def one_of_four() -> Made:
    """Dora draws her labels; the others agree."""
    draw = random.Random(2)  # noqa: S311 - made data
    rows: list[tuple[object, ...]] = [("unit", *PEOPLE)]
    for unit in range(120):
        right = draw.choice("abc")
        others = [right if draw.random() < 0.95 else draw.choice("abc") for _ in PEOPLE[1:]]
        rows.append((unit, *others, draw.choice("abc")))
    return "", table(*rows)


def two_labels(of_counts: bool = False) -> Made:  # noqa: FBT001, FBT002 - one choice
    """What is a and what is b nobody knows; c, d and e are clear. A matrix has the same without its cases."""
    draw = random.Random(3)  # noqa: S311 - made data
    rows: list[tuple[object, ...]] = [("unit", "Ada", "Blaise")]
    for unit in range(200):
        right = draw.choice("abcde")
        rows.append((unit, *(draw.choice("ab") if right in "ab" else right for _ in range(2))))
    if not of_counts:
        return "", table(*rows)
    cells = Counter((str(one), str(other)) for _unit, one, other in rows[1:])
    lines = [
        "Ada\\Blaise," + ",".join("abcde"),
        *(f"{one}," + ",".join(str(cells[one, other]) for other in "abcde") for one in "abcde"),
    ]
    return "", {"exports/1.0/m.csv": "\n".join(lines) + "\n"}


def fine_labels() -> Made:
    """Ten papers with one of thirty labels each."""
    draw = random.Random(4)  # noqa: S311 - made data
    rows: list[tuple[object, ...]] = [("unit", "Ada", "Blaise", "Cleo")]
    rows += [(unit, *(f"quality {draw.randrange(30)}x" for _ in range(3))) for unit in range(30)]
    return "", table(*rows)


def crowd() -> Made:
    """Of three answers one is given by chance."""
    draw = random.Random(5)  # noqa: S311 - made data
    rows: list[tuple[object, ...]] = [("unit", "worker", "label")]
    for unit in range(150):
        right = draw.choice("ab")
        for worker in draw.sample(range(30), 5):
            said = "unclear" if draw.random() < 0.25 else right if draw.random() < 0.9 else draw.choice("ab")
            rows.append((f"u{unit}", f"w{worker:02}", said))
    return "", table(*rows)


def systems() -> Made:
    """The newer release finds most marks, and calls a third of them something else."""
    draw = random.Random(6)  # noqa: S311 - made data
    text = " ".join(["river", "Paris", "anna"] * 20)
    marks: dict[str, dict[str, list[tuple[str, int, int]]]] = {"gold": {}, "t1": {}, "t2": {}}
    for number in range(12):
        every = [(draw.choice(("LOC", "PER")), place, place + 5) for place in range(6, 300, 16)]
        marks["gold"][f"d{number}"] = every
        marks["t1"][f"d{number}"] = [mark for mark in every if draw.random() < 0.4]
        marks["t2"][f"d{number}"] = [
            ("ORG" if draw.random() < 0.3 else name, begin, end)
            for name, begin, end in every
            if draw.random() < 0.95
        ]
    files = marked({f"d{number}": text for number in range(12)}, marks)
    return ROLES, {f"exports/1.0/{name}": content for name, content in files.items()}


def judge() -> Made:
    """A model calls harmful what is fine, seldom the other way round."""
    draw = random.Random(7)  # noqa: S311 - made data
    rows: list[tuple[object, ...]] = [("unit", "Ada", "gpt")]
    for unit in range(200):
        said = "harmful" if draw.random() < 0.3 else "fine"
        rows.append((unit, said, "harmful" if draw.random() < 0.2 else said))
    return '[annotators.gpt]\nrole = "model"\n', table(*rows)


def recordings() -> Made:
    """Blaise sets every boundary 60 ms late."""
    draw = random.Random(8)  # noqa: S311 - made data
    files = {}
    for number in range(8):
        cuts = range(2_000, 60_000, 2_000)
        said = [draw.choice(("speech", "pause", "laugh")) for _ in range(len(cuts) + 1)]
        for who, late in (("Ada", 0), ("Blaise", 60)):
            ends = [0, *(cut + late + draw.randint(-20, 20) for cut in cuts), 60_000]
            tier = [(begin, end, label) for (begin, end), label in zip(pairwise(ends), said, strict=True)]
            files[f"exports/1.0/{who}/r{number}.TextGrid"] = grid(60_000, {"events": tier})
    return "", files


def stability() -> Made:
    """Ada hardly repeats herself, Blaise always does."""
    draw = random.Random(9)  # noqa: S311 - made data
    rows: list[tuple[object, ...]] = [("unit", "annotator", "label", "pass")]
    for unit in range(160):
        who, label = PEOPLE[unit % 2], draw.choice("xyz")
        again = draw.choice("xyz") if who == "Ada" and draw.random() < 0.7 else label
        rows += [(f"u{unit}", who, label, 1), (f"u{unit}", who, again, 2)]
    return "", table(*rows)


# What is planted, what the title says of it, and what is to be done.
STORIES: Mapping[str, tuple[Callable[[], Made], str, str]] = {
    "marks more": (marks_more, "A02 marked something that A01 left out", "Agree on what should be marked. "),
    "one of four": (one_of_four, "between A04 and the others", "Ask A04 by which rules they decided. Go"),
    "two labels": (two_labels, "between a and b", "Agree on how to tell a from b. "),
    "a matrix": (lambda: two_labels(of_counts=True), "between a and b", "Agree on how to tell a from b."),
    "fine labels": (fine_labels, "The list of labels is too fine", "Merge labels"),
    "crowd": (crowd, "“unclear”", "ite down when to choose unclear."),
    "systems": (systems, "with another type or other ends", "Read the "),
    "judge": (judge, "It chooses “harmful” too often", "Check the "),
    "recordings": (recordings, "Boundaries of A01 come 6", "Agree with A01"),
    "stability": (stability, "A01 changes more than anybody else", "Ask A01 to review the "),
}  # fmt: skip
# What may not stand together on what is seen of a page.
NOT_TOGETHER = (
    (
        r"fall(s)? short|not reliable|too low|do not segment|Not everybody",
        r"Nothing urgent|Nothing to do|calls for a change",
    ),
    (
        r"No single cause",
        r"A0\d (marked|left out|differs)|between A0\d and|disagreements are (about|between|in)",
    ),
    (r"What to do first", r"What to do first.*What to do first"),
    (r"too fine", r"what counts as|when to choose|how to tell"),
    (r"Pay for no more labels", r"Have units labelled \d+ times"),
)
# No case of a matrix, or of counts, can be looked at, and nobody of a crowd can be met.
IMPOSSIBLE = {
    "a matrix": r"Go through|Read \d|Look at (all|the)|export",
    "crowd": r"together,|Agree (on|with)|Ask w?A?\d",
}
SENTENCE = re.compile(r"(?<=[.!?:]) (?=[A-Z“])")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Results, html.HtmlElement]]:
    folder = tmp_path_factory.mktemp("stories")
    found = {}
    for number, (name, (make, _title, _act)) in enumerate(STORIES.items()):
        results = results_of(written(folder / f"c{number}", *make()))
        found[name] = results, html.fromstring(report_html(ReportView(results), alone=False))
    return found


def seen(page: html.HtmlElement) -> list[str]:
    """What is seen of a page without opening anything, text by text."""
    whole = html.fromstring(html.tostring(page))
    hidden = "//details/*[not(self::summary)] | //svg | //script | //style | //nav | //*[@class='cramped']"
    for part in whole.xpath(hidden):
        part.drop_tree()
    shown = whole.xpath("//p | //li | //h1 | //h2 | //h3 | //td | //th | //summary | //figcaption | //dd")
    return [
        " ".join(part.text_content().split())
        for part in shown
        if not part.xpath(".//p | .//li | .//h2 | .//h3")
    ]


def sentences(page: html.HtmlElement) -> Iterator[str]:
    """Its sentences: what has five words or more, and a stop."""
    for text in seen(page):
        yield from (each for each in SENTENCE.split(text) if len(each.split()) >= 5 and each[-1] in ".!?")


@pytest.mark.parametrize("name", STORIES)
def test_the_planted_cause_is_in_the_title_and_its_one_act_below(
    pages: dict[str, tuple[Results, html.HtmlElement]], name: str
) -> None:
    results, page = pages[name]
    _made, title, act = STORIES[name]
    (head,) = page.xpath("//h1")
    assert title in " ".join(head.text_content().split())
    (done,) = page.xpath("//header[@id='verdict']//strong")
    assert act in done.text_content()
    assert bool(re.search(r"Go through|Look at", done.text_content())) <= (name not in IMPOSSIBLE)
    # Nothing else is the first: not in results, and in no other place of the page.
    first = ranked(results)[0]
    assert {finding.id for finding in results.findings if finding.cause == 1} == {
        own.id for own in first.findings
    }
    others = " ".join(seen(page))
    assert re.findall(r".{20}\b[Ff]irst\b.{20}|.{20}\bBegin with\b", others) == []


@pytest.mark.parametrize("name", STORIES)
def test_no_two_statements_deny_each_other_and_none_stands_twice(
    pages: dict[str, tuple[Results, html.HtmlElement]], name: str
) -> None:
    _results, page = pages[name]
    text = " ".join(seen(page))
    for one, other in NOT_TOGETHER:
        assert not (re.search(one, text) and re.search(other, text)), (one, other)
    twice = [each for each, times in Counter(sentences(page)).items() if times > 1]
    assert twice == []
    if impossible := IMPOSSIBLE.get(name):
        assert not re.search(impossible, text)


def test_statements_that_deny_each_other_would_be_found() -> None:
    page = html.fromstring(
        "<body><h1>It is not reliable.</h1><p>Nothing urgent.</p><details><p>Hidden.</p></details></body>"
    )
    one, other = NOT_TOGETHER[0]
    text = " ".join(seen(page))
    assert re.search(one, text)
    assert re.search(other, text)
    assert "Hidden" not in text
    again = html.fromstring("<body><p>This is said here twice. This is said here twice.</p></body>")
    assert [*Counter(sentences(again)).values()] == [2]
