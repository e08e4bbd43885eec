"""The history of a campaign: versions in their order, what each says, how each came from the one before."""

import itertools
import json
from collections.abc import Callable, Mapping
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
from reportgen.results.parts import Basis, Categories, Change, DifferenceTest, Overlap
from reportgen.results.versions import (
    ComparedCampaign,
    Coverage,
    History,
    Sample,
    SpanRevision,
    UnitSetRevision,
    VersionComparison,
    VersionSide,
    in_order,
)
from reportgen.versions.comparisons import coverage, history, step
from tests.commands import run
from tests.properties import examples
from tests.rendered import campaign_files
from tests.report import made_comparison

HEAD = "layer,unit_set,document,annotator,label,n\n"
DATES = st.lists(st.one_of(st.none(), st.dates().map(str)), min_size=1, max_size=8)


# The order of versions


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        ([None, None, None], [0, 1, 2]),
        (["2026-05-01", "2026-03-01"], [1, 0]),
        (["2026-03-01", "2026-03-01"], [0, 1]),
        (["2026-05-01", None, "2026-03-01"], [2, 0, 1]),
        ([None, "2026-05-01", "2026-03-01", None], [0, 2, 3, 1]),
    ],
)
def test_versions_stand_by_date_then_as_declared(dates: list[str | None], expected: list[int]) -> None:
    assert in_order(dates) == expected


@examples(40)
@given(DATES)
def test_dated_versions_never_stand_against_their_dates_and_order_is_kept_when_ordered_again(
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
    folder.mkdir(parents=True)
    (folder / "campaign.toml").write_text(f'title = "C"\n{toml}\n{declared}', encoding="utf-8")
    for name, text in versions.items():
        path = folder / "exports" / name / "e.csv"
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    return folder


def ratings(documents: range, wrong: int, people: tuple[str, ...] = ("ann", "bob")) -> str:
    """Return ratings of ten units in each document, of which everybody but the first has some wrong."""
    rows = ["document,item,worker,label"]
    for document, unit in itertools.product(documents, range(10)):
        for place, person in enumerate(people):
            label = "yes" if (unit % 2 == 0) != (place > 0 and (unit + document) % 10 < wrong) else "no"
            rows.append(f"d{document:02},{document}-{unit},{person},{label}")
    return "\n".join(rows) + "\n"


Read = Callable[..., tuple[list[Results], list[str]]]


@pytest.fixture
def built(tmp_path: Path) -> Callable[..., Path]:
    def build(versions: Mapping[str, str], dates: Mapping[str, str], toml: str = "") -> Path:
        folder = campaign(tmp_path / "made", versions, dates, toml)
        answer = run("build", folder, "--out", tmp_path / "site")
        assert answer.exit_code == 0, answer.output
        return tmp_path / "site/made"

    return build


def files_of(folder: Path, *versions: str) -> tuple[list[Results], list[str]]:
    results = [
        Results.model_validate_json((folder / each / "results.json").read_bytes()) for each in versions
    ]
    counts = [(folder / each / "counts/annotators.csv").read_text(encoding="utf-8") for each in versions]
    return results, counts


TWO = {"1.10": ratings(range(8), 3), "1.9": ratings(range(4, 12), 1, ("ann", "cat"))}
LATER = {"1.10": "2026-03-01", "1.9": "2026-05-01"}


def test_a_history_says_of_each_version_what_its_results_say(built: Callable[..., Path]) -> None:
    results, counts = files_of(built(TWO, LATER), "1.10", "1.9")
    found = history(results, counts, {})
    assert found.names == ("1.10", "1.9")
    for one, version in zip(results, found.versions, strict=True):
        primary, state = one.primary, version.first
        assert state.figure.value == primary.measures[one.coefficient].value
        assert state.figure.interval == primary.measures[one.coefficient].interval
        assert (state.units, state.documents) == (primary.units, primary.documents)
        assert state.annotators == len(primary.annotators)
        assert state.name == one.name_of(one.coefficient)
        for name in state.categories:
            assert state.specific_agreement[name].value == primary.specific_agreement[name].value
        assert [each.id for each in version.verdicts] == ["verdict"]
        assert version.changes == f"What {version.version} changed."
    assert json.loads(dumps(found))["schema"] == 1
    jsonschema.Draft202012Validator(schema_of(History)).validate(json.loads(dumps(found)))
    assert History.model_validate_json(dumps(found)) == found


@pytest.mark.slow
def test_the_order_of_declaration_does_not_matter_where_dates_speak(built: Callable[..., Path]) -> None:
    results, counts = files_of(built(TWO, LATER), "1.10", "1.9")
    assert history(results, counts, {}) == history(results[::-1], counts[::-1], {})


def test_a_step_names_documents_and_annotators_that_changed(built: Callable[..., Path]) -> None:
    results, counts = files_of(built(TWO, LATER), "1.10", "1.9")
    found = history(results, counts, {})
    (step,) = found.steps
    assert step.documents == (4, 4, 4)
    assert (len(step.left), len(step.joined)) == (1, 1)
    assert set(step.left) | set(step.joined) <= {"A01", "A02", "A03"}
    assert not step.compared
    assert {group.versions: len(group.documents) for group in found.coverage.documents} == {
        ("1.10",): 4,
        ("1.10", "1.9"): 4,
        ("1.9",): 4,
    }


@pytest.mark.slow
def test_the_site_writes_the_history_that_its_own_files_give(built: Callable[..., Path]) -> None:
    folder = built(TWO, LATER)
    results, counts = files_of(folder, "1.10", "1.9")
    compared = folder / "compare/1.10...1.9/comparison.json"
    comparisons = (
        {("1.10", "1.9"): VersionComparison.model_validate_json(compared.read_bytes())}
        if compared.exists()
        else {}
    )
    found = history(results, counts, comparisons)
    for name, text in campaign_files(found):
        assert (folder / name).read_bytes() == text.encode(), name


def test_no_real_name_of_an_annotator_stands_in_a_history(built: Callable[..., Path]) -> None:
    folder = built(TWO, LATER)
    for path in (each for each in folder.iterdir() if each.is_file()):
        assert not {"ann", "bob", "cat"} & set(path.read_text(encoding="utf-8").replace(",", " ").split())


# What comparisons say


def side(version: str) -> VersionSide:
    return VersionSide(guidelines=version)


def sample(documents: int) -> Sample:
    return Sample(documents=documents, units=10, annotators=("A01",), categories=("yes", "no"))


def change(first: float, second: float, p: float, adjusted: float | None = None) -> Change:
    return Change(
        first=Figure(value=first),
        second=Figure(value=second),
        difference=second - first,
        interval=Interval(low=second - first - 0.1, high=second - first + 0.1, level=0.95, method="t"),
        test=DifferenceTest(method="paired", statistic=2, degrees=9, p=p, adjusted=adjusted),
    )


def revision(basis: str, own: Change, **more: object) -> UnitSetRevision:
    content: dict[str, object] = {
        "layer": "main",
        "unit_set": "items",
        "primary": True,
        "figure": "krippendorff_alpha",
        "basis": basis,
        "clusters": "document",
        "first": sample(8),
        "second": sample(8),
        "overlap": Overlap(documents=4, annotators=("A01",), edited=2),
        "categories": Categories(how="same"),
        "measures": {"krippendorff_alpha": own},
        "specific_agreement": {"yes": change(0.5, 0.6, 0.01, 0.02)},
    }
    return UnitSetRevision.model_validate(content | more)


def comparison(results: list[Results], *sets: UnitSetRevision, **more: object) -> VersionComparison:
    content: dict[str, object] = {
        "campaign": ComparedCampaign(id="made", title="C"),
        "first": side("1.10"),
        "second": side("1.9"),
        "coefficients": {"main": "krippendorff_alpha"},
        "unit_sets": sets,
        "names": {},
        "places": {},
        "tool": results[0].tool,
    }
    return VersionComparison.model_validate(content | more)


@pytest.mark.slow
def test_a_step_says_what_the_comparison_says_on_what_both_versions_share(
    built: Callable[..., Path],
) -> None:
    results, counts = files_of(built(TWO, LATER), "1.10", "1.9")
    shared, of_all = revision("shared", change(0.4, 0.7, 0.004)), revision("all", change(0.4, 0.6, 0.2))
    found = history(results, counts, {("1.10", "1.9"): comparison(results, of_all, shared)})
    (step,) = found.steps
    assert step.compared
    assert step.edited == 2
    assert step.primary is not None
    move = step.primary.coefficient
    assert (move.basis, move.method, move.p) == ("shared", "paired", 0.004)
    assert (move.first, move.second) == (0.4, 0.7)
    assert move.difference == pytest.approx(0.3)
    assert step.primary.specific_agreement["yes"].p == 0.02
    assert [(each.first, each.second) for each in found.comparisons] == [("1.10", "1.9")]


def test_without_anything_shared_all_of_both_versions_counts(built: Callable[..., Path]) -> None:
    results, counts = files_of(built(TWO, LATER), "1.10", "1.9")
    found = history(
        results, counts, {("1.10", "1.9"): comparison(results, revision("all", change(0.4, 0.6, 0.2)))}
    )
    assert found.steps[0].layers[0].coefficient.basis == "all"


@pytest.mark.slow
def test_a_primary_figure_that_is_not_compared_says_why(built: Callable[..., Path]) -> None:
    results, counts = files_of(built(TWO, LATER), "1.10", "1.9")
    other = revision("shared", change(0.4, 0.7, 0.004), figure="cohen_kappa")
    found = history(results, counts, {("1.10", "1.9"): comparison(results, other)})
    move = found.steps[0].layers[0].coefficient
    assert (move.difference, move.untested) == (None, "the figure is in one of the two versions only")


@pytest.mark.slow
def test_the_interval_of_a_mean_f_over_pairs_comes_from_a_comparison(tmp_path: Path) -> None:
    site = Path(__file__).parent.parent / "campaigns/gene-renaming-in-texts"
    answer = run("build", site, "--out", tmp_path / "site")
    assert answer.exit_code == 0, answer.output
    results, counts = files_of(tmp_path / "site/gene-renaming-in-texts", "0.9", "1.0")
    alone = history(results, counts, {})
    f = alone.newest.first.f_measure
    assert f is not None
    assert results[1].spans is not None
    assert f.value == results[1].spans.mean_over_pairs["names"].overall["strict"]["f_measure"].value
    assert f.interval is None
    own = change(0.5, f.value or 0.0, 0.01)
    ends = Interval(low=0.7, high=0.8, level=0.95, method="t")
    own = own.model_copy(update={"second": Figure(value=f.value, interval=ends)})
    spans = SpanRevision(
        layer="names",
        basis="all",
        first=sample(14),
        second=sample(48),
        overlap=Overlap(documents=14, annotators=()),
        measures={"f_measure[strict]": own},
        by_type={},
    )
    compared = comparison(results, first=side("0.9"), second=side("1.0"), spans=(spans,))
    with_interval = history(results, counts, {("0.9", "1.0"): compared}).newest.first.f_measure
    assert with_interval is not None
    assert with_interval.interval == ends


@pytest.mark.slow
def test_a_step_says_how_strict_f_moved(built: Callable[..., Path]) -> None:
    results, counts = files_of(built(TWO, LATER), "1.10", "1.9")
    moves: dict[Basis, Change] = {
        "all": change(0.5, 0.9, 0.2),
        "shared": change(0.5, 0.8, 0.01),
    }
    kinds = [
        SpanRevision(
            layer="main",
            basis=basis,
            first=sample(8),
            second=sample(8),
            overlap=Overlap(documents=4, annotators=()),
            measures={"f_measure[strict]": own},
            by_type={},
        )
        for basis, own in moves.items()
    ]
    compared = comparison(results, revision("shared", change(0.4, 0.7, 0.004)), spans=tuple(kinds))
    move = history(results, counts, {("1.10", "1.9"): compared}).steps[0].layers[0].f_measure
    assert move is not None
    assert (move.basis, move.second, move.p) == ("shared", 0.8, 0.01)


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
    found = coverage({"a": f"{HEAD}main,items,,A02,yes,3\nmain,items,,A01,yes,3\n", "b": ""})
    assert found.documents == ()
    assert [(each.annotators, dict(each.documents)) for each in found.annotators] == [
        (("A01", "A02"), {"a": 0})
    ]


@pytest.mark.slow
def test_documents_in_both_come_before_those_in_one_alone(built: Callable[..., Path]) -> None:
    results, _ = files_of(built(TWO, LATER), "1.10", "1.9")
    one, other = (
        HEAD + "".join(f"main,items,{each},A01,yes,1\n" for each in names) for names in ("abc", "cd")
    )
    (step,) = history(results, [one, other], {}).steps
    assert step.documents == (1, 2, 1)


def test_labels_with_line_breaks_and_commas_do_not_disturb_coverage() -> None:
    found = coverage({"a": f'{HEAD}main,items,"d\n1","A, 01","x\n,y",3\n'})
    assert found.documents[0].documents == ("d\n1",)
    assert found.annotators[0].annotators == ("A, 01",)


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


def test_the_last_release_of_a_system_stands_beside_human_agreement(built: Callable[..., Path]) -> None:
    people = ("gold", "ann", "bob", "tagger", "tagger2")
    folder = built({"1": ratings(range(8), 3, people)}, {"1": "2026-03-01"}, SYSTEM)
    found = history(*files_of(folder, "1"), {})
    (system,) = found.newest.first.systems
    assert (system.system, system.release, system.role) == ("tagger", "2", "system")
    assert system.value.value is not None
    assert system.humans is not None
    assert system.humans.value is not None


def test_the_history_and_the_comparison_judge_several_layers_alike() -> None:
    """Two of three layers with p = 0.03: corrected for their number (Holm), neither moved beyond chance."""
    p_values = {"names": 0.03, "sense": 0.03, "scope": 0.03}
    layers = tuple(
        made_comparison.unit_set(
            layer=name, measures={"krippendorff_alpha": made_comparison.change(0.4, 0.7, p)}
        )
        for name, p in p_values.items()
    )
    plain = made_comparison.comparison(unit_sets=layers, findings=(), spans=())
    compared = plain.model_copy(update={"findings": find_changes(plain)})
    moved = step(("0.9", "1.0"), Coverage(), compared)
    assert [each.coefficient.p for each in moved.layers] == [0.03, 0.06, 0.06]
    assert (
        layer_courses(moved) == ComparisonView(compared, None).courses == (["names"], [], ["sense", "scope"])
    )
