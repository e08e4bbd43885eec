"""One version's folder: its files against what is rendered and computed again, on results made by hand."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import SimpleNamespace as Of
from typing import Any

import pytest

from reportgen.pipeline.version_reports import Report
from reportgen.publish.bundle_files import Released
from reportgen.publish.verify import differences, folders, recomputing
from reportgen.publish.verify.differences import Check, Discrepancy, Outcome, Rounded, Unchecked
from reportgen.publish.verify.file_tree import Tree
from reportgen.publish.verify.folders import (
    AS_CSV,
    BY_HAND,
    CELLS,
    DESCRIBED,
    WITHOUT,
    Folder,
    Version,
    _check_content,
    _check_metadata,
    check_exports,
    check_figures,
    check_listed,
    check_pages,
    compare_rendered,
    compare_text,
    painted,
    read_version,
    unsure_tables,
)
from reportgen.results import Results, Tool, dumps
from reportgen.results.model import Marks
from reportgen.results.texts import Texts
from tests.findings.made_results import pair, results, unit_set

HERE = Tool.here()
OLDER = HERE.model_copy(update={"version": "0.0.1"})
ROUNDED = HERE.model_copy(update={"libraries": {**HERE.libraries, "numpy": "1.0"}})
OLD, NEARLY = differences.another_program(OLDER), differences.other_libraries(ROUNDED)
TWO = unit_set(pair({("x", "x"): 5, ("x", "y"): 2}))
TEXTS = Texts(guidelines="1.0", documents=(), layers=(), disagreements=())

Told = list[tuple[object, ...]]


def folder(
    files: Mapping[str, bytes], tool: Tool = HERE, *, path: str = "v/", texts: Texts | None = None
) -> Version:
    """Return a folder of a site with these files beside some of another folder."""
    tree = Tree({f"{path}{name}": content for name, content in files.items()} | {"other/index.html": b"-"})
    own = results(TWO).model_copy(update={"tool": tool})
    return Folder(tree, path, own, texts, ())


def told(outcomes: Iterable[Outcome]) -> Told:
    """Return what differs by file, what is unchecked with its number, and what is counted."""
    return [
        (each.file, each.what)
        if isinstance(each, Discrepancy)
        else (each.what, each.why, each.number)
        if isinstance(each, Unchecked)
        else ("rounded", each.why, each.number)
        if isinstance(each, Rounded)
        else each
        for each in outcomes
    ]


def checks(outcomes: Iterable[Outcome]) -> list[Check]:
    return [each.check for each in outcomes if isinstance(each, Discrepancy)]


# What is rendered of results

FILES = {"a.md": b"1", "b.md": b"2", "c.md": b"3", "results.json": b"{}", "SHA256SUMS": b"sums"}


def rendered(
    pages: Mapping[str, str],
    files: Mapping[str, bytes] = FILES,
    tool: Tool = HERE,
    *,
    unsure: Mapping[str, str] | None = None,
    path: str = "v/",
) -> Told:
    made = folder(files, tool, path=path)
    return told(compare_rendered(made, pages.items, ["results.json"], unsure or {}))


def test_files_are_what_is_rendered_and_data_and_checksums_are_other_checks_business() -> None:
    assert rendered({"a.md": "1", "b.md": "2", "c.md": "3"}) == [("pages", 3)]


def test_files_that_differ_are_missing_or_were_added_are_told_each_in_order() -> None:
    assert rendered({"d.md": "4", "b.md": "x", "a.md": "y", "e.md": "5"}) == [
        ("pages", 2),
        ("v/a.md", "line 1 differs."),
        ("v/b.md", "line 1 differs."),
        ("v/d.md", "is missing: the recorded results give it."),
        ("v/e.md", "is missing: the recorded results give it."),
        ("v/c.md", "was added: the recorded results do not give it."),
    ]


def test_another_version_may_write_other_files() -> None:
    other = "files that one version writes and the other does not"
    assert rendered({"a.md": "1", "d.md": "4"}, tool=OLDER) == [
        ("pages", 1),
        (other, OLD, 1),
        (other, OLD, 1),
        (other, OLD, 1),
    ]


def test_what_results_do_not_tell_is_unchecked_where_it_is_not_what_they_would_give() -> None:
    pages = {"a.md": "1", "b.md": "x"}
    unsure = {"a.md": "in part", "b.md": "too large", "c.md": "not there", "d.md": "nowhere"}
    assert rendered(pages, unsure=unsure) == [
        ("pages", 2),
        ("tables", "too large", 1),
        ("tables", "not there", 1),
    ]


@pytest.mark.parametrize("path", ["v/", ""])
def test_results_of_which_nothing_can_be_rendered_are_told_once(path: str) -> None:
    def fails() -> Iterable[tuple[str, str]]:
        message = "no such layer"
        raise KeyError(message)

    def found(tool: Tool) -> Told:
        return told(compare_rendered(folder(FILES, tool, path=path), fails, ["results.json"]))

    # At the top of what is verified the other folder's page is one of its own.
    own = 3 + (path == "")
    ((file, what), unchecked) = found(HERE)
    assert file == (path or ".")
    assert str(what).startswith("can't be rendered again from the recorded results:")
    assert unchecked == ("pages, tables and figures", "they can't be rendered again", own)
    assert found(OLDER) == [("pages, tables and figures", OLD, own)]


# One file against what is written again

PAGES, METADATA = "pages, tables and figures", "metadata files"


def compared(text: str, due: str, tool: Tool, name: str = "a.md") -> Told:
    return told(compare_text(name, text.encode(), due, tool))


def test_what_another_version_wrote_otherwise_is_not_compared() -> None:
    assert compared("kappa is 0.5", "kappa is 0.5", OLDER) == []
    assert compared("Kappa: 0.5 of 9", "kappa is 0.5", HERE) == [("a.md", "line 1 differs.")]
    assert compared("Kappa: 0.5 of 9", "kappa is 0.5", OLDER) == [(PAGES, OLD, 1)]


@pytest.mark.parametrize(
    ("name", "what"),
    [
        *((f"a{ending}", PAGES) for ending in (".html", ".md", ".csv", ".svg", ".tex", ".bib")),
        ("a.json", METADATA),
        ("CITATION.cff", METADATA),
    ],
)
def test_a_file_is_a_page_or_metadata(name: str, what: str) -> None:
    assert compared("one", "two", OLDER, name) == [(what, OLD, 1)]


def test_other_libraries_may_draw_otherwise_and_write_nothing_else() -> None:
    page = '<p>{}</p><svg aria-label="κ"><text x="{}">κ</text></svg>'
    drawn = compared(page.format("x", 1), page.format("x", 2), ROUNDED, "a.html")
    assert drawn == [("drawings", NEARLY, 1)]
    assert compared(page.format("x", 1), page.format("y", 1), ROUNDED, "a.html") == [
        ("a.html", "line 1 differs.")
    ]
    assert compared(page.format("x", 1), page.format("x", 2), HERE, "a.html") == [
        ("a.html", "line 1 differs.")
    ]


# Tables that are too large for results


def of_spans(*types: str, crowded: bool = False, by_document: object = None) -> Of:
    return Of(layers=(Of(types=types, crowded=crowded),), pairs=(Of(by_document=by_document),))


def of_quality(*, fitted: bool = False, people: int = 0, controls: int | None = None) -> Of:
    """Return the quality of a layer: whether a model was fitted, and how many people are not named."""
    return Of(
        layer="main",
        annotators=(),
        annotators_in_all=people,
        controls=None if controls is None else Of(annotators=(), annotators_in_all=controls),
        dawid_skene=Of(undefined=None if fitted else "too few"),
    )


@pytest.mark.parametrize(
    ("changes", "tables"),
    [
        ({}, []),
        ({"marks": Of(left_out=1000)}, []),
        ({"marks": Of(left_out=1001)}, ["left-out"]),
        ({"unit_sets": (TWO, unit_set())}, ["pairs"]),
        ({"comparisons": Of(sets=(Of(crowded=False),))}, []),
        ({"comparisons": Of(sets=(Of(crowded=True),))}, ["comparisons-of-all"]),
        ({"spans": of_spans("N", by_document={})}, []),
        ({"spans": of_spans("N", by_document={}, crowded=True)}, ["spans"]),
        ({"spans": of_spans("N")}, ["spans-by-document"]),
        ({"spans": of_spans("N", "V", by_document={})}, ["spans-by-document-and-type"]),
        ({"adjudication": (Of(listed=False),)}, []),
        ({"adjudication": (Of(listed=True),)}, ["adjudication"]),
        ({"distances": (Of(id="near", origin=None),)}, []),
        ({"distances": (Of(id="near", origin="a taxonomy"),)}, ["bdm-near"]),
        ({"quality": (of_quality(),)}, []),
        ({"quality": (of_quality(fitted=True),)}, ["dawid-skene.main"]),
        ({"quality": (of_quality(people=1),)}, ["annotators.main"]),
        ({"quality": (of_quality(controls=0),)}, []),
        ({"quality": (of_quality(controls=1),)}, ["controls-main"]),
    ],
)
def test_tables_may_be_there_that_results_have_in_part(
    changes: dict[str, Any], tables: Sequence[str]
) -> None:
    own = results(TWO).model_copy(update=changes)
    assert [*unsure_tables(own)] == [f"tables/{name}.csv" for name in tables]


# Figures that were painted, and their checksums


def test_painted_figures_are_those_beside_one_that_is_listed() -> None:
    names = ("a.png", "a.pdf", "a.svg", "b.png", "c.svg")
    files = {f"v/figures/{name}": b"" for name in names} | {"v/a.png": b"", "v/a.svg": b"", "w/x.png": b""}
    tree = Tree(files)
    assert painted(tree, "v/") == ["figures/a.pdf", "figures/a.png"]
    found = [each for each in check_listed(tree, "v/") if isinstance(each, Unchecked)]
    assert [(each.why, each.number) for each in found] == [(BY_HAND, 2)]
    assert not [each for each in check_listed(tree, "w/") if isinstance(each, Unchecked)]


# How results are written


def written(tool: Tool = HERE, *, indent: int | None = None, texts: str | None = None) -> Version:
    own = dumps(results(TWO).model_copy(update={"tool": tool}))
    if indent is not None:
        own = json.dumps(json.loads(own), indent=indent)
    files = {"v/results.json": own.encode()}
    if texts is not None:
        files["v/texts.json"] = texts.encode()
    return read_version(Tree(files), "v/")


def test_results_are_as_reportgen_writes_them_whatever_lines_another_version_breaks() -> None:
    assert written().faults == []
    assert told(written(indent=7).faults)[0][0] == "v/results.json"
    assert checks(written(indent=7).faults) == ["form"]
    assert written(OLDER, indent=7).faults == []
    assert (written().beside, written(texts=dumps(TEXTS)).beside) == (None, TEXTS)
    spaced = written(texts=f"{dumps(TEXTS)} ")
    assert told(spaced.faults)[0][0] == "v/texts.json"
    assert checks(spaced.faults) == ["form"]
    with pytest.raises(differences.Unusable):
        written(texts="{")


# Results against counts and exports


def report(
    texts: Texts | None = None, figures: Results | None = None, tables: Mapping[str, str] | None = None
) -> Report:
    return Report(figures or results(TWO), tables or {}, texts)


def figures_of(made: Version, again: Report | None, *wrong: Discrepancy | Unchecked) -> Told:
    return [each for each in told(check_figures(made, (again, list(wrong)))) if each[0] != "numbers"]


def test_figures_without_anything_to_compute_them_from_are_unchecked() -> None:
    wrong = Discrepancy("campaign.toml", "is missing.", "form")
    numbers = differences.numbers_in(differences.content(results(TWO))["unit_sets"])
    assert figures_of(folder({}), None, wrong) == [
        ("campaign.toml", "is missing."),
        ("figures of results.json", "there is nothing to compute them from", numbers),
    ]


def test_figures_are_those_that_counts_give() -> None:
    assert figures_of(folder({}), report()) == []
    other = results(unit_set(pair({("x", "x"): 5, ("x", "y"): 3})))
    found = figures_of(folder({}), report(figures=other), Discrepancy("a", "b.", "form"))
    assert {file for file, *_ in found} == {"v/results.json", "a"}
    assert found[-1] == ("a", "b.")
    shown = figures_of(folder({DESCRIBED: b"{}"}, texts=TEXTS), report())
    assert [what for what, *_ in shown] == [
        "v/counts/counts.json",
        "order of labels, candidates, size of the inventory, and whose marks were left out, in counts.json",
        "texts and marks in texts.json",
    ]
    assert shown[0][1] == "was added: the figures do not give it."


def test_counts_and_cells_are_due_and_other_tables_beside_figures_are_not() -> None:
    beside_results = dict.fromkeys(("counts/a.csv", CELLS, "tables/pairs.csv"), "n\n1\n")
    assert figures_of(folder({}), report(tables=beside_results)) == [
        ("v/counts/a.csv", "is missing: the figures give it."),
        (f"v/{CELLS}", "is missing: the figures give it."),
    ]
    there = {"counts/a.csv": b"n\n2\n", CELLS: b"n\n2\n", "tables/pairs.csv": b"n\n2\n", "counts/b.csv": b""}
    made = folder(there)
    assert figures_of(made, report(tables=beside_results)) == [
        ("v/counts/a.csv", "line 2 differs."),
        (f"v/{CELLS}", "line 2 differs."),
        ("v/tables/pairs.csv", "line 2 differs."),
        ("v/counts/b.csv", "was added: the figures do not give it."),
    ]
    assert checks(check_figures(made, (report(tables=beside_results), []))) == [
        *("figures", "figures", "exports", "figures")
    ]


def test_a_parquet_file_is_beside_its_csv() -> None:
    files = {"counts/a.csv": b"n\n1\n", "counts/a.parquet": b"PAR1", "counts/b.parquet": b"PAR1"}
    assert figures_of(folder(files), report(tables={"counts/a.csv": "n\n1\n"})) == [
        ("v/counts/b.parquet", "was added: the figures do not give it.")
    ]


def test_tables_of_other_libraries_differ_in_last_digits_and_those_of_another_version_in_words() -> None:
    files = {"counts/a.csv": b"n\n0.5000000001\n", "tables/pairs.csv": b"who,n\nx,1\n"}
    due = {"counts/a.csv": "n\n0.5\n", "tables/pairs.csv": "name,n\nx,1\n"}
    rounded = figures_of(folder(files, ROUNDED), report(tables=due))
    assert ("rounded", NEARLY, 1) in rounded
    assert ("v/tables/pairs.csv", "line 1 differs.") in rounded
    assert ("v/counts/a.csv", "line 2 differs.") in figures_of(folder(files), report(tables=due))
    older = figures_of(folder(files, OLDER), report(tables=due))
    assert ("v/counts/a.csv", "line 2 differs.") in older
    assert (PAGES, OLD, 1) in older


def test_the_description_of_counts_of_another_version_may_say_more() -> None:
    files, due = {DESCRIBED: b'{"a": 1, "b": 2}'}, Report(results(TWO), {DESCRIBED: '{"a": 1}'})
    assert ("v/counts/counts.json", "line 1 differs.") in figures_of(folder(files), due)
    older = figures_of(folder(files, OLDER), due)
    assert not [each for each in older if each[0] == "v/counts/counts.json"]
    changed = folder({DESCRIBED: b'{"a": 2}'}, OLDER)
    assert [each for each in figures_of(changed, due) if each[0] == "v/counts/counts.json"]


def exports_of(made: Version, again: Report | None, *wrong: Discrepancy) -> Told:
    return [each for each in told(check_exports(made, (again, list(wrong)))) if each[0] != "numbers"]


def with_results(files: Mapping[str, bytes], tool: Tool = HERE, texts: Texts | None = None) -> Version:
    """Return a folder whose results are written as they are."""
    own = dumps(results(TWO).model_copy(update={"tool": tool})).encode()
    return folder({"results.json": own, **files}, tool, texts=texts)


def test_results_are_the_bytes_that_exports_give() -> None:
    assert exports_of(with_results({}), report()) == []
    wrong = Discrepancy("campaign.toml", "is missing.", "form")
    assert exports_of(with_results({}), None, wrong) == [("campaign.toml", "is missing.")]
    # A byte more says nothing else, and is told all the same.
    bytes_more = folder({"results.json": dumps(results(TWO)).encode() + b" "})
    assert [file for file, *_ in exports_of(bytes_more, report())] == ["v/results.json"]
    of_another = folder({"results.json": b"-"}, OLDER)
    assert exports_of(of_another, report()) == []
    # Where a figure differs, that says it.
    other = report(figures=results(unit_set(pair({("x", "x"): 5, ("x", "y"): 3}))))
    assert all("line" not in str(what) for _, what, *_ in exports_of(with_results({}), other))
    assert exports_of(with_results({}), other)


def test_findings_of_another_version_are_its_own() -> None:
    reading = results(TWO).model_copy(update={"reading": "Otherwise."})
    catalogue = results(TWO).model_copy(update={"catalogue": {}})
    names = {key: entry.model_copy(update={"name": "X"}) for key, entry in results(TWO).catalogue.items()}
    renamed = results(TWO).model_copy(update={"catalogue": names})
    for tool, changed, differs in (
        (HERE, catalogue, True),
        (OLDER, catalogue, False),
        (HERE, reading, True),
        (OLDER, reading, True),
        (HERE, renamed, True),
        (OLDER, renamed, False),
    ):
        found = exports_of(with_results({}, tool), report(figures=changed))
        assert bool([each for each in found if each[0] == "v/results.json"]) is differs


def test_texts_are_there_where_exports_give_and_settings_show_them() -> None:
    texts = {"texts.json": dumps(TEXTS).encode()}
    assert exports_of(with_results(texts, texts=TEXTS), report(TEXTS)) == []
    assert exports_of(with_results({}), report(TEXTS)) == [
        ("v/texts.json", "is missing: the exports give it, and the settings show it.")
    ]
    assert exports_of(with_results(texts, texts=TEXTS), report()) == [
        ("v/texts.json", "was added: the exports do not give it, or the settings hide it.")
    ]
    other = TEXTS.model_copy(update={"guidelines": "2.0"})
    assert [file for file, *_ in exports_of(with_results(texts, texts=TEXTS), report(other))] == [
        "v/texts.json"
    ]
    longer = {"texts.json": b" " + texts["texts.json"]}
    assert exports_of(with_results(longer, texts=TEXTS), report(TEXTS))
    assert exports_of(with_results(longer, OLDER, texts=TEXTS), report(TEXTS)) == []
    assert exports_of(with_results(texts, OLDER, texts=TEXTS), report(other))


def test_all_tables_are_due_where_exports_are_there() -> None:
    assert exports_of(with_results({}), report(tables={"tables/pairs.csv": "n\n1\n"})) == [
        ("v/tables/pairs.csv", "is missing: the figures give it.")
    ]


# Pages


def pages(
    monkeypatch: pytest.MonkeyPatch, files: Mapping[str, bytes], *, images: bool = False, **changes: object
) -> tuple[Told, dict[str, Any]]:
    """Return what is told of pages where nothing is rendered, and with what they would be rendered."""
    given: dict[str, Any] = {}

    def no_pages(
        _: Results, data: set[str], texts: Texts | None, languages: object, **how: bool
    ) -> Iterator[Any]:
        given.update(data=data, texts=texts, languages=languages, **how)
        return iter(())

    monkeypatch.setattr("reportgen.publish.verify.folders.version_pages", no_pages)
    made = folder(files)
    own = made.results.model_copy(update=changes)
    return told(check_pages(Folder(made.files, made.path, own, None, ()), images=images)), given


def test_pages_of_a_site_lead_up_to_the_campaigns(monkeypatch: pytest.MonkeyPatch) -> None:
    up = b'<p class="crumbs"><a href="../index.html">'
    for index, in_site in (({"index.html": up}, True), ({"index.html": b"<p>"}, False), ({}, False)):
        _, given = pages(monkeypatch, {**index, "results.json": b"", "counts/a.csv": b""})
        assert given["in_site"] is in_site
        assert given["data"] == {"results.json", "texts.json", "counts/a.csv"}


def test_cells_are_data_where_counts_give_them(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {CELLS: b""}
    assert pages(monkeypatch, files)[0][-1] == (
        f"v/{CELLS}",
        "was added: the recorded results do not give it.",
    )
    confusion = TWO.pairs[0].confusion.model_copy(update={"cells": 9})
    crowded = TWO.model_copy(
        update={"pairs": (TWO.pairs[0].model_copy(update={"confusion": confusion}), TWO.pairs[0])}
    )
    found, given = pages(monkeypatch, files, unit_sets=(crowded,))
    assert found == [("pages", 0)]
    assert CELLS in given["data"]


def test_painted_figures_and_parquet_tables_are_other_checks_business(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files = {"figures/a.svg": b"", "figures/a.png": b"", "t/a.parquet": b"", "counts/b.parquet": b""}
    for images, added in ((True, ["v/figures/a.svg", "v/t/a.parquet"]), (False, None)):
        found, _ = pages(monkeypatch, files, images=images)
        differing = [file for file, what, *_ in found if str(what).startswith("was added")]
        assert differing == (added or ["v/figures/a.png", "v/figures/a.svg", "v/t/a.parquet"])
        assert found[-1] == ("Parquet tables", AS_CSV, 2)
    assert pages(monkeypatch, {})[0] == [("pages", 0)]


def test_a_table_that_results_have_in_part_is_unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    found, _ = pages(monkeypatch, {"tables/left-out.csv": b""}, marks=Marks(read=0, used=0, left_out=1001))
    assert found == [
        ("pages", 0),
        ("tables", "results.json has them in part, and counts alone do not give them", 1),
    ]


# What machines and archives read of a bundle

Writer = Callable[[Released], str]


def metadata(
    monkeypatch: pytest.MonkeyPatch,
    files: Mapping[str, bytes],
    writers: Mapping[str, Writer],
    tool: Tool = HERE,
) -> Told:
    """Return what is told of a bundle whose metadata these write."""
    monkeypatch.setattr(folders, "WRITERS", writers)
    made_with = results(TWO).model_copy(update={"tool": tool})
    return told(_check_metadata(Tree({"report/index.html": b"-", **files}), made_with))


def test_metadata_is_what_is_written_of_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    writers: dict[str, Writer] = {"a": lambda _: "1", "b": lambda _: "2"}
    assert metadata(monkeypatch, {"a": b"1", "b": b"2", "c": b"3"}, writers) == [("pages", 2)]
    assert metadata(monkeypatch, {"a": b"1", "b": b"3"}, writers) == [("pages", 2), ("b", "line 1 differs.")]
    assert metadata(monkeypatch, {"b": b"2"}, writers) == [
        ("pages", 1),
        ("a", "is missing: the bundle's other files give it."),
    ]
    other = "files that one version writes and the other does not"
    assert metadata(monkeypatch, {"b": b"2"}, writers, OLDER) == [("pages", 1), (other, OLD, 1)]


def test_metadata_that_cannot_be_written_again_is_told_or_of_another_version(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(_: Released) -> str:
        raise ValueError

    (counted, (file, what)) = metadata(monkeypatch, {"a": b"1"}, {"a": fails})
    assert (counted, file) == (("pages", 1), "a")
    assert str(what).startswith("can't be written again from the bundle's other files: ")
    assert metadata(monkeypatch, {"a": b"1"}, {"a": fails}, OLDER) == [
        ("pages", 1),
        ("metadata files", OLD, 1),
    ]


@pytest.mark.parametrize(("tool", "first"), [(HERE, 1), (OLDER, 0)])
def test_a_file_describes_earlier_ones_as_they_are_due_or_as_another_version_wrote_them(
    tool: Tool, first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first is due as 1, and is 0."""

    def described(own: Released) -> str:
        return ", ".join(f"{name} {content.decode()}" for name, content in sorted(own.files.items()))

    writers: dict[str, Writer] = {"a": lambda _: "1", "b": described}
    for said, differs in ((first, False), (1 - first, True)):
        last = f"a {said}, c 3, report/index.html -".encode()
        found = metadata(monkeypatch, {"a": b"0", "b": last, "c": b"3", "SHA256SUMS": b"-"}, writers, tool)
        assert found[0] == ("pages", 2)
        assert len(found[1:]) == 1 + differs


@pytest.mark.parametrize("exports", [True, False])
def test_what_exports_give_is_not_unchecked(monkeypatch: pytest.MonkeyPatch, *, exports: bool) -> None:
    wrong, unknown = Discrepancy("f", "differs.", "figures"), Unchecked("figures", "no exports")
    table, image = Unchecked("table", WITHOUT), Unchecked("image", "not painted")

    def gives(name: str, *outcomes: Outcome) -> None:
        of, _, part = name.rpartition(".")
        monkeypatch.setattr(recomputing if of else folders, part, lambda *_args, **_how: iter(outcomes))

    gives("check_figures", wrong, unknown, ("numbers", 1))
    gives("check_pages", table, image)
    gives("check_exports", ("numbers", 2))
    gives("recomputing.from_counts")
    gives("recomputing.from_exports")
    gives("recomputing.check_labels", ("files", 1))
    gives("recomputing.check_results", ("pages", 1))
    made = folder({"results.json": b"-"})
    files = Tree({"exports/a.csv" if exports else "other.csv": b"-"})
    steps: list[str] = []
    found = list(_check_content(Folder(files, "v/", made.results, None, ()), steps.append))
    with_exports: list[Outcome] = [wrong, ("numbers", 2), ("files", 1), ("pages", 1), image]
    without: list[Outcome] = [wrong, unknown, ("numbers", 1), ("files", 1), ("pages", 1), table, image]
    assert found == (with_exports if exports else without)
    assert ("computing figures from exports" in steps) is exports
