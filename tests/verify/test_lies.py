"""`reportgen verify` and two hundred lies: none ends as the same, and of honest bundles none as different."""

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest

from reportgen.findings import find
from reportgen.publish.verify.differences import CheckOutcome, merge_outcomes
from reportgen.publish.verify.file_tree import Tree
from reportgen.publish.verify.folders import check_bundle, compare_text, without_drawings
from reportgen.publish.verify.recomputing import check_findings
from reportgen.results import Results, Tool, dumps
from tests.bundles import differences, mended, small, tree
from tests.commands import on_disk, run
from tests.slowly import slow_but

RESULTS = "report/results.json"
HERE = Tool.here()
OTHER = HERE.model_copy(update={"version": "0.0.1"})
OTHER_LIBRARIES = HERE.model_copy(update={"libraries": {**HERE.libraries, "matplotlib": "3.9.0"}})
# Where files print figures: between tags, in a cell, in a sentence.
FIGURE = {
    "html": re.compile(r"(?<=>)0[.,]\d{3}(?= ?<)"),
    "csv": re.compile(r"(?<=,)0[.]\d{3,}(?=,)"),
    "svg": re.compile(r"(?<=: )0[.,]\d{3}(?=[;. <])"),
}
ANY_FIGURE = re.compile(r"(?<![\d.,-])0[.,]\d{2,}(?![\d.,-])")
WORD = re.compile(r"(?<=[ >])[a-z]{5,}(?=[ .<])")
LIED_ABOUT = (
    *("report/index.html", "report/report.html", "report/fr/index.html"),
    *("report/report.md", "report/fr/report.md"),
    *("report/latex/tables.tex", "report/latex/methods.tex", "report/fr/latex/tables.tex"),
    *("report/figures/size-curve-tokens.svg", "report/fr/figures/specific-agreement-tokens.svg"),
    *("report/tables/coefficients.csv", "report/tables/spans.csv", "report/tables/pairs.both.csv"),
    *("report/tables/specific-agreement.tokens.csv", "report/tables/computed-distances-alpha.tokens.csv"),
    *("README.md", "agreement.txt", "dataset-card.md", "croissant.json", "ro-crate-metadata.json"),
    *("methods.md", "CITATION.cff"),
)


def as_made_by(tool: Tool, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return a bundle as another program would have made it, whose pages say what this one's say."""
    results = Results.model_validate_json(files[RESULTS]).model_copy(update={"tool": tool})
    return mended({**files, RESULTS: dumps(results).encode()})


def compared(name: str, text: str, due: str, tool: Tool) -> CheckOutcome:
    return merge_outcomes(compare_text(name, text.encode(), due, tool))


# Lies about a file.

Lie = Callable[[str, list[re.Match[str]]], str]


def put(text: str, place: re.Match[str], other: str) -> str:
    return text[: place.start()] + other + text[place.end() :]


def other_figure(text: str, places: list[re.Match[str]]) -> str:
    return put(
        text, places[0], re.sub(r"\d(?=\d*$)", lambda digit: str(9 - int(digit[0])), places[0][0], count=1)
    )


def last_figure(text: str, places: list[re.Match[str]]) -> str:
    last = places[-1]
    return put(text, last, f"{last[0][:2]}{'987' if last[0][2:] != '987' else '123'}")


def swapped(text: str, places: list[re.Match[str]]) -> str:
    first = places[0]
    # The same figure with more digits is no other one: where there are no others, nothing is changed.
    others = [place for place in reversed(places) if place[0] != first[0]]
    second = next((place for place in others if not place[0].startswith(first[0])), None)
    return put(put(text, second, first[0]), first, second[0]) if second else text


def added(text: str, places: list[re.Match[str]]) -> str:
    return put(text, places[0], f"{places[0][0]} 0.987")


def reworded(text: str, places: list[re.Match[str]]) -> str:
    del places
    words = list(WORD.finditer(text))
    return put(text, words[len(words) // 2], "perfect") if words else f"{text}perfect"


def removed(text: str, places: list[re.Match[str]]) -> str:
    return put(text, places[len(places) // 2], "")


LIES: tuple[Lie, ...] = (other_figure, last_figure, swapped, added, reworded, removed)


@cache
def told_lies() -> list[tuple[str, Lie, str, str]]:
    """Return files with what each says, and with a lie in it."""
    files = small(texts=False, exports=False)
    lies: list[tuple[str, Lie, str, str]] = []
    for name in filter(files.__contains__, LIED_ABOUT):
        due = files[name].decode()
        places = list(FIGURE.get(name.rpartition(".")[2], ANY_FIGURE).finditer(due))
        if len({place[0] for place in places}) < 2:
            lies.append((name, reworded, due, reworded(due, places)))
        else:
            lies += [(name, lie, due, lie(due, places)) for lie in LIES]
    return [each for each in lies if each[2] != each[3]]


def test_there_are_two_hundred_lies() -> None:
    assert 2 * len(told_lies()) > 200


QUICK = ("report/report.md", "report/tables/coefficients.csv", "report/figures/size-curve-tokens.svg")


@pytest.mark.parametrize("lied_about", slow_but(LIED_ABOUT, *QUICK, "report/fr/index.html", "croissant.json"))
def test_a_lie_is_never_the_same(lied_about: str) -> None:
    for name, lie, due, text in (each for each in told_lies() if each[0] == lied_about):
        assert compared(name, text, due, HERE).verdict == "different", lie
        of_drawing = without_drawings(text) == without_drawings(due)
        verdict = "unchecked" if of_drawing else "different"
        assert compared(name, text, due, OTHER_LIBRARIES).verdict == verdict, lie
        # Words and numbers of another version's pages are not compared, which is said.
        assert compared(name, text, due, OTHER).verdict == "unchecked", lie


def test_a_bundle_that_lies_and_says_that_another_version_made_it_is_not_the_same() -> None:
    """Pages of another version are named as not compared; the figures of its results are."""
    files = small(texts=False, exports=False)
    value = json.loads(files[RESULTS])["unit_sets"][0]["measures"]["krippendorff_alpha"]["value"]
    shown = f"{value:.3f}".encode()
    pages = {name: files[name].replace(shown, b"0.987") for name in files if name.endswith((".html", ".md"))}
    assert any(pages[name] != files[name] for name in pages)
    outcome = merge_outcomes(check_bundle(Tree(as_made_by(OTHER, {**files, **pages})), lambda _: None))
    assert outcome.verdict == "unchecked"
    assert "pages, tables and figures" in {each.what for each in outcome.unchecked}
    results = {RESULTS: files[RESULTS].replace(str(value).encode(), b"0.987")}
    outcome = merge_outcomes(check_bundle(Tree(as_made_by(OTHER, {**files, **results})), lambda _: None))
    assert "0.987 recorded" in differences(outcome)


@pytest.mark.slow
@pytest.mark.parametrize("exports", [False, True])
@pytest.mark.parametrize("libraries", [{}, {"scipy": "1.14.0"}])
def test_an_honest_bundle_of_another_version_is_not_different(
    libraries: dict[str, str], *, exports: bool
) -> None:
    tool = OTHER.model_copy(update={"libraries": {**HERE.libraries, **libraries}})
    files = as_made_by(tool, small(texts=exports, exports=exports))
    outcome = merge_outcomes(check_bundle(tree(files), lambda _: None))
    assert differences(outcome) == ""
    # Its pages name the program that made them.
    assert outcome.verdict == "unchecked"


# What another version may have otherwise, and what not.


@pytest.mark.parametrize(("tool", "verdict"), [(HERE, "different"), (OTHER, "unchecked")])
def test_results_of_a_form_that_is_not_ours_are_of_another_version_or_different(
    tool: Tool, verdict: str
) -> None:
    files = dict(as_made_by(tool, small(texts=False, exports=False)))
    files[RESULTS] = json.dumps({**json.loads(files[RESULTS]), "more": {"kappa": 1}}).encode()
    assert merge_outcomes(check_bundle(tree(mended(files)), lambda _: None)).verdict == verdict


@pytest.mark.parametrize(
    ("key", "other", "verdict"), [("values", {}, "unchecked"), ("claim", "All is well.", "unchecked")]
)
def test_a_finding_of_another_version_may_have_other_words(key: str, other: object, verdict: str) -> None:
    results = Results.model_validate_json(small(texts=False, exports=False)[RESULTS])
    assert merge_outcomes(check_findings(of(OTHER, results), RESULTS, find)).verdict == "same"
    first, *more = results.findings
    reworded = results.model_copy(update={"findings": (first.model_copy(update={key: other}), *more)})
    assert merge_outcomes(check_findings(of(OTHER, reworded), RESULTS, find)).verdict == verdict
    without = {"kind": None, "asks": None, "level": None, "of_data": None}
    bare = results.model_copy(
        update={"findings": tuple(each.model_copy(update=without) for each in results.findings)}
    )
    assert merge_outcomes(check_findings(of(OTHER, bare), RESULTS, find)).verdict == "same", "traits are new"
    assert merge_outcomes(check_findings(bare, RESULTS, find)).verdict == "different"
    assert merge_outcomes(check_findings(reworded, RESULTS, find)).verdict == "different"


def of(tool: Tool, results: Results) -> Results:
    return results.model_copy(update={"tool": tool})


# Other libraries, whose last digits may be others.


# Line ends


def with_crlf(files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {name: content.replace(b"\n", b"\r\n") for name, content in files.items()}


@pytest.mark.slow
def test_line_ends_that_git_changed_are_named_as_the_cause(tmp_path: Path) -> None:
    files = small(texts=False, exports=False)
    answer = run("verify", on_disk(tmp_path / "b", with_crlf(files)))
    assert answer.exit_code == 3
    assert f"unchecked: line ends ({len(files)})" in answer.stdout
    assert "git config core.autocrlf" in answer.stdout
    assert answer.stdout.splitlines()[-1] == "not all could be checked: nothing of what was checked differs."
