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
from reportgen.campaign import load
from reportgen.campaign.values import export_files
from reportgen.pipeline.build import build_site
from reportgen.pipeline.reading import read_campaign
from reportgen.pipeline.releases import different_labels, document_labels, releasing
from reportgen.pipeline.version_reports import names_by_version
from reportgen.units import Pseudonyms, pseudonyms, pseudonyms_csv, read_pseudonyms
from reportgen.units.pseudonyms import keep_table
from tests.commands import files, not_root, run, run_alone
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


def add(campaign: Path, *rows: str) -> None:
    with (campaign / RATINGS).open("a", encoding="utf-8") as file:
        file.writelines(f"{row}\n" for row in rows)


def edit(campaign: Path, old: str, new: str) -> None:
    text = (campaign / RATINGS).read_text(encoding="utf-8")
    assert text.count(old) == 1
    (campaign / RATINGS).write_text(text.replace(old, new), encoding="utf-8")


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
    add(campaign, "d0,u0,aaron,yes", "d0,u1,aaron,yes")
    done = run("build")
    assert annotators(campaign) == {**before, "aaron": "A03"}
    now = Path("site/votes/1.0/counts/annotators.csv").read_text(encoding="utf-8").splitlines()
    assert [row for row in now if ",A03," not in row] == counts
    # Who is in nobody's export any more keeps the pseudonym, and nobody else gets it.
    (campaign / RATINGS).write_text(ratings(("aaron", "carl")), encoding="utf-8")
    run("build")
    assert annotators(campaign) == {**before, "aaron": "A03", "carl": "A04"}
    assert "pseudonyms.csv" not in run("build").output


@pytest.mark.slow
def test_documents_of_a_bundle_keep_their_pseudonyms_too(campaign: Path) -> None:
    bundle()
    kept = read_pseudonyms((campaign / TABLE).read_text(encoding="utf-8"), TABLE)
    add(campaign, "a-late-one,u99,ben,yes", "a-late-one,u99,zoe,yes")
    bundle("--again", "A document was added.")
    now = read_pseudonyms((campaign / TABLE).read_text(encoding="utf-8"), TABLE)
    assert now.documents == {**kept.documents, "a-late-one": "D0007"}
    assert now.units == kept.units | ({"u99": now.units["u99"]} if kept.units else {})


@pytest.mark.slow
def test_two_clones_agree_and_a_number_that_both_gave_is_told(campaign: Path, tmp_path: Path) -> None:
    run("build")
    clone = tmp_path / "clone/votes"
    shutil.copytree(campaign, clone)
    add(campaign, "d0,u0,aaron,yes")
    add(clone, "d0,u0,aaron,yes")
    run("build")
    run("build", clone, "--out", tmp_path / "other")
    assert files(tmp_path / "site/votes") == files(tmp_path / "other/votes")
    assert (campaign / TABLE).read_bytes() == (clone / TABLE).read_bytes()
    # Each clone adds somebody else, and both rows are kept.
    with (campaign / TABLE).open("a", encoding="utf-8") as table:
        table.write('"annotator","mia","A04"\n"annotator","tom","A04"\n')
    done = run("build")
    assert done.exit_code == 2
    assert 'pseudonyms.csv:6: "A04" is given to "tom" here, and in line 5 to somebody else.' in done.stderr
    assert "such as A05" in done.stderr


def table(**people: str) -> bytes:
    return pseudonyms_csv(Pseudonyms(people)).encode()


@pytest.mark.parametrize(
    ("there", "ours", "kept"),
    [
        ({}, {"ben": "A01"}, {"ben": "A01"}),
        ({"ben": "A01"}, {"ben": "A01", "zoe": "A02"}, {"ben": "A01", "zoe": "A02"}),
        (
            {"ben": "A01", "mia": "A03"},
            {"ben": "A01", "zoe": "A02"},
            {"ben": "A01", "zoe": "A02", "mia": "A03"},
        ),
        ({"zoe": "A01"}, {"ben": "A01"}, None),
        ({"ben": "A02"}, {"ben": "A01"}, None),
    ],
)
def test_what_another_command_added_to_the_table_meanwhile_stays_or_this_one_ends(
    campaign: Path, there: dict[str, str], ours: dict[str, str], kept: dict[str, str] | None
) -> None:
    (campaign / TABLE).write_bytes(table(**there))
    if kept is not None:
        assert list(keep_table(load(campaign), table(**ours))) == []
        assert annotators(campaign) == kept
        assert list(annotators(campaign).values()) == sorted(kept.values())
        return
    with pytest.raises(BadInput, match=r"gave somebody else a pseudonym given here\. Run this command again"):
        list(keep_table(load(campaign), table(**ours)))
    assert (campaign / TABLE).read_bytes() == table(**there)


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
        edit(campaign, "d0,u1,ben,yes", "d0,u1,ben,no")
    second.join(60)
    assert "was released on 2026-11-20, and is another one now" in said[0]
    assert "nothing was written" in said[0]
    assert not Path("two.zip").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kind;name\n", "its first row is not kind,name,pseudonym"),
        (
            "kind,name,pseudonym\n<<<<<<< HEAD\n",
            "pseudonyms.csv:2: a row of kind, name, pseudonym was",
        ),
        ("kind,name,pseudonym\nperson,ben,A01\n", '"person" is not a kind'),
        (
            "kind,name,pseudonym\nannotator,ben,B1\n",
            '"B1" is not a pseudonym of "ben". Write one such as A01.',
        ),
        ("kind,name,pseudonym\nannotator,ben,A1\n", '"A1" is not a pseudonym'),
        ("kind,name,pseudonym\nannotator,b,A01\nannotator,b,A02\n", '"b" has a pseudonym already, in line 2'),
        ("kind,name,pseudonym\nannotator,,A01\n", "is not a pseudonym"),
    ],
)
def test_a_table_that_can_not_be_right_is_refused_with_its_line(campaign: Path, text: str, said: str) -> None:
    (campaign / TABLE).write_text(text, encoding="utf-8")
    for command in (("build",), ("bundle", "campaigns/votes", "1.0", "--out", "b.zip")):
        done = run(*command)
        assert done.exit_code == 2
        assert said in done.stderr
    assert not Path("site").exists()
    assert (campaign / TABLE).read_text(encoding="utf-8") == text


def test_its_loss_is_told(campaign: Path) -> None:
    run("build")
    (campaign / TABLE).unlink()
    done = run("build")
    assert done.exit_code == 0
    assert "campaigns/votes/pseudonyms.csv: is not there, though the site has pseudonyms" in done.stderr
    assert "is not there" not in run("build").stderr


def test_its_loss_is_refused_where_a_bundle_has_pseudonyms(campaign: Path) -> None:
    bundle()
    (campaign / TABLE).unlink()
    shutil.rmtree("site", ignore_errors=True)
    for command in (("build",), ("bundle", "campaigns/votes", "1.0", "--out", "b.zip")):
        done = run(*command)
        assert done.exit_code == 2
        assert "has no row for A01 and 7 more, whom the released" in done.stderr
    assert not Path("site").exists()


@pytest.mark.slow
def test_a_folder_in_which_nothing_can_be_written_is_built_and_told_of(
    anybodys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    (campaign / "campaign.toml").write_text(TOML + 'exports = "."\n', encoding="utf-8")
    (campaign / "campaign.toml").rename(campaign / "aside")
    shutil.move(campaign / RATINGS, campaign / "ratings.csv")
    shutil.rmtree(campaign / "exports")
    toml = (campaign / "aside").read_text(encoding="utf-8").replace('"."', '"*.csv"')
    (campaign / "aside").unlink()
    (campaign / "campaign.toml").write_text(toml, encoding="utf-8")
    run("build")
    bundle("--with-exports")
    assert {TABLE, RECORD} <= set(files(campaign))
    assert [file.name for file in export_files(campaign, ["*.csv"])] == ["ratings.csv"]
    assert [file.name for file in export_files(campaign, ["."])] == ["campaign.toml", "ratings.csv"]
    assert not [name for name in files(Path("site")) if TABLE in name or RECORD in name]
    assert b"zoe" not in b"".join(files(Path("site")).values())
    with zipfile.ZipFile("old.zip") as archive:
        assert [name for name in archive.namelist() if TABLE in name or RECORD in name] == [
            f"exports/{TABLE}"
        ]


def test_kept_numbers_come_before_those_of_versions_and_names() -> None:
    assert pseudonyms([["ben", "zoe"]], kept={"zoe": "A01"}) == {"zoe": "A01", "ben": "A02"}
    assert pseudonyms([["ben"]], kept={"gone": "A07"}) == {"gone": "A07", "ben": "A08"}
    # Pseudonyms that are names themselves do not take what is somebody else's.
    assert pseudonyms([["A01", "A03"]], kept={"zoe": "A01"}) == {"zoe": "A01", "A01": "A02", "A03": "A03"}
    assert pseudonyms([["b", "a"]], "document", {"a": "D0002"}) == {"a": "D0002", "b": "D0003"}


@pytest.mark.slow
def test_the_same_pseudonyms_are_read_from_the_attached_table(campaign: Path) -> None:
    """`exports/` of a bundle is a campaign: its table keeps what the report calls everybody."""
    run("build")
    (campaign / RATINGS).write_text(ratings(("aaron", "zoe")), encoding="utf-8")
    bundle("--with-exports")
    with zipfile.ZipFile("old.zip") as archive:
        archive.extractall("unzipped")
    attached = load(Path("unzipped/exports"))
    names = names_by_version(attached, read_campaign(attached))["1.0"]
    assert names.annotators == {"zoe": "A02", "aaron": "A03"}


# A released version that changes is news.


@pytest.fixture
def released(campaign: Path) -> Path:
    """A campaign of which a bundle is out, and one label was edited since."""
    run("build")
    bundle()
    edit(campaign, "d1,u5,zoe,yes", "d1,u5,zoe,no")
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
    with (released / "campaign.toml").open("a", encoding="utf-8") as toml:
        toml.write("[gate]\nkrippendorff_alpha = { value = 0.1 }\n")
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
    run("build")
    page = Path("site/votes/index.html").read_text(encoding="utf-8")
    assert "Since then at least 1 label has changed. They are of 1 document: d1." in page
    assert "alpha was 0.674, and is 0.591." in page
    feed = Path("site/votes/feed.xml").read_text(encoding="utf-8")
    assert "<updated>2026-11-20T23:59:59Z</updated>\n <author>" in feed
    first = re.findall("<id>(.*)</id>", feed)
    edit(released, "d2,u8,zoe,yes", "d2,u8,zoe,no")
    run("build")
    second = re.findall("<id>(.*)</id>", Path("site/votes/feed.xml").read_text(encoding="utf-8"))
    assert first[:-1] == second[:-1]
    assert first[-1] != second[-1]
    assert run("verify", "site").exit_code == UNCHECKED
    with (released / "campaign.toml").open("a", encoding="utf-8") as toml:
        toml.write('[privacy]\ndocuments = "pseudonyms"\n')
    run("build")
    page = Path("site/votes/index.html").read_text(encoding="utf-8")
    assert "They are of 2 documents: D0002 and D0003." in page


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
def test_a_bundle_against_its_campaign(released: Path) -> None:
    done = run("verify", "old.zip", "--against", "campaigns/votes")
    assert done.exit_code == 1
    assert done.stdout.splitlines()[-3:] == [
        "campaigns/votes since then:",
        f"different: {DIFFERS}.",
        "  d1: at least 1 label",
    ]
    since = json.loads(run("verify", "old.zip", "--against", "campaigns/votes", "--json").stdout)["since"]
    assert since["documents"] == {"d1": 1}
    assert [(figure["released"], figure["now"]) for figure in since["figures"]] != []
    edit(released, "d1,u5,zoe,no", "d1,u5,zoe,yes")
    done = run("verify", "old.zip", "--against", "campaigns/votes")
    assert done.exit_code == UNCHECKED
    assert done.stdout.splitlines()[-1] == "same: labels and primary figures are the same."


@pytest.mark.slow
def test_a_bundle_against_another_campaign_or_version_is_refused(released: Path) -> None:
    other = shutil.copytree(released, "campaigns/other")
    done = run("verify", "old.zip", "--against", other)
    assert done.exit_code == 2
    assert "is the campaign other, and the bundle is of votes" in done.stderr
    toml = (released / "campaign.toml").read_text(encoding="utf-8")
    shutil.move(released / "exports/1.0", released / "exports/1.1")
    renamed = toml.replace('version = "1.0"', 'version = "1.1"')
    (released / "campaign.toml").write_text(renamed, encoding="utf-8")
    done = run("verify", "old.zip", "--against", "campaigns/votes")
    assert done.exit_code == 2
    assert 'was = "1.0" says which it became' in done.stderr
    (released / "campaign.toml").write_text(f'{renamed}was = "1.0"\n', encoding="utf-8")
    done = run("verify", "old.zip", "--against", "campaigns/votes")
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (1, "  d1: at least 1 label")
    # The record is that of the version, whatever it is called.
    assert (
        f"version 1.1 was released on 2026-11-20, and is another one now: {DIFFERS}"
        in run("build", "--prune").stderr
    )


@pytest.mark.slow
@pytest.mark.usefixtures("released")
def test_two_bundles_compared() -> None:
    bundle("--again", "Mistyped.", out="new.zip")
    done = run("compare", "old.zip", "new.zip")
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        "old.zip: votes 1.0, released on 2026-11-20",
        'new.zip: votes 1.0, released on 2026-11-20, again because: "Mistyped."',
        f"different: {DIFFERS}.".replace("d1", "D0002"),
        "  D0002: at least 1 label",
    ]
    answer = json.loads(run("compare", "old.zip", "new.zip", "--json").stdout)
    assert answer["documents"] == {"D0002": 1}
    assert answer["second"]["again"] == "Mistyped."
    same = run("compare", "new.zip", "new.zip").stdout.splitlines()
    assert same[-1] == "same: labels and primary figures are the same."
    for wrong, said in {
        ("old.zip", "nothing.zip"): "can't be read",
        ("old.zip", "campaigns/votes"): "is not a bundle",
        ("campaigns/votes", "1.0"): "is only one version of the guidelines",
    }.items():
        done = run("compare", *wrong)
        assert done.exit_code == 2
        assert wrong[1] in done.stderr
        assert said in done.stderr


@pytest.mark.slow
@pytest.mark.usefixtures("campaign")
def test_a_bundle_that_was_changed_is_not_compared() -> None:
    bundle()
    with zipfile.ZipFile("old.zip") as archive:
        archive.extractall("old")
    counts = Path("old/report/counts/annotators.csv")
    counts.write_text(counts.read_text(encoding="utf-8").replace("yes", "no"), encoding="utf-8")
    done = run("compare", "old.zip", "old")
    assert done.exit_code == 2
    assert "old: is damaged, or was changed." in done.stderr


def test_a_record_that_is_none_is_refused(campaign: Path) -> None:
    (campaign / RECORD).write_text('{"version": "1.0"}', encoding="utf-8")
    for command in (("build",), ("bundle", "campaigns/votes", "1.0", "--out", "b.zip")):
        done = run(*command)
        assert done.exit_code == 2
        assert (
            "campaigns/votes/released-1.0.json: is not a record of a release, or was changed." in done.stderr
        )


HEAD = "layer,unit_set,document,annotator,label,n\n"
PAIRS = "layer,unit_set,document,first,second,first_label,second_label,n\n"


def crowd(*rows: str) -> dict[str, str]:
    head = "layer,unit_set,document,annotator,labels\n"
    return {"annotators.csv": head + "".join(f"{row}\n" for row in rows)}


def counts(*rows: str, pairs: str = "") -> dict[str, str]:
    return {"annotators.csv": HEAD + "".join(f"{row}\n" for row in rows), "pairs.csv": PAIRS + pairs}


@pytest.mark.parametrize(
    ("before", "after", "to_the_last", "changed"),
    [
        (counts("m,u,d,A,x,2"), counts("m,u,d,A,x,2"), True, {}),
        (counts("m,u,d,A,x,2"), counts("m,u,d,A,x,1", "m,u,d,A,y,1"), True, {"d": 1}),
        (counts("m,u,d,A,x,2"), counts("m,u,d,A,x,5"), True, {"d": 3}),
        (counts("m,u,d,A,x,2"), counts(), False, {"d": 2}),
        # Of two unit sets of a layer the one that shows most, of two layers both, of two annotators both.
        (counts("m,u,d,A,x,2", "m,v,d,A,x,2"), counts("m,u,d,A,y,2", "m,v,d,A,x,2"), True, {"d": 2}),
        (counts("m,u,d,A,x,1", "k,u,d,A,x,1"), counts("m,u,d,A,y,1", "k,u,d,A,y,1"), True, {"d": 2}),
        (counts("m,u,d,A,x,1", "m,u,d,B,y,1"), counts("m,u,d,A,y,1", "m,u,d,B,x,1"), True, {"d": 2}),
        # Of a large crowd there is a row for each annotator.
        (crowd("m,u,,A,2 0", ",,,B,0 1"), crowd("m,u,,A,1 1", ",,,B,1 0"), True, {"": 2}),
        # Labels that changed places show in pairs, which the same program alone counts alike.
        (
            counts("m,u,d,A,x,2", pairs="m,u,d,A,B,x,x,1\n"),
            counts("m,u,d,A,x,2", pairs="m,u,d,A,B,x,y,1\n"),
            True,
            {"d": 1},
        ),
        (
            counts("m,u,d,A,x,2", pairs="m,u,d,A,B,x,x,1\n"),
            counts("m,u,d,A,x,2", pairs="m,u,d,A,B,x,y,1\n"),
            False,
            {},
        ),
    ],
)
def test_how_many_labels_differ_at_least(
    before: dict[str, str], after: dict[str, str], *, to_the_last: bool, changed: dict[str, int]
) -> None:
    sides = document_labels(before), document_labels(after)
    assert different_labels(*sides, to_the_last=to_the_last) == changed
    assert different_labels(*reversed(sides), to_the_last=to_the_last) == changed


# A release has a date of its own.


@pytest.mark.slow
@pytest.mark.usefixtures("campaign")
def test_all_files_of_a_release_have_its_date_and_never_that_of_the_guidelines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
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
