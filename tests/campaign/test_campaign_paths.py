"""The files that a campaign.toml names: inside the folder, existing, readable."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput, Problem
from reportgen.campaign import load
from tests.cases import cases

Make = Callable[..., Path]
OnlyProblem = Callable[..., Problem]

EXPORTS = 'title = "T"\n[[guidelines]]\nversion = "1.0"\nexports = {}\n'


def _names(folder: Path) -> list[str]:
    return [file.name for file in load(folder).version("1.0").exports]


def _refusal(folder: Path) -> Problem:
    with pytest.raises(BadInput) as raised:
        load(folder, "c")
    (problem,) = raised.value.problems
    return problem


def test_a_folder_is_walked_without_hidden_files(make: Make, smallest: str) -> None:
    """All files of all folders count, sorted by name, but none that is hidden."""
    files = ["b.csv", "a/2.csv", "a/1.csv", ".hidden", ".git/x", "a/.DS_Store"]
    folder = make(smallest, {f"exports/1.0/{name}": "x" for name in files})
    assert _names(folder) == [
        "exports/1.0/a/1.csv",
        "exports/1.0/a/2.csv",
        "exports/1.0/b.csv",
        "exports/1.0/ratings.csv",
    ]


def test_exports_are_given_with_absolute_paths(
    make: Make, smallest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They can be opened from anywhere."""
    monkeypatch.chdir(make(smallest).parent)
    (file,) = load(Path("gene-renaming")).version("1.0").exports
    assert file.path.is_absolute()
    assert file.path.read_text(encoding="utf-8") == "item,A1,A2\n"


def test_a_glob_that_would_never_end_is_refused(make: Make) -> None:
    deep = "/".join("a" * 25)
    folder = make(EXPORTS.format('"**/a/**/a/**/a/**/a/**/x"'), {f"{deep}/y": "x"})
    said = '"**/a/**/a/**/a/**/a/**/x" has "**" more than 3 times, which can take minutes.'
    assert _refusal(folder).message == said
    assert _names(make(EXPORTS.format('"**/a/**/a/**/y"'), {f"{deep}/y": "x"})) == [f"{deep}/y"]


@pytest.mark.parametrize(("exports", "expected"), cases(__file__, "found"))
def test_exports_are_a_folder_a_file_or_globs(make: Make, exports: str, expected: list[str]) -> None:
    """Whatever is named is found once, sorted by name."""
    files = dict.fromkeys(("a/x.csv", "a/y.csv", "a/.z.csv", "b/z.txt", "[1].csv"), "x")
    assert _names(make(EXPORTS.format(exports), files)) == expected


@pytest.mark.parametrize(("exports", "message"), cases(__file__, "refused"))
def test_exports_that_are_not_there_are_refused(problem: OnlyProblem, exports: str, message: str) -> None:
    """The error names what leads nowhere, or out of the folder."""
    found = problem(EXPORTS.format(exports))
    assert (found.line, found.key) == (4, "guidelines.1.exports")
    assert message in found.message
    assert found.remedy


def test_backslashes_are_pointed_out(problem: OnlyProblem) -> None:
    """A path as Windows writes it is not found elsewhere."""
    assert problem(EXPORTS.format(r"'exports\1.0'")).remedy.startswith('Write folders with "/".')


def test_an_empty_folder_of_exports_is_refused(make: Make) -> None:
    """A version without any export has nothing to report."""
    folder = make(EXPORTS.format('"empty"'), {"empty/.keep": ""})
    assert _refusal(folder).message == 'the folder "empty" contains no file.'


def test_a_default_folder_that_is_missing_is_told_at_its_version(problem: OnlyProblem) -> None:
    """The version that lacks its exports is the place to remedy."""
    found = problem('title = "T"\n\n[[guidelines]]\nversion = "2.0"\n')
    assert (found.line, found.key) == (3, "guidelines.1.exports")
    assert found.message == '"exports/2.0" does not exist.'


@pytest.mark.parametrize(
    ("lines", "key"),
    [
        ('document = "{}"', "guidelines.1.document"),
        ('[controls]\nfile = "{}"', "controls.file"),
        ('[[distances]]\nid = "d"\nfile = "{}"', "distances.1.file"),
        ('[[unit_sets]]\nid = "c"\nunits = "candidates"\nfile = "{}"', "unit_sets.1.file"),
        ('non_annotated = "x"\n[[unit_sets]]\nid = "d"\nunits = "declared"\nsize = "{}"', "unit_sets.1.size"),
    ],
)
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere.csv", "does not exist."),
        ("../x", "lies outside"),
        ("/x", "relative"),
        ("exports", "is not a file;"),
    ],
)
def test_every_file_is_inside_and_exists(
    *, problem: OnlyProblem, smallest: str, lines: str, key: str, name: str, message: str
) -> None:
    """What holds for exports holds for each other file."""
    found = problem(f"{smallest}{lines.format(name)}\n")
    assert found.key == key
    assert message in found.message


def test_overriding_files_are_inside_and_exist(problem: OnlyProblem, smallest: str) -> None:
    """The tables of one version are checked as the others are."""
    toml = f'{smallest}distances = {{ d = {{ file = "no.csv" }} }}\n[[distances]]\nid = "d"\nfile = "d.csv"\n'
    assert problem(toml, {"d.csv": ",A\nA,0\n"}).key == "guidelines.1.distances.d.file"


@pytest.mark.parametrize("target", ["../outside", "/etc", "../outside/secret.csv"])
def test_a_link_that_leaves_the_folder_is_refused(make: Make, target: str) -> None:
    """What the link leads to was not given to the campaign."""
    folder = make(EXPORTS.format('"link"'))
    outside = folder.parent / "outside"
    outside.mkdir()
    (outside / "secret.csv").touch()
    (folder / "link").symlink_to(target)
    assert "lies outside the campaign's folder." in _refusal(folder).message


@pytest.mark.parametrize("target", ["../../../outside", "/etc"])
def test_a_link_among_the_exports_that_leaves_the_folder_is_refused(
    make: Make, smallest: str, target: str
) -> None:
    """Walking a folder does not lead out of the campaign."""
    folder = make(smallest)
    (folder.parent / "outside").mkdir()
    (folder / "exports/1.0/link").symlink_to(target)
    assert '"exports/1.0/link" lies outside' in _refusal(folder).message


def test_a_glob_does_not_lead_through_a_link(make: Make) -> None:
    """A pattern reaches no further than a path."""
    folder = make(EXPORTS.format('["*/secret.csv"]'))
    outside = folder.parent / "outside"
    outside.mkdir()
    (outside / "secret.csv").touch()
    (folder / "link").symlink_to("../outside")
    assert "lies outside" in _refusal(folder).message


def test_a_link_inside_the_campaign_is_followed(make: Make) -> None:
    """An unchanged export may be linked to that of another version."""
    folder = make(EXPORTS.format('"exports/current"'))
    (folder / "exports/current").symlink_to("1.0")
    assert _names(folder) == ["exports/current/ratings.csv"]


def test_links_in_a_circle_are_refused(make: Make) -> None:
    """A link to itself leads nowhere."""
    folder = make(EXPORTS.format('"loop"'))
    (folder / "loop").symlink_to("loop")
    assert '"loop"' in _refusal(folder).message


def test_a_linked_folder_below_the_exports_is_refused(make: Make, smallest: str) -> None:
    """Walked, it could lead back to where the walk began."""
    folder = make(smallest)
    (folder / "exports/1.0/again").symlink_to(".")
    assert _refusal(folder).message == '"exports/1.0/again" is neither a file nor a folder.'


def test_a_pipe_among_the_exports_is_refused(make: Make, smallest: str) -> None:
    """Reading it would wait for ever."""
    folder = make(smallest)
    os.mkfifo(folder / "exports/1.0/pipe")
    assert _refusal(folder).message == '"exports/1.0/pipe" is neither a file nor a folder.'


def test_a_file_name_that_is_not_utf_8_is_refused(make: Make, smallest: str) -> None:
    """No report could print it."""
    folder = make(smallest)
    Path(os.fsdecode(os.fsencode(folder) + b"/exports/1.0/\xe9.csv")).touch()
    found = _refusal(folder)
    assert found.remedy == "Rename the file."
    assert str(found).encode()


def test_a_folder_of_exports_that_can_not_be_read_is_refused(
    make: Make, smallest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder is not passed over because the system refuses it."""
    folder = make(smallest).resolve()

    def refuse(top: Path) -> None:
        raise PermissionError(13, "Permission denied", str(top))

    monkeypatch.setattr(os, "scandir", refuse)
    assert _refusal(folder).message == '"exports/1.0" can\'t be read: permission denied.'


def test_exports_that_vanish_after_loading_are_told(make: Make, smallest: str) -> None:
    """What was there a moment ago may be gone."""
    folder = make(smallest)
    campaign = load(folder, "c")
    (folder / "exports/1.0/ratings.csv").unlink()
    with pytest.raises(
        BadInput, match=r"c/campaign.toml: guidelines.1.exports: the folder .* contains no file"
    ):
        campaign.version("1.0")
