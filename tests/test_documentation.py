"""README, docs and CONTRIBUTING say what is there, and what they say works."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import typer.main

from reportgen.base.errors import BadInput
from reportgen.campaign import campaign_schema
from reportgen.catalogue import CATALOGUE
from reportgen.cli import app
from reportgen.counts import ContingencyTable
from reportgen.measures import ScaleSetting, UnitsOfPair, formulas
from reportgen.measures.distances import nominal
from reportgen.measures.estimate import Estimate
from reportgen.measures.figures_of_sums import coefficient
from reportgen.readers import NO_DOCUMENT, ExportFile, ReaderOptions, readers, readers_markdown
from tests import commands
from tests.conftest import CHECKOUT, OpenPage
from tests.pages import watched

DOCS = {path.name: path.read_text(encoding="utf-8") for path in sorted((CHECKOUT / "docs").glob("*.md"))}
README = (CHECKOUT / "README.md").read_text(encoding="utf-8")
AT_THE_TOP = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
PAGES = (*AT_THE_TOP, *(f"docs/{name}" for name in DOCS))
LONGEST_README, LONGEST_CONTRIBUTING = 200, 240
MOST_WORDS = 55_000

# "`folder/file`:", an empty line, and the file in a fence.
NAMED_FILE = re.compile(r"^`(campaigns/[^`]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OUTPUT = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
# A path with a folder in it, or one of the files at the top.
NAMED_PATH = re.compile(
    r"`((?:reportgen|templates|tests|benchmarks|campaigns|docs|\.ci)/[\w./-]*|[\w-]+\.(?:toml|lock|md))`"
)
FILES_OF_USERS = ("campaign.toml", "report.md", "campaigns/reviews/")


def command_names() -> list[str]:
    return sorted(typer.main.get_command(app).commands)  # type: ignore[attr-defined]  # an app of several commands is a group


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=os.environ | {"PATH": path, "PYTHONWARNDEFAULTENCODING": ""},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def write_first_campaign(folder: Path) -> Path:
    """Write the two files of the tutorial, and return their folder."""
    found = dict(NAMED_FILE.findall(DOCS["first-campaign.md"]))
    assert list(found) == ["campaigns/reviews/exports/1.0/ratings.csv", "campaigns/reviews/campaign.toml"]
    return commands.on_disk(folder, found)


Built = tuple[Path, subprocess.CompletedProcess[str]]


@pytest.fixture
def first_campaign(tmp_path: Path) -> Path:
    """The folder of a reader who has copied the two files of the tutorial."""
    return write_first_campaign(tmp_path)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The same folder with the site that was built of it, and what building it said."""
    folder = write_first_campaign(tmp_path_factory.mktemp("first"))
    return folder, run("reportgen build", folder)


@pytest.mark.parametrize("name", command_names())
def test_docs_have_every_command(name: str) -> None:
    assert f"| `reportgen {name}" in DOCS["commands.md"]


def inserted(name: str) -> str:
    """Return a page as the site has it, with what the program says of itself."""
    return str(run_path(str(CHECKOUT / ".ci/docs_generated.py"))["on_page_markdown"](DOCS[name]))


def test_docs_have_what_readers_and_measures_say_of_themselves() -> None:
    """The site has what `formats` and `explain` print, under the title that its page has already."""
    formats, measures = inserted("formats.md"), inserted("measures.md")
    assert readers_markdown() in formats
    assert all(f"| `{reader.name}` |" in formats for reader in readers())
    assert all(f"(`{measure.id}`" in measures for measure in CATALOGUE)
    assert [line for line in measures.splitlines() if line.startswith("# ")] == ["# The measures"]


def test_the_documentation_is_read_in_an_afternoon() -> None:
    assert sum(len(text.split()) for text in DOCS.values()) < MOST_WORDS


def test_docs_have_every_key_of_campaign_toml() -> None:
    text, schema = inserted("campaign-toml.md"), campaign_schema()
    for name, field in schema["properties"].items():
        assert re.search(rf"^(### \[+|\| `){name}[`.\]]", text, re.MULTILINE), (name, field)
    definitions = [each for name, each in schema["$defs"].items() if not name.endswith("Override")]
    keys = {key for each in definitions for key in each["properties"]}
    assert [key for key in sorted(keys) if f"\n| `{key}` | " not in text] == []


@pytest.mark.slow
def test_the_first_campaign_builds_as_the_tutorial_shows(built: Built) -> None:
    _, done = built
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout in OUTPUT.findall(DOCS["first-campaign.md"])


def test_the_readme_and_contributing_are_read_in_minutes() -> None:
    assert len(README.splitlines()) <= LONGEST_README
    text = (CHECKOUT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LONGEST_CONTRIBUTING


def test_the_first_steps_lead_to_a_report(first_campaign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`init`, then `build`, as the README has them, on the table that it names; and the smallest campaign."""
    toml = first_campaign / "campaigns/reviews/campaign.toml"
    toml.unlink()
    monkeypatch.chdir(first_campaign)
    steps = re.findall(r"^\$ reportgen (.+)$", README, re.MULTILINE)
    assert steps == ["init campaigns/reviews", "build", "agree campaigns/reviews/exports/1.0/ratings.csv"]
    assert [commands.run(*step.split()).exit_code for step in steps] == [0, 0, 0]
    assert (first_campaign / "site/index.html").exists()
    smallest = re.search(r"```toml\n(.*?)```", DOCS["campaign-toml.md"], re.DOTALL)
    assert smallest
    toml.write_text(smallest[1], encoding="utf-8")
    assert commands.run("build").exit_code == 0


def names_in(folder: Path) -> Iterator[str]:
    yield from (f"{path.name}/" if path.is_dir() else path.name for path in folder.iterdir())


def test_the_first_campaign_has_the_files_that_the_docs_list(built: Built) -> None:
    listed = DOCS["report.md"].partition("## What is in a version's folder")[2].partition("One level up")[0]
    named = set(re.findall(r"^\| `([^`]+)`", listed, re.MULTILINE))
    first = built[0] / "site" / "reviews" / "1.0"
    in_texts = CHECKOUT / "site" / "gene-renaming-in-texts" / "1.0"
    there = {version: set(names_in(version)) for version in (first, in_texts)}
    assert there[first] < there[in_texts] == named


def links(page: str) -> Iterator[str]:
    text = (CHECKOUT / page).read_text(encoding="utf-8")
    yield from LINK.findall(FENCE.sub("", text))


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    folder = (CHECKOUT / page).parent
    targets = [link.partition("#")[0] for link in links(page) if "://" not in link]
    assert [target for target in targets if not (folder / target).exists()] == []


@pytest.mark.parametrize("page", AT_THE_TOP)
def test_named_files_exist(page: str) -> None:
    named = NAMED_PATH.findall((CHECKOUT / page).read_text(encoding="utf-8"))
    ours = [name for name in named if not name.startswith(FILES_OF_USERS)]
    assert [name for name in ours if not (CHECKOUT / name).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_pages_hold_no_address_and_no_path_of_one_machine(page: str) -> None:
    text = (CHECKOUT / page).read_text(encoding="utf-8")
    assert re.findall(r"https?://\S+|(?<![\w.`/])/(?:home|root|work|tmp|usr)/\S*", text) == []


# The examples for those who write code: of CONTRIBUTING, and of the page on formats


def example(file: str, **names: object) -> dict[str, Any]:
    """Return what the example for a file of ours defines, given the names that are there already."""
    text = (CHECKOUT / "CONTRIBUTING.md").read_text(encoding="utf-8") + DOCS["own-format.md"]
    block = re.search(rf"^```python\n# {re.escape(file)}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert block
    defined: dict[str, Any] = {**names}
    exec(block[1], defined)  # noqa: S102 - it is ours
    return defined


def test_the_example_of_a_format_reads_and_complains_of_every_record(tmp_path: Path) -> None:
    reader = example("reportgen/readers/votes.py")["READER"]
    path = tmp_path / "votes.jsonl"
    rows = [{"document": "d", "annotator": name, "label": "yes"} for name in "ABC"]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    file = ExportFile(path, path.name)
    assert reader.recognises(file)
    export = reader.read([file], ReaderOptions())
    marks = [(copy.annotator, copy.marks[0].type, copy.marks[0].line) for copy in export.copies]
    assert marks == [("A", "yes", 1), ("B", "yes", 2), ("C", "yes", 3)]
    assert export.sources == (file.source,)
    path.write_text('{"document": "d", "annotator": "A"}\n[]\n', encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        reader.read([ExportFile(path, path.name)], ReaderOptions())
    assert [(problem.line, problem.key) for problem in caught.value.problems] == [(1, "label"), (2, "")]


def pair_of(counts: npt.NDArray[np.int64]) -> UnitsOfPair:
    row, column = np.indices(counts.shape).reshape(2, -1)
    table = ContingencyTable(
        0, 1, len(counts), np.full(row.shape, NO_DOCUMENT), row, column, counts.reshape(-1)
    )
    return UnitsOfPair(table, ScaleSetting())


def test_the_example_of_a_measure_has_the_standard_error_of_a_jackknife() -> None:
    ac1 = example("reportgen/measures/formulas.py", **vars(formulas))["ac1"]

    def compute(pair: UnitsOfPair) -> Estimate:
        return coefficient(ac1, pair.by_labels(pair.rated, nominal(pair.categories)))

    counts = np.array([[118, 5], [2, 1]])
    units = counts.sum()
    figure = compute(pair_of(counts))
    assert figure.value == pytest.approx((119 / 126 - 2 * 243 * 9 / 252**2) / (1 - 2 * 243 * 9 / 252**2))
    without_one = [
        (
            compute(pair_of(counts - (np.arange(4) == cell).reshape(2, 2))).value,
            times,
        )
        for cell, times in enumerate(counts.reshape(-1).tolist())
    ]
    mean = sum(value * times for value, times in without_one) / units
    spread = sum((value - mean) ** 2 * times for value, times in without_one)
    assert figure.standard_error == pytest.approx(np.sqrt((units - 1) / units * spread), rel=0.02)


# What people look for; "ordina" is half typed, and of "releases" the pages may have another form.
ASKED = (
    *("ordinal", "nominal", "install", "privacy", "release", "disagreement", "confidence", "reliability"),
    *("prodigy", "inception", "ordina", "releases", "coefficients"),
)


def test_options_are_not_broken_at_their_hyphens() -> None:
    kept = run_path(str(CHECKOUT / ".ci/docs_options.py"))["on_page_content"]
    span = '<span style="white-space: nowrap">--dry-run</span>'
    assert kept("<code>push --dry-run</code> --dry-run") == f"<code>push {span}</code> --dry-run"
    option = "<code>check --format json</code>"
    assert kept(option) == option.replace("--format json", span.replace("--dry-run", "--format json"))
    for same in ("<pre><code>--dry-run</code></pre>", f"<code>{'long-' * 6}</code>", "<code>word</code>"):
        assert kept(same) == same


@pytest.mark.slow
def test_the_documentation_is_searched_from_disk(tmp_path: Path, open_page: OpenPage) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(tmp_path)]
    subprocess.run(command, cwd=CHECKOUT, check=True)
    page = open_page()
    seen = watched(page)
    page.goto((tmp_path / "index.html").as_uri())
    page.click("text=Search")
    articles = page.locator("#mkdocs-search-results article")
    for word in ASKED:
        page.fill("#mkdocs-search-query", word)
        assert articles.count(), word
    for words, first in (
        ("install", "install.html"),
        ("how to install", "install.html"),
        # A key leads to its table among the keys of campaign.toml.
        ("rejec bel", "campaign-toml.html#controls"),
    ):
        page.fill("#mkdocs-search-query", words)
        assert first in str(articles.first.locator("a").get_attribute("href")) or words[:3] == "how"
        assert page.locator(f"#mkdocs-search-results a[href*='{first}']").count()
    page.fill("#mkdocs-search-query", "xyzzy")
    assert articles.count() == 0
    assert [each for each in seen.requests if not each.startswith(tmp_path.as_uri())] == []
    assert [each for each in seen.spoke if each.startswith("error")] == []


# A path may end in reportgen; what follows `--from` and `--spec` is a command.
NAMED = re.compile(
    r"(?:pip3?|uv tool|uv pip|pipx|uv) (?:install|add|download|inject) (?:-\S+ (?:wheels )?)*"
    r"[\"']?(?:reportgen|agreement[-_]report)\b(?![-/])"
    r"|(?:uvx|pipx run|uv tool run) (?:-(?!-from|-spec)\S+ )*[\"']?(?:reportgen|agreement[-_]report)\b"
    r"|--(?:from|spec)[ =][\"']?(?:reportgen|agreement[-_]report)\b(?!-)"
)


@pytest.mark.parametrize("name", ["reportgen", "agreement-report", "agreement_report"])
def test_an_installation_by_name_alone_is_found(name: str) -> None:
    for text in (
        f'pip install "{name}[engines]"',
        f"python -m pip install --no-index --find-links wheels {name}",
        f"pipx install '{name}'",
        f"uv tool install --python 3.13 {name}".replace(" 3.13", "=3.13"),
        f"uvx {name} open",
        f"pipx run {name}",
        f'uvx --from "{name}[excel]" reportgen open',
    ):
        assert NAMED.search(text), text
    for text in (
        f"pip install ./{name}",
        f'pip install "path/to/{name}[excel]"',
        f"pip install wheels/{name}-*.whl",
        f'uvx --from "./wheels/{name}-1.0.0-py3-none-any.whl[excel]" reportgen open',
    ):
        assert not NAMED.search(text), text


def test_nothing_installs_what_a_package_index_has_under_our_name() -> None:
    """Another project is called reportgen there, and agreement-report is not published yet.

    What works from a checkout or a wheel is said. When it is published, its own name may be said.
    """
    kinds = {".md", ".py", ".j2", ".toml", ".ipynb", ".po", ".yml", ".yaml", ".html", ".cff", ".json", ""}
    folders = (
        CHECKOUT / folder
        for folder in ("docs", "reportgen", "templates", "campaigns", ".ci", ".github", "benchmarks")
    )
    below = (path for folder in folders for path in folder.rglob("*") if path.suffix in kinds)
    top = (path for path in CHECKOUT.iterdir() if path.suffix in kinds)
    texts = {path: path.read_text(encoding="utf-8") for path in (*below, *top) if path.is_file()}
    assert [path for path, text in texts.items() if NAMED.search(text)] == []


def test_a_page_has_one_name_in_the_navigation_and_as_its_title() -> None:
    nav = (CHECKOUT / "mkdocs.yml").read_text(encoding="utf-8")
    named = re.findall(r'^ +- "?(.+?)"?: (\S+\.md)$', nav, re.MULTILINE)
    assert len(named) > 40
    titles = {name: DOCS[name].partition("\n")[0].removeprefix("# ") for _title, name in named}
    assert {name: title for title, name in named} == titles
    # What links to a page calls it so too, unless the link is a part of a sentence.
    texts = {page: FENCE.sub("", (CHECKOUT / page).read_text(encoding="utf-8")) for page in PAGES}
    called = [
        (page, " ".join(each.split()), name)
        for page, text in texts.items()
        for each, name in re.findall(r"(?<!!)\[([A-Z][^]`]+)\]\((?:docs/)?([\w-]+\.md)\)", text)
        if name in titles
    ]
    assert [each for each in called if each[1] != titles[each[2]]] == []
