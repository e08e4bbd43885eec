"""The files that a campaign.toml names, and what is wrong in it: with line, key and remedy."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reportgen.base.errors import MOST_TOLD, BadInput, Problem, listed
from reportgen.campaign import load
from reportgen.campaign.load import MOST_BYTES
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

    scandir = os.scandir

    def refuse(top: str | Path) -> Any:  # noqa: ANN401 - what os.scandir returns
        if Path(top).name != "1.0":  # Python 3.13 lists folders with it too
            return scandir(top)
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


Problems = Callable[..., tuple[Problem, ...]]


def test_all_mistakes_come_at_once_with_line_and_key(problems: Problems) -> None:
    """One run tells everything, in the order of the file."""
    found = problems(
        'titel = "T"\n'
        'language = "de"\n'
        "[corpus]\n"
        'documents = "many"\n'
        "[[unit_sets]]\n"
        'id = "tokens"\n'
        "[[guidelines]]\n"
        "version = 1.0\n"
        'exports = "exports/1.0"\n'
        "[[guidelines]]\n"
        'version = "1.1"\n'
    )
    assert [(problem.file, problem.line, problem.key) for problem in found] == [
        ("c/campaign.toml", 1, "titel"),
        ("c/campaign.toml", 1, "title"),
        ("c/campaign.toml", 2, "language"),
        ("c/campaign.toml", 4, "corpus.documents"),
        ("c/campaign.toml", 5, "unit_sets.1.units"),
        ("c/campaign.toml", 8, "guidelines.1.version"),
        ("c/campaign.toml", 10, "guidelines.2.exports"),
    ]
    assert all(problem.message and problem.remedy for problem in found)


def test_keys_that_do_not_fit_are_told_beside_wrong_types(problems: Problems, smallest: str) -> None:
    """A wrong type hides no other mistake of the same table."""
    toml = f'{smallest}date = 5\n[[unit_sets]]\nid = 3\nunits = "declared"\n[[guidelines]]\nversion = "1.0"\n'
    keys = {found.key for found in problems(toml)}
    assert keys == {
        "guidelines.1.date",
        "unit_sets.1.id",
        "unit_sets.1.size",
        "unit_sets.1.units",
        "guidelines.2.version",
    }


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ('guideline = "x"', 'Did you mean "guidelines"?'),
        ('Title = "x"', 'Did you mean "title"?'),
        ('scale = "nominal"', "Move it under [task]."),
    ],
)
def test_an_unknown_key_gets_the_nearest_known_one(
    problems: Problems, smallest: str, line: str, meant: str
) -> None:
    """A mistyped or misplaced key is recognised."""
    found = problems(f"{line}\n{smallest}")
    assert [(one.line, one.message, one.remedy) for one in found] == [
        (1, "is not a valid key of this table.", meant)
    ]


@pytest.mark.parametrize(("lines", "key", "meant"), cases(__file__, "keys_of_tables"))
def test_an_unknown_key_in_a_table_is_compared_with_its_keys(
    problems: Problems, smallest: str, lines: str, key: str, meant: str
) -> None:
    """Each table has its own keys, also one inside another."""
    found = {problem.key: problem.remedy for problem in problems(f"{smallest}{lines}\n")}
    assert meant in found[key]


@pytest.mark.parametrize(("lines", "key", "message", "remedy"), cases(__file__, "values"))
def test_a_wrong_value_is_told_with_what_was_found_and_expected(
    *, problem: OnlyProblem, smallest: str, lines: str, key: str, message: str, remedy: str
) -> None:
    """The sentence names value and expectation in words of a linguist, and how to write it."""
    found = problem(f"{smallest}{lines}\n")
    assert found.key == key
    assert message in found.message
    assert remedy in found.remedy
    assert found.remedy


@pytest.mark.parametrize("size", ["0", "0x" + "f" * 5000, "-5", "true", "1.5", "[1]"])
def test_a_size_is_a_positive_number_or_a_file(problem: OnlyProblem, smallest: str, size: str) -> None:
    """Anything else is refused with both possibilities."""
    toml = f"{smallest}non_annotated = 'none'\n[[unit_sets]]\nid = 'd'\nunits = 'declared'\nsize = {size}\n"
    found = problem(toml)
    assert found.key == "unit_sets.1.size"
    assert "a whole number above 0, or the name of a CSV file, was expected." in found.message


@pytest.mark.parametrize("lines", ["", "guidelines = []"])
def test_a_campaign_without_guidelines_version_is_refused(problem: OnlyProblem, lines: str) -> None:
    """At least one version is needed."""
    found = problem(f'title = "T"\n{lines}\n')
    assert found.key == "guidelines"
    assert "at least one was expected." in found.message


def test_a_missing_version_says_nothing_about_exports(problem: OnlyProblem) -> None:
    """Where the version is not known, the default folder of its exports isn't either."""
    found = problem('title = "T"\n[[guidelines]]\nchanges = "x"\n')
    assert (found.line, found.key, found.message) == (2, "guidelines.1.version", "is missing.")


def test_messages_hold_no_control_characters(problems: Problems, smallest: str) -> None:
    """What a file says can't rewrite the terminal that shows the error."""
    toml = f'"\\u001b[2J" = 1\n{smallest}[corpus]\ndoi = "\\u001b[2J\\n"\n[annotators]\n"\\r" = []\n'
    assert all(str(found).isprintable() for found in problems(toml))


def test_a_long_text_is_shortened(problem: OnlyProblem, smallest: str) -> None:
    """An error stays readable."""
    found = problem(f"{smallest}[corpus]\ndoi = '{'x' * 1000}'\n")
    assert len(found.message) < 200


def test_of_thousands_of_mistakes_the_first_are_listed_and_all_are_counted(problems: Problems) -> None:
    """Neither time nor paper is wasted on what nobody reads."""
    found = problems("".join(f"k{place} = 1\n" for place in range(3000)))
    assert len(found) == MOST_TOLD
    assert found[0].message == "has 3,002 mistakes, of which 99 are listed."
    assert listed(found) == (found, 3002)
    just_enough = problems("".join(f"k{place} = 1\n" for place in range(MOST_TOLD - 2)))
    assert (len(just_enough), listed(just_enough)[1]) == (MOST_TOLD, MOST_TOLD)
    assert not any("are listed" in problem.message for problem in just_enough)


def test_more_versions_than_a_history_can_show_are_refused_as_one_mistake(problem: OnlyProblem) -> None:
    found = problem("title = 'T'\n" + "".join(f"[[guidelines]]\nversion = 'v{n}'\n" for n in range(1001)))
    assert (found.line, found.key) == (2, "guidelines")
    assert found.message == "are 1,001 versions; 1,000 are compared at most."


def test_a_file_of_many_megabytes_is_not_read(problem: OnlyProblem, smallest: str) -> None:
    found = problem(smallest + "#" * MOST_BYTES)
    assert found.message == f"has {MOST_BYTES + len(smallest):,} bytes; {MOST_BYTES:,} are read at most."
