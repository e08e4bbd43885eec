"""Readings of tables that can't be, a rule each, and what chooses the readings that remain."""

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import numpy.typing as npt

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem
from reportgen.readers.annotations import Codes, Texts, factorize
from reportgen.readers.reader import is_model, is_reference
from reportgen.readers.scales import no_ranks, number_of, separator_of, word_set
from reportgen.readers.table_columns import well_known_columns
from reportgen.readers.table_shapes import (
    ANNOTATOR_WORDS,
    CLEAR,
    ENOUGH,
    HALF,
    INDICATED,
    LARGE_RATIO,
    LEAST_ROWS,
    NAME,
    NUMBERING,
    OF_PERSON,
    OF_UNIT,
    RECURRING,
    UNIT_WORDS,
    Column,
    Numbers,
    Shape,
    TableColumns,
    alike_within,
    as_numbers,
    is_about,
    is_question,
    is_somebody,
    label_columns,
    likely_long_shapes,
    long_shapes,
    undecided_grid,
    values_by,
)
from reportgen.readers.turned_tables import TurnedTable, all_columns, turned

# From what is wrong and how to mend it to a problem that says where.
Place = Callable[[str, str], Problem]
JOIN = " + "
SHOWN, SHOWN_OF_NAME = 6, 40


def first_of(names: Sequence[str]) -> str:
    """Return the first of some names, with a sign where there are more."""
    short = [name if len(name) <= SHOWN_OF_NAME else f"{name[:SHOWN_OF_NAME]}…" for name in names[:SHOWN]]
    return ", ".join([*short, *(["…"] if len(names) > SHOWN else [])])


def in_words(shape: Shape, path: str = "") -> str:
    """Say in a few words what the parts of a table are."""
    if shape.is_turned:
        return f"each row an annotator ({len(shape.labels)}), each column a unit"
    parts = [f"units in {JOIN.join(shape.units)}"] if shape.units else ["each row a unit"]
    if path:
        parts.append(f"files as {path}")
    elif shape.annotator:
        parts.append(f"annotators in {shape.annotator}")
    elif shape.headers:
        parts.append(f"headers as {shape.headers}")
    else:
        parts.append(f"a column for each annotator: {first_of(shape.labels)}")
    parts += [f"a question for each value of {shape.question}"] if shape.question else []
    parts += [f"passes in {shape.turn}"] if shape.turn else []
    return ", ".join(parts)


def choice(shape: Shape) -> str:
    """Return the line of campaign.toml that chooses a reading, and the options of `agree`."""
    if shape.is_turned:
        return "turned = true (agree: --reading FILE, a file with this line; in Python: frame.set_index(…).T)"
    if shape.headers:
        return f'headers = "{shape.headers}"'
    if shape.annotator is None:
        return by_annotators(shape.labels)
    named = {"unit": JOIN.join(shape.units), "annotator": shape.annotator, "document": shape.document}
    answered = {"question": shape.question, "answer": shape.labels[0]}
    named |= answered if shape.question else {"pass": shape.turn, "label": shape.labels[0]}
    named = {role: name for role, name in named.items() if name}
    table = ", ".join(f'{role} = "{name}"' for role, name in named.items())
    option = ",".join(f"{role}={name}" for role, name in named.items())
    return f'columns = {{ {table} }} (agree: --columns "{option}")'


LONGEST = 500


def by_annotators(names: Sequence[str]) -> str:
    """Return the line of campaign.toml that names the columns of annotators, and the option of `agree`."""
    listed = ", ".join(f'"{name}"' for name in names)
    if len(listed) > LONGEST:
        return f'annotators = ["{names[0][:SHOWN_OF_NAME]}", …] with all {len(names)} names'
    option = ",".join(names)
    written = f'"{option}"' if re.search(r"[^\w,.-]", option) else option
    return f"annotators = [{listed}] (agree: --annotators {written})"


def ambiguous(ways: Sequence[Shape], place: Place) -> Problem:
    """Return the problem of a table that can be read in several ways, and what chooses each."""
    said = [f"({number}) {in_words(shape)}" for number, shape in enumerate(ways, 1)]
    return place(f"can be read in several ways: {'; or '.join(said)}.", say_which(ways))


def say_which(ways: Sequence[Shape]) -> str:
    """Return what chooses each of several readings."""
    return f"Say which: {'; '.join(f'({number}) {choice(shape)}' for number, shape in enumerate(ways, 1))}."


class SeveralReadings(BadInput):
    """A table that can be read in several ways, or in one that something speaks against; `ways` are these."""

    def __init__(self, problem: Problem, ways: Sequence[Shape]) -> None:
        """Take what is said of it, and what may be chosen."""
        super().__init__([problem])
        self.ways = tuple(ways)

    def __reduce__(self) -> tuple[type[BadInput], tuple[tuple[Problem, ...]]]:
        """Return what pickle makes of it: what every error of this kind has."""
        return BadInput, (self.problems,)


# What speaks against a reading.


@dataclass(frozen=True)
class Objection:
    """What speaks against a reading of a table, and the readings that remain.

    `remedy` is what helps where no other reading remains.
    """

    message: str
    ways: tuple[Shape, ...] = ()
    remedy: str = ""


def refuse_as_many(labels: Sequence[str], annotators: int, marks: int, place: Place) -> None:
    """Raise BadInput where what was read of a whole table has as many annotators or labels as it has marks.

    The first rows, by which a large table is understood, may not show it.
    """
    if marks < ENOUGH:
        return
    if annotators > RECURRING * marks:
        message = f"has {annotators:,} annotators for {marks:,} labels: hardly any annotator gave two."
        raise BadInput([place(message, f"{SAY_COLUMNS} {OR_WIDE}")])
    if len(labels) > RECURRING * marks and any(number_of(label) is None for label in labels):
        message = f"has {len(labels):,} different labels among {marks:,}: they are texts or names."
        raise BadInput([place(message, f"{SAY_COLUMNS} {OR_WIDE}")])


# Scales have fewer labels than these, unless they are numbers.
MOST_LABELS = 100_000


def refuse_texts(different: int, labels: Iterable[str], place: Place) -> None:
    """Raise BadInput where there are more labels than any scale has, some of which are no numbers."""
    if different > MOST_LABELS and any(number_of(label) is None for label in labels):
        message = f"has {different:,} different labels, more than {MOST_LABELS:,}: they are texts or names."
        raise BadInput([place(message, f"{SAY_COLUMNS} {OR_WIDE}")])


SAY_COLUMNS = 'Say what columns are: columns = { unit = "…", annotator = "…", label = "…" }'
OR_WIDE = '(agree: --columns "unit=…,annotator=…,label=…"), or annotators = ["…", "…"] of a wide table.'
NAME_COLUMNS = (
    "Name the columns of units, annotators and labels with the key columns (agree: --columns; in Python: "
    "unit, annotator, label)."
)
ASK_FOR_LABELS = "Use a table that still shows the label of each annotator, in a row or a column of its own."
Rule = Callable[[TableColumns, Shape], Objection | None]


def refuse_impossible(
    columns: TableColumns, ways: Sequence[Shape], place: Place, others: Collection[str] = ()
) -> None:
    """Raise BadInput for a reading that can't be, with the readings that remain and what chooses each.

    `others` are no annotators, as is known: nothing is asked about their labels.
    """
    for shape in ways:
        of_people = replace(shape, labels=tuple(name for name in shape.labels if name not in others))
        for rule in RULES:
            if objection := rule(columns, of_people):
                raise SeveralReadings(_problem(objection, place), objection.ways)


def _problem(objection: Objection, place: Place) -> Problem:
    ways = objection.ways
    if len(ways) > 1:
        said = "; or ".join(f"({number}) {in_words(shape)}" for number, shape in enumerate(ways, 1))
        remedy = f"{objection.remedy} {say_which(ways)}"
        return place(f"{objection.message} What remains: {said}.", remedy.strip())
    meant = f" If this is what you mean, write {choice(ways[0])}." if ways else ""
    return place(objection.message, f"{objection.remedy or NAME_COLUMNS}{meant}")


def _remaining(columns: TableColumns, shape: Shape, without: Sequence[str] = ()) -> tuple[Shape, ...]:
    """Return the readings that remain: without some annotators, long, or with all annotators."""
    possible = {*label_columns(columns)}
    every = tuple(name for name in shape.labels if name in possible)
    every = every if len(every) >= 2 else shape.labels
    rest = tuple(name for name in every if name not in without)
    ways = [replace(shape, labels=rest)] if 2 <= len(rest) < len(every) else []
    likely = likely_long_shapes(columns, shape.labels)[:1]
    ways += [candidate.shape for candidate in likely if candidate.score >= 0]
    return (*ways, replace(shape, labels=every))


def _is_wide(shape: Shape) -> bool:
    return not shape.is_long and not shape.grid and len(shape.labels) >= 2


def _people(shape: Shape) -> list[str]:
    """Return the columns that are called neither like a reference nor like a model, or two of any kind."""
    people = [name for name in shape.labels if not is_reference(name) and not is_model(name, shape.labels)]
    return people if len(shape.labels) > 2 else list(shape.labels)


def as_many_annotators_as_rows(columns: TableColumns, shape: Shape) -> Objection | None:
    """Object to annotators who nearly all have one row each, or who have at least as many columns as rows."""
    if shape.annotator in columns.all and not shape.grid:
        who = columns[str(shape.annotator)]
        if columns.rows < ENOUGH or who.distinct <= RECURRING * columns.rows:
            return None
        message = (
            f'has {who.distinct} different names in {columns.rows} rows of "{who.name}", which would be the '
            "annotators' column: an annotator usually labels several units."
        )
        swapped = Shape((who.name,), shape.units[0], shape.labels) if len(shape.units) == 1 else None
        return Objection(message, tuple(filter(None, (swapped, shape))))
    if not _is_wide(shape) or len(shape.labels) < max(columns.rows, LEAST_ROWS):
        return None
    if all(map(is_somebody, _people(shape))):
        return None
    message = (
        f"has {len(shape.labels)} columns that could be annotators' ({first_of(shape.labels)}), and no more "
        "rows than that: rows may be annotators, and columns the units."
    )
    return Objection(message, (*_turned(columns), *_remaining(columns, shape)))


def _turned(columns: TableColumns) -> tuple[Shape, ...]:
    """Return the reading in which rows are annotators, nothing where columns do not share their labels."""
    found = turned(columns)
    return (found.shape,) if found else ()


TURN = (
    "If rows are annotators, turn rows into columns: in a spreadsheet with Paste special, Transpose; in "
    "pandas with frame.set_index(frame.columns[0]).T."
)


def as_many_labels_as_cells(columns: TableColumns, shape: Shape) -> Objection | None:
    """Object to labels that nearly all differ: texts, names or identifiers."""
    if shape.indicators:
        return None
    asked = shape.labels[:1] if shape.is_long else shape.labels
    names = [name for name in asked if name in columns.all]
    if not names or any(columns[name].numbers is not None for name in names):
        return None
    times: Counter[str] = Counter()
    for name in names:
        times.update(columns[name].counts)
    cells_in_all = sum(times.values())
    if cells_in_all < ENOUGH or len(times) <= RECURRING * cells_in_all or separator_of(times):
        return None
    message = (
        f"has {len(times)} different values in the {cells_in_all} cells of {first_of(names)}, which would "
        "be the labels: these look like texts or names."
    )
    others = [candidate.shape for candidate in long_shapes(columns) if candidate.shape.labels != shape.labels]
    return Objection(
        message, (*others[:1], shape), "Texts are not labels: if other columns have labels, name those."
    )


def counts_of_annotators(columns: TableColumns, shape: Shape) -> Objection | None:
    """Object to numbers with the same sum in each row, or that of a column: counts or shares, or ranks."""
    if not _is_wide(shape):
        return None
    numbers = {
        name: column.numbers
        for name, column in columns.all.items()
        if column.numbers is not None and column.share == 1 and (column.numbers >= 0).all()
    }
    for run in _runs([*columns.all], numbers, shape.labels):
        given = np.stack([numbers[name] for name in run], axis=1)
        sums = given.sum(axis=1)
        whole = bool((given % 1 == 0).all())
        # Shares are rounded.
        tolerance = 0 if whole else 0.02 * len(run) if abs(sums.mean() - 1) < CLOSE else 0.0
        total = next(
            (
                name
                for name, number in numbers.items()
                if whole
                and name not in run
                and columns[name].words & COUNTED_WORDS
                and (number == sums).all()
            ),
            "",
        )
        if not total and (sums.max() - sums.min() > tolerance or (not whole and not tolerance)):
            continue
        if (given == given[:1]).all() or (given == given[:, :1]).all():
            continue
        each = f"{total or (int(sums[0]) if whole else 1)}"
        what = "how many annotators chose each category, or ranks" if whole else "shares of annotators"
        message = (
            f"has numbers in {first_of(run)} whose sum is {each} in each row: they are {what}, and not "
            "one annotator's ratings in each column."
        )
        return Objection(message, (shape,), ASK_FOR_LABELS)
    return None


CLOSE = 0.02
# How many annotators labelled a unit is called so.
COUNTED_WORDS = word_set(
    "count counts n votes voters annotators raters coders judgments judgements anzahl nombre"
)
LONGEST_RUN = 40


def _runs(order: Sequence[str], numbers: Mapping[str, Numbers], labels: Sequence[str]) -> list[list[str]]:
    """Return the columns of labels, and neighbouring columns of numbers of which most are among them."""
    runs = [list(labels)] if all(name in numbers for name in labels) else []
    places = [place for place, name in enumerate(order) if name in numbers][:LONGEST_RUN]
    for first, last in combinations(places, 2):
        run = list(order[first : last + 1])
        common = sum(name in labels for name in run)
        if all(name in numbers for name in run) and common >= 2 and 2 * common > len(run):
            runs.append(run)
    return runs


def refuse_disjoint_vocabularies(columns: TableColumns, shape: Shape) -> Objection | None:
    """Object to columns that share hardly a label with any other that is taken for an annotator's."""
    if not _is_wide(shape):
        return None
    own = [columns[name] for name in _people(shape) if name in columns.all and columns[name].distinct]
    alone = [
        column for column in own if not any(_share_any(column, other) for other in own if other is not column)
    ]
    # With few labels two may differ by chance.
    enough = FEW if len(own) > 2 else ENOUGH
    if not alone or len(own) < 2 or min(column.filled for column in alone) < enough:
        return None
    names = [column.name for column in alone]
    if len(alone) == len(own):
        message = (
            f"has columns that would be annotators' ({first_of(names)}), and hardly a label is in two of "
            "them."
        )
    else:
        verb = "shares" if len(names) == 1 else "share"
        message = (
            f"has columns that would be annotators' ({first_of([column.name for column in own])}), and "
            f"{first_of(names)} {verb} hardly a label with the others."
        )
    return Objection(message, _remaining(columns, shape, names))


HARDLY, FEW = 0.05, 5


def _share_any(first: Column, second: Column) -> bool:
    """Say whether the two columns have more than a few labels in common; of measurements, ranges overlap."""
    numbers, others = first.numbers, second.numbers
    if numbers is not None and others is not None and min(first.distinct, second.distinct) > ENOUGH:
        return bool(max(numbers.min(), others.min()) <= min(numbers.max(), others.max()))
    return any(
        sum(n for value, n in one.vocabulary.items() if value in other.vocabulary) > HARDLY * one.filled
        for one, other in ((first, second), (second, first))
    )


# How alike labels are within rows and within columns: alpha, as far as it decides what a table is.


@dataclass(frozen=True)
class LabelledCells:
    """The cells of columns that may be annotators': row, column and value of each that is filled."""

    row: Codes
    column: Codes
    value: npt.NDArray[np.float64] | Codes
    are_numbers: bool

    @property
    def has_equal(self) -> bool:
        """Whether two cells of any row have the same value."""
        return len({*zip(self.row.tolist(), self.value.tolist(), strict=True)}) < len(self.row)

    def alike(self, group: Codes) -> float | None:
        """Return how alike the values of a group are."""
        return alike_within(group, self.value, are_numbers=self.are_numbers)


def cells_of(columns: TableColumns, names: Sequence[str]) -> LabelledCells:
    """Return the filled cells of columns, of numbers by their values where there are more than two."""
    whole = Texts.joined([columns[name].cells for name in names])
    column, row = np.divmod(np.arange(len(whole)), max(columns.rows, 1))
    said = {value for name in names for value in columns[name].said}
    said -= {*no_ranks(list(said))}
    is_said = whole.where(said.__contains__)
    whole, row, column = whole.taken(is_said), row[is_said], column[is_said]
    numbers = as_numbers(whole.levels) if len(whole) else None
    if numbers is not None and len({*numbers.tolist()}) > 2:
        return LabelledCells(row, column, numbers[whole.codes], are_numbers=True)
    return LabelledCells(row, column, whole.codes, are_numbers=False)


BELOW, SURE = -0.15, 2.5
HARDLY_ALIKE, CLEARLY_ALIKE = 0.1, 0.25
# A table with a column for each item has at least so many.
FEWEST_ITEMS = 6


def agreement_below_chance(columns: TableColumns, shape: Shape) -> Objection | None:
    """Object to annotators who clearly agree less than by chance: they may not rate the same thing."""
    names = _people(shape)
    if not _is_wide(shape) or columns.rows < LEAST_ROWS or all(map(is_somebody, names)):
        return None
    pairs = columns.rows * len(names) * (len(names) - 1) / 2
    cells = cells_of(columns, names) if pairs else None
    alike = cells.alike(cells.row) if cells and len(cells.row) else None
    if cells and not cells.are_numbers and cells.has_equal:
        return None  # somebody may give one label alone
    if alike is None or alike >= min(BELOW, -SURE / float(np.sqrt(pairs))):
        return None
    message = (
        f"has columns that would be annotators' ({first_of(shape.labels)}), but they agree less than by "
        "chance: they may be categories with numbers of annotators, or different questions."
    )
    return Objection(message, _remaining(columns, shape), ASK_FOR_LABELS)


def refuse_transposed(columns: TableColumns, shape: Shape) -> Objection | None:
    """Object to labels that are alike in columns and hardly in rows: rows may be annotators."""
    names = _people(shape)
    if not _is_wide(shape) or columns.rows < LEAST_ROWS or len(names) < FEWEST_ITEMS:
        return None
    if all(map(is_somebody, names)):
        return None
    cells = cells_of(columns, names)
    in_rows, in_columns = cells.alike(cells.row), cells.alike(cells.column)
    if in_rows is None or in_columns is None or in_rows > HARDLY_ALIKE or in_columns < CLEARLY_ALIKE:
        return None
    message = (
        f"has columns that would be annotators' ({first_of(shape.labels)}), but labels in a column are much "
        "more alike than those in a row: rows may be annotators, and columns the units."
    )
    return Objection(message, (*_turned(columns), *_remaining(columns, shape)))


AGREEING, APART, MANY = 0.4, 0.1, 20
# Of more columns comparing each with each takes long.
MOST_COMPARED = 40


def refuse_odd_column(columns: TableColumns, shape: Shape) -> Objection | None:
    """Object to columns that agree with no other where all others agree: they may say something else.

    Where they have names as labels and are called as the others are, they may be a careless annotator's.
    """
    apart, rest = _apart(columns, shape)
    styles = {_style(name) for name in rest}
    if not apart or all(columns[name].numbers is None and _style(name) in styles for name in apart):
        return None
    return Objection(_is_apart(apart, rest), _remaining(columns, shape, apart))


def warn_odd_column(columns: TableColumns, annotators: Sequence[str], place: Place) -> Iterator[Problem]:
    """Yield a problem for columns that were read as annotators' and may say something else."""
    if not {*annotators} <= columns.all.keys():
        return
    apart, rest = _apart(columns, Shape(labels=tuple(annotators)))
    if apart:
        remedy = f"All were read as annotators; if that is wrong, say {by_annotators(rest)}."
        yield place(_is_apart(apart, rest), remedy)


def _apart(columns: TableColumns, shape: Shape) -> tuple[list[str], list[str]]:
    """Return columns that agree with no other where all others agree, and these; none where it is not so."""
    names = _people(shape)
    if not _is_wide(shape) or columns.rows < MANY or not 2 < len(names) <= MOST_COMPARED:
        return [], names
    if any(is_somebody(name) for name in shape.labels):
        return [], names
    alike: dict[tuple[str, str], float] = {}
    for pair in combinations(names, 2):
        cells = cells_of(columns, pair)
        alike[pair] = cells.alike(cells.row) or 0.0
    with_others = {name: [value for pair, value in alike.items() if name in pair] for name in names}
    apart = [
        name
        for name, values in with_others.items()
        if max(values) <= 2 * APART and sum(values) <= APART * len(values)
    ]
    rest = [name for name in names if name not in apart]
    if len(rest) < 2 or len(apart) > len(rest):
        return [], names
    return ([], names) if any(alike[pair] < AGREEING for pair in combinations(rest, 2)) else (apart, rest)


def _is_apart(apart: Sequence[str], rest: Sequence[str]) -> str:
    return (
        f"has columns that agree with each other ({first_of(rest)}) and hardly agree with {first_of(apart)}, "
        "which may say something else."
    )


def _style(name: str) -> tuple[bool, bool]:
    """Return how a name is written: in capitals or not, in one word of letters or not."""
    return name[:1].isupper(), name.isalpha()


UNLIKE = 3.0
# What texts are often classified as: columns with these names are categories rather than people.
CATEGORY_WORDS = word_set(
    """
    toxic obscene threat insult hate hateful offensive abusive profanity spam racist sexist joy anger fear
    sadness disgust surprise love trust anticipation optimism pessimism positive negative neutral
    sarcasm irony humor irrelevant other none freude wut angst trauer ekel joie colere peur tristesse
    alegria ira miedo tristeza asco
    """
)


def indicated_categories(columns: TableColumns, shape: Shape) -> Objection | None:
    """Object to columns of 0 and 1 whose names or shares of 1 show that they are categories."""
    if not _is_wide(shape) or len(shape.labels) <= 2 or any(map(is_somebody, shape.labels)):
        return None
    own = [columns[name] for name in shape.labels]
    if not all(column.counts.keys() <= INDICATED for column in own):
        return None
    called = sum(bool(column.words & CATEGORY_WORDS) for column in own)
    if called < 2 and not _have_other_shares(own):
        return None
    message = (
        f"has 0 and 1 in {first_of(shape.labels)}, which may be categories, and nothing says whose labels "
        "they are."
    )
    remedy = "If they are categories, add a column of annotators, or have a file for each annotator."
    return Objection(message, (shape,), remedy)


def _have_other_shares(columns: Sequence[Column]) -> bool:
    """Say whether one column clearly has several times as many 1 as another."""
    yes = [column.cells.where(YES.__contains__) for column in columns]
    few, many = min(yes, key=lambda own: int(own.sum())), max(yes, key=lambda own: int(own.sum()))
    more, less = int((many & ~few).sum()), int((few & ~many).sum())
    is_sure = (more - less) ** 2 > 2 * SURE**2 * max(more + less, 1)
    return is_sure and int(many.sum()) >= UNLIKE * int(few.sum())


YES = ("1", "true", "TRUE", "True", "x", "X")
NUMBERED = re.compile(r"(.*?\D)[-_ ]?(\d+)")


def annotators_beside_labels(columns: TableColumns, shape: Shape) -> Objection | None:
    """Object to labels beside columns that name who gave them: "worker1, label1, worker2, label2"."""
    if shape.is_long:
        return None
    families: dict[str, dict[str, Column]] = {}
    for name, column in columns.all.items():
        if (match := NUMBERED.fullmatch(name)) and column.distinct and not column.is_date:
            families.setdefault(match[1], {})[match[2]] = column
    for (who, people), (what, labels) in permutations(families.items(), 2):
        called = next(iter(people.values())).words & ANNOTATOR_WORDS
        both = people.keys() & labels.keys()
        if not called or len(both) < 2 or not all(labels[place].may_be_label() for place in both):
            continue
        if all(people[place].distinct > labels[place].distinct for place in both):
            message = (
                f'has columns that name annotators ("{who}…") beside those of labels ("{what}…"): whose '
                "labels a column has differs from row to row."
            )
            remedy = "Write one row for each label, with the columns item, annotator and label."
            return Objection(message, remedy=remedy)
    return None


# A preference may be none for either.
NEITHER = 2


def labels_that_name_columns(columns: TableColumns, shape: Shape) -> Objection | None:
    """Object to preferences for "model_a" or "b" where a unit has other things in that column row by row."""
    # A number names no column.
    named = [name for name in shape.labels if columns[name].numbers is None]
    for label in named if shape.is_long and len(shape.units) else ():
        ends = {
            value: re.compile(rf"(?:.*[\W_])?{re.escape(value)}", re.IGNORECASE)
            for value in columns[label].said
        }
        others = [name for name in columns.all if name not in (label, shape.annotator)]
        meant = {value: [name for name in others if end.fullmatch(name)] for value, end in ends.items()}
        chosen = [names[0] for names in meant.values() if len(names) == 1]
        if len(chosen) < 2 or len(meant) - len(chosen) > NEITHER:
            continue
        units = [name for name in shape.units if name not in chosen]
        if units and _are_swapped(columns, units, chosen[0], chosen[1]):
            message = (
                f'has labels in "{label}" that name the columns {first_of(chosen)}, and what these contain '
                "changes from row to row of a unit: the same label means another choice there."
            )
            remedy = (
                "Write what was chosen, the cell of that column, as the label, and name units by the "
                "question and what was compared."
            )
            return Objection(message, remedy=remedy)
    return None


def _are_swapped(columns: TableColumns, units: Sequence[str], first: str, second: str) -> bool:
    """Say whether what two columns contain in one row of a unit is in the other column in another row."""
    rows = set(zip(columns.codes(units).tolist(), columns[first].cells, columns[second].cells, strict=True))
    return any(one != other and (unit, other, one) in rows for unit, one, other in rows)


# What numbers of annotators or of units are called, "0" where pandas counts.
NUMBER_WORDS = word_set(
    """
    n count counts number freq frequency frequencies votes size times anzahl haufigkeit stimmen nombre
    effectif frequence voix numero frecuencia cuenta votos 0
    """
)


def _whole_numbers(column: Column) -> bool:
    numbers = column.numbers
    return numbers is not None and bool(((numbers % 1 == 0) & (numbers >= 0)).all()) and column.share == 1


def computed_columns(columns: TableColumns, shape: Shape) -> Objection | None:
    """Object to columns of short tables that are called like what is computed, or known of units."""
    people = [name for name in _people(shape) if name in columns.all]
    about = [name for name in people if is_about(columns[name])]
    if not _is_wide(shape) or not about or any(map(is_somebody, about)):
        return None
    verb = "is" if len(about) == 1 else "are"
    message = (
        f"has columns that would be annotators' ({first_of(people)}), and {first_of(about)} {verb} called "
        "like what is computed of labels, or known of units."
    )
    return Objection(message, _remaining(columns, shape, about))


def refuse_single_label(columns: TableColumns, shape: Shape) -> Objection | None:
    """Object to one label beside empty cells in each column: these may be the other answer."""
    names = [name for name in _people(shape) if name in columns.all]
    if not _is_wide(shape) or columns.rows < LEAST_ROWS or not names:
        return None
    said = {label for name in names for label in columns[name].said}
    if len(said) != 1 or max(columns[name].share for name in names) > 1 - CLEAR:
        return None
    (label,) = said
    message = (
        f'has no other label than "{label}" in {first_of(names)}, and empty cells: these may be the other '
        "answer, or not labelled."
    )
    remedy = 'If they are an answer, fill them, with "no" for instance.'
    return Objection(message, (shape,), remedy)


def numbers_beside_categories(columns: TableColumns, shape: Shape) -> Objection | None:
    """Object to annotators who are numbers where each row has another category: how many chose it.

    Of few rows these may be columns of two annotators, who would have several rows of a unit.
    """
    names = [*shape.labels, *([shape.annotator] if shape.annotator else [])]
    if shape.grid or len(names) != 2 or not {*names, *shape.units} <= columns.all.keys():
        return None
    called = [name for name in names if columns[name].words & NUMBER_WORDS and _whole_numbers(columns[name])]
    number = next(iter(called), shape.annotator)
    if number is None or not shape.units or not _whole_numbers(columns[number]):
        return None
    (label,) = (name for name in names if name != number)
    unit = columns.codes([*shape.units, *filter(None, [shape.document])])
    each = values_by(unit, columns.codes((label,)))
    if int(each.sum()) < columns.rows or each.max() < 2:
        return None
    sums = np.bincount(unit, columns[number].numbers)
    if not called and sums.min() < sums.max():
        return None
    message = (
        f'has in "{number}" how many annotators gave the unit the label in "{label}", it seems, and not '
        "who: no two rows of a unit have the same label."
    )
    return Objection(message, (shape,), ASK_FOR_LABELS)


def numbers_of_units(columns: TableColumns, shape: Shape) -> Objection | None:
    """Object to a row for each combination of labels, beside how many units have it."""
    if not _is_wide(shape) or shape.units:
        return None
    called = [
        name for name, column in columns.all.items() if column.words & NUMBER_WORDS and _whole_numbers(column)
    ]
    labels = [name for name in shape.labels if name not in called]
    if len(called) != 1 or len(labels) < 2 or int(columns.codes(labels).max(initial=-1)) + 1 < columns.rows:
        return None
    message = (
        f'has another combination of labels in each row, and in "{called[0]}" how many units have it, it '
        "seems: each row would be one unit."
    )
    remedy = (
        f'Write a row for each unit; in pandas frame.loc[frame.index.repeat(frame["{called[0]}"])], in R '
        f'frame[rep(seq_len(nrow(frame)), frame$"{called[0]}"), ].'
    )
    return Objection(message, (Shape((), None, tuple(labels)),), remedy)


# So improbable is it that somebody never departs from most others, though all others do; of columns that are
# not the last, which decisions usually are, divided by how many there are.
IMPROBABLE = 0.05
# Of somebody called as the others are, not the last, or beside two alone: a careful annotator is likelier.
CALLED_ALIKE = 0.001
# At most so often as the others do.
HARDLY_EVER = 0.25
# What is called so is a decision as soon as it never departs although others do.
DECIDED_WORDS = word_set(
    """
    decision conclusion consensus accord agreed endlabel konsens entscheidung einigung accordo
    acuerdo consenso decisione final 合意
    """
)
# Of more columns nobody looks whether one was decided after the others.
MOST_DECIDED = 12
# In so many rows at least somebody is there, and in so many not.
FEWEST_SHOWN = 3


def decided_from_others(columns: TableColumns, shape: Shape) -> Objection | None:
    """Object to a column that never departs from most, or a last one filled just where all agree, or differ.

    How often somebody departs from most others is taken from the others themselves, whatever it is called; of
    a series of people such as A1 to A4 none is asked about.
    """
    names = _people(shape)
    if not _is_wide(shape) or not 2 < len(names) <= MOST_DECIDED or not {*names} <= columns.all.keys():
        return None
    said = _said(columns, names)
    departing = [_departures(said, place) for place in range(len(names))]
    decided = [*names[-1:]] if _is_filled_by_agreement(said) else []
    for place, name in reversed([*enumerate(names)]):
        own = departing[place]
        others = [each for other, each in enumerate(departing) if other != place]
        is_called_alike = not _differs_from_all(name, [other for other in names if other != name])
        least = IMPROBABLE if name == names[-1] else IMPROBABLE / len(names)
        if columns[name].words & DECIDED_WORDS:
            least, is_called_alike = HALF, False
        if is_called_alike and (name != names[-1] or len(others) < 3):
            least = CALLED_ALIKE
        is_nearest = not is_called_alike and _departs_least(own, others)
        if is_nearest or _never_departs(own, others, least, is_called_alike=is_called_alike):
            decided.append(name)
    decided = [name for name in decided if not OF_PERSON.fullmatch(name)]
    if not decided or all(map(is_somebody, names)):
        return None
    name = decided[0]
    deciding = [other for other in names if other != name]
    message = (
        f'has in "{name}" what most of {first_of(deciding)} say, wherever most say the same, or fills it '
        "just where they agree or where they differ: it may have been decided after them."
    )
    return Objection(message, _remaining(columns, shape, [name]))


def _said(columns: TableColumns, names: Sequence[str]) -> Codes:
    """Return a code for each cell (rows, columns), the same for the same label, -1 where there is none."""
    labels = dict.fromkeys(value for name in names for value in columns[name].said)
    own = [columns[name].cells for name in names]
    return np.stack([factorize(cells.levels, labels)[1][cells.codes] for cells in own], axis=1)


def _departures(said: Codes, place: int) -> tuple[int, int]:
    """Return in how many rows most others say the same, and in how many of them a column says otherwise."""
    others = np.delete(said, place, axis=1)
    same = np.stack(
        [((others == others[:, [one]]) & (others >= 0)).sum(axis=1) for one in range(others.shape[1])]
    )
    most = same.max(axis=0)
    label = np.take_along_axis(others, same.argmax(axis=0)[:, None], axis=1)[:, 0]
    known = (most >= 2) & (2 * most > (others >= 0).sum(axis=1)) & (said[:, place] >= 0)
    return int(known.sum()), int((known & (said[:, place] != label)).sum())


def _never_departs(
    own: tuple[int, int], others: Sequence[tuple[int, int]], least: float, *, is_called_alike: bool
) -> bool:
    """Say whether a column never departs from most others, which is improbable for one of them.

    One who is called as the others are is compared with the most careful of them.
    """
    rows, apart = own
    known = [each for each in others if each[0]]
    if not known:
        return False
    rates = [departures / of for of, departures in known]
    mean = sum(departures for _, departures in known) / sum(of for of, _ in known)
    rate = min(rates) if is_called_alike else mean
    if apart > HARDLY_EVER * rate * rows:
        return False
    if rate >= 1:
        return rows > apart
    # The binomial distribution, each of its terms from the one before: powers alone are out of all range.
    term = float(1 - rate) ** rows
    terms = [term]
    for departures in range(1, apart + 1):
        term *= (rows - departures + 1) / departures * rate / (1 - rate)
        terms.append(term)
    return math.fsum(terms) < least


def _departs_least(own: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    """Say whether a column departs from most others at most half as often as any of them."""
    rows, apart = own
    rates = [departures / of for of, departures in others if of]
    return rows >= ENOUGH and bool(rates) and apart <= HALF * min(rates) * rows


def _is_filled_by_agreement(said: Codes) -> bool:
    """Say whether the last column is filled in just those rows in which all others agree, or do not."""
    others, last = said[:, :-1], said[:, -1]
    whole = (others >= 0).all(axis=1)
    agree, filled = (others == others[:, [0]]).all(axis=1)[whole], last[whole] >= 0
    is_shown = min(int(filled.sum()), int((~filled).sum())) >= FEWEST_SHOWN
    return is_shown and bool((filled == agree).all() or (filled != agree).all())


def _differs_from_all(name: str, others: Sequence[str]) -> bool:
    """Say whether a name is written otherwise than all others, which are written alike, or are people's."""
    if all(map(OF_PERSON.fullmatch, others)):
        return not OF_PERSON.fullmatch(name)
    first = {name_stem(other) for other in others}
    return len(first) == 1 and first != {name_stem(name)}


def name_stem(name: str) -> tuple[bool, bool, str]:
    """Return how a name is written, and what is before its number."""
    match = re.fullmatch(r"(.*?)[-_ ]?(?:\d+|(?<=[-_ ])\w)", name)
    return *_style(name), match[1] if match else ""


def headers_of_two_parts(_: TableColumns, shape: Shape) -> Objection | None:
    """Object to an annotator for each header where headers have two parts, such as questions or passes."""
    if not _is_wide(shape):
        return None
    signs = undecided_grid(shape.labels)
    if signs is None:
        return None
    message = (
        f"has headers of two parts, and nothing says which part is the annotator: {first_of(shape.labels)}."
    )
    patterns = (f"{{annotator}}{signs}{{layer}}", f"{{layer}}{signs}{{annotator}}")
    ways = [replace(shape, headers=pattern) for pattern in patterns]
    return Objection(message, (*ways, shape))


def questions_of_nobody(columns: TableColumns, shape: Shape) -> Objection | None:
    """Object to columns that are called like questions where nothing says whose answers they are."""
    asked = [name for name in shape.labels if is_question(name)]
    if not _is_wide(shape) or len(asked) < 2 or 2 * len(asked) < len(shape.labels):
        return None
    message = (
        f"has columns that are called like questions ({first_of(asked)}), and nothing says whose labels "
        "they are."
    )
    remedy = 'Add a column of annotators, or have a file for each annotator and say path = "{annotator}".'
    return Objection(message, (*_turned(columns), replace(shape, labels=tuple(asked))), remedy)


RULES: tuple[Rule, ...] = (
    questions_of_nobody,
    as_many_labels_as_cells,
    as_many_annotators_as_rows,
    annotators_beside_labels,
    labels_that_name_columns,
    numbers_beside_categories,
    numbers_of_units,
    computed_columns,
    refuse_single_label,
    counts_of_annotators,
    headers_of_two_parts,
    indicated_categories,
    refuse_disjoint_vocabularies,
    refuse_transposed,
    agreement_below_chance,
    refuse_odd_column,
    decided_from_others,
)


# Tables that can't be read, whatever is in their columns.


def refuse_headers(names: Sequence[str], place: Place) -> None:
    """Raise BadInput where column names are not a header: pandas made them of a title, or of two tables."""
    unnamed = [name for name in names[1:] if re.fullmatch(r"Unnamed: \d+", name)]
    if unnamed and (len(unnamed) == len(names) - 1 or 2 <= len(unnamed) >= len(names) / 2):
        message = f"has columns without names ({first_of(unnamed)}): the header may be further down."
        raise BadInput([place(message, "Read it again with the row that names columns as its header.")])
    twice = [name for name in names if f"{name}.1" in names]
    if len(twice) >= 2:
        message = f"has the same columns twice ({first_of(twice)}): these may be two tables side by side."
        raise BadInput([place(message, "Put one table below the other.")])


def people_in_rows(header: Sequence[str], cells: Sequence[Texts]) -> TurnedTable | None:
    """Return the people and units of a table whose rows are called like annotators, None of any other."""
    columns = all_columns(header, cells)
    first, *names = columns.all
    if len(names) <= 2 or any(map(is_somebody, names)):
        return None
    who = columns[first]
    is_called = bool(who.words & ANNOTATOR_WORDS) and not who.words & UNIT_WORDS - NUMBERING
    if not header[0]:
        # Nobody has more units by name than there are rows, and names of people above them.
        are_units = len(names) >= LARGE_RATIO * columns.rows and all(map(OF_UNIT.fullmatch, names))
        like = (OF_PERSON, NAME) if are_units else (OF_PERSON,)
        is_called = any(all(map(own.fullmatch, who.counts)) for own in like)
    found = turned(columns) if who.is_unique and is_called else None
    return found if found and 2 * len(found.units) >= len(names) else None


def refuse_turned(header: Sequence[str], cells: Sequence[Texts], place: Place) -> None:
    """Raise BadInput where rows are people and columns units: Python turns no frame."""
    if people_in_rows(header, cells):
        message = f"seem to have a row for each annotator and a column for each unit: {first_of(header[1:])}."
        raise BadInput([place(message, TURN)])


def refuse_questions(columns: TableColumns, place: Place) -> None:
    """Raise BadInput where all columns that could be annotators' are questions of nobody."""
    names = tuple(name for name in label_columns(columns) if not well_known_columns([name], "unit"))
    if all(map(is_question, names)) and (objection := questions_of_nobody(columns, Shape((), None, names))):
        raise SeveralReadings(_problem(objection, place), objection.ways)
