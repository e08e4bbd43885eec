"""What older versions wrote is read and verified: a site and a bundle made by 0.1.0, and what is retired."""

import json
import tarfile
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from reportgen.publish.verify import verify
from reportgen.publish.verify.differences import (
    OF_OLDER,
    Discrepancy,
    Unchecked,
    another_program,
    compare,
    merge_outcomes,
)
from reportgen.publish.verify.file_tree import Tree
from reportgen.publish.verify.folders import OTHERS_FILES, RETIRED_PARTS, compare_rendered, read_version
from reportgen.results import Results, Tool, drop_retired, from_json, is_retired, model
from tests.bundles import dumped, mended, small, verified

# By 0.1.0: a site of a campaign of labels with two versions, and a bundle of a campaign of marks.
OLD = Path(__file__).parent.parent / "released" / "0.1.0.tar.xz"


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("old")
    with tarfile.open(OLD) as archive:
        archive.extractall(folder, filter="data")
    return folder


@pytest.mark.parametrize("name", ["site", "marks"])
def test_what_an_older_version_wrote_is_verified_and_none_of_it_differs(old: Path, name: str) -> None:
    outcome = verify(old / name).outcome
    assert outcome.differences == ()
    assert outcome.numbers > 500
    assert not [gap.what for gap in outcome.unchecked if gap.what.startswith("all that rests on")]


@pytest.mark.parametrize("name", ["site/labels/0.9", "site/labels/1.0", "marks/report"])
def test_the_results_of_an_older_version_are_read(old: Path, name: str) -> None:
    content = (old / name / "results.json").read_bytes()
    results = from_json(Results, content)
    assert results.tool.version == "0.1.0"
    assert results.primary.measures


def test_a_changed_number_of_an_older_bundle_is_found(old: Path) -> None:
    files = {str(path.relative_to(old / "marks")): path.read_bytes() for path in (old / "marks").rglob("*.*")}
    assert verified(mended(files)).differences == ()
    value = json.loads(files["report/results.json"])
    measures = value["unit_sets"][0]["measures"]
    name = next(name for name in measures if measures[name]["value"])
    measures[name]["value"] += 0.125
    lie = mended({**files, "report/results.json": dumped(value)})
    (wrong, *_more) = (each for each in verified(lie).differences if each.check == "figures")
    assert name in wrong.what


@pytest.fixture
def retired(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "RETIRED", ("Results.marks.gone*", "Results.unit_sets.*.measures.*.gone"))
    monkeypatch.setattr(model, "RETIRED_FILES", ("datapackage.xml", "*tables/gone-*.csv"))


def aged(version: str = "0.0.1") -> bytes:
    """Return results as an older version might have written them."""
    value = json.loads(small()["report/results.json"])
    value["tool"]["version"] = version
    value["marks"] |= {"gone": {"a": 1, "b": [2.5, "c"]}, "gone_too": None}
    for figure in value["unit_sets"][0]["measures"].values():
        figure["gone"] = 3
    return dumped(value)


@pytest.mark.usefixtures("retired")
def test_reading_drops_what_is_retired_and_nothing_else() -> None:
    results = from_json(Results, aged())
    kept = json.loads(aged())
    gone = drop_retired(Results, kept)
    assert gone == [{"a": 1, "b": [2.5, "c"]}, None, *[3] * len(results.unit_sets[0].measures)]
    assert from_json(Results, dumped(kept)) == results
    assert drop_retired(Results, kept) == []
    assert drop_retired(Results, []) == drop_retired(Results, None) == []
    stranger = dumped({**json.loads(aged()), "added": 1})
    with pytest.raises(ValidationError, match="added"):
        from_json(Results, stranger)
    for damaged in (b"", b"{", b"[" * 100_000):
        with pytest.raises(ValidationError):
            from_json(Results, damaged)


def test_a_retired_value_is_dropped_and_others_of_its_key_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "RETIRED", ("Results.findings.*.habit=joins",))
    found = {"findings": [{"habit": "joins"}, {"habit": "ends"}, {"habit": None}, {}]}
    assert drop_retired(Results, found) == ["joins"]
    assert found == {"findings": [{}, {"habit": "ends"}, {"habit": None}, {}]}


@pytest.mark.usefixtures("retired")
def test_what_is_retired_is_unchecked_in_an_older_version_and_a_difference_in_this_one() -> None:
    def faults(content: bytes) -> list[Discrepancy | Unchecked]:
        return [*read_version(Tree({"results.json": content}), "").faults]

    results = from_json(Results, aged())
    numbers = 2 + len(results.unit_sets[0].measures)
    assert faults(aged()) == [Unchecked(RETIRED_PARTS, another_program(results.tool), numbers)]
    (wrong,) = faults(aged(Tool.here().version))
    assert isinstance(wrong, Discrepancy)
    assert wrong.what.startswith("line ")


@pytest.mark.usefixtures("retired")
def test_a_retired_file_is_of_an_older_version_and_no_stranger() -> None:
    assert [is_retired(name) for name in ("datapackage.xml", "fr/tables/gone-a.csv", "tables/here.csv")] == [
        True,
        True,
        False,
    ]

    def told(results: bytes) -> list[Discrepancy | Unchecked]:
        files = {"results.json": results, "tables/gone-a.csv": b"a", "tables/new.csv": b"b"}
        version = read_version(Tree(files), "")
        outcomes = compare_rendered(version, list, ["results.json"])
        return [each for each in outcomes if isinstance(each, Discrepancy | Unchecked)]

    assert [each.what for each in told(aged())] == [OTHERS_FILES] * 2
    assert told(small()["report/results.json"]) == [
        Discrepancy("tables/gone-a.csv", f"was added: {OF_OLDER}.", "pages"),
        Discrepancy("tables/new.csv", "was added: the recorded results do not give it.", "pages"),
    ]


@pytest.mark.usefixtures("retired")
def test_a_retired_file_at_the_top_of_a_bundle() -> None:
    wrong = verified(mended({**small(), "datapackage.xml": b"<a/>"})).differences
    assert [each.what for each in wrong if each.file == "datapackage.xml"] == [f"was added: {OF_OLDER}."]


@pytest.mark.parametrize(
    ("keys", "otherwise"),
    [
        ("unit_sets * planning", True),
        ("unit_sets * measures krippendorff_alpha[interval] interval", True),
        ("unit_sets * pairs * measures finn_r standard_error", True),
        ("unit_sets * measures krippendorff_alpha[interval] value", False),
        ("unit_sets * measures krippendorff_alpha interval", False),
    ],
)
def test_of_an_older_version_plans_and_intervals_of_numbers_are_not_compared(
    keys: str, *, otherwise: bool
) -> None:
    recorded: Any = 0.25
    recomputed: Any = 0.5
    for key in reversed(keys.split()):
        recorded, recomputed = (([each] if key == "*" else {key: each}) for each in (recorded, recomputed))
    outcome = merge_outcomes(compare(recorded, recomputed, "results.json", older="made with 0.1.0"))
    assert outcome.verdict == ("unchecked" if otherwise else "different")
    assert merge_outcomes(compare(recorded, recomputed, "results.json")).verdict == "different"


def test_an_older_version_may_have_fewer_keys_and_no_other_value() -> None:
    def faults(**changes: object) -> list[Discrepancy | Unchecked]:
        value = json.loads(small()["report/results.json"])
        value["tool"]["version"] = "0.0.1"
        value["marks"] |= changes
        return [*read_version(Tree({"results.json": json.dumps(value).encode()}), "").faults]

    assert faults() == []
    (wrong,) = faults(left_out=0.0)
    assert isinstance(wrong, Discrepancy)
