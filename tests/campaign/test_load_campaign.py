"""From a campaign's folder to its Campaign, its versions and JSON Schema, or to bad input with its line."""

import json
import shutil
import string
import tomllib
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from reportgen.base.errors import BadInput, Problem
from reportgen.campaign import campaign_schema, load
from reportgen.campaign.csv_tables import read_distances, read_sizes
from reportgen.campaign.load import locate
from reportgen.campaign.toml_tables import CampaignToml, KeyPath
from tests.cases import cases, stored
from tests.commands import not_root

Make = Callable[..., Path]
OnlyProblem = Callable[..., Problem]
Whole = tuple[str, Mapping[str, str]]


def test_the_smallest_campaign_has_all_defaults(make: Make, smallest: str) -> None:
    """A title and one guidelines version with exports are enough."""
    campaign = load(make(smallest))
    assert (campaign.id, campaign.title, campaign.language) == ("gene-renaming", "Smallest", ("en",))
    assert (campaign.privacy.annotators, campaign.privacy.texts) == ("pseudonyms", "show")
    assert campaign.privacy.documents is None
    assert (campaign.task.scale, campaign.task.categories, campaign.task.non_annotated) == (
        "nominal",
        (),
        None,
    )
    assert (campaign.corpus.name, campaign.protocol.independent, campaign.controls) == (None, None, None)
    assert (campaign.authors, campaign.references, campaign.annotators, campaign.gate) == ((), (), {}, {})


def test_exports_default_to_the_folder_of_the_version(make: Make) -> None:
    """Without `exports` those of version 1.0 are in exports/1.0."""
    campaign = load(make('title = "T"\n[[guidelines]]\nversion = "1.0"\n'))
    assert campaign.guidelines[0].exports == ("exports/1.0",)
    assert [file.name for file in campaign.version("1.0").exports] == ["exports/1.0/ratings.csv"]


def test_the_whole_campaign_toml_loads(make: Make, whole: Whole) -> None:
    """Every key of the design is known and keeps its value."""
    campaign = load(make(*whole))
    assert campaign.language == ("en", "fr")
    assert campaign.references[1].authors == ("Klaus Krippendorff",)
    assert campaign.guidelines[0].date == date(2009, 6, 1)
    assert campaign.guidelines[0].columns.pass_ == "round"  # noqa: S105 - no password but a column
    assert campaign.annotators["A3"].same_as == "A1"
    assert campaign.gate["krippendorff_alpha"][0].fall == "significant"
    assert campaign.gate["specific_agreement"][0].annotators == ("A1", "A2")
    strict = campaign.gate["f_measure[strict]"][0]
    assert (strict.margin, strict.at) == (0.05, 0.1)


def test_an_annotator_with_a_system_is_a_system(make: Make, whole: Whole) -> None:
    """The release of a system is no annotator unless it is said to be one."""
    campaign = load(make(*whole))
    assert (campaign.annotators["T2"].role, campaign.annotators["A3"].role) == ("system", "annotator")


def test_a_date_in_quotes_is_a_date(make: Make, smallest: str) -> None:
    """Whoever quotes a date means the same day."""
    campaign = load(make(f'{smallest}date = "2009-06-01"\n'))
    assert campaign.guidelines[0].date == date(2009, 6, 1)


def test_a_campaign_cannot_be_changed(make: Make, smallest: str) -> None:
    """What was asked stays what was asked."""
    campaign = load(make(smallest))
    with pytest.raises(ValueError, match="frozen"):
        campaign.title = "Other"  # type: ignore[misc]  # the point of the test


def test_a_byte_order_mark_is_no_part_of_the_text(make: Make, smallest: str) -> None:
    """Editors that mark UTF-8 files are welcome."""
    assert load(make(b"\xef\xbb\xbf" + smallest.encode())).title == "Smallest"


def test_the_id_of_the_folder_one_stands_in_is_its_name(
    make: Make, smallest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A campaign called "." has the name of its folder all the same."""
    monkeypatch.chdir(make(smallest))
    campaign = load(Path())
    assert (campaign.id, campaign.file) == ("gene-renaming", "campaign.toml")


def _refusal(folder: Path) -> Problem:
    with pytest.raises(BadInput) as raised:
        load(folder, "c")
    (problem,) = raised.value.problems
    return problem


def test_a_folder_without_campaign_toml_is_refused(tmp_path: Path) -> None:
    """The error says which file is missing."""
    assert str(_refusal(tmp_path)) == (
        "c: has no campaign.toml. Name a campaign's folder, which has a campaign.toml."
    )


def test_a_file_of_a_similar_name_is_pointed_out(tmp_path: Path) -> None:
    """A mistyped file name is found."""
    (tmp_path / "Campaign.toml").touch()
    assert _refusal(tmp_path).remedy == 'Did you mean "Campaign.toml"?'


def test_a_folder_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    """The error says that there is no folder."""
    assert str(_refusal(tmp_path / "nowhere")) == "c: there is no such folder. Check the name."


def test_a_file_is_not_a_campaign(tmp_path: Path) -> None:
    """The error says that a folder was expected."""
    (tmp_path / "file").touch()
    assert _refusal(tmp_path / "file").message == "is a file; a campaign's folder was expected."


def test_a_campaign_toml_without_permission_is_refused(
    make: Make, smallest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error names the file and the system's reason."""

    def refuse(_file: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    folder = make(smallest)
    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert str(_refusal(folder)).startswith("c/campaign.toml: can't be read: permission denied.")


def test_the_system_refuses_a_folder_without_permission(make: Make, smallest: str, anybodys: Path) -> None:
    """A folder that nobody may read is refused with a sentence."""
    folder = shutil.copytree(make(smallest), anybodys / "gene-renaming")
    folder.chmod(0)
    with not_root():
        assert "permission denied" in _refusal(folder).message


@pytest.mark.parametrize("name", ["two words", "Index.html", "compare", "-x", "line\n"])
def test_the_folders_name_must_be_an_id(make: Make, smallest: str, name: str) -> None:
    """The folder's name is the campaign's id and stands in the site's addresses."""
    folder = make(smallest)
    problem = _refusal(folder.rename(folder.with_name(name)))
    assert (problem.file, problem.remedy) == ("c", "Rename the folder.")


def test_a_campaign_toml_that_is_not_utf_8_names_the_line(problem: OnlyProblem) -> None:
    """The first byte that is not UTF-8 is located."""
    found = problem(b'title = "T"\n# \xe9t\xe9\n')
    assert (found.file, found.line) == ("c/campaign.toml", 2)
    assert found.remedy == "Save the file as UTF-8."


def test_errors_of_all_tables_come_at_once(make: Make, whole: Whole) -> None:
    """Wrong distances and wrong sizes are told together, under the names that the user would type."""
    text, files = whole
    wrong = dict(files) | {"distances/second.csv": ",A\nA,1\n", "sizes.csv": "document,size\none,few\n"}
    with pytest.raises(BadInput) as raised:
        load(make(text, wrong), "campaigns/c")
    assert {problem.file for problem in raised.value.problems} == {
        "campaigns/c/distances/second.csv",
        "campaigns/c/sizes.csv",
    }


@pytest.mark.parametrize(("lines", "line", "message", "remedy"), cases(__file__, "malformed"))
def test_malformed_toml_is_told_with_line_and_remedy(
    problem: OnlyProblem, lines: str, line: int, message: str, remedy: str
) -> None:
    """The error names the line, shows it, and says how to write it."""
    found = problem(f"# first line\n{lines}")
    assert (found.file, found.line) == ("c/campaign.toml", line)
    assert message in found.message
    assert remedy in found.remedy
    assert str(found).isprintable()


def test_the_line_is_shown(problem: OnlyProblem) -> None:
    """Nobody has to count lines to see what is meant."""
    found = problem("title = Gene\r\n")
    assert found.message == 'what follows = is not a value. The line reads "title = Gene".'


def test_a_key_of_a_thousand_parts_is_refused(make: Callable[..., Path]) -> None:
    folder = make(f"title = 'T'\n{'.'.join(['a'] * 1000)} = 1\n")
    with pytest.raises(BadInput, match="lists or tables are nested too deeply"):
        load(folder)


TEXT = stored("campaigns/keys-anywhere.toml")


@pytest.mark.parametrize(("path", "line"), cases(__file__, "present"))
def test_a_key_is_located_at_its_statement(path: KeyPath, line: int) -> None:
    """Strings and lists of several lines, inline tables and dotted keys are no obstacle."""
    assert locate(TEXT, [tuple(path)]) == {tuple(path): line}


@pytest.mark.parametrize(("path", "line"), cases(__file__, "absent"))
def test_a_missing_key_is_located_at_its_table(path: KeyPath, line: int) -> None:
    """Where nothing stands, the table that lacks it is the place."""
    assert locate(TEXT, [tuple(path)]) == {tuple(path): line}


def test_line_ends_of_windows_count_once() -> None:
    """The line is that of the editor."""
    assert locate(TEXT.replace("\n", "\r\n"), [("guidelines", 1, "version")]) == {
        ("guidelines", 1, "version"): 21
    }


def test_other_line_separators_of_unicode_do_not_count() -> None:
    """TOML and editors know two line ends."""
    assert locate('a = "x\u2028y\u0085z"\nb = 1', [("b",)]) == {("b",): 2}


def test_many_keys_of_a_long_file_are_located_quickly() -> None:
    """Thousands of lines do not mean thousands of times the whole file."""
    text = "".join(f'[[guidelines]]\nversion = "{number}"\n' for number in range(2000))
    paths: list[KeyPath] = [("guidelines", number, "version") for number in range(0, 2000, 100)]
    assert list(locate(text, paths).values()) == [2 * number + 2 for number in range(0, 2000, 100)]


KEYS = [
    *sorted(CampaignToml.model_fields),
    *("id", "version", "units", "size", "file", "exports", "value", "pass", "scale", "same_as", "categories"),
]
WORDS = [
    *("", "a", "A", "1.0", "items", "declared", "en", "..", "/", "*"),
    *("exports", "{annotator}", "index.html"),
]

keys = st.sampled_from(KEYS) | st.text(string.printable, max_size=3)
leaves = (
    st.sampled_from(WORDS)
    | st.text(max_size=5)
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.just(10**400)
    | st.dates(min_value=date(1, 1, 1))
)
values: st.SearchStrategy[Any] = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)

several = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml(key)} = {_toml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return value.isoformat() if isinstance(value, date) else json.dumps(value, ensure_ascii=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one export."""
    folder = tmp_path / "campaign"
    (folder / "exports").mkdir(parents=True)
    (folder / "exports/x.csv").touch()
    return folder


def _told(read: Callable[[], object]) -> tuple[Problem, ...]:
    """Return what is wrong with what is read, each in one line of text that a terminal can show."""
    found: tuple[Problem, ...] = ()
    try:
        assert read()
    except BadInput as error:
        found = error.problems
    assert all(problem.message and str(problem).isprintable() for problem in found)
    return found


def _load(folder: Path, content: bytes) -> None:
    (folder / "campaign.toml").write_bytes(content)
    for problem in _told(lambda: load(folder)):
        assert 0 <= problem.line <= content.count(b"\n") + 1


@several
@example(b"\xff\xfe\x00")
@example(b"\x00\x00\xfe\xff\x00")
@example(b'title = "\\ud800"')
@given(st.binary(max_size=200))
def test_any_bytes_are_a_campaign_or_bad_input(folder: Path, content: bytes) -> None:
    """Bytes that are no text are told as such."""
    _load(folder, content)


@several
@given(st.dictionaries(keys, values, max_size=6))
def test_any_toml_is_a_campaign_or_bad_input(folder: Path, data: dict[str, Any]) -> None:
    """Tables of any shape are told where they are no campaign."""
    text = "\n".join(f"{_toml(key)} = {_toml(value)}" for key, value in data.items())
    _load(folder, text.replace("NaN", "nan").replace("Infinity", "inf").encode(errors="replace"))


@several
@given(st.binary(max_size=80) | st.text('AB,;0-1.5e\n" document,size', max_size=80).map(str.encode))
def test_any_table_is_read_or_bad_input(tmp_path: Path, content: bytes) -> None:
    """Distance tables and sizes hold to the same."""
    (tmp_path / "table.csv").write_bytes(content)
    path = tmp_path / "table.csv"
    _told(lambda: read_distances(path, "table.csv"))
    _told(lambda: read_sizes(path, "table.csv"))


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


def _as_json(text: str) -> object:
    """Return TOML as editors hand it to a JSON Schema, dates being texts."""
    return json.loads(json.dumps(tomllib.loads(text), default=str))


def _validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(
        campaign_schema(), format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
    )


def test_the_schema_is_a_schema_of_its_draft() -> None:
    """It says which draft it follows and what it describes."""
    schema = campaign_schema()
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["title"] == "campaign.toml"
    jsonschema.Draft202012Validator.check_schema(schema)


def test_the_schema_accepts_what_loads(whole: Whole, smallest: str) -> None:
    """What an editor marks as wrong is wrong."""
    for text in (whole[0], smallest, smallest.replace('"exports/1.0"', '["exports/*"]')):
        _validator().validate(_as_json(text))


@pytest.mark.parametrize(
    "lines",
    [
        "exprots = 'x'",
        "[corpus]\ndocuments = '5'",
        "[task]\nscale = 'ordnal'",
        "[[unit_sets]]\nid = 'a b'\nunits = 'items'",
        "[[unit_sets]]\nid = 'a'\nunits = 'items'\nsize = 0",
        "[gate]\ncohen_kappa = { value = 2 }",
        "date = 5",
    ],
)
def test_the_schema_refuses_what_does_not_load(smallest: str, lines: str) -> None:
    """Editors mark mistyped keys and wrong values."""
    assert not _validator().is_valid(_as_json(f"{smallest}{lines}\n"))


def _properties(node: object) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if isinstance(node, dict):
        yield from (pair for pair in node.get("properties", {}).items())
        for child in node.values():
            yield from _properties(child)


def test_every_key_is_described() -> None:
    """What an editor offers, it also explains."""
    schema = campaign_schema()
    tables = {f"#/$defs/{name}": table for name, table in schema["$defs"].items()}
    undescribed = [
        name
        for name, field in _properties(schema)
        if not field.get("description") and not tables.get(field.get("$ref", ""), {}).get("description")
    ]
    assert undescribed == []


def test_overriding_tables_have_no_defaults_of_their_own() -> None:
    """What a layer or a version leaves open comes from [task], and the schema says nothing else."""
    definitions = campaign_schema()["$defs"]
    assert definitions["Task"]["properties"]["scale"]["default"] == "nominal"
    assert "default" not in definitions["Layer"]["properties"]["scale"]
    assert "default" not in definitions["Guidelines"]["properties"]["scale"]
