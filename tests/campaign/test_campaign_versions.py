"""One guidelines version with its defaults and overrides worked out."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput
from reportgen.campaign import load

Make = Callable[..., Path]
Whole = tuple[str, Mapping[str, str]]


def test_without_unit_sets_there_are_items(make: Make, smallest: str) -> None:
    """The export's own units are the primary ones then."""
    version = load(make(smallest)).version("1.0")
    assert [(one.id, one.units, one.primary) for one in version.unit_sets] == [("items", "items", True)]
    assert version.sizes(version.primary) is None


def test_without_layers_there_is_main(make: Make, smallest: str) -> None:
    """The task is the only layer, with all its keys."""
    version = load(make(f"{smallest}[task]\nscale = 'ordinal'\n")).version("1.0")
    assert [(one.id, one.source, one.scale) for one in version.layers] == [("main", None, "ordinal")]


def test_without_a_primary_unit_set_the_first_one_is(make: Make, smallest: str) -> None:
    """Exactly one unit set is primary in every version."""
    units = "".join(f"[[unit_sets]]\nid = '{name}'\nunits = '{name}'\n" for name in ("tokens", "sentences"))
    version = load(make(smallest + units)).version("1.0")
    assert [one.primary for one in version.unit_sets] == [True, False]


def test_a_version_has_what_the_campaign_says(make: Make, whole: Whole) -> None:
    """Where a version overrides nothing, the campaign's keys hold."""
    version = load(make(*whole)).version("1.0")
    assert version.task.categories == ("Former", "New")
    assert version.primary.id == "tokens"
    assert [version.sizes(one) for one in version.unit_sets] == [None, 1165, {"one": 12}, None, None]
    assert [table.rows for table in version.distance_tables()] == [((0, 0.5), (0.5, 0))]
    assert [(one.id, one.source, one.scale) for one in version.layers] == [
        ("sentiment", "Sentiment->value", "set")
    ]
    assert version.layers[0].categories == ("Former", "New")
    assert (version.reading.format, version.reading.set_separator) == ("csv", "|")
    assert (version.reading.columns.unit, version.reading.annotators) == ("item", ("A1", "A2"))


def test_a_version_overrides_task_sizes_and_distances(make: Make, whole: Whole) -> None:
    """What a version says differently holds for it alone; a layer still has the last word."""
    version = load(make(*whole)).version("1.1")
    assert version.task.categories == ("Former", "New", "Other")
    assert (version.task.scale, version.task.non_annotated) == ("ordinal", "Rien")
    assert (version.layers[0].scale, version.layers[0].categories) == ("set", ("Former", "New", "Other"))
    assert [version.sizes(one) for one in version.unit_sets][1] == 900
    (table,) = version.distance_tables()
    assert (table.rows, table.file) == (((0, 1), (1, 0)), "distances/second.csv")
    assert (table.id, table.why) == ("expert", "Asked of two biologists.")
    assert version.merged == {"Renamed": ("New",)}
    assert [file.name for file in version.exports] == [
        "exports/1.0/ratings.csv",
        "exports/1.1/A1/one.csv",
        "exports/1.1/A2/one.csv",
    ]


def test_the_non_annotated_category_is_not_among_the_others(make: Make, smallest: str) -> None:
    """Whoever lists it among the categories means the same."""
    toml = f"{smallest}[task]\ncategories = ['New', 'Rien', 'Former']\nnon_annotated = 'Rien'\n"
    version = load(make(toml)).version("1.0")
    assert version.task.categories == version.layers[0].categories == ("New", "Former")


def test_a_layer_without_source_is_its_own_source(make: Make, smallest: str) -> None:
    """A layer usually has the name of its column."""
    version = load(make(f"{smallest}[[layers]]\nid = 'sentiment'\n")).version("1.0")
    assert version.layers[0].source == "sentiment"


def test_versions_stand_in_declared_order(make: Make, whole: Whole) -> None:
    """The newest version is the last one."""
    assert load(make(*whole)).versions == ("1.0", "1.1")


@pytest.mark.parametrize(
    ("asked", "remedy"), [("1.2", 'Did you mean "1'), ("zzz", 'It has "1.0" and "1.1".')]
)
def test_an_unknown_version_is_refused(make: Make, whole: Whole, asked: str, remedy: str) -> None:
    """The error names those that there are."""
    with pytest.raises(BadInput) as raised:
        load(make(*whole), "c").version(asked)
    (problem,) = raised.value.problems
    assert (problem.file, problem.message) == ("c/campaign.toml", f'has no guidelines version "{asked}".')
    assert problem.remedy.startswith(remedy)


def test_a_version_is_found_where_it_is_declared_however_old_it_is(make: Make, smallest: str) -> None:
    """Mistakes are placed by declaration, versions are ordered by date."""
    later = '[[guidelines]]\nversion = "0.9"\ndate = 2020-01-01\nexports = "exports/1.0"\n'
    campaign = load(make(f"{smallest}date = 2021-01-01\n{later}"))
    assert campaign.versions == ("0.9", "1.0")
    assert [campaign.index_of(version) for version in campaign.versions] == [1, 0]
