"""`reportgen verify` against somebody who covers traces, and two hundred lies."""

import io
import json
import re
import warnings
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from reportgen.findings import find
from reportgen.publish.bundle import with_metadata
from reportgen.publish.bundle_files import Released, as_zip, checksums
from reportgen.publish.verify import verify
from reportgen.publish.verify.differences import CheckOutcome, merge_outcomes
from reportgen.publish.verify.file_tree import Tree, read_archive
from reportgen.publish.verify.folders import check_bundle, compare_text, without_drawings
from reportgen.publish.verify.recomputing import check_findings
from reportgen.results import Results, Tool, dumps
from tests.bundles import differences, dumped, mended, small, tree, verified
from tests.commands import on_disk, run
from tests.slowly import slow_but

RESULTS, PSEUDONYMS = "report/results.json", "exports/pseudonyms.csv"


def recorded(**options: bool) -> Any:  # noqa: ANN401
    return json.loads(small(**options)[RESULTS])


def covered(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return a bundle with checksums and metadata as of its files: whoever added one has mended them."""
    inside = mended(files)
    inside.pop("SHA256SUMS")
    results = Results.model_validate_json(files[RESULTS])
    return mended(with_metadata(Released(results, ("en", "fr"), results.revision.released, inside)).files)


def unchecked(outcome: CheckOutcome) -> set[str]:
    return {each.what for each in outcome.unchecked}


# Files that nothing determines


@pytest.mark.slow
def test_a_file_added_to_a_bundle_is_named_though_all_lists_have_it() -> None:
    added = {"NOTES.md": b"All is well.\n", "./README.md": b"x", "report/counts/more.parquet": b"PAR1"}
    outcome = verified(covered({**small(texts=False, exports=False), **added}))
    assert [each.check for each in outcome.differences if each.check == "checksums"] == []
    for name in added:
        assert f"{name}: was added" in differences(outcome), name


@pytest.mark.slow
def test_a_file_added_to_exports_is_named_and_so_is_a_name_that_stands_for_nobody() -> None:
    files = dict(small())
    files["exports/more.txt"] = b""
    files[PSEUDONYMS] += b'"annotator","zoe","A99"\n'
    files["exports/campaign.toml"] += b"# mine\n"
    said = differences(verified(covered(files)))
    assert "exports/more.txt: was added" in said
    assert f"{PSEUDONYMS}: names 'zoe'" in said
    assert "exports/campaign.toml: line" in said


@pytest.mark.slow
def test_names_that_no_system_can_hold_are_told() -> None:
    for name in (f"guidelines/{'a' * 3000}", "guidelines/1.0.md/x"):
        assert verified(mended({**small(texts=False, exports=False), name: b"x"})).differences


# What nothing determines is named as unchecked


@pytest.mark.slow
def test_what_no_figure_hangs_on_is_named_as_unchecked() -> None:
    outcome = verified({name: each for name, each in small().items() if not name.startswith("exports/")})
    assert {"inputs", "reading", "settings", "quality", "texts and marks in texts.json"} <= unchecked(outcome)


# Another version


def of_another_version() -> Any:  # noqa: ANN401
    value = recorded(texts=False, exports=False)
    value["tool"]["version"] = "0.0.9"
    return value


@pytest.mark.slow
def test_of_another_version_a_changed_figure_is_found_and_what_it_had_not_is_told() -> None:
    value = of_another_version()
    measures = value["unit_sets"][0]["measures"]
    measures.pop("fleiss_kappa")
    value["findings"] = value["findings"][:1]
    files = covered({**small(texts=False, exports=False), RESULTS: dumped(value)})
    outcome = verified(files)
    assert differences(outcome) == ""
    assert {"unit sets", "findings", "pages, tables and figures"} <= unchecked(outcome)
    measures["krippendorff_alpha"]["value"] = 0.99
    assert "krippendorff_alpha.value: 0.99" in differences(
        verified(mended({**files, RESULTS: dumped(value)}))
    )


# The account


# Folders and archives


def repacked(change: Callable[[zipfile.ZipFile, zipfile.ZipInfo], None], *, backwards: bool = False) -> bytes:
    buffer = io.BytesIO()
    files = small(texts=False, exports=False)
    with zipfile.ZipFile(buffer, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in sorted(files, reverse=backwards):
            entry = zipfile.ZipInfo(name)
            entry.create_system, entry.external_attr = 3, 0o100644 << 16
            change(archive, entry)
            archive.writestr(entry, files[name])
    return buffer.getvalue()


def test_an_archive_in_another_form_is_different_and_said_shortly() -> None:
    whole = as_zip(small(texts=False, exports=False))
    assert repacked(lambda _, __: None) == whole
    for content, said in (
        (repacked(lambda _, entry: setattr(entry, "extra", b"\x01\x99\x00\x00")), "differs at byte 28 "),
        (repacked(lambda _, entry: setattr(entry, "comment", b"x")), "differs at byte "),
        (repacked(lambda archive, _: setattr(archive, "comment", b"x")), "differs at byte "),
        (repacked(lambda _, __: None, backwards=True), "differs at byte "),
        (b"#!/bin/sh\n" + whole, "differs at byte 0 "),
    ):
        found = read_archive(content, "b.zip")[1]
        assert [each.check for each in found] == ["archive"], said
        assert said in found[0].what


# Sites


@pytest.mark.slow
def test_two_versions_that_changed_places_are_named(own_site: Path) -> None:
    votes = own_site / "votes"
    for one, other in (("1.0", "x"), ("1.1", "1.0"), ("x", "1.1")):
        (votes / one).rename(votes / other)
    own = {name: (votes / name).read_bytes() for name in ("history.json", "SHA256SUMS")}
    assert checksums({"history.json": own["history.json"]}).encode() in own["SHA256SUMS"]
    said = differences(verify(votes).outcome)
    assert "1.0/: contains the report of guidelines 1.1" in said
    assert "1.1/: contains the report of guidelines 1.0" in said
    votes.rename(own_site / "opinions")
    assert "opinions/: contains the campaign votes" in differences(verify(own_site).outcome)


@pytest.mark.slow
def test_an_interval_that_a_comparison_repeats_is_held_against_the_versions_own(own_site: Path) -> None:
    place = own_site / "votes" / "compare" / "1.0...1.1" / "comparison.json"
    value = json.loads(place.read_bytes())
    revised = value["unit_sets"][0] | {"basis": "all"}
    revised["measures"]["cohen_kappa"]["first"]["units"] += 1
    value["unit_sets"].append(revised)
    place.write_bytes(dumped(value))
    assert "cohen_kappa.units: 7 recorded, 6 recomputed." in differences(verify(own_site).outcome)


RESULTS_FILE = "report/results.json"
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
    results = Results.model_validate_json(files[RESULTS_FILE]).model_copy(update={"tool": tool})
    return mended({**files, RESULTS_FILE: dumps(results).encode()})


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
    value = json.loads(files[RESULTS_FILE])["unit_sets"][0]["measures"]["krippendorff_alpha"]["value"]
    shown = f"{value:.3f}".encode()
    pages = {name: files[name].replace(shown, b"0.987") for name in files if name.endswith((".html", ".md"))}
    assert any(pages[name] != files[name] for name in pages)
    outcome = merge_outcomes(check_bundle(Tree(as_made_by(OTHER, {**files, **pages})), lambda _: None))
    assert outcome.verdict == "unchecked"
    assert "pages, tables and figures" in {each.what for each in outcome.unchecked}
    results = {RESULTS_FILE: files[RESULTS_FILE].replace(str(value).encode(), b"0.987")}
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
    files[RESULTS_FILE] = json.dumps({**json.loads(files[RESULTS_FILE]), "more": {"kappa": 1}}).encode()
    assert merge_outcomes(check_bundle(tree(mended(files)), lambda _: None)).verdict == verdict


@pytest.mark.parametrize(
    ("key", "other", "verdict"), [("values", {}, "unchecked"), ("claim", "All is well.", "unchecked")]
)
def test_a_finding_of_another_version_may_have_other_words(key: str, other: object, verdict: str) -> None:
    results = Results.model_validate_json(small(texts=False, exports=False)[RESULTS_FILE])
    assert merge_outcomes(check_findings(of(OTHER, results), RESULTS_FILE, find)).verdict == "same"
    first, *more = results.findings
    reworded = results.model_copy(update={"findings": (first.model_copy(update={key: other}), *more)})
    assert merge_outcomes(check_findings(of(OTHER, reworded), RESULTS_FILE, find)).verdict == verdict
    assert merge_outcomes(check_findings(reworded, RESULTS_FILE, find)).verdict == "different"


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
