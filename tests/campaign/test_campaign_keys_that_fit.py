"""Keys of a campaign.toml that must fit each other: of versions, models, annotators and texts."""

from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

import pytest

from reportgen.base.errors import Problem
from reportgen.campaign import idle_keys, load
from tests.cases import cases

Make = Callable[..., Path]
OnlyProblem = Callable[..., Problem]

UNITS = '[[unit_sets]]\nid = "{}"\nunits = "{}"\n'


def test_versions_differ_by_more_than_case(problem: OnlyProblem, smallest: str) -> None:
    """Two versions that some file systems can't tell apart are refused."""
    toml = smallest.replace("1.0", "A", 1) + '[[guidelines]]\nversion = "a"\nexports = "exports/1.0"\n'
    found = problem(toml)
    assert (found.line, found.key) == (6, "guidelines.2.version")
    assert found.message == 'is "a", which differs from guidelines.1 by case at most.'


@pytest.mark.parametrize(
    ("lines", "key"),
    [
        (UNITS.format("x", "items") + UNITS.format("X", "tokens"), "unit_sets.2.id"),
        ('[[layers]]\nid = "x"\n[[layers]]\nid = "x"\n', "layers.2.id"),
        (
            '[[distances]]\nid = "x"\nfile = "d.csv"\n[[distances]]\nid = "X"\nfile = "d.csv"\n',
            "distances.2.id",
        ),
    ],
)
def test_ids_differ_by_more_than_case(problem: OnlyProblem, smallest: str, lines: str, key: str) -> None:
    """Unit sets, layers and distances each have a name of their own."""
    assert problem(smallest + lines, {"d.csv": ",A\nA,0\n"}).key == key


@pytest.mark.parametrize(
    "version",
    ["compare", "index.html", "INDEX.html", "history.json", "tables", "badge.svg", "Feed.xml", "SHA256SUMS"],
)
def test_versions_do_not_take_the_sites_names(problem: OnlyProblem, version: str) -> None:
    """A version's folder would hide a page of the site."""
    toml = f'title = "T"\n[[guidelines]]\nversion = "{version}"\nexports = "exports/1.0"\n'
    assert "which the site uses for itself" in problem(toml).message


@pytest.mark.parametrize("version", ["a...b", "1...", "1..2", "1.."])
def test_versions_have_no_dots_in_a_row(problem: OnlyProblem, version: str) -> None:
    """Of a, a...b and b...c, two comparisons would stand in the folder a...b...c."""
    toml = f'title = "T"\n[[guidelines]]\nversion = "{version}"\nexports = "exports/1.0"\n'
    found = problem(toml)
    assert (found.line, found.key, found.remedy) == (3, "guidelines.1.version", "Write one dot.")


@pytest.mark.parametrize("id_", ["ordinal", "Computed"])
def test_distances_do_not_take_built_in_names(problem: OnlyProblem, smallest: str, id_: str) -> None:
    """krippendorff_alpha[ordinal] must mean one thing."""
    toml = f'{smallest}[[distances]]\nid = "{id_}"\nfile = "d.csv"\n'
    assert "built in" in problem(toml, {"d.csv": ",A\nA,0\n"}).message


def test_only_one_unit_set_is_primary(problem: OnlyProblem, smallest: str) -> None:
    """The verdict rests on one of them."""
    primary = "primary = true\n"
    found = problem(smallest + UNITS.format("a", "items") + primary + UNITS.format("b", "tokens") + primary)
    assert (found.line, found.key) == (12, "unit_sets.2.primary")
    assert "unit_sets.1" in found.message


LAYERS = '[[layers]]\nid = "spans"\n[[layers]]\nid = "genre"\n'


def primaries(smallest: str, first: str, second: str) -> str:
    """Return a campaign of two layers and two unit sets that are primary, with more keys for each."""
    sets = [
        UNITS.format(name, "items") + f"primary = true\n{keys}\n"
        for name, keys in (("a", first), ("b", second))
    ]
    return smallest + LAYERS + "".join(sets)


def test_each_layer_may_have_a_primary_unit_set(make: Make, smallest: str) -> None:
    """Spans and labels of documents have units of different kinds, and a verdict on each."""
    toml = primaries(smallest, 'layers = ["spans"]', 'layers = ["genre"]')
    assert [each.primary for each in load(make(toml)).version("1.0").unit_sets] == [True, True]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ('layers = ["spans"]', 'layers = ["genre", "spans"]'),
        ('layers = ["spans"]', ""),
        ("", 'layers = ["spans"]'),
    ],
)
def test_no_layer_has_two_primary_unit_sets(
    problem: OnlyProblem, smallest: str, first: str, second: str
) -> None:
    found = problem(primaries(smallest, first, second))
    assert found.key == "unit_sets.2.primary"
    assert "give each its layers" in found.remedy


def test_a_unit_set_is_for_layers_that_there_are(problem: OnlyProblem, smallest: str) -> None:
    found = problem(smallest + LAYERS + UNITS.format("a", "items") + 'layers = ["genres"]\n')
    assert (found.key, found.remedy) == ("unit_sets.1.layers", 'Did you mean "genre"?')


def test_declared_units_need_a_size(problem: OnlyProblem, smallest: str) -> None:
    """Declared units without a number are nothing."""
    toml = f"{smallest}non_annotated = 'none'\n{UNITS.format('d', 'declared')}"
    found = problem(toml)
    assert (found.line, found.key, found.remedy) == (6, "unit_sets.1.size", "Write for example size = 1000.")


def test_each_version_may_give_the_size(make: Make, smallest: str) -> None:
    """A size that every version gives is no longer needed once for all."""
    guidelines = f"{smallest}non_annotated = 'none'\nunit_sets = {{ d = {{ size = 5 }} }}\n"
    version = load(make(guidelines + UNITS.format("d", "declared"))).version("1.0")
    assert version.sizes(version.primary) == 5


def test_declared_units_need_a_name_for_unmarked_ones(problem: OnlyProblem, smallest: str) -> None:
    """Unmarked units are counted under a name."""
    found = problem(f"{smallest}{UNITS.format('d', 'declared')}size = 5\n")
    assert (found.line, found.key) == (7, "unit_sets.1.units")
    assert found.remedy == 'Write non_annotated = "none" under [task].'


@pytest.mark.parametrize(
    "place", ["[task]\nnon_annotated = 'x'\n", "[[layers]]\nid = 'l'\nnon_annotated = 'x'\n"]
)
def test_the_name_for_unmarked_units_may_stand_in_task_or_layers(
    make: Make, smallest: str, place: str
) -> None:
    """Wherever the task's keys may stand, this one may."""
    assert load(make(f"{smallest}{UNITS.format('d', 'declared')}size = 5\n{place}")).unit_sets[0].size == 5


@pytest.mark.parametrize(
    ("units", "line", "key"),
    [
        ("items", "size = 5", "size"),
        ("tokens", "keep_marked = true", "keep_marked"),
        ("sentences", "token_pattern = 'x'", "token_pattern"),
        ("items", "base = 'tokens'", "base"),
    ],
)
def test_a_key_that_means_nothing_for_the_units_is_refused(
    problem: OnlyProblem, smallest: str, units: str, line: str, key: str
) -> None:
    """A key without effect is a misunderstanding."""
    found = problem(f"{smallest}{UNITS.format('u', units)}{line}\n")
    assert found.key == f"unit_sets.1.{key}"
    assert found.message == f'means nothing where units = "{units}".'


@pytest.mark.parametrize("lines", ["", "file = 'terms.txt'\nlayer = 'x'\n"])
def test_candidates_need_a_file_or_a_layer(problem: OnlyProblem, smallest: str, lines: str) -> None:
    """Candidates come from one place."""
    found = problem(smallest + UNITS.format("c", "candidates") + lines, {"terms.txt": "x"})
    assert found.message == 'is "candidates", which needs either a file of terms or a layer.'


def test_a_version_overrides_only_what_is_declared(problem: OnlyProblem, smallest: str) -> None:
    """A mistyped unit set is found."""
    toml = smallest + "unit_sets = { gene = { size = 9 } }\n" + UNITS.format("genes", "declared")
    found = problem(f"{toml}size = 5\n[task]\nnon_annotated = 'none'\n")
    assert (found.line, found.key, found.remedy) == (
        5,
        "guidelines.1.unit_sets.gene",
        'Did you mean "genes"?',
    )


def test_a_version_gives_sizes_only_to_declared_units(problem: OnlyProblem, smallest: str) -> None:
    """Other units are counted, not declared."""
    toml = smallest + "unit_sets = { u = { size = 9 } }\n" + UNITS.format("u", "tokens")
    assert 'whose units are not "declared"' in problem(toml).message


def test_a_version_overrides_only_declared_distances(problem: OnlyProblem, smallest: str) -> None:
    """A distance of a version needs its first table."""
    found = problem(f"{smallest}distances = {{ expert = {{ file = 'd.csv' }} }}\n", {"d.csv": ",A\nA,0\n"})
    assert (found.key, found.remedy) == ("guidelines.1.distances.expert", "It declares none.")


@pytest.mark.parametrize(("floor", "key", "message"), cases(__file__, "gate"))
def test_the_gate_speaks_of_what_is_there(
    problem: OnlyProblem, smallest: str, floor: str, key: str, message: str
) -> None:
    """A gate that holds nothing, or something else, would always be open."""
    found = problem(f"{smallest}[gate]\n{floor}\n")
    assert (found.line, found.key) == (6, key)
    assert message in found.message


@pytest.mark.parametrize("lines", ["A.same_as = 'A'", "A.same_as = 'B'\nB.same_as = 'C'"])
def test_a_second_pass_has_a_first_one(problem: OnlyProblem, smallest: str, lines: str) -> None:
    """Nobody is the second pass of themselves or of another second pass."""
    found = problem(f"{smallest}[annotators]\n{lines}\n")
    assert found.key == "annotators.A.same_as"


def test_a_release_is_that_of_a_system(problem: OnlyProblem, smallest: str) -> None:
    """A release alone belongs to nothing."""
    assert problem(f"{smallest}[annotators.A]\nrelease = '2'\n").key == "annotators.A.release"


@pytest.mark.parametrize(("lines", "key", "message", "remedy"), cases(__file__, "sources"))
def test_where_people_annotate_is_said_as_the_tool_needs_it(
    problem: OnlyProblem, smallest: str, *, lines: str, key: str, message: str, remedy: str
) -> None:
    """Servers have an address and a project, other tools a folder."""
    found = problem(f"{smallest}[source]\n{lines}\n")
    assert (found.key, found.message, found.remedy) == (f"source.{key}", message, remedy)


def test_a_password_in_an_address_is_refused_and_not_repeated(problem: OnlyProblem, smallest: str) -> None:
    """Others read campaign.toml, and what is printed."""
    lines = '[source]\ntool = "doccano"\nproject = 1\nurl = "https://boss:s3cret@a.org"\n'
    found = problem(smallest + lines)
    assert found.key == "source.url"
    assert "s3cret" not in str(found)


Whole = tuple[str, Mapping[str, str]]


def test_a_model_says_what_it_is_and_what_it_was_asked(make: Make, whole: Whole) -> None:
    campaign = load(make(*whole))
    model = campaign.annotators["M1"]
    assert (model.role, model.model, model.provider, model.version) == ("model", "a-model", "somebody", "1.0")
    assert (model.prompt, model.temperature, model.seed, model.examples) == ("prompts/1.0.md", 0.0, 7, 5)
    assert model.date == date(2025, 6, 1)
    assert "prompts/1.0.md" in campaign.version("1.0").files


def test_the_rule_says_what_a_person_is_worth(make: Make, whole: Whole) -> None:
    rule = load(make(*whole)).replacement
    assert rule is not None
    assert (rule.epsilon, rule.why, rule.score, rule.q) == (0.1, "A crowd.", "accuracy", 0.1)
    assert (rule.minimum_humans, rule.minimum_instances, rule.expert) == (3, 50, "A1")


def test_without_a_word_it_is_the_papers(make: Make, smallest: str) -> None:
    campaign = load(make(f'{smallest}[annotators.M]\nrole = "model"\n[replacement]\n'))
    rule = campaign.replacement
    assert rule is not None
    assert (rule.epsilon, rule.score, rule.q) == (None, None, 0.05)
    assert (rule.minimum_humans, rule.minimum_instances, rule.expert) == (2, 30, None)
    assert idle_keys(campaign) == []


def test_a_rule_without_a_model_says_nothing(make: Make, smallest: str) -> None:
    (found,) = idle_keys(load(make(f"{smallest}[replacement]\nepsilon = 0.1\n")))
    assert found.line == 5
    assert found.message == '[replacement] says nothing where nobody has role = "model" or "system".'


@pytest.mark.parametrize("score", ["accuracy", "neg_rmse", "similarity", "similarity[expert-2]"])
def test_scores_are_known_by_name(make: Make, smallest: str, score: str) -> None:
    rule = load(make(f'{smallest}[replacement]\nscore = "{score}"\n')).replacement
    assert rule is not None
    assert rule.score == score


@pytest.mark.parametrize(("lines", "place", "said"), cases(__file__, "mistakes"))
def test_each_mistake_has_its_line_and_remedy(
    problem: OnlyProblem, smallest: str, lines: str, place: str, said: str
) -> None:
    found = str(problem(f"{smallest}{lines}\n"))
    assert found.startswith(f"c/campaign.toml:{place}: ")
    assert said in found


Problems = Callable[..., tuple[Problem, ...]]
AMOUNT = "pay_amount = 15\n"


def with_protocol(smallest: str, keys: str) -> str:
    """Return the smallest campaign.toml with [protocol], whose keys begin in line 6."""
    return f"{smallest}[protocol]\n{keys}"


@pytest.mark.parametrize(
    ("keys", "missing"),
    [
        (AMOUNT, {"pay_currency", "pay_per"}),
        (f'{AMOUNT}pay_currency = "EUR"\n', {"pay_per"}),
        (f'{AMOUNT}pay_per = "hour"\n', {"pay_currency"}),
        ("pay_minimum = 12.41\n", {"pay_amount", "pay_currency", "pay_per"}),
        ('pay_currency = "EUR"\npay_per = "hour"\n', {"pay_amount"}),
    ],
)
def test_an_amount_of_pay_says_in_which_currency_and_for_what(
    problems: Problems, smallest: str, keys: str, missing: set[str]
) -> None:
    found = problems(with_protocol(smallest, keys))
    assert {each.key for each in found} == {f"protocol.{key}" for key in missing}
    assert found[0].remedy == "Write pay_amount, pay_currency and pay_per together."
    assert all("says nothing without it." in each.message for each in found)


def test_an_amount_may_be_nothing_and_a_whole_number(make: Make, smallest: str) -> None:
    keys = 'pay_amount = 0\npay_currency = "EUR"\npay_per = "hour"\n'
    assert load(make(with_protocol(smallest, keys))).protocol.pay_amount == 0


@pytest.mark.parametrize("quote", ["", '"'])
def test_annotation_does_not_end_before_it_begins(problems: Problems, smallest: str, quote: str) -> None:
    keys = f"began = {quote}2009-06-02{quote}\nended = {quote}2009-06-01{quote}\n"
    (found,) = problems(with_protocol(smallest, keys))
    assert (found.line, found.key) == (7, "protocol.ended")
    assert found.message == "is 2009-06-01, before began, 2009-06-02."


def test_annotation_may_end_on_the_day_it_begins(make: Make, smallest: str) -> None:
    keys = "began = 2009-06-01\nended = 2009-06-01\n"
    assert load(make(with_protocol(smallest, keys))).protocol.ended == date(2009, 6, 1)


def test_every_key_that_reviewers_ask_for_is_read(make: Make, whole: tuple[str, Mapping[str, str]]) -> None:
    campaign = load(make(*whole))
    for table in (campaign.protocol, campaign.corpus):
        assert [name for name, value in dict(table).items() if value is None] == []
