"""The command line: what each command prints, where, and with which exit status."""

import contextlib
import io
import json
import os
import pty
import re
import subprocess
import sys
import webbrowser
from pathlib import Path
from typing import Protocol

import jsonschema
import pytest
import typer.main
from rich.console import Console

from reportgen import __version__
from reportgen.campaign import Campaign
from reportgen.cli import LONGEST, app
from reportgen.cli.agree import AgreementRequest, agree
from reportgen.cli.common import here
from reportgen.cli.terminal import show_unit_set
from reportgen.readers import ReaderOptions
from reportgen.results import SEVERITIES
from reportgen.words.numbers import estimate
from tests.campaigns import GENE_RENAMING, written
from tests.commands import LONG, MATRIX, SEEING, WIDE, files, run, run_alone

COMMANDS = tuple(typer.main.get_command(app).commands)  # type: ignore[attr-defined]  # an app of several commands is a group
SGR_COLOUR = re.compile(r"\x1b\[[0-9;]*(?:3|4|9|10)[0-7]")
PEOPLE = ("Zoé", "Müller", "bob", "smith", "C-17")


def campaign(folder: Path, export: str = MATRIX, toml: str = "", name: str = "e.csv") -> Path:
    return written(folder, toml, {f"exports/1.0/{name}": export})


# Help, version, completion


def test_help_names_every_command() -> None:
    answer = run("--help")
    assert answer.exit_code == 0
    assert re.findall(r"^  ([a-z]+) +[A-Z]", answer.stdout.partition("Start:")[2], re.MULTILINE) == [
        *COMMANDS
    ]
    assert COMMANDS[0] == "open"
    for command in COMMANDS:
        assert run(command, "-h").exit_code == 0


def test_version_is_the_packages() -> None:
    assert run("--version").stdout == f"reportgen {__version__}\n"


def imported(*command: str) -> set[str]:
    """Return the modules that a command imports."""
    program = (
        "import sys, reportgen.cli\ntry: reportgen.cli.main()\nfinally: print(*sys.modules, file=sys.stderr)"
    )
    run_so = [sys.executable, "-c", program, *command]
    return set(subprocess.run(run_so, capture_output=True, encoding="utf-8", check=True).stderr.split())


def test_help_imports_nothing_that_is_slow() -> None:
    seen = imported("--help")
    assert "typer" in seen
    slow = {"numpy", "scipy", "pandas", "pydantic", "matplotlib", "jinja2", "reportgen.pipeline.build"}
    assert slow.isdisjoint(seen)


@pytest.mark.slow
def test_agreement_of_a_table_imports_only_what_computes_it(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("unit,ann,bob\n1,a,a\n2,a,b\n3,b,b\n")
    seen = imported("agree", str(tmp_path / "r.csv"))
    assert {"numpy", "scipy", "reportgen.measures"} <= seen
    assert {"scipy.special", "numpy.f2py", "duckdb", "matplotlib", "jinja2"}.isdisjoint(seen)


def test_a_shell_completes_commands(tmp_path: Path) -> None:
    # Which shell runs the tests is no matter: the one asked for is named.
    named = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    script = run_alone("--show-completion", "bash", cwd=tmp_path, env=named)
    assert script.returncode == 0
    assert "COMPREPLY" in script.stdout
    asked = {"_REPORTGEN_COMPLETE": "complete_bash", "COMP_WORDS": "reportgen bui", "COMP_CWORD": "1"}
    program = "import sys; sys.argv[0] = 'reportgen'; from reportgen.cli import main; main()"
    answer = subprocess.run(
        [sys.executable, "-c", program], env=SEEING | asked, capture_output=True, encoding="utf-8", check=True
    )
    assert answer.stdout.split() == ["build"]


# build


@pytest.mark.slow
def test_build_takes_every_campaign_below_campaigns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign(tmp_path / "campaigns" / "one")
    campaign(tmp_path / "campaigns" / "two", WIDE)
    (tmp_path / "campaigns" / "notes").mkdir()
    campaign(tmp_path / "campaigns" / ".hidden")
    monkeypatch.chdir(tmp_path)
    answer = run("build")
    assert (answer.exit_code, answer.stderr) == (0, "")
    assert answer.stdout.splitlines()[-1] == f"Written: {Path('site/index.html')}"
    *versions, one, two, hint = answer.stdout.splitlines()[:-1]
    kept = "keep it with the campaign, so that pseudonyms stay the same; never publish it"
    assert [one, two] == [f"Written: campaigns/{name}/pseudonyms.csv: {kept}" for name in ("one", "two")]
    assert [line.split(":")[0] for line in versions] == ["one 1.0", "two 1.0"]
    assert hint == f"Who is A01: reportgen key {Path('campaigns/one')} --out annotators-key.csv"
    assert "Who is A01" not in run("build").stdout
    found = sorted(path.name for path in (tmp_path / "site").iterdir())
    assert found == [".reportgen.json", "index.html", "one", "two"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["campaigns", "site"]


@pytest.mark.slow
def test_build_prints_the_primary_coefficient_with_its_interval(tmp_path: Path) -> None:
    answer = run("build", GENE_RENAMING, "--out", tmp_path / "site")
    assert (answer.exit_code, answer.stderr) == (0, "")
    assert answer.stdout.startswith("gene-renaming 1.0: Cohen's kappa 0.801 [0.755, 0.840], with caution\n")


@pytest.mark.slow
def test_a_campaign_that_is_built_leaves_the_others_of_the_site(tmp_path: Path) -> None:
    one, two, out = campaign(tmp_path / "one"), campaign(tmp_path / "two"), tmp_path / "site"
    assert run("build", one, two, "--out", out).exit_code == 0
    whole = files(out)
    assert run("build", two, "--out", out).exit_code == 0
    assert files(out) == whole
    assert "one/index.html" in (out / "index.html").read_text(encoding="utf-8")


def test_a_campaign_named_twice_is_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign(tmp_path / "one")
    monkeypatch.chdir(tmp_path)
    answer = run("build", "one", "./one/", tmp_path / "one")
    assert answer.stdout.count("one 1.0:") == 1
    assert (tmp_path / "site/index.html").read_text(encoding="utf-8").count("<h2") == 1


def test_build_prints_what_was_built_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign(tmp_path / "one")
    monkeypatch.chdir(tmp_path)
    answer = run("build", "one", "--json", "--out", "out/site")
    page = "out/site/one/1.0/index.html"
    (built,) = json.loads(answer.stdout)
    (layer,) = built.pop("layers")
    assert layer["layer"] == "main"
    assert layer["coefficient"] == "Krippendorff's alpha"
    assert layer["severity"] in SEVERITIES
    assert built.pop("verdict").endswith(".")
    assert built == {"campaign": "one", "version": "1.0", "page": page, "unchanged": False}
    assert (tmp_path / page).is_file()


@pytest.mark.slow
def test_build_looks_for_campaigns_in_the_folders_above(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "campaigns").mkdir()
    exports = campaign(tmp_path / "campaigns" / "one") / "exports"
    campaign(tmp_path / "campaigns" / "two")
    monkeypatch.chdir(exports)
    answer = run("build")
    assert answer.stdout.splitlines()[-1] == f"Written: {Path('../../../site/index.html')}"
    assert sorted(path.name for path in (tmp_path / "site").iterdir() if path.is_dir()) == ["one", "two"]


def test_a_campaign_that_lies_alone_has_its_site_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(campaign(tmp_path / "one"))
    assert run("build").exit_code == 0
    assert (tmp_path / "site/one/1.0/index.html").is_file()


def test_check_in_a_campaign_checks_that_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "campaigns").mkdir()
    campaign(tmp_path / "campaigns" / "one")
    monkeypatch.chdir(campaign(tmp_path / "campaigns" / "two"))
    assert [each.resolve().name for each in here("check")] == ["two"]


def test_build_is_silent_or_says_what_it_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign(tmp_path / "one")
    monkeypatch.chdir(tmp_path)
    quiet = run("build", "one", "-q")
    assert (quiet.exit_code, quiet.stdout, quiet.stderr) == (0, "", "")
    assert run("build", "one", "-v").stderr == "one: unchanged, taken over\n"


def test_build_opens_the_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    campaign(tmp_path / "one")
    monkeypatch.chdir(tmp_path)
    run("build", "one", "--open")
    assert opened == [(tmp_path / "site/index.html").as_uri()]


def test_an_empty_campaign_builds_once_it_has_exports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "gene-names").exit_code == 0
    (tmp_path / "campaigns/gene-names/exports/1.0/ratings.csv").write_text(WIDE, encoding="utf-8")
    answer = run("build")
    assert (answer.exit_code, answer.stderr) == (0, "")
    assert answer.stdout.startswith("gene-names 1.0: Krippendorff's alpha")


@pytest.mark.parametrize(
    "name", ["gene-names", "../out", "", "a/b", ".hidden", "compare", "Index.html", "a\n"]
)
def test_a_new_campaign_takes_no_place_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "campaigns/gene-names").mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    answer = run("new", name)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert answer.stderr.endswith("1 problem; nothing was written.\n")
    assert sorted(tmp_path.rglob("*")) == before


def test_each_command_says_what_it_does_in_a_line() -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]  # an app of several commands
    said = {name: each.get_short_help_str(LONGEST) for name, each in commands.items()}
    assert [name for name, text in said.items() if text.endswith("...") or not text] == []


def on_terminal(command: list[str], cwd: Path, env: dict[str, str], *, errors: bool) -> str:
    """Run a command with standard output, or error, on a terminal; return what the terminal was sent."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command,
        cwd=cwd,
        env={**SEEING, "TERM": "xterm-256color", **env},
        stdout=subprocess.DEVNULL if errors else theirs,
        stderr=theirs if errors else subprocess.DEVNULL,
    ) as process:
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # Linux says so when the other end is closed
            while chunk := os.read(ours, 65536):
                shown += chunk
        assert process.wait(60) == 0
    os.close(ours)
    return shown.decode()


@pytest.mark.slow
def test_progress_is_shown_on_a_terminal_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign(tmp_path / "campaigns" / "one")
    shown = on_terminal([sys.executable, "-m", "reportgen", "build"], tmp_path, {}, errors=True)
    assert "one 1.0: reading exports" in shown
    monkeypatch.chdir(tmp_path)
    piped = run("build")
    assert (piped.exit_code, piped.stderr) == (0, "")
    assert "reading exports" not in piped.stdout


LONG_COMMANDS = (["build"], ["check"], ["compare", "campaigns/one", "2.0", "1.0"])


@pytest.mark.slow
@pytest.mark.parametrize("words", LONG_COMMANDS)
def test_long_commands_have_bars_with_counts_on_a_terminal_only(tmp_path: Path, words: list[str]) -> None:
    toml = (
        "[gate]\nkrippendorff_alpha = { value = -1.0 }\n"
        '[[guidelines]]\nversion = "2.0"\nexports = "exports/1.0"\n'
    )
    campaign(tmp_path / "campaigns" / "one", WIDE, toml)
    command = [sys.executable, "-m", "reportgen", *words]
    shown = on_terminal(command, tmp_path, {}, errors=True)
    assert "Reading files" in shown
    assert re.search(r"(?<!\d)([12])/\1(?!\d)", shown)
    assert SGR_COLOUR.search(shown)
    assert not SGR_COLOUR.search(on_terminal(command, tmp_path, {"NO_COLOR": "1"}, errors=True))
    piped = run_alone(*words, cwd=tmp_path)
    assert (piped.returncode, piped.stderr) == (0, "")
    assert "Reading" not in piped.stdout


@pytest.mark.slow
def test_no_color_means_no_colours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "m.csv").write_text(MATRIX, encoding="utf-8")
    command = [sys.executable, "-m", "reportgen", "agree", "m.csv"]
    assert not SGR_COLOUR.search(on_terminal(command, tmp_path, {"NO_COLOR": "1"}, errors=False))
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b" not in run("agree", tmp_path / "m.csv").stdout


@pytest.mark.slow
def test_keys_that_nothing_acts_on_yet_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toml = """language = ["en", "fr"]
[task]
category_count = 7
"""
    campaign(tmp_path / "campaigns" / "one", toml=toml)
    monkeypatch.chdir(tmp_path)
    answer = run("build")
    place = "campaigns/one/campaign.toml"
    assert answer.exit_code == 0
    assert answer.stderr.splitlines() == [
        f'{place}:4: task.category_count says nothing where no scale is "set".',
    ]


def test_an_annotator_whom_no_export_names_is_pointed_out(tmp_path: Path) -> None:
    toml = '[annotators."bob.smiht"]\nrole = "reference"\n[annotators."bob.smith"]\nsame_as = "Zoe"\n'
    folder = campaign(tmp_path / "one", WIDE, toml)
    answer = run("build", folder, "--out", tmp_path / "site")
    assert answer.exit_code == 0
    first, second = answer.stderr.splitlines()
    assert first.endswith(':2: no export has an annotator "bob.smiht". Did you mean "bob.smith"?')
    assert ':5: no export has an annotator "Zoe".' in second


# Who they are


SHAPES = {
    "wide": WIDE,
    "long": LONG,
    "matrix": "Zoé Müller\\bob.smith,a,b\na,7,1\nb,2,8\n",
}
COLUMNS = 'columns = { unit = "item", annotator = "worker", document = "doc", label = "vote" }\n'


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("asked_for", ["", 'annotators = ["bob.smith"]\n'])
def test_no_annotators_name_is_in_the_site(tmp_path: Path, shape: str, asked_for: str) -> None:
    toml = '[privacy]\nsystems = "pseudonyms"\n[annotators."C-17"]\nrole = "system"\n'
    folder = campaign(tmp_path / "one", SHAPES[shape], toml, "bob.smith.csv")
    (folder / "exports/1.0/Zoé Müller.pdf").write_bytes(b"%PDF\xff")
    with (folder / "campaign.toml").open("a", encoding="utf-8") as file:
        file.write((COLUMNS if shape == "long" else "") + asked_for)
    answer = run("build", folder, "--out", tmp_path / "site")
    assert answer.exit_code == 0, answer.output
    site = files(tmp_path / "site")
    assert len(site) > 10
    for name, content in site.items():
        text = name + content.decode()
        assert [person for person in PEOPLE if person in text] == [], name
    results = json.loads(site["one/1.0/results.json"])
    shown = {who for each in results["unit_sets"] for who in each["annotators"]}
    assert shown
    assert shown <= {"A01", "A02", "A03"}
    # Whoever builds is told which files were not read.
    assert "Zoé Müller.pdf" in answer.output.replace("\n", "")


def test_a_campaign_may_show_names(tmp_path: Path) -> None:
    folder = campaign(tmp_path / "one", WIDE, '[privacy]\nannotators = "names"\n')
    assert run("build", folder, "--out", tmp_path / "site").exit_code == 0
    assert "Zoé Müller" in (tmp_path / "site/one/1.0/index.html").read_text(encoding="utf-8")


def test_two_files_that_are_understood_differently_name_nobody(tmp_path: Path) -> None:
    """One file an annotator, as crowds deliver them; one of them separates with semicolons."""
    folder = campaign(tmp_path / "one", "item,Dora\n1,yes\n2,no\n", name="Dora.csv")
    (folder / "exports/1.0/eve.csv").write_text("item;eve\n1;yes\n2;yes\n", encoding="utf-8")
    answer = run("build", folder, "--out", tmp_path / "site")
    assert answer.exit_code == 0, answer.output
    results = (tmp_path / "site/one/1.0/results.json").read_text(encoding="utf-8")
    assert json.loads(results)["unit_sets"][0]["annotators"] == ["A01", "A02"]
    assert not re.search(r"\b(Dora|eve)\b", results)


def test_a_name_within_a_file_name_is_hidden_too(tmp_path: Path) -> None:
    folder = campaign(tmp_path / "one", "item,Dora\n1,yes\n2,no\n", name="round1_Dora.csv")
    (folder / "exports/1.0/annotations-Egon.v2.csv").write_text("item,Egon\n1,yes\n2,yes\n", encoding="utf-8")
    assert run("build", folder, "--out", tmp_path / "site").exit_code == 0
    for name, content in files(tmp_path / "site").items():
        assert not re.search("Dora|Egon", content.decode()), name


# Two layers of one export


def test_two_layers_may_read_one_export(tmp_path: Path) -> None:
    export = "unit,annotator,tone,stance\n1,a,x,x\n1,b,y,x\n2,a,x,y\n2,b,x,y\n3,a,y,y\n3,b,y,x\n"
    toml = '[[layers]]\nid = "tone"\n[[layers]]\nid = "stance"\n[[distances]]\nid = "d"\nfile = "d.csv"\n'
    folder = campaign(tmp_path / "one", export, toml)
    (folder / "d.csv").write_text(",x,y\nx,0,0.5\ny,0.5,0\n", encoding="utf-8")
    answer = run("build", folder, "--out", tmp_path / "site")
    assert answer.exit_code == 0, answer.output
    results = json.loads((tmp_path / "site/one/1.0/results.json").read_bytes())
    assert [each["layer"] for each in results["unit_sets"]] == ["tone", "stance"]
    assert all("krippendorff_alpha[d]" in each["measures"] for each in results["unit_sets"])
    assert results["marks"] == {"read": 12, "used": 12, "left_out": 0, "missing": 0}
    assert [each["file"] for each in results["inputs"]] == ["d.csv", "exports/1.0/e.csv"]


def test_no_two_unit_sets_share_a_file(tmp_path: Path) -> None:
    export = "unit,annotator,tone\n1,a,x\n1,b,y\n2,a,x\n2,b,x\n"
    layers = '[[layers]]\nid = "main"\nsource = "tone"\n[[layers]]\nid = "x"\nsource = "tone"\n'
    sets = '[[unit_sets]]\nid = "x.a"\nunits = "items"\n[[unit_sets]]\nid = "a"\nunits = "items"\n'
    folder = campaign(tmp_path / "one", export, layers + sets)
    assert run("build", folder, "--out", tmp_path / "site").exit_code == 0
    lines = (tmp_path / "site/one/1.0/SHA256SUMS").read_text(encoding="utf-8").splitlines()
    names = [line.partition("  ")[2] for line in lines]
    assert [name for name in names if names.count(name) > 1] == []


# agree


class Write(Protocol):
    def __call__(self, text: str, name: str = ..., /) -> Path: ...


@pytest.fixture
def table(tmp_path: Path) -> Write:
    def write(text: str, name: str = "export.csv", /) -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize(
    ("text", "options", "shown"),
    [
        (MATRIX, [], ["A2 \\ A1", "18,840", "Cohen's kappa", "0.801 [0.755, 0.840]", "19,054 units"]),
        (
            WIDE,
            [],
            ["3 annotators", "4 units", "mean over pairs", "Krippendorff's alpha", "Highest possible kappa"],
        ),
        (
            LONG,
            ["--columns", "unit=item,annotator=worker,document=doc,label=vote"],
            ["3 annotators", "4 units", "3 documents"],
        ),
    ],
)
def test_agree_prints_every_figure_of_each_shape(
    table: Write, text: str, options: list[str], shown: list[str]
) -> None:
    answer = run("agree", table(text), *options)
    assert (answer.exit_code, answer.stderr) == (0, "")
    for part in shown:
        assert part in answer.stdout


def test_agree_prints_one_unit_set_as_json(table: Write) -> None:
    answer = run("agree", table(WIDE), "--json", "--missing", "yes", "--missing", "maybe")
    unit_set = json.loads(answer.stdout)
    assert (unit_set["layer"], unit_set["id"], unit_set["kind"]) == ("main", "ratings", "items")
    assert unit_set["categories"] == ["no"]
    assert unit_set["annotators"] == ["C-17", "Zoé Müller", "bob.smith"]
    assert unit_set["units"] == 4


def test_agree_takes_categories_a_scale_and_distances(table: Write, tmp_path: Path) -> None:
    ratings = table("item,a,b\n1,low,mid\n2,high,high\n3,mid,mid\n4,low,high\n")
    options = ["--scale", "ordinal", "--categories", "low, mid,high,never", "--json"]
    ordinal = json.loads(run("agree", ratings, *options).stdout)
    assert ordinal["categories"] == ["low", "mid", "high", "never"]
    assert "krippendorff_alpha[ordinal]" in ordinal["measures"]
    (tmp_path / "mine.csv").write_text(",low,mid,high\nlow,0,1,2\nmid,1,0,1\nhigh,2,1,0\n", encoding="utf-8")
    mine = json.loads(run("agree", ratings, "--distance", tmp_path / "mine.csv", "--json").stdout)
    interval = table("item,a,b\n1,0,1\n2,2,2\n3,1,1\n4,0,2\n", "numbers.csv")
    numbers = json.loads(run("agree", interval, "--scale", "interval", "--json").stdout)
    squared = table(",low,mid,high\nlow,0,1,4\nmid,1,0,1\nhigh,4,1,0\n", "squared.csv")
    same = json.loads(run("agree", ratings, "--distance", squared, "--json").stdout)
    value = numbers["measures"]["krippendorff_alpha[interval]"]["value"]
    assert same["measures"]["krippendorff_alpha[squared]"]["value"] == pytest.approx(value, abs=1e-11)
    assert mine["measures"]["krippendorff_alpha[mine]"]["value"] != value


def test_agree_takes_a_taxonomy_and_the_scores_of_gate(table: Write) -> None:
    ratings = table("item,a,b\n1,per,loc\n2,org,org\n3,loc,loc\n4,none,org\n")
    taxonomy = table("parent;child\nplace;loc\nplace;org\nthing;place\nthing;per\n", "tax.csv")
    line = "key={}, response={}, bdm={}, msca=thing, cp=1, dpk=1, dpr=0, n0=2, n1=2, n2=2, bran=1"
    pairs = (("per", "loc", 0), ("per", "org", 0), ("loc", "org", 0.5))
    scores = table("\n".join(["meta", *(line.format(*each) for each in pairs)]) + "\n", "gate.txt")
    options: list[str | Path] = ["--distance", taxonomy, "--distance", scores]
    options += ["--non-annotated", "none", "--json"]
    found = json.loads(run("agree", ratings, *options).stdout)["measures"]
    plain, mine = (found[f"krippendorff_alpha{which}"]["observed"] for which in ("", "[gate]"))
    assert mine == plain, "what is confused has nothing in common"
    assert found["krippendorff_alpha[tax]"]["observed"] == plain
    assert found["krippendorff_alpha[tax]"]["expected"] < found["krippendorff_alpha"]["expected"]


def test_agree_is_readable_in_eighty_columns_and_says_what_the_scale_calls_for(table: Write) -> None:
    rows = [f"u{n},{n % 30},{n % 30 if n % 4 else 31},{n % 30}" for n in range(90)]
    answer = agree(AgreementRequest(table("\n".join(["item,a,b,c", *rows])), ReaderOptions(), "interval"))
    names = {name: name for name in (*answer.unit_set.measures, *answer.unit_set.mean_over_pairs)}
    out = io.StringIO()
    show_unit_set(answer.unit_set, names, "Read.", answer.primary, Console(file=out, width=80, markup=False))
    lines = out.getvalue().splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert lines[1:4] == [
        "3 annotators, 90 units, 31 categories",
        "Labels read 270 = used 270 + left out 0.",
        "For this scale, krippendorff_alpha[interval]: " + estimate(answer.unit_set.measures[answer.primary]),
    ]
    shown = [estimate(each) for each in answer.unit_set.measures.values() if each.value is not None]
    assert all(any(figure in line for line in lines) for figure in shown), "no interval is broken"
    assert any("… 11 more (--json)" in line for line in lines)


def test_agree_takes_a_non_annotated_category_and_sets(table: Write) -> None:
    matrix = json.loads(run("agree", table(MATRIX), "--non-annotated", "Rien", "--json").stdout)
    assert matrix["non_annotated"] == "Rien"
    assert matrix["size_curve"]["marked"] == 214
    sets = table("item,a,b\n1,x|y,y|x\n2,x,x\n", "sets.csv")
    alike = json.loads(run("agree", sets, "--set-separator", "|", "--scale", "set", "--json").stdout)
    assert alike["measures"]["observed_agreement"]["value"] == 1
    found = json.loads(run("agree", sets, "--json").stdout)["measures"]
    assert found["observed_agreement"]["value"] == 1
    names = json.loads(run("agree", sets, "--scale", "nominal", "--json").stdout)["measures"]
    assert names["observed_agreement"]["value"] == 0.5


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--categories", "yes,yes"], '--categories: has "yes" more than once.'),
        (["--columns", "item"], '--columns: "item" does not say which column it is.'),
        (["--columns", "thing=item"], '--columns: "thing" is not known.'),
        (["--columns", "label=nope"], 'columns.label: there is no column "nope".'),
        (["--scale", "ordinal"], "--categories: the scale is ordinal"),
        (["--scale", "interval"], "--scale: on interval scales every category is a number"),
        (["--missing", "yes", "--missing", "no"], "the export has no rating and no mark."),
        (["--distance", "nowhere.csv"], "nowhere.csv: can't be read: no such file or directory."),
        (["--distance", "a(1).csv"], 'a(1).csv: gives its distances the name "a(1)"'),
        (
            ["--distance", "x/d.csv", "--distance", "y/d.csv"],
            'd.csv: is the second table of distances called "d".',
        ),
        (["--scale", "rational"], "'rational' is not one of"),
    ],
)
def test_agree_says_which_option_is_wrong(
    options: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "r.csv").write_text(WIDE, encoding="utf-8")
    for name in ("a(1).csv", "x/d.csv", "y/d.csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(",yes,no\nyes,0,1\nno,1,0\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    answer = run("agree", "r.csv", *options)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert said in answer.stderr
    assert "nothing was written" not in answer.stderr


def test_labels_cannot_steer_the_terminal(table: Write) -> None:
    hostile = table('item,a,"b\x1b]0;owned\x07"\n1,"\x1b[2Jred",x\n2,x,"\u202eright"\n3,x,x\n')
    shown = run("agree", hostile).output + run("agree", hostile, "--scale", "interval").output
    assert "red" in shown
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", shown)


@pytest.mark.slow
def test_a_terminal_that_lacks_a_letter_gets_a_question_mark(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("item,Zoé Müller,bob\n1,ä,ä\n2,b,ä\n", encoding="utf-8")
    answer = run_alone("agree", "r.csv", cwd=tmp_path, env={"PYTHONIOENCODING": "ascii"})
    assert answer.returncode == 0
    assert "Zo? M?ller \\ bob" in answer.stdout
    as_json = run_alone("agree", "r.csv", "--json", cwd=tmp_path, env={"PYTHONIOENCODING": "ascii"})
    assert "Zoé Müller" in json.loads(as_json.stdout)["annotators"]


def test_a_reader_that_closes_the_pipe_sees_no_traceback(tmp_path: Path) -> None:
    program = f"{sys.executable} -m reportgen schema results | head -c 1"
    answer = subprocess.run(["sh", "-c", program], cwd=tmp_path, capture_output=True, check=True)
    assert (answer.stdout, answer.stderr) == (b"{", b"")


# explain, formats, schema


def test_explain_lists_every_measure_and_explains_one() -> None:
    entries = json.loads(run("explain", "--json").stdout)
    listed = run("explain")
    assert listed.exit_code == 0
    for name in entries:
        assert re.search(rf"^{re.escape(name)}\s", listed.stdout, re.MULTILINE)
    kappa = run("explain", "cohen_kappa").stdout
    for part in (entries["cohen_kappa"]["formula"], "Cohen (1960)", "doi:10.1177/001316446002000104"):
        assert part in kappa
    assert list(json.loads(run("explain", "krippendorff_alpha[ordinal]", "--json").stdout)) == [
        "krippendorff_alpha",
        "krippendorff_alpha[ordinal]",
    ]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("alpha", ["krippendorff_alpha"]),
        ("α", ["krippendorff_alpha"]),
        ("Krippendorff's alpha", ["krippendorff_alpha"]),
        ("Krippendorff’s Alpha", ["krippendorff_alpha"]),
        ("kappa", ["cohen_kappa"]),
        ("κ", ["cohen_kappa"]),
        ("Cohen kappa", ["cohen_kappa"]),
        ("F1", ["f_measure"]),
        ("F₁", ["f_measure"]),
        ("AC1", ["gwet_ac1"]),
        ("scott", ["scott_pi"]),
        ("R", ["finn_r", "recall"]),
        ("α[ordinal]", ["krippendorff_alpha", "krippendorff_alpha[ordinal]"]),
    ],
)
def test_explain_knows_names_and_symbols(asked: str, found: list[str]) -> None:
    assert list(json.loads(run("explain", asked, "--json").stdout)) == found
    shown = run("explain", asked).stdout
    assert all(name.partition("[")[0] in shown for name in found)


def test_explain_names_others_that_are_called_alike() -> None:
    assert "Others of that name: " in run("explain", "kappa").stdout
    assert 'Several measures are called "R"' in run("explain", "R").stdout


def test_explain_suggests_the_nearest_measure() -> None:
    answer = run("explain", "cohen_kapa")
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert 'no measure is called "cohen_kapa". Did you mean "cohen_kappa"?' in answer.stderr


def test_formats_lists_every_reader() -> None:
    readers = json.loads(run("formats", "--json").stdout)
    assert {"confusion-matrix", "ratings"} <= {each["name"] for each in readers}
    table = run("formats").stdout
    for each in readers:
        assert each["name"] in table
        assert set(each) == {"name", "title", "tool", "extensions", "reads", "leaves_out"}
        assert each["extensions"][0] in table
    assert max(map(len, table.splitlines())) <= 80


def test_formats_says_what_is_read_of_one() -> None:
    (brat,) = json.loads(run("formats", "brat", "--json").stdout)
    shown = " ".join(run("formats", "brat").stdout.split())
    assert all(brat[key] in shown for key in ("title", "reads", "leaves_out"))
    answer = run("formats", "bart")
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert 'no format is called "bart". Did you mean "brat"?' in answer.stderr


@pytest.mark.parametrize(("given", "meant"), [("0,8", "with a point: 0.8"), ("much", "with digits")])
def test_a_number_that_is_none_is_said_with_the_right_form(given: str, meant: str) -> None:
    answer = run("plan", "--kappa", given)
    assert answer.exit_code == 2
    assert f'"{given}" is not a number. Write it {meant}' in " ".join(answer.stderr.split())


@pytest.mark.parametrize(
    ("which", "key"), [("campaign", "title"), ("results", "unit_sets"), ("texts", "documents")]
)
def test_schema_prints_a_json_schema(which: str, key: str) -> None:
    schema = json.loads(run("schema", which).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["properties"][key]


def test_schema_knows_no_other_schemas() -> None:
    assert run("schema", "site").exit_code == 2


def test_the_schema_of_campaigns_knows_every_key() -> None:
    schema = json.loads(run("schema", "campaign").stdout)
    own = {"id", "folder", "name"}
    assert set(schema["properties"]) == set(Campaign.model_fields) - own
    assert schema["additionalProperties"] is False


def test_a_matrix_that_is_too_wide_numbers_its_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    names = [
        "Congratulation",
        "Disapproval of it",
        "Indifference",
        "Encouragement",
        "Sympathy",
        "Astonishment",
    ]
    rows = "".join(f"u{unit},{names[unit % 6]},{names[unit * unit % 6]}\n" for unit in range(30))
    file = tmp_path / "wide.csv"
    file.write_text(f"item,anna,ben\n{rows}", encoding="utf-8")
    shown = run("agree", file).stdout
    ordered = sorted(names)
    for number, name in enumerate(ordered, 1):
        assert f" {number} {name} " in shown
    head = next(line for line in shown.split("\n") if "anna \\ ben" in line)
    assert head.split()[3:] == ["1", "2", "3", "4", "5", "6", "Total"]
    # Short names stay above their columns.
    file.write_text("item,anna,ben\nu1,a,b\nu2,b,b\nu3,a,a\n", encoding="utf-8")
    head = next(line for line in run("agree", file).stdout.split("\n") if "anna \\ ben" in line)
    assert head.split()[3:] == ["a", "b", "Total"]
