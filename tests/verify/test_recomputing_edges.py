"""What is compared beside figures: labels with counts, choices, findings, inputs, and what is too large."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import pytest

from reportgen import campaign as asked
from reportgen.base.errors import BadInput, Problem
from reportgen.campaign.guidelines import Reason
from reportgen.measures import MOST_ANNOTATORS
from reportgen.publish import published_campaign
from reportgen.publish.bundle_files import AGGREGATED, LABEL_TABLE, json_lines
from reportgen.publish.label_table import LABELS, Rows, aggregated_of
from reportgen.publish.verify import differences, recomputing
from reportgen.publish.verify.differences import Discrepancy, Outcomes, Unchecked
from reportgen.publish.verify.file_tree import Tree, languages_of
from reportgen.publish.verify.recomputing import (
    CELLS,
    CELLS_A_BYTE,
    COUNTED_LABELS,
    OWN,
    _as_recorded,
    _exported_form,
    _label_tables,
    _of_form,
    _tried,
    check_choice,
    check_findings,
    check_inputs,
    check_labels,
    check_results,
    too_large,
)
from reportgen.readers.counted import CODED_HEAD
from reportgen.results import Finding, Results, Tool
from reportgen.results.model import Choice, Input
from reportgen.units import Pseudonyms, pseudonyms_csv
from tests.findings.made_results import pair, results, unit_set

TWO = unit_set(pair({("x", "x"): 5, ("x", "y"): 2}))
OLDER = Tool.here().model_copy(update={"version": "0.0.1"})
OLD = differences.another_program(OLDER)


def made(tool: Tool | None = None, **changes: object) -> Results:
    own: dict[str, object] = {"tool": tool or Tool.here(), "coefficients": {}}
    return results(TWO).model_copy(update=own | changes)


def whats(outcomes: Outcomes) -> list[str]:
    """Return what differs, and how much is unchecked of what."""
    return [
        f"{each.what}: {each.number}" if isinstance(each, Unchecked) else f"{each.file}: {each.what}"
        for each in outcomes
        if isinstance(each, Discrepancy | Unchecked)
    ]


# Labels against counts

Given = tuple[str, str, str, str, int, int]
GIVEN: Sequence[Given] = (
    # annotator, role, document, label, pass, n
    ("A", "annotator", "d", "x", 1, 3),
    ("A", "annotator", "d", "x", 1, 1),
    ("B", "annotator", "d", "y", 1, 2),
    ("B", "annotator", "d", "x", 2, 9),
    ("gold", "reference", "d", "x", 1, 9),
)
COUNTED = (
    "main,items,d,A,x,4",
    "main,items,d,B,y,2",
    "main,other,d,A,x,7",
    "b,items,d,A,x,7",
    "main,items,d,A,z,-",
)
HEAD = "layer,unit_set,document,annotator,label,n"


def table(given: Sequence[Given] = GIVEN, layer: str = "main") -> Rows:
    who, role, document, label, turn, n = (list(column) for column in zip(*given, strict=True))
    number = len(given)
    cells: dict[str, list[Any]] = {
        "layer": [layer] * number,
        "item": [*range(1, number + 1)],
        "document": document,
        "unit": ["u"] * number,
        "annotator": who,
        "role": role,
        "pass": turn,
        "label": label,
        "n": n,
    }
    return Rows(cells, LABELS)


def files_of(labels: Rows, counted: Sequence[str] = COUNTED, **changed: bytes) -> Tree:
    most = aggregated_of(labels, {*labels.columns["layer"]})
    files = {
        LABEL_TABLE: labels.as_csv(),
        AGGREGATED: most.as_csv(),
        json_lines(LABEL_TABLE): labels.as_json_lines(),
        json_lines(AGGREGATED): most.as_json_lines(),
        COUNTED_LABELS: "\n".join((HEAD, *counted, "")).encode(),
    }
    return Tree(files | {name.replace("_", "."): content for name, content in changed.items()})


def test_labels_are_those_that_were_counted() -> None:
    """First labels of annotators, on the units of the primary unit set."""
    assert whats(check_labels(made(), files_of(table()))) == []
    assert whats(check_labels(made(), Tree({}))) == []


@pytest.mark.parametrize(
    ("counted", "what"),
    [
        (("main,items,d,A,x,5", *COUNTED[1:]), "main, d, A, x: 4 units, and the counts have 5."),
        (COUNTED[:1], "main, d, B, y: 2 units, and the counts have 0."),
        ((*COUNTED, "main,items,d,C,x,1"), "main, d, C, x: 0 units, and the counts have 1."),
        ((), "main, d, A, x: 4 units, and the counts have 0; 1 more differ."),
        (
            ("main,items,,C,x,1", "main,items,d,C,x,1"),
            "main, –, C, x: 0 units, and the counts have 1; 3 more differ.",
        ),
    ],
)
def test_the_first_label_that_was_counted_otherwise_is_told(counted: Sequence[str], what: str) -> None:
    assert [*check_labels(made(), files_of(table(), counted))] == [Discrepancy(LABEL_TABLE, what, "figures")]


def test_labels_of_a_layer_that_results_do_not_have_are_none_that_were_counted() -> None:
    (what,) = whats(check_labels(made(), files_of(table(layer="b"), ())))
    assert "b, d, A, x: 4 units" in what


def test_other_files_of_labels_are_what_the_table_gives() -> None:
    for name in (AGGREGATED, json_lines(LABEL_TABLE), json_lines(AGGREGATED)):
        files = files_of(table()).replaced({name: b"-\n"})
        (found,) = check_labels(made(), files)
        assert isinstance(found, Discrepancy)
        assert (found.file, found.check) == (name, "files")
        older = made().model_copy(update={"tool": OLDER})
        assert [*check_labels(older, files)] == [Unchecked(name, OLD)]
    without = Tree({name: content for name, content in files_of(table()).items() if name != AGGREGATED})
    assert [each.file for each in check_labels(made(), without) if isinstance(each, Discrepancy)] == [
        AGGREGATED
    ]


def test_a_damaged_table_is_told_once_and_what_can_not_be_compared_with_it() -> None:
    files = files_of(table()).replaced({LABEL_TABLE: b"-\n"})
    found = whats(check_labels(made(), files))
    assert found[0] == f"{LABEL_TABLE}: is not a table of labels as reportgen writes it."
    assert len(found) == 4
    assert all(f"can't be compared with {LABEL_TABLE}" in what for what in found[1:])
    alone = Tree({json_lines(LABEL_TABLE): b"{}\n"})
    assert len(whats(check_labels(made(), alone))) == 2


# The primary coefficient


def chosen(coefficient: str = "krippendorff_alpha", reason: str = Reason.NOMINAL, **more: object) -> Choice:
    given = {"declared": False, "values": {}, "coefficient": coefficient, "reason": reason}
    return Choice.model_validate(given | more)


def choosing(*layers: tuple[str, Choice], scale: str = "nominal", **changes: object) -> list[str]:
    choice = dict(layers)
    own = made(
        choice=choice,
        coefficients={layer: each.coefficient for layer, each in choice.items()},
        coefficient_declared=next(iter(choice.values())).declared if choice else False,
        unit_sets=(TWO.model_copy(update={"scale": scale}),),
    )
    return whats(check_choice(own.model_copy(update=changes), "results.json"))


def test_what_results_say_of_the_choice_is_the_same_everywhere() -> None:
    layers = ("main", chosen()), ("b", chosen("krippendorff_alpha[ordinal]", Reason.ORDINAL))
    assert choosing(*layers) == []
    assert choosing(layers[1]) == []
    (what,) = choosing(layers[0], coefficients={"main": "cohen_kappa"})
    assert "coefficients.main" in what
    (what,) = choosing(layers[0], coefficient_declared=True)
    assert "coefficient_declared" in what.replace(" ", "_")
    assert choosing(coefficients={}, coefficient_declared=True) == []


# Findings, definitions and inputs


def finding(**changes: object) -> Finding:
    given: dict[str, object] = {
        "id": "a",
        "severity": "note",
        "evidence": "coefficients",
        "claim": "{units} units of {name}.",
        "advice": "",
        "values": {"units": 3, "name": "x"},
    }
    return Finding.model_validate(given | changes)


def findings_of(recorded: Sequence[Finding], due: Sequence[Finding], tool: Tool | None = None) -> list[str]:
    own = made(tool, findings=tuple(recorded))
    return whats(check_findings(own, "results.json", lambda _: due))


def test_findings_are_those_that_rules_make() -> None:
    assert findings_of([finding()], [finding()]) == []
    assert findings_of([finding()], [])
    assert findings_of([finding()], [finding(claim="Otherwise {units}.")])


def test_findings_of_another_version_are_its_own() -> None:
    assert findings_of([finding(), finding(id="b")], [finding()], OLDER) == ["findings: 2"]
    assert findings_of([finding()], [finding()], OLDER) == []


@pytest.mark.parametrize(
    ("tool", "beginning"), [(None, "results.json: findings can't be made"), (OLDER, "findings: 1")]
)
def test_results_of_which_no_finding_can_be_made_are_told_as_such(tool: Tool | None, beginning: str) -> None:
    def fails(_: Results) -> list[Finding]:
        message = "no such layer"
        raise KeyError(message)

    (what,) = whats(check_findings(made(tool), "results.json", fails))
    assert what.startswith(beginning)


def test_definitions_are_those_of_the_catalogue_or_of_another_version(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(recomputing, "find", lambda _: ())
    own = made()
    name, definition = next(iter(own.catalogue.items()))
    changed = {**own.catalogue, name: definition.model_copy(update={"name": "Another"})}
    assert whats(check_results(own, "results.json")) == []
    (what,) = whats(check_results(made(catalogue=changed), "results.json"))
    assert "Another" in what
    assert whats(check_results(made(OLDER, catalogue=changed), "results.json")) == [
        "definitions of measures: 1"
    ]
    assert whats(check_results(made(OLDER), "results.json")) == []
    unknown = {**own.catalogue, "mine": definition}
    assert whats(check_results(made(OLDER, catalogue=unknown), "results.json")) == [
        "definitions of measures: 1"
    ]
    assert whats(check_results(made(catalogue=unknown), "results.json"))


def test_what_is_attached_is_one_of_the_inputs() -> None:
    files = Tree({"guidelines/a.md": b"1", "distances/b.csv": b"2", "other.md": b"3"})
    sums = {name: files.digest(name) for name in files}
    assert whats(check_inputs(made(), files)) == [
        f"{name}: is none of the inputs that results.json lists."
        for name in ("distances/b.csv", "guidelines/a.md")
    ]
    source = Input.model_construct(bytes=1, file="a.md", sha256=sums["guidelines/a.md"])
    assert whats(check_inputs(made(inputs=(source,)), files)) == [
        "distances/b.csv: is none of the inputs that results.json lists."
    ]


# How much there is to compute

MOST = 9_999


def of_size(pairs: int, categories: int, size: int) -> list[str]:
    """Return what is said of results with a unit set of so many pairs and categories, in so many bytes."""
    names = tuple(f"c{number}" for number in range(categories))
    own = TWO.model_copy(update={"pairs": TWO.pairs * pairs, "categories": names})
    return whats(iter(too_large(made(unit_sets=(own,)), Tree({"results.json": b" " * size}), "v/")))


def test_results_name_no_more_cells_than_their_bytes_allow() -> None:
    """A unit set takes 20,000 cells, a table of two annotators 1,000 and the square of the categories."""
    cells = 20_000 + 3 * (1_000 + 1_000**2)
    size = -((CELLS - cells) // CELLS_A_BYTE)
    assert of_size(3, 1_000, size) == []
    (what, unchecked) = of_size(3, 1_000, size - 1)
    assert what == (
        f"v/results.json: names so much that its tables have {cells:,} cells, too many for a report of "
        f"{size - 1:,} bytes."
    )
    assert unchecked == "figures, findings and pages: 1"
    # Of a crowd there is one table of all, and what is too much of it is no fault.
    row = b"main,items,," + b"|".join(b"%d:x" % who for who in range(1_000)) + b",1\n"
    several = Tree({"results.json": b"", "counts/ratings.csv": b"head\n" + row * 4})
    assert whats(iter(too_large(made(), several, "v/"))) == []
    several = Tree({"results.json": b"", "counts/ratings.csv": b"head\n" + row * 5})
    assert whats(iter(too_large(made(), several, "v/"))) == ["figures, findings and pages: 1"]
    assert of_size(0, 1_400, 0) == []
    assert of_size(0, 1_410, 0) != []


@pytest.mark.parametrize(
    ("people", "tables"), [(0, 1), (1, 1), (2, 1), (3, 3), (MOST_ANNOTATORS, None), (MOST, 1)]
)
def test_there_is_a_table_of_each_two_annotators_but_of_a_crowd(people: int, tables: int | None) -> None:
    assert recomputing._pairs(people) == (people * (people - 1) // 2 if tables is None else tables)  # noqa: SLF001


def test_two_meet_in_each_row_of_a_table_of_ratings_as_often_as_it_names_two(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = b"main,items,d,0:x,1\nmain,items,d,0:x|1:y,1\nmain,items,d,0:x|1:y|2:a\\|b,1\n"
    assert recomputing._met(rows) == 1 + 3  # noqa: SLF001
    head = ",".join(CODED_HEAD).encode()
    coded = b"\n".join((head, b"main,items,d,a,7", b"main,items,d,ab,7", b"main,items,d,abc,1"))
    assert recomputing._met(coded) == 1 + 3  # noqa: SLF001
    monkeypatch.setattr(recomputing, "MOST_PAIRS", 2)
    assert recomputing._met(coded) == 1  # noqa: SLF001


# In which languages pages are


def test_pages_say_their_language_in_the_first_four_thousand_bytes_or_so() -> None:
    says = b'<html data-a="b" lang="fr"'
    for before, language in ((4096 - len(says), "fr"), (4097 - len(says), "en")):
        page = b" " * before + says + b">"
        assert languages_of(Tree({"index.html": page})) == (language,)


# What can't be computed again, and what is beside the exports


class Of:
    """Anything that has these attributes."""

    def __init__(self, **given: object) -> None:
        self.__dict__.update(given)


def tried(computed: Any, identity: str = "c", above: str = "", **files: bytes) -> tuple[Any, list[str]]:  # noqa: ANN401
    """Return what is computed of a campaign, and what is wrong with it."""
    own = Of(campaign=Of(id=identity))
    known: list[Discrepancy | Unchecked] = [Discrepancy("a", "was added.", "files")]
    named = {name.replace("_", "."): content for name, content in files.items()}
    report, wrong = _tried(cast("Any", own), named, computed, known, "exports", above)
    assert {each.check for each in wrong if isinstance(each, Discrepancy)} <= {"files", "exports"}
    return report, whats(iter(wrong))


def test_what_is_computed_again_is_computed_in_a_folder_called_like_the_campaign(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        asked, "load", lambda folder, name: (name, sorted(each.name for each in folder.iterdir()))
    )
    assert tried(lambda campaign: campaign, "Ab.c-1", campaign_toml=b"1", labels_csv=b"2") == (
        ("Ab.c-1", ["campaign.toml", "labels.csv"]),
        ["a: was added."],
    )
    for identity in ("", "..", "a/b", "-a", "a b"):
        assert tried(lambda campaign: campaign, identity) == (
            None,
            [f'campaign.toml: "{identity}" is not a campaign\'s id.'],
        )


def test_why_nothing_can_be_computed_again_is_told_of_the_file_in_the_bundle(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problems = (
        Problem("c/labels.csv", 7, "", "no label.", ""),
        Problem("c/campaign.toml", 0, "task", "bad.", ""),
    )

    def wrong(_: object) -> None:
        raise BadInput(list(problems))

    def fails(_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(asked, "load", lambda *_: None)
    assert tried(wrong, above="exports/") == (
        None,
        [
            "a: was added.",
            "exports/campaign.toml: can't be computed from: task: bad.",
            "exports/labels.csv: can't be computed from: line 7: no label.",
        ],
    )
    report, (_, what) = tried(fails, above="exports/")
    assert report is None
    assert what.startswith("exports/campaign.toml: can't be computed from: ")


def test_other_forms_of_another_version_are_unchecked_together() -> None:
    faults = [Discrepancy(name, "differs.", "form") for name in "ab"]
    assert [*_of_form(made(), iter(faults))] == faults
    assert [*_of_form(made(OLDER), iter(faults))] == [
        Unchecked("form of campaign.toml and of what it names", OLD, 2)
    ]
    assert [*_of_form(made(OLDER), iter(()))] == []


def test_exports_are_those_that_their_campaign_names_in_its_form_with_those_people(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = Pseudonyms(annotators={"Ann": "A01", "Bea": "A02"})
    monkeypatch.setattr(published_campaign, "named_files", lambda *_: {"labels.csv": None})
    monkeypatch.setattr(recomputing, "everybody_in", lambda _: {"Ann", "Bea"})
    right = {"campaign.toml": b'a = "b"\n', "labels.csv": b"1", OWN: pseudonyms_csv(names).encode()}

    def told(files: Mapping[str, bytes]) -> list[tuple[str, str]]:
        read = cast("Any", Of(version=None))
        found = _exported_form(cast("Any", None), read, names, Tree(files))
        return [(each.file, each.check) for each in found]

    assert told(right) == []
    assert told({"campaign.toml": right["campaign.toml"]}) == []
    assert told(right | {"other.csv": b"1"}) == [("exports/other.csv", "files")]
    assert told(right | {"campaign.toml": b"a = 'b'\n"}) == [("exports/campaign.toml", "form")]
    assert told(right | {OWN: right[OWN] + b"\n"}) == [(f"exports/{OWN}", "form")]
    monkeypatch.setattr(recomputing, "everybody_in", lambda _: {"Bea", "Cy"})
    assert told(right) == [(f"exports/{OWN}", "exports")], "of Ann and Bea, and only Bea is in them"


def test_the_table_of_labels_is_what_the_exports_give(monkeypatch: pytest.MonkeyPatch) -> None:
    labels = Of(labels=Of(as_csv=lambda: b"1\n"))

    def told(given: Of | None, files: Mapping[str, bytes]) -> int:
        monkeypatch.setattr(recomputing, "label_table", lambda *_: given)
        campaign = cast("Any", Of(privacy=None))
        return len([*_label_tables(campaign, cast("Any", None), Pseudonyms(), Tree(files))])

    assert told(labels, {LABEL_TABLE: b"1\n"}) == told(None, {LABEL_TABLE: b""}) == told(None, {}) == 0
    assert told(labels, {LABEL_TABLE: b"2\n"}) == told(labels, {}) == told(None, {LABEL_TABLE: b"1\n"}) == 1


def test_texts_are_shown_where_the_settings_that_were_recorded_show_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(recomputing, "as_in_bundle", lambda _, texts=False: "shown" if texts else "withheld")
    monkeypatch.setattr(recomputing, "settings", lambda campaign, *_: campaign)
    monkeypatch.setattr(recomputing, "everybody_in", lambda _: ())
    read = cast("Any", Of(version=None))
    for recorded in ("shown", "withheld"):
        found: Any = _as_recorded(cast("Any", None), read, Pseudonyms(), made(settings=recorded))
        assert found == recorded
