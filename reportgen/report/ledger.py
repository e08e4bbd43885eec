"""The ledger: a row for each layer, category or system, with its figure, who differs there, and what to do.

What to do is what ranked causes ask for. Nothing is computed here: figures, counts and findings are those of
results.json, marks those of texts.json.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from reportgen.base.dataclass import dataclass
from reportgen.figures.agreement_plots import ALPHA, AT_A_GLANCE, F, f_of_documents, standing
from reportgen.figures.intervals import span
from reportgen.figures.style import THRESHOLDS
from reportgen.findings.causes import EXPLAINS, RankedCause, first_cause, often_used, unweighted
from reportgen.report.against_reference import layers as compared_layers
from reportgen.report.charts import Slice
from reportgen.report.disagreements import ReportTexts
from reportgen.report.documents import DisagreementRow, whole_marks
from reportgen.results import Figure, Results, UnitSet
from reportgen.results.annotators import Comparison
from reportgen.results.marks import cases_by_kind, omissions_of_each
from reportgen.results.texts import GuidelinesRule
from reportgen.words import headline, numbers
from reportgen.words.acts import act, rules_for
from reportgen.words.language import N_, _, say
from reportgen.words.names import figure_name
from reportgen.words.numbers import count, counted, counted_in

# So many rows are on the page; the coefficients of all are in the tables below.
MOST_ROWS = 12
EXAMPLES = 3
# Documents of about the same figure are piled on each other, in so many columns.
PILES = 20
ANNOTATOR = "annotator"
ONLY = N_("only {name}")
# Verdicts with which something is to be done.
GRAVE = {"problem", "warning"}
# What stands in place of an act where a row has none.
ALONE, ABOVE, NONE = N_("labelled by one annotator alone"), N_("as said above"), N_("no cause of its own")


@dataclass(frozen=True)
class LedgerRow:
    """A layer, a category, or a system: its figure, who differs, its documents, and what to do.

    `settled` is what the figure would be if the cause of most disagreements were settled; `documents` has a
    figure from 0 to 1 for each. `act` is what its own first cause asks for; a row without one may be
    `covered` by the cause that is said above all rows. Nothing was `compared` where no two labelled the same.
    """

    name: str
    size: str
    figure: Figure | None
    word: str = ""
    severity: str = ""
    slices: tuple[Slice, ...] = ()
    of_marks: bool = False
    documents: tuple[tuple[str, float], ...] = ()
    worst_href: str = ""
    settled: float | None = None
    causes: tuple[RankedCause, ...] = ()
    act: str = ""
    covered: bool = False
    examples: tuple[DisagreementRow, ...] = ()
    listed: str = ""
    differing: float = 0
    compared: bool = True

    @property
    def value(self) -> float | None:
        """Return the value of its figure."""
        return self.figure.value if self.figure else None

    @property
    def ends(self) -> tuple[float, float] | None:
        """Return the ends of its figure's interval; None without one."""
        own = span(self.figure)
        return (own.low, own.high) if own and own.low < own.high else None

    @property
    def apart_in_all(self) -> float:
        """Return how many cases are labelled differently."""
        return self.differing or sum(part.cases for part in self.slices if part.look != "same")

    @property
    def alike(self) -> bool:
        """Tell whether nothing was labelled differently."""
        return self.compared and not self.apart_in_all and (self.value == 1 or bool(self.slices))

    @property
    def instead(self) -> str:
        """Return what stands in place of an act; empty where there is one, and of what one can rely on."""
        if self.act:
            return ""
        if not self.compared:
            return _(ALONE)
        if self.covered:
            return _(ABOVE)
        return _(NONE) if self.severity in GRAVE and not self.alike else ""

    @property
    def piles(self) -> list[tuple[float, int]]:
        """Return where piles of documents begin, from 0 to 1, and how many are in each."""
        columns = Counter(min(int(max(value, 0.0) * PILES), PILES - 1) for _name, value in self.documents)
        return [(column / PILES, many) for column, many in columns.items()]

    @property
    def pile(self) -> tuple[float, int]:
        """Return the highest pile."""
        return max(self.piles, key=lambda pile: pile[1])

    @property
    def median(self) -> float:
        """Return the median of its documents."""
        middle = len(self.documents) // 2
        even = len(self.documents) % 2 == 0
        return (self.documents[middle][1] + self.documents[middle - even][1]) / 2

    @property
    def cases(self) -> float:
        """Return how many cases its bar is of."""
        return sum(part.cases for part in self.slices)


@dataclass(frozen=True)
class Ledger:
    """All rows: what they are, what their figures and documents are, and what is advised besides.

    Names `of_annotators`, people or systems, need no quotation marks, as those of layers and categories do.
    """

    title: str
    head: str
    heads: str
    figure: str
    figure_said: str
    bars: str
    rows: tuple[LedgerRow, ...]
    besides: tuple[RankedCause, ...]
    documents: str = ""
    banded: bool = False
    left_out: int = 0
    of_annotators: bool = False

    @property
    def looks(self) -> list[Slice]:
        """Return what the colours of the bars mean, each once, in the order of the bars."""
        longest = sorted(self.rows, key=lambda row: -sum(part.cases > 0 for part in row.slices))
        return list({part.look: part for row in longest for part in row.slices if part.cases}.values())

    @property
    def lowest(self) -> float:
        """Return where the scale of the figures begins: at 0, or below what is below it."""
        values = (value for row in self.rows for value in (row.value, row.ends and row.ends[0]) if value)
        return -0.25 if min(values, default=0.0) < 0 else 0.0

    @property
    def documents_said(self) -> str:
        """Return what a pile is."""
        return say(
            "documents by their {figure}, the highest pile counted; line: median", figure=self.documents
        )

    @property
    def with_documents(self) -> bool:
        """Tell whether some row has documents."""
        return any(row.documents for row in self.rows)

    @property
    def with_settled(self) -> bool:
        """Tell whether some row says what its figure would be if the cause were settled."""
        return any(row.settled is not None for row in self.rows)

    @property
    def with_acts(self) -> bool:
        """Tell whether some row has an act of its own: else what is said above is all."""
        return any(row.act for row in self.rows)


@dataclass(frozen=True)
class Known:
    """What a ledger is made of: results, their causes, and texts where they may be shown."""

    results: Results
    causes: Sequence[RankedCause]
    texts: ReportTexts | None = None

    @property
    def rules(self) -> Sequence[GuidelinesRule]:
        """Return what the guidelines say of categories, where that may be shown."""
        return (self.texts.texts.rules if self.texts else None) or ()

    def document(self, documents: Sequence[tuple[str, float]]) -> str:
        """Return where the first of some documents is; empty without a page of its own."""
        shown = self.texts.documents.shown.values() if self.texts and len(documents) > 1 else ()
        return next((f"documents/{own.file}" for own in shown if own.name == documents[0][0]), "")

    def covers(self, layer: str) -> bool:
        """Tell whether the first cause of all explains a layer's disagreements, whatever the label."""
        first = self.causes[0] if self.causes else None
        return first is not None and not first.categories and first.part_of(layer) >= EXPLAINS

    @property
    def subjects(self) -> set[str]:
        """Return what the layers of the report are about."""
        return {self.results.subject_of(layer) for layer in self.results.layers}


def ledger(
    results: Results, causes: Sequence[RankedCause], texts: ReportTexts | None = None
) -> Ledger | None:
    """Return the ledger of a report; None where it has no two rows to compare."""
    known = Known(results, causes, texts)
    for made in (_of_systems, _of_layers, _of_categories, _of_passes):
        found = made(known)
        if found is not None and len(found.rows) > 1:
            return found
    return None


# Rows of layers


def _of_layers(known: Known) -> Ledger | None:
    """Return a row for each of several layers whose labels are compared one by one."""
    results = known.results
    if len(results.layers) == 1:
        return None
    standings = [_answering(results, standing) for standing in headline.standings(results)]
    own, besides = assigned(known, lambda cause: cause.layers, [layer.layer for layer in standings])
    cause = first_cause(results)
    values = unweighted(results) if cause else {}
    rows = []
    for layer in standings:
        value = values.get(layer.layer)
        row = _layer_row(known, layer, own[layer.layer])
        rows.append(
            replace(
                row,
                settled=cause.without(layer.layer, value) if cause and value is not None else None,
                covered=row.covered or known.covers(layer.layer),
            )
        )
    names = {figure_name(results, layer.coefficient) for layer in standings}
    figure = names.pop() if len(names) == 1 else _("primary coefficient")
    banded = all(layer.corrected for layer in standings)
    return _ordered(
        Ledger(
            title=_("Layer by layer, by number of disagreements"),
            head=_("Layer"),
            heads=_("Layers"),
            figure=_("Agreement beyond chance") if banded else _("Agreement"),
            figure_said=_scale_said(figure, banded=banded),
            bars=_("Who marked it") if any(row.of_marks for row in rows) else _("Same label or not"),
            documents=_("strict F") if any(row.of_marks for row in rows) else _("observed agreement"),
            banded=banded,
            rows=tuple(rows),
            besides=besides,
        ),
        MOST_ROWS,
    )


def _answering(results: Results, standing: headline.Standing) -> headline.Standing:
    """Return a layer's verdict with the figure that it is about, where that is no coefficient of units."""
    answer = results.answer_of(standing.layer)
    if answer is None or results.subject_of(standing.layer) not in {"recordings", "stability"}:
        return standing
    return replace(standing, coefficient=answer.figure, symbol=answer.symbol, figure=answer.value)


def _scale_said(figure: str, *, banded: bool) -> str:
    """Return what the scale of the figures is."""
    if banded:
        return say("{figure}: 0 is no better than chance, 1 is perfect.", figure=figure)
    return say("{figure}: from 0 to 1.", figure=figure)


def _layer_row(known: Known, layer: headline.Standing, causes: Sequence[RankedCause]) -> LedgerRow:
    results, unit_set = known.results, known.results.primary_of(layer.layer)
    # Nobody ends at the same millisecond: in recordings units are what is near.
    recorded = results.subject_of(layer.layer) == "recordings"
    of_marks = () if recorded else tuple(_of_marks(results, layer.layer))
    marks = int(sum(part.cases for part in of_marks))
    documents = _documents(results, layer.layer)
    return LedgerRow(
        name=layer.layer,
        size=counted(marks, "mark", "marks") if marks else counted_in(unit_set.units_compared, unit_set.noun),
        figure=layer.figure,
        word=_(headline.WORDS[layer.severity]),
        severity=layer.severity,
        slices=of_marks or tuple(_of_labels(unit_set)),
        of_marks=bool(of_marks),
        documents=documents,
        worst_href=known.document(documents),
        **_acts(known, causes),
        examples=tuple(_examples(known, layer.layer, causes, _most_alone(of_marks))),
        listed=_listed(known, layer.layer, causes),
        differing=int(sum(part.cases for part in of_marks if part.look != "same"))
        or _differing(results, layer.layer),
        compared=unit_set.units_compared > 0,
    )


def _differing(results: Results, layer: str) -> int:
    """Return on how many units of a layer labels differ."""
    hard = (own.difficulty for own in results.quality or () if own.layer == layer)
    return sum(own.differing for own in hard if own)


def _of_marks(results: Results, layer: str) -> list[Slice]:
    """Return who made a layer's marks: of two annotators who alone, of more how many one alone."""
    spans = results.spans
    disagreements = spans.disagreements_of(layer) if spans else None
    pairs = [
        pair
        for pair in (spans.pairs if spans else ())
        if pair.layer == layer and set(pair.roles) == {ANNOTATOR}
    ]
    if disagreements is None or not pairs:
        return []
    between = disagreements.of_annotators
    kinds = Counter[str]()
    for pair in between:
        kinds.update(cases_by_kind(pair.cases))
    middle = [
        Slice("same", _("both, the same"), sum(pair.counts.match for pair in pairs)),
        Slice("ends", _("both, different boundaries"), kinds["boundary"]),
        Slice("label", _("both, different labels"), kinds["type"] + kinds["both"]),
    ]
    if len(between) == 1:
        (first, second), alone = between[0].annotators, omissions_of_each(between[0].cases)
        parts = [
            Slice("first", say(ONLY, name=first), alone[0], first),
            *middle,
            Slice("second", say(ONLY, name=second), alone[1], second),
        ]
    else:
        parts = [*middle, Slice("second", _("only one of two"), kinds["omission"])]
    return [part for part in parts if part.cases]


def _of_labels(unit_set: UnitSet) -> Iterator[Slice]:
    """Yield on how many units labels are alike, and which two differ most often."""
    if unit_set.sets:
        # The pairs of a unit's n sets are divided by n - 1, as those that differ are: they count n / 2.
        rated = unit_set.units_by_annotators.items()
        met = sum(int(many) * units for many, units in rated if int(many) > 1) / 2
        yield Slice("same", _("same label"), max(met - unit_set.sets.differing, 0.0))
        yield Slice("second", _("different labels"), unit_set.sets.differing)
        return
    names, cells = _cells(unit_set)
    yield Slice("same", _("same label"), sum(cases for (i, j), cases in cells.items() if i == j))
    apart: dict[tuple[int, int], float] = {}
    for (i, j), cases in cells.items():
        if i != j:
            key = (min(i, j), max(i, j))
            apart[key] = apart.get(key, 0.0) + cases
    pairs = {f"{names[i]} / {names[j]}": cases for (i, j), cases in apart.items()}
    yield from _ranked(pairs, (_("confused most often"), _("confused next most often")))


def _cells(unit_set: UnitSet) -> tuple[Sequence[str], dict[tuple[int, int], float]]:
    """Return how often labels meet on a unit: of two annotators their table, of more coincidences."""
    pair = unit_set.only_pair
    if pair is not None:
        return pair.confusion.categories, dict(pair.confusion.filled)
    if unit_set.coincidences is not None:
        return unit_set.coincidences.categories, dict(unit_set.coincidences.filled)
    return (), {}


def _ranked(
    cases: Mapping[str, float], means: tuple[str, str], named: Callable[[str], str] = str
) -> Iterator[Slice]:
    """Yield the two most frequent parts, which each row has others of, and the rest as one."""
    ranked = sorted(cases, key=lambda name: (-cases[name], name))
    for number, (name, meant) in enumerate(zip(ranked, means, strict=False), 1):
        yield Slice(f"other-{number}", named(name), cases[name], means=meant, label=name)
    rest = sum(cases[name] for name in ranked[len(means) :])
    if rest:
        yield Slice("rest", _("others"), rest)


def _documents(results: Results, layer: str) -> tuple[tuple[str, float], ...]:
    """Return the strict F of marks in each document, the lowest first, of labels the observed agreement.

    There are none where documents are very many.
    """
    of_marks = f_of_documents(results, layer)
    if of_marks and results.subject_of(layer) != "recordings":
        return tuple(of_marks)
    for own in results.by_document or ():
        if own.layer == layer and own.key is None and own.documents_in_all == len(own.documents):
            return _lowest_first(
                (document.document, document.observed_agreement) for document in own.documents
            )
    return ()


def _lowest_first(values: Iterable[tuple[str, float]]) -> tuple[tuple[str, float], ...]:
    return tuple(sorted(values, key=lambda own: (own[1], own[0])))


# Rows of categories


def _of_categories(known: Known) -> Ledger | None:
    """Return a row for each of the most frequent categories of the only layer, all of them together first."""
    results = known.results
    (layer, *others), subject = results.layers, results.subject_of(results.layers[0])
    if others or subject not in {ANNOTATOR + "s", "recordings"}:
        return None
    unit_set, (overall,) = results.primary_of(layer), headline.standings(results, layer)
    names = sorted(often_used(unit_set), key=lambda name: -unit_set.uses(name))
    figures, figure = _of_each(known, unit_set, names)
    # What is confused is advised where agreement is lowest.
    names = sorted(figures, key=lambda name: (figures[name].value or 0.0, -unit_set.uses(name)))
    own, besides = assigned(known, lambda cause: cause.categories, names)
    banded = figure is not None and overall.corrected
    rows = [
        LedgerRow(
            name=name,
            size=counted(unit_set.uses(name), "label", "labels"),
            figure=figures.get(name),
            word=_word(figures.get(name), banded=banded),
            severity=_severity(figures.get(name)) if banded else "",
            slices=tuple(_of_category(unit_set, name)),
            **_acts(known, own[name], layer),
            examples=tuple(_examples(known, layer, own[name])),
            listed=_listed(known, layer, own[name]),
        )
        for name in names
    ]
    if subject == "recordings" and all(row.alike for row in rows):
        return None
    coefficient = figure or overall.coefficient
    shares = _near(results, layer) or _("specific agreement")
    return _ordered(
        Ledger(
            title=_("Label by label, by number of disagreements")
            if unit_set.sets
            else _("Category by category, by number of disagreements"),
            head=_("Label") if unit_set.sets else _("Category"),
            heads=_("Labels") if unit_set.sets else _("Categories"),
            figure=_("Agreement beyond chance") if banded else _("Agreement"),
            figure_said=_scale_said(
                say("{figure} against all others", figure=figure_name(results, coefficient)), banded=banded
            )
            if figure
            else _scale_said(shares, banded=False),
            bars=_("Who chose it"),
            banded=banded,
            rows=tuple(rows),
            besides=besides,
        ),
        AT_A_GLANCE,
    )


def _of_each(known: Known, unit_set: UnitSet, names: Sequence[str]) -> tuple[dict[str, Figure], str | None]:
    """Return each category's figure, and which coefficient it is against all others.

    It is the primary one, where categories have none alpha, else specific agreement, which is no coefficient.
    Of recordings that is F of stretches with their label.
    """
    recorded = known.results.subject_of(unit_set.layer) == "recordings"
    for figure in () if recorded else (known.results.coefficients[unit_set.layer], ALPHA):
        found = {name: own for name in names if (own := unit_set.against_rest.get(name, {}).get(figure))}
        found = {name: own for name, own in found.items() if own.value is not None}
        if len(found) > 1:
            return found, figure
    specific = {name: unit_set.specific_agreement.get(name) for name in names}
    return {name: own for name, own in specific.items() if own and own.value is not None}, None


def _of_category(unit_set: UnitSet, name: str) -> Iterator[Slice]:
    """Yield how often annotators chose a category alike, and who alone, or what others chose instead."""
    pair = unit_set.only_pair
    if pair is not None and not pair.withheld:
        both = pair.labels[name].both if name in pair.labels else pair.confusion.count(name, name)
        yield from _of_two(pair.annotators, pair.uses(name), both)
    elif unit_set.sets and name in unit_set.sets.labels:
        own = unit_set.sets.labels[name]
        yield Slice("same", _("both"), max(own.chosen - own.apart, 0.0))
        yield Slice("second", _("only one of two"), own.apart)
    elif unit_set.coincidences is not None:
        names, cells = _cells(unit_set)
        place = names.index(name) if name in names else -1
        yield Slice("same", _("both"), cells.get((place, place), 0.0))
        met = {names[j]: cases for (i, j), cases in cells.items() if i == place != j}
        means = _("chosen instead most often"), _("chosen instead next most often")
        yield from _ranked(met, means, lambda other: say(N_("another chose {name}"), name=other))


def _of_two(names: tuple[str, str], uses: tuple[int, int], both: int) -> tuple[Slice, ...]:
    (first, second), (by_first, by_second) = names, uses
    return (
        Slice("first", say(ONLY, name=first), by_first - both),
        Slice("same", _("both"), both),
        Slice("second", say(ONLY, name=second), by_second - both),
    )


def _near(results: Results, layer: str) -> str:
    """Return what specific agreement is in recordings; empty elsewhere."""
    found = (results.spans.boundaries if results.spans else None) or ()
    near = next((own.tolerance for own in found if own.layer == layer), None)
    return say("F within {tolerance} ms", tolerance=count(near)) if near is not None else ""


def _severity(figure: Figure | None) -> str:
    """Return how grave a category's figure is by the thresholds, as the verdict on a layer is."""
    own, (low, high) = span(figure), THRESHOLDS
    if own is None:
        return "warning"
    if own.high < low:
        return "problem"
    if own.low < low:
        return "warning"
    return "good" if own.low >= high else "note"


def _word(figure: Figure | None, *, banded: bool) -> str:
    own = span(figure) if banded else None
    return standing(own) if own else ""


# Rows of systems, and of a judge's categories


def _of_systems(known: Known) -> Ledger | None:
    """Return a row for each system beside the reference, or for each category of the only one."""
    if not known.subjects & {"systems", "judge"}:
        return None
    compared = next((own.drawn for own in compared_layers(known.results) if own.drawn), None)
    if compared is None:
        return None
    pairs = [pair for pair in compared.every if pair.role != ANNOTATOR]
    if len(pairs) == 1:
        return _of_one_system(known, pairs[0])
    names = [pair.shown_name for pair in pairs]
    own, besides = assigned(known, _every_value, names)
    rows = [_system_row(known, pair, compared.whole.figure, own[pair.shown_name]) for pair in pairs]
    return Ledger(
        title=_("System by system, from the best"),
        head=_("System"),
        heads=_("Systems"),
        figure=compared.figure,
        figure_said=_scale_said(compared.figure, banded=False),
        bars="",
        documents=_("strict F"),
        rows=tuple(sorted(rows, key=lambda row: -(row.value or 0.0))[:MOST_ROWS]),
        besides=besides,
        left_out=max(len(pairs) - MOST_ROWS, 0),
        of_annotators=True,
    )


def _system_row(known: Known, pair: Comparison, figure: str, causes: Sequence[RankedCause]) -> LedgerRow:
    of_marks = known.results.spans.pairs if known.results.spans and pair.unit_set is None else ()
    own = (pair.layer, (pair.key, pair.other))
    marks = next((marks for marks in of_marks if (marks.layer, marks.annotators) == own), None)
    documents = (marks.by_document or {}).items() if marks else ()
    values = _lowest_first(
        (name, value) for name, own in documents if (value := own.strict.get(F)) is not None
    )
    of_documents = counted(pair.documents, "document", "documents")
    return LedgerRow(
        name=pair.shown_name,
        size=of_documents if pair.units is None else counted(pair.units, "unit", "units"),
        figure=pair.measures.get(figure),
        documents=values,
        worst_href=known.document(values),
        **_acts(known, causes),
    )


def _of_one_system(known: Known, pair: Comparison) -> Ledger:
    """Return a row for each category of the only system or model, the one that it misses most first."""
    names = sorted(pair.by_category, key=lambda name: -pair.by_category[name].key)[:MOST_ROWS]
    own, besides = assigned(known, lambda cause: cause.categories, names)
    who = pair.shown_name
    rows = [
        LedgerRow(
            name=name,
            size=counted(scores.key, "label", "labels"),
            figure=scores.specific_agreement,
            slices=_of_two((pair.key, who), (scores.key, scores.other), scores.both),
            **_acts(known, own[name]),
        )
        for name, scores in ((name, pair.by_category[name]) for name in names)
    ]
    return Ledger(
        title=_("Category by category, from the worst"),
        head=_("Category"),
        heads=_("Categories"),
        figure=_("F (specific agreement)"),
        figure_said=_scale_said(_("F (specific agreement)"), banded=False),
        bars=_("Who chose it"),
        rows=tuple(sorted(rows, key=lambda row: row.value or 0.0)),
        besides=besides,
    )


# Rows of people who labelled twice


def _of_passes(known: Known) -> Ledger | None:
    """Return a row for each annotator beside themselves, whoever repeats themselves least first."""
    results, layers = known.results, known.results.layers
    if len(layers) > 1 or known.subjects != {"stability"}:
        return None
    coefficient = results.coefficients[layers[0]]
    people = [person for own in results.quality or () for person in own.intra_annotator]
    own, besides = assigned(known, _every_value, [person.annotator for person in people])
    rows = []
    for person in people:
        figure, observed = person.measures.get(coefficient), person.measures.get("observed_agreement")
        severity = _severity(figure)
        alike = round(observed.value * person.units) if observed and observed.value is not None else 0
        parts = (
            Slice("same", _("same label"), alike),
            Slice("second", _("different labels"), person.units - alike),
        )
        rows.append(
            LedgerRow(
                name=person.annotator,
                size=counted(person.units, "unit twice", "units twice"),
                figure=figure,
                word=_word(figure, banded=True),
                severity=severity,
                slices=parts if observed else (),
                **_acts(known, own[person.annotator]),
            )
        )
    found = _ordered(
        Ledger(
            title=_("Annotator by annotator, from whoever repeats themselves least"),
            head=_("Annotator"),
            heads=_("Annotators"),
            figure=_("Agreement with themselves"),
            figure_said=_scale_said(figure_name(results, coefficient), banded=True),
            bars=_("Same label or not"),
            banded=True,
            rows=tuple(rows),
            besides=besides,
            of_annotators=True,
        ),
        MOST_ROWS,
    )
    # How much people agree with each other is beside how much they agree with themselves.
    between, figure = results.primary, results.primary.measures.get(coefficient)
    if not between.units_compared or figure is None or figure.value is None:
        return found
    row = LedgerRow(
        name=_("with each other"),
        size=counted_in(between.units_compared, between.noun),
        figure=figure,
        word=_word(figure, banded=True),
        severity=_severity(figure),
        slices=tuple(_of_labels(between)),
    )
    return replace(found, rows=(*found.rows, row))


# The causes, row by row


def assigned(
    known: Known, about: Callable[[RankedCause], Sequence[str]], names: Sequence[str]
) -> tuple[dict[str, list[RankedCause]], tuple[RankedCause, ...]]:
    """Return the causes of each row, the first of all too, and those of no row.

    What is about several layers is of no row; of several categories the first of `names` has it, or each of
    them the first cause of all.
    """
    own: dict[str, list[RankedCause]] = {name: [] for name in names}
    others: list[RankedCause] = []
    for cause in known.causes:
        rows = [name for name in names if name in about(cause)]
        of_all = len(cause.layers) > 1 and set(rows) == set(cause.layers)
        first = cause is known.causes[0]
        for name in () if of_all else rows if first else rows[:1]:
            own[name].append(cause)
        if not first and (of_all or not rows):
            others.append(cause)
    return own, tuple(others)


def _every_value(cause: RankedCause) -> tuple[str, ...]:
    return tuple(map(str, cause.first.values.values()))


def _acts(known: Known, causes: Sequence[RankedCause], layer: str = "") -> dict[str, Any]:
    """Return what a row's own causes, in a layer, ask for first: that of the whole report is said above."""
    own = [cause for cause in causes if cause is not known.causes[0]]
    rules = rules_for(own[0], known.rules) if own else ()
    return {
        "causes": tuple(causes),
        "act": act(own[0], people=len(known.results.primary.annotators), rules=rules) if own else "",
        "covered": len(own) < len(causes) or known.covers(layer),
    }


def _ordered(found: Ledger, most: int) -> Ledger:
    """Return a ledger with most disagreements first, what one can rely on last, and not too many rows."""

    def rank(row: LedgerRow) -> tuple[bool, float, float]:
        relied_on = found.banded and row.severity in {"good", "note"}
        return relied_on, -row.apart_in_all, row.value if row.value is not None else 1.0

    rows = sorted(found.rows, key=rank)
    if not all(rank(row)[0] for row in rows):
        # Beside rows that cannot be relied on, nothing is urgent in the others.
        if any(rank(row)[0] for row in rows):
            found = replace(found, title=say("{heads}, from the weakest", heads=found.heads))
        rows = [replace(row, act="") if rank(row)[0] else row for row in rows]
    return replace(found, rows=tuple(rows[:most]), left_out=max(len(rows) - most, 0))


def _most_alone(slices: Sequence[Slice]) -> str | None:
    alone = [part for part in slices if part.who]
    return max(alone, key=lambda part: part.cases).who if alone else None


def _examples(
    known: Known, layer: str, causes: Sequence[RankedCause], who: str | None = None
) -> Iterable[DisagreementRow]:
    """Return a few examples of what is advised first: whole marks of one alone, else units."""
    texts = known.texts
    if texts is None:
        return ()
    first = causes[0].first if causes else None
    if first is not None and first.asks in {"mark", "balance"} and texts.documents.all:
        name = first.categories[0] if len(first.categories) == 1 else None
        alone = whole_marks(texts.texts, texts.documents, layer, who, name)
        if alone:
            return alone[:: max(len(alone) // EXAMPLES, 1)][:EXAMPLES]
    section = texts.section_of(first) if first else None
    if section is None:
        unit_set = known.results.primary_of(layer)
        listed = texts.of(layer, unit_set.id)
        section = listed.sections[0] if listed and listed.sections else None
    return section.examples[:EXAMPLES] if section else ()


def _listed(known: Known, layer: str, causes: Sequence[RankedCause]) -> str:
    """Return where all units are listed that show what is advised first, else all of the layer."""
    texts = known.texts
    if texts is None:
        return ""
    section = texts.section_of(causes[0].first) if causes else None
    listed = texts.of(layer, known.results.primary_of(layer).id)
    return section.href if section else listed.href if listed else ""


def shown_count(cases: float) -> str:
    """Return a number of cases; of more than two annotators they are parts of units."""
    return numbers.decimal(cases) if 0 < cases < 1 else count(round(cases))
