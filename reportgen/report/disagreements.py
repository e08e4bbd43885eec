"""Lists of the units on which annotators differ: a section for each two categories, split into pages."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, combinations
from typing import NamedTuple

from reportgen.report.documents import DocumentViews
from reportgen.report.layer_texts import Said, grouped, offsets, shared_out
from reportgen.report.span_tables import kind_names, kinds_told
from reportgen.report.tables import Cell, ReportTable, TableColumn
from reportgen.results import UnitSet
from reportgen.results.texts import Context, Disagreement, Disagreements, Document, Texts, in_context
from reportgen.words.language import _, names, told

# On a page.
MOST_ROWS = 200
# On all pages of a list: of frequent confusions some units are shown, and the CSV has them all. A layer's
# other unit sets list the same disagreements once more, so half of it will do.
MOST_SHOWN = 1_000
# With longer rows it has fewer: about how many bytes take all its rows, a row without its words, and a head.
MOST_BYTES, BYTES_A_ROW, BYTES_A_HEAD = 120_000, 200, 450
# The categories that the first page lists have so many bytes together.
MOST_LISTED = 6_000
MOST_SECTIONS = 60
# With more annotators than these, a list says who said what instead of a column for each.
MOST_COLUMNS = 6
# With more than these, so does the CSV.
MOST_CSV_COLUMNS = 50
PAIR = 2
MOST_EXAMPLES = 3


@dataclass(frozen=True)
class DisagreementRow:
    """A unit on which annotators differ; `href` leads from the version's folder to its place in a text."""

    unit: Disagreement
    name: str
    context: Context | None
    document: str
    href: str | None
    labels: tuple[str, ...]
    said: Said

    @cached_property
    def weight(self) -> int:
        """Return about how many bytes it takes on a page."""
        found = self.context
        around = (found.before, found.unit, found.after) if found else (self.name,)
        said = self.labels or tuple(f"{who}{what}" for who, what in self.said)
        return BYTES_A_ROW + sum(map(_bytes, (*around, *said, self.document)))

    @property
    def where(self) -> str:
        """Return its document, and what it is called where its text stands for it."""
        return " · ".join(filter(None, (self.document, self.name if self.unit.text else "")))

    @property
    def offsets(self) -> str:
        """Return where it stands in its document; empty where it is no stretch of a text."""
        return offsets(self.unit.spans) if self.unit.spans else ""

    @property
    def kinds(self) -> str:
        """Return in what way marks on it disagree, in words; empty where there are none."""
        return kind_names(self.unit.kinds)

    @property
    def form(self) -> str:
        """Return the words of the unit, or its name."""
        return self.context.unit if self.context else self.name


@dataclass(frozen=True)
class DisagreementSection:
    """The units that got two categories; with two annotators the first one's stands first.

    `shown` are the rows that are on pages, evenly from all. Of two sets `only` are the labels that one of
    them alone has, and `common` those of both.
    """

    first: str
    second: str
    id: str
    file: str
    rows: tuple[DisagreementRow, ...]
    shown: tuple[DisagreementRow, ...]
    only: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    common: tuple[str, ...] = ()

    @property
    def differing(self) -> tuple[str, ...]:
        """Return the labels that only one of two sets has; none where labels are no sets."""
        return (*self.only[0], *self.only[1]) if self.only else ()

    @property
    def apart(self) -> tuple[str, str]:
        """Return the two categories; of two sets what one of them alone has."""
        if self.only is None:
            return self.first, self.second
        first, second = (names(each) if each else _("no further label") for each in self.only)
        return first, second

    @property
    def href(self) -> str:
        """Return the address of its beginning, from the version's folder."""
        return f"disagreements/{self.file}#{self.id}"

    @cached_property
    def kinds(self) -> str:
        """Return in what ways the marks on its units disagree, and how often; empty where there are none."""
        return kinds_told(row.unit.kinds for row in self.rows)

    @cached_property
    def examples(self) -> list[DisagreementRow]:
        """Return typical units: of the commonest forms one each, in the order of the texts."""
        forms = Counter(row.form for row in self.rows)
        firsts = {row.form: row for row in reversed(self.rows)}
        return [firsts[form] for form, _ in sorted(forms.items(), key=_rarest_last)[:MOST_EXAMPLES]]


def _bytes(text: str) -> int:
    return len(text.encode(errors="replace"))


def _rarest_last(form: tuple[str, int]) -> int:
    return -form[1]


class Extract(NamedTuple):
    """The rows of a section that stand on one page; `continued` where it began on an earlier one."""

    section: DisagreementSection
    rows: Sequence[DisagreementRow]
    continued: bool


@dataclass(frozen=True)
class DisagreementPage:
    """One page of a list: its number from 1, its file, and what stands on it."""

    number: int
    file: str
    extracts: tuple[Extract, ...]


class Files:
    """The names of the pages of a list, which no other list has."""

    def __init__(self, slug: str, slugs: Sequence[str]) -> None:
        """Keep the list's own name and all lists' names."""
        self.slug = slug
        self._slugs = frozenset(each.casefold() for each in slugs)

    def page(self, number: int) -> str:
        """Return the name of a page, counted from 1."""
        if number == 1:
            return f"{self.slug}.html"
        dash = "-"
        while f"{self.slug}{dash}{number}".casefold() in self._slugs:
            dash += "-"
        return f"{self.slug}{dash}{number}.html"


class DisagreementList:
    """All units of one unit set on which annotators differ."""

    def __init__(
        self, found: Disagreements, unit_set: UnitSet, rows: Sequence[DisagreementRow], files: Files
    ) -> None:
        """Keep the rows; sections and pages are made when they are asked for."""
        self.found = found
        self.unit_set = unit_set
        self.rows = rows
        self._files = files

    @property
    def annotators(self) -> tuple[str, ...]:
        """Return who rated the units."""
        return self.unit_set.annotators

    @cached_property
    def _everybody(self) -> frozenset[str]:
        return frozenset(self.annotators)

    @property
    def directed(self) -> bool:
        """Tell whether sections are cells of the confusion matrix of two annotators."""
        return len(self.annotators) == PAIR

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the annotators as columns; none where they are too many."""
        return self.annotators if len(self.annotators) <= MOST_COLUMNS else ()

    @cached_property
    def _groups(self) -> dict[tuple[str, str], list[DisagreementRow]]:
        """Return the rows by the categories that they confuse, the most frequent confusion first."""
        groups: dict[tuple[str, str], list[DisagreementRow]] = {}
        for row in self.rows:
            for pair in self._confusions(row.unit.labels):
                groups.setdefault(pair, []).append(row)
        return {
            pair: groups[pair]
            for pair in sorted(groups, key=lambda pair: (-len(groups[pair]), *map(self._place, pair)))
        }

    @cached_property
    def _shown(self) -> dict[tuple[str, str], tuple[DisagreementRow, ...]]:
        """Return the rows of each group that stand on pages; the rarest of thousands of groups have none."""
        room = MOST_SHOWN if self.unit_set.primary else MOST_SHOWN // 2
        groups = list(self._groups.items())[:room]
        most = _most_of([len(rows) for _, rows in groups], room)
        return {pair: _evenly(rows, most) for pair, rows in groups}

    @cached_property
    def _cuts(self) -> list[slice]:
        """Return which rows stand on each page, by their number and their weight."""
        weights = [
            max(MOST_BYTES // MOST_ROWS, row.weight + (_head(pair) if place == 0 else 0))
            for pair, rows in self._shown.items()
            for place, row in enumerate(rows)
        ]
        return shared_out(weights, MOST_BYTES)

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
            self._section(pair, bisect_right(ends, start) + 1)
            for pair, start in zip(self._shown, starts, strict=False)
        )

    def _section(self, pair: tuple[str, str], page: int) -> DisagreementSection:
        name = "-".join(str(self._place(label) + 1) for label in pair)
        rows, file = tuple(self._groups[pair]), self._files.page(page)
        found = DisagreementSection(*pair, f"confused-{name}", file, rows, self._shown[pair])
        if (sets := self.unit_set.sets) is None:
            return found
        one, other = ({*sets.members.get(label, ())} for label in pair)
        first, second, both = (
            tuple(name for name in sets.names if name in labels)
            for labels in (one - other, other - one, one & other)
        )
        return replace(found, only=(first, second), common=both)

    def _confusions(self, labels: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Yield the pairs of categories that a unit got, each once."""
        if self.directed:
            first, second = (labels.get(name) for name in self.annotators)
            if first is not None and second is not None and first != second:
                yield first, second
            return
        used = {label for name, label in labels.items() if name in self._everybody}
        yield from combinations(sorted(used, key=self._place), PAIR)

    @cached_property
    def _places(self) -> dict[str, int]:
        known = dict.fromkeys(self.unit_set.categories)
        for row in self.rows:
            known |= dict.fromkeys(row.unit.labels.values())
        return {label: place for place, label in enumerate(known)}

    def _place(self, label: str) -> int:
        return self._places[label]

    @cached_property
    def pages(self) -> tuple[DisagreementPage, ...]:
        """Return the pages, of so many rows at most; there is at least one."""
        rows = [(section, row, place) for section in self.sections for place, row in enumerate(section.shown)]
        return tuple(
            DisagreementPage(number, self._files.page(number), tuple(_extracts(rows[cut])))
            for number, cut in enumerate(self._cuts, 1)
        )

    @property
    def sections_listed(self) -> tuple[DisagreementSection, ...]:
        """Return the most frequent confusions, as far as a page lists them."""
        found = self.sections[:MOST_SECTIONS]
        first, *_ = shared_out([_bytes(each.first) + _bytes(each.second) for each in found], MOST_LISTED)
        return found[first]

    @cached_property
    def with_kinds(self) -> bool:
        """Tell whether units have marks on them, which disagree in some way."""
        return any(row.unit.kinds for row in self.rows)

    @cached_property
    def with_texts(self) -> bool:
        """Tell whether units of a table have texts."""
        return any(row.unit.text for row in self.rows)

    @property
    def href(self) -> str:
        """Return the address of the first page, from the version's folder."""
        return f"disagreements/{self._files.page(1)}"

    @property
    def csv(self) -> str:
        """Return the name of its CSV."""
        return f"disagreements.{self._files.slug}.csv"

    @cached_property
    def links(self) -> dict[tuple[str, str], str]:
        """Return the address of each two categories' section."""
        return {(each.first, each.second): each.href for each in self.sections}

    def table(self) -> ReportTable:
        """Return all rows for the CSV: where their contexts are is in the documents and in texts.json."""
        head = ("document", "offsets", "unit")
        who = self.annotators if len(self.annotators) <= MOST_CSV_COLUMNS else ("labels",)
        further = (*(("kinds",) if self.with_kinds else ()), *(("text",) if self.with_texts else ()))
        columns = tuple(TableColumn(name, name) for name in (*head, *who, *further))
        return ReportTable("", "", columns, tuple(map(self._csv_row, self.rows)), file=self.csv)

    def _csv_row(self, row: DisagreementRow) -> tuple[Cell, ...]:
        labels = row.unit.labels
        said: tuple[Cell, ...] = (", ".join(told(who, what) for who, what in row.said),)
        if len(self.annotators) <= MOST_CSV_COLUMNS:
            said = tuple(labels.get(name, "") for name in self.annotators)
        kinds = (", ".join(row.unit.kinds),) if self.with_kinds else ()
        name = row.name if row.unit.text else row.form
        text = (row.unit.text or "",) if self.with_texts else ()
        return (row.document, row.offsets, name, *said, *kinds, *text)


def _most_of(sizes: Sequence[int], room: int) -> int:
    """Return how many rows of each group are shown so that all together there are no more than there is room.

    The least that it can be is one.
    """

    def together(most: int) -> int:
        return sum(min(most, each) for each in sizes)

    return bisect_right(range(1, room + 1), room, key=together) or 1


def _evenly(rows: Sequence[DisagreementRow], most: int) -> tuple[DisagreementRow, ...]:
    size = len(rows)
    return tuple(rows if size <= most else (rows[place * size // most] for place in range(most)))


def _head(pair: tuple[str, str]) -> int:
    """Return about how many bytes the head of a section takes, which names its categories twice."""
    return BYTES_A_HEAD + 2 * sum(map(_bytes, pair))


def _extracts(rows: Sequence[tuple[DisagreementSection, DisagreementRow, int]]) -> Iterator[Extract]:
    """Yield the sections of a page; `rows` are its rows with their sections and places in those."""
    start = 0
    while start < len(rows):
        section, _, place = rows[start]
        number = min(len(section.shown) - place, len(rows) - start)
        yield Extract(section, section.shown[place : place + number], place > 0)
        start += number


def _context(unit: Disagreement, text: str | None) -> Context | None:
    """Return a unit in the text of its document, or its own text."""
    if unit.text:
        return in_context(unit.text, [(0, len(unit.text))])
    return in_context(text, unit.spans) if text is not None and unit.spans else None


class DisagreementRowBuilder:
    """Makes the rows of lists: units with their contexts and links."""

    def __init__(self, texts: Texts, documents: DocumentViews) -> None:
        """Keep the texts and where their pages are."""
        self._texts = texts
        self._documents = documents

    def of(self, found: Disagreements, annotators: Sequence[str]) -> list[DisagreementRow]:
        """Return a row for each unit, in their order."""
        places = {name: place for place, name in enumerate(annotators)}
        return [self._row(unit, found.layer, places) for unit in found.units]

    def _row(self, unit: Disagreement, layer: str, places: Mapping[str, int]) -> DisagreementRow:
        """Return the row of a unit, at a cost of its labels: of a crowd each has a few."""
        document = self._document(unit.document)
        text = document.text if document else None
        names = sorted((name for name in unit.labels if name in places), key=places.__getitem__)
        view = self._documents.of.get(unit.document) if unit.document is not None else None
        return DisagreementRow(
            unit=unit,
            name=unit.name or (view.name if view else document.name if document else ""),
            context=_context(unit, text),
            document=view.name if view else document.name if document else "",
            href=view.href(layer, unit.spans) if view else None,
            labels=tuple(unit.labels.get(name, "") for name in places) if len(places) <= MOST_COLUMNS else (),
            said=grouped((name, unit.labels[name]) for name in names),
        )

    def _document(self, number: int | None) -> Document | None:
        return None if number is None else self._texts.documents[number]
