"""A release stays what it was, and what its bundle says for cards, citations and archives is true."""

import hashlib
import json
import re
import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path
from threading import Thread

import markdown_it
import pytest
import yaml

from reportgen.base.errors import BadInput
from reportgen.base.files import as_csv
from reportgen.campaign import load
from reportgen.campaign.toml_tables import export_files
from reportgen.pipeline.build import build_site
from reportgen.pipeline.releases import different_labels, document_labels, releasing
from reportgen.publish import metadata, sentences
from reportgen.publish.bundle import with_metadata
from reportgen.publish.bundle_files import (
    CARD,
    CITATION,
    CRATE,
    CROISSANT,
    METHODS,
    PARAGRAPH,
    README,
    RESULTS,
    Released,
)
from reportgen.report import linked_data
from reportgen.results import Author, Results
from reportgen.units import Pseudonyms, pseudonyms_csv, read_pseudonyms
from reportgen.units.pseudonyms import keep_table, pseudonyms
from reportgen.words.language import Edition, writing
from tests.campaigns import marked, written
from tests.commands import append, edit, files, not_root, run, run_alone
from tests.publish import releases
from tests.test_incremental import ratings, write

TOML = """\
title = "Votes"
[[guidelines]]
version = "1.0"
date = 2016-01-01
released = 2026-11-20
"""
RATINGS = "exports/1.0/ratings.csv"
TABLE, RECORD = "pseudonyms.csv", "released-1.0.json"
# What `verify` returns where nothing differs and the exports, which it would take, are not attached.
UNCHECKED = 3


@pytest.fixture
def campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write(tmp_path / "campaigns/votes", TOML, {"1.0": ratings(("ben", "zoe"))})


def bundle(*more: str, out: str = "old.zip") -> str:
    done = run("bundle", "campaigns/votes", "1.0", "--out", out, *more)
    assert done.exit_code == 0, done.output
    return out


def inside(archive: str, name: str) -> str:
    with zipfile.ZipFile(archive) as file:
        return file.read(name).decode()


def annotators(campaign: Path) -> dict[str, str]:
    return read_pseudonyms((campaign / TABLE).read_text(encoding="utf-8"), TABLE).annotators


# Pseudonyms, once given, are kept.


@pytest.mark.slow
def test_whoever_comes_late_moves_nobody(campaign: Path) -> None:
    done = run("build")
    assert "Written: campaigns/votes/pseudonyms.csv" in done.stdout
    before = annotators(campaign)
    assert before == {"ben": "A01", "zoe": "A02"}
    counts = Path("site/votes/1.0/counts/annotators.csv").read_text(encoding="utf-8").splitlines()
    append(campaign / RATINGS, "d0,u0,aaron,yes\nd0,u1,aaron,yes\n")
    done = run("build")
    assert annotators(campaign) == {**before, "aaron": "A03"}
    now = Path("site/votes/1.0/counts/annotators.csv").read_text(encoding="utf-8").splitlines()
    assert [row for row in now if ",A03," not in row] == counts
    # Who is in nobody's export any more keeps the pseudonym, and nobody else gets it.
    (campaign / RATINGS).write_text(ratings(("aaron", "carl")), encoding="utf-8")
    run("build")
    assert annotators(campaign) == {**before, "aaron": "A03", "carl": "A04"}
    assert "pseudonyms.csv" not in run("build").output


def table(**people: str) -> bytes:
    return pseudonyms_csv(Pseudonyms(people)).encode()


BEN, BOTH = {"ben": "A01"}, {"ben": "A01", "zoe": "A02"}


@pytest.mark.parametrize(
    ("there", "ours", "kept"),
    [
        ({}, BEN, BEN),
        (BEN, BOTH, BOTH),
        ({"ben": "A01", "mia": "A03"}, BOTH, {**BOTH, "mia": "A03"}),
        ({"zoe": "A01"}, BEN, None),
        ({"ben": "A02"}, BEN, None),
    ],
)
def test_what_another_command_added_to_the_table_stays_or_this_one_ends(
    campaign: Path, there: dict[str, str], ours: dict[str, str], kept: dict[str, str] | None
) -> None:
    (campaign / TABLE).write_bytes(table(**there))
    if kept is None:
        with pytest.raises(
            BadInput, match=r"gave somebody else a pseudonym given here\. Run this command again"
        ):
            list(keep_table(load(campaign), table(**ours)))
        assert (campaign / TABLE).read_bytes() == table(**there)
    else:
        assert list(keep_table(load(campaign), table(**ours))) == []
        assert annotators(campaign) == kept
        assert list(annotators(campaign).values()) == sorted(kept.values())


@pytest.mark.slow
def test_a_site_is_not_written_where_somebody_got_the_same_number_meanwhile(campaign: Path) -> None:
    def another(step: str) -> None:
        if step.endswith("writing pages"):
            (campaign / TABLE).write_bytes(table(mia="A01"))

    with pytest.raises(BadInput, match=r"Run this command again"):
        build_site([campaign], Path("site"), another)
    assert not Path("site").exists()
    build_site([campaign], Path("site"))
    assert annotators(campaign) == {"mia": "A01", "ben": "A02", "zoe": "A03"}


@pytest.mark.slow
def test_of_two_bundles_of_a_version_at_once_the_second_knows_the_first(campaign: Path) -> None:
    said: list[str] = []
    command = ("bundle", "campaigns/votes", "1.0", "--out", "two.zip")
    second = Thread(target=lambda: said.append(run_alone(*command, cwd=Path.cwd()).stderr))
    with releasing(load(campaign), "1.0"):
        second.start()
        bundle(out="one.zip")
        edit(campaign / RATINGS, "d0,u1,ben,yes", "d0,u1,ben,no")
    second.join(60)
    assert "was released on 2026-11-20, and is another one now" in said[0]
    assert "nothing was written" in said[0]
    assert not Path("two.zip").exists()


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            TABLE,
            "kind,name,pseudonym\n<<<<<<< HEAD\n",
            "pseudonyms.csv:2: a row of kind, name, pseudonym was",
        ),
        (RECORD, '{"version": "1.0"}', "released-1.0.json: is not a record of a release, or was changed."),
    ],
)
def test_a_wrong_file_is_refused_and_stays(campaign: Path, name: str, text: str, said: str) -> None:
    (campaign / name).write_text(text, encoding="utf-8")
    for command in (("build",), ("bundle", "campaigns/votes", "1.0", "--out", "b.zip")):
        done = run(*command)
        assert done.exit_code == 2
        assert said in done.stderr
    assert not Path("site").exists()
    assert (campaign / name).read_text(encoding="utf-8") == text


def test_its_loss_is_told_and_refused_where_a_bundle_has_pseudonyms(campaign: Path) -> None:
    run("build")
    (campaign / TABLE).unlink()
    done = run("build")
    assert done.exit_code == 0
    assert "campaigns/votes/pseudonyms.csv: is not there, though the site has pseudonyms" in done.stderr
    assert "is not there" not in run("build").stderr
    bundle()
    (campaign / TABLE).unlink()
    shutil.rmtree("site")
    for command in (("build",), ("bundle", "campaigns/votes", "1.0", "--out", "b.zip")):
        done = run(*command)
        assert done.exit_code == 2
        assert "has no row for A01 and 7 more, whom the released" in done.stderr
    assert not Path("site").exists()


@pytest.mark.slow
def test_a_folder_that_is_closed_is_told_of(anybodys: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(anybodys)
    campaign = write(anybodys / "campaigns/votes", TOML, {"1.0": ratings(("ben", "zoe"))})
    campaign.chmod(0o555)
    for _ in range(2):
        with not_root():
            done = run("build", campaign, "--out", "site")
        assert done.exit_code == 0
        assert "pseudonyms.csv: can't be written: permission denied" in done.stderr
        assert "Who is called what is not kept" in done.stderr
        assert Path("site/votes/1.0/results.json").is_file()
    with not_root():
        done = run("bundle", campaign, "1.0", "--out", "old.zip")
    assert done.exit_code == 0
    assert "released-1.0.json: can't be written: permission denied" in done.stderr
    assert "nothing records it" in done.stderr
    assert not {TABLE, RECORD} & set(files(campaign))


@pytest.mark.slow
def test_what_is_kept_is_published_nowhere_and_is_no_export(campaign: Path) -> None:
    (campaign / "campaign.toml").write_text(f'{TOML}exports = "*.csv"\n', encoding="utf-8")
    (campaign / RATINGS).rename(campaign / "ratings.csv")
    run("build")
    bundle("--with-exports")
    assert {TABLE, RECORD} <= set(files(campaign))
    assert [file.name for file in export_files(campaign, ["*.csv"])] == ["ratings.csv"]
    assert {TABLE, RECORD}.isdisjoint(file.name for file in export_files(campaign, ["."]))
    assert not [name for name in files(Path("site")) if TABLE in name or RECORD in name]
    assert b"zoe" not in b"".join(files(Path("site")).values())
    with zipfile.ZipFile("old.zip") as archive:
        kept = [name for name in archive.namelist() if TABLE in name or RECORD in name]
    assert kept == [f"exports/{TABLE}"]


# A released version that changes is news.


@pytest.fixture
def released(campaign: Path) -> Path:
    """A campaign of which a bundle is out, and one label was edited since."""
    run("build")
    bundle()
    edit(campaign / RATINGS, "d1,u5,zoe,yes", "d1,u5,zoe,no")
    return campaign


DIFFERS = 'at least 1 label differs in 1 document ("d1"); Krippendorff\'s alpha was 0.674 and is 0.591'


@pytest.mark.slow
def test_a_bundle_leaves_a_record_and_what_is_as_it_was_is_not_told(campaign: Path) -> None:
    bundle()
    record = json.loads((campaign / RECORD).read_bytes())
    assert record["released"] == "2026-11-20"
    assert record["sha256"] == hashlib.sha256(Path("old.zip").read_bytes()).hexdigest()
    assert b"zoe" not in (campaign / RECORD).read_bytes()
    assert "released" not in run("build").stderr
    again = files(campaign)
    bundle(out="new.zip")
    assert files(campaign) == again
    assert Path("new.zip").read_bytes() == Path("old.zip").read_bytes()
    page = Path("site/votes/index.html").read_text(encoding="utf-8")
    assert "Nothing has changed since." in page


@pytest.mark.slow
def test_build_and_check_say_what_is_not_as_it_was_released(released: Path) -> None:
    append(released / "campaign.toml", "[gate]\nkrippendorff_alpha = { value = 0.1 }\n")
    # As often as it is built, whatever was taken over.
    for _ in range(2):
        done = run("build")
        assert done.exit_code == 0
        assert f"version 1.0 was released on 2026-11-20, and is another one now: {DIFFERS}." in done.stderr
    done = run("check")
    assert done.exit_code == 0
    assert DIFFERS in done.stderr
    assert DIFFERS in json.loads(run("check", "--json").stdout)["campaigns"][0]["released"][0]


@pytest.mark.slow
def test_page_and_feed_have_it_under_the_names_of_the_site(released: Path) -> None:
    def shown(after: str) -> tuple[str, list[str]]:
        append(released / "campaign.toml", after)
        run("build")
        page, feed = (
            Path("site/votes", name).read_text(encoding="utf-8") for name in ("index.html", "feed.xml")
        )
        return page, re.findall("<id>(.*)</id>", feed)

    page, first = shown("")
    assert "Since then at least 1 label has changed. They are of 1 document: d1." in page
    assert "alpha was 0.674, and is 0.591." in page
    edit(released / RATINGS, "d2,u8,zoe,yes", "d2,u8,zoe,no")
    page, second = shown('[privacy]\ndocuments = "pseudonyms"\n')
    assert "They are of 2 documents: D0002 and D0003." in page
    assert (first[:-1] == second[:-1], first[-1] == second[-1]) == (True, False)
    assert run("verify", "site").exit_code == UNCHECKED


@pytest.mark.slow
def test_a_bundle_is_not_written_again_without_a_reason_that_travels_in_it(released: Path) -> None:
    before, old = files(released), Path("old.zip").read_bytes()
    done = run("bundle", "campaigns/votes", "1.0", "--out", "old.zip")
    assert done.exit_code == 2
    assert (
        f"campaigns/votes 1.0: was released on 2026-11-20, and is another one now: {DIFFERS}." in done.stderr
    )
    assert "--again REASON" in done.stderr
    assert (files(released), Path("old.zip").read_bytes()) == (before, old)
    bundle("--again", "A label of d1 was mistyped.", out="new.zip")
    for name in ("README.md", "campaign.toml", "report/results.json"):
        assert "A label of d1 was mistyped." in inside("new.zip", name)
    assert run("verify", "new.zip").exit_code == UNCHECKED
    assert json.loads((released / RECORD).read_bytes())["again"] == ["A label of d1 was mistyped."]
    run("build")
    page = Path("site/votes/index.html").read_text(encoding="utf-8")
    assert "Why they were released again: A label of d1 was mistyped. Nothing has changed since." in page
    # With other attachments it is the same release, which still says why; and all of it verifies.
    bundle("--with-exports", "--with-texts", out="whole.zip")
    assert "A label of d1 was mistyped." in inside("whole.zip", "README.md")
    assert run("verify", "whole.zip").exit_code == 0


@pytest.mark.slow
def test_who_withdraws_leaves_a_number_without_a_name_and_a_sentence(campaign: Path) -> None:
    """Zoe had the highest number: whoever comes next gets the one behind, and a change is told beside."""
    (campaign / RATINGS).write_text(ratings(("ben", "cy", "zoe")), encoding="utf-8")
    bundle()
    assert annotators(campaign)["zoe"] == "A03"
    edit(campaign / TABLE, '"zoe"', '""')
    (campaign / RATINGS).write_text(ratings(("ben", "cy", "eve")), encoding="utf-8")
    done = run("build")
    assert "the labels of 1 annotator were taken out; " in done.stderr
    assert "If somebody withdrew, release it again: bundle --again REASON (docs/privacy.md)." in done.stderr
    assert annotators(campaign)["eve"] == "A04"
    assert '"annotator","","A03"' in (campaign / TABLE).read_text(encoding="utf-8")
    assert "Since then all labels of 1 annotator were taken out." in Path("site/votes/index.html").read_text(
        encoding="utf-8"
    )
    bundle("--again", "Somebody withdrew.", out="new.zip")
    assert json.loads((campaign / RECORD).read_bytes())["withdrawn"] == 1
    with zipfile.ZipFile("new.zip") as archive:
        bundled = b"".join(map(archive.read, archive.namelist()))
    assert b"zoe" not in b"".join([*files(campaign).values(), *files(Path("site")).values(), bundled])
    assert "taken out" not in run("build").stderr
    bundle(out="again.zip")
    assert json.loads((campaign / RECORD).read_bytes())["withdrawn"] == 1


def test_a_retired_number_is_a_row_without_a_name_as_often_as_there_are() -> None:
    rows = [
        ("annotator", "ben", "A01"),
        ("annotator", "", "A02"),
        ("annotator", "", "A03"),
        ("document", "", "D0001"),
    ]
    text = as_csv((("kind", "name", "pseudonym"), *rows), quote_all=True)
    names = read_pseudonyms(text, TABLE)
    assert pseudonyms_csv(names) == text
    assert pseudonyms([["ben", "eve"]], kept=names.annotators)["eve"] == "A04"
    with pytest.raises(BadInput, match='"A02" is given to'):
        read_pseudonyms(text + '"annotator","dora","A02"\n', TABLE)
    with pytest.raises(BadInput, match='"B7" is not a pseudonym'):
        read_pseudonyms(text + '"annotator","","B7"\n', TABLE)


HEAD = "layer,unit_set,document,annotator,label,n\n"
PAIRS = "layer,unit_set,document,first,second,first_label,second_label,n\n"


def crowd(*rows: str) -> dict[str, str]:
    head = "layer,unit_set,document,annotator,labels\n"
    return {"annotators.csv": head + "".join(f"{row}\n" for row in rows)}


def counts(*rows: str, pairs: str = "") -> dict[str, str]:
    return {"annotators.csv": HEAD + "".join(f"{row}\n" for row in rows), "pairs.csv": PAIRS + pairs}


ONE, TWO, PAIR = "m,u,d,A,x,1", "m,u,d,A,x,2", "m,u,d,A,B,x,{},1\n"


@pytest.mark.parametrize(
    ("before", "after", "to_the_last", "changed"),
    [
        (counts(TWO), counts(TWO), True, {}),
        (counts(TWO), counts(ONE, "m,u,d,A,y,1"), True, {"d": 1}),
        (counts(TWO), counts("m,u,d,A,x,5"), True, {"d": 3}),
        (counts(TWO, "m,u,e,A,x,1"), counts("m,u,e,A,x,1"), False, {"d": 2}),
        # Of two unit sets of a layer the one that shows most, of two layers both, of two annotators both.
        (counts(TWO, "m,v,d,A,x,2"), counts("m,u,d,A,y,2", "m,v,d,A,x,2"), True, {"d": 2}),
        (counts(ONE, "k,u,d,A,x,1"), counts("m,u,d,A,y,1", "k,u,d,A,y,1"), True, {"d": 2}),
        (counts(ONE, "m,u,d,B,y,1"), counts("m,u,d,A,y,1", "m,u,d,B,x,1"), True, {"d": 2}),
        # Of a large crowd there is a row for each annotator.
        (crowd("m,u,,A,2 0", ",,,B,0 1"), crowd("m,u,,A,1 1", ",,,B,1 0"), True, {"": 2}),
        # Labels that changed places show in pairs, which the same program alone counts alike.
        (counts(TWO, pairs=PAIR.format("x")), counts(TWO, pairs=PAIR.format("y")), True, {"d": 1}),
        (counts(TWO, pairs=PAIR.format("x")), counts(TWO, pairs=PAIR.format("y")), False, {}),
    ],
)
def test_how_many_labels_differ_at_least(
    before: dict[str, str], after: dict[str, str], *, to_the_last: bool, changed: dict[str, int]
) -> None:
    sides = document_labels(before), document_labels(after)
    assert different_labels(*sides, to_the_last=to_the_last) == changed
    assert different_labels(*reversed(sides), to_the_last=to_the_last) == changed


def test_labels_of_who_is_gone_are_no_change_of_others() -> None:
    """Of a second unit set, in which fewer units are left without them, the least change counts."""
    before = document_labels(counts(TWO, "m,u,d,B,x,2", "m,v,d,A,x,2", "m,v,d,A,none,1", "m,v,d,B,x,3"))
    same = document_labels(counts(TWO, "m,v,d,A,x,2"))
    assert different_labels(before, same, to_the_last=True) == {}
    other = document_labels(counts(ONE, "m,u,d,A,y,1", "m,v,d,A,x,1", "m,v,d,A,y,1"))
    assert different_labels(before, other, to_the_last=True) == {"d": 1}


# A release has a date of its own.


@pytest.mark.slow
@pytest.mark.usefixtures("campaign")
def test_all_files_of_a_release_have_its_own_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1900000000")
    bundle()
    assert yaml.safe_load(inside("old.zip", "CITATION.cff"))["date-released"] == "2030-03-17"
    assert "year = {2030}" in inside("old.zip", "report/latex/references.bib")
    assert '"datePublished":"2030-03-17"' in inside("old.zip", "report/index.html")
    assert json.loads(inside("old.zip", "croissant.json"))["datePublished"] == "2030-03-17"
    assert json.loads(inside("old.zip", "report/results.json"))["revision"]["date"] == "2016-01-01"
    assert run("verify", "old.zip").exit_code == UNCHECKED
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert run("verify", "old.zip").exit_code == UNCHECKED
    bundle(out="declared.zip")
    assert yaml.safe_load(inside("declared.zip", "CITATION.cff"))["date-released"] == "2026-11-20"
    assert "year = {2026}" in inside("declared.zip", "report/latex/references.bib")


def test_a_release_without_a_date_goes_without_and_is_told_how_to_say_it(campaign: Path) -> None:
    (campaign / "campaign.toml").write_text(TOML.replace("released = 2026-11-20\n", ""), encoding="utf-8")
    done = run("bundle", "campaigns/votes", "1.0", "--out", "old.zip")
    assert "campaign.toml: guidelines.1.released: there is none" in done.stderr
    assert "date-released" not in yaml.safe_load(inside("old.zip", "CITATION.cff"))
    assert "year" not in inside("old.zip", "report/latex/references.bib").partition("@article")[0]
    assert run("verify", "old.zip").exit_code == UNCHECKED


Files = Mapping[str, bytes]


@pytest.fixture(scope="module")
def genes() -> Files:
    """The files of a release of two annotators without documents."""
    return with_metadata(releases.example()).files


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The bundle of marks in texts, with a reference and a signed author."""
    texts = {f"d{number}": f"The gene ab{number} was renamed cd{number}." for number in range(4)}
    whole = {name: [("Former", 9, 12), ("New", 25, 28)] for name in texts}
    less = {name: marks[: 1 + place % 2] for place, (name, marks) in enumerate(whole.items())}
    files = marked(texts, {"Ann": whole, "Bob": less, "Gold": whole})
    toml = (
        '[corpus]\nname = "Notes"\nlicence = "CC-BY-4.0"\n[[authors]]\nname = "Ada Lovelace"\n'
        '[task]\nnon_annotated = "None"\n[annotators.Gold]\nrole = "reference"\n'
        '[[unit_sets]]\nid = "tokens"\nunits = "tokens"'
    )
    folder = tmp_path_factory.mktemp("notes") / "notes"
    written(folder, toml, {f"exports/1.0/{name}": text for name, text in files.items()})
    return with_metadata(releases.released(folder)).files


@pytest.fixture(scope="module")
def attacked() -> Files:
    """The files of a release of a campaign every text of which is an attack."""
    return with_metadata(releases.attacked("long")).files


@pytest.fixture(params=["genes", "notes", "attacked"])
def files_of_release(request: pytest.FixtureRequest) -> Files:
    """Each of the three."""
    found: Files = request.getfixturevalue(request.param)
    return found


def results_of(files: Files) -> Results:
    return Results.model_validate_json(files[RESULTS])


def release_of(files: Files, results: Results) -> Released:
    return Released(results, ("en",), "2026-05-18", files)


def without(results: Results, **parts: object) -> Results:
    return results.model_copy(update=parts)


def with_layers(results: Results, number: int) -> Results:
    """Return results whose primary unit set stands in so many layers."""
    layers = [f"l{place}" for place in range(number)]
    sets = [results.primary.model_copy(update={"layer": each}) for each in layers]
    return without(
        results, unit_sets=tuple(sets), coefficients=dict.fromkeys(layers, results.coefficient), spans=None
    )


# The paragraph


def test_the_paragraph_is_one_line_of_whole_sentences_within_a_thousand_characters(
    files_of_release: Files,
) -> None:
    text = files_of_release[PARAGRAPH].decode()
    assert len(text) <= 1000
    assert text.count("\n") == 1
    assert text.endswith("report/results.json.\n")
    assert all(char.isprintable() for char in text.rstrip("\n"))


@pytest.mark.parametrize("most", [120, 200, 300, 400, 999])
def test_a_shorter_paragraph_leaves_out_whole_sentences(genes: Files, most: int) -> None:
    results = results_of(genes)
    whole, short = sentences.paragraph(results), sentences.paragraph(results, most)
    assert "2 annotators labelled 19,054 units (tokens) with 3 categories (Former, New, Rien)." in whole
    assert "Specific agreement is lowest for Former (193 labels): 0.736" in whole
    assert len(short) <= most
    assert all(sentence in whole for sentence in short.split(". "))
    assert "Cohen's kappa is 0.801" in short or most < 300
    long = results.campaign.model_copy(update={"title": "x" * 5000})
    assert "xxx" not in sentences.paragraph(without(results, campaign=long))


@pytest.mark.parametrize("most", range(100, 1001, 100))
def test_of_many_layers_figures_come_before_details(notes: Files, most: int) -> None:
    short = sentences.paragraph(with_layers(results_of(notes), 9), most)
    assert len(short) <= most
    figures = re.findall(r"Layer (l\d): Krippendorff's alpha is", short)
    assert figures == [f"l{number}" for number in range(len(figures))]
    assert len(figures) == 9 or "Specific agreement" not in short
    assert most < 1000 or len(figures) == 9


def test_files_are_english_whatever_is_written_around_them(genes: Files) -> None:
    with writing(Edition("fr")):
        again = release_of(genes, results_of(genes))
        assert sentences.write(again).encode() == genes[PARAGRAPH]
        assert metadata.dataset_card(again).encode() == genes[CARD]


# Methods


def test_methods_are_the_sentences_of_the_report(genes: Files, attacked: Files) -> None:
    text = genes[METHODS].decode()
    assert "Cohen's kappa computes chance agreement from each annotator's own distribution." in text
    assert "doi:10.1177/001316446002000104" in text
    assert "](" not in text
    shown = markdown_it.MarkdownIt("commonmark").render(attacked[METHODS].decode())
    assert not re.search(r"<(?!/?(p|h1|h2|ul|li|strong|em|code|br)\b)", shown)


# The card


def test_hugging_face_reads_the_card_and_writes_it_as_it_is(files_of_release: Files) -> None:
    from huggingface_hub import DatasetCard

    text = files_of_release[CARD].decode()
    read = DatasetCard(text)
    assert read.data.get("tags") == ["inter-annotator-agreement"]
    assert read.content.endswith(read.text)
    assert text.endswith(read.text)


def test_no_text_of_a_campaign_closes_a_block_or_runs(attacked: Files) -> None:
    text = attacked[CARD].decode()
    for block in metadata.SECTIONS:
        inside = text.partition(f"<!-- {block}:begin -->")[2].partition(f"<!-- {block}:end -->")[0]
        shown = markdown_it.MarkdownIt("gfm-like", {"linkify": False}).render(inside)
        assert not re.search(
            r"<(?!/?(p|table|thead|tbody|tr|th|td|strong|em|code|br|a)\b|!-- agreement)", shown
        )
        assert not re.findall(r'href="(?!report/index\.html")[^"]*"', shown)


# The citation


def test_the_citation_names_the_campaign_and_its_authors(files_of_release: Files) -> None:
    campaign, content = results_of(files_of_release).campaign, yaml.safe_load(files_of_release[CITATION])
    assert content["title"].startswith(campaign.title)
    if not campaign.authors:
        assert content["authors"] == [{"name": campaign.title}]


def test_files_agree_on_title_date_version_licence_and_doi(tmp_path: Path) -> None:
    toml = (
        '[corpus]\nname = "Notes"\nversion = "2.1"\nlicence = "cc by 4.0"\n'
        'url = "https://example.org/notes"\ndoi = "10.1234/notes"\n'
        '[[unit_sets]]\nid = "all"\nunits = "items"\n'
    )
    folder = written(tmp_path / "notes", toml, {"exports/1.0/a.csv": "unit,Ann,Bob\n1,a,a\n2,b,a\n3,b,b\n"})
    files = with_metadata(releases.released(folder)).files
    cited, described = yaml.safe_load(files[CITATION]), json.loads(files[CROISSANT])
    root = next(each for each in json.loads(files[CRATE])["@graph"] if each["@id"] == "./")
    assert cited["title"] == described["name"] == root["name"]
    assert cited["version"] == root["version"] == "1.0"
    assert cited["license"] == "CC-BY-4.0"
    assert described["license"] == root["license"]["@id"]
    assert cited["references"][0]["doi"] == "10.1234/notes"
    assert described["sameAs"] == "https://doi.org/10.1234/notes"
    assert "The corpus: Notes, version 2.1, doi:10.1234/notes, " in files[README].decode()


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Ada Lovelace", {"given-names": "Ada", "family-names": "Lovelace"}),
        ("Beethoven, Ludwig van", {"given-names": "Ludwig van", "family-names": "Beethoven"}),
        (
            "Ludwig van Beethoven",
            {"given-names": "Ludwig", "name-particle": "van", "family-names": "Beethoven"},
        ),
        ("INIST-CNRS", {"name": "INIST-CNRS"}),
        ("The Quaero project", {"name": "The Quaero project"}),
        ("Ann and Bob", {"name": "Ann and Bob"}),
        ("a, b, c", {"name": "a, b, c"}),
    ],
)
def test_authors_are_people_as_bibtex_reads_names(name: str, parts: dict[str, str]) -> None:
    assert metadata.author(Author(name=name)) == parts


@pytest.mark.parametrize(
    ("author", "kind"),
    [
        (Author(name="Ada Lovelace"), "Person"),
        (Author(name="The Quaero project"), "Organization"),
        (Author(name="INIST-CNRS"), "Organization"),
        (Author(name="Bob", affiliation="Institute"), "Person"),
        (Author(name="Eve", orcid="0000-0002-1825-0097"), "Person"),
    ],
)
def test_who_signs_is_a_person_or_a_group_in_every_file(genes: Files, author: Author, kind: str) -> None:
    results = results_of(genes)
    signed = without(results, campaign=results.campaign.model_copy(update={"authors": (author,)}))
    (creator,) = json.loads(metadata.croissant(release_of({}, signed)))["creator"]
    (in_crate,) = metadata.people([author])
    assert creator["@type"] == f"sc:{kind}"
    assert in_crate["@type"] == linked_data.report(signed, alone=True)["author"]["@type"] == kind


# Croissant


def test_files_of_the_dataset_have_their_checksums_and_sizes(files_of_release: Files) -> None:
    for node in json.loads(files_of_release[CROISSANT])["distribution"]:
        content = files_of_release[node["contentUrl"]]
        assert node["sha256"] == hashlib.sha256(content).hexdigest()
        assert node["contentSize"] == f"{len(content)} B"


def test_columns_of_the_dataset_are_those_of_the_tables(files_of_release: Files) -> None:
    for records in json.loads(files_of_release[CROISSANT])["recordSet"]:
        sources = [field["source"] for field in records["field"]]
        (name,) = {source["fileObject"]["@id"] for source in sources}
        first = files_of_release[name].decode().partition("\n")[0].rstrip("\r")
        head = list(json.loads(first)) if name.endswith(".jsonl") else first.split(",")
        assert [source["extract"]["column"] for source in sources] == head


def test_nothing_but_known_names_of_the_vocabulary_is_written_and_each_is_signed(
    files_of_release: Files,
) -> None:
    from mlcroissant._src.core import constants

    known = {str(value) for name, value in vars(constants).items() if name.startswith("ML_COMMONS_RAI_")}
    assert {name.replace("rai:", metadata.VOCABULARY) for name in metadata.QUESTIONS} <= known
    content, results = json.loads(files_of_release[CROISSANT]), results_of(files_of_release)
    written = {key for key in content if key.startswith("rai:")}
    assert written <= metadata.QUESTIONS.keys()
    assert {"rai:dataAnnotationProtocol", "rai:dataAnnotationAnalysis", "rai:annotationsPerItem"} <= written
    for key in written:
        assert isinstance(content[key], str) == (key in metadata.ONE)
        whose = f" [agreement report {results.campaign.id} {results.guidelines}]"
        statements = [content[key]] if isinstance(content[key], str) else content[key]
        assert all(each.endswith(whose) for each in statements)
    assert content["conformsTo"] == list(metadata.CROISSANT_CONFORMS)


def test_agreement_stands_as_numbers_on_the_field_of_labels(genes: Files) -> None:
    records = json.loads(genes[CROISSANT])["recordSet"]
    (field,) = (field for each in records for field in each["field"] if "annotation" in field)
    assert field["@id"] == "counts/annotators/label"
    values = {each["@id"].rpartition("main.tokens/")[2]: each["value"] for each in field["annotation"]}
    primary = results_of(genes).primary
    kappa = primary.measures["cohen_kappa"]
    assert kappa.interval is not None
    assert values["cohen_kappa/value"] == kappa.value
    ends = (values["cohen_kappa/low"], values["cohen_kappa/high"])
    assert ends == (kappa.interval.low, kappa.interval.high)
    assert values["0/specific_agreement/value"] == primary.specific_agreement["Former"].value


def test_what_was_annotated_beforehand_is_named_and_what_is_not_supplied_is_not_said(genes: Files) -> None:
    results = results_of(genes)
    campaign = results.campaign.model_copy(update={"protocol": {"pre_annotated_by": "a tagger"}})
    said = metadata.fields(without(results, campaign=campaign))["rai:machineAnnotationTools"]
    assert said == ["Texts were annotated beforehand by a tagger. [agreement report gene-renaming 1.0]"]
    content = json.loads(genes[CROISSANT])
    assert not {"rai:machineAnnotationTools", "rai:annotatorDemographics"} & set(content)
    assert "Recruitment: " in content["rai:dataAnnotationProtocol"]


@pytest.mark.parametrize("guidelines", ["1", "1.0", "2.3.4", "1.0-rc1", "pilot"])
def test_versions_have_three_numbers_or_are_left_out(genes: Files, guidelines: str) -> None:
    undated = Released(without(results_of(genes), guidelines=guidelines), ("en",), None, genes)
    content = json.loads(metadata.croissant(undated))
    assert re.fullmatch(r"\d+\.\d+\.\d+", content.get("version", "0.0.0"))
    assert ("version" in content) == (guidelines in {"1", "1.0", "2.3.4"})
    assert "datePublished" not in content
    assert "date-released" not in yaml.safe_load(metadata.citation(undated))
