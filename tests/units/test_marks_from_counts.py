"""Marks in texts, references and systems from counts alone: every figure as from the exports."""

import csv
import io
import json
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput, Problem
from reportgen.campaign import load
from reportgen.pipeline.reading import read_campaign
from reportgen.results.marks import SpanResults
from tests.campaigns import marked, written
from tests.counted import as_counts, causes_in_other_order, counts_in, differences, reports_of
from tests.present import present
from tests.properties import examples
from tests.slowly import slow_but
from tests.units.test_from_counts import check

NAMES = '[privacy]\nannotators = "names"\n'
SYSTEMS = """
[annotators.s1]
role = "system"
system = "tagger"
release = "1.0"
[annotators.s2]
role = "system"
system = "tagger"
release = "2.0"
[annotators.m]
role = "model"
"""
REFERENCE = '[annotators.gold]\nrole = "reference"\n'
TASK = '[task]\nnon_annotated = "None"\n'
NEAR = ",Gene,Protein,Place,None\nGene,0,0.3,1,1\nProtein,0.3,0,0.7,1\nPlace,1,0.7,0,1\nNone,1,1,1,0\n"
FAR = ",Gene,Protein,Place,None\nGene,0,3,1,4\nProtein,3,0,2,4\nPlace,1,2,0,4\nNone,4,4,4,0\n"
DISTANCES = """
[[distances]]
id = "near"
file = "near.csv"
why = "Genes and proteins share their names."
[[distances]]
id = "far"
file = "far.csv"
why = "Beyond 1."
"""
UNIT_SETS = """
[[unit_sets]]
id = "tokens"
units = "tokens"
primary = true
why = "Every word was read."
[[unit_sets]]
id = "any"
units = "annotated-by-any"
[[unit_sets]]
id = "all"
units = "annotated-by-all"
[[unit_sets]]
id = "many"
units = "declared"
size = 900
"""
TYPES = ("Gene", "Protein", "Place")
EVERYBODY = ("A", "B", "C", "gold", "m", "s1", "s2")
CROWD = tuple(f"P{place:02}" for place in range(52))
Marks = dict[str, dict[str, list[tuple[str, int, int]]]]


def texts(drawn: random.Random, documents: int) -> dict[str, str]:
    """Return texts of a few words."""
    words = ("abc", "spoVD", "sigma", "renamed", "x")
    return {f"d{place}": " ".join(drawn.choices(words, k=drawn.randint(6, 20))) for place in range(documents)}


def words_of(text: str) -> list[tuple[int, int]]:
    """Return where each word stands."""
    ends = [place for place, sign in enumerate(f"{text} ") if sign == " "]
    return list(zip([0, *(end + 1 for end in ends[:-1])], ends, strict=True))


def marks(drawn: random.Random, known: Mapping[str, str], people: Sequence[str], skip: float = 0.1) -> Marks:
    """Return marks that mostly agree: some are missing, longer, of another type, or only one person's."""
    gold = {name: [w for w in words_of(text) if drawn.random() < 0.4] for name, text in known.items()}
    kinds = {(name, word): drawn.choice(TYPES) for name, words in gold.items() for word in words}
    found: Marks = {who: {} for who in people}
    for who, (name, text) in ((who, item) for who in people for item in known.items()):
        if drawn.random() < skip:
            continue
        mine = [word for word in gold[name] if drawn.random() < 0.8]
        own = [(kinds[name, word], *word) for word in mine]
        own = [(drawn.choice(TYPES) if drawn.random() < 0.2 else k, a, b) for k, a, b in own]
        own = [(k, a, min(b + 3, len(text)) if drawn.random() < 0.2 else b) for k, a, b in own]
        extra = [(drawn.choice(TYPES), *drawn.choice(words_of(text)))] if drawn.random() < 0.4 else []
        found[who][name] = own + extra
    return found


def in_texts(folder: Path, toml: str, people: Sequence[str], documents: int = 6, skip: float = 0.1) -> Path:
    """Write a campaign of marks in texts."""
    drawn = random.Random(7)  # noqa: S311 - no secret hangs on it
    known = texts(drawn, documents)
    files = marked(known, marks(drawn, known, people, skip))
    exports = {f"exports/1.0/{name}": text for name, text in files.items()}
    return written(folder, f"{NAMES}{TASK}{toml}", {**exports, "near.csv": NEAR, "far.csv": FAR})


def rated(
    folder: Path,
    toml: str,
    people: Sequence[str],
    labels: Sequence[str],
    *,
    documents: int = 7,
    missing: float = 0.1,
) -> Path:
    """Write a campaign of labels of units; each unit is its own document where there are none."""
    drawn = random.Random(11)  # noqa: S311 - no secret hangs on it
    rows = ["unit,annotator,document,label" if documents else "unit,annotator,label"]
    for unit in range(90):
        right = drawn.choice(labels)
        for who in people:
            label = right if drawn.random() < 0.7 else drawn.choice(labels)
            if drawn.random() > missing:
                where = f",d{unit % documents}" if documents else ""
                rows.append(f"u{unit},{who}{where},{label}")
    return written(folder, f"{NAMES}{toml}", {"exports/1.0/e.csv": "\n".join(rows) + "\n"})


def attributes_and_relations(folder: Path) -> Path:
    """Write a campaign whose layers are marks, an attribute of them, and relations between them."""
    drawn = random.Random(5)  # noqa: S311 - no secret hangs on it
    known = texts(drawn, 5)
    files: dict[str, str] = {}
    for who, documents in marks(drawn, known, ("A", "B", "gold")).items():
        for name, own in documents.items():
            lines = [
                f"T{n}\t{kind} {start} {end}\t{known[name][start:end]}\n"
                for n, (kind, start, end) in enumerate(own, 1)
            ]
            sure = [f"A{n}\tSure T{n} {drawn.choice(('yes', 'no'))}\n" for n in range(1, len(own) + 1)]
            pairs = [f"R{n}\tBinds Arg1:T{n} Arg2:T{n + 1}\n" for n in range(1, len(own), 2)]
            files[f"exports/1.0/{who}/{name}.txt"] = known[name]
            files[f"exports/1.0/{who}/{name}.ann"] = "".join([*lines, *sure, *pairs])
    layers = [("names", "Gene"), ("certain", "Gene->Sure"), ("bonds", "Binds")]
    toml = "".join(f'[[layers]]\nid = "{name}"\nsource = "{source}"\n' for name, source in layers)
    return written(folder, f"{NAMES}{REFERENCE}{toml}features = []\n", files)


MARKED = '[[unit_sets]]\nid = "all"\nunits = "annotated-by-all"\nprimary = true\n'
ITEMS = UNIT_SETS.replace("tokens", "items").replace("None", "no")
CASES: dict[str, Callable[[Path], Path]] = {
    "marks, a reference and systems": lambda at: in_texts(
        at, REFERENCE + SYSTEMS + DISTANCES + UNIT_SETS, EVERYBODY, 4
    ),
    "marks, systems and no reference": lambda at: in_texts(
        at, SYSTEMS + DISTANCES + MARKED, EVERYBODY[:3] + EVERYBODY[4:], 4
    ),
    "marks of annotators alone": lambda at: in_texts(at, "beta = 2.0\n" + DISTANCES, ("A", "B", "C")),
    "marks of a crowd": lambda at: in_texts(at, REFERENCE + DISTANCES + MARKED, (*CROWD, "gold"), 2, 0.0),
    "marks that nobody made twice": lambda at: in_texts(at, "", ("A", "B"), 2, 0.0),
    "attributes and relations": attributes_and_relations,
    "labels in documents": lambda at: rated(at, REFERENCE + SYSTEMS, EVERYBODY, ("x", "y", "z")),
    "labels without documents": lambda at: rated(
        at, REFERENCE + SYSTEMS, EVERYBODY, ("x", "y:a|b", "z"), documents=0
    ),
    "labels without a reference": lambda at: rated(at, SYSTEMS, EVERYBODY[:3] + EVERYBODY[4:], ("x", "y")),
    "ordered labels": lambda at: rated(
        at,
        '[task]\nscale = "ordinal"\ncategories = ["1", "2", "3"]\n' + REFERENCE,
        EVERYBODY[:4],
        ("1", "2", "3"),
    ),
    "sets of labels": lambda at: rated(
        at, '[task]\nscale = "set"\n' + REFERENCE + SYSTEMS, EVERYBODY, ("x", "x|y", "z")
    ),
    "labels in several unit sets": lambda at: rated(
        at, '[task]\nnon_annotated = "no"\n' + REFERENCE + SYSTEMS + ITEMS, EVERYBODY, ("x", "no", "no", "z")
    ),
    "sets of labels in several unit sets": lambda at: rated(
        at,
        '[task]\nscale = "set"\nnon_annotated = "no"\n' + REFERENCE + SYSTEMS + ITEMS,
        EVERYBODY,
        ("x", "no", "x|z", "z"),
    ),
    "labels of a crowd": lambda at: rated(
        at, REFERENCE + SYSTEMS, (*CROWD, *EVERYBODY[3:]), ("x", "y"), documents=4, missing=0.8
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", slow_but(CASES, "attributes and relations", "sets of labels"))
def test_marks_and_references_from_counts_are_those_from_exports(case: str, tmp_path: Path) -> None:
    folder = CASES[case](tmp_path / "campaign")
    before = reports_of(folder)["1.0"]
    after = reports_of(as_counts(folder, tmp_path / "again" / "campaign"))["1.0"]
    assert differences(before.results, after.results) == []
    assert causes_in_other_order(before.results, after.results) == []
    assert counts_in(after) == counts_in(before)
    large = ("tables/comparisons-of-all.csv", "tables/spans.csv", "tables/bdm-near.csv")
    for name in large:
        assert after.beside.get(name) == before.beside.get(name)


@pytest.mark.slow
@examples(6)
@given(seed=st.integers(0, 10_000), reference=st.booleans(), skip=st.sampled_from([0.0, 0.3]))
def test_whatever_was_marked_comes_out_of_its_counts(
    seed: int,
    reference: bool,  # noqa: FBT001 - hypothesis draws it
    skip: float,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    at, drawn = tmp_path_factory.mktemp("drawn"), random.Random(seed)  # noqa: S311 - no secret hangs on it
    known = texts(drawn, 3)
    files = marked(known, marks(drawn, known, ("A", "B", "gold"), skip))
    exports = {f"exports/1.0/{name}": text for name, text in files.items()}
    toml = NAMES + TASK + (REFERENCE if reference else "") + DISTANCES + MARKED
    folder = written(at / "campaign", toml, {**exports, "near.csv": NEAR, "far.csv": FAR})
    check(folder, at / "again" / "campaign")


@pytest.fixture(scope="module")
def counted_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    at = tmp_path_factory.mktemp("damaged")
    folder = in_texts(at / "campaign", REFERENCE + SYSTEMS + DISTANCES + MARKED, EVERYBODY, 3)
    return as_counts(folder, at / "again" / "campaign")


def problems_of(folder: Path, name: str, edit: Callable[[str], str | None]) -> list[Problem]:
    """Return what is complained about once a file has other text, or is gone; the file is then as before."""
    path = folder / name
    text = path.read_text(encoding="utf-8")
    other = edit(text)
    path.unlink() if other is None else path.write_text(other, encoding="utf-8")
    try:
        read_campaign(load(folder))
    except BadInput as error:
        return list(error.problems)
    finally:
        path.write_text(text, encoding="utf-8")
    return []


def row(text: str, having: str) -> tuple[int, list[str]]:
    """Return the line and the cells of the first row that has a cell."""
    rows = list(csv.reader(io.StringIO(text)))
    place = next(place for place, cells in enumerate(rows) if place and (not having or having in cells))
    return place, rows[place]


def changed(having: str, **cells: str) -> Callable[[str], str]:
    """Return what changes cells of the first row that has a cell."""

    def edit(text: str) -> str:
        place, found = row(text, having)
        lines = text.split("\n")
        head = lines[0].split(",")
        lines[place] = ",".join(cells.get(name, cell) for name, cell in zip(head, found, strict=True))
        return "\n".join(lines)

    return edit


def without(having: str) -> Callable[[str], str]:
    """Return what takes away the first row that has a cell."""
    return lambda text: "\n".join(
        line for place, line in enumerate(text.split("\n")) if place != row(text, having)[0]
    )


def described(*path: str | int, value: object) -> Callable[[str], str]:
    """Return what changes one value of counts.json."""

    def edit(text: str) -> str:
        content = json.loads(text)
        inner = content
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value
        return json.dumps(content)

    return edit


SPANS, PAIRS, ALL, COMPARED = "spans.csv", "type-pairs.csv", "everybody.csv", "comparisons.csv"
OF_SPANS = ("layers", 0, "spans")
OF_ALL = ("layers", 0, "everybody", 0)
DAMAGE: dict[str, tuple[str, Callable[[str], str | None], str]] = {
    "no spans": (SPANS, lambda _: None, "is missing; counts.json tells of it"),
    "nobody's labels": (ALL, lambda _: None, "is missing; counts.json tells of it"),
    "no comparisons": (COMPARED, lambda _: None, "is missing; counts.json tells of it"),
    "no pairs of types": (PAIRS, lambda _: None, "is missing; counts.json tells of it"),
    "an unknown outcome": (SPANS, changed("only_first", outcome="missed"), '"missed" is not an outcome.'),
    "an unknown person": (SPANS, changed("gold", first="Gold"), '"Gold" is not a name in counts.json.'),
    "an unknown document": (SPANS, changed("d0", document="d9"), '"d9" is not a document.'),
    "an unknown type": (SPANS, changed("only_first", type="Genes"), '"Genes" is not a type in counts.json.'),
    "nothing counted": (SPANS, changed("only_first", n="0"), '"0" is not a count'),
    "a negative number": (SPANS, changed("only_first", n="-1"), "is below 0"),
    "an unknown distance": (
        PAIRS,
        changed("near", distance="nearby"),
        '"nearby" is not a distance in counts.json.',
    ),
    "more units": (ALL, changed("", n="99"), "than everybody.csv makes them"),
    "too many in bulk": (ALL, changed("", bulk="99"), "has more units in bulk than units."),
    "an unknown label": (ALL, changed("", ratings="gold:Gone"), 'has no category "Gone"'),
    "another comparison": (COMPARED, changed("", n="99"), "than everybody.csv makes them"),
    "a comparison less": (COMPARED, without(""), "than everybody.csv makes them"),
    "another role": ("counts.json", described(*OF_SPANS, "roles", 0, value="system"), "are not in the order"),
    "roles too few": ("counts.json", described(*OF_SPANS, "roles", value=[]), "has 0 entries for 7 people."),
    "credit above 1": (
        "counts.json",
        described(*OF_SPANS, "credits", 0, "earned", 0, 1, value=7),
        "between 0 and 1",
    ),
    "a code too high": ("counts.json", described(*OF_ALL, "absent", value=9), "is a code"),
    "unknown rules": ("counts.json", described(*OF_SPANS, "feature_match", value="any"), "is none of"),
}


def test_annotators_who_said_something_else_than_in_ratings_are_told_of(counted_folder: Path) -> None:
    found = problems_of(
        counted_folder, f"counts/1.0/{ALL}", lambda text: text.replace("A:Place", "A:None", 1)
    )
    assert all(each.file.endswith(ALL) and each.remedy for each in found)
    assert any("that annotators gave A:" in each.message for each in found)
    assert any("and ratings.csv has" in each.message for each in found)


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_tables_are_complained_about_with_file_and_remedy(damage: str, counted_folder: Path) -> None:
    name, edit, message = DAMAGE[damage]
    found = problems_of(counted_folder, f"counts/1.0/{name}", edit)
    assert any(message in each.message for each in found), found
    assert all(each.file and each.remedy for each in found)


def test_a_campaign_that_contradicts_what_was_counted_is_told_of_it(counted_folder: Path) -> None:
    (table,) = problems_of(counted_folder, "near.csv", lambda text: text.replace("0.3", "0.4"))
    assert 'not the distances "near" by which pairs of marks were counted' in table.message


def spans_of(folder: Path, edit: Callable[[str], str]) -> SpanResults:
    """Return what results say of marks while campaign.toml has other text."""
    path = folder / "campaign.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(edit(text), encoding="utf-8")
    try:
        return present(reports_of(folder)["1.0"].results.spans)
    finally:
        path.write_text(text, encoding="utf-8")


def test_a_distance_that_was_not_counted_gives_no_credit(counted_folder: Path) -> None:
    found = spans_of(counted_folder, lambda text: text.replace('id = "near"', 'id = "other"'))
    assert [each.distance for each in found.layers[0].credits or ()] == ["far"]


def test_gamma_is_not_asked_of_counts(counted_folder: Path) -> None:
    found = spans_of(counted_folder, lambda text: f"{text}\n[unitizing]\ngamma = true\n")
    assert not found.unitizing
