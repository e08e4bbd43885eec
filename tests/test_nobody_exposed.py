"""No name, no text, no path and no small cell is in a bundle, whatever people and files are called."""

import contextlib
import csv
import html
import io
import json
import re
import sys
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from pyarrow.parquet import read_table

import reportgen
from reportgen.campaign import Annotator, Campaign, load
from reportgen.campaign.toml_tables import Privacy
from reportgen.cli import common
from reportgen.pipeline.build import build_site
from reportgen.pipeline.reading import read_campaign
from reportgen.pipeline.version_reports import as_in_bundle, compare_versions, compute, names_by_version
from reportgen.publish import bundle_files
from reportgen.publish.bundle import (
    Bundled,
    BundleOptions,
    HiddenNames,
    bundled,
    hidden_names,
    problems_of_exposure,
)
from reportgen.readers import Annotations, DocumentCopy, ExportFile, ParsedMark
from reportgen.results import dumps
from reportgen.units import Pseudonyms
from tests import six_subjects
from tests.campaigns import GENE_RENAMING, marked, written
from tests.commands import files, on_disk, run
from tests.readers import write_brat, write_doccano, write_label_studio, write_webanno
from tests.readers.write_eaf import aligned, document, tier
from tests.slowly import slow_but

PEOPLE = ("O'Brien", "José Núñez", "annabel", "annabella", "j.doe-77", "Юлий", "<b>Mallory", "דוד-כהן")
DOCUMENTS = (
    "Fall 17.b",
    "patient-1x",
    "patient-10x",
    "Дни 44-й",
    "dossier é",
    "Letter of annabel",
    "תיק-אחד",
)
# It stands in the file of sizes alone.
UNREAD = "minutes-9y of Mallory"
OF_PEOPLE = ("brien", "núñez", "annabel", "j.doe", "юлий", "mallory", "דוד", "כהן")
# What tells each of them, and each text, from anything else that a report may say.
TELLING = (
    *OF_PEOPLE,
    *("fall 17", "patient-1", "дни 44", "dossier", "letter of", "minutes-9y", "תיק"),
    *("zugspitze", "quarrel about"),
)
TEXT = "Zugspitze and Watzmann had a quarrel about snow ."
WORDS = [(found.start(), found.end()) for found in re.finditer(r"\S+", TEXT)]
Write = Callable[[Sequence[DocumentCopy], Path], list[ExportFile]]


def copies() -> list[DocumentCopy]:
    """Return everybody's copies: nobody marks quite the same, and somebody misses a document."""
    return [
        DocumentCopy(document, person, "", TEXT, tuple(_marks(number, place)))
        for place, person in enumerate(PEOPLE)
        for number, document in enumerate(DOCUMENTS)
        if (place, number) != (3, 2)
    ]


def _marks(number: int, place: int) -> Iterator[ParsedMark]:
    for word in (0, 2, 6, number):
        if (number + place + word) % 5:
            label = "Peak" if (word + place) % 4 else "Other"
            yield ParsedMark("label", (WORDS[word],), {"label": label})


def of_types(found: Sequence[DocumentCopy]) -> list[DocumentCopy]:
    """Return copies whose marks have a type for a category, as brat has."""
    return [
        replace(each, marks=[ParsedMark(_label(mark), mark.spans) for mark in each.marks]) for each in found
    ]


def of_results(found: Sequence[DocumentCopy]) -> list[DocumentCopy]:
    """Return copies as Label Studio has them, whose feature is called as the type of the result."""
    return [
        replace(each, marks=[ParsedMark("ner", mark.spans, {"labels": _label(mark)}) for mark in each.marks])
        for each in found
    ]


def _label(mark: ParsedMark) -> str:
    return mark.features["label"]


FORMATS: Mapping[str, tuple[Write, Callable[[Sequence[DocumentCopy]], Sequence[DocumentCopy]]]] = {
    "brat": (write_brat.write, of_types),
    "webanno": (write_webanno.write, list),
    "label studio": (write_label_studio.write, of_results),
    "doccano": (write_doccano.write, list),
}
MORE_UNIT_SETS = """
[[unit_sets]]
id = "terms"
units = "candidates"
file = "terms-of-annabel.txt"
[[unit_sets]]
id = "sized"
units = "declared"
size = "sizes.csv"
"""
ASKED = """
[[unit_sets]]
id = "tokens"
units = "tokens"
primary = true
[privacy]
systems = "pseudonyms"
[task]
non_annotated = "none"
[annotators."j.doe-77"]
role = "reference"
[annotators."<b>Mallory"]
role = "system"
[annotators."O'Brien"]
role = "model"
[annotators.annabella]
role = "system"
[gate]
cohen_kappa = [{ value = 0.2, annotators = ["annabel", "Юлий"] }]
"""


def in_texts(folder: Path, name: str) -> Path:
    """Write a campaign of marks in texts, with files beside whose names tell of people."""
    write, prepared = FORMATS[name]
    sizes = "".join(f"{document},40\n" for document in (*DOCUMENTS, UNREAD))
    files = {
        "terms-of-annabel.txt": "Zugspitze\nsnow\n",
        "sizes.csv": f"document,size\n{sizes}",
        "exports/1.0/notes of annabel/JOSÉ/OBrien1/Юлий.docx": "Zugspitze",
        "guidelines/for annabella.md": "# Peaks\n",
    }
    toml = MORE_UNIT_SETS + ASKED if name == "brat" else ASKED
    written(folder, toml, files, 'document = "guidelines/for annabella.md"\n')
    write(prepared(copies()), folder / "exports" / "1.0")
    return folder


def tables(folder: Path, *, wide: bool) -> Path:
    """Write a campaign of a table: units and documents that have names, control items, second labels."""
    rows = [
        (document, f"{document}: quarrel about {place}", person, "yes" if (place + number * at) % 3 else "no")
        for number, document in enumerate(DOCUMENTS)
        for place in range(4)
        for at, person in enumerate(PEOPLE)
    ]
    text = io.StringIO()
    if wide:
        csv.writer(text).writerow(("document", "unit", *PEOPLE))
        units = {
            (document, unit): [each[3] for each in rows if each[1] == unit] for document, unit, *_ in rows
        }
        csv.writer(text).writerows([*unit, *labels] for unit, labels in units.items())
    else:
        again = [(*rows[0][:3], "no"), (*rows[9][:3], "no")]
        csv.writer(text).writerows([("document", "unit", "annotator", "label"), *rows, *again])
    controls = io.StringIO()
    csv.writer(controls).writerows(
        [("unit", "label"), *((row[1], "yes") for row in rows[: len(PEOPLE) : len(PEOPLE)])]
    )
    toml = '[controls]\nfile = "controls by annabel.csv"\nreject_below = 0.1\n' if not wide else ""
    name = f"exports/1.0/sent by {PEOPLE[0]}.csv"
    return written(folder, toml, {name: text.getvalue(), "controls by annabel.csv": controls.getvalue()})


@pytest.mark.slow
@pytest.mark.parametrize("name", slow_but(FORMATS, "brat"))
def test_no_name_and_no_text_stands_in_a_bundle_of_marks(tmp_path: Path, name: str) -> None:
    files, told = searched(in_texts(tmp_path / "campaign", name))
    assert told == []
    assert b"D0007" in files["report/counts/ratings.csv"]
    assert b"A08" in files["report/results.json"]


@pytest.mark.slow
@pytest.mark.parametrize("form", ["wide", "long"])
def test_no_name_stands_in_a_bundle_of_a_table(tmp_path: Path, form: str) -> None:
    _, told = searched(tables(tmp_path / "campaign", wide=form == "wide"))
    assert told == []


def of_recordings(folder: Path) -> Path:
    """Write a campaign of recordings by two of the people."""
    recordings = six_subjects.campaign(folder.parent, "recordings")
    for who, name in (("Ada", "annabel"), ("Blaise", "j.doe-77")):
        (recordings / "exports/1.0" / who).rename(recordings / "exports/1.0" / name)
    return recordings


KINDS: Mapping[str, Callable[[Path], Path]] = {
    "marks of brat": lambda folder: in_texts(folder, "brat"),
    "marks of Label Studio": lambda folder: in_texts(folder, "label studio"),
    "a wide table": lambda folder: tables(folder, wide=True),
    "a long table": lambda folder: tables(folder, wide=False),
    "recordings": of_recordings,
}
# What is for others; the gold standard and the key are for the campaign's own people.
WRITTEN = (
    *(("build", "site", "--figures"), ("bundle", "b.zip", "--parquet"), ("settle", "settle.html")),
    *(("labels", f"l.{ending}") for ending in ("csv", "jsonl", "parquet")),
    *(("paper", "p.docx"), ("paper", "t.xlsx")),
)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_nobody_is_named_in_files_for_others(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A site shows documents as they are called: none is called as somebody is.
    module = sys.modules[__name__]
    monkeypatch.setattr(module, "UNREAD", "minutes-9y")
    monkeypatch.setattr(module, "DOCUMENTS", tuple(each.replace("annabel", "seven") for each in DOCUMENTS))
    folder, out = KINDS[kind](tmp_path / "in" / "campaign"), tmp_path / "out"
    out.mkdir()
    for command, name, *options in WRITTEN:
        version = ["1.0"] if command == "bundle" else []
        done = run(command, folder, *version, "--out", out / name, *options)
        assert done.exit_code == 0, done.output
    for name in ("acl", "datasheet", "data-statement", "croissant-rai"):
        (out / f"{name}.md").write_text(run("checklist", name, folder).stdout, encoding="utf-8")
    for path in (path for path in out.rglob("*") if path.is_file()):
        for name, content in unpacked(path.relative_to(out).as_posix(), path.read_bytes()):
            for text in (name.casefold(), *as_read(content)):
                assert not [each for each in OF_PEOPLE if each in text], name


def unpacked(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield a file, and what is in it where it is an archive, as documents and workbooks are."""
    yield name, content
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for member in archive.namelist():
                yield from unpacked(f"{name}/{member}", archive.read(member))


def searched(folder: Path) -> tuple[Mapping[str, bytes], list[str]]:
    """Return the files of a campaign's bundle, and what it tells; fail where a name stands in any."""
    made = bundled(load(folder), "1.0", BundleOptions(parquet=True))
    for name, content in made.files.items():
        for text in (name, *as_read(content)):
            for secret in (*TELLING, str(folder.parent).casefold(), str(Path.cwd()).casefold()):
                assert secret not in text, (name, secret, text[max(text.find(secret) - 80, 0) :][:200])
    return made.files, [
        str(each) for each in made.notices if "there" in each.message and "there is" not in each.message
    ]


def as_read(content: bytes) -> Iterator[str]:
    """Yield what a file says in every way: as it is, as HTML, JSON or an address, and decompressed."""
    parts = [content, *decompressed(content)]
    if content.startswith(b"PAR1"):
        parts.append("\n".join(map(str, read_table(io.BytesIO(content)).to_pylist())).encode())
    for part in parts:
        plain = part.decode(errors="replace")
        unescaped = re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), html.unescape(plain))
        for text in (plain, unescaped, unquote(unescaped)):
            yield unicodedata.normalize("NFC", text).casefold()


def decompressed(content: bytes) -> Iterator[bytes]:
    for found in re.finditer(b"\x78[\x01\x5e\x9c\xda]", content):
        with contextlib.suppress(zlib.error):
            yield zlib.decompressobj().decompress(content[found.start() :])


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> tuple[Campaign, Sequence[Annotations], Pseudonyms]:
    """A campaign as its bundle shows it, what was exported, and the pseudonyms."""
    campaign = as_in_bundle(load(in_texts(tmp_path_factory.mktemp("found") / "campaign", "brat")))
    read = read_campaign(campaign)
    return campaign, read[0].annotations, names_by_version(campaign, read)["1.0"]


@pytest.mark.parametrize(
    ("file", "content", "told"),
    [
        ("a.html", "<p>as O&#39;Brien wrote</p>", 'the annotator "O\'Brien" is named there'),
        ("a.html", "<p>by <b>José</b> N&uacute;ñez</p>", 'the annotator "José Núñez" is named there'),
        ("a.json", r'{"x": "\u042e\u043b\u0438\u0439"}', 'the annotator "Юлий" is named there'),
        ("a.md", "see [it](../patient%2D10x)", 'the document "patient-10x" is named there'),
        ("a.svg", "<text>&#x5d3;&#x5d5;&#x5d3;-כהן</text>", 'the annotator "דוד-כהן" is named there'),
        ("patient-1x/index.csv", "a,b", 'the document "patient-1x" is named there'),
        ("a.txt", unicodedata.normalize("NFD", "DOSSIER É"), 'the document "dossier é" is named there'),
        ("Fall 17.b.csv", "a,b", 'the document "Fall 17.b" is named there'),
        ("Jos%C3%A9%20N%C3%BA%C3%B1ez.csv", "a,b", 'the annotator "José Núñez" is named there'),
        ("a.md", "[it](../Fall%252017.b)", 'the document "Fall 17.b" is named there'),
        ("a.md", "JoséNúñez annotated", 'the annotator "José Núñez" is named there'),
        ("a.txt", "by José Núñez".encode("utf-16"), 'the annotator "José Núñez" is named there'),
        ("a.txt", "by José Núñez".encode("cp1252"), 'the annotator "José Núñez" is named there'),
    ],
)
def test_what_was_to_be_hidden_is_found_however_it_is_written(
    published: tuple[Campaign, Sequence[Annotations], Pseudonyms], file: str, content: str | bytes, told: str
) -> None:
    data = content if isinstance(content, bytes) else content.encode()
    problems = problems_of_exposure({file: data}, hidden_names(*published))
    assert [each.file for each in problems if told in each.message] == [file]


QUOTED = "The night shift called Dr Amiel to the third floor twice."
SAID = f"item,text,remark,anna,ben\n1,{QUOTED},Overheard in the garden,x,x\n2,Nothing happened.,-,x,y\n"


@pytest.mark.parametrize("columns", ["", 'columns = { text = "text" }\n'])
def test_no_text_of_a_table_is_in_a_bundle_whatever_its_column(tmp_path: Path, columns: str) -> None:
    folder = written(tmp_path / "wards", "", {"exports/1.0/e.csv": SAID}, columns)
    files = bundled(load(folder), "1.0", BundleOptions()).files
    for text in (QUOTED, "Overheard in the garden", "Nothing happened."):
        assert [name for name in files if text.encode() in files[name]] == []


def test_people_whom_recordings_name_are_searched_for(tmp_path: Path) -> None:
    times = {"t1": 0, "t2": 400}
    tiers = [tier("gesture-Zaphod", [aligned("a1", "t1", "t2", "up")], PARTICIPANT="Zaphod")]
    files = {f"exports/1.0/{who}/d1.eaf": document(times, tiers) for who in ("trillian", "marvin")}
    made = bundled(load(written(tmp_path / "talks", "", files)), "1.0", BundleOptions())
    assert [each for each in made.notices if 'the person "Zaphod" is named there' in each.message]


def hidden_of(annotators: Mapping[str, Annotator]) -> HiddenNames:
    """Return what is hidden of the example, were these its annotators, of whom gillian has a pseudonym."""
    campaign = as_in_bundle(load(GENE_RENAMING))
    privacy = campaign.privacy.model_copy(update={"annotators": "pseudonyms"})
    shown = campaign.model_copy(update={"annotators": annotators, "privacy": privacy})
    return hidden_names(shown, [], Pseudonyms({"gillian": "A01", "Tagtron": "A02"}))


def test_what_can_not_be_told_from_other_words_is_counted() -> None:
    people = ("Former", "bo", "123456", "A01", "agreement", "gillian")
    hidden = hidden_of(dict.fromkeys(people, Annotator()))
    assert [name for name, what in hidden.names.items() if what == "annotator"] == ["gillian"]
    (told,) = problems_of_exposure({"a.md": b"Former agreement bo A01 123456"}, hidden)
    assert told.message.startswith("5 names of people were not searched for in the bundle: 1 ")
    # A system that is declared by its name is meant to be named.
    tagger = Annotator(role="system", system="tagtron", release="gronk")
    hidden = hidden_of({"Tagtron": tagger, "gillian": Annotator()})
    assert [name for name, what in hidden.names.items() if what == "annotator"] == ["gillian"]
    assert not hidden.passed_over


def test_authors_are_meant_to_be_named_and_nothing_of_the_machine_is() -> None:
    hidden = HiddenNames(names={"anna": "annotator", "lovelace": "annotator"}, shown=("Anna Lovelace",))
    cited = b"family-names: Lovelace\ngiven-names: Anna\n"
    files = {"index.html": b"By Anna Lovelace (Lovelace, Anna).", "CITATION.cff": cited}
    assert list(problems_of_exposure(files, hidden)) == []
    (told,) = problems_of_exposure({"index.html": b"Anna Lovelace; anna disagrees"}, hidden)
    assert told.message == 'the annotator "anna" is named there.'
    hidden = HiddenNames({"/home/somebody": "home folder", "workstation7": "machine's name"})
    files = {"a.json": b'{"at": "/home/somebody/x"}', "b.md": b"on Workstation7", "c.md": b"/home/somebody2"}
    found = {each.file: each.message for each in problems_of_exposure(files, hidden)}
    assert found == {
        "a.json": 'the home folder "/home/somebody" is named there.',
        "b.md": 'the machine\'s name "workstation7" is named there.',
    }


UNREAD_FILES = ("2025-sick-leave-kurz.pdf", "complaint about ben.schulz.docx", "anna.meier-notes.txt")


@pytest.mark.parametrize("privacy", slow_but(["", 'annotators = "names"\n'], ""))
def test_files_that_were_not_read_are_told_and_named_in_no_file(tmp_path: Path, privacy: str) -> None:
    labels = "item,label\n" + "".join(f"i{n},{'no' if n % 3 else 'yes'}\n" for n in range(12))
    people = ("anna.meier", "ben.schulz", "cleo.kurz")
    export = {f"exports/1.0/{who}.csv": labels for who in people}
    beside = {f"exports/1.0/{name}": "x" for name in (*UNREAD_FILES, "README.md")}
    folder = written(tmp_path / "c", f"[privacy]\n{privacy}", export | beside)
    made = bundled(load(folder), "1.0", BundleOptions())
    (told,) = (str(each) for each in made.notices if "not read" in each.message)
    assert all(f'"exports/1.0/{name}"' in told for name in UNREAD_FILES)
    assert "README" not in told
    content = dict(made.files)
    if privacy:
        done = run("build", folder, "--out", tmp_path / "site")
        assert "not read: " in done.stderr
        content |= files(tmp_path / "site")
        # It is no reason to read the exports again, and told when they are.
        assert "not read" not in run("build", folder, "--out", tmp_path / "site").stderr
    for name, text in content.items():
        assert not re.search(rb"sick|complaint|notes\.txt|\.docx|\.pdf", text), name
    assert "Files of the export that were not read: 3." in made.files["report/report.md"].decode()


def test_e_mail_addresses_are_on_no_page_even_where_names_are_shown(tmp_path: Path) -> None:
    """Who has a name keeps it; who is called by an address has a pseudonym, in paths too."""
    rows = "".join(f"{item},{'yes' if item % 2 else 'no'},yes,no\n" for item in range(9))
    export = f"item,anna@uni.example,Ben,cleo@x.example.org\n{rows}"
    toml = '[privacy]\nannotators = "names"\n[annotators."anna@uni.example"]\nrole = "annotator"\n'
    folder = written(tmp_path / "mine", toml, {"exports/1.0/of-anna@uni.example.csv": export})
    reportgen.load(folder).build(tmp_path / "site")
    site = files(tmp_path / "site")
    assert not [name for name, text in site.items() if b"uni.example" in text or b"cleo@" in text]
    page = site["mine/1.0/index.html"].decode()
    assert {name for name in ("A01", "A02", "Ben") if name in page} == {"A01", "A02", "Ben"}


def test_who_is_called_by_an_e_mail_address_is_hidden() -> None:
    names = ("anna@uni.example", "Anna <a.b@c.de>", "Anna", "anna@home", "@anna")
    assert [Privacy(annotators="names").hides(name) for name in names] == [True, True, False, False, False]
    assert all(map(Privacy().hides, names))


RARE = "seen by Dr Quibble"
# How many units have which labels by the two.
CELLS = {("x", "x"): 20, ("y", "y"): 9, ("x", "y"): 4, ("y", RARE): 1, ("z", "z"): 30}


def export(cells: Mapping[tuple[str, str], int] = CELLS) -> str:
    rows = ["item,document,ann,bea"]
    for (first, second), units in cells.items():
        for _ in range(units):
            rows.append(f"u{len(rows)},d{len(rows) % 8},{first},{second}")
    return "\n".join((*rows, ""))


def of(folder: Path, toml: str = "") -> Bundled:
    campaign = written(folder / "renaming", toml, {"exports/1.0/e.csv": export()})
    return bundled(load(campaign), "1.0", BundleOptions())


def rows(bundle: Bundled, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(bundle.files[f"report/tables/{name}.csv"].decode())))


def test_a_label_on_one_unit_has_no_row_of_its_own_and_sums_do_not_give_it_back(tmp_path: Path) -> None:
    bundle = of(tmp_path)
    (pair,) = bundle.results.primary.pairs
    assert pair.withheld is not None
    assert RARE in pair.withheld.labels
    tables = {name.removeprefix("report/tables/") for name in bundle.files}
    # These are the table itself, or it can be worked out from them.
    assert not [
        name for name in tables if name.startswith(("confusion.", "conditional-", "distances.", "computed-"))
    ]
    specific = {row["category"]: row for row in rows(bundle, "specific-agreement.items")}
    shown = {name: (row["labels_A01"], row["labels_A02"]) for name, row in specific.items()}
    assert shown[RARE] == ("", "")
    assert [name for name, cells in shown.items() if cells == ("", "")] == list(pair.withheld.labels)
    assert len(pair.withheld.labels) > 1
    page = bundle.files["report/report.md"].decode()
    assert "Labels that one of the two gave fewer than 3 times are not shown one by one" in page
    matrix = next(line for line in page.splitlines() if line.startswith("| A01 \\"))
    assert RARE not in matrix
    assert f"{len(pair.withheld.labels)} labels (joined)" in matrix


@pytest.mark.slow
def test_the_owner_chooses_the_smallest_number_which_travels_in_the_bundle(tmp_path: Path) -> None:
    bundle = of(tmp_path, "[privacy]\nsmallest = 1\n")
    assert bundle.results.primary.pairs[0].withheld is None
    assert rows(bundle, "confusion.items")
    assert "smallest = 1" in bundle.files["campaign.toml"].decode()
    assert not [notice for notice in bundle.notices if RARE in str(notice)]


def test_rare_labels_are_shown_to_the_owner_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = written(tmp_path / "renaming", "", {"exports/1.0/e.csv": export()})
    shown: list[bool] = []
    monkeypatch.setattr(common, "tell", lambda notices: shown.append(RARE in " ".join(map(str, notices))))
    monkeypatch.setattr(bundle_files, "write_bundle", lambda *_: shown.append(False))
    run("bundle", campaign, "1.0", "--out", tmp_path / "b.zip")
    assert shown[:2] == [True, False]


@pytest.mark.slow
def test_a_bundle_with_withheld_cells_verifies_and_can_be_built(tmp_path: Path) -> None:
    campaign = written(tmp_path / "renaming", "", {"exports/1.0/e.csv": export()})
    assert run("bundle", campaign, "1.0", "--out", tmp_path / "e", "--with-exports").exit_code == 0
    assert run("verify", tmp_path / "e").exit_code == 0
    written_bundle = run("bundle", campaign, "1.0", "--out", tmp_path / "b")
    assert f'layer main: 1 label was given fewer than 3 times: "{RARE}" (1).' in written_bundle.stderr
    # Without exports no bundle can be checked in full.
    assert "nothing of what was checked differs" in run("verify", tmp_path / "b").output
    assert run("build", tmp_path / "b", "--out", tmp_path / "site").exit_code == 0
    found = json.loads((tmp_path / "site/b/1.0/results.json").read_text(encoding="utf-8"))
    assert RARE in found["unit_sets"][0]["pairs"][0]["withheld"]["labels"]


TWELVE_WORDS = "one two three four five six seven eight nine ten eleven twelve"
PLACES_OF_WORDS = [
    (TWELVE_WORDS.index(word), TWELVE_WORDS.index(word) + len(word)) for word in TWELVE_WORDS.split()
]


@pytest.mark.slow
def test_types_of_marks_that_somebody_made_seldom_have_no_rows(tmp_path: Path) -> None:
    kinds = ["A", "B", "C"] * 4
    marks = [(kind, *place) for kind, place in zip(kinds, PLACES_OF_WORDS, strict=True)]
    people = {
        "ann": {"d": marks},
        "bea": {"d": marks},
        "cyd": {"d": [*marks[:9], ("D", *PLACES_OF_WORDS[9])]},
    }
    files = {f"exports/1.0/{name}": text for name, text in marked({"d": TWELVE_WORDS}, people).items()}
    campaign = load(written(tmp_path / "marks", "", files))
    shown = {
        (row["first"], row["second"], row["type"])
        for row in rows(bundled(campaign, "1.0", BundleOptions()), "spans")
    }
    assert ("A01", "A02", "C") in shown
    assert not [types for types in shown if types[2] == "D"]
    # D alone would follow from all types together.
    assert len([types for types in shown if types[:2] == ("A01", "A03")]) < 1 + 3


MEETING = "Marie and Pierre met Irène in Paris"
TEXTS = {"minutes-x1": MEETING, "letter.1": f"Yesterday {MEETING}", "memo-x2": MEETING.upper()}
PLACES = ((0, 5), (10, 16), (21, 26), (30, 35))
HIDDEN = '[privacy]\ndocuments = "pseudonyms"\n'
UNITS = '[[unit_sets]]\nid = "tokens"\nunits = "tokens"\n[task]\nnon_annotated = "none"\n'
VERSIONS = "".join(f'[[guidelines]]\nversion = "{each}"\n' for each in ("1.0", "2.0"))
# What tells where figures come from, and which adjudication sheet can be filled in.
NOT_FIGURES = ("settings", "adjudication")


def two_versions(folder: Path, toml: str) -> Path:
    """Write two versions; the second has a document more, which comes first by name."""
    for version in ("1.0", "2.0"):
        texts = TEXTS if version == "1.0" else {**TEXTS, "account-x3": MEETING}
        marks = {
            who: {
                name: [
                    ("AB"[(at + place) % 2 * (version == "1.0")], *span)
                    for place, span in enumerate(PLACES)
                    if (place + at + number) % 4
                ]
                for number, name in enumerate(texts)
            }
            for at, who in enumerate(("ann", "ben", "cleo"))
        }
        on_disk(folder / "exports" / version, marked(texts, marks))
    return on_disk(folder, {"campaign.toml": f'title = "T"\n{toml}{UNITS}{VERSIONS}'})


def table(folder: Path, toml: str) -> Path:
    """Write two versions of a table with names for documents and units."""
    for version, letters in (("1.0", "wxyz"), ("2.0", "avwxyz")):
        rows = [
            f"{each}x9,{each}y-{unit},{'ab'[ord(each) % 2]},{'ab'[unit % 2]},{'ab'[unit // 2]}"
            for each in letters
            for unit in range(4)
        ]
        table = "\n".join(["document,unit,ann,ben,cleo", *rows])
        on_disk(folder, {f"exports/{version}/sheet.csv": table})
    return on_disk(folder, {"campaign.toml": f'title = "T"\n{toml}{VERSIONS}'})


@pytest.mark.slow
@pytest.mark.parametrize("write", slow_but([two_versions, table], two_versions))
def test_no_figure_hangs_on_what_documents_are_called(tmp_path: Path, write: Any) -> None:  # noqa: ANN401
    shown, _ = figures(write(tmp_path / "shown" / "c", ""))
    hidden, names = figures(write(tmp_path / "hidden" / "c", HIDDEN))
    assert names.documents
    assert [_renamed(each, names) for each in shown] == hidden


def test_a_later_version_changes_no_earlier_number(tmp_path: Path) -> None:
    campaign = load(two_versions(tmp_path / "c", HIDDEN))
    first, second = names_by_version(campaign, read_campaign(campaign)).values()
    assert first.documents == {"letter.1": "D0001", "memo-x2": "D0002", "minutes-x1": "D0003"}
    assert second.documents == {**first.documents, "account-x3": "D0004"}


@pytest.mark.slow
def test_the_site_calls_documents_by_their_pseudonyms_alone(tmp_path: Path) -> None:
    build_site([two_versions(tmp_path / "c", HIDDEN)], tmp_path / "site")
    files = [each for each in (tmp_path / "site").rglob("*") if each.is_file()]
    assert (tmp_path / "site" / "c" / "2.0" / "documents" / "D0004.html").is_file()
    for file in files:
        said = str(file.relative_to(tmp_path)) + file.read_text(encoding="utf-8")
        assert [name for name in ("letter.1", "memo-x2", "minutes-x1", "account-x3") if name in said] == [], (
            file
        )


def test_the_paths_of_guidelines_name_nobody(tmp_path: Path) -> None:
    folder = two_versions(tmp_path / "c", HIDDEN)
    toml = (folder / "campaign.toml").read_text(encoding="utf-8")
    for version in ("1.0", "2.0"):
        (folder / f"{version} for cleo, of letter.1.md").write_text("# All\n", encoding="utf-8")
        named = f'version = "{version}"\n'
        toml = toml.replace(named, f'{named}document = "{version} for cleo, of letter.1.md"\n')
    (folder / "campaign.toml").write_text(toml, encoding="utf-8")
    results, _, compared, *_ = figures(folder)[0]
    assert results["revision"]["document"] == "1.0 for A03, of D0001.md"
    assert compared["guidelines"]["second"] == "2.0 for A03, of D0001.md"


def figures(folder: Path) -> tuple[list[Any], Pseudonyms]:
    """Return the results of both versions and their comparison, without what says where they come from."""
    campaign = load(folder)
    reads = read_campaign(campaign)
    first, second = names_by_version(campaign, reads).values()
    reports = [compute(campaign, *each) for each in zip(reads, (first, second), strict=True)]
    compared = compare_versions(campaign, reads[0], reads[1], first | second)
    assert compared.changed is not None
    found = [
        json.loads(dumps(each))
        for each in (*(one.results for one in reports), compared.comparison, compared.changed)
    ]
    kept = [{name: value for name, value in each.items() if name not in NOT_FIGURES} for each in found]
    return [*kept, *(dict(each.beside) for each in reports)], first | second


def _renamed(value: Any, names: Pseudonyms) -> Any:  # noqa: ANN401 - JSON is anything
    if isinstance(value, dict):
        return {
            names.in_path(name): _renamed(each, names)
            for name, each in value.items()
            if name != "tables/adjudication.csv"
        }
    if isinstance(value, list):
        return [_renamed(each, names) for each in value]
    return names.in_path(names.unit(value)) if isinstance(value, str) else value
