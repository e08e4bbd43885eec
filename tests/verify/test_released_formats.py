"""What every released version wrote is read, built, compared and verified, as a later version would."""

import importlib
import json
import shutil
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from reportgen.base import __version__
from reportgen.base.errors import BadInput
from reportgen.campaign import idle_keys, load
from reportgen.campaign.load import load_before_exports
from reportgen.publish.verify import verify
from reportgen.publish.verify.folders import RETIRED_PARTS
from reportgen.results import Results, Tool, from_json, model
from reportgen.results.texts import Texts
from tests.commands import run

RELEASED = Path(__file__).parent.parent / "released"
# 0.1.0 has a test of its own, of a site too.
VERSIONS = sorted(path.name.removesuffix(".tar.xz") for path in RELEASED.glob("[1-9]*.tar.xz"))
REPORT = "bundle/report"


@pytest.fixture(scope="module", params=VERSIONS)
def old(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("old")
    with tarfile.open(RELEASED / f"{request.param}.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return folder


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Be a version that is not released: pages may change in any of them, formats and figures may not."""
    monkeypatch.setattr(model, "__version__", "99.0")
    Tool.here.cache_clear()
    yield
    monkeypatch.undo()
    Tool.here.cache_clear()


def results(old: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((old / REPORT / "results.json").read_bytes())
    return found


def test_this_version_keeps_its_own() -> None:
    """`python -m tests.keep_release` writes it."""
    assert __version__ in VERSIONS


def test_its_campaign_is_loaded(old: Path) -> None:
    assert load_before_exports(old).schema_ == 1
    assert load(old / "bundle").versions == ("1.0",)


def test_its_results_and_texts_are_read_with_every_value(old: Path) -> None:
    """A key that is renamed, or that goes without being named in RETIRED, fails here."""
    content = (old / REPORT / "results.json").read_bytes()
    assert recorded_in(json.loads(model.dumps(from_json(Results, content))), json.loads(content)) == []
    texts = (old / REPORT / "texts.json").read_bytes()
    assert recorded_in(json.loads(model.dumps(from_json(Texts, texts))), json.loads(texts)) == []


def recorded_in(read: Any, recorded: Any, path: str = "") -> list[str]:  # noqa: ANN401 - any JSON values
    """Return what of a recorded value is not there as it was, but for what is retired."""
    if isinstance(recorded, Mapping) and isinstance(read, Mapping):
        return [
            wrong for key in recorded for wrong in recorded_in(read.get(key), recorded[key], f"{path}.{key}")
        ]
    if isinstance(recorded, list) and isinstance(read, list) and len(read) == len(recorded):
        pairs = enumerate(zip(read, recorded, strict=True))
        return [wrong for at, (one, other) in pairs for wrong in recorded_in(one, other, f"{path}.{at}")]
    return [] if read == recorded else [path]


def test_a_key_of_another_name_is_no_result(old: Path) -> None:
    value = results(old)
    value["unit_sets"][0]["figures"] = value["unit_sets"][0].pop("measures")
    with pytest.raises(ValidationError, match="measures"):
        from_json(Results, json.dumps(value))


@pytest.mark.usefixtures("later")
def test_what_no_version_writes_any_more_is_said_to_be_left_out(
    old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = shutil.copytree(old / "bundle", tmp_path / "bundle")
    value = results(old)
    value["marks"]["gone"] = 3
    (bundle / "report/results.json").write_text(json.dumps(value), encoding="utf-8")
    monkeypatch.setattr(model, "RETIRED", ("Results.marks.gone",))
    assert RETIRED_PARTS in [gap.what for gap in verify(bundle).outcome.unchecked]


@pytest.mark.usefixtures("later")
def test_its_bundle_is_verified_and_nothing_differs(old: Path) -> None:
    outcome = verify(old / "bundle").outcome
    assert outcome.differences == ()
    assert outcome.numbers > 500
    assert not [gap.what for gap in outcome.unchecked if gap.what.startswith("all that rests on")]


def test_its_counts_are_built_and_compared(old: Path, tmp_path: Path) -> None:
    """Every figure that both have is the same to its twelve digits."""
    done = run("build", old / "bundle", "--out", tmp_path / "site")
    assert done.exit_code == 0, done.output
    built = json.loads((tmp_path / "site/bundle/1.0/results.json").read_bytes())["unit_sets"]
    before = results(old)["unit_sets"]
    assert [each["id"] for each in built] == [each["id"] for each in before]
    for one, other in zip(built, before, strict=True):
        figures = one["measures"].keys() & other["measures"].keys()
        assert len(figures) > 5
        assert {name: one["measures"][name] for name in figures} == {
            name: other["measures"][name] for name in figures
        }


# Other names, and later formats


def test_a_later_format_is_said_to_be_later(tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text('schema = 2\ntitle = "x"\nnew = 1\n', encoding="utf-8")
    with pytest.raises(
        BadInput, match=r"campaign\.toml:1: schema: is 2, and this version of reportgen reads 1"
    ):
        load_before_exports(tmp_path)


@pytest.fixture
def renamed(monkeypatch: pytest.MonkeyPatch) -> None:
    renamed = (("task.classes", "categories", "1.2"), ("guidelines.*.changed", "changes", "1.2"))
    # Of the same name as the function that the room hands on.
    monkeypatch.setattr(importlib.import_module("reportgen.campaign.load"), "RENAMED", renamed)


@pytest.mark.usefixtures("renamed")
def test_an_old_name_of_a_key_is_read_and_the_new_one_said(tmp_path: Path) -> None:
    toml = 'title = "x"\n[task]\nclasses = ["a", "b"]\n[[guidelines]]\nversion = "1"\nchanged = "y"\n'
    toml += '[[guidelines]]\nversion = "2"\nchanges = "z"\n'
    (tmp_path / "exports").mkdir()
    (tmp_path / "exports/a.csv").write_text("a", encoding="utf-8")
    toml = toml.replace("[[guidelines]]\n", '[[guidelines]]\nexports = "exports"\n')
    (tmp_path / "campaign.toml").write_text(toml, encoding="utf-8")
    read = load(tmp_path)
    assert (read.task.categories, [each.changes for each in read.guidelines]) == (("a", "b"), ["y", "z"])
    later = "now; version 1.2 will not read the old name any more. Rename it to"
    assert [str(each).partition("campaign.toml:")[2] for each in idle_keys(read)] == [
        f"3: classes is called categories {later} categories.",
        f"7: changed is called changes {later} changes.",
    ]
