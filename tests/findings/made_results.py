"""Results of one version made by hand, for rules that look at one thing in them: nothing is read or built."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from reportgen.catalogue import definitions
from reportgen.findings import LAYER_RULES
from reportgen.findings.layer_facts import LayerFacts
from reportgen.findings.subjects import SUBJECTS
from reportgen.results import (
    Figure,
    Finding,
    Habit,
    Interval,
    MarkDisagreements,
    Pair,
    Results,
    SetsCompared,
    Tool,
    UnitSet,
)
from reportgen.results.annotators import (
    AnnotatorVsRest,
    ComparedSet,
    Comparison,
    Comparisons,
    DawidSkene,
    Quality,
)
from reportgen.results.marks import Boundary, MarkCase, Outcomes, PairCases, SpanPair, SpanResults
from reportgen.results.model import CampaignFacts, Marks, Material, Revision
from reportgen.results.unit_sets import Coincidences, Confusion, LabelOfSets, SymmetryTest, UnitSetMarks
from reportgen.words.numbers import note

KAPPA, ALPHA = "cohen_kappa", "krippendorff_alpha"
# How often the labels of two annotators, or of every two of several, met.
Table = Mapping[tuple[str, str], int]
Rule = Callable[[LayerFacts], Iterator[Finding]]


def figure(
    value: float | None, low: float | None = None, high: float | None = None, **more: object
) -> Figure:
    """A figure with an interval where both ends are given."""
    if low is not None and high is not None:
        more["interval"] = Interval(low=low, high=high, level=0.95, method="t")
    return Figure.model_validate({"value": value, **more})


def by_label(**values: float) -> dict[str, Figure]:
    """Figures of categories without an interval."""
    return {name: figure(value) for name, value in values.items()}


def pair(
    table: Table,
    people: tuple[str, str] = ("A", "B"),
    categories: Sequence[str] = (),
    **changes: object,
) -> Pair:
    """Two annotators, whose table has the categories in the order in which it names them."""
    names = tuple(categories) or tuple(dict.fromkeys(name for cell in table for name in cell))
    counts = tuple(tuple(table.get((row, column), 0) for column in names) for row in names)
    given: dict[str, object] = {
        "annotators": people,
        "documents": 0,
        "confusion": Confusion(rows=people[0], columns=people[1], categories=names, counts=counts),
        "measures": {},
        "specific_agreement": {},
        "symmetry": {},
    }
    return Pair.model_validate(given | changes)


def symmetry(p: float | None = None, **changes: object) -> SymmetryTest:
    """A test of symmetry."""
    given: dict[str, object] = {"p": p, "by_document": True, "discordant": 10}
    return SymmetryTest.model_validate(given | changes)


def unit_set(*pairs: Pair, **changes: object) -> UnitSet:
    """A primary unit set of these pairs, with the categories, labels and annotators that these have."""
    people = tuple(dict.fromkeys(name for each in pairs for name in each.annotators))
    labels: dict[str, Counter[str]] = {}
    for each in pairs:
        for name, margin in zip(each.annotators, each.confusion.margins, strict=True):
            labels[name] = Counter(dict(zip(each.confusion.categories, margin, strict=True)))
    units = max((each.confusion.units for each in pairs), default=0)
    categories = tuple(dict.fromkeys(name for each in pairs for name in each.confusion.categories))
    totals = sum(labels.values(), Counter())
    given: dict[str, object] = {
        "layer": "main",
        "id": "items",
        "primary": True,
        "kind": "items",
        "why": "Because.",
        "scale": "nominal",
        "units": units,
        "units_compared": units,
        "units_read": units,
        "units_added": 0,
        "units_left_out": {},
        "units_by_annotators": {str(len(people) or 2): units},
        "base": "units",
        "several": 0,
        "joined": False,
        "marks": UnitSetMarks(read=0, used=0, left_out={}),
        "documents": 0,
        "documents_compared": 0,
        "units_alone": 0,
        "annotators": people or ("A", "B"),
        "categories": categories,
        "labels": {name: totals[name] for name in categories},
        "measures": {},
        "mean_over_pairs": {},
        "specific_agreement": {},
        "pairs": pairs,
    }
    return UnitSet.model_validate(given | changes)


def met(table: Mapping[tuple[str, str], float], **changes: object) -> UnitSet:
    """A unit set of three annotators of whose labels only how often they met is known."""
    names = tuple(dict.fromkeys(name for cell in table for name in cell))
    both = {**table, **{(other, name): times for (name, other), times in table.items()}}
    counts = tuple(tuple(float(both.get((row, column), 0)) for column in names) for row in names)
    coincidences = Coincidences(
        categories=names, counts=counts, conditional_probabilities=(), computed_alpha=(), computed_kappa=()
    )
    given: dict[str, object] = {
        "annotators": ("A", "B", "C"),
        "categories": names,
        "labels": {name: round(sum(row)) for name, row in zip(names, counts, strict=True)},
        "coincidences": coincidences,
        "units_compared": 100,
    }
    return unit_set(**(given | changes))


def results(*unit_sets: UnitSet, **changes: object) -> Results:
    """The results of these unit sets, whose primary coefficient is kappa."""
    layers = dict.fromkeys(each.layer for each in unit_sets)
    given: dict[str, object] = {
        "campaign": CampaignFacts(id="c", title="C"),
        "guidelines": "1.0",
        "revision": Revision(),
        "coefficient": KAPPA,
        "coefficients": dict.fromkeys(layers, KAPPA),
        "coefficient_declared": False,
        "reading": "",
        "unit_sets": unit_sets,
        "marks": Marks(read=0, used=0, left_out=0),
        "material": (),
        "inputs": (),
        "catalogue": definitions(),
        "tool": Tool(name="reportgen", version="0", libraries={}),
    }
    return Results.model_validate(given | changes)


def facts(*unit_sets: UnitSet, **changes: object) -> LayerFacts:
    """What rules look at: the first layer of results."""
    return LayerFacts(
        results(*(unit_sets or (unit_set(),)), **changes), (unit_sets or (unit_set(),))[0].layer
    )


def told(rule: Rule, *unit_sets: UnitSet, **changes: object) -> list[Finding]:
    """What a rule says of results made of these; one of a layer says the same beside another layer."""
    found = facts(*unit_sets, **changes)
    said = list(rule(found))
    # A message with a place that has no value is a traceback on the page; what units are is added later.
    for finding in said:
        note(finding.model_copy(update={"values": {"noun": "units", **finding.values}}))
    if rule in OF_A_LAYER:
        assert list(rule(LayerFacts(beside_another_layer(found.results), found.layer))) == said
    return said


OF_A_LAYER = {
    *LAYER_RULES,
    *(rule for subject in SUBJECTS.values() for rule in (*subject.opening, *subject.rules)),
}
# What results have of each layer, and what is within them.
OF_EACH_LAYER = ("releases", "judges", "replacement", "quality", "aggregates", "trees", "material")
WITHIN = {
    "spans": ("pairs", "disagreements", "boundaries", "unitizing"),
    "comparisons": ("sets", "pairs"),
}


def beside_another_layer(found: Results) -> Results:
    """Results with the same of another layer before each part, but with other numbers."""

    def with_others(whole: BaseModel, names: Sequence[str]) -> dict[str, object]:
        every = {name: getattr(whole, name) or () for name in names}
        return {name: (*map(_elsewhere, parts), *parts) for name, parts in every.items() if parts}

    inner = {
        name: whole.model_copy(update=with_others(whole, names))
        for name, names in WITHIN.items()
        if (whole := getattr(found, name)) is not None
    }
    return found.model_copy(update=with_others(found, OF_EACH_LAYER) | inner)


def _elsewhere(part: BaseModel) -> BaseModel:
    return type(part).model_validate({**_changed(part.model_dump()), "layer": "elsewhere"})


def _changed(content: Any) -> Any:  # noqa: ANN401 - what JSON has
    """The same with other numbers, ends of intervals in their order."""
    if isinstance(content, Mapping):
        return {name: _changed(each) for name, each in content.items()}
    if isinstance(content, list | tuple):
        return [*map(_changed, content)]
    if isinstance(content, float):
        return content / 2
    return content + 1 if isinstance(content, int) and not isinstance(content, bool) else content


def beside(name: str, difference: float | None = 0.0, **changes: object) -> AnnotatorVsRest:
    """An annotator beside the others."""
    given: dict[str, object] = {
        "annotator": name,
        "agreement": figure(0.7, units=100),
        "difference": figure(difference),
    }
    return AnnotatorVsRest.model_validate(given | changes)


def quality(*annotators: AnnotatorVsRest, **changes: object) -> Quality:
    """The quality of a layer's annotators."""
    given: dict[str, object] = {
        "layer": "main",
        "unit_set": "items",
        "dawid_skene": DawidSkene(),
        "by_document": True,
        "annotators": annotators,
        "annotators_in_all": len(annotators),
    }
    return Quality.model_validate(given | changes)


def material(**changes: object) -> Material:
    """How much there is in the layer."""
    given: dict[str, object] = {
        "layer": "main",
        "documents": 0,
        "copies": 0,
        "tokens_seen": 0,
        "marks": 0,
        "labels": {},
        "shares": {},
    }
    return Material.model_validate(given | changes)


def labelled(first: Sequence[str], second: Sequence[str]) -> Results:
    """The results of two annotators' labels, with what every report of two has."""
    table = Counter(zip(first, second, strict=True))
    measures = {
        name: figure(0.5, 0.1, 0.9)
        for name in (KAPPA, "scott_pi", "observed_agreement", "bennett_s", "finn_r")
    }
    tests = {name: symmetry(0.5) for name in ("bhapkar", "stuart_maxwell")}
    names = sorted({*first, *second})
    of_two = pair(table, categories=names, measures=measures, symmetry=tests)
    return results(
        unit_set(of_two, measures=measures, specific_agreement=by_label(**dict.fromkeys(names, 0.5)))
    )


def compared_sets(apart: dict[str, float] | None = None, **changes: object) -> SetsCompared:
    """Sets of labels, with how often one of two annotators alone chose each."""
    given: dict[str, object] = {
        "categories": 3,
        "declared": False,
        "units_left_out": 0,
        "meetings": 50,
        "meetings_left_out": 0,
        "pairs": 1,
        "members": {"x|y": ("x", "y")},
        "names": tuple(apart or ()),
        "labels": {name: LabelOfSets(chosen=9, apart=times) for name, times in (apart or {}).items()},
        "differing": 40.0,
        "confusions": (),
    }
    return SetsCompared.model_validate(given | changes)


def against(name: str, role: str = "system", **changes: object) -> Comparison:
    """Somebody beside the reference gold."""
    given: dict[str, object] = {
        "layer": "main",
        "unit_set": "items",
        "key": "gold",
        "key_role": "reference",
        "other": name,
        "role": role,
        "documents": 30,
        "units": 200,
        "measures": {KAPPA: figure(0.7, 0.6, 0.8)},
        "by_category": {},
    }
    return Comparison.model_validate(given | changes)


def compared(unit_set_id: str | None = "items", **changes: object) -> ComparedSet:
    """On what people are compared with gold; without a unit set it is marks."""
    given: dict[str, object] = {
        "layer": "main",
        "unit_set": unit_set_id,
        "figure": KAPPA,
        "references": ("gold",),
        "people": 3,
        "crowded": False,
        "humans": {},
    }
    return ComparedSet.model_validate(given | changes)


def by(*pairs: Comparison, sets: tuple[ComparedSet, ...] = (), **changes: object) -> dict[str, Any]:
    """Results' comparisons: these pairs, on items by kappa unless other sets, or changes of it, are given."""
    return {"comparisons": Comparisons(sets=sets or (compared(**changes),), pairs=pairs)}  # type: ignore[arg-type]


Case = tuple[str, str, int]


def marked(
    *cases: Case,
    people: Sequence[str] = ("A", "B"),
    habits: Sequence[Habit] = (),
    boundaries: Sequence[Boundary] = (),
    **changes: object,
) -> SpanResults:
    """Marks that disagree: cases by kind and label, of omissions those of the first annotator."""
    rows = tuple(
        MarkCase(kind=kind, cases=number, first=label, second=None if kind == "omission" else label)
        for kind, label, number in cases
    )
    pairs = tuple(
        PairCases(annotators=(one, other), roles=("annotator", "annotator"), cases=rows)
        for place, one in enumerate(people)
        for other in people[place + 1 :]
    )
    disagreements = MarkDisagreements(
        layer="main",
        documents=9,
        cases=rows,
        pairs=pairs,
        boundaries=tuple(boundaries)
        or tuple(Boundary(label=label, left=1, right=2, both=3) for _, label, _ in cases),
        habits=tuple(habits),
    )
    given: dict[str, object] = {
        "layers": (),
        "pairs": (),
        "mean_over_pairs": {},
        "disagreements": (disagreements,),
    }
    return SpanResults.model_validate(given | changes)


def span_pair(people: tuple[str, str], strict: float | None, **changes: object) -> SpanPair:
    shares = {"f_measure": figure(strict)}
    given: dict[str, object] = {
        "layer": "main",
        "annotators": people,
        "roles": ("annotator", "annotator"),
        "documents": 9,
        "false_positives": figure(0.0),
        "macro_documents": {},
        "macro_types": {},
        "by_type": {},
        "differs_from_greedy": 0,
        "counts": Outcomes(match=1, overlap=0, only_first=0, only_second=0),
        "strict": shares,
        "lenient": shares,
        "average": shares,
    }
    return SpanPair.model_validate(given | changes)
