"""What is wrong in a campaign.toml, said with line, key and remedy."""

from collections.abc import Callable

import pytest

from reportgen.base.errors import MOST_TOLD, Problem, listed
from reportgen.campaign.load import MOST_BYTES
from tests.cases import cases

Problems = Callable[..., tuple[Problem, ...]]
OnlyProblem = Callable[..., Problem]


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
