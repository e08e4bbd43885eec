"""A release stays what it was: pseudonyms never move, and a released version that changes is news."""

import hashlib
import json
import re
import shutil
import zipfile
from pathlib import Path
from threading import Thread

import pytest
import yaml

from reportgen.base.errors import BadInput
from reportgen.base.files import as_csv
from reportgen.campaign import load
from reportgen.campaign.values import export_files
from reportgen.pipeline.build import build_site
from reportgen.pipeline.releases import different_labels, document_labels, releasing
from reportgen.units import Pseudonyms, pseudonyms_csv, read_pseudonyms
from reportgen.units.pseudonyms import keep_table, pseudonyms
from tests.commands import append, edit, files, not_root, run, run_alone
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
