"""Units of very many kinds elsewhere: the sums that counts keep of them are all that travels.

A first query says how many kinds of units there are. Where these are kept as sums, another adds up how often
each two labels meet: what travels grows with labels, annotators and groups of documents, not with units.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.readers.annotations import Codes, LabelsGiven, Ratings
from reportgen.readers.document_groups import (
    DIGITS,
    are_too_various,
    first_by_group,
    pair_digits,
    pair_group,
    pair_groups,
)
from reportgen.readers.engine.labels import (
    NOTHING,
    CodedNames,
    LabelGroup,
    LaidSheet,
    coded_names,
    labels_given,
)
from reportgen.readers.engine.remote import IbisSource, TableSizes
from reportgen.readers.label_sums import LabelSums, alike, contradictions
from reportgen.readers.reader import ReaderOptions

if TYPE_CHECKING:
    from pyarrow import Table

# What a row of the sums says: of a document, or a group of documents, and units with as many ratings, how
# often two labels meet, the lower code first; of two annotators and a group which labels they gave.
COLUMNS = ("document", "ratings", "first", "second", "first_label", "second_label", "n")
Summed = tuple[CodedNames, list[LabelGroup], Ratings]


def are_summable(sheet: LaidSheet, options: ReaderOptions) -> bool:
    """Say whether units that are named and in documents have no more than one label by each annotator."""
    layout = sheet.layout
    plain = options.engine.sums and options.set_separator is None and layout.passes is None
    return plain and layout.unit is not None and layout.document is not None


def read_sums(  # noqa: PLR0913, PLR0917 - where what lies, how it is read, and how large it is
    source: IbisSource,
    sheet: LaidSheet,
    options: ReaderOptions,
    sizes: TableSizes,
    different: int,
    grouped: int,
) -> Summed | None:
    """Return names, how often they occur together, and units that have the sums of those that lie elsewhere.

    None where kinds of units are fewer, or where it takes more to know which labels count: passes, sets,
    units without a name or a document, and somebody who labelled a unit twice. `different` is how many
    labels there are, `grouped` how many documents where groups take their place, else 0. Raises BadInput
    where the table has changed from one query to the next.
    """
    if not are_summable(sheet, options) or sizes.nowhere:
        return None
    if not are_too_various(sizes.cells, sizes.people, different, 1):
        return None
    groups = source.groups(sheet)
    names = coded_names([*groups.values()], (), options)
    given = labels_given(names, groups.values(), options)
    units = units_of(source, sheet, Codebook.of(groups, names, given), in_groups=bool(grouped))
    counted = kinds_of(units).to_pyarrow()
    kinds, documents, again = (int(column[0].as_py() or 0) for column in counted.columns)
    people, size = len(np.unique(given.annotator)), len({*names.labels, *(options.only or ())})
    if again or not are_too_various(kinds, people, size, documents):
        return None
    groups_of_pairs = pair_groups(kinds, people, size, documents)
    table = sums_of(source, units, groups_of_pairs).to_pyarrow()
    ratings = _ratings(names, given, table, groups_of_pairs)
    if ratings is None:
        raise source.file.refused("changed while it was counted.", "Count it again when nobody writes it.")
    return names, [*groups.values()], replace(ratings, grouped=grouped)


@dataclass(frozen=True)
class Codebook:
    """The codes of annotators, and of labels that count, by how each is written."""

    who: Mapping[str, int]
    label: Mapping[str, int]

    @classmethod
    def of(
        cls, groups: Mapping[tuple[str, str], LabelGroup], names: CodedNames, given: LabelsGiven
    ) -> "Codebook":
        """Return the codes of those who gave labels that count, and of these."""
        people = {names.annotators[code]: code for code in np.unique(given.annotator).tolist()}
        label = {label: names.label_codes[group.label] for (_, label), group in groups.items()}
        return cls(
            {who: people[group.annotator] for (who, _), group in groups.items() if group.annotator in people},
            {name: code for name, code in label.items() if code != NOTHING},
        )

    @classmethod
    def of_head(cls, sheet: LaidSheet) -> "Codebook":
        """Return the codes of names in the first rows of a table, in their order."""
        layout, columns = sheet.layout, sheet.table.columns
        if layout.label is None:
            who = [sheet.table.header[column] for column in layout.annotators]
            labels = [label for column in layout.annotators for label in columns[column].tolist()]
        else:
            who, labels = columns[layout.annotators[0]].tolist(), columns[layout.label].tolist()
        coded = ({name: code for code, name in enumerate(sorted({*names} - {""}))} for names in (who, labels))
        return cls(*coded)


# The expressions

# A mark's code is that of its annotator times this, plus that of its label; so many labels have no sums.
PERSON = 1 << 20


def units_of(
    source: IbisSource,
    sheet: LaidSheet,
    codes: Codebook,
    *,
    in_groups: bool,
) -> Any:  # noqa: ANN401 - Ibis is imported where it is needed
    """Return the expression of all units, with `codes`, how many `ratings` and `people` and the last `label`.

    `document` is that of a unit, or with `in_groups` its group.
    """
    import ibis

    cells = source.cells(sheet)
    who, label = (
        column.cases(*coded.items(), else_=NOTHING).cast("int64")
        for column, coded in ((cells.who, codes.who), (cells.label, codes.label))
    )
    cells = cells.mutate(who=who, label=ibis.ifelse(cells.unnamed | (who == NOTHING), NOTHING, label))
    counts = cells.label != NOTHING
    units = cells.group_by("document", "unit").aggregate(
        codes=(cells.who * PERSON + cells.label).collect(where=counts),
        ratings=counts.sum(),
        people=cells.who.nunique(where=counts),
        label=cells.label.max(),
    )
    return units.mutate(document=source.group_of(units.document)) if in_groups else units


def kinds_of(units: Any) -> Any:  # noqa: ANN401
    """Return the expression of how many kinds of units there are, how many documents, and a third number.

    It is above 0 where somebody labelled a unit more than once.
    """
    again = units.ratings - units.people
    kinds = units.group_by("document", units.codes.sort().name("codes")).aggregate(again=again.max())
    return kinds.aggregate(kinds=kinds.count(), documents=kinds.document.nunique(), again=kinds.again.max())


def sums_of(source: IbisSource, units: Any, groups: int) -> Any:  # noqa: ANN401
    """Return the expression of the sums, with COLUMNS; `groups` are how many there are in tables of pairs."""
    import ibis

    digits = source.group_of(units.document)
    last = digits[DIGITS - 1 :].cases(*pair_digits(groups).items(), else_="")
    units = units.mutate(of_pairs=digits[: DIGITS - 1] + last)
    alone, together = units.filter(units.ratings < 2), units.filter(units.ratings > 1)
    pairs = together.mutate(first=together.codes.unnest())
    pairs = pairs.mutate(second=pairs.codes.unnest())
    pairs = pairs.filter(pairs.first < pairs.second)
    pairs = pairs.select(
        "document",
        "of_pairs",
        "ratings",
        first=pairs.first // PERSON,
        second=pairs.second // PERSON,
        one=pairs.first % PERSON,
        other=pairs.second % PERSON,
    )
    parts = (
        alone.group_by("document", "ratings", first_label="label").aggregate(n=alone.count()),
        pairs.group_by(
            "document",
            "ratings",
            first_label=ibis.least(pairs.one, pairs.other),
            second_label=ibis.greatest(pairs.one, pairs.other),
        ).aggregate(n=pairs.count()),
        pairs.group_by(
            "first", "second", document="of_pairs", first_label="one", second_label="other"
        ).aggregate(n=pairs.count()),
    )
    return ibis.union(*(_with_all_columns(part) for part in parts))


def _with_all_columns(part: Any) -> Any:  # noqa: ANN401
    import ibis

    there = {name: part[name] if name in part.columns else ibis.literal(NOTHING) for name in COLUMNS}
    return part.select(
        **{name: column if name == "document" else column.cast("int64") for name, column in there.items()}
    )


# What has come over, as units that have these sums


def _ratings(names: CodedNames, given: LabelsGiven, table: "Table", groups: int) -> Ratings | None:
    """Return units that have the sums of a table, of so many groups; None where no one table has these."""
    ratings = table["ratings"].to_numpy()
    units, pairs = (table.filter(chosen) for chosen in (ratings != NOTHING, ratings == NOTHING))
    documents = sorted(units["document"].unique().to_pylist())
    sums = _label_sums(units, documents, len(names.labels))
    first_of = first_by_group(documents, groups)
    group = _codes(pairs, lambda digits: first_of.get(pair_group(digits, groups), NOTHING))
    first, second, *labels, n = (pairs[name].to_numpy() for name in COLUMNS[2:])
    columns = first, second, group, *labels, n
    order = np.lexsort(columns[-2::-1])
    given = replace(given, pairs=tuple(column[order] for column in columns))
    if (group == NOTHING).any() or any(contradictions(sums, given)):
        return None
    same = alike(sums)
    return Ratings(
        documents=tuple(documents),
        annotators=names.annotators,
        labels=names.labels,
        unit_names=("",) * len(same.weight),
        unit_document=same.document,
        unit_weight=same.weight,
        unit=same.unit,
        annotator=same.place,
        label=same.label,
        mark_pass=np.zeros_like(same.unit),
        counted=True,
        given=given,
    )


def _label_sums(units: "Table", documents: Sequence[str], size: int) -> LabelSums:
    place = {document: code for code, document in enumerate(documents)}
    document = _codes(units, place.__getitem__)
    ratings, _, _, least, largest, n = (units[name].to_numpy() for name in COLUMNS[1:])
    # Of units with one rating one label has come, of those with none no label.
    least = np.maximum(least, 0)
    largest = np.maximum(largest, least)
    width = int(ratings.max(initial=0)) + 1
    rows, row = np.unique(document * width + ratings, return_inverse=True)
    met = np.zeros((len(rows), size, size), dtype=np.int64)
    np.add.at(met, (row, least, largest), n)
    return LabelSums(rows // width, rows % width, met + np.triu(met, 1).transpose(0, 2, 1))


def _codes(table: "Table", code: Callable[[str], int]) -> Codes:
    """Return the codes of the documents, or groups, of a table."""
    column = table["document"].combine_chunks().dictionary_encode()
    codes = np.array([code(name) for name in column.dictionary.to_pylist()], dtype=np.int64)
    found: Codes = codes[column.indices.to_numpy()]
    return found
