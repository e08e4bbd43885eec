"""What tables leave open about cells: lists in them, no header, labels in doubt; each at its edge."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput
from reportgen.cli.agree import AgreementRequest, agree
from reportgen.readers import ReaderOptions, read_export
from reportgen.readers.ratings import READER
from reportgen.readers.reader import Engine
from reportgen.readers.table_rows import mend_rows
from tests.commands import on_disk, run
from tests.readers.content import table_of, written

FIRST, SECOND, THIRD = "xyxxyxyyxyxx" * 2, "xyxyyxyyxxxx" * 2, "xxxxyxyyxyyx" * 2


def at(folder: Path, header: str, rows: Sequence[str]) -> Path:
    """Write a table."""
    return on_disk(
        folder, {"t/t.csv": "\n".join([header, *rows, ""]) if header else "\n".join([*rows, ""])}
    ) / ("t/t.csv")


def read(file: Path, options: ReaderOptions | None = None) -> tuple[tuple[str, ...], int, tuple[str, ...]]:
    """Return annotators, how many units there are, and labels."""
    found = read_export([(file, "t.csv")], options).ratings
    return found.annotators, len(found.unit_names), found.labels


def alpha(file: Path, **options: object) -> float | None:
    """Return the figure that a file gives."""
    request = AgreementRequest(file, ReaderOptions(**options), complete=False)  # type: ignore[arg-type]
    found = agree(request)
    return found.unit_set.measures[found.primary].value


def asked(file: Path) -> str:
    """Return what is asked, without a terminal."""
    with pytest.raises(BadInput) as caught:
        alpha(file)
    return str(caught.value)


LISTS = [*zip(FIRST, SECOND, THIRD, strict=True)]


@pytest.mark.parametrize("sign", [", ", ";", "|"])
def test_lists_of_annotators_and_their_labels_are_rows(tmp_path: Path, sign: str) -> None:
    rows = [f'u{n},"{sign.join("pqr")}","{sign.join(own)}",t{n % 3}' for n, own in enumerate(LISTS)]
    (file,) = written(tmp_path, {"t.csv": "\n".join(["id,workers,answers,topic", *rows])})
    found = table_of(READER, [file])
    assert found.content.annotators == ("p", "q", "r")
    assert found.marks_read == 3 * len(rows)
    assert "lists in workers, answers taken apart" in found.reading
    plain = [
        f"u{n},{who},{label}" for n, own in enumerate(LISTS) for who, label in zip("pqr", own, strict=True)
    ]
    assert alpha(file.path) == alpha(at(tmp_path, "id,worker,answer", plain))


def test_lists_in_a_table_that_duckdb_reads_are_taken_apart_in_memory(tmp_path: Path) -> None:
    file = at(
        tmp_path, "id,workers,answers", [f'u{n},"p,q,r","{",".join(own)}"' for n, own in enumerate(LISTS)]
    )
    assert read(file, ReaderOptions(engine=Engine(name="duckdb"))) == read(file)


def test_lists_of_other_lengths_are_no_pairs(tmp_path: Path) -> None:
    rows = [f'u{n},"p,q,r","{",".join(own[: 2 + (n > 0)])}"' for n, own in enumerate(LISTS)]
    (file,) = written(tmp_path, {"t.csv": "\n".join(["id,workers,answers", *rows])})
    with pytest.raises(BadInput):
        table_of(READER, [file])


def test_a_list_with_a_label_twice_has_a_place_for_each_annotator(tmp_path: Path) -> None:
    file = at(tmp_path, "id,labels", [f'u{n},"{[*own]}"' for n, own in enumerate(LISTS)])
    assert read(file) == (("labels 1", "labels 2", "labels 3"), len(LISTS), ("x", "y"))
    sets = [[*dict.fromkeys(own)] for own in LISTS]
    two = at(tmp_path, "id,Ann,Ben", [f'u{n},"{own}","{own}"' for n, own in enumerate(sets)])
    assert agree(AgreementRequest(two, ReaderOptions(), complete=False)).primary.endswith("[masi]")


def test_a_table_without_header_is_asked_about(tmp_path: Path) -> None:
    rows = [f"{n},{one},{other}" for n, (one, other) in enumerate(zip(FIRST, SECOND, strict=True), 1)]
    file = at(tmp_path, "", rows)
    said = asked(file)
    assert "header: the first row seems to be data" in said
    assert "Read so, it gives 2 annotators, 24 units" in said
    keys = tmp_path / "keys.toml"
    keys.write_text("header = 0\n", encoding="utf-8")
    answer = run("agree", file, "--reading", keys)
    assert answer.exit_code == 0, answer.output
    assert "no header" in answer.stdout
    assert read(file, ReaderOptions(header=(0,))) == (("column 2", "column 3"), 24, ("x", "y"))


SPELT = [f"u{n},{one},{other.upper()}" for n, (one, other) in enumerate(zip(FIRST, SECOND, strict=True))]
BLANK = [f"u{n},{one},{other} " for n, (one, other) in enumerate(zip(FIRST, SECOND, strict=True))]


@pytest.mark.parametrize(("rows", "way"), [(SPELT, "lowercase"), (BLANK, "strip")])
def test_labels_that_differ_by_spelling_alone_are_asked_about(
    tmp_path: Path, rows: Sequence[str], way: str
) -> None:
    file, same = at(tmp_path / "a", "id,Ann,Ben", rows), at(tmp_path / "b", "id,Ann,Ben", [
        f"u{n},{one},{other}" for n, (one, other) in enumerate(zip(FIRST, SECOND, strict=True))
    ])  # fmt: skip
    assert f'(1) they are one label each: normalise = ["{way}"]' in asked(file)
    assert alpha(file, normalise=(way,)) == alpha(same)
    spelt = {label for row in rows for label in row.split(",")[1:]}
    apart = alpha(file, labels={label: label for label in spelt})
    assert apart is not None
    assert apart < 0


@pytest.mark.parametrize("word", ["9", "don't know", "?!"])
def test_what_may_stand_for_a_missing_label_is_asked_about(tmp_path: Path, word: str) -> None:
    ranks = ["1234512345"[n % 10] for n in range(30)]
    near = [str(min(5, int(rank) + (n % 4 == 0))) for n, rank in enumerate(ranks)]
    rows = [
        f"u{n},{one},{word if n in (3, 9) else other}"
        for n, (one, other) in enumerate(zip(ranks, near, strict=True))
    ]
    file = at(tmp_path, "id,Ann,Ben", rows)
    if word == "don't know":  # says it
        assert alpha(file) == alpha(file, missing=(word,))
        return
    said = asked(file)
    assert f'"{word}" 2 times among other labels, which may stand for a missing label' in said
    assert f'missing = ["{word}"]' in said
    assert alpha(file, missing=(word,)) != alpha(file, labels={word: word})


def test_columns_without_names_that_cross_are_units_and_annotators(tmp_path: Path) -> None:
    people = [FIRST, SECOND, THIRD]
    rows = [f"{n},{who},{own[n]}" for n in range(24) for who, own in enumerate(people, 1)]
    assert read(at(tmp_path / "a", "V1,V2,V3", rows))[0] == ("1", "2", "3")
    assert 'write annotators = ["V1", "V3"]' in asked(at(tmp_path / "b", "V1,sentence,V3", rows))


def test_rows_of_people_by_name_below_numbered_units_are_turned(tmp_path: Path) -> None:
    header = "," + ",".join(f"S{n}" for n in range(24))
    rows = [
        f"{who},{','.join(own)}"
        for who, own in zip(("anna", "ben", "chloe"), (FIRST, SECOND, THIRD), strict=True)
    ]
    assert read(at(tmp_path / "a", header, rows))[0] == ("anna", "ben", "chloe")
    with pytest.raises(BadInput, match="rows may be annotators"):
        read(at(tmp_path / "b", header.replace("S", "Kap"), rows))


@pytest.mark.parametrize(("name", "is_asked"), [("adequacy", True), ("domain", False), ("topic", False)])
def test_a_question_on_which_all_agree_is_one_beside_another(
    tmp_path: Path, name: str, *, is_asked: bool
) -> None:
    people = zip("pqr", (FIRST, SECOND, THIRD), strict=True)
    rows = [f"u{n},{who},{own[n]},{'ab'[n % 5 % 2]}" for who, own in people for n in range(24)]
    file = at(tmp_path, f"id,worker,fluency,{name}", rows)
    if is_asked:
        assert "has several questions, each of which is a layer: fluency, adequacy" in asked(file)
    else:
        assert alpha(file) is not None


def test_a_column_called_a_decision_is_asked_about_as_soon_as_it_never_departs(tmp_path: Path) -> None:
    rows = [
        f"u{n},{one},{other},{one if one == other else THIRD[n]}"
        for n, (one, other, _) in enumerate(LISTS[:12])
    ]
    said = asked(at(tmp_path / "a", "id,A2QXR1,A9PLM3,accord", rows))
    assert 'has in "accord" what most of A2QXR1, A9PLM3 say' in said
    assert read(at(tmp_path / "b", "id,A2QXR1,A9PLM3,A7QQR1", rows))[0] == ("A2QXR1", "A9PLM3", "A7QQR1")


def test_a_unit_of_a_turned_table_is_one_whatever_was_said_of_it(tmp_path: Path) -> None:
    """The labels of the last unit are in no other column."""
    rows = [
        f"{who},{','.join(own[:12])},{last}"
        for who, own, last in zip("abc", (FIRST, SECOND, THIRD), "vwz", strict=True)
    ]
    header = "annotator," + ",".join(f"s{n}" for n in range(13))
    assert read(at(tmp_path, header, rows))[1] == 13


def test_numbers_of_parts_are_offered_as_parts_first(tmp_path: Path) -> None:
    rows = [
        f"d{n},{part},{who},{own[n * 4 + part]}"
        for who, own in zip("pqr", (FIRST, SECOND, THIRD), strict=True)
        for n in range(6)
        for part in range(4)
    ]
    said = asked(at(tmp_path, "story,X1,annotator,answer", rows))
    assert "(1) units in story + X1, annotators in annotator; or (2)" in said


@pytest.mark.parametrize("again", ["", "Item"])
def test_a_name_that_is_merged_over_two_rows_of_names_is_one(again: str) -> None:
    """Readers of workbooks leave the second row of a merged cell empty, or fill it."""
    names = [["Item", "Raters", "", ""], [again, "R1", "R2", "R3"]]
    body = [[f"i{n}", *own] for n, own in enumerate(LISTS)]
    rows, found = mend_rows([*enumerate([*names, *body], 1)])
    assert rows[0][1] == ["Item", "R1", "R2", "R3"]
    assert found.header == (1, 2)
    plain, found = mend_rows([*enumerate([["Item", "R1", "R2", "R3"], *body], 1)])
    assert (plain[0][1], found.header) == (["Item", "R1", "R2", "R3"], ())


@pytest.mark.parametrize("token", ['"', '"Op'])
def test_a_quotation_mark_may_be_a_token_of_a_table_by_tabs(tmp_path: Path, token: str) -> None:
    rows = [f"{token if n in {4, 9} else f'w{n}'}\t{one}\t{two}" for n, (one, two, _) in enumerate(LISTS)]
    file = on_disk(tmp_path, {"t.tsv": "\n".join(["token\tA1\tA2", *rows, ""])}) / "t.tsv"
    assert read(file) == (("A1", "A2"), len(rows) - 1, ("x", "y"))


def test_labels_quoted_here_and_there_are_those_without_quotation_marks(tmp_path: Path) -> None:
    """A cell that only begins with a quotation mark makes no letters of those of other cells."""
    rows = [f'w{n}\t{one}\t"{two}"' for n, (one, two, _) in enumerate(LISTS)]
    text = "\n".join(["token\tA1\tA2\tsaid", *(f"{row}\tt" for row in rows), 'v\tx\ty\t"so" he said', ""])
    file = on_disk(tmp_path, {"t.tsv": text}) / "t.tsv"
    assert read(file) == (("A1", "A2"), len(rows) + 1, ("x", "y"))


def test_cells_in_quotation_marks_are_quoted_in_a_table_by_tabs(tmp_path: Path) -> None:
    rows = [f'"w\t{n}"\t{one}\t{two}' for n, (one, two, _) in enumerate(LISTS)]
    file = on_disk(tmp_path, {"t.tsv": "\n".join(["token\tA1\tA2", *rows, ""])}) / "t.tsv"
    assert read(file) == (("A1", "A2"), len(rows), ("x", "y"))


@pytest.mark.parametrize("start", [0, 1])
def test_many_columns_named_by_numbers_that_count_up_have_a_header(tmp_path: Path, start: int) -> None:
    def numbered(people: int) -> Path:
        names = ",".join(str(start + number) for number in range(people))
        rows = [",".join("0" if label == "x" else "1" for label in (one + two) * 3) for one, two in PAIRS]
        return at(tmp_path, names, [",".join(row.split(",")[:people]) for row in rows])

    assert read(numbered(6)) == (tuple(str(start + number) for number in range(6)), len(PAIRS), ("0", "1"))
    with pytest.raises(BadInput, match="the first row seems to be data"):
        read(numbered(5))


@pytest.mark.parametrize(("seen", "label"), [(20, "response"), (14, "viewed")])
def test_what_each_person_nearly_always_has_is_no_label(tmp_path: Path, seen: int, label: str) -> None:
    """Of 24 rows a program wrote 1 for one person, and TRUE for so many of another's."""
    same = "yyyyyyyyyyyyyyyyyyyyyyyx"
    for who, viewed in (("LB", ["1"] * 24), ("LD", ["TRUE"] * seen + ["1"] * (24 - seen))):
        rows = [f"i{n},{viewed[n]},{same[n]}" for n in range(24)]
        on_disk(tmp_path, {f"t/{who}_done.csv": "\n".join(["ID,viewed,response", *rows, ""])})
    found = agree(AgreementRequest(tmp_path / "t", ReaderOptions(), complete=False))
    assert f"labels in {label}" in found.reading


PAIRS = [*zip(FIRST, SECOND, strict=True)]
