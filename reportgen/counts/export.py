"""Counts as CSV and JSON, without texts or unit names; sums of very large tables; what follows from which."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain, combinations, islice, repeat, zip_longest

import numpy as np

from reportgen.base.errors import BadInput, Problem
from reportgen.base.files import as_csv
from reportgen.counts.tables import (
    Counts,
    MarkCounts,
    PairCounts,
    count,
    count_comparisons,
    distinct_rows,
    tally,
)
from reportgen.readers import NO_DOCUMENT, Annotations, Codes, CountedLayer
from reportgen.readers.counted import (
    ANNOTATORS,
    CODE_DIGITS,
    CODED_HEAD,
    COMPARISONS,
    ESCAPES,
    EVERYBODY,
    GIVEN_HEAD,
    HEADS,
    MARK_HEADS,
    PAIRS,
    PROFILES,
    RATINGS,
    SUMS,
    SUMS_HEAD,
    CountsDescribed,
    CreditDescribed,
    EverybodyDescribed,
    LabelSums,
    LayerDescribed,
    LeftOutDescribed,
    SpansDescribed,
    SpellingDescribed,
    UnitSetDescribed,
    alike,
    are_too_various,
    are_too_various_alone,
    code_width,
    first_of_groups,
    have_products,
    pair_groups,
    products_of,
    sums_on,
)
from reportgen.results.model import csv_text
from reportgen.units import NO_CATEGORY, CodedUnits, ComparedUnits, LayerUnits, Mask
from reportgen.units.labels import side_by_side, sums_by
from reportgen.units.spans import SPANS_DESCRIBED
from reportgen.units.study import STUDY_DESCRIBED
from reportgen.units.unit_sets import UNITS_DESCRIBED, attributes, margins_of, of_crowd


def as_sums(units: CodedUnits) -> CodedUnits:
    """Return units of very many kinds as units that have the same sums, with the tables of all pairs.

    Where none has a document, units keep their labels without who gave which. Units of few kinds stay as they
    are; so do those of which some have a document, and those of which labels may be left out: sets, and units
    that nobody marked.
    """
    size, people = len(units.categories), len(units.annotators)
    is_plain = units.margins is None and units.sets is None and units.non_annotated == NO_CATEGORY
    if is_plain and not units.documents:
        return _as_profiles(units)
    documents = len(units.documents)
    if not is_plain or not are_too_various(len(units.weight), people, size, documents):
        return units
    by_annotator = _by_annotator(units)
    kinds = len(distinct_rows(np.column_stack([units.document, by_annotator]))[0])
    if (units.document == NO_DOCUMENT).any() or not are_too_various(kinds, people, size, documents):
        return units
    group = first_of_groups(units.documents, pair_groups(people, size))[units.document]
    tables = _tables(by_annotator, group, units.weight, size)
    margins = margins_of(units, tables)
    if have_products(people, size):
        shared, products = _products(by_annotator, units.document, units.weight, size)
        margins = replace(margins, shared=shared, products=products)
    same = alike(label_sums(units))
    return replace(
        units,
        document=same.document,
        weight=same.weight,
        unit=same.unit,
        annotator=same.place,
        label=same.label,
        unit_place=np.full(len(same.weight), units.unit_place[0]),
        margins=margins,
    )


def _as_profiles(units: CodedUnits) -> CodedUnits:
    """Return units without documents of very many kinds as those of a crowd, with the tables of all pairs."""
    size, people = len(units.categories), len(units.annotators)
    if not are_too_various_alone(len(units.weight), people, size, 0):
        return units
    labels = _by_annotator(units)
    kinds, profiles = (len(distinct_rows(rows)[0]) for rows in (labels, np.sort(labels, axis=1)))
    if not are_too_various_alone(kinds, people, size, profiles):
        return units
    tables = _tables(labels, units.document, units.weight, size)
    return of_crowd(replace(units, margins=margins_of(units, tables)))


def _by_annotator(units: CodedUnits) -> Codes:
    """Return the label of each unit by each annotator (units, annotators), NO_CATEGORY without one."""
    labels = np.full((len(units.weight), len(units.annotators)), NO_CATEGORY, dtype=np.int64)
    labels[units.unit, units.annotator] = units.label
    return labels


def _tables(labels: Codes, group: Codes, weight: Codes, size: int) -> tuple[Codes, ...]:
    """Return first, second, group, labels and number of units of every two annotators, in this order."""
    parts = []
    for who, groups, n in _by_two(labels, group, weight, size):
        row, cell = np.nonzero(n)
        first, second = (np.full_like(row, person) for person in who)
        parts.append((first, second, groups[row], cell // size, cell % size, n[row, cell]))
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))


def _products(
    labels: Codes, document: Codes, weight: Codes, size: int
) -> tuple[tuple[Codes, ...], tuple[Codes, ...]]:
    """Return in how many documents every two annotators share units, and the products of their cells."""
    shared, parts = [], []
    for who, _, n in _by_two(labels, document, weight, size):
        shared.append((*who, int(n.any(axis=1).sum())))
        used = np.flatnonzero(n.any(axis=0))
        products = products_of(n[:, used])
        one, other = np.nonzero(products)
        first, second = (np.full_like(one, person) for person in who)
        labels_of = used[one] // size, used[one] % size, used[other] // size, used[other] % size
        parts.append((first, second, *labels_of, products[one, other]))
    columns = np.array(shared, dtype=np.int64).T
    there = columns[:, columns[2] > 0]
    return tuple(there), tuple(np.concatenate(column) for column in zip(*parts, strict=True))


def _by_two(
    labels: Codes, group: Codes, weight: Codes, size: int
) -> Iterator[tuple[tuple[int, int], Codes, Codes]]:
    """Yield every two annotators with the groups, and how many units of each have their two labels."""
    groups, number = np.unique(group, return_inverse=True)
    for who in combinations(range(labels.shape[1]), 2):
        one, other = (labels[:, person] for person in who)
        both = np.flatnonzero((one != NO_CATEGORY) & (other != NO_CATEGORY))
        place = (number[both] * size + one[both]) * size + other[both]
        n = sums_by(place, weight[both], len(groups) * size * size)
        yield who, groups, n.reshape(len(groups), size * size)


def label_sums(units: CodedUnits) -> LabelSums:
    """Return how often labels meet on the units of each document."""
    rows = units.in_order
    return sums_on(units.document, units.weight, rows.unit, rows.label, len(units.categories))


# sums.csv: of a document and a number of ratings how often each two labels meet, and the tables of pairs.


def sums_rows(units: CodedUnits) -> Iterator[tuple[int, str, str]]:
    """Yield document, `of` and `sums` of each row: of a number of ratings, or of two annotators."""
    size = len(units.categories)
    if units.sums_only:
        yield from _unit_rows(label_sums(units))
    columns = units.margins.pairs if units.margins else None
    if columns is None or not len(columns[-1]):
        return
    first, second, document, row, column, n = columns
    where = (first * len(units.annotators) + second) * (len(units.documents) + 1) + document
    for cells in np.split(np.arange(len(n)), np.flatnonzero(np.diff(where)) + 1):
        table = np.zeros(size * size, dtype=np.int64)
        table[row[cells] * size + column[cells]] = n[cells]
        start = cells[0]
        yield int(document[start]), f"{first[start]}-{second[start]}", _written(table)
    if units.margins is not None and units.margins.shared is not None:
        # How many documents two annotators share, and the products of each cell with those that follow.
        for first, second, documents in np.transpose(units.margins.shared or ()).tolist():
            yield NO_DOCUMENT, f"{first}-{second}", str(documents)
            products = units.margins.products_of(first, second, size)[1]
            for cell in np.flatnonzero(products.any(axis=1)).tolist():
                yield NO_DOCUMENT, f"{first}-{second}-{cell}", _written(products[cell, cell:])


def _unit_rows(sums: LabelSums) -> Iterator[tuple[int, str, str]]:
    """Yield the sums of each document and number of ratings."""
    upper = np.triu_indices(sums.met.shape[1])
    for document, ratings, met in zip(sums.document.tolist(), sums.ratings.tolist(), sums.met, strict=True):
        numbers = met[upper] if ratings > 1 else met.diagonal() if ratings else met[0, :1]
        yield document, str(ratings), _written(numbers)


def _written(numbers: Codes) -> str:
    return " ".join(map(str, numbers.tolist()))


# Units of one kind, those of a document with the same labels by the same annotators, counted as one.

Cell = Callable[[str], str]


@lru_cache(maxsize=2)
def ranks_of_units(units: CodedUnits) -> Codes:
    """Return the place of each unit among all, sorted by document, ratings and weight.

    Sums of floats over units that follow it do not depend on the order in which an export has them.
    """
    rows = np.column_stack([_ratings(units), units.weight])
    ranks = np.empty(len(rows), dtype=np.int64)
    ranks[np.argsort(distinct_rows(rows)[1], kind="stable")] = np.arange(len(rows))
    return ranks


def _ratings(units: CodedUnits) -> Codes:
    """Return a row for each unit: its document, then a code above 0 for each rating, 0 where none is."""
    rows = units.in_order
    codes = 1 + rows.annotator * len(units.categories) + rows.label
    return np.column_stack([units.document, side_by_side(rows.unit, codes, len(units.weight), 0)])


def _kinds_of(units: CodedUnits) -> tuple[Codes, Codes]:
    """Return the different rows of `_ratings`, in order, and how many units have each."""
    there = units.weight > 0
    rows, kind = distinct_rows(_ratings(units)[there])
    return rows, sums_by(kind, units.weight[there], len(rows))


def ratings_rows(units: CodedUnits, cell: Cell = str) -> Iterator[tuple[str, ...]]:
    """Return the rows of ratings.csv of one unit set; `cell` says how a name is written."""
    rows, n = _kinds_of(units)
    patterns, pattern = distinct_rows(rows[:, 1:])
    return rows_of(units, cell, rows[:, 0], n, (pattern, _patterns(units, patterns)))


def coded_rows(units: CodedUnits) -> Iterator[str]:
    """Return the lines of ratings.csv of one unit set where it is large."""
    rows, n = _kinds_of(units)
    width, base = code_width(len(units.annotators), len(units.categories)), len(CODE_DIGITS)
    codes, digits = rows[:, 1:], np.frombuffer(CODE_DIGITS.encode(), dtype=np.uint8)
    text = np.zeros((*codes.shape, width), dtype=np.uint8)
    for place in range(width):
        digit = digits[(codes - 1) // base ** (width - 1 - place) % base]
        text[:, :, place] = np.where(codes > 0, digit, 0)
    written = text.reshape(len(rows), -1).view(f"S{max(codes.shape[1] * width, 1)}").reshape(-1)
    names = chain([f"{quoted(units.layer)},{quoted(units.id)}"], repeat(","))
    documents = ["" if code == NO_DOCUMENT else str(code) for code in rows[:, 0].tolist()]
    columns = documents, written.astype(str).tolist(), n.tolist()
    return (
        f"{name},{document},{ratings},{times}"
        for name, document, ratings, times in zip(names, *columns, strict=False)
    )


def rows_of(
    units: CodedUnits, cell: Cell, document: Codes, n: Codes, *columns: tuple[Codes, Sequence[str]]
) -> Iterator[tuple[str, ...]]:
    """Return rows of a unit set: what each is of, the names behind the codes of its columns, how many."""
    where = named(document, (*units.documents, ""), cell)
    cells = (named(codes, names, cell) for codes, names in columns)
    return zip(
        repeat(cell(units.layer)), repeat(cell(units.id)), where, *cells, map(str, n.tolist()), strict=False
    )


def pair_rows(units: CodedUnits, pairs: PairCounts, cell: Cell = str) -> Iterator[tuple[str, ...]]:
    """Return the rows of pairs.csv of one unit set, or of comparisons.csv, where `first` is the key."""
    who = (pairs.first, units.annotators), (pairs.second, units.annotators)
    said = (pairs.first_label, units.categories), (pairs.second_label, units.categories)
    return rows_of(units, cell, pairs.document, pairs.n, *who, *said)


def _patterns(units: CodedUnits, patterns: Codes) -> list[str]:
    """Return each list of ratings as it is written."""
    annotators = [name.translate(ESCAPES) for name in units.annotators]
    categories = [name.translate(ESCAPES) for name in units.categories]
    size = max(len(categories), 1)
    return [
        "|".join(f"{annotators[(code - 1) // size]}:{categories[(code - 1) % size]}" for code in row if code)
        for row in patterns.tolist()
    ]


def named(codes: Codes, names: Sequence[str], cell: Cell) -> Iterator[str]:
    """Return what each code means; NO_DOCUMENT, which is -1, for the last of the names."""
    written = list(map(cell, names))
    return map(written.__getitem__, codes.tolist())


# The tables of counts as CSV.

# Of a crowd pairs.csv is several times ratings.csv, from which it follows: more rows than these are left out.
MOST_PAIR_ROWS = 50_000
# More rows of ratings.csv are written as codes; those of annotators.csv of a large crowd as a row for each
# annotator, unless that would be so many times as many numbers, most of them 0.
MOST_NAMED_ROWS, MOST_ZEROS = 50_000, 4


def comparisons_csv(counted: Iterable[tuple[ComparedUnits, PairCounts]]) -> str:
    """Return the text of counts/comparisons.csv; `first` is the key."""
    rows = (row for compared, pairs in counted for row in pair_rows(compared.units, pairs))
    return csv_text(MARK_HEADS[COMPARISONS], rows)


def everybody_csv(compared: Iterable[ComparedUnits]) -> str:
    """Return the text of counts/everybody.csv: units with everybody's labels, from which the rest follows."""
    return csv_text(MARK_HEADS[EVERYBODY], (row for unit_set in compared for row in _units(unit_set)))


def with_absent(compared: ComparedUnits) -> CodedUnits:
    """Return the units with the category of unmarked ones, also where no pair of labels can have it."""
    units = compared.units
    if compared.absent != len(units.categories):
        return units
    return replace(units, categories=(*units.categories, units.non_annotated_name))


def _units(compared: ComparedUnits) -> Iterator[Sequence[object]]:
    """Yield a row for each kind of units, with how many of them are known as a number only."""
    units = with_absent(compared)
    is_bulk = (units.weight > 1) & (not units.counted)
    large = replace(units, weight=np.where(is_bulk, units.weight, 0))
    bulk = {tuple(own): n for *own, n in ratings_rows(large)}
    for *own, n in ratings_rows(units):
        yield (*own, bulk.get(tuple(own), "0"), n)


def counts_csv(counted: Sequence[tuple[CodedUnits, Counts]]) -> dict[str, str]:
    r"""Return the texts of ratings.csv and of the tables that follow from it, of all unit sets of a version.

    pairs.csv is left out where it would have more than MOST_PAIR_ROWS rows, or where ratings.csv is coded.

    A profile is written as labels with their numbers, "Former:1|New:1"; in it a label's own \, | and :
    have a \ before them. A document is empty where each unit is its own.
    """
    named = [units for units, _counts in counted if units.margins is None]
    most = sum(len(units.weight) for units in named)
    coded = most > MOST_NAMED_ROWS and sum(len(_kinds_of(units)[1]) for units in named) > MOST_NAMED_ROWS
    crowded = coded or _is_crowded([counts for _units, counts in counted])
    heads = {**HEADS, RATINGS: CODED_HEAD if coded else HEADS[RATINGS]}
    # Whether annotators.csv has a row for each annotator, with all that they gave.
    rows = sum(len(counts.annotators.n) for _units, counts in counted)
    numbers = sum(len(units.annotators) * len(units.categories) for units, _counts in counted)
    unnamed = all(units.margins is not None for units, _counts in counted)
    together = unnamed and rows > MOST_NAMED_ROWS and numbers <= MOST_ZEROS * rows
    if together:
        heads[ANNOTATORS] = GIVEN_HEAD
    texts = {name: [",".join(head)] for name, head in heads.items() if not (crowded and name == PAIRS)}
    for units, counts in counted:
        # Names are written as cells once: of a crowd there are millions of pairs.
        for name, lines in texts.items():
            if coded and name == RATINGS and units.margins is None:
                lines.extend(coded_rows(units))
            elif together and name == ANNOTATORS:
                lines.extend(_given_rows(units, counts))
            else:
                lines.extend(map(",".join, _table_rows(name, units, counts, quoted, coded=coded)))
    with_tables = [units for units, _counts in counted if units.margins and units.margins.pairs is not None]
    if with_tables:
        texts[SUMS] = [",".join(SUMS_HEAD)]
    for units in with_tables:
        of = f"{quoted(units.layer)},{quoted(units.id)}"
        names = [*map(quoted, units.documents), ""]
        texts[SUMS] += [f"{of},{names[document]},{what},{sums}" for document, what, sums in sums_rows(units)]
    return {name: "\n".join((*lines, "")) for name, lines in texts.items()}


def _given_rows(units: CodedUnits, counts: Counts) -> Iterator[str]:
    """Return the lines of annotators.csv of one unit set, one for each annotator."""
    given = counts.annotators
    n = sums_by((given.annotator, given.label), given.n, (len(units.annotators), len(units.categories)))
    names = chain([f"{quoted(units.layer)},{quoted(units.id)}"], repeat(","))
    people = np.flatnonzero(n.any(axis=1))
    return (
        f"{name},,{quoted(units.annotators[who])},{' '.join(map(str, own))}"
        for name, who, own in zip(names, people.tolist(), n[people].tolist(), strict=False)
    )


def quoted(name: str) -> str:
    """Return a name as a cell of a CSV file."""
    return as_csv([(name, "")]).removesuffix(",\n")


def _is_crowded(counted: Sequence[Counts]) -> bool:
    """Tell whether pairs.csv of several unit sets would be too large, without counting what is surely so."""
    if any(counts.has_more_pairs(MOST_PAIR_ROWS) for counts in counted):
        return True
    return sum(len(counts.pairs.n) for counts in counted) > MOST_PAIR_ROWS


def _table_rows(
    name: str, units: CodedUnits, counts: Counts, cell: Cell = str, *, coded: bool = False
) -> Iterator[tuple[str, ...]]:
    """Return the rows of a table of a unit set; `cell` says how a name is written.

    Profiles have all documents together where ratings.csv is `coded`; what annotators gave has where it would
    be large too, and where documents are in groups.
    """
    many = coded and len(counts.annotators.n) > MOST_NAMED_ROWS
    together = coded if name == PROFILES else name == ANNOTATORS and (many or units.grouped)
    if units.margins is None and together:
        counts = counts.in_all
    if name == RATINGS:
        return ratings_rows(units, cell) if units.margins is None else iter(())
    if name == PAIRS:
        return pair_rows(units, counts.pairs, cell)
    if name == PROFILES:
        if units.sums_only:
            return iter(())
        profiles = counts.profiles
        names = [_profile(units, row) for row in profiles.labels.tolist()]
        rows = rows_of(units, cell, profiles.document, profiles.n, (profiles.profile, names))
        return rows if units.margins is None else chain(rows, _unrated(units, cell))
    given = counts.annotators
    columns = (given.annotator, units.annotators), (given.label, units.categories)
    return rows_of(units, cell, given.document, given.n, *columns)


def _unrated(units: CodedUnits, cell: Cell) -> Iterator[tuple[str, ...]]:
    """Return the rows of units that nobody rated, which ratings.csv has elsewhere."""
    alone = (units.per_unit == 0) & (units.weight > 0)
    (document,), n = tally([units.document[alone]], units.weight[alone])
    return rows_of(units, cell, document, n, (np.zeros_like(n), [""]))


def _profile(units: CodedUnits, labels: Sequence[int]) -> str:
    present = [label for label in labels if label != NO_CATEGORY]
    names = {label: units.categories[label].translate(ESCAPES) for label in present}
    return "|".join(f"{name}:{present.count(label)}" for label, name in names.items())


# What counts.json says of marks in texts, and of everybody compared with references.


def describe_spans(marked: MarkCounts, documents: Sequence[str]) -> SpansDescribed:
    """Return what rows can't say of a layer's marks; `documents` are those that the layer tells of."""
    spans, counts = marked.spans, marked.outcomes
    seen_documents = tuple(spans.documents[code] for code in np.unique(counts.seen_document).tolist())
    return SpansDescribed(
        derived=tuple(name for name in spans.people if name in spans.derived),
        documents=None if seen_documents == tuple(documents) else seen_documents,
        spellings=tuple(SpellingDescribed(**dict(spelling)) for spelling in spans.spellings),
        differs_from_greedy=tuple(
            (spans.people[first], spans.people[second], times)
            for (first, second), times in sorted(counts.differs.items())
        ),
        credits=tuple(
            CreditDescribed(distance=credit.id, earned=tuple(map(tuple, credit.matrix.tolist())))
            for credit in (counts.credit for counts in marked.credits)
        ),
        **attributes(spans, SPANS_DESCRIBED),
    )


def describe_everybody(compared: ComparedUnits, units: UnitSetDescribed) -> EverybodyDescribed:
    """Return what rows can't say of a unit set with everybody's labels; `units` is what they say of any."""
    return EverybodyDescribed(
        units=units,
        roles=compared.roles,  # type: ignore[arg-type]  # checked when it is made
        derived=compared.derived,
        choice=compared.choice,
        absent=None if compared.absent == NO_CATEGORY else compared.absent,
    )


# counts.json: what rows of numbers can't say of what was counted.


def counts_json(layers: Sequence[LayerDescribed]) -> str:
    """Return the text of counts.json."""
    content = CountsDescribed(layers=tuple(layers)).model_dump(mode="json", by_alias=True)
    # A value a line, not indented: the names of a crowd are thousands of lines.
    return json.dumps(content, sort_keys=True, ensure_ascii=False, allow_nan=False, indent=0) + "\n"


def describe(
    study: LayerUnits, annotations: Annotations, names: Mapping[str, str], marked: MarkCounts | None = None
) -> LayerDescribed:
    """Return what counts.json says of a layer; `names` are the pseudonyms, which the study has already.

    `marked` is what was counted of its marks in texts.
    """
    # The documents of all unit sets, each once: those of the largest first, in its order.
    largest_first = sorted((unit_set.documents for unit_set in study.unit_sets), key=len, reverse=True)
    documents = tuple(dict.fromkeys(chain.from_iterable(largest_first)))
    return LayerDescribed(
        id=study.layer,
        compared=annotations.compared,
        annotators=tuple(names.get(name, name) for name in annotations.content.annotators),
        labels=tuple(map(str, annotations.content.labels)),
        documents=documents,
        left_out=tuple(_left_out(study)),
        declared=study.declared,
        unit_sets=tuple(_unit_set(unit_set, documents) for unit_set in study.unit_sets),
        spans=describe_spans(marked, documents) if marked else None,
        everybody=tuple(
            describe_everybody(compared, _unit_set(compared.units, documents)) for compared in study.compared
        ),
        **attributes(study, STUDY_DESCRIBED),
    )


def _left_out(study: LayerUnits) -> list[LeftOutDescribed]:
    """Return how many marks of whom were left out for which reason, in the order of the first of each."""
    marks: Counter[tuple[str, str]] = Counter()
    for left_out in study.left_out:
        marks[left_out.annotator, left_out.reason] += left_out.marks
    return [LeftOutDescribed(annotator=who, reason=why, marks=n) for (who, why), n in marks.items()]


def _unit_set(units: CodedUnits, documents: Sequence[str]) -> UnitSetDescribed:
    absent = units.non_annotated
    return UnitSetDescribed(
        categories=tuple(map(str, units.categories)),
        non_annotated=None if absent == NO_CATEGORY else units.categories[absent],
        sets=None
        if units.sets is None
        else tuple(tuple(sorted(map(str, members))) for members in units.sets),
        documents=None if units.documents == tuple(documents) else units.documents,
        unnamed=units.margins is not None,
        summed=units.sums_only,
        paired=units.margins is not None and units.margins.pairs is not None and not units.documents,
        boundary=units.marks.boundary,
        marks_used=units.marks.used,
        marks_left_out=units.marks.left_out,
        **attributes(units, UNITS_DESCRIBED),
    )


# everybody.csv compared with ratings.csv: annotators said the same of the same units in both.

# The document of a kind of units, and its ratings as the tables write them.
Kind = tuple[str, str]


def unlike(units: CodedUnits, compared: ComparedUnits) -> Iterator[tuple[Kind, int, int]]:
    """Yield each kind of units of which the two have another number, with both: first that of `units`.

    `units` are rated by annotators alone. Units that no annotator labelled, and of a declared size those that
    none marked, are passed over: there are more of them where others labelled some.
    """
    own = _of_annotators(compared)
    is_chosen = compared.chosen(np.arange(len(own.weight), dtype=np.int64))
    marked = units.kind == "declared"
    units_by_kind = _kinds(units, _labelled(units, units.non_annotated, marked=marked))
    compared_by_kind = _kinds(own, is_chosen & _labelled(own, compared.absent, marked=marked))
    for kind in sorted({*units_by_kind, *compared_by_kind}):
        if units_by_kind.get(kind) != compared_by_kind.get(kind):
            yield kind, units_by_kind.get(kind, 0), compared_by_kind.get(kind, 0)


def _of_annotators(compared: ComparedUnits) -> CodedUnits:
    """Return the units with the labels of annotators alone."""
    units = with_absent(compared)
    return units.where(np.isin(units.annotator, compared.of_role("annotator")))


def _labelled(units: CodedUnits, absent: int, *, marked: bool) -> Mask:
    """Tell of which units (units,) there is a label; with `marked` one that is not that of unmarked units."""
    labelled: Mask = (units.where(units.label != absent) if marked else units).per_unit > 0
    return labelled


def _kinds(units: CodedUnits, is_counted: Mask) -> dict[Kind, int]:
    weighed = replace(units, weight=np.where(is_counted, units.weight, 0))
    # The names of layer and unit set are the same in both.
    return {(document, ratings): int(n) for _, _, document, ratings, n in ratings_rows(weighed)}


# Tables of counts that follow from others, compared with what they follow from.

SHOWN = 20
REMEDY = "Take the folder of counts as reportgen wrote it: its files belong together."


def require_agreement(content: CountedLayer, study: LayerUnits) -> None:
    """Raise BadInput where tables are not what ratings.csv, or everybody.csv, makes them."""
    problems = [
        *_contradictions(content, study.unit_sets),
        *_of_everybody(content, study.compared),
        *_held_of_annotators(content, study),
    ]
    if problems:
        raise BadInput(problems)


def _contradictions(content: CountedLayer, unit_sets: Sequence[CodedUnits]) -> Iterator[Problem]:
    """Yield where pairs.csv, profiles.csv and annotators.csv are not what ratings.csv makes them."""
    for units in unit_sets:
        counts = count(units)
        for name in (PAIRS, PROFILES, ANNOTATORS):
            if name in content.files:
                rows = partial(_table_rows, name, units, counts, coded=content.coded)
                yield from _wrong(content, name, units.id, RATINGS, rows)


def _of_everybody(content: CountedLayer, compared: Iterable[ComparedUnits]) -> Iterator[Problem]:
    """Yield where comparisons.csv is not what everybody.csv makes it."""
    for unit_set in compared:
        rows = partial(pair_rows, unit_set.units, count_comparisons(unit_set))
        yield from _wrong(content, COMPARISONS, unit_set.units.id, EVERYBODY, rows)


def _held_of_annotators(content: CountedLayer, study: LayerUnits) -> Iterator[Problem]:
    """Yield where annotators said something else in everybody.csv than in ratings.csv."""
    units = {unit_set.id: unit_set for unit_set in study.unit_sets}
    for compared in study.compared:
        for (document, ratings), n, other in islice(unlike(units[compared.units.id], compared), SHOWN):
            where = f' in document "{document}"' if document else ""
            message = (
                f'has {other:,} units of "{compared.units.id}"{where} that annotators gave {ratings}, '
                f"and {RATINGS} has {n:,}."
            )
            yield Problem(content.files[EVERYBODY], message=message, remedy=REMEDY)


def _wrong(
    content: CountedLayer,
    name: str,
    unit_set: str,
    origin: str,
    rows: Callable[[], Iterable[Sequence[object]]],
) -> Iterator[Problem]:
    """Yield that a table's rows of one unit set are others than its origin makes them, and the first one."""
    # A layer may have another name in the campaign.
    own = [(line, cells[1:]) for line, cells in content.rows[name] if cells[1] == unit_set]

    def due() -> Iterator[tuple[str, ...]]:
        return (tuple(map(str, row[1:])) for row in rows())

    # In a file that nobody touched they are in this order too.
    if all(cells == other for cells, other in zip_longest((cells for _, cells in own), due())):
        return
    expected = set(due())
    first = next((line for line, cells in own if cells not in expected), 0)
    if first or len(own) != len(expected):
        message = f'has other rows of "{unit_set}" than {origin} makes them.'
        yield Problem(content.files[name], first, message=message, remedy=REMEDY)
