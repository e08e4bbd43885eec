"""What is in a bundle: a report that stands alone, counts, metadata, and nothing that was not asked for."""

import datetime as dt
import importlib.util
import io
import json
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator, Mapping
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
from reportgen.publish.bundle import bundled as bundled_as
from reportgen.publish.bundle_files import CAMPAIGN, CHECKSUMS, as_zip
from reportgen.publish.published_campaign import as_chosen
from reportgen.results import dumps
from reportgen.units import read_pseudonyms
from tests import bundled
from tests.bundled import TOML
from tests.campaigns import marked, written
from tests.commands import run
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


def unpacked(files: Mapping[str, bytes], folder: Path) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


# What every bundle holds


@pytest.mark.slow
def test_the_top_holds_the_report_the_campaign_and_the_metadata(plain: Bundled) -> None:
    top = {name.partition("/")[0] for name in plain.files}
    own = {CAMPAIGN, CHECKSUMS, "report", "guidelines", "distances", "labels"}
    assert top == own | set(WRITERS)


def test_the_report_is_a_version_of_the_site_in_every_language(plain: Bundled) -> None:
    names = ("index.html", "report.html", "report.md", "fr/index.html", "results.json", "SHA256SUMS")
    assert [name for name in names if f"report/{name}" not in plain.files] == []
    folders = {PurePosixPath(name).parts[1] for name in plain.files if name.startswith("report/")}
    assert folders >= {"tables", "counts", "figures", "latex", "fr"}


def test_guidelines_and_distances_are_there_byte_for_byte(plain: Bundled) -> None:
    assert plain.files["guidelines/1.0.md"] == bundled.RULES
    assert plain.files["distances/expert.csv"] == bundled.FAR.encode()


@pytest.mark.slow
def test_every_file_is_in_the_checksums(whole: Bundled, tmp_path: Path) -> None:
    lines = whole.files[CHECKSUMS].decode().splitlines()
    assert [line[66:] for line in lines] == sorted(set(whole.files) - {CHECKSUMS})
    program = shutil.which("sha256sum")
    if program is None:
        pytest.skip("NOT TESTED with sha256sum, which is not there")
    folder = unpacked(whole.files, tmp_path)
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


@pytest.mark.slow
def test_no_link_of_several_layers_leads_to_pages_of_texts_that_are_not_there(tmp_path: Path) -> None:
    marks = {f"d{number}": [("Peak", 0, 9), ("Lake", 14, 22)] for number in range(1, 4)}
    texts = dict.fromkeys(marks, "Zugspitze and Watzmann")
    people = {"ann": marks, "bea": marks | {"d1": [("Peak", 0, 9)]}}
    files = {f"exports/1.0/{name}": text for name, text in marked(texts, people).items()}
    layers = '[[layers]]\nid = "peaks"\nsource = "Peak"\n[[layers]]\nid = "lakes"\nsource = "Lake"\n'
    made = bundled_as(load(written(tmp_path / "hills", layers, files)), "1.0", BundleOptions()).files
    index = made["report/index.html"].decode()
    assert 'class="document-dots"' in index
    assert "leads to its marks" not in index
    assert not [link for _, link in links("report/index.html", index.encode()) if link not in made]


@pytest.mark.slow
def test_a_bundle_is_the_same_twice(plain: Bundled) -> None:
    assert as_zip(bundled.of(BundleOptions()).files) == as_zip(plain.files)


def test_its_campaign_loads(plain: Bundled, tmp_path: Path) -> None:
    known = load(unpacked(plain.files, tmp_path / "unpacked"))
    assert known.versions == ("1.0",)
    assert known.guidelines[0].exports == ("report/counts",)


# What is asked for


def test_no_name_and_no_text_is_in_a_bundle(plain: Bundled) -> None:
    assert [place for text in (*NAMES, SENTENCE) for place in holding(plain.files, text)] == []


@pytest.mark.slow
def test_texts_are_there_where_they_are_asked_for_and_names_are_not() -> None:
    files = bundled.of(BundleOptions(texts=True)).files
    assert "report/texts.json" in holding(files, SENTENCE)
    assert any(name.startswith("report/documents/") for name in files)
    assert [place for name in NAMES for place in holding(files, name)] == []


def test_exports_are_there_byte_for_byte_with_the_names_that_others_lack(
    whole: Bundled, tmp_path: Path
) -> None:
    folder = bundled.campaign(tmp_path / "renaming")
    given = {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }
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


def test_names_that_were_asked_for_are_no_notice(whole: Bundled) -> None:
    assert whole.notices == []


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
    folder = unpacked(made.files, tmp_path) / "exports"
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


def test_parquet_without_its_package_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "pyarrow" else real(name))
    done = run("bundle", bundled.campaign(tmp_path / "c"), "1.0", "--out", tmp_path / "b.zip", "--parquet")
    assert done.exit_code == 2
    assert 'extra "parquet"' in done.stderr


def test_texts_that_the_campaign_withholds_are_refused(tmp_path: Path) -> None:
    toml = f'{TOML}\n[privacy]\ntexts = "withhold"\n'
    done = run(
        "bundle", bundled.campaign(tmp_path / "c", toml), "1.0", "--out", tmp_path / "b.zip", "--with-texts"
    )
    assert done.exit_code == 2
    assert "privacy.texts" in done.stderr


# README.md


def test_the_readme_has_the_figures_of_the_results(plain: Bundled) -> None:
    readme = plain.files["README.md"].decode()
    (primary,) = (each for each in plain.results.unit_sets if each.primary)
    value = primary.measures[plain.results.coefficient].value
    assert f"{value:.3f}" in readme
    assert f"| {primary.units} (tokens) | 5 | 2 |" in readme


def test_the_readme_shows_what_a_campaign_says_as_text(plain: Bundled) -> None:
    readme = plain.files["README.md"].decode()
    assert readme.startswith(
        "# Renaming &lt;b&gt;genes&lt;/b&gt; \\| a \\*pilot\\*: agreement of annotators\n"
    )


@pytest.mark.parametrize("which", ["plain", "whole"])
def test_the_readme_names_every_file_at_the_top(which: str, request: pytest.FixtureRequest) -> None:
    files: Mapping[str, bytes] = request.getfixturevalue(which).files
    readme = files["README.md"].decode()
    named = set(re.findall(r"^\| `([^`]+)`", readme, re.MULTILINE))
    top = {name.split("/")[0] + "/" * ("/" in name) for name in files} - {"README.md", "report/"}
    assert named - {name for name in named if name.startswith("report/")} == top
    assert {name for name in named if not any(each.startswith(name) for each in files)} == set()


def test_the_readme_says_what_is_left_out(plain: Bundled, whole: Bundled) -> None:
    options = ("--with-texts", "--with-exports")
    assert [option in plain.files["README.md"].decode() for option in options] == [True, True]
    assert [option in whole.files["README.md"].decode() for option in options] == [False, False]


# The date


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("index.html", "The annotated texts, and the pages that quote them, are not part of this report."),
        ("report.md", "The annotated texts, and the pages that quote them, are not part of this report."),
        ("fr/report.html", "ne font pas partie de ce rapport."),
    ],
)
def test_the_report_says_that_texts_are_left_out(
    plain: Bundled, whole: Bundled, page: str, words: str
) -> None:
    assert words in plain.files[f"report/{page}"].decode()
    assert words not in whole.files[f"report/{page}"].decode()


@pytest.mark.slow
def test_only_the_report_of_a_site_says_how_to_bundle_it(plain: Bundled, example_site: Path) -> None:
    words = "<code>reportgen bundle</code> packs all of it"
    assert words in (example_site / "gene-renaming/1.0/index.html").read_text(encoding="utf-8")
    assert words not in plain.files["report/index.html"].decode()


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


@pytest.mark.slow
def test_a_release_without_a_date_is_told(tmp_path: Path) -> None:
    done = run("bundle", bundled.campaign(tmp_path / "c"), "0.9", "--out", tmp_path / "b.zip")
    assert done.exit_code == 0
    assert "guidelines.1.released" in done.stderr


# What the command says


@pytest.mark.slow
def test_the_command_says_what_it_wrote_and_what_it_left_out(tmp_path: Path) -> None:
    done = run("bundle", bundled.campaign(tmp_path / "c"), "1.0", "--out", tmp_path / "b.zip")
    assert done.exit_code == 0
    figure, absent, written, check = done.stdout.splitlines()
    assert figure.startswith("c 1.0: Krippendorff's alpha 0.")
    assert absent == "Not in it: texts (--with-texts), exports (--with-exports)."
    assert written.startswith(f"Written: {tmp_path / 'b.zip'} (")
    assert check == f"Check it: reportgen verify {tmp_path / 'b.zip'}"


@pytest.mark.slow
def test_json_says_the_same_to_programs(tmp_path: Path) -> None:
    folder = bundled.campaign(tmp_path / "c")
    done = run("bundle", folder, "1.0", "--out", tmp_path / "b.zip", "--with-texts", "--json")
    said = json.loads(done.stdout)
    content = (tmp_path / "b.zip").read_bytes()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert said["files"] == {each.filename: each.file_size for each in archive.infolist()}
    assert (said["bytes"], said["date"]) == (len(content), "2026-05-18")
    assert said["figures"][0]["figure"] == "krippendorff_alpha"
