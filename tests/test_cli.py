"""The command line: what each command prints, where, and with which exit status, whatever is closed."""

import contextlib
import io
import json
import os
import pty
import re
import shutil
import subprocess
import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import jsonschema
import pytest
import typer.main
from rich.console import Console

from reportgen import __version__
from reportgen.cli import LONGEST, app
from reportgen.cli.agree import AgreementRequest, agree
from reportgen.cli.common import here
from reportgen.cli.terminal import show_unit_set
from reportgen.readers import ReaderOptions
from reportgen.results import SEVERITIES
from reportgen.words.numbers import estimate
from tests.campaigns import written
from tests.commands import LONG, MATRIX, SEEING, WIDE, files, run, run_alone
from tests.gate.test_check import campaign as compared
from tests.gate.test_check import export, planted, slip

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]  # an app of several commands is a group
SGR_COLOUR = re.compile(r"\x1b\[[0-9;]*(?:3|4|9|10)[0-7]")
PEOPLE = ("Zoé", "Müller", "bob", "smith", "C-17")


def campaign(folder: Path, export: str = MATRIX, toml: str = "", name: str = "e.csv") -> Path:
    return written(folder, toml, {f"exports/1.0/{name}": export})


# Help, version, completion


def test_help_names_every_command_and_what_it_does_in_a_line() -> None:
    assert run("--version").stdout == f"reportgen {__version__}\n"
    listed = run("--help").stdout.partition("Start:")[2]
    assert re.findall(r"^  ([a-z]+) +[A-Z]", listed, re.MULTILINE) == [*COMMANDS]
    assert next(iter(COMMANDS)) == "open"
    for name, command in COMMANDS.items():
        assert run(name, "-h").exit_code == 0
        assert not command.get_short_help_str(LONGEST).endswith("...")
        assert command.get_short_help_str(LONGEST)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_ends_with_an_example_that_it_understands(name: str) -> None:
    program, *words = run(name, "--help").stdout.rstrip().rpartition("Example: ")[2].split()
    assert (program, words[0]) == ("reportgen", name)
    assert COMMANDS[name].make_context(name, words[1:]).params


def test_the_version_says_what_a_report_of_a_fault_needs_and_nobodys_name() -> None:
    told = run("--verbose", "--version").stdout
    assert told == run("--version", "--verbose").stdout
    names = [line.partition(": ")[0] for line in told.splitlines()]
    heads = ["distribution", "formats", "Python", "system", "encodings", "libraries"]
    assert names == [f"reportgen {__version__}", *heads]
    assert "checkout" in told
    assert str(Path.home()) not in told
    assert run().output.startswith("Usage: reportgen")
    assert run("--verbose").exit_code == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("agree", "none.csv", "--json"), "no such file"),
        (("agree", "none.csv", "--json", "--bogus"), "No such option: --bogus"),
        (("check", "--json", "nowhere"), "there is no such folder"),
        (("check", "--format", "json", "nowhere"), "there is no such folder"),
        (("compare", "nowhere", "1", "--json"), "Missing argument"),
    ],
)
def test_what_is_wrong_is_json_where_json_was_asked_for(
    words: Sequence[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*words)
    assert done.exit_code == 2
    told = json.loads(done.stdout)
    assert told["number"] == 1
    assert said in told["problems"][0]["message"]
    assert said in done.stderr
    assert run("agree", "none.csv").stdout == ""


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


def test_agreement_of_a_table_imports_only_what_computes_it(tmp_path: Path) -> None:
    rows = "".join(f"{n},{'ab'[n % 2]},{'ab'[n % 3 == 0]},{'ab'[n % 2]}\n" for n in range(60))
    (tmp_path / "r.csv").write_text(f"unit,ann,bob,cid\n{rows}", encoding="utf-8")
    seen = imported("agree", str(tmp_path / "r.csv"))
    assert {"numpy", "scipy", "reportgen.measures"} <= seen
    assert {"scipy.special", "numpy.f2py", "duckdb", "matplotlib", "jinja2"}.isdisjoint(seen)
    others = {"findings", "pipeline", "versions", "measures.annotators", "results.versions", "figures"}
    assert {"pandas", "pyarrow", *(f"reportgen.{other}" for other in others)}.isdisjoint(seen)


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


def test_build_takes_every_campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    exports = campaign(tmp_path / "campaigns" / "one") / "exports"
    campaign(tmp_path / "campaigns" / "two", WIDE)
    (tmp_path / "campaigns" / "notes").mkdir()
    campaign(tmp_path / "campaigns" / ".hidden")
    monkeypatch.chdir(tmp_path)
    answer = run("build")
    assert (answer.exit_code, answer.stderr) == (0, "")
    *versions, one, two, hint, last = answer.stdout.splitlines()
    assert [line.split(":")[0] for line in versions] == ["one 1.0", "  What to do first", "two 1.0"]
    for name, line in (("one", one), ("two", two)):
        assert line.startswith(f"Written: campaigns/{name}/pseudonyms.csv: keep it with the campaign")
    assert hint == f"Who is A01: reportgen key {Path('campaigns/one')} --out annotators-key.csv"
    assert last == f"Written: {Path('site/index.html')}"
    found = sorted(path.name for path in (tmp_path / "site").iterdir())
    assert found == [".reportgen.json", "index.html", "one", "two"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["campaigns", "site"]
    monkeypatch.chdir(exports)
    answer = run("build")
    assert "Who is A01" not in answer.stdout
    assert answer.stdout.splitlines()[-1] == f"Written: {Path('../../../site/index.html')}"


@pytest.mark.slow
def test_a_campaign_that_is_built_leaves_the_others_of_the_site(tmp_path: Path) -> None:
    one, two, out = campaign(tmp_path / "one"), campaign(tmp_path / "two"), tmp_path / "site"
    assert run("build", one, two, "--out", out).exit_code == 0
    whole = files(out)
    assert run("build", two, "--out", out).exit_code == 0
    assert files(out) == whole
    assert "one/index.html" in (out / "index.html").read_text(encoding="utf-8")


def test_a_campaign_named_twice_is_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.chdir(campaign(tmp_path / "one").parent)
    answer = run("build", "one", "./one/", tmp_path / "one", "--open")
    assert answer.stdout.count("one 1.0:") == 1
    assert opened == [(tmp_path / "site/index.html").as_uri()]
    assert (tmp_path / "site/index.html").read_text(encoding="utf-8").count("<h2") == 1
    # A campaign that lies alone has its site beside it.
    monkeypatch.chdir("one")
    quiet = run("build", "-q")
    assert (quiet.exit_code, quiet.stdout, quiet.stderr) == (0, "", "")
    assert run("build", "-v").stderr == "one: unchanged, taken over\n"


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
    assert built.pop("to_do") == "Agree on how to tell Former from New."
    assert built == {"campaign": "one", "version": "1.0", "page": page, "unchanged": False}
    assert (tmp_path / page).is_file()


def test_check_in_a_campaign_checks_that_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "campaigns").mkdir()
    campaign(tmp_path / "campaigns" / "one")
    monkeypatch.chdir(campaign(tmp_path / "campaigns" / "two"))
    assert [each.resolve().name for each in here("check")] == ["two"]


def test_a_new_campaign_builds_once_it_has_exports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "gene-names").exit_code == 0
    (tmp_path / "campaigns/gene-names/exports/1.0/ratings.csv").write_text(WIDE, encoding="utf-8")
    answer = run("build")
    assert (answer.exit_code, answer.stderr) == (0, "")
    assert answer.stdout.startswith("gene-names 1.0: Krippendorff's alpha")


@pytest.mark.parametrize(
    "name", ["gene-names", "../out", "", "a/b", ".hidden", "compare", "Index.html", "a\n"]
)
def test_new_takes_no_place_of_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "campaigns/gene-names").mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    answer = run("new", name)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert answer.stderr.endswith("1 problem; nothing was written.\n")
    assert sorted(tmp_path.rglob("*")) == before


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
    assert annotators_in(tmp_path / "site", PEOPLE) <= {"A01", "A02", "A03"}
    # Whoever builds is told which files were not read.
    assert "Zoé Müller.pdf" in answer.output.replace("\n", "")


def annotators_in(site: Path, people: Sequence[str]) -> set[str]:
    """Hold that nobody is named in any file of a site; return what its results call annotators."""
    found = files(site)
    assert len(found) > 10
    for name, content in found.items():
        assert [person for person in people if person in name + content.decode()] == [], name
    results = json.loads(found["one/1.0/results.json"])
    shown = {who for each in results["unit_sets"] for who in each["annotators"]}
    assert shown
    return shown


@pytest.mark.parametrize(
    ("name", "other", "text"),
    [
        # One file an annotator, as crowds deliver them; one of them separates with semicolons.
        ("Dora.csv", "Egon.csv", "item;Egon\n1;yes\n2;yes\n"),
        ("round1_Dora.csv", "annotations-Egon.v2.csv", "item,Egon\n1,yes\n2,yes\n"),
    ],
)
def test_names_of_files_name_nobody(tmp_path: Path, name: str, other: str, text: str) -> None:
    folder = campaign(tmp_path / "one", "item,Dora\n1,yes\n2,no\n", name=name)
    (folder / "exports/1.0" / other).write_text(text, encoding="utf-8")
    assert run("build", folder, "--out", tmp_path / "site").exit_code == 0
    assert annotators_in(tmp_path / "site", ("Dora", "Egon")) == {"A01", "A02"}


# Two layers of one export


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


def test_agree_prints_one_unit_set_as_json(table: Write) -> None:
    answer = run("agree", table(WIDE), "--json", "--missing", "yes", "--missing", "maybe")
    unit_set = json.loads(answer.stdout)
    assert (unit_set["layer"], unit_set["id"], unit_set["kind"]) == ("main", "ratings", "items")
    assert unit_set["categories"] == ["no"]
    assert unit_set["annotators"] == ["C-17", "Zoé Müller", "bob.smith"]
    assert unit_set["units"] == 4


def test_agree_takes_categories_scales_sets_and_distances(table: Write) -> None:
    ratings = table("item,a,b\n1,low,mid\n2,high,high\n3,mid,mid\n4,low,high\n")
    numbers = table("item,a,b\n1,0,1\n2,2,2\n3,1,1\n4,0,2\n", "numbers.csv")
    squared = table(",low,mid,high\nlow,0,1,4\nmid,1,0,1\nhigh,4,1,0\n", "squared.csv")
    matrix = table(MATRIX, "matrix.csv")
    sets = table("item,a,b\n1,x|y,y|x\n2,x,x\n", "sets.csv")

    def found(*arguments: str | Path) -> dict[str, Any]:
        printed: dict[str, Any] = json.loads(run("agree", *arguments, "--json").stdout)
        return printed

    ordinal = found(ratings, "--scale", "ordinal", "--categories", "low, mid,high,never")
    assert ordinal["categories"] == ["low", "mid", "high", "never"]
    assert "krippendorff_alpha[ordinal]" in ordinal["measures"]
    interval = found(numbers, "--scale", "interval")["measures"]["krippendorff_alpha[interval]"]
    same = found(ratings, "--distance", squared)["measures"]["krippendorff_alpha[squared]"]
    assert same["value"] == pytest.approx(interval["value"], abs=1e-11)
    marked = found(matrix, "--non-annotated", "Rien")
    assert (marked["non_annotated"], marked["size_curve"]["marked"]) == ("Rien", 214)
    for options, value in (
        (["--set-separator", "|", "--scale", "set"], 1),
        ([], 1),
        (["--scale", "nominal"], 0.5),
    ):
        assert found(sets, *options)["measures"]["observed_agreement"]["value"] == value


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
    assert run("schema", f"{which}s of others").exit_code == 2


def test_a_matrix_that_is_too_wide_numbers_its_columns(table: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")

    def columns(names: Sequence[str]) -> tuple[str, list[str]]:
        many = len(names)
        rows = "".join(f"u{unit},{names[unit % many]},{names[unit * unit % many]}\n" for unit in range(30))
        shown = run("agree", table(f"item,anna,ben\n{rows}")).stdout
        return shown, next(line for line in shown.split("\n") if "anna \\ ben" in line).split()[3:]

    names = [f"A category that is {word}" for word in ("big", "far", "hot", "new", "old", "raw")]
    shown, head = columns(names)
    assert head == ["1", "2", "3", "4", "5", "6", "Total"]
    assert all(f" {number} {name} " in shown for number, name in enumerate(names, 1))
    assert columns(["a", "b"])[1] == ["a", "b", "Total"], "short names stay above their columns"


# `reportgen compare`: two guidelines versions on a terminal, as JSON and as Markdown


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A campaign in which one category fell."""
    return compared(tmp_path / "one", "", [export(slip), export(planted)])


def test_the_terminal_shows_the_page_with_verdict_and_figures(folder: Path) -> None:
    answer = run("compare", folder, "0.9", "1.0")
    assert (answer.exit_code, answer.stderr) == (0, "")
    assert answer.stdout.startswith("# A campaign: guidelines 0.9 and 1.0\n")
    assert "fell from" in answer.stdout
    assert "| Krippendorff's alpha" in answer.stdout


@pytest.mark.slow
def test_json_and_markdown_are_the_files_of_the_site(tmp_path: Path) -> None:
    exports = [export(label).replace("item,A,B", "item,Zoe,Bob") for label in (slip, planted)]
    folder = compared(tmp_path / "one", "", exports)
    printed = {ending: run("compare", folder, "0.9", "1.0", *form) for ending, form in FORMS.items()}
    assert run("build", folder, "--out", tmp_path / "site").exit_code == 0
    site = files(tmp_path / "site")
    for ending, answer in printed.items():
        assert site[f"one/compare/0.9...1.0/comparison.{ending}"] == answer.stdout.encode()
        assert "Zoe" not in answer.stdout


FORMS: dict[str, list[str]] = {"json": ["--json"], "md": []}


def test_versions_the_other_way_round_are_told_and_kept_in_the_campaigns_order(folder: Path) -> None:
    told = run("compare", folder, "1.0", "0.9")
    assert told.stderr == "0.9 is older than 1.0: differences are those from 0.9 to 1.0.\n"
    assert told.stdout == run("compare", folder, "0.9", "1.0").stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["0.8", "1.00"],
            ['has no guidelines version "0.8". Did you mean "0.9"?', 'version "1.00". Did you'],
        ),
        (["1.0", "1.0"], ["1.0 and 1.0 are one guidelines version. Name two: there is also 0.9."]),
    ],
)
def test_what_is_not_compared_is_said_at_once(folder: Path, arguments: list[str], said: list[str]) -> None:
    answer = run("compare", folder, *arguments)
    assert (answer.exit_code, bool(answer.stdout)) == (2, "--json" in arguments)
    *problems, last = answer.stderr.splitlines()
    assert [words in line for words, line in zip(said, problems, strict=True)] == [True] * len(said)
    assert last == ("2 problems." if len(said) > 1 else "1 problem.")


TABLE = "item,anna,ben\n" + "".join(f"u{unit},{'ab'[unit % 2]},{'ab'[unit % 3 % 2]}\n" for unit in range(9))


def _exports(folder: Path) -> None:
    (folder / "exports/1.0").mkdir(parents=True)
    (folder / "exports/1.0/r.csv").write_text(TABLE, encoding="utf-8")


def test_build_of_a_folder_of_exports_says_what_writes_its_campaign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _exports(tmp_path / "mine")
    answer = run("build", tmp_path / "mine")
    assert answer.exit_code == 2
    assert f"has no campaign.toml. Write one from the exports in it: reportgen init {tmp_path / 'mine'}." in (
        answer.stderr
    )
    monkeypatch.chdir(tmp_path / "mine")
    answer = run("build")
    assert answer.exit_code == 2
    assert "reportgen init ." in answer.stderr
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    assert "reportgen init" not in run("build").stderr


@pytest.mark.slow
def test_a_campaign_is_found_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path / "campaigns/reviews", "", {"exports/1.0/r.csv": TABLE})
    (tmp_path / "docs").mkdir()
    for place in (tmp_path, tmp_path / "docs"):
        monkeypatch.chdir(place)
        assert run("build", "reviews", "--out", tmp_path / "site", "-q").exit_code == 0
    assert (tmp_path / "site/reviews/index.html").is_file()
    assert run("gold", "reviews", "--out", tmp_path / "gold.csv").exit_code == 0
    for command in (("build", "revues"), ("bundle", "revues", "1.0", "--out", "b.zip"), ("gold", "revues")):
        refused = run(*command, *(["--out", "g.csv"] if command[0] == "gold" else []))
        assert refused.exit_code == 2
        assert 'there is no such folder. Did you mean "reviews"?' in refused.stderr
    assert "there is no such folder. Check the name." in run("build", "something").stderr
    assert run("bundle", "reviews", "1.0", "--out", tmp_path / "b.zip").exit_code == 0
    assert "no such folder" not in run("compare", "reviews", "1.0", "2.0").stderr
    # What is there under that name is what was named.
    (tmp_path / "docs/reviews").mkdir()
    assert "has no campaign.toml" in run("build", "reviews").stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", ["campaigns", "corpora"])
def test_init_of_a_folder_of_campaigns_describes_each(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    for campaign in ("news", "reviews"):
        _exports(folder / campaign)
    answer = run("init", folder, "--json")
    assert answer.exit_code == 0
    assert [found["campaign"] for found in json.loads(answer.stdout)] == ["news", "reviews"]
    assert all((folder / campaign / "campaign.toml").is_file() for campaign in ("news", "reviews"))
    assert not (folder / "campaign.toml").exists()
    _exports(folder / "talks")
    assert "talks" in run("init", folder).stdout
    assert (folder / "talks/campaign.toml").is_file()
    again = run("init", folder)
    assert again.exit_code == 2
    assert "has campaigns, each with its campaign.toml already." in again.stderr


COMMAND = f"{sys.executable} -m reportgen"
SECOND = '[[guidelines]]\nversion = "1.1"\nexports = "exports"\n'
FLOOR = "\n[gate]\nkrippendorff_alpha = { low = -1.0 }\n"


def typed(line: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a line of a shell."""
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        env={"PATH": "/usr/bin:/bin", **env},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture
def small_campaign(tmp_path: Path) -> Path:
    exports = tmp_path / "c" / "exports"
    exports.mkdir(parents=True)
    (exports / "e.csv").write_text("unit,A,B\n1,x,x\n2,x,y\n3,y,y\n4,y,y\n", encoding="utf-8")
    toml = f'title = "T"\n[[guidelines]]\nversion = "1.0"\nexports = "exports"\n{FLOOR}'
    (tmp_path / "c" / "campaign.toml").write_text(toml, encoding="utf-8")
    return tmp_path / "c"


@pytest.mark.slow
def test_a_closed_standard_error_is_none_of_ours(small_campaign: Path) -> None:
    for stream in ("2>&-", "2>/dev/full"):
        assert typed(f"{COMMAND} check {small_campaign} {stream}").returncode == 0
        assert typed(f"{COMMAND} check {small_campaign}/no {stream}").returncode == 2


@pytest.mark.slow
def test_no_command_needs_a_standard_error(small_campaign: Path) -> None:
    out, twice = small_campaign.parent, small_campaign.parent / "two"
    shutil.copytree(small_campaign, twice)
    toml = (twice / "campaign.toml").read_text(encoding="utf-8").replace("[gate]", SECOND + "[gate]")
    (twice / "campaign.toml").write_text(toml, encoding="utf-8")
    lines = {
        f"build {small_campaign} --out {out}/site": 0,
        f"bundle {small_campaign} 1.0 --with-exports --out {out}/b.zip": 0,
        f"verify {out}/b.zip": 0,
        f"verify {out}/no.zip": 2,
        f"compare {twice} 1.0 1.1": 0,
        f"gold {small_campaign} --out {out}/gold.csv": 0,
    }
    assert {line: typed(f"{COMMAND} {line} 2>&-").returncode for line in lines} == lines


@pytest.mark.slow
@pytest.mark.parametrize("command", ["explain --markdown", "formats", "schema campaign"])
def test_output_that_can_not_be_written_is_no_verdict(command: str) -> None:
    found = typed(f"{COMMAND} {command} > /dev/full")
    said = "The output can't be written: no space left on device.\n"
    assert (found.returncode, found.stderr) == (2, said)


@pytest.mark.slow
def test_whoever_reads_the_beginning_alone_sees_no_traceback() -> None:
    found = typed(f"{COMMAND} schema results | head -c 10; echo ${{PIPESTATUS[0]}}")
    assert (found.stdout[-4:-1], found.stderr) == ("141", "")


@pytest.mark.slow
def test_the_environment_of_other_programs_changes_nothing(small_campaign: Path) -> None:
    odd = {"TZ": ":/etc/passwd", "MPLBACKEND": "garbage"}
    found = typed(f"{COMMAND} build {small_campaign} --out {small_campaign.parent}/site", **odd)
    assert (found.returncode, "Traceback" in found.stderr) == (0, False)
