"""What is in a bundle: a report that stands alone, counts, metadata, and nothing that was not asked for."""

import datetime as dt
import errno
import importlib.util
import io
import json
import os
import re
import shutil
import stat
import subprocess
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

import lxml.html
import pyarrow.parquet as pq
import pytest

from reportgen.base.errors import BadInput
from reportgen.base.files import rows
from reportgen.campaign import load
from reportgen.pipeline.reading import read_version
from reportgen.pipeline.version_reports import as_in_bundle, compute
from reportgen.publish.bundle import WRITERS, Bundled, BundleOptions, released_on
from reportgen.publish.bundle_files import CAMPAIGN, CHECKSUMS, as_zip, obstacles, write_bundle
from reportgen.publish.published_campaign import as_chosen
from reportgen.results import dumps
from reportgen.units import read_pseudonyms
from tests import bundled
from tests.bundled import TOML
from tests.commands import append, files, not_root, on_disk, run
from tests.slowly import slow_but

WHOLE = BundleOptions(texts=True, exports=True, parquet=True)
NAMES = ("Melisande", "Anneliese", "Balthasar", "Zoltan", "notes-1")
SENTENCE = "screen of Bordeaux"


@pytest.fixture(scope="module")
def plain() -> Bundled:
    """The bundle that nobody asked anything else of."""
    return bundled.kept(BundleOptions())


@pytest.fixture(scope="module")
def whole() -> Bundled:
    """The bundle with all that can be asked for."""
    return bundled.kept(WHOLE)


def holding(files: Mapping[str, bytes], text: str) -> list[str]:
    return [name for name, content in files.items() if text.encode() in content or text in name]


# What every bundle holds


def test_the_report_is_a_version_of_the_site_and_the_campaign_loads(plain: Bundled, tmp_path: Path) -> None:
    own = {CAMPAIGN, CHECKSUMS, "report", "guidelines", "distances", "labels"}
    assert {name.partition("/")[0] for name in plain.files} == own | set(WRITERS)
    names = ("index.html", "report.html", "report.md", "fr/index.html", "results.json", "SHA256SUMS")
    assert [name for name in names if f"report/{name}" not in plain.files] == []
    folders = {PurePosixPath(name).parts[1] for name in plain.files if name.startswith("report/")}
    assert folders >= {"tables", "counts", "figures", "latex", "fr"}
    assert plain.files["guidelines/1.0.md"] == bundled.RULES
    assert plain.files["distances/expert.csv"] == bundled.FAR.encode()
    title = "# Renaming &lt;b&gt;genes&lt;/b&gt; \\| a \\*pilot\\*: agreement of annotators\n"
    assert plain.files["README.md"].decode().startswith(title)
    known = load(on_disk(tmp_path / "unpacked", plain.files))
    assert (known.versions, known.guidelines[0].exports) == (("1.0",), ("report/counts",))


@pytest.mark.slow
def test_every_file_is_in_the_checksums(whole: Bundled, tmp_path: Path) -> None:
    lines = whole.files[CHECKSUMS].decode().splitlines()
    assert [line[66:] for line in lines] == sorted(set(whole.files) - {CHECKSUMS})
    program = shutil.which("sha256sum")
    if program is None:
        pytest.skip("NOT TESTED with sha256sum, which is not there")
    folder = on_disk(tmp_path, whole.files)
    for place in (folder, folder / "report"):
        subprocess.run([program, "--check", "--strict", "--quiet", CHECKSUMS], cwd=place, check=True)


def links(page: str, content: bytes) -> Iterator[tuple[str, str]]:
    for element in lxml.html.fromstring(content).iter():
        for attribute in ("href", "src", "srcset", "data"):
            link = element.get(attribute, "")
            if link and not re.match(r"[a-z][a-z0-9+.-]*:|#", link):
                yield page, (PurePosixPath(page).parent / unquote(link.partition("#")[0])).as_posix()


@pytest.mark.parametrize("which", ["plain", "whole"])
def test_no_link_leads_out_of_the_report_or_nowhere(which: str, request: pytest.FixtureRequest) -> None:
    files: Mapping[str, bytes] = request.getfixturevalue(which).files
    pages = {name: content for name, content in files.items() if name.endswith(".html")}
    found = [link for name, content in pages.items() for link in links(name, content)]
    there = {PurePosixPath(name).as_posix() for name in files}
    dead = [(page, link) for page, link in found if str(Path("/", link).resolve())[1:] not in there]
    assert found
    assert dead == []
    assert [link for _, link in found if not str(Path("/", link).resolve()).startswith("/report/")] == []


# What is asked for


@pytest.mark.slow
def test_texts_are_there_where_they_are_asked_for_and_names_are_not() -> None:
    files = bundled.of(BundleOptions(texts=True)).files
    assert "report/texts.json" in holding(files, SENTENCE)
    assert any(name.startswith("report/documents/") for name in files)
    assert [place for name in NAMES for place in holding(files, name)] == []


def test_exports_are_there_byte_for_byte_with_their_names(whole: Bundled, tmp_path: Path) -> None:
    folder = bundled.campaign(tmp_path / "renaming")
    given = files(folder)
    inside = {
        name.removeprefix("exports/"): whole.files[name] for name in whole.files if name[:8] == "exports/"
    }
    assert inside.keys() - given.keys() == {"pseudonyms.csv"}
    assert sorted(given.keys() - inside.keys()) == [
        name for name in sorted(given) if name.startswith("in/0.9/")
    ]
    assert [name for name in inside.keys() & given.keys() if inside[name] != given[name]] == [CAMPAIGN]
    outside = {name: content for name, content in whole.files.items() if not name.startswith("exports/")}
    # Checksums and the crate name the files of exports/.
    assert {place for name in NAMES for place in holding(outside, name)} <= {
        CHECKSUMS,
        "ro-crate-metadata.json",
    }


def test_pseudonyms_say_who_is_who_over_all_versions(whole: Bundled) -> None:
    known = read_pseudonyms(whole.files["exports/pseudonyms.csv"].decode(), "pseudonyms.csv")
    assert known.annotators == {"Melisande": "A02", "Balthasar": "A03", "Zoltan": "A04"}
    assert known.documents == {f"notes-{number}": f"D000{number}" for number in range(1, 6)}


LIKE_THE_OTHER = 'coefficient = "scott_pi"\n'
OF_TWO_SCALES = 'scale = "ordinal"\n'


@pytest.mark.parametrize("said", slow_but(["", LIKE_THE_OTHER, OF_TWO_SCALES], LIKE_THE_OTHER))
def test_everything_is_computed_anew_from_exports_to_the_last_byte(said: str, tmp_path: Path) -> None:
    """Also where other guidelines, which are not in the bundle, choose the coefficient."""
    toml = TOML.replace('exports = "in/0.9"\n', f'exports = "in/0.9"\n{said}')
    made = bundled.of(BundleOptions(exports=True), toml=toml)
    folder = on_disk(tmp_path, made.files) / "exports"
    known = as_in_bundle(as_chosen(load(folder), made.results))
    names = read_pseudonyms((folder / "pseudonyms.csv").read_text(encoding="utf-8"), "pseudonyms.csv")
    again = compute(known, read_version(known, known.version("1.0")), names)
    assert dumps(again.results).encode() == made.files["report/results.json"]
    assert {name: text.encode() for name, text in again.beside.items()}.items() <= {
        name.removeprefix("report/"): content for name, content in made.files.items()
    }.items()


@pytest.mark.slow
def test_an_export_that_a_list_of_checksums_can_not_hold_is_refused(tmp_path: Path) -> None:
    folder = bundled.campaign(tmp_path / "renaming")
    (folder / "in/1.0/Melisande/notes-1.txt").rename(folder / "in/1.0/Melisande/notes\n1.txt")
    (folder / "in/1.0/Melisande/notes-1.ann").rename(folder / "in/1.0/Melisande/notes\n1.ann")
    done = run("bundle", folder, "1.0", "--out", tmp_path / "b.zip", "--with-exports")
    assert done.exit_code == 2
    assert "signs that can't be printed" in done.stderr
    assert not (tmp_path / "b.zip").exists()


def test_parquet_has_the_rows_of_each_csv(whole: Bundled, plain: Bundled) -> None:
    tables = [name for name in whole.files if re.fullmatch(r"report/counts/.*\.csv", name)]
    assert tables
    for name in tables:
        table = pq.read_table(io.BytesIO(whole.files[name.replace(".csv", ".parquet")]))
        columns = [[str(cell) for cell in column] for column in table.to_pydict().values()]
        assert rows(whole.files[name].decode(), ",") == [
            table.column_names,
            *map(list, zip(*columns, strict=True)),
        ]
    assert not any(name.endswith(".parquet") for name in plain.files)


def test_what_can_not_be_bundled_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, out = importlib.util.find_spec, tmp_path / "b.zip"
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "pyarrow" else real(name))
    withheld = bundled.campaign(tmp_path / "c", f'{TOML}\n[privacy]\ntexts = "withhold"\n')
    for option, said in (("--parquet", 'extra "parquet"'), ("--with-texts", "privacy.texts")):
        done = run("bundle", withheld, "1.0", "--out", out, option)
        assert done.exit_code == 2
        assert said in done.stderr


# README.md


@pytest.mark.parametrize("which", ["plain", "whole"])
def test_the_readme_names_every_file_at_the_top(which: str, request: pytest.FixtureRequest) -> None:
    files: Mapping[str, bytes] = request.getfixturevalue(which).files
    readme = files["README.md"].decode()
    named = set(re.findall(r"^\| `([^`]+)`", readme, re.MULTILINE))
    top = {name.split("/")[0] + "/" * ("/" in name) for name in files} - {"README.md", "report/"}
    assert named - {name for name in named if name.startswith("report/")} == top
    assert {name for name in named if not any(each.startswith(name) for each in files)} == set()


# The date


def test_the_report_says_what_is_left_out(plain: Bundled, whole: Bundled) -> None:
    english = "The annotated texts, and the pages that quote them, are not part of this report."
    french = "ne font pas partie de ce rapport."
    for page, words in (("index.html", english), ("report.md", english), ("fr/report.html", french)):
        assert words in plain.files[f"report/{page}"].decode()
        assert words not in whole.files[f"report/{page}"].decode()
    options = ("--with-texts", "--with-exports")
    assert [option in plain.files["README.md"].decode() for option in options] == [True, True]
    assert [option in whole.files["README.md"].decode() for option in options] == [False, False]
    assert whole.notices == [], "names that were asked for are none"


@pytest.mark.parametrize(
    ("given", "date"), [("", "2026-05-18"), ("0", "1970-01-01"), ("1700000000", "2023-11-14")]
)
def test_the_moment_of_the_release_goes_before_the_declared_day(given: str, date: str) -> None:
    declared = dt.date(2026, 5, 18)
    assert str(released_on(declared, {"SOURCE_DATE_EPOCH": given})) == date


@pytest.mark.parametrize("given", ["today", "-1", "1.5", "1" * 30, " 1", "\u0661"])
def test_a_moment_that_is_none_is_told(given: str) -> None:
    with pytest.raises(BadInput, match="whole seconds since 1970"):
        released_on(None, {"SOURCE_DATE_EPOCH": given})


# What the command says


@pytest.mark.slow
def test_json_says_what_was_written_and_a_release_without_a_date_is_told(tmp_path: Path) -> None:
    folder, out = bundled.campaign(tmp_path / "c"), tmp_path / "b.zip"
    said = json.loads(run("bundle", folder, "1.0", "--out", out, "--with-texts", "--json").stdout)
    with zipfile.ZipFile(out) as archive:
        assert said["files"] == {each.filename: each.file_size for each in archive.infolist()}
        assert run("bundle", folder, "1.0", "--out", tmp_path / "b", "--with-texts").exit_code == 0
        assert {each: archive.read(each) for each in archive.namelist()} == files(tmp_path / "b")
    assert (said["bytes"], said["date"]) == (out.stat().st_size, "2026-05-18")
    assert said["figures"][0]["figure"] == "krippendorff_alpha"
    done = run("bundle", folder, "0.9", "--out", out)
    assert done.exit_code == 0
    assert "guidelines.1.released" in done.stderr
    *_, absent, _written, check = done.stdout.splitlines()
    assert absent == "Not in it: texts (--with-texts), exports (--with-exports)."
    assert check == f"Check it: reportgen verify {out}"


# Where a bundle goes: in the place of a bundle and nothing else, whole or not at all, with its own mo

Files = dict[str, bytes]


@pytest.fixture(scope="module")
def old() -> Files:
    """A bundle that stands there already."""
    return dict(bundled.kept(BundleOptions()).files)


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    """The folder of a campaign."""
    return bundled.campaign(tmp_path / "renaming")


@pytest.fixture(autouse=True)
def nothing_beside(tmp_path: Path) -> Iterator[None]:
    """Hold, after each test, that nothing of ours is left beside a bundle."""
    yield
    assert [path for path in tmp_path.rglob("*") if "reportgen-" in path.name] == []


def put(content: Files, place: Path) -> Path:
    write_bundle(place, content)
    return place


# A zip file


def test_entries_are_sorted_stored_and_of_no_time(old: Files, tmp_path: Path) -> None:
    with zipfile.ZipFile(put(old, tmp_path / "b.zip")) as archive:
        entries = archive.infolist()
    assert [each.filename for each in entries] == sorted(old)
    kept = {(each.compress_type, each.date_time, each.external_attr >> 16, each.extra) for each in entries}
    assert kept == {(zipfile.ZIP_STORED, (1980, 1, 1, 0, 0, 0), stat.S_IFREG | 0o644, b"")}


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o000])
def test_modes_do_not_hang_on_the_umask(old: Files, tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        put(old, tmp_path / "new/b")
        put(old, tmp_path / "new/b.zip")
    finally:
        os.umask(before)
    paths = [tmp_path / "new/b", tmp_path / "new/b.zip", *(tmp_path / "new/b").rglob("*")]
    modes = {(path.is_dir(), stat.S_IMODE(path.stat().st_mode)) for path in paths}
    assert modes == {(True, 0o755), (False, 0o644)}


# What it takes the place of


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", slow_but(["b.zip", "b", "in/new/folders/b.zip", "in/new/folders/b"], "b", "in/new/folders/b.zip")
)
def test_a_bundle_replaces_an_older_one(campaign: Path, old: Files, tmp_path: Path, name: str) -> None:
    write_bundle(tmp_path / name, old)
    assert run("bundle", campaign, "0.9", "--out", tmp_path / name).exit_code == 0
    found = tmp_path / name
    now = found.read_bytes() if found.is_file() else files(found)["report/results.json"]
    assert now not in (as_zip(old), old["report/results.json"])


def test_a_link_to_a_zip_file_stays_one(old: Files, tmp_path: Path) -> None:
    put(old, tmp_path / "there.zip")
    (tmp_path / "b.zip").symlink_to("there.zip")
    put({**old, "README.md": b"new"}, tmp_path / "b.zip")
    assert (tmp_path / "b.zip").is_symlink()
    assert b"new" in (tmp_path / "there.zip").read_bytes()


def archived(file: Path, content: Files, kind: int = zipfile.ZIP_STORED) -> Path:
    """Write a zip file as others do, and return it."""
    with zipfile.ZipFile(file, "w", kind) as archive:
        for name, text in content.items():
            archive.writestr(name, text)
    return file


def a_pipe(folder: Path, _: Files) -> Path:
    os.mkfifo(folder / "b.zip")
    return folder / "b.zip"


def a_bundle_with_a_link(folder: Path, old: Files) -> Path:
    (put(old, folder / "b") / "link").symlink_to("/")
    return folder / "b"


def a_bundle_with_a_pipe(folder: Path, old: Files) -> Path:
    os.mkfifo(put(old, folder / "b") / "a-pipe")
    return folder / "b"


MINE = {"mine.txt": b"mine"}
STANDS: Mapping[str, Callable[[Path, Files], Path]] = {
    "a zip of somebody": lambda at, _: archived(at / "b.zip", MINE),
    "no zip": lambda at, _: on_disk(at, {"b.zip": b"mine"}) / "b.zip",
    "a zip with another file": lambda at, old: archived(at / "b.zip", {**old, **MINE}),
    "a zip with a changed file": lambda at, old: put({**old, "README.md": b"mine"}, at / "b.zip"),
    "a zip cut short": lambda at, old: on_disk(at, {"b.zip": as_zip(old)[:-100]}) / "b.zip",
    "a compressed zip": lambda at, old: archived(at / "b.zip", old, zipfile.ZIP_DEFLATED),
    "a folder like a file": lambda at, _: on_disk(at / "b.zip", {}),
    "a file like a folder": lambda at, _: on_disk(at, {"b": b"mine"}) / "b",
    "a pipe": a_pipe,
    "a folder of somebody": lambda at, _: on_disk(at / "b", MINE),
    "a bundle with another file": lambda at, old: on_disk(put(old, at / "b"), {"report/m.txt": b"mine"}),
    "a bundle with an edited file": lambda at, old: on_disk(put(old, at / "b"), {"README.md": b"mine"}),
    "a bundle with a link": a_bundle_with_a_link,
    "a bundle with a pipe": a_bundle_with_a_pipe,
    "a version of a site": lambda at, old: put(old, at / "b") / "report",
    "a site": lambda at, _: on_disk(at / "site", {".reportgen.json": "{}"}),
    "a place in a site": lambda at, _: on_disk(at / "site", {".reportgen.json": "{}"}) / "b.zip",
    "a place in a bundle": lambda at, old: put(old, at / "b") / "c.zip",
    "a place in the campaign": lambda at, _: at / "renaming/in/1.0/b.zip",
    "the folder around the campaign": lambda at, _: at,
    "a place below a file": lambda at, _: on_disk(at, {"file": b"mine"}) / "file/b.zip",
    "a name that is too long": lambda at, _: at / ("b" * 300 + ".zip"),
}


@pytest.mark.parametrize("what", STANDS)
def test_nothing_else_is_replaced(what: str, campaign: Path, old: Files, tmp_path: Path) -> None:
    out = STANDS[what](tmp_path, old)
    before = files(tmp_path)
    done = run("bundle", campaign, "1.0", "--out", out)
    assert (done.exit_code, done.stdout) == (2, "")
    problem, count = done.stderr.splitlines()
    assert problem.startswith(str(out))
    assert problem.endswith(".")
    assert count == "1 problem; nothing was written."
    assert files(tmp_path) == before


def test_all_that_is_wrong_is_said_at_once(campaign: Path, tmp_path: Path) -> None:
    append(campaign / "campaign.toml", '[privacy]\ntexts = "withhold"\n')
    done = run("bundle", campaign, "7.0", "--out", on_disk(tmp_path, {"b": "mine"}) / "b", "--with-texts")
    assert done.stderr.splitlines()[-1] == "3 problems; nothing was written."


def test_a_place_that_can_not_be_written_is_told(anybodys: Path) -> None:
    campaign = bundled.campaign(anybodys / "renaming")
    closed = anybodys / "closed"
    closed.mkdir(mode=0o555)
    for name in ("b.zip", "b"):
        with not_root():
            done = run("bundle", campaign, "1.0", "--out", closed / name)
        assert "can't be written: permission denied" in done.stderr


# Nothing half-written


@pytest.mark.parametrize("name", ["b.zip", "b", "new/b.zip", "new/b"])
def test_a_full_disk_leaves_what_was_there(
    old: Files, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "/" not in name:
        write_bundle(tmp_path / name, old)
    before = files(tmp_path)

    def full(path: Path, *_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(Path, "chmod", full)
    with pytest.raises(BadInput, match="no space left"):
        write_bundle(tmp_path / name, {**old, "README.md": b"new"})
    assert files(tmp_path) == before
    assert not (tmp_path / "new").exists()


def test_what_is_at_hand_is_no_obstacle(campaign: Path, old: Files, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (put(old, tmp_path / "b") / ".DS_Store").write_text("litter", encoding="utf-8")
    for name in ("new.zip", "new", "empty", "b"):
        assert obstacles(tmp_path / name, campaign) == []
    shutil.rmtree(tmp_path / "b")
