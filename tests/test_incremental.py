"""A rebuild makes anew what something changed for, and the site comes out as if all had been made anew."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from importlib import metadata
from pathlib import Path

import pytest

from reportgen.base.site_folder import compared, comparison_folder, folders
from reportgen.campaign import load
from reportgen.campaign.toml_tables import TAKEN_BESIDE_VERSIONS
from reportgen.pipeline import build_cache
from reportgen.pipeline.build import Site, build_site
from reportgen.pipeline.build_cache import (
    LIBRARIES,
    SHOWING,
    Made,
    Memory,
    data_intact,
    folder_key,
    inputs_of,
    intact,
    recall,
)
from reportgen.report.site import write_files
from reportgen.results import dumps
from reportgen.results.versions import comparison_data, version_data
from tests.commands import append, edit, files, on_disk, run
from tests.conftest import CHECKOUT
from tests.own_templates import own_templates, read_again
from tests.slowly import slow_but

HEAD = """\
title = "Two versions"
[task]
categories = ["yes", "no"]
[annotators.Zoe]
role = "annotator"
"""
MORE = "[gate]\nkrippendorff_alpha = { value = 0.1 }\n"


def ratings(people: tuple[str, ...] = ("Zoe", "Ben"), turned: int = 7, units: int = 24) -> str:
    """Return ratings by document; everybody says yes to the first half, the last one differs now and then."""
    rows = ["document,item,annotator,label\n"]
    for unit in range(units):
        truth = unit < units // 2
        for person in people:
            said = truth != (person == people[-1] and unit % turned == 0)
            rows.append(f"d{unit // 4},u{unit},{person},{'yes' if said else 'no'}\n")
    return "".join(rows)


def version(name: str, more: str = "") -> str:
    return f'[[guidelines]]\nversion = "{name}"\n{more}\n'


def write(folder: Path, toml: str, exports: dict[str, str]) -> Path:
    tables = {f"exports/{name}/ratings.csv": text for name, text in exports.items()}
    return on_disk(folder, {"campaign.toml": toml, **tables})


TOML = HEAD + version("1") + version("2") + version("3")
ALL = set(folders(["1", "2", "3"]))
EXPORTS = {"1": ratings(turned=5), "2": ratings(), "3": ratings(turned=11)}


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    return write(tmp_path / "c", TOML, EXPORTS)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "site"


@pytest.fixture(scope="module")
def first_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the campaign as it is at first."""
    top = tmp_path_factory.mktemp("first")
    build_site([write(top / "c", TOML, EXPORTS)], top / "site")
    return top / "site"


@pytest.fixture
def standing(first_site: Path, campaign: Path, out: Path) -> None:
    """A copy of that site stands where the campaign is built, which keeps the pseudonyms in it."""
    shutil.copytree(first_site, out)
    shutil.copy(first_site.with_name("c") / "pseudonyms.csv", campaign)


def built(campaign: Path, out: Path, *, fresh: bool = False, prune: bool = False) -> set[str]:
    """Build the site and return the folders that were made anew."""
    (only,) = build_site([campaign], out, fresh=fresh, prune=prune).campaigns
    return set(only.written)


def anew(campaign: Path, tmp_path: Path) -> dict[str, bytes]:
    """Return the files of the site as they are where nothing can be taken over."""
    build_site([campaign], tmp_path / "elsewhere", fresh=True)
    found = files(tmp_path / "elsewhere")
    shutil.rmtree(tmp_path / "elsewhere")
    return found


def inodes(folder: Path) -> dict[str, int]:
    return {name: (folder / name).stat().st_ino for name in files(folder)}


# What changes nothing


@pytest.mark.slow
def test_where_nothing_changed_everything_is_taken_over(
    campaign: Path, out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert built(campaign, out) == ALL
    before, stood = files(out), inodes(out / "c")
    with monkeypatch.context() as patch:
        nothing_is_computed(patch)
        assert built(campaign, out) == set()
    assert (files(out), inodes(out / "c")) == (before, stood)
    assert before == anew(campaign, tmp_path)


@pytest.mark.usefixtures("standing")
def test_what_a_folder_does_not_show_is_read_each_time(campaign: Path, tmp_path: Path) -> None:
    """A folder's key stands for files alone: none where a link or a pipe could hide a change."""
    whole = folder_key(campaign)
    assert len(whole) == 64
    (campaign / "notes.txt").write_text("beside the campaign", encoding="utf-8")
    assert folder_key(campaign) not in {"", whole}
    (campaign / "more").symlink_to(tmp_path)
    assert folder_key(campaign) == ""
    (campaign / "more").unlink()
    os.mkfifo(campaign / "pipe")
    assert folder_key(campaign) == ""
    assert folder_key(tmp_path / "nothing\0there") == ""
    (campaign / "pipe").unlink()
    assert len(folder_key(campaign)) == 64
    with (campaign / "recording.wav").open("wb") as file:
        file.truncate(10**9)  # of zeros, which take no room on the disk
    assert folder_key(campaign) == ""


@pytest.mark.slow
@pytest.mark.usefixtures("standing")
def test_what_computes_and_renders_is_not_even_imported(campaign: Path, out: Path, tmp_path: Path) -> None:
    command = (
        "import sys; from pathlib import Path; from reportgen.pipeline.build import build_site\n"
        f"build_site([Path({str(campaign)!r})], Path({str(out)!r}))\n"
        "print(*sys.modules)"
    )
    alone = [sys.executable, "-c", command]
    again = subprocess.run(alone, capture_output=True, encoding="utf-8", check=True).stdout.split()
    slow = {"numpy", "pandas", "scipy", "matplotlib", "jinja2", "reportgen.measures", "reportgen.report"}
    slow |= {"reportgen.campaign"}
    assert "reportgen.pipeline.build" in again
    assert not slow & set(again)
    # The names are those of what a first build imports, as here.
    build_site([campaign], tmp_path / "first")
    assert {"numpy", "jinja2", "reportgen.measures", "reportgen.report"} <= sys.modules.keys()


@pytest.mark.usefixtures("standing")
def test_what_is_not_read_or_read_as_it_was_makes_nothing_anew(campaign: Path, out: Path) -> None:
    before = files(out / "c")
    (campaign / "notes.txt").write_text("nothing that is read", encoding="utf-8")
    export = campaign / "exports" / "2" / "ratings.csv"
    export.write_bytes(export.read_bytes())
    os.utime(export, (0, 0))
    append(campaign / "campaign.toml", "# a comment\n")
    assert built(campaign, out) == set()
    assert files(out / "c") == before


@pytest.mark.slow
@pytest.mark.parametrize("fresh", [True, False])
@pytest.mark.usefixtures("standing")
def test_fresh_or_without_a_memory_all_is_made_anew(campaign: Path, out: Path, *, fresh: bool) -> None:
    before = files(out)
    if not fresh:
        (out / ".reportgen.json").write_bytes(b"{")
    assert built(campaign, out, fresh=fresh) == ALL
    assert files(out) == before


FIRST, SECOND, THIRD = "compare/1...2", "compare/1...3", "compare/2...3"
# What campaign.toml is then, the exports that change, and what is made anew of all folders.
EDITS: Mapping[str, tuple[str, dict[str, str], set[str]]] = {
    "an export": (TOML, {"2": ratings(turned=6)}, {"2", FIRST, THIRD, ""}),
    "a gate": (TOML + MORE, {}, {FIRST, SECOND, THIRD, ""}),
    "merged categories": (
        HEAD + version("1") + version("2", 'merged = { "maybe" = "no" }') + version("3"),
        {},
        {FIRST, SECOND, ""},
    ),
    "the scale of another version": (TOML + 'scale = "ordinal"\n', {}, ALL),
    "a title": (TOML.replace("Two versions", "Three versions"), {}, ALL),
    "a reason": (TOML + '[[unit_sets]]\nid = "items"\nunits = "items"\nwhy = "Because."\n', {}, ALL),
    "a language": (f'language = ["en", "fr"]\n{TOML}', {}, ALL),
    "a version more": (
        HEAD
        + '[annotators.tagger]\nrole = "system"\n'
        + "".join(version(each) for each in "123")
        + version("4", 'changes = "Sharper."\nmerged = { "perhaps" = "yes" }\ncategories = ["yes", "no"]'),
        {"4": ratings(("Zoe", "Ben", "tagger"))},
        {"4", *(f"compare/{each}...4" for each in "123"), ""},
    ),
    "a version less": (HEAD + version("1") + version("3"), {}, {"", SECOND}),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", slow_but(EDITS))
@pytest.mark.usefixtures("standing")
def test_what_changed_is_made_anew_and_what_did_not_stays_the_same_file(
    campaign: Path, out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    toml, exports, expected = EDITS[name]
    before = inodes(out / "c")
    write(campaign, toml, exports)
    with monkeypatch.context() as patch:
        if name == "a language":
            patch.setattr("reportgen.pipeline.version_reports.compute", None)
            patch.setattr("reportgen.pipeline.version_reports.compare_versions", None)
        found = built(campaign, out, prune=True)
    assert found <= expected
    assert found >= expected - {SECOND, ""}
    assert files(out) == anew(campaign, tmp_path)
    after = inodes(out / "c")
    for folder in {"1", "2", "3", FIRST, SECOND, THIRD} - expected:
        same = {file for file in after if file.startswith(f"{folder}/")}
        assert all(before[file] == after[file] for file in same)


# What changes something


def test_every_file_of_the_program_counts_code_or_data() -> None:
    package = CHECKOUT / "reportgen"
    ours = {path.relative_to(package).as_posix() for path in package.rglob("*") if path.is_file()}
    counted = {name for name, _path in build_cache.own_files()}
    assert "catalogue/more_annotators.toml" in counted
    assert {name for name in ours if "__pycache__" not in name} == counted


@pytest.mark.slow
@pytest.mark.parametrize("dated", slow_but([(False,), (True,)], (True,)))
def test_the_moment_of_a_release_makes_feeds_anew_that_take_it(
    campaign: Path, out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, dated: bool
) -> None:
    toml = (campaign / "campaign.toml").read_text(encoding="utf-8")
    if dated:
        toml = re.sub(r'(version = "(.)")', r"\1\ndate = 2020-01-0\2", toml)
    (campaign / "campaign.toml").write_text(toml, encoding="utf-8")
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    built(campaign, out)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1780000000")
    assert built(campaign, out) == (set() if dated else {""})
    assert files(out) == anew(campaign, tmp_path)
    assert (out / "c" / "feed.xml").exists()
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    built(campaign, out)
    assert (out / "c" / "feed.xml").exists() == dated


# What is computed, and what is rendered


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[Path]:
    with own_templates(tmp_path) as folder:
        yield folder


def nothing_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have everything fail that reads an export or computes."""
    for name in (
        "pipeline.reading.read_campaign",
        "pipeline.version_reports.compute",
        "pipeline.version_reports.compare_versions",
        "versions.comparisons.history",
    ):
        monkeypatch.setattr(f"reportgen.{name}", None)


@pytest.mark.slow
@pytest.mark.usefixtures("standing")
def test_a_changed_template_renders_pages_anew_and_computes_nothing(
    campaign: Path, out: Path, tmp_path: Path, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(pages / "base.html.j2", "</body>", "<p>New.</p></body>")
    read_again()
    before = inodes(out / "c")
    with monkeypatch.context() as patched:
        nothing_is_computed(patched)
        assert built(campaign, out) == ALL
    after = inodes(out / "c")
    for folder in folders(["1", "2", "3"]):
        assert "<p>New.</p>" in (out / "c" / folder / "index.html").read_text(encoding="utf-8")
    for name in ("1/results.json", "2/counts/pairs.csv", "compare/1...2/comparison.json", "history.json"):
        assert after[name] == before[name]
    # Rendered from files or from what was computed a moment ago: no byte is another.
    assert files(out) == anew(campaign, tmp_path)


@pytest.mark.parametrize(
    ("name", "value"), [("SHOWING", ""), ("libraries_of", lambda _: [("numpy", "another")])]
)
@pytest.mark.usefixtures("standing")
def test_another_program_computes_anew(
    campaign: Path, out: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: object
) -> None:
    """Where nothing of the program computes, all of it counts; so do libraries."""
    monkeypatch.setattr(build_cache, name, value)
    build_cache.forget()
    monkeypatch.setattr("reportgen.pipeline.version_reports.compute", None)
    with pytest.raises(TypeError):
        built(campaign, out)
    monkeypatch.undo()
    build_cache.forget()


@pytest.mark.slow
def test_nothing_that_computes_imports_what_renders(campaign: Path) -> None:
    """What is rendered with may change without anything being computed anew."""
    command = (
        "import sys; from pathlib import Path\n"
        "from reportgen.campaign import load; from reportgen.pipeline.reading import read_campaign\n"
        "from reportgen.pipeline.version_reports import compare_versions, compute, names_by_version\n"
        f"known = load(Path({str(campaign)!r})); reads = read_campaign(known)\n"
        "names = names_by_version(known, reads)\n"
        "for each in reads: compute(known, each, names[each.version.id])\n"
        "compare_versions(known, *reads[:2], names['2'])\n"
        "print(*sys.modules)"
    )
    alone = [sys.executable, "-c", command]
    imported = {*subprocess.run(alone, capture_output=True, encoding="utf-8", check=True).stdout.split()}
    assert "reportgen.pipeline.version_reports" in imported
    shown = {name.removesuffix(".py").rstrip("/").replace("/", ".") for name in build_cache.SHOWING}
    assert not {f"reportgen.{name}" for name in shown - {"base.progress"}} & imported
    assert not build_cache.RENDERING & imported
    assert set(LIBRARIES) > build_cache.RENDERING


# What stands in the old site


def rewrite(file: Path, old: str, new: str) -> None:
    """Write into a file as an editor does: to a new one that takes its name."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.unlink()
    file.write_text(text.replace(old, new), encoding="utf-8")


def overwrite(folder: Path) -> None:
    """Change a page."""
    rewrite(folder / "index.html", "</main>", "<p>Bought.</p></main>")


def cheat(folder: Path) -> None:
    """Change a file and its checksum too."""
    before = hashlib.sha256((folder / "index.html").read_bytes()).hexdigest()
    overwrite(folder)
    after = hashlib.sha256((folder / "index.html").read_bytes()).hexdigest()
    rewrite(folder / "SHA256SUMS", before, after)


def lose(folder: Path) -> None:
    """Take a file away."""
    (folder / "report.md").unlink()


def falsify(folder: Path) -> None:
    """Change what pages are rendered from."""
    rewrite(folder / "results.json", "Two versions", "Three versions")


def add(folder: Path) -> None:
    """Put a file beside the others."""
    shutil.copy(folder / "index.html", folder / "copy.html")


@pytest.mark.parametrize(
    ("harm", "part", "anew"),
    slow_but(
        [
            *((harm, part, {part}) for harm in (overwrite, cheat) for part in ("2", FIRST, "")),
            (lose, "1", {"1"}),
            (falsify, "1", {"1"}),
            (add, "1", set[str]()),
            (overwrite, "..", set[str]()),
        ],
        (lose, "1", {"1"}),
        (falsify, "1", {"1"}),
        (add, "1", set[str]()),
        (cheat, "2", {"2"}),
    ),
)
@pytest.mark.usefixtures("standing")
def test_what_was_edited_or_damaged_is_made_anew(
    campaign: Path, out: Path, harm: Callable[[Path], None], part: str, anew: set[str]
) -> None:
    before = files(out)
    harm(out / "c" / part)
    with pytest.MonkeyPatch.context() as patch:
        if harm is not falsify:
            nothing_is_computed(patch)
        assert built(campaign, out) == anew
    assert files(out) == before


def test_a_memory_that_can_not_be_understood_is_ignored(tmp_path: Path) -> None:
    wrong = (b"", b"{", b"[]", b"\xff\xfe", b'{"version": 1}', b'{"version": 4}', b"[" * 99_999)
    for content in (*wrong, b'{"version": 2, "campaigns": {"c": 5}}'):
        (tmp_path / ".reportgen.json").write_bytes(content)
        assert recall(tmp_path) == Memory()


def test_checksums_lead_nowhere_else(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"s")
    digest = hashlib.sha256(b"s").hexdigest()
    for name in ("../secret", str(tmp_path / "secret"), ""):
        sums = f"{digest}  {name}\n".encode()
        (tmp_path / "folder").mkdir(exist_ok=True)
        (tmp_path / "folder" / "SHA256SUMS").write_bytes(sums)
        made = Made(key="", sums=hashlib.sha256(sums).hexdigest())
        assert intact(tmp_path / "folder", made) is None


@pytest.mark.slow
def test_files_are_copied_without_links(campaign: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(18, "Invalid cross-device link")

    built(campaign, out)
    before, stood = files(out), inodes(out / "c" / "1")
    monkeypatch.setattr(os, "link", refuse)
    assert built(campaign, out) == set()
    assert files(out) == before
    assert inodes(out / "c" / "1") != stood


@pytest.mark.usefixtures("standing")
def test_a_build_that_fails_leaves_the_old_site_and_its_memory(campaign: Path, out: Path) -> None:
    before = files(out)
    export = campaign / "exports" / "2" / "ratings.csv"
    good = export.read_bytes()
    export.write_bytes(b"\xff\xff")
    assert run("build", campaign, "--out", out).exit_code == 2
    assert files(out) == before
    export.write_bytes(good)
    assert built(campaign, out) == set()


@pytest.mark.slow
def test_what_there_is_to_tell_is_told_each_time(campaign: Path, out: Path) -> None:
    edit(campaign / "campaign.toml", "Zoe", "Nobody")
    sites: list[Site] = [build_site([campaign], out) for _ in range(2)]
    assert sites[0].notices
    assert sites[0].notices == sites[1].notices
    assert sites[1].campaigns[0].written == []


# Who is remembered


@pytest.mark.usefixtures("standing")
def test_the_memory_tells_of_nobody(campaign: Path, out: Path) -> None:
    """A key made from published digests, or from names alone, would let names be guessed."""
    text = (out / ".reportgen.json").read_text(encoding="utf-8")
    assert not [name for name in ("Zoe", "Ben") if name in text]
    (campaign / "guidelines.md").write_text("Say yes.\n", encoding="utf-8")
    append(campaign / "campaign.toml", 'document = "guidelines.md"\n')

    def known() -> dict[str, str]:
        found = inputs_of(load(campaign)).files
        return {name: digest for name, digest in found.items() if (campaign / name).is_file()}

    before = known()
    assert set(before) >= {"guidelines.md", "exports/1/ratings.csv"}
    plain = {hashlib.sha256((campaign / name).read_bytes()).hexdigest() for name in before}
    assert not plain & set(before.values())
    append(campaign / "exports/1/ratings.csv", "\n")  # nothing that is read
    assert [name for name, digest in known().items() if before[name] != digest] == ["exports/1/ratings.csv"]


@pytest.mark.slow
def test_settings_are_of_this_version_and_name_nobody(campaign: Path, out: Path) -> None:
    def settings() -> list[str]:
        built(campaign, out)
        found = [json.loads((out / "c" / name / "results.json").read_bytes()) for name in "123"]
        assert not any(each["file"] == "campaign.toml" for result in found for each in result["inputs"])
        return [each["settings"] for each in found]

    before = settings()
    assert len(set(before)) == 3
    toml = TOML.replace('"2"', '"2"\nchanges = "x"') + MORE
    write(campaign, toml, {})
    after = settings()
    assert [one == other for one, other in zip(before, after, strict=True)] == [True, False, True]
    renamed = {name: text.replace("Zoe", "Yve") for name, text in EXPORTS.items()}
    write(campaign, toml.replace("Zoe", "Yve"), renamed)
    # Without the table of pseudonyms, which knows that the two are not the same.
    (campaign / "pseudonyms.csv").unlink()
    assert settings() == after


# What is printed


@pytest.mark.slow
@pytest.mark.usefixtures("standing")
def test_progress_says_what_was_taken_over(campaign: Path, out: Path) -> None:
    steps: list[str] = []
    build_site([campaign], out, steps.append)
    assert steps == ["c: unchanged, taken over"]
    write(campaign, TOML, {"2": ratings(turned=6)})
    steps.clear()
    build_site([campaign], out, steps.append)
    assert "c 1: unchanged, taken over" in steps
    assert "c 2: computing agreement" in steps
    assert "c compare/1...3: unchanged, taken over" in steps


# Files with the same bytes


def test_a_page_that_is_rendered_again_with_the_same_bytes_is_the_old_file(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    write_files(old, [(name, "as it was") for name in ("same.html", "other.html", "linked.html")])
    (old / "linked.html").rename(tmp_path / "elsewhere")
    (old / "linked.html").symlink_to(tmp_path / "elsewhere")
    now = {"same.html": "as it was", "other.html": "as it is.", "linked.html": "as it was", "x": "new"}
    assert write_files(new, now.items(), old) == write_files(tmp_path / "apart", now.items())
    assert {name: text.decode() for name, text in files(new).items()} == now
    taken = [name for name in now if (old / name).exists() and (new / name).samefile(old / name)]
    assert taken == ["same.html"]


# What is compared


def test_every_two_of_twelve_versions_are_compared_of_more_neighbours_and_the_newest() -> None:
    versions = [str(number) for number in range(13)]
    assert (compared(["1"]), len(compared(versions[:12]))) == ([], 66)
    near = {(str(number), other) for number in range(12) for other in (str(number + 1), "12")}
    assert (set(compared(versions)), len(compared(versions))) == (near, 23)
    assert list(folders(["1", "2"])) == ["", "1", "2", comparison_folder("1", "2")]
    assert comparison_folder("0.9", "1.0") == "compare/0.9...1.0"


@pytest.mark.slow
def test_no_version_can_be_called_like_what_stands_beside_it(campaign: Path, tmp_path: Path) -> None:
    toml = (campaign / "campaign.toml").read_text(encoding="utf-8")
    dated = toml.replace('version = "1"', 'version = "1"\ndate = 2020-01-01')
    beside: set[str] = set()
    for number, languages in enumerate(('"en", "fr"', '"fr", "en"')):
        out = tmp_path / f"site-{number}"
        (campaign / "campaign.toml").write_text(f"language = [{languages}]\n{dated}", encoding="utf-8")
        built(campaign, out)
        beside |= {path.name for path in (out / "c").iterdir()} - {"1", "2", "3"}
    assert {"feed.xml", "tables", "figures"} < beside
    assert {name.casefold() for name in beside} == set(TAKEN_BESIDE_VERSIONS)


@pytest.mark.usefixtures("standing")
def test_every_folder_has_its_checksums(campaign: Path, out: Path) -> None:
    remembered = recall(out).of("c")
    assert set(remembered.folders) == set(folders(load(campaign).versions))
    listed = [intact(out / "c" / name, made) for name, made in remembered.folders.items()]
    names = {
        f"{name}/{each}".removeprefix("/")
        for name, found in zip(remembered.folders, listed, strict=True)
        for each in found or ()
    }
    assert names == set(files(out / "c"))


def test_every_library_that_a_site_hangs_on_is_known() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    # Counts are the same from every engine, and no page is written for word processors.
    extras = project["optional-dependencies"]
    asked = [
        *project["dependencies"],
        *(each for name in ("gamma", "parquet", "rdf") for each in extras[name]),
    ]
    # Frames are for users of Python: no command imports it. What libraries bring has a lower bound alone.
    brought = {"fonttools", "h11", "idna", "pillow", "pygments"}
    assert set(LIBRARIES) == {each.partition(">")[0].lower() for each in asked} - {"pandas", *brought}
    ours = "".join(path.read_text(encoding="utf-8") for path in (CHECKOUT / "reportgen").rglob("*.py"))
    imported = "fontTools|h11|idna|PIL|pygments"
    assert not re.search(rf"^ *(?:import|from) (?:{imported})\b", ours, re.MULTILINE)


def test_a_folder_that_remembers_no_results_has_none_to_take_over(tmp_path: Path) -> None:
    assert not data_intact(tmp_path, Made(key="k", sums="s", computed="c"))


def test_what_writes_results_is_part_of_what_computes_them() -> None:
    for each in (version_data, comparison_data, dumps):
        name = each.__module__.removeprefix("reportgen.").replace(".", "/")
        assert not f"{name}.py".startswith(SHOWING)


def test_versions_of_libraries_are_those_of_their_metadata() -> None:
    known = dict(build_cache.libraries_of(LIBRARIES))
    assert known == {each: metadata.version(each) for each in known}
    assert {"numpy", "jinja2"} <= known.keys()
