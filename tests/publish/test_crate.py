"""ro-crate-metadata.json: every file with its checksum, the run, and figures as results.json has them."""

import copy
import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import unquote

import pytest
import requests

from reportgen.publish import bundle_files as names
from reportgen.publish import metadata
from reportgen.publish.bundle_files import Released
from tests import hostile
from tests.campaigns import results
from tests.cases import stored
from tests.publish.releases import attacked, example, on_disk, with_files

Graph = dict[str, dict[str, Any]]
Damage = Callable[[Graph], None]

RATINGS = "item,A1,A2\n1,yes,yes\n2,no,no\n3,yes,no\n4,no,no\n"
TOLD = stored("campaigns/all-told.toml")
SAME = "item,A1,A2\n1,yes,yes\n2,yes,yes\n"


def of(given: Released) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(metadata.ro_crate(given))
    return found


def graph(whole: dict[str, Any]) -> Graph:
    return {each["@id"]: each for each in whole["@graph"]}


def bare(tmp_path: Path, toml: str = "", export: str = RATINGS) -> Released:
    """Return a release of a campaign with just a title, and no file but its results."""
    found = results(tmp_path, toml, export)
    return Released(found, ("en",), found.revision.released, {names.RESULTS: b"{}"})


def sole(entities: Graph, kind: str) -> dict[str, Any]:
    (found,) = (each for each in entities.values() if each["@type"] == kind)
    return found


def references(value: object) -> Iterator[str]:
    """Yield every id that stands in a value for another entity."""
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, dict) and each.keys() == {"@id"}:
            yield each["@id"]


def test_every_reference_leads_to_an_entity_of_which_there_is_one() -> None:
    entities = of(example())["@graph"]
    known = [each["@id"] for each in entities]
    assert len({*known}) == len(known)
    led = {name for each in entities for value in each.values() for name in references(value)}
    assert {"./", *known} - {"ro-crate-metadata.json"} == led


@pytest.mark.slow
def test_every_file_of_the_bundle_stands_in_it_with_its_checksum() -> None:
    given = example()
    given = with_files(given, {**given.files, "README.md": b"x", "guidelines/1.0 (é).md": b"y"})
    found = graph(of(given))
    files = {
        unquote(name): each
        for name, each in found.items()
        if each["@type"] == "File" and not name.startswith("#")
    }
    assert {*files} == {*given.files}
    for name, content in given.files.items():
        assert files[name]["sha256"] == hashlib.sha256(content).hexdigest()
        assert files[name]["contentSize"] == str(len(content))
    assert "guidelines/1.0%20%28%C3%A9%29.md" in found
    assert files["report/fr/index.html"]["inLanguage"] == "fr"
    assert files["report/index.html"]["inLanguage"] == "en"
    assert files["report/fr/index.html"]["name"] == "Agreement report"


def test_its_figures_are_those_of_the_results() -> None:
    given = example()
    found = [each for each in graph(of(given)).values() if each["@type"] == "PropertyValue"]
    sets = {each.id: each.measures for each in given.results.unit_sets}
    assert len(found) == 6
    for each in found:
        unit_set = each["name"].rpartition("unit set ")[2]
        figure = sets[unit_set][each["propertyID"]]
        assert figure.interval is not None
        assert (each["value"], each["minValue"], each["maxValue"]) == (
            figure.value,
            figure.interval.low,
            figure.interval.high,
        )
    assert '"value": 0.801205852065' in metadata.ro_crate(given)


def test_an_undefined_figure_has_a_reason_and_no_value(tmp_path: Path) -> None:
    text = metadata.ro_crate(bare(tmp_path, export=SAME))
    (found,) = (each for each in json.loads(text)["@graph"] if each.get("propertyID") == "krippendorff_alpha")
    assert {"value", "minValue", "maxValue"}.isdisjoint(found)
    assert found["description"]
    assert "null" not in text
    assert "NaN" not in text


def test_a_campaign_that_tells_nothing_of_itself_has_a_crate_without_what_nobody_knows(
    tmp_path: Path,
) -> None:
    found = graph(of(bare(tmp_path)))
    assert {"datePublished", "author", "about", "citation"}.isdisjoint(found["./"])
    assert found["#licence"]["name"] == "No licence is declared"
    assert {"endTime", "agent"}.isdisjoint(sole(found, "CreateAction"))


def test_inputs_that_are_in_the_bundle_stand_for_themselves_whatever_they_are_called(tmp_path: Path) -> None:
    given = bare(tmp_path)
    (absent,) = (each for each in graph(of(given)) if each.startswith("#input-"))
    content = (tmp_path / "campaign" / "exports" / "1.0" / "e.csv").read_bytes()
    real = "exports/Zoé and Bob.csv"
    found = graph(of(with_files(given, {**given.files, real: content, names.CAMPAIGN: b""})))
    assert absent == "#input-exports/1.0/e.csv"
    assert absent not in found
    read = {"@id": "campaign.toml"}, {"@id": "exports/Zo%C3%A9%20and%20Bob.csv"}
    assert tuple(sole(found, "CreateAction")["object"]) == read


def test_authors_institutions_and_works_stand_once_each(tmp_path: Path) -> None:
    found = graph(of(bare(tmp_path, TOLD)))
    root = found["./"]
    assert [*references(root["author"])] == [
        "https://orcid.org/0000-0002-1825-0097",
        "#author-2",
        "#author-3",
    ]
    assert sole(found, "Organization")["name"] == "Institute"
    assert root["license"] == {"@id": "https://spdx.org/licenses/CC-BY-4.0"}
    assert root["citation"] == {"@id": "https://doi.org/10.1234/w"}
    assert [*references(root["mentions"])][1:] == ["#work-2", "#work-3"]
    assert found[root["about"]["@id"]]["@type"] == "Dataset"


def test_the_run_has_one_id_for_one_set_of_inputs_and_settings(tmp_path: Path) -> None:
    runs = {
        sole(graph(of(given)), "CreateAction")["@id"]
        for given in (
            bare(tmp_path / "one"),
            bare(tmp_path / "two"),
            bare(tmp_path / "three", export=SAME),
            bare(tmp_path / "four", 'unit_sets = [{ id = "all", units = "annotated-by-all" }]'),
        )
    }
    assert len(runs) == 3
    assert all(re.fullmatch("#run-[0-9a-f]{64}", each) for each in runs)


def test_the_same_release_has_the_same_bytes_in_whatever_order_its_files_come() -> None:
    given = example()
    other = with_files(given, dict(sorted(given.files.items(), reverse=True)))
    assert metadata.ro_crate(other) == metadata.ro_crate(given)


@pytest.mark.slow
def test_hostile_text_stands_in_the_crate_as_it_is() -> None:
    whole = of(attacked("marks"))
    texts = json.dumps(whole, ensure_ascii=False)
    for where in ("title", "author", "affiliation", "work", "corpus name", "corpus licence"):
        assert json.dumps(hostile.attack(where), ensure_ascii=False)[1:-1] in texts, where


# What a validator has to find


def no_instrument(found: Graph) -> None:
    del sole(found, "CreateAction")["instrument"]


def no_moment(found: Graph) -> None:
    sole(found, "CreateAction")["endTime"] = "yesterday"


def no_name(found: Graph) -> None:
    del found["./"]["name"]


def another_type_of_profile(found: Graph) -> None:
    found["https://w3id.org/ro/wfrun/process/0.5"]["@type"] = "CreativeWork"


def damaged(whole: dict[str, Any], damage: Damage) -> dict[str, Any]:
    found = graph(copy.deepcopy(whole))
    damage(found)
    return {**whole, "@graph": list(found.values())}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crate of a small campaign that tells all of itself: the validator takes its time for each entity."""
    folder = tmp_path_factory.mktemp("crate")
    given = bare(folder / "made", TOLD)
    files = {names.PARAGRAPH: b"Agreement.\n", "report/index.html": b"", "report/fr/index.html": b""}
    small = Released(given.results, ("en", "fr"), "2009-06-01", {**given.files, **files})
    return on_disk(small, folder / "bundle")


@pytest.fixture
def offline(shared: Path) -> Iterator[None]:
    """The contexts of RO-Crate from the shared folder: the validator asks the network for them."""
    from rocrate_validator.utils import document_loader

    contexts = shared / "contexts"
    if not contexts.is_dir():
        pytest.skip("NOT TESTED with roc-validator: no folder 'contexts' in 'shared'")

    def content(address: str) -> bytes:
        version = re.search(r"/ro/crate/([\d.]+)/context", address)
        if version is None:
            raise requests.ConnectionError(address)
        return (contexts / f"ro-crate-{version[1]}.jsonld").read_bytes()

    def send(_: object, request: requests.PreparedRequest, **__: object) -> requests.Response:
        answer = requests.Response()
        answer.status_code, answer.request, answer.url = 200, request, str(request.url)
        answer.headers["Content-Type"] = "application/ld+json"
        answer._content = content(answer.url)  # noqa: SLF001 - how an answer is made by hand
        return answer

    with (
        mock.patch.object(requests.Session, "send", send),
        mock.patch.object(document_loader, "_fetch_json_ld", lambda address: json.loads(content(address))),
    ):
        yield
    document_loader.uninstall_document_loader()


def issues(folder: Path, profile: str, severity: str) -> list[str]:
    from rocrate_validator import models, services

    settings = services.ValidationSettings(
        rocrate_uri=str(folder),
        profile_identifier=profile,
        requirement_severity=models.Severity[severity],
        # Process Run Crate 0.5 inherits RO-Crate 1.1, which a crate of 1.2 does not conform to.
        enable_profile_inheritance=False,
        no_cache=True,
    )
    return [str(each.message) for each in services.validate(settings).get_issues()]


# The validator and what it stands on warn of their own ways.
pytestmark = pytest.mark.filterwarnings("ignore")
PROFILE, PROCESS = "ro-crate-1.2", "process-run-crate-0.5"


@pytest.mark.slow
@pytest.mark.usefixtures("offline")
def test_the_validator_finds_nothing_that_is_required_missing(small: Path) -> None:
    assert issues(small, PROFILE, "REQUIRED") == []


@pytest.mark.slow
@pytest.mark.usefixtures("offline")
def test_the_run_is_as_process_run_crates_recommend_but_for_an_address_that_the_tool_does_not_have(
    small: Path,
) -> None:
    found = issues(small, PROCESS, "RECOMMENDED")
    assert found == ["The SoftwareApplication id SHOULD be an absolute URI"]


@pytest.mark.slow
@pytest.mark.usefixtures("offline")
def test_the_validator_finds_what_is_damaged(small: Path, tmp_path: Path) -> None:
    def found(*damages: Damage, profile: str, severity: str) -> str:
        broken = json.loads((small / names.CRATE).read_text(encoding="utf-8"))
        for damage in damages:
            broken = damaged(broken, damage)
        shutil.copytree(small, tmp_path, dirs_exist_ok=True)
        (tmp_path / names.CRATE).write_text(json.dumps(broken), encoding="utf-8")
        return "\n".join(issues(tmp_path, profile, severity))

    assert "MUST have an instrument" in found(no_instrument, profile=PROCESS, severity="REQUIRED")
    assert "an endTime in ISO 8601" in found(no_moment, profile=PROCESS, severity="RECOMMENDED")
    # Together, since the validator takes its time.
    both = found(no_name, another_type_of_profile, profile=PROFILE, severity="REQUIRED")
    assert "MUST have a `name` property" in both
    assert "MUST reference Profile entities" in both
