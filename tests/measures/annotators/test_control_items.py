"""Control items, and what annotators say of the same units a second time."""

import json
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput
from reportgen.pipeline.build import build_site
from reportgen.results import Results
from reportgen.results.annotators import IntraAnnotatorAgreement, Quality
from tests.campaigns import finding, results, results_of, written
from tests.measures.made import figures, matrix, units_of, value
from tests.present import present

CONTROLS = '[controls]\nfile = "controls.csv"\nreject_below = 0.6\nminimum = 5\n'
HEAD = "unit,label\n"
PEOPLE = ("Ann", "Bob", "Cem", "Dan")


def export(controls: int = 10, units: int = 12, bad: str = "Dan") -> str:
    """Control items c0, c1, … are "yes"; the bad annotator says "no" of all of them."""
    known = [[f"c{place}", *("no" if who == bad else "yes" for who in PEOPLE)] for place in range(controls)]
    others = [
        [f"u{place}", *["yes" if place % 2 else "no"] * 3, "yes" if place % 3 else "no"]
        for place in range(units)
    ]
    rows = ["item,Ann,Bob,Cem,Dan", *(",".join(row) for row in (*known, *others))]
    return "\n".join(rows) + "\n"


def items(controls: int = 10, label: str = "yes") -> str:
    return HEAD + "".join(f"c{place},{label}\n" for place in range(controls))


def made(folder: Path, toml: str = CONTROLS, listed: str | None = None, table: str | None = None) -> Results:
    return results(folder, toml, table or export(), {"controls.csv": listed or items()})


def quality(found: Results) -> Quality:
    return present(found.quality)[0]


def problems(folder: Path, toml: str = CONTROLS, listed: str | None = None, table: str | None = None) -> str:
    with pytest.raises(BadInput) as raised:
        made(folder, toml, listed, table)
    return str(raised.value)


def test_control_items_never_enter_agreement(tmp_path: Path) -> None:
    found = made(tmp_path, CONTROLS.replace("reject_below = 0.6\n", ""))
    unit_set = found.primary
    assert (unit_set.units, unit_set.units_read) == (12, 22)
    assert list(unit_set.units_left_out.values()) == [10]
    assert found.marks.model_dump() == {"read": 88, "used": 48, "left_out": 40, "missing": 0}
    reasons = {each.reason for each in found.left_out}
    assert reasons == {"a control item: its right label is known, and it says nothing of agreement"}
    assert all(each.file and each.line for each in found.left_out)


def named(folder: Path, *people: str) -> Path:
    """Return a campaign's folder, in which it says who the annotators are."""
    with (folder / "campaign.toml").open("a", encoding="utf-8") as file:
        file.write(f"annotators = {json.dumps(people)}\n")
    return folder


@pytest.mark.slow
def test_rejected_annotators_are_held_against_no_reference(tmp_path: Path) -> None:
    head, *rows = export().splitlines()
    table = "\n".join([f"{head},gold", *(f"{row},{row.split(',')[1]}" for row in rows)]) + "\n"
    reference = '[annotators.gold]\nrole = "reference"\n'
    kept = present(made(tmp_path / "kept", reference, table=table).comparisons)
    rejected = made(tmp_path / "rejected", reference + CONTROLS, table=table)
    controls = present(quality(rejected).controls)
    assert controls.rejected == ("A04",)
    without = present(rejected.comparisons)
    assert [each.other for each in kept.pairs] == ["A01", "A02", "A03", "A04"]
    assert [each.other for each in without.pairs] == ["A01", "A02", "A03"]
    assert {each.units for each in without.pairs} == {12}, "control items are left out here too"


def test_accuracy_has_the_interval_of_wilson_and_rejects_nobody_without_a_rule(tmp_path: Path) -> None:
    controls = present(quality(made(tmp_path, CONTROLS.replace("reject_below = 0.6\n", ""))).controls)
    assert controls.rejected == ()
    accuracy = {each.annotator: each for each in controls.annotators}
    assert (accuracy["A04"].right, accuracy["A04"].labelled) == (0, 10)
    interval = present(accuracy["A04"].accuracy.interval)
    assert interval.high == pytest.approx(0.2775, abs=1e-4)
    assert accuracy["A04"].accuracy.recomputable is False


def test_whom_control_items_reject_is_left_out_and_listed(tmp_path: Path) -> None:
    found = made(tmp_path)
    assert found.primary.annotators == ("A01", "A02", "A03")
    controls = present(quality(found).controls)
    assert controls.rejected == ("A04",)
    own = [each for each in found.left_out if each.annotator == "A04"]
    assert {each.reason for each in own} == {"rejected: too few of the control items were labelled right"}
    assert sum(each.marks for each in own) == 22
    assert finding(found, "rejected-annotators") is not None


def test_a_few_control_items_reject_nobody(tmp_path: Path) -> None:
    found = made(tmp_path, CONTROLS.replace("minimum = 5", "minimum = 11"))
    controls = present(quality(found).controls)
    assert controls.rejected == ()
    assert controls.agreement == {}


def test_a_unit_that_nobody_has_is_pointed_out(tmp_path: Path) -> None:
    folder = written(
        tmp_path / "campaign", CONTROLS, {"exports/1.0/e.csv": export(), "controls.csv": items() + "x9,yes\n"}
    )
    (notice,) = build_site([named(folder, "Ann", "Bob", "Cem", "Dan")], tmp_path / "site").notices
    assert (notice.line, notice.key) == (12, "unit x9")


@pytest.mark.parametrize(
    ("listed", "message"),
    [
        ("unit\nc0\n", "unit and label were expected"),
        ("unit,label\n", "lists no control item"),
        ("unit,label\nc0\n", "another number than the first row"),
        ("unit,label\nc0,\n", "column label: is empty"),
        ("unit,label\nc0,yes\nc0,no\n", "is on line 2 already"),
        ("unit,label,layer\nc0,yes,nope\n", 'the campaign has no layer "nope"'),
    ],
)
def test_what_is_wrong_in_the_file_is_named(tmp_path: Path, listed: str, message: str) -> None:
    assert message in problems(tmp_path, listed=listed)


def test_texts_have_no_control_items(tmp_path: Path) -> None:
    files = {
        "exports/1.0/A1/d.txt": "a b",
        "exports/1.0/A1/d.ann": "T1\tX 0 1\ta\n",
        "exports/1.0/A2/d.txt": "a b",
        "exports/1.0/A2/d.ann": "T1\tX 0 1\ta\n",
        "controls.csv": "unit,label\nd,X\n",
    }
    toml = CONTROLS
    with pytest.raises(BadInput, match="control items are units with a known label"):
        build_site([written(tmp_path / "campaign", toml, files)], tmp_path / "site")


def test_sets_of_labels_are_the_same_in_any_order(tmp_path: Path) -> None:
    table = "item,Ann,Bob,Cem\nc0,b|a,a|b,a\nu1,a,a|b,a\nu2,a|b,a|b,a\n"
    toml = CONTROLS + '[task]\nscale = "set"\n'
    folder = written(
        tmp_path / "campaign", toml, {"exports/1.0/e.csv": table, "controls.csv": HEAD + "c0,b|a\n"}
    )
    (folder / "campaign.toml").write_text(
        (folder / "campaign.toml").read_text(encoding="utf-8") + 'set_separator = "|"\n', encoding="utf-8"
    )
    controls = present(quality(results_of(folder)).controls)
    assert [each.right for each in controls.annotators] == [1, 1, 0]


def test_control_items_are_known_to_the_model_of_errors(tmp_path: Path) -> None:
    model = quality(made(tmp_path, CONTROLS.replace("reject_below = 0.6\n", ""))).dawid_skene
    assert (model.known, model.units) == (10, 22)


# First labels against second ones: 20, 4 | 3, 13.
TABLE = [[20, 4], [3, 13]]


def twice(found: Results) -> tuple[IntraAnnotatorAgreement, ...]:
    return present(found.quality)[0].intra_annotator


def rows() -> list[tuple[str, str]]:
    return [(a, b) for i, a in enumerate("xy") for j, b in enumerate("xy") for _ in range(TABLE[i][j])]


def expected(name: str) -> float:
    return value(figures(units_of(matrix(TABLE, "xy"))).pairs[0].measures[name])


@pytest.mark.parametrize("toml", ['[annotators.again]\nsame_as = "Ann"\n'])
def test_a_second_name_is_compared_with_the_first(tmp_path: Path, toml: str) -> None:
    lines = ["item,Ann,Bob,again", *(f"u{place},{a},x,{b}" for place, (a, b) in enumerate(rows()))]
    (own,) = twice(results(tmp_path, toml, "\n".join(lines) + "\n"))
    assert (own.annotator, own.units) == ("A01", 40)
    assert {name: figure.value for name, figure in own.by_category.items()} == pytest.approx(
        {"x": 40 / 47, "y": 26 / 33}
    )
    for name in ("observed_agreement", "cohen_kappa", "krippendorff_alpha"):
        assert own.measures[name].value == pytest.approx(expected(name))
        assert own.measures[name].recomputable is False
        assert own.measures[name].interval is not None


def test_repeated_labels_are_second_passes(tmp_path: Path) -> None:
    lines = ["item,annotator,label"]
    for place, (a, b) in enumerate(rows()):
        lines += [f"u{place},Ann,{a}", f"u{place},Ann,{b}", f"u{place},Bob,x", f"u{place},Ann,x"]
    (own,) = twice(results(tmp_path, "", "\n".join(lines) + "\n"))
    assert own.measures["observed_agreement"].value == pytest.approx(33 / 40)


def test_second_copies_of_texts_are_compared_token_by_token(tmp_path: Path) -> None:
    text = "one two three four"
    marks = {"Ann": [(0, 3), (4, 7)], "Ann2": [(0, 3)], "Bob": [(0, 3)]}
    files = {}
    for name, spans in marks.items():
        files[f"exports/1.0/{name}/d.txt"] = text
        files[f"exports/1.0/{name}/d.ann"] = "".join(
            f"T{place}\tX {start} {end}\t{text[start:end]}\n" for place, (start, end) in enumerate(spans, 1)
        )
    files["exports/1.0/Ann/e.txt"] = files["exports/1.0/Bob/e.txt"] = text
    files["exports/1.0/Ann/e.ann"] = files["exports/1.0/Bob/e.ann"] = ""
    (own,) = twice(results_of(written(tmp_path / "c", '[annotators.Ann2]\nsame_as = "Ann"\n', files)))
    # Of the four tokens of d, which alone was seen twice, they agree on three.
    assert (own.units, own.measures["observed_agreement"].value) == (4, 0.75)
