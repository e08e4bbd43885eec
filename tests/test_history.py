"""The history of a campaign: versions in their order, what each says, how each came from the one before."""

import itertools
import json
from collections.abc import Mapping
from pathlib import Path

import hypothesis.strategies as st
import jsonschema
import pytest
from hypothesis import given

from reportgen.findings import find_changes
from reportgen.report.comparison_view import ComparisonView
from reportgen.report.history_words import layer_courses
from reportgen.results import Figure, Interval, Results, dumps
from reportgen.results.model import schema_of
from reportgen.results.parts import Basis, Change, Overlap
from reportgen.results.versions import (
    Coverage,
    History,
    SpanRevision,
    Step,
    UnitSetRevision,
    VersionComparison,
    VersionSide,
    in_order,
)
from reportgen.versions.comparisons import coverage, history, step
from tests.commands import on_disk, run
from tests.properties import examples
from tests.rendered import campaign_files
from tests.report import made_comparison as made
from tests.report.made_comparison import change

HEAD = "layer,unit_set,document,annotator,label,n\n"
DATES = st.lists(st.one_of(st.none(), st.dates().map(str)), min_size=1, max_size=8)


# The order of versions


@examples(40)
@given(DATES)
def test_dated_versions_never_stand_against_their_dates(
    dates: list[str | None],
) -> None:
    ordered = [dates[place] for place in in_order(dates)]
    known = [each for each in ordered if each]
    assert known == sorted(known)
    assert in_order(ordered) == list(range(len(dates)))


# From a campaign's own files


def campaign(folder: Path, versions: Mapping[str, str], dates: Mapping[str, str], toml: str = "") -> Path:
    """Write a campaign of ratings with one export a version."""
    declared = "".join(
        f'[[guidelines]]\nversion = "{name}"\ndate = {dates[name]}\nexports = "exports/{name}"\n'
        f'changes = "What {name} changed."\n'
        for name in versions
    )
    exports = {f"exports/{name}/e.csv": text for name, text in versions.items()}
    return on_disk(folder, {"campaign.toml": f'title = "C"\n{toml}\n{declared}', **exports})


def ratings(documents: range, wrong: int, people: tuple[str, ...] = ("ann", "bob")) -> str:
    """Return ratings of ten units in each document, of which everybody but the first has some wrong."""
    rows = ["document,item,worker,label"]
    for document, unit in itertools.product(documents, range(10)):
        for place, person in enumerate(people):
            label = "yes" if (unit % 2 == 0) != (place > 0 and (unit + document) % 10 < wrong) else "no"
            rows.append(f"d{document:02},{document}-{unit},{person},{label}")
    return "\n".join(rows) + "\n"


Files = tuple[list[Results], list[str]]


def files_of(folder: Path, *versions: str) -> Files:
    """Return the results and the counts of versions, as they stand in a site."""
    texts = [(folder / each / "results.json").read_bytes() for each in versions]
    counts = [(folder / each / "counts/annotators.csv").read_text(encoding="utf-8") for each in versions]
    return [*map(Results.model_validate_json, texts)], counts


def built(folder: Path, versions: Mapping[str, str], dates: Mapping[str, str], toml: str = "") -> Path:
    """Build a campaign; return its folder in the site."""
    answer = run("build", campaign(folder / "made", versions, dates, toml), "--out", folder / "site")
    assert answer.exit_code == 0, answer.output
    return folder / "site/made"


TWO = {"1.10": ratings(range(8), 3), "1.9": ratings(range(4, 12), 1, ("ann", "cat"))}
LATER = {"1.10": "2026-03-01", "1.9": "2026-05-01"}


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The part of a site with a campaign of two versions, of which the older one has the higher number."""
    return built(tmp_path_factory.mktemp("two"), TWO, LATER)


@pytest.fixture(scope="module")
def found(two: Path) -> Files:
    return files_of(two, "1.10", "1.9")


def test_a_history_says_of_each_version_what_its_results_say(found: Files) -> None:
    results, counts = found
    whole = history(*found, {})
    assert whole == history(results[::-1], counts[::-1], {}), "dates speak, whatever was declared first"
    assert whole.names == ("1.10", "1.9")
    for one, version in zip(results, whole.versions, strict=True):
        primary, state = one.primary, version.first
        figure = primary.measures[one.coefficient]
        assert (state.figure.value, state.figure.interval) == (figure.value, figure.interval)
        assert (state.units, state.documents) == (primary.units, primary.documents)
        assert state.annotators == len(primary.annotators)
        assert state.name == one.name_of(one.coefficient)
        for name in state.categories:
            assert state.specific_agreement[name].value == primary.specific_agreement[name].value
        assert [each.id for each in version.verdicts] == ["verdict"]
        assert version.changes == f"What {version.version} changed."
    assert json.loads(dumps(whole))["schema"] == 1
    jsonschema.Draft202012Validator(schema_of(History)).validate(json.loads(dumps(whole)))
    assert History.model_validate_json(dumps(whole)) == whole


def test_a_step_names_documents_and_annotators_that_changed(found: Files) -> None:
    whole = history(*found, {})
    (step,) = whole.steps
    assert step.documents == (4, 4, 4)
    assert (len(step.left), len(step.joined)) == (1, 1)
    assert set(step.left) | set(step.joined) <= {"A01", "A02", "A03"}
    assert not step.compared
    groups = {group.versions: len(group.documents) for group in whole.coverage.documents}
    assert groups == {("1.10",): 4, ("1.10", "1.9"): 4, ("1.9",): 4}
    texts = [HEAD + "".join(f"main,items,{each},A01,yes,1\n" for each in names) for names in ("abc", "cd")]
    assert history(found[0], texts, {}).steps[0].documents == (1, 2, 1)


def test_the_site_writes_the_history_that_its_files_give(two: Path, found: Files) -> None:
    compared = VersionComparison.model_validate_json(
        (two / "compare/1.10...1.9/comparison.json").read_bytes()
    )
    for name, text in campaign_files(history(*found, {("1.10", "1.9"): compared})):
        assert (two / name).read_bytes() == text.encode(), name
        assert not {"ann", "bob", "cat"} & set(text.replace(",", " ").split())


# What comparisons say


def revision(basis: str, own: Change, **more: object) -> UnitSetRevision:
    overlap = Overlap(documents=4, annotators=("A01",), edited=2)
    measures = {"krippendorff_alpha": own}
    about = {"layer": "main", "basis": basis, "overlap": overlap, "measures": measures}
    return made.unit_set(**{**about, "specific_agreement": {"yes": change(0.5, 0.6, 0.01, 0.02)}, **more})


def comparison(
    *sets: UnitSetRevision, between: tuple[str, str] = ("1.10", "1.9"), **more: object
) -> VersionComparison:
    first, second = (VersionSide(guidelines=version) for version in between)
    about = {"first": first, "second": second, "coefficients": {"main": "krippendorff_alpha"}}
    return made.comparison(**{**about, "unit_sets": sets, "spans": (), **more})


def spans(layer: str, basis: Basis, own: Change) -> SpanRevision:
    update = {"layer": layer, "basis": basis, "measures": {"f_measure[strict]": own}}
    return made.spans().model_copy(update=update)


def test_a_step_says_what_the_comparison_says_on_what_both_versions_share(found: Files) -> None:
    shared, of_all = revision("shared", change(0.4, 0.7, 0.004)), revision("all", change(0.4, 0.6, 0.2))

    def step_of(*sets: UnitSetRevision, spans: tuple[SpanRevision, ...] = ()) -> Step:
        return history(*found, {("1.10", "1.9"): comparison(*sets, spans=spans)}).steps[0]

    moves = (
        spans("main", "all", change(0.5, 0.9, 0.2)),
        spans("main", "shared", change(0.5, 0.8, 0.01)),
    )
    step = step_of(of_all, shared, spans=moves)
    assert (step.compared, step.edited) == (True, 2)
    assert step.primary is not None
    move = step.primary.coefficient
    assert (move.basis, move.method, move.p) == ("shared", "paired", 0.004)
    assert (move.first, move.second) == (0.4, 0.7)
    assert move.difference == pytest.approx(0.3)
    assert step.primary.specific_agreement["yes"].p == 0.02
    f = step.primary.f_measure
    assert f is not None
    assert (f.basis, f.second, f.p) == ("shared", 0.8, 0.01)
    # Without anything shared all of both versions counts; another figure is not compared.
    assert step_of(of_all).layers[0].coefficient.basis == "all"
    other = step_of(shared.model_copy(update={"figure": "cohen_kappa"})).layers[0].coefficient
    assert (other.difference, other.untested) == (None, "the figure is in one of the two versions only")


def test_the_interval_of_a_mean_f_over_pairs_comes_from_a_comparison(example_site: Path) -> None:
    results, counts = files_of(example_site / "gene-renaming-in-texts", "0.9", "1.0")
    f = history(results, counts, {}).newest.first.f_measure
    assert f is not None
    assert results[1].spans is not None
    assert f.value == results[1].spans.mean_over_pairs["names"].overall["strict"]["f_measure"].value
    assert f.interval is None
    ends = Interval(low=0.7, high=0.8, level=0.95, method="t")
    own = change(0.5, f.value or 0.0, 0.01)
    own = own.model_copy(update={"second": Figure(value=f.value, interval=ends)})
    compared = comparison(spans=(spans("names", "all", own),), between=("0.9", "1.0"))
    with_interval = history(results, counts, {("0.9", "1.0"): compared}).newest.first.f_measure
    assert with_interval is not None
    assert with_interval.interval == ends


# Coverage


def test_coverage_groups_documents_by_their_versions() -> None:
    first = f"{HEAD}main,items,d1,A01,yes,3\nmain,items,d1,A02,no,3\nmain,items,d2,A01,yes,1\n"
    second = f"{HEAD}main,items,d2,A01,yes,1\nother,marked,d2,A01,yes,1\nmain,items,d3,A03,yes,1\n"
    found = coverage({"a": first, "b": second})
    assert [(each.versions, each.documents) for each in found.documents] == [
        (("a",), ("d1",)),
        (("a", "b"), ("d2",)),
        (("b",), ("d3",)),
    ]
    assert [(each.annotators, dict(each.documents)) for each in found.annotators] == [
        (("A01",), {"a": 2, "b": 1}),
        (("A02",), {"a": 1}),
        (("A03",), {"b": 1}),
    ]


def test_units_without_a_document_give_annotators_and_no_documents() -> None:
    strange = coverage({"a": f'{HEAD}main,items,"d\n1","A, 01","x\n,y",3\n'})
    assert (strange.documents[0].documents, strange.annotators[0].annotators) == (("d\n1",), ("A, 01",))
    found = coverage({"a": f"{HEAD}main,items,,A02,yes,3\nmain,items,,A01,yes,3\n", "b": ""})
    assert found.documents == ()
    assert [(each.annotators, dict(each.documents)) for each in found.annotators] == [
        (("A01", "A02"), {"a": 0})
    ]


# Systems


SYSTEM = """
[annotators.gold]
role = "reference"
[annotators.tagger]
role = "system"
system = "tagger"
release = "1"
[annotators.tagger2]
role = "system"
system = "tagger"
release = "2"
"""


def test_the_last_release_of_a_system_stands_beside_human_agreement(tmp_path: Path) -> None:
    people = ("gold", "ann", "bob", "tagger", "tagger2")
    folder = built(tmp_path, {"1": ratings(range(8), 3, people)}, {"1": "2026-03-01"}, SYSTEM)
    (system,) = history(*files_of(folder, "1"), {}).newest.first.systems
    assert (system.system, system.release, system.role) == ("tagger", "2", "system")
    assert system.value.value is not None
    assert system.humans is not None
    assert system.humans.value is not None


def test_the_history_and_the_comparison_judge_several_layers_alike() -> None:
    """Two of three layers with p = 0.03: corrected for their number (Holm), neither moved beyond chance."""
    p_values = {"names": 0.03, "sense": 0.03, "scope": 0.03}
    layers = tuple(
        made.unit_set(layer=name, measures={"krippendorff_alpha": made.change(0.4, 0.7, p)})
        for name, p in p_values.items()
    )
    plain = made.comparison(unit_sets=layers, findings=(), spans=())
    compared = plain.model_copy(update={"findings": find_changes(plain)})
    moved = step(("0.9", "1.0"), Coverage(), compared)
    assert [each.coefficient.p for each in moved.layers] == [0.03, 0.06, 0.06]
    assert (
        layer_courses(moved) == ComparisonView(compared, None).courses == (["names"], [], ["sense", "scope"])
    )
