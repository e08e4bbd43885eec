"""Marks in texts and recordings, from the annotators' folders to results, tables and pages."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from reportgen.base.errors import BadInput
from reportgen.campaign import load
from reportgen.measures import gamma_is_installed
from reportgen.pipeline.reading import read_campaign
from reportgen.pipeline.version_reports import Report
from reportgen.results import Results, UnitSet
from reportgen.results.marks import cases_by_kind, omissions_of_each
from tests.campaigns import VERSION, marked, report_of, results_of, written
from tests.readers.write_textgrid import grid
from tests.rendered import files_of, rows_of, version_files

TEXT = "Anna Berg met Ben in Paris .\n"
FILES = {
    "exports/1.0/anna/d1.txt": TEXT,
    "exports/1.0/anna/d1.ann": "T1\tPER 0 9\tAnna Berg\nT2\tLOC 21 26\tParis\nT3\tNAME 0 4\tAnna\n"
    "#1\tNote T1\tsure\n",
    "exports/1.0/anna/d2.txt": "Nobody .\n",
    "exports/1.0/anna/d2.ann": "",
    "exports/1.0/ben/d1.txt": TEXT,
    "exports/1.0/ben/d1.ann": "T1\tPER 0 4\tAnna\nT2\tLOC 21 26\tParis\n",
    "exports/1.0/ben/d2.txt": "Nobody .\n",
    "exports/1.0/README": "Not an export.\n",
    "exports/1.0/minutes.doc": "Not an export.\n",
}
UNIT_SETS = """[[unit_sets]]
id = "tokens"
units = "tokens"
[[unit_sets]]
id = "marks"
units = "annotated-by-any"
"""


def campaign(folder: Path, toml: str = UNIT_SETS) -> Path:
    return written(folder / "campaign", toml, FILES)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return results_of(campaign(tmp_path_factory.mktemp("marked")))


def test_tokens_are_the_units_where_the_campaign_says_nothing(tmp_path: Path) -> None:
    (units,) = results_of(campaign(tmp_path, "")).unit_sets
    assert (units.id, units.kind, units.base, units.primary) == ("tokens", "tokens", "tokens", True)
    # Ben did not see d2, whose two tokens are therefore nobody's but Anna's.
    assert (units.units, units.units_compared) == (9, 7)
    assert units.only_pair is not None
    table = units.only_pair.confusion
    assert table.categories == ("LOC", "NAME|PER", "PER", "(unmarked)")
    assert table.counts == ((1, 0, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (0, 0, 0, 4))


def test_what_is_left_out_stands_there_with_file_line_annotator_and_reason(found: Results) -> None:
    (note,) = found.left_out
    assert (note.file, note.line, note.annotator, note.reason) == (
        "exports/1.0/A01/d1.ann",
        4,
        "A01",
        "a note",
    )
    # Of what no reader knows nothing stands there but how many; README tells of the folder.
    assert found.unread == 1


def test_seen_and_empty_differs_from_not_seen_all_the_way_to_the_page(found: Results) -> None:
    (material,) = found.material
    states = [
        (each.annotator, each.marked, each.empty, each.skipped, each.unseen) for each in material.attendance
    ]
    assert states == [("A01", 1, 1, 0, 0), ("A02", 1, 0, 0, 1)]
    files = dict(version_files(found, {}))
    assert files["tables/attendance.csv"] == (
        "annotator,marked,empty,skipped,unseen\nA01,1,1,0,0\nA02,1,0,0,1\n"
    )
    for page in ("index.html", "report.html", "report.md"):
        assert "Seen, nothing marked" in files[page]


def test_how_scattered_the_marks_are(found: Results) -> None:
    (material,) = found.material
    assert (material.documents, material.documents_unmarked, material.tokens) == (2, 1, 9)
    assert (material.marks, material.copies, material.tokens_seen) == (5, 3, 16)
    assert material.marks_per_document == pytest.approx(5 / 3)
    assert material.marks_per_1000_tokens == pytest.approx(5000 / 16)
    assert material.labels == {"LOC": 2, "NAME": 1, "PER": 2}
    assert material.shares["PER"] == pytest.approx(0.4)
    assert found.unit_sets[0].units_by_annotators == {"1": 2, "2": 7}


def test_where_much_is_left_out_the_whole_list_stands_in_its_table(tmp_path: Path) -> None:
    marks = "".join(f"T{number}\tX 0 4\tAnna\n#{number}\tNote T{number}\tn\n" for number in range(1, 1501))
    folder = written(tmp_path / "campaign", "", {**FILES, "exports/1.0/anna/d1.ann": marks})
    report = report_of(folder)
    assert [(each.line, each.marks) for each in report.results.left_out] == [(2, 1500)]
    whole = report.beside["tables/left-out.csv"].splitlines()
    assert (len(whole), whole[1]) == (1501, "A01,a note,1,exports/1.0/A01/d1.ann,2")
    assert dict(version_files(report.results, report.beside))["tables/left-out.csv"].splitlines() == whole


# Spans, and unitizing.


GOLD = '[annotators.gold]\nrole = "reference"\n'
GAMMA = "[unitizing]\ngamma = true\n"
SURE = {
    "anna": "T1\tPER 0 9\tAnna Berg\nA1\tSure T1 5\nT2\tLOC 21 26\tParis\nT3\tPER 14 17\tBen\n",
    "ben": "T1\tPER 0 4\tAnna\nA1\tSure T1 5.0\nT2\tLOC 21 26\tParis\n",
    "gold": "T1\tPER 0 9\tAnna Berg\nA1\tSure T1 5\nT2\tLOC 21 26\tParis\n",
}


def beside_gold(folder: Path, toml: str = GOLD) -> Path:
    """Write a campaign of two annotators and a reference, who marked two documents alike."""
    files = {
        f"exports/1.0/{name}/d{number}.{end}": text
        for name, marks in SURE.items()
        for number in range(2)
        for end, text in (("txt", TEXT), ("ann", marks))
    }
    return written(folder / "campaign", toml, files)


def test_significant_features_and_beta_come_from_the_campaign_and_stand_on_the_page(tmp_path: Path) -> None:
    toml = f'[task]\nfeatures = ["Sure"]\nbeta = 2\n{GOLD}'
    folder = beside_gold(tmp_path, toml)
    found = results_of(folder)
    assert found.spans is not None
    (layer,) = found.spans.layers
    assert (layer.features, layer.feature_match, layer.beta) == (("Sure",), "equal", 2)
    assert [(each.values, each.marks) for each in layer.spellings] == [(("5", "5.0"), 6)]
    assert [(pair.annotators, pair.roles) for pair in found.spans.pairs] == [
        (("gold", "A01"), ("reference", "annotator")),
        (("gold", "A02"), ("reference", "annotator")),
        (("A01", "A02"), ("annotator", "annotator")),
    ]
    assert found.spans.pairs[-1].counts.overlap == 0
    assert found.spans.unitizing is not None
    assert found.spans.unitizing[0].annotators == ("A01", "A02")
    page = files_of(folder)["index.html"]
    assert "Partners also agree on Sure" in page
    assert "5, 5.0 (6 marks)" in page
    assert "β = 2" in page


def test_gamma_without_its_package_is_a_problem_that_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pygamma_agreement", None)
    with pytest.raises(BadInput) as caught:
        read_campaign(load(beside_gold(tmp_path, GOLD + GAMMA)))
    (problem,) = caught.value.problems
    assert str(problem).endswith(
        "campaign.toml:5: unitizing.gamma: is true, but the package pygamma-agreement, which computes it, is "
        'not installed. Install reportgen with the extra "gamma": pip install "PATH[gamma]", '
        "where PATH is its checkout or wheel."
    )


def test_pairs_of_too_many_annotators_are_in_the_table_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reportgen.measures.spans.MOST_ANNOTATORS", 1)
    files = files_of(campaign(tmp_path))
    assert "1 pair shares documents, too many to show; it is in the CSV." in files["index.html"]
    assert [row["match"] for row in rows_of(files["tables/spans.csv"]) if not row["type"]] == ["1"]


@pytest.mark.slow
@pytest.mark.skipif(not gamma_is_installed(), reason="NOT TESTED: pygamma-agreement is not installed")
@pytest.mark.filterwarnings("ignore")
def test_gamma_stands_in_results_with_what_it_was_computed_with(tmp_path: Path) -> None:
    folder = beside_gold(tmp_path, GOLD + GAMMA + "samples = 10\nseed = 3\n")
    files = files_of(folder)
    spans = results_of(folder).spans
    assert spans is not None
    assert spans.unitizing is not None
    (own,) = spans.unitizing
    assert own.gamma is not None
    assert (own.gamma.samples, own.gamma.seed, own.gamma.deterministic) == (10, 3, False)
    assert set(own.gamma.libraries) >= {"pygamma-agreement", "numpy"}
    assert own.measures["gamma"].value is not None
    assert "gamma_k" in own.by_category["PER"]
    assert json.loads(files["results.json"])["spans"]["unitizing"][0]["gamma"]["deterministic"] is False
    for page in ("index.html", "report.md"):
        assert "Chance is 10 sampled continua a document" in files[page]


# Unit sets of texts.


GENES = "The gene ypdA (now bdr) is known. We call yxxB, once yyyC, bdr2.\nNothing else happened.\n"
ANNA_GENES = (
    "T1\tFormer 9 13\typdA\nT2\tNew 19 22\tbdr\nT3\tFormer 53 57\tyyyC\nT4\tNew 42 46\tyxxB\n"
    "R1\tRenames Former:T1 New:T2\nR2\tRenames Former:T3 New:T4\nA1\tCertainty T2 sure\nT5\tNew 4 8\tgene\n"
)
BEN_GENES = (
    "T1\tNew 9 13\typdA\nT2\tFormer 19 23\tbdr)\nT4\tNew 42 46\tyxxB\nA1\tCertainty T4 doubtful\n"
    "T3\tFormer 53 57\tyyyC\nR1\tRenames Former:T2 New:T1\nR2\tRenames Former:T3 New:T4\n"
)
GENE_FILES = {
    "exports/1.0/anna/d1.txt": GENES,
    "exports/1.0/anna/d1.ann": ANNA_GENES,
    "exports/1.0/ben/d1.txt": GENES,
    "exports/1.0/ben/d1.ann": BEN_GENES,
    "genes.txt": "# genes\nypdA\nbdr\nyxxB\nyyyC\nbdr2\n",
}
EVERY_UNIT_SET = """[[unit_sets]]
id = "tokens"
units = "tokens"
primary = true
[[unit_sets]]
id = "sentences"
units = "sentences"
[[unit_sets]]
id = "genes"
units = "candidates"
file = "genes.txt"
[[unit_sets]]
id = "genes-and-more"
units = "candidates"
file = "genes.txt"
keep_marked = true
[[unit_sets]]
id = "marked"
units = "annotated-by-any"
"""


def found_in(folder: Path, toml: str, files: dict[str, str] | None = None) -> Results:
    return results_of(written(folder / "campaign", toml, files or GENE_FILES))


def sets_of(results: Results) -> dict[tuple[str, str], UnitSet]:
    return {(each.layer, each.id): each for each in results.unit_sets}


def test_unit_sets_of_texts_stand_side_by_side_and_account_for_every_mark(tmp_path: Path) -> None:
    found = found_in(tmp_path, EVERY_UNIT_SET)
    units = sets_of(found)
    sizes = {name: each.units for (_, name), each in units.items()}
    # "bdr2" is one word, and so no bdr; "gene" is marked and no candidate.
    assert sizes == {"tokens": 16, "sentences": 3, "genes": 5, "genes-and-more": 6, "marked": 6}
    for each in units.values():
        assert each.marks.used + sum(each.marks.left_out.values()) == each.marks.read
    assert units["main", "genes"].marks.left_out["outside every candidate"] == 1
    assert units["main", "genes"].size_curve is not None
    assert units["main", "sentences"].labels == {"Former|New": 4, "(unmarked)": 2}
    assert found.marks.read == found.marks.used + found.marks.left_out


def test_candidates_can_be_a_type_of_the_export_or_a_layer_of_the_campaign(tmp_path: Path) -> None:
    gene = {**GENE_FILES, "exports/1.0/ben/d1.ann": BEN_GENES + "T8\tGene 59 63\tbdr2\nT9\tGene 9 13\typdA\n"}
    layers = '[[layers]]\nid = "renamings"\nsource = "New"\n[[layers]]\nid = "former"\nsource = "Former"\n'
    sets = '[[unit_sets]]\nid = "c"\nunits = "candidates"\nlayer = "{}"\n'
    by_type = found_in(tmp_path / "type", layers + sets.format("Gene"), gene)
    of_new, of_former = by_type.unit_sets
    assert (of_new.units, of_former.units) == (2, 2)
    assert of_new.labels == {"New": 1, "(unmarked)": 3}
    assert {each.reason for each in by_type.left_out if each.line in {8, 9}} >= {
        "it says where a candidate is, which is a unit and no label"
    }
    by_layer = found_in(tmp_path / "layer", layers + sets.format("former"), gene)
    assert [each.units for each in by_layer.unit_sets] == [3, 3]
    files = dict(version_files(by_layer, {}))
    assert "Candidates are the marks of former by any annotator." in files["index.html"]


# How marks disagree.


NAMES = '[privacy]\nannotators = "names"\n'
WORDS = "Anna Berg met Ben Lee and the old Carla Diaz in New York near Rome yesterday ."
Marks = Sequence[tuple[str, int, int]]


def at(label: str, words: str) -> tuple[str, int, int]:
    start = WORDS.index(words)
    return label, start, start + len(words)


# In each document: one match, one boundary (anna's longer), one type, one both, two omissions of ben's.
ANNA = [
    at("LOC", "Rome"),
    at("PER", "Anna Berg"),
    at("ORG", "Ben Lee"),
    at("LOC", "New York"),
    at("PER", "Carla Diaz"),
]
BEN = [at("LOC", "Rome"), at("PER", "Anna"), at("PER", "Ben Lee"), at("ORG", "York near")]
ANNA += [at("PER", "yesterday")]


def report(folder: Path, people: dict[str, Marks], documents: int = 8, toml: str = NAMES) -> Report:
    texts = {f"d{number}": WORDS for number in range(documents)}
    marks = {who: dict.fromkeys(texts, found) for who, found in people.items()}
    files = {f"exports/1.0/{name}": text for name, text in marked(texts, marks).items()}
    return report_of(written(folder / "campaign", toml, files))


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return report(tmp_path_factory.mktemp("two"), {"anna": ANNA, "ben": BEN})


def test_results_count_the_four_kinds_by_type_and_by_pair(two: Report) -> None:
    assert two.results.spans is not None
    found = two.results.spans.disagreements_of("main")
    assert found is not None
    assert cases_by_kind(found.cases) == {"boundary": 8, "type": 8, "both": 8, "omission": 16}
    assert cases_by_kind(found.cases, "PER") == {"boundary": 8, "type": 8, "both": 0, "omission": 16}
    (pair,) = found.pairs
    assert pair.annotators == ("anna", "ben")
    assert omissions_of_each(pair.cases) == (16, 0)
    assert [(each.label, each.right) for each in found.boundaries] == [("PER", 8)]


def test_each_disputed_token_says_of_which_kind_it_is(two: Report) -> None:
    assert two.texts is not None
    (found,) = two.texts.disagreements
    kinds = {WORDS[each.spans[0][0] : each.spans[0][1]]: each.kinds for each in found.units}
    assert kinds == {
        "Berg": ("boundary",),
        "Ben": ("type",),
        "Lee": ("type",),
        "New": ("both",),
        "York": ("both",),
        "near": ("both",),
        "Carla": ("omission",),
        "Diaz": ("omission",),
        "yesterday": ("omission",),
    }


def test_tables_and_lists_have_the_kinds(two: Report) -> None:
    files = dict(version_files(two.results, two.beside, two.texts))
    rows = rows_of(files["tables/mark-disagreements.csv"])
    assert [
        (row["kind"], row["first_type"], row["second_type"], row["cases"]) for row in rows if row["first"]
    ] == [
        ("boundary", "PER", "PER", "8"),
        ("type", "ORG", "PER", "8"),
        ("both", "LOC", "ORG", "8"),
        ("omission", "PER", "", "16"),
    ]
    (habit,) = [row for row in rows_of(files["tables/mark-habits.csv"]) if row["type"] == "PER"]
    assert (habit["annotator"], habit["marks"], habit["others"]) == ("anna", "24", "16")
    disputed = rows_of(files["tables/disagreements.tokens.csv"])
    assert [row["kinds"] for row in disputed if row["unit"] == "Berg"] == ["boundary"] * 8
    (name,) = [name for name in files if name.startswith("disagreements/") and name.endswith(".html")]
    assert "boundary 8, omission 24" in files[name]
    assert "boundary 8, omission 24" in files["clarify/index.html"]


# Recordings.


LENGTH = 60
# Of a text as long as the recording, the same marks are the same stretches.
STRETCHES = {
    "anna": [("PER", 0, 9), ("LOC", 21, 26), ("PER", 30, 45)],
    "ben": [("PER", 2, 9), ("LOC", 21, 26)],
    "clara": [("PER", 0, 9), ("PER", 14, 17), ("LOC", 31, 45)],
}
LAYER = '[[layers]]\nid = "names"\nsource = "words"\n'
MARKED_UNITS = '[[unit_sets]]\nid = "marked"\nunits = "annotated-by-any"\nprimary = true\n'


def grids(documents: int = 3) -> dict[str, str]:
    """Return a TextGrid for each annotator and recording, with a tier of tones besides."""
    return {
        f"exports/1.0/{who}/d{number}.TextGrid": grid(
            LENGTH,
            {
                "words": [(begin, end, label) for label, begin, end in found[number % 2 :]],
                "tones": [(begin, begin, "H*") for _, begin, _ in found],
            },
        )
        for who, found in STRETCHES.items()
        for number in range(documents)
    }


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return results_of(written(tmp_path_factory.mktemp("here") / "campaign", LAYER, grids()))


def unitizing(found: Results) -> Any:  # noqa: ANN401 - JSON
    assert found.spans is not None
    assert found.spans.unitizing is not None
    return json.loads(found.spans.unitizing[0].model_dump_json(by_alias=True))


def test_unitizing_figures_are_those_of_a_text_of_that_length(recorded: Results, tmp_path: Path) -> None:
    texts = {f"d{number}": str(number) * LENGTH for number in range(3)}
    marks = {
        who: {f"d{number}": each[number % 2 :] for number in range(3)} for who, each in STRETCHES.items()
    }
    files = {f"exports/1.0/{name}": text for name, text in marked(texts, marks).items()}
    same = results_of(
        written(tmp_path / "texts", f'[[layers]]\nid = "names"\nsource = "marks"\n{MARKED_UNITS}', files)
    )
    assert unitizing(recorded) == unitizing(same)
    assert unitizing(recorded)["characters"] == 3 * LENGTH
    assert unitizing(recorded)["measures"]["alpha_u"]["value"] is not None


@pytest.mark.parametrize(
    ("units", "message"),
    [
        ('units = "tokens"', '"tokens" needs texts; this export has recordings'),
        ('units = "sentences"', '"sentences" needs texts'),
        ('units = "candidates"\nfile = "terms.txt"', '"candidates" needs texts'),
        ('units = "annotated-by-any"\nbase = "tokens"', 'base = "tokens" needs texts'),
    ],
)
def test_units_that_need_texts_are_refused(tmp_path: Path, units: str, message: str) -> None:
    toml = f'{LAYER}[[unit_sets]]\nid = "u"\nprimary = true\n{units}\n'
    folder = written(tmp_path / "campaign", toml, {**grids(), "terms.txt": "Anna\n"})
    with pytest.raises(BadInput) as caught:
        read_campaign(load(folder))
    (problem,) = caught.value.problems
    assert message in problem.message
    assert problem.key == f"unit_sets.1.{'base' if 'base' in units else 'units'}"
    assert problem.remedy


def test_a_decision_on_a_stretch_of_time_is_found_by_its_name(tmp_path: Path) -> None:
    head = "layer,document,unit,offsets,text,anna,ben,clara,decision,cause\n"
    sheet = f"{head}names,d0,0.002–0.009 s,,,(unmarked),PER,(unmarked),PER,\n"
    folder = written(tmp_path / "campaign", LAYER, {**grids(), "sheet.csv": sheet})
    toml = (folder / "campaign.toml").read_text("utf-8")
    adjudicated = f'{VERSION}adjudication = "sheet.csv"\n'
    (folder / "campaign.toml").write_text(toml.replace(VERSION, adjudicated), "utf-8")
    found = results_of(folder)
    assert found.adjudication is not None
    assert found.adjudication[0].decided == 1
