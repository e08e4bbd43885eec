"""What annotators exported, whatever the tool: labels of units, and marks in texts by code points."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, Generic, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import Problem
from reportgen.results.model import LeftOut

Codes = npt.NDArray[np.int64]
Chosen = npt.NDArray[np.bool_]
Name = TypeVar("Name", bound=Hashable)
Location = tuple[str, int]
Span = tuple[int, int]
# What readers call a mark that was read and is not used.
ExcludedMarks = LeftOut
Compared = Literal["marks", "mentions", "attributes", "relations"]

NO_DOCUMENT = -1

# What an annotator did with a document; the names are those of results.json.
UNSEEN, SKIPPED, EMPTY, MARKED = range(4)
ATTENDANCE = ("unseen", "skipped", "empty", "marked")


def no_location(_: int) -> Location:
    """Return the location of a mark of which none is known."""
    return "", 0


@dataclass(frozen=True, eq=False)
class Margins:
    """How often each annotator gave each label, no matter to which units: columns of codes, and `n`.

    `pairs` are those of units that are known by their sums, or that are in no document and of very many
    kinds: first and second annotator, document, first and second label, and on how many units; None
    elsewhere. `shared` then says of two annotators in how many documents both labelled a unit, and `products`
    how many units of a document have two labels of theirs, times how many have two others or the same, added
    up over documents: two annotators, two labels, two others, and the sum. None where these are too many, or
    where there are no documents.
    """

    annotator: Codes
    label: Codes
    n: Codes
    pairs: tuple[Codes, ...] | None = None
    shared: tuple[Codes, ...] | None = None
    products: tuple[Codes, ...] | None = None

    def recoded(self, annotator: Codes, label: Codes) -> "Margins":
        """Return the same, in order, with other codes: those in the place of the codes that there are."""
        who, what = annotator[self.annotator], label[self.label]
        order = np.lexsort((what, who))
        margins = Margins(who[order], what[order], self.n[order])
        if self.pairs is None:
            return margins
        first, second, document, one, other, n = self.pairs
        first, second, (one, other) = _turned(annotator, label, first, second, (one, other))
        margins = replace(margins, pairs=sorted_columns(first, second, document, one, other, n))
        if self.shared is None or self.products is None:
            return margins
        first, second, documents = self.shared
        first, second = _turned(annotator, label, first, second)[:2]
        margins = replace(margins, shared=sorted_columns(first, second, documents))
        *cells, n = self.products
        first, second, *twos = _turned(annotator, label, cells[0], cells[1], cells[2:4], cells[4:])
        return replace(margins, products=sorted_columns(first, second, *twos[0], *twos[1], n))

    def products_of(self, first: int, second: int, size: int) -> tuple[int, Codes]:
        """Return in how many documents two annotators share units, and the products of their cells.

        The cells are those of so many labels each.
        """
        (documents,), cells = (
            [column[(columns[0] == first) & (columns[1] == second)] for column in columns[2:]]
            for columns in (self.shared or (self.n[:0],) * 3, self.products or (self.n[:0],) * 7)
        )
        one, other, again, beside, n = cells
        products = np.zeros((size * size, size * size), dtype=np.int64)
        np.add.at(products, (one * size + other, again * size + beside), n)
        return int(documents.sum()), products

    @property
    def without_pairs(self) -> "Margins":
        """Return the same with tables that have nothing in them, where there are tables."""
        nothing = self.pairs and tuple(column[:0] for column in self.pairs)
        return Margins(self.annotator, self.label, self.n, nothing)


def _turned(annotator: Codes, label: Codes, first: Codes, second: Codes, *twos: Sequence[Codes]) -> list[Any]:
    """Return two annotators by their new codes, the lower first, and their labels, each two in this order."""
    first, second = annotator[first], annotator[second]
    turned = first > second
    by_code = [(label[one], label[other]) for one, other in twos]
    return [
        np.where(turned, second, first),
        np.where(turned, first, second),
        *((np.where(turned, other, one), np.where(turned, one, other)) for one, other in by_code),
    ]


def sorted_columns(*columns: Codes) -> tuple[Codes, ...]:
    """Return columns in order of all but the last."""
    order = np.lexsort(columns[-2::-1])
    return tuple(column[order] for column in columns)


@dataclass(frozen=True, eq=False)
class Ratings:
    """Labels that annotators gave to units, as integer codes.

    `documents`, `annotators` and `labels` are the names behind the codes. A unit is a row of a
    ratings table, a document that was labelled as a whole, or a cell of a confusion matrix, which
    represents as many units as were counted.

    - `unit_names`: a name each unit, empty where the export gives none.
    - `unit_texts`: the text of each unit, empty where it has none; nothing where the export has no texts.
    - `document` (units,): the document of each unit, or NO_DOCUMENT: the unit is its own.
    - `weight` (units,): how many units it represents: 1, or the count of a matrix's cell.
    - `unit`, `annotator`, `label` (marks,): who gave which label to which unit, in the order of the
      file. A rating that is missing has no mark.
    - `mark_pass` (marks,): 0 for a first pass, 1 for a second, as far as the export says.
    - `location`: the file and line of a mark, by its number.

    `ordered` says whether the order of `labels` is the export's own (the columns of a confusion
    matrix) or merely that of first occurrence. `counted` says that units of a document with the same labels
    by the same annotators are one, which weighs as many: which of them is which is not known, but for those
    of `disputed`, on which labels differ most. Lists of disagreements show these; figures never see them.
    `grouped` is how many documents there are where `documents` are groups of them, else 0. `margins` are sums
    by annotator where it is not known who gave which label to which unit, else None; `annotator` then only
    numbers a unit's marks.
    """

    documents: tuple[str, ...]
    annotators: tuple[str, ...]
    labels: tuple[str, ...]
    unit_names: tuple[str, ...]
    document: Codes
    weight: Codes
    unit: Codes
    annotator: Codes
    label: Codes
    mark_pass: Codes
    ordered: bool = False
    location: Callable[[int], Location] = no_location
    counted: bool = False
    disputed: "Ratings | None" = None
    unit_texts: tuple[str, ...] = ()
    grouped: int = 0
    margins: Margins | None = None


def by_name(ratings: Ratings) -> Ratings:
    """Return the same with the names in their order, not that of first occurrence; each label is a text.

    Where what annotators gave has tables of pairs, documents are in their order already.
    """
    documents, annotators, labels = (
        tuple(sorted(names)) for names in (ratings.documents, ratings.annotators, ratings.labels)
    )
    document = factorize(ratings.documents, documents)[1]
    annotator, label = factorize(ratings.annotators, annotators)[1], factorize(ratings.labels, labels)[1]
    return replace(
        ratings,
        documents=documents,
        annotators=annotators,
        labels=labels,
        document=np.append(document, NO_DOCUMENT)[ratings.document],
        annotator=annotator[ratings.annotator],
        label=label[ratings.label],
        margins=ratings.margins and ratings.margins.recoded(annotator, label),
    )


def factorize(values: Iterable[Name], order: Iterable[Name] | None = None) -> tuple[tuple[Name, ...], Codes]:
    """Return the different values as they first come, or those of `order`, and each value's place there.

    One that `order` does not have is at -1.
    """
    all_values = list(values)
    if order is None:
        first = defaultdict[Name, int](count().__next__)
        codes = np.fromiter(map(first.__getitem__, all_values), np.int64, len(all_values))
        return tuple(first), codes
    code = {name: number for number, name in enumerate(dict.fromkeys(order))}
    return tuple(code), np.fromiter((code.get(name, -1) for name in all_values), np.int64, len(all_values))


def different_rows(*columns: Codes) -> tuple[Codes, Codes]:
    """Return where rows of codes first come that none before is like, and each row's place among these."""
    rows = row_codes(*columns)
    first = np.full(int(rows.max(initial=-1)) + 1, len(rows))
    np.minimum.at(first, rows, np.arange(len(rows)))
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return first[order], place[rows]


def row_codes(*columns: Codes) -> Codes:
    """Return a code for each row of codes, from 0 on without gaps, the same for rows that are alike."""
    rows, size = np.zeros(len(columns[0]), dtype=np.int64), 1
    for column in columns:
        least = int(column.min(initial=0))
        own, width = column - least, int(column.max(initial=0)) - least + 1
        if size * width > DENSE * len(rows):
            # A unit has one document, as a rule: what follows from the column need not be told apart.
            followed = np.zeros(width, dtype=np.int64)
            followed[own] = rows
            if (followed[own] == rows).all():
                rows, size = own, width
                continue
            rows, size = without_gaps(rows), len(rows)
        rows, size = rows * width + own, size * width
    return without_gaps(rows)


def are_different(*columns: Codes) -> bool:
    """Say whether no row of codes is like another."""
    return int(row_codes(*columns).max(initial=-1)) + 1 == len(columns[0])


# A table of all codes that can be has at most so many times as many as there are codes.
DENSE = 4


def are_dense(codes: Codes) -> bool:
    """Say whether a table of all codes that can be is hardly larger than that of those that are."""
    return int(codes.max(initial=0)) <= DENSE * len(codes)


def without_gaps(codes: Codes) -> Codes:
    """Return codes from 0 on without gaps, in the same order."""
    if not are_dense(codes):
        return np.searchsorted(np.unique(codes), codes)
    return (np.cumsum(np.bincount(codes) > 0) - 1)[codes]


Given = TypeVar("Given", bound=Hashable)


@dataclass(frozen=True, eq=False)
class Factor(Generic[Name]):
    """Values of which each different one is kept, and looked at, once.

    `codes` (all of them,) is the place of each in `levels`, which are in the order in which they first come.
    """

    codes: Codes
    levels: tuple[Name, ...]

    @classmethod
    def of(cls, values: Iterable[Given]) -> "Factor[Given]":
        """Return values as such."""
        different, codes = factorize(values)
        return Factor(codes, different)

    @classmethod
    def alike(cls, value: Given, times: int) -> "Factor[Given]":
        """Return one value several times."""
        return Factor(np.zeros(times, dtype=np.int64), (value,) if times else ())

    @classmethod
    def joined(cls, parts: Sequence["Factor[Given]"]) -> "Factor[Given]":
        """Return values behind each other."""
        values, place = factorize(value for part in parts for value in part.levels)
        ends = np.cumsum([len(part.levels) for part in parts])
        places = (place[end - len(part.levels) : end] for end, part in zip(ends, parts, strict=True))
        codes = [own[part.codes] for own, part in zip(places, parts, strict=True)]
        return Factor(np.concatenate(codes), values)

    def __len__(self) -> int:
        """Return how many there are, alike or not."""
        return len(self.codes)

    def __getitem__(self, place: int) -> Name:
        """Return the value at a place."""
        return self.levels[int(self.codes[place])]

    def __iter__(self) -> Iterator[Name]:
        """Return the values, one after the other."""
        return iter(self.tolist())

    def tolist(self) -> list[Name]:
        """Return the values as a list."""
        return list(map(self.levels.__getitem__, self.codes.tolist()))

    def taken(self, places: Codes | Chosen | slice) -> "Factor[Name]":
        """Return the values at some places, or where a mask is true."""
        codes = self.codes[places]
        first, place = different_rows(codes)
        return Factor(place, tuple(self.levels[code] for code in codes[first].tolist()))

    def each(self, times: int) -> "Factor[Name]":
        """Return each value several times, before the next."""
        return Factor(np.repeat(self.codes, times), self.levels)

    def mapped(self, change: Callable[[Name], Given]) -> "Factor[Given]":
        """Return what becomes of each value; what is the same then is one."""
        return self.renamed(map(change, self.levels))

    def renamed(self, values: Iterable[Given]) -> "Factor[Given]":
        """Return others for the values; what is the same then is one."""
        names, place = factorize(values)
        return Factor(place[self.codes], names)

    def where(self, is_so: Callable[[Name], object]) -> Chosen:
        """Return of which something is true (all of them,)."""
        return np.fromiter(map(bool, map(is_so, self.levels)), np.bool_, len(self.levels))[self.codes]


Texts = Factor[str]


# A word of a tree that is its root, and one whose head is not known.
ROOT, NO_HEAD = -1, -2


@dataclass(frozen=True, eq=False)
class Dependencies:
    """The trees that marks, which are words with the relation to their head, make up.

    `head` (marks,) is the number of the mark of the head, ROOT or NO_HEAD; `part_of_speech` (marks,) a code
    in `parts_of_speech`.
    """

    head: Codes
    part_of_speech: Codes
    parts_of_speech: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class TextMarks:
    """Marks that annotators made in texts or recordings, as integer codes.

    `documents`, `annotators` and `labels` are the names behind the codes; `texts` has the text of each
    document. Recordings have none: `lengths` (documents,) says how many milliseconds each lasts, and is empty
    for texts. What is said of code points is then true of milliseconds.

    - `document`, `annotator`, `label` (marks,): who marked with which label, in the order of the files.
    - `span_mark`, `span_start`, `span_end` (spans,): the stretches of each mark, in code points of its
      document, ends exclusive. A discontinuous mark has several.
    - `features`: what else each mark says, by name; empty where no mark says anything.
    - `location`: the file and line of a mark, by its number.
    - `dependencies`: the trees of a layer of relations between words, None of any other layer.
    """

    documents: tuple[str, ...]
    texts: tuple[str, ...]
    annotators: tuple[str, ...]
    labels: tuple[str, ...]
    document: Codes
    annotator: Codes
    label: Codes
    span_mark: Codes
    span_start: Codes
    span_end: Codes
    features: Sequence[Mapping[str, str]] = ()
    location: Callable[[int], Location] = no_location
    lengths: tuple[int, ...] = ()
    dependencies: Dependencies | None = None

    @property
    def extents(self) -> tuple[int, ...]:
        """Return how many code points or milliseconds each document has."""
        return self.lengths or tuple(map(len, self.texts))


@dataclass(frozen=True, eq=False)
class Regions:
    """Places in texts, each of one stretch or several.

    - `document` (regions,): the code of the document of each.
    - `span_region`, `span_start`, `span_end` (spans,): the stretches of each region, in code points of its
      document, ends exclusive.
    """

    document: Codes
    span_region: Codes
    span_start: Codes
    span_end: Codes


# Covered text is compared with the text.

CONTEXT = 12
SEEN_AS = str.maketrans({"\n": "↵", "\r": "␍", "\t": "⇥"})


def covered(text: str, spans: Sequence[Span], joiner: str = " ") -> str:
    """Return the text under the spans, stretches joined."""
    return joiner.join(text[start:end] for start, end in spans)


def different_cover(file: str, line: int, here: str, written: str) -> Problem:
    """Return the problem of a mark whose text the file gives otherwise than the document."""
    here, written = (
        (text if len(text) <= 4 * CONTEXT else f"{text[: 4 * CONTEXT]}…").translate(SEEN_AS)
        for text in (here, written)
    )
    message = f'covers "{here}" in the text, and the file says "{written}".'
    remedy = "Export marks and texts together: one of them was changed since."
    return Problem(file, line, message=message, remedy=remedy)


def around(text: str, position: int) -> str:
    """Return the text around a place, for an error."""
    return text[max(0, position - CONTEXT) : position + CONTEXT].translate(SEEN_AS) or "(the end)"


def without_space(text: str) -> str:
    """Return what is left of a text without any white space."""
    return "".join(text.split())
