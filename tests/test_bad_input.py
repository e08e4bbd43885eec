"""What is wrong with the input is said with its place, all of it at once, and nothing is written."""

import os
import shutil
from itertools import product
from pathlib import Path

import pytest
import typer

from reportgen.base.errors import BadInput, Problem
from reportgen.cli.common import problems_to_exit_status
from tests.commands import MATRIX, WIDE, files, not_root, on_disk, run, run_alone

GOOD = """title = "T"
[task]
non_annotated = "Rien"
[[distances]]
id = "expert"
file = "d.csv"
[[guidelines]]
version = "1.0"
"""
DISTANCES = ",Former,New,Rien\nFormer,0,0.5,1\nNew,0.5,0,1\nRien,1,1,0\n"
TOML, EXPORT, TABLE = "campaign.toml", "exports/1.0/e.csv", "d.csv"
LAYERS = GOOD + '[[layers]]\nid = "x"\nscale = "nominal"\n[[layers]]\nid = "y"\nscale = "interval"\n'
SIZES = (
    GOOD
    + '[[unit_sets]]\nid = "all"\nunits = "items"\n'
    + '[[unit_sets]]\nid = "few"\nunits = "declared"\nsize = 213\n'
)
OF_ONE_VERSION = (
    SIZES.replace("213", "1000")
    + '[[guidelines]]\nversion = "2.0"\nexports = "exports/1.0"\nunit_sets = { few = { size = 7 } }\n'
)


def chosen(coefficient: str) -> str:
    """Return a campaign.toml that chooses a coefficient."""
    return GOOD.replace("[task]", f'[task]\ncoefficient = "{coefficient}"')


# The file and its content (None: it is not there); the place as one would type it, and words. What is wrong
# with each kind of file is held where it is read: here is one fault of each, and what only a build finds.
UNREADABLE = (
    (TOML, None, "", "has no campaign.toml."),
    ("campain.toml", GOOD, "", 'has no campaign.toml. Did you mean "campain.toml"?'),
    (TOML, GOOD + "date = \n", f"/{TOML}:9", "what follows = is not a value."),
    (TOML, GOOD + 'dat = "x"\n', f"/{TOML}:9: guidelines.1.dat", 'Did you mean "date"?'),
    (TOML, GOOD.encode() + b'changes = "\xe9"\n', f"/{TOML}:9", "byte 0xe9 is not UTF-8"),
    (TOML, GOOD + 'annotators = ["A3"]\n', f"/{TOML}:9: guidelines.1.annotators", '"A3"'),
    (TOML, chosen("kappa"), f"/{TOML}:3: task.coefficient", "It has cohen_kappa, weighted_kappa"),
    (TOML, chosen("icc_a1"), f"/{TOML}:3: task.coefficient", 'does not exist where scale = "nominal".'),
    (
        TOML,
        chosen("krippendorff_alpha[circular]"),
        f"/{TOML}:3: task.coefficient",
        "Take krippendorff_alpha,",
    ),
    (TOML, chosen("gwet_ac2"), f"/{TOML}:3: task.coefficient", "needs a distance in brackets."),
    (TOML, SIZES, f"/{TOML}:15: unit_sets.2.size", "the size 213 is below the 214 units"),
    (TOML, OF_ONE_VERSION, f"/{TOML}:19: guidelines.2.unit_sets.few.size", "the size 7 is below"),
    (TOML, LAYERS, f"/{TOML}:14: layers.2.scale", "on interval scales every category is a number"),
    (TOML, GOOD + '[[unit_sets]]\nid = "t"\nunits = "tokens"\n', f"/{TOML}:11: unit_sets.1.units", "texts"),
    (EXPORT, None, f"/{TOML}:7: guidelines.1.exports", '"exports/1.0" does not exist.'),
    (EXPORT, MATRIX.replace("New", "Newer"), f"/{TABLE}", '"Newer"'),
    (EXPORT, MATRIX.replace("69", "many"), f"/{EXPORT}:3: row New, column New", '"many" is not a count.'),
    (EXPORT, "", f"/{EXPORT}", "is empty."),
    (EXPORT, MATRIX.replace("New", "Нет").encode("cp1251"), f"/{EXPORT}:1", "byte 0xcd"),
    (EXPORT, "unit,annotator,label\n", f"/{TOML}:7: guidelines.1.exports", EXPORT),
    (EXPORT, b"\x89PNG\r\n\x1a\n\xff", f"/{EXPORT}:1", "is not UTF-8"),
    (TABLE, None, f"/{TOML}:6: distances.1.file", '"d.csv" does not exist.'),
    (TABLE, DISTANCES.replace("0.5", "-0.5"), f"/{TABLE}:2: row Former, column New", "is -0.5;"),
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A good campaign c, and a site built from another, old, campaign."""
    root = tmp_path_factory.mktemp("made")
    for name in ("c", "old"):
        on_disk(root / name, {TOML: GOOD, EXPORT: MATRIX, TABLE: DISTANCES})
    assert run("build", root / "old", "--out", root / "site").exit_code == 0
    return root


@pytest.fixture
def here(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(path: Path, content: str | bytes | None) -> None:
    if content is None:
        path.unlink()
        if path.parent.name == "1.0":
            path.parent.rmdir()
    else:
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def refused(here: Path, *arguments: str) -> list[str]:
    """Hold that a command ends with status 2 and writes nothing; return its lines but the last."""
    before, listed = files(here), sorted(here.iterdir())
    answer = run(*arguments)
    assert answer.exit_code == 2, answer.output
    assert isinstance(answer.exception, SystemExit)
    assert answer.stdout == ""
    assert (files(here), sorted(here.iterdir())) == (before, listed)
    *problems, last = answer.stderr.splitlines()
    assert last == f"{len(problems)} problem{'s' if len(problems) > 1 else ''}; nothing was written."
    return problems


@pytest.mark.parametrize(("file", "content", "place", "said"), UNREADABLE)
def test_a_fault_is_named_with_its_place(
    here: Path, file: str, content: str | bytes | None, place: str, said: str
) -> None:
    if file == "campain.toml":
        (here / "c" / TOML).unlink()
    put(here / "c" / file, content)
    problems = refused(here, "build", "c")
    assert any(problem.startswith(f"c{place}: ") and said in problem for problem in problems), problems


def test_everything_is_said_at_once_over_several_campaigns(here: Path) -> None:
    for name in ("b", "d"):
        shutil.copytree(here / "c", here / name)
    put(here / "b" / TOML, GOOD + 'dat = "x"\nversoin = 1\n')
    put(here / "c" / EXPORT, MATRIX.replace("New", "Newer").replace("69", "x"))
    put(here / "d" / TOML, SIZES.replace("213", "7").replace("[task]", '[task]\ncoefficient = "kappa"'))
    put(here / "d" / TABLE, DISTANCES.replace("Rien", "Nada"))
    put(here / "mine", "")
    (here / "out").mkdir()
    put(here / "out" / "thesis.tex", "years")
    problems = refused(here, "build", "b", "c", "d", "nowhere", "--out", "out")
    assert [problem.partition(": ")[0] for problem in problems] == [
        "b/campaign.toml:9",
        "b/campaign.toml:10",
        "c/exports/1.0/e.csv:3",
        "d/campaign.toml:3",
        "d/campaign.toml:16",
        "d/d.csv",
        "nowhere",
        "out",
    ]


def test_of_many_problems_the_first_are_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["".join(letters) for letters in product("abcdefghij", repeat=3)]
    for number in (100, 101):
        with pytest.raises(typer.Exit) as end, problems_to_exit_status("; nothing was written"):
            raise BadInput(Problem("d.csv", message=f"is {word}.") for word in words[:number])
        *lines, last = capsys.readouterr().err.splitlines()
        assert (end.value.exit_code, len(lines)) == (2, 100)
        first = "; the first 100 are above" if number > 100 else ""
        assert last == f"{number} problems{first}; nothing was written."


def test_alike_problems_are_one_line_and_all_are_counted(here: Path) -> None:
    names = [f"c{place}" for place in range(20)]
    rows = [f"{name},{','.join(['far'] * 20)}" for name in names]
    (here / "c" / TABLE).write_text("\n".join([f",{','.join(names)}", *rows]), encoding="utf-8")
    found = run("build", "c", "--out", "site")
    line, last = found.stderr.splitlines()
    assert "; 399 more are like this, such as in c/d.csv:2" in line
    assert (found.exit_code, last) == (2, "400 problems; nothing was written.")


# Folders


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["c", "--out", "c"], "c: lies in the campaign's folder c."),
        (["c", "--out", "c/site"], "c/site: lies in the campaign's folder c."),
        (["c", "--out", "c/exports/1.0"], "c/exports/1.0: lies in the campaign's folder c."),
        (["c", "--out", "c/../c/x"], "c/../c/x: lies in the campaign's folder c."),
        (["c", "--out", "linked/x"], "linked/x: lies in the campaign's folder c."),
        (["site/c", "--out", "site"], "site: contains the campaign's folder site/c."),
        (["c", "--out", "."], ".: contains the campaign's folder c."),
        (["c", "--out", ""], ".: contains the campaign's folder c."),
        (["c", "sub/C"], "sub/C: has the same folder name as c, which is the campaign's id."),
        (["c", "--out", "c/campaign.toml"], "is not a folder."),
        (["compare"], 'compare: the folder\'s name is "compare", which the site uses for itself.'),
        (["my campaign"], "the folder's name \"my campaign\" is the campaign's id"),
        (["c/campaign.toml"], "c/campaign.toml: is a file; a campaign's folder was expected."),
        (["nowhere"], "nowhere: there is no such folder."),
        (["x" * 300], "file name too long"),
    ],
)
def test_folders_that_can_not_be_are_refused(here: Path, arguments: list[str], said: str) -> None:
    (here / "sub").mkdir()
    for name in ("sub/C", "site/c", "compare", "my campaign"):
        shutil.copytree(here / "c", here / name)
    (here / "linked").symlink_to("c")
    problems = refused(here, "build", *arguments)
    assert any(said in problem for problem in problems), problems


def test_a_folder_name_that_is_no_text_is_no_traceback(here: Path) -> None:
    name = os.fsdecode(b"caf\xe9")
    shutil.copytree(here / "c", here / name)
    answer = run_alone("build", name, cwd=here)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith("caf�: the folder's name")
    (here / "c/exports/1.0" / os.fsdecode(b"\xe9.csv")).write_text(WIDE, encoding="utf-8")
    (problem,) = refused(here, "build", "c")
    assert "is not UTF-8. Rename the file." in problem


def test_no_campaign_at_all(here: Path) -> None:
    (problem,) = refused(here, "build")
    assert problem.startswith(
        "campaigns: has no folder with a campaign.toml, here or above. Name a campaign's folder"
    )
    (here / "campaigns" / "empty").mkdir(parents=True)
    put(here / "campaigns" / "notes.txt", "")
    put(here / "campaigns" / "empty" / "x", "")
    (problem,) = refused(here, "build")
    assert problem.startswith("campaigns: has no folder with a campaign.toml, here or above.")


# What the system refuses


@pytest.fixture
def as_user(here: Path, anybodys: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder that anybody may enter, with the campaign c."""
    shutil.copytree(here / "c", anybodys / "c")
    shutil.copytree(here / "site", anybodys / "closed" / "site")
    for path in anybodys.rglob("*"):
        path.chmod(0o777 if path.is_dir() else 0o666)
    monkeypatch.chdir(anybodys)
    return anybodys


def test_what_may_not_be_read_is_said(as_user: Path) -> None:
    closed = {"folder": "", "toml": TOML, "exports": "exports/1.0", "export": EXPORT, "table": TABLE}
    for name, path in closed.items():
        shutil.copytree(as_user / "c", as_user / "campaigns" / name)
        (as_user / "campaigns" / name / path).chmod(0)
    with not_root():
        answer = run("build")
    assert answer.exit_code == 2, answer.output
    assert isinstance(answer.exception, SystemExit)
    lines = answer.stderr.splitlines()[:-1]
    assert all("permission denied" in line for line in lines), lines
    assert [line.split("/")[1].split(":")[0] for line in lines] == sorted(closed)
    assert not (as_user / "site").exists()


def test_where_may_not_be_written_is_said(as_user: Path) -> None:
    before = files(as_user)
    (as_user / "closed").chmod(0o555)
    for out in ("closed/new", "closed/site", "closed/far/away"):
        with not_root():
            answer = run("build", "c", "--out", out)
        assert answer.exit_code == 2, answer.output
        assert f"{out}: can't be written: permission denied in " in answer.stderr
    (as_user / "closed").chmod(0o755)
    (as_user / "closed" / "site").chmod(0o555)
    with not_root():
        answer = run("build", "c", "--out", "closed/site")
    assert "closed/site: can't be written: permission denied." in answer.stderr
    assert files(as_user) == before


@pytest.mark.parametrize("fault", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_the_old_site_stands_where_writing_stops(
    here: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException
) -> None:
    def stop(*_: object) -> None:
        raise fault

    monkeypatch.setattr("reportgen.pipeline.targets.write_files", stop)
    before = files(here)
    answer = run("build", "c")
    if isinstance(fault, OSError):
        assert answer.exit_code == 2
        assert "site: can't be written: no space left on device. Make room there." in answer.stderr
    else:
        assert answer.exit_code == 130
    assert files(here) == before
    assert sorted(path.name for path in here.iterdir()) == ["c", "old", "site"]
