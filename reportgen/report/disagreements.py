"""Lists of the units on which annotators differ: a section for each two categories, split into pages."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate, chain, combinations
from typing import NamedTuple

from reportgen.base.dataclass import dataclass
from reportgen.report.contents import slug
from reportgen.report.documents import (
    MOST_COLUMNS,
    DisagreementRow,
    DisagreementSection,
    DocumentViews,
    byte_length,
    rows_of,
    split_by_weight,
)
from reportgen.report.tables import Cell, ReportTable, TableColumn, table_if
from reportgen.results import Finding, Results, UnitSet
from reportgen.results.texts import Clarify, Disagreements, Texts
from reportgen.words.language import _, named_value, say_either

# On a page.
MOST_ROWS = 200
# On all pages of a list: of frequent confusions some units are shown, and the CSV has them all. A layer's
# other unit sets list the same disagreements once more, so half of it will do.
MOST_SHOWN = 1_000
# With longer rows it has fewer: about how many bytes take all its rows, and the head of a section.
MOST_BYTES, BYTES_A_HEAD = 120_000, 450
# The categories that the first page lists have so many bytes together.
MOST_LISTED = 6_000
MOST_SECTIONS = 60
# With more annotators than these, the CSV says who said what instead of a column for each.
MOST_CSV_COLUMNS = 50
# What a report shows of the categories that are confused, and of what to clarify.
MOST_CONFUSIONS = 12
MOST_CLARIFIED = 5
MOST_FORMS = 12


class Extract(NamedTuple):
    """The rows of a section that are on one page; `continued` where it began on an earlier one."""

    section: DisagreementSection
    rows: Sequence[DisagreementRow]
    continued: bool


class DisagreementPage(NamedTuple):
    """One page of a list: its number from 1, its file, and what is on it."""

    number: int
    file: str
    extracts: Sequence[Extract]


def page_name(slug: str, slugs: Iterable[str], number: int) -> str:
    """Return the name of a page of a list, counted from 1, that no page of the lists of `slugs` has."""
    if number == 1:
        return f"{slug}.html"
    taken_names, dash = {other.casefold() for other in slugs}, "-"
    while f"{slug}{dash}{number}".casefold() in taken_names:
        dash += "-"
    return f"{slug}{dash}{number}.html"


class DisagreementList:
    """All units of one unit set on which annotators differ."""

    def __init__(
        self,
        disagreements: Disagreements,
        unit_set: UnitSet,
        rows: Sequence[DisagreementRow],
        slugs: Sequence[str],
    ) -> None:
        """Keep the rows; sections and pages are made when they are asked for. `slugs` name all lists."""
        self.disagreements = disagreements
        self.unit_set = unit_set
        self.rows = rows
        self._slugs = slugs
        self.annotators = unit_set.annotators
        self._everybody = frozenset(self.annotators)
        # Whether sections are cells of the confusion matrix of two annotators.
        self.directed = len(self.annotators) == 2
        # The annotators as columns; none where they are too many.
        self.columns = self.annotators if len(self.annotators) <= MOST_COLUMNS else ()
        # Whether units have marks on them, which disagree in some way; whether units of a table have texts.
        self.with_kinds = any(row.unit.kinds for row in rows)
        self.with_texts = any(row.unit.text for row in rows)

    def _file(self, number: int) -> str:
        return page_name(slug(self.unit_set), self._slugs, number)

    @cached_property
    def _groups(self) -> dict[tuple[str, str], list[DisagreementRow]]:
        """Return the rows by the categories that they confuse, the most frequent confusion first."""
        groups: dict[tuple[str, str], list[DisagreementRow]] = defaultdict(list)
        pairs: dict[tuple[tuple[str, str], ...], list[tuple[str, str]]] = {}
        for row in self.rows:
            labels = row.unit.labels
            key = (*labels.items(),)
            if key not in pairs:
                pairs[key] = list(self._confusions(labels))
            for pair in pairs[key]:
                groups[pair].append(row)
        order = sorted(
            groups, key=lambda pair: (-len(groups[pair]), *(self._places[label] for label in pair))
        )
        return {pair: groups[pair] for pair in order}

    @cached_property
    def _shown(self) -> dict[tuple[str, str], tuple[DisagreementRow, ...]]:
        """Return the rows of each group that are on pages; the rarest of thousands of groups have none."""
        room = MOST_SHOWN if self.unit_set.primary else MOST_SHOWN // 2
        groups = list(self._groups.items())[:room]
        most = _most_of([len(rows) for _, rows in groups], room)
        return {
            pair: tuple(
                rows if len(rows) <= most else (rows[number * len(rows) // most] for number in range(most))
            )
            for pair, rows in groups
        }

    @cached_property
    def _cuts(self) -> list[slice]:
        """Return which rows are on each page, by their number and their weight.

        The head of a section names its categories twice.
        """
        weights = [
            max(
                MOST_BYTES // MOST_ROWS,
                row.weight + (0 if position else BYTES_A_HEAD + 2 * sum(map(byte_length, pair))),
            )
            for pair, rows in self._shown.items()
            for position, row in enumerate(rows)
        ]
        return split_by_weight(weights, MOST_BYTES)

    @property
    def complete(self) -> bool:
        """Tell whether pages show every unit in every section that it belongs to."""
        return sum(map(len, self._shown.values())) == sum(map(len, self._groups.values()))

    @cached_property
    def sections(self) -> tuple[DisagreementSection, ...]:
        """Return the sections, the most frequent confusion first."""
        starts = accumulate(map(len, self._shown.values()), initial=0)
        ends = [cut.stop for cut in self._cuts]
        return tuple(
            DisagreementSection(
                *pair,
                id=f"confused-{'-'.join(str(self._places[label] + 1) for label in pair)}",
                file=self._file(bisect_right(ends, start) + 1),
                rows=tuple(self._groups[pair]),
                shown=shown,
                of_sets=self._of_sets(*pair),
            )
            for (pair, shown), start in zip(self._shown.items(), starts, strict=False)
        )

    def _of_sets(self, first: str, second: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """Return the labels of the first set alone, of the second, of both; none where labels are no sets."""
        sets = self.unit_set.sets
        if sets is None:
            return (), (), ()
        of_first, of_second = ({*sets.members.get(label, ())} for label in (first, second))

        def ordered(labels: set[str]) -> tuple[str, ...]:
            return tuple(name for name in sets.names if name in labels)

        return ordered(of_first - of_second), ordered(of_second - of_first), ordered(of_first & of_second)

    def _confusions(self, labels: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Yield the pairs of categories that a unit got, each once."""
        if self.directed:
            first, second = (labels.get(name) for name in self.annotators)
            if first is not None and second is not None and first != second:
                yield first, second
            return
        used = {label for name, label in labels.items() if name in self._everybody}
        yield from combinations(sorted(used, key=self._places.__getitem__), 2)

    @cached_property
    def _places(self) -> dict[str, int]:
        given = chain.from_iterable(row.unit.labels.values() for row in self.rows)
        labels = dict.fromkeys(chain(self.unit_set.wholes, given))
        return {label: position for position, label in enumerate(labels)}

    @cached_property
    def pages(self) -> tuple[DisagreementPage, ...]:
        """Return the pages, of so many rows at most; there is at least one."""
        return tuple(
            DisagreementPage(number, self._file(number), tuple(self._extracts(cut)))
            for number, cut in enumerate(self._cuts, 1)
        )

    def _extracts(self, cut: slice) -> Iterator[Extract]:
        """Yield what a page has of each section: the rows of all of them are cut into pages."""
        start = 0
        for section in self.sections:
            first, last = max(cut.start - start, 0), min(cut.stop - start, len(section.shown))
            if first < last:
                yield Extract(section, section.shown[first:last], first > 0)
            start += len(section.shown)

    @property
    def sections_listed(self) -> tuple[DisagreementSection, ...]:
        """Return the most frequent confusions, as far as a page lists them."""
        sections = self.sections[:MOST_SECTIONS]
        weights = [byte_length(section.first) + byte_length(section.second) for section in sections]
        return sections[split_by_weight(weights, MOST_LISTED)[0]]

    @property
    def href(self) -> str:
        """Return the address of the first page, from the version's folder."""
        return f"disagreements/{self._file(1)}"

    @property
    def csv(self) -> str:
        """Return the name of its CSV."""
        return f"disagreements.{slug(self.unit_set)}.csv"

    @cached_property
    def links(self) -> dict[tuple[str, str], str]:
        """Return the address of each two categories' section."""
        return {(section.first, section.second): section.href for section in self.sections}

    def table(self) -> ReportTable:
        """Return all rows for the CSV: where their contexts are is in the documents and in texts.json."""
        who = self.annotators if len(self.annotators) <= MOST_CSV_COLUMNS else ()
        further = ["kinds"] * self.with_kinds + ["text"] * self.with_texts
        names = ("document", "offsets", "unit", *(who or ["labels"]), *further)
        columns = tuple(TableColumn(name, name) for name in names)

        def cells(row: DisagreementRow) -> Iterator[Cell]:
            yield from (row.document, row.offsets, row.name if row.unit.text else row.form)
            if who:
                yield from (row.unit.labels.get(name, "") for name in who)
            else:
                yield ", ".join(named_value(*saying) for saying in row.said)
            if self.with_kinds:
                yield ", ".join(row.unit.kinds)
            if self.with_texts:
                yield row.unit.text or ""

        rows = tuple(tuple(cells(row)) for row in self.rows)
        return ReportTable(
            "",
            "",
            columns,
            rows,
            file=self.csv,
            what="Each unit that annotators disagree on, with what everybody said.",
        )


def _most_of(sizes: Sequence[int], room: int) -> int:
    """Return how many rows of each group are shown so that all together there are no more than there is room.

    The least that it can be is one.
    """

    def together(most: int) -> int:
        return sum(min(most, size) for size in sizes)

    # The more of each, the more together: the largest number that has room is found by halving.
    return bisect_right(range(1, room + 1), room, key=together) or 1


# What a report shows of the texts behind it: documents, these lists, and what to clarify.


class FormView(NamedTuple):
    """Words that are labelled differently: how often they got each label, and an example."""

    form: str
    units: int
    labels: str
    example: DisagreementRow | None


@dataclass(frozen=True)
class ClarifyView:
    """What the guidelines of one layer should clarify."""

    clarify: Clarify
    disagreements: DisagreementList | None

    @property
    def layer(self) -> str:
        """Return the layer."""
        return self.clarify.layer

    @property
    def confusions(self) -> Sequence[DisagreementSection]:
        """Return the categories that are most often confused."""
        return self.disagreements.sections[:MOST_CLARIFIED] if self.disagreements else ()

    @property
    def forms(self) -> list[FormView]:
        """Return the forms that are labelled differently, as far as a page shows them."""
        rows = self.disagreements.rows if self.disagreements else ()
        views = []
        for form in self.clarify.forms[:MOST_FORMS]:
            order = sorted(form.labels.items(), key=lambda item: (-item[1], item[0]))
            labels = ", ".join(f"{label} {times}" for label, times in order)
            example = rows[form.example] if form.example < len(rows) else None
            views.append(FormView(form.form, form.units, labels, example))
        return views

    @property
    def boundaries(self) -> ReportTable | None:
        """Return at which end marks that overlap differ, None where none do."""
        return table_if(
            f"boundaries-{self.layer}",
            say_either(
                self.layer == "main",
                "Marks of two annotators that overlap without coinciding, by where they differ"
                "{| (layer {layer})}.",
                layer=self.layer,
            ),
            self.clarify.boundaries,
            ("label", _("Label"), "text", lambda boundary: boundary.label),
            ("left", _("At the beginning only"), "count", lambda boundary: boundary.left),
            ("right", _("At the end only"), "count", lambda boundary: boundary.right),
            ("both", _("At both ends"), "count", lambda boundary: boundary.both),
            ("inside", _("Between the ends only"), "count", lambda boundary: boundary.inside),
        )


class ReportTexts:
    """The texts of one report, as its pages show them."""

    def __init__(self, results: Results, texts: Texts) -> None:
        """Keep both; documents and lists are made when they are asked for."""
        self._results = results
        self.texts = texts
        # How many layers have marks in texts.
        self.layers = len(texts.layers)

    @cached_property
    def documents(self) -> DocumentViews:
        """Return the documents that have texts."""
        return DocumentViews(self.texts)

    @cached_property
    def _by_unit_set(self) -> dict[tuple[str, str], DisagreementList]:
        """Return the lists by layer and unit set, in the order of the results' unit sets."""
        disputed = {
            (dispute.layer, dispute.unit_set): dispute
            for dispute in self.texts.disagreements
            if dispute.units
        }
        sets = {(unit_set.layer, unit_set.id): unit_set for unit_set in self._results.unit_sets}
        sets = {key: unit_set for key, unit_set in sets.items() if key in disputed}
        slugs = [slug(unit_set) for unit_set in sets.values()]
        lists = {}
        for key, unit_set in sets.items():
            rows = rows_of(self.texts, self.documents, disputed[key], unit_set.annotators)
            lists[key] = DisagreementList(disputed[key], unit_set, rows, slugs)
        return lists

    @property
    def lists(self) -> tuple[DisagreementList, ...]:
        """Return the lists of disagreements, in the order of the results' unit sets."""
        return tuple(self._by_unit_set.values())

    def of(self, layer: str, unit_set: str) -> DisagreementList | None:
        """Return the list of a unit set, None where its annotators never differ."""
        return self._by_unit_set.get((layer, unit_set))

    def section_of(self, finding: Finding) -> DisagreementSection | None:
        """Return the units that show a finding; None where they are not listed."""
        layers = [layer for layer in finding.layers if layer in self._results.layers]
        if not layers or finding.examples is None:
            return None
        unit_set = self._results.primary_of(layers[0])
        listed = self.of(unit_set.layer, unit_set.id)
        one_alone = len(finding.examples) == 1
        two = {*finding.examples, *((unit_set.non_annotated,) if one_alone else ())}
        return next(
            (
                section
                for section in (listed.sections if listed else ())
                if not two or {section.first, section.second} == two
            ),
            None,
        )

    @cached_property
    def clarify(self) -> list[ClarifyView]:
        """Return what the guidelines of each layer should clarify, layers left out that need nothing."""
        views = []
        for clarify in self.texts.clarify:
            listed = self.of(clarify.layer, clarify.unit_set)
            # Some units of a unit set alone do not tell what is frequent.
            complete = listed if listed and listed.disagreements.of is None else None
            if (complete and complete.sections) or clarify.forms or clarify.boundaries or clarify.alone:
                views.append(ClarifyView(clarify, complete))
        return views


def linked(matrix: ReportTable, disagreements: DisagreementList | None) -> ReportTable:
    """Return a matrix whose cells lead to the units that they count, where these are listed.

    Its rows and columns are headed by the categories. A confusion matrix ends in margins; in a coincidence
    matrix a cell is of both orders.
    """
    if disagreements is None:
        return matrix
    heads = [column.title for column in matrix.columns[1:-1]]

    def href(row: tuple[Cell, ...], column: int) -> str | None:
        two = str(row[0]), heads[column]
        here = disagreements.links.get(two)
        other = None if disagreements.directed else disagreements.links.get((two[1], two[0]))
        return None if row[1 + column] is None else here or other

    links = [(None, *(href(row, column) for column in range(len(heads))), None) for row in matrix.rows]
    if matrix.total:
        links[-1] = (None,) * len(matrix.columns)
    return replace(matrix, links=tuple(links))
