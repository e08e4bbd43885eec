"""Which rows of a table are its header, which its body: titles, totals, headers that come again.

Tables as people make them have more than labels. What is no row of labels is left out, and said.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from string import digits
from typing import TYPE_CHECKING

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.readers.annotations import Texts
from reportgen.readers.scales import number_of, phrase_set, word_set, words_of

if TYPE_CHECKING:
    import pandas as pd

# A row with its line.
Row = tuple[int, Sequence[str]]

LOOKED_AT = 12
# What `header` says of a table whose columns have no names.
NO_HEADER = (0,)
FILLED = 0.5
TITLE = 1
NEARLY_ALL = 0.9
WORDS_OF_NOTE = 4
# A column of labels has so few different values, or so small a share of its rows.
# What is longer is a text, and names no sum.
LONGEST_NAME = 80
FEW_VALUES = 0.3
LAST_ROWS = 3
COMMENT = "#"
TOTALS = phrase_set(
    """
    total, totals, subtotal, grand total, sum, overall, count, mean, average, median, sd, std, kappa,
    cohen s kappa, alpha, krippendorff s alpha, fleiss kappa, agreement, percent agreement, n, total general,
    somme, moyenne, ecart type, mediane, accord, summe, gesamt, insgesamt, gesamtsumme, mittelwert,
    durchschnitt, standardabweichung, suma, promedio, media, mediana, acuerdo
    """
)
# What such a row may be called of them together: "Total agreement".
OF_TOTALS = frozenset(word for name in TOTALS for word in name.split()) - {"n", "s"}
WITHOUT_DIGITS = str.maketrans(dict.fromkeys(digits, " "))
QUALTRICS = '{"ImportId"'
# What SurveyMonkey writes below the names of columns.
OF_PROGRAM = "what a survey program writes below the names"
SURVEYMONKEY = frozenset(("Response", "Open-Ended Response"))


@dataclass(frozen=True)
class Mended:
    """What a table has besides one header and its rows, as keys of campaign.toml say it.

    `header` are the lines of the header, none where it is the first row; `skip_rows` the lines that are left
    out; `fill_down` the columns whose cells are filled once for several rows; `encoding` and `decimal` as the
    file is written, None as usual; `percent`: numbers have a percent sign. `longer` are the lines of rows
    that, unlike others, have empty cells beyond the header, which are not read. `width` is the number of
    columns before another, smaller table beside this one, 0 where there is none. `why` says of lines that
    are left out why they are, where nobody said it.
    """

    header: tuple[int, ...] = ()
    skip_rows: tuple[int, ...] = ()
    fill_down: tuple[str, ...] = ()
    encoding: str | None = None
    decimal: str | None = None
    percent: bool = False
    longer: tuple[int, ...] = ()
    width: int = 0
    why: Mapping[int, str] = field(default_factory=dict)

    @property
    def sentences(self) -> list[str]:
        """Say what was found, in a few words each."""
        said = []
        if self.header == NO_HEADER:
            said.append("no header")
        elif self.header:
            said.append(f"the header in {_lines('row', self.header)}")
        if self.skip_rows:
            said.append(f"{_lines('row', self.skip_rows)} left out")
        if self.width:
            said.append(f"what is beside the first {self.width} columns left out")
        if self.fill_down:
            said.append(f"{', '.join(self.fill_down)} filled down")
        if self.decimal:
            said.append("decimal commas")
        if self.percent:
            said.append("percentages as numbers")
        return said


@dataclass(frozen=True)
class RowChoice:
    """Which lines and sheets of tables are read, where somebody said it: see `ReaderOptions`."""

    header: tuple[int, ...] = ()
    skip_rows: tuple[int, ...] | None = None
    sheets: tuple[str, ...] = ()


SHOWN = 5


def _lines(word: str, numbers: Sequence[int]) -> str:
    shown = ", ".join(map(str, numbers[:SHOWN])) + (", …" if len(numbers) > SHOWN else "")
    return f"{word}{'s' if len(numbers) > 1 else ''} {shown}"


def mend_rows(
    rows: Sequence[Row], header: Sequence[int] = (), skip_rows: Sequence[int] | None = None
) -> tuple[list[Row], Mended]:
    """Return the header and the rows below it, as long as the longest, and what was mended.

    `header` and `skip_rows` are lines that are known; what they leave open is looked for: the header where
    there is none, rows that are left out where they are None.
    """
    if tuple(header) == NO_HEADER:
        numbered = [f"column {number}" for number in range(1, max(len(row) for _, row in rows) + 1)]
        named, found = mend_rows([(0, numbered), *rows], (0, 0), skip_rows)
        return named, replace(found, header=NO_HEADER)
    names = [name.strip() for name in rows[0][1]]
    below = [row for _, row in rows[1:]]
    is_even = {*map(len, below)} <= {len(names)} and not header and skip_rows is None
    if is_even and are_as_expected(
        names, [*map(Texts.of, zip(*below, strict=True))] or [Texts.of(())] * len(names)
    ):
        return [(rows[0][0], names), *rows[1:]], Mended()
    import pandas as pd

    kept = [(line, [cell.strip() for cell in row]) for line, row in rows if line not in (skip_rows or ())]
    if not kept:
        return list(rows), Mended(tuple(header), tuple(skip_rows or ()))
    widest = max(len(row) for _, row in kept)
    frame = pd.DataFrame([[*row, *[""] * (widest - len(row))] for _, row in kept], dtype="object")
    if alone := _width_alone(frame):
        rows, own = mend_rows([(line, row[:alone]) for line, row in rows], header, skip_rows)
        return rows, replace(own, width=alone)
    lines = [line for line, _ in kept]
    filled = (frame != "").sum(axis=1)
    first, last = _header_rows(frame, filled, lines, header)
    names = _names(frame.iloc[first : last + 1])
    body = frame.iloc[last + 1 :]
    why: dict[int, str] = {}
    if skip_rows is None:
        even = (number for number in _headings(body) if len(kept[number][1]) == widest)
        why = dict.fromkeys(even, "a heading between rows")
        why |= rows_without_labels(body, names, list(frame.iloc[last]))
    gone = {*why, *range(last + 1)}
    at = dict(rows)
    width = max(len(kept[number][1]) for number in range(first, last + 1))
    mended: list[Row] = [(lines[first], names[:width])]
    longer: list[int] = []
    for number, line in enumerate(lines):
        if number not in gone:
            row = at[line]
            is_longer = len(row) > width and not any(map(str.strip, row[width:]))
            longer += [line] if is_longer and any(map(str.strip, row)) else []
            mended.append((line, row[:width] if is_longer else row))
    found_header = tuple(lines[first : last + 1]) if first or last > first or header else ()
    whys = {lines[number]: why[number] for number in sorted(why) if filled.iloc[number]}
    skipped = tuple(whys) if skip_rows is None else tuple(skip_rows)
    # Where every row ends with a delimiter, that is how the file is written.
    odd = tuple(longer) if len(longer) < len(mended) - 1 else ()
    return mended, Mended(found_header, skipped, longer=odd, why=whys)


def are_as_expected(names: Sequence[str], columns: Sequence[Texts]) -> bool:
    """Say whether a header of names that differ is above rows without an empty cell, as programs write them.

    Where a value comes again that sums may be called, or that the header has, the rows have to be looked at.
    """
    if len(names) < 2 or len({*names} - {""}) < len(names):
        return False
    for place, (name, cells) in enumerate(zip(names, columns, strict=True)):
        times = np.bincount(cells.codes) if place < 2 else ()
        # Of names with numbers, one is looked at.
        once = {cell.rstrip(digits) for cell, n in zip(cells.levels, times, strict=False) if n == 1}
        together = "".join(cells.levels)
        values = cells.levels if together.split() == [together] else [*map(str.strip, cells.levels)]
        if not all(values) or name in values:
            return False
        if any(map(is_total, {cell.translate(WITHOUT_DIGITS) for cell in once})):
            return False
    last = [cells for cells in columns if _recurs(cells) and cells[len(cells) - 1].strip()]
    if last and all(_is_once(cells) for cells in last):
        return False
    first, *_ = rows = [
        [cells[row].strip() for cells in columns] for row in range(min(2, len(columns[0])))
    ] or [[""]]
    is_below = any(cell.startswith(QUALTRICS) for row in rows for cell in row)
    return not is_below and not SURVEYMONKEY.issuperset(first)


def _last_sums(body: "pd.DataFrame") -> Iterator[int]:
    """Yield last rows that have sums alone in the columns of labels, whatever they are called.

    No other row has such numbers. Where a single column has labels, the row is not called as others are.
    """
    first = body.columns[0]
    for number in reversed(body.index[-LAST_ROWS:]):
        others, row = body.drop(number), body.loc[number]
        few = [c for c in body.columns[1:] if row[c] and _recurs(Texts.of(map(str, others[c])))]
        stems = {str(name).rstrip(digits) for name in others[first]}
        is_called_so = len(stems) > len(others) / 2 or str(row[first]).rstrip(digits) in stems
        if len(few) < 1 + is_called_so or not all(
            number_of(cell := str(row[column])) in (len(others), *_filled_and_sum(others[column]))
            and _is_above(others[column], cell)
            for column in few
        ):
            break
        yield int(number)


def _filled_and_sum(column: "pd.Series[str]") -> tuple[float, ...]:
    """Return how many cells of a column are filled, and their sum where all are numbers."""
    filled = [text for text in column if text]
    numbers = [number for text in filled if (number := number_of(text)) is not None]
    return (float(len(filled)), *([sum(numbers)] if len(numbers) == len(filled) else []))


def _called_totals(times: "pd.Series[int]") -> list[str]:
    """Return what occurs once and is called as sums are: "Total", or "Text 1 total" beside Text 1."""
    names = {str(name): n for name, n in times.items() if len(str(name)) <= LONGEST_NAME}
    parts = {name: words_of(name.rstrip(":")) for name in names}
    of = {name: " ".join(word for word in words if word not in TOTALS) for name, words in parts.items()}
    others = {" ".join(words) for words in parts.values()}
    return [
        name
        for name, n in names.items()
        if n == 1 and (is_total(name) or (of[name] in others and len(of[name]) < len(" ".join(parts[name]))))
    ]


def _recurs(cells: Texts) -> bool:
    """Say whether a column has few values, each of which comes again, as labels do."""
    most = max(FEW_VALUES * len(cells), min(LOOKED_AT, len(cells) / 2))
    return len(cells) > LEAST_ROWS and len(cells.levels) <= most


def _is_once(cells: Texts) -> bool:
    """Say whether the last cell of a column is a number that no other row has."""
    last = len(cells) - 1
    return number_of(cells[last].strip()) is not None and int((cells.codes == cells.codes[last]).sum()) == 1


def _width_alone(frame: "pd.DataFrame") -> int:
    """Return how many columns are before an empty one that has a smaller table, or notes, behind it; else 0.

    That has no cell in most rows.
    """
    filled = (frame != "").to_numpy()
    for empty in range(1, filled.shape[1] - 1):
        before, behind = filled[:, :empty].any(axis=1), filled[:, empty + 1 :].any(axis=1)
        if not filled[:, empty].any() and behind.any() and (behind & before).sum() < FILLED * before.sum():
            return empty
    return 0


def _header_rows(
    frame: "pd.DataFrame", filled: "pd.Series[int]", lines: Sequence[int], asked: Sequence[int]
) -> tuple[int, int]:
    """Return the numbers of the first and the last row of the header."""
    if asked:
        numbers = [number for number, line in enumerate(lines) if line in asked]
        return (min(numbers), max(numbers)) if numbers else (0, 0)
    usual = int(filled[filled > 0].mode().max()) if (filled > 0).any() else 0
    first = 0
    # A title has one cell, or few, where the rows of the table have many.
    while (
        first < min(len(frame) - 1, LOOKED_AT)
        and usual >= 2
        and (
            filled.iloc[first] <= max(TITLE, FILLED * usual - 1)
            or (filled.iloc[first] < usual and str(frame.iloc[first, 0]).startswith(COMMENT))
        )
    ):
        first += 1
    if filled.iloc[first] <= TITLE and usual >= 2:
        first = 0
    # Names that come again below merged ones are the second of two rows.
    row = frame.iloc[first]
    repeated = row[row != ""].duplicated().any()
    if (
        first
        and repeated
        and _are_names(frame.iloc[first - 1 : first + 1])
        and (frame.iloc[first - 1, 1:] != "").any()
    ):
        return first - 1, first
    if (
        first + 1 < len(frame)
        and (repeated or (row == "").any())
        and frame.iloc[first + 1][row != ""].ne("").any()
    ):
        below = frame.iloc[first + 1]
        # Names that come again, or that are below a merged one alone.
        is_merged = row.iloc[0] and (row == "").any() and (below[row == ""] != "").all()
        # A name that is merged over both rows is empty in the second, or is there again.
        above = ((below == "") | (below == row))[row != ""]
        again = below[below != ""].duplicated().any() or (is_merged and above.any())
        data = frame.iloc[first + 2 :]
        seen = {value for column in data.columns for value in data[column].unique()}
        if again and _are_names(frame.iloc[first : first + 2]) and not (set(below) - {""}) & seen:
            return first, first + 1
    return first, first


def _are_names(rows: "pd.DataFrame") -> bool:
    """Say whether two rows together name each column differently."""
    names = [name for name in _names(rows) if name]
    return len(set(names)) == len(names)


def _names(rows: "pd.DataFrame") -> list[str]:
    """Return the names of columns: of two rows, the upper filled to the right, with " / " between.

    An upper name that is above all lower ones, such as "Raters", says nothing of any.
    """
    if len(rows) == 1:
        return [str(name) for name in rows.iloc[0]]
    import pandas as pd

    upper = rows.iloc[:-1].replace("", pd.NA).ffill(axis=1).fillna("")
    lower = rows.iloc[-1]
    below = [column for column in rows.columns if lower[column] not in ("", upper[column].iloc[-1])]
    plain = [str(lower[column]) for column in below]
    if upper[below].T.drop_duplicates().shape[0] == 1 and len({*plain}) == len(plain):
        upper[below] = ""
    names = []
    for column in rows.columns:
        parts = [str(part) for part in (*upper[column], lower[column]) if str(part)]
        # The first columns may have a name in the lower row alone.
        names.append(" / ".join(dict.fromkeys(parts)) if lower[column] else str(rows[column].iloc[0]))
    return names


def rows_without_labels(body: "pd.DataFrame", names: Sequence[str], header: Sequence[str]) -> dict[int, str]:
    """Return the rows that are no labels, each with why: repeated headers, totals, notes below the table."""
    gone = dict.fromkeys(map(int, body.index[(body == list(header)).all(axis=1)]), "the names again")
    for number in body.index[:2]:
        if body.loc[number].astype(str).str.startswith(QUALTRICS).any():
            gone |= dict.fromkeys(range(body.index[0], number + 1), OF_PROGRAM)
    for number in body.index[:1]:
        if len(cells := [cell for cell in body.loc[number] if cell]) > 1 and SURVEYMONKEY.issuperset(cells):
            gone[int(number)] = OF_PROGRAM
    gone |= dict.fromkeys(_totals(body), "sums up other rows")
    for number in reversed(body.index):
        row = body.loc[number]
        cells = [cell for cell in row if cell]
        if number in gone or not cells:
            continue
        # A note below a table: one cell of several words where rows have several cells.
        if (
            len(names) > 2
            and len(cells) == TITLE
            and row.iloc[0]
            and len(row.iloc[0].split()) >= WORDS_OF_NOTE
        ):
            gone[int(number)] = "a note below the table"
            continue
        break
    return gone


def _totals(body: "pd.DataFrame") -> Iterator[int]:
    """Yield the rows that sum up others, with nothing but numbers behind: called so, once, or of no unit."""
    for place in list(body.columns[:2]):
        times = body[place].value_counts()
        for number in body.index[body[place].isin(_called_totals(times))]:
            row = body.loc[number]
            rest = [str(cell) for column, cell in row.items() if column > place and cell]
            if all(not row[column] for column in body.columns if column < place) and _are_numbers(rest):
                yield int(number)
    yield from _last_sums(body)
    # Rows name their units in the first columns, unless these are filled once for several, or have labels.
    keys = body[body.columns[0]]
    if (keys == "").mean() > 1 - NEARLY_ALL:
        return
    for number in keys.index[-LOOKED_AT:][keys.iloc[-LOOKED_AT:] == ""]:
        cells = {column: str(cell) for column, cell in body.loc[number].items() if cell}
        names = [cell for cell in cells.values() if not _are_numbers([cell])]
        sums = {column: cell for column, cell in cells.items() if cell not in names}
        if sums and len(names) <= 1:
            others = body.drop(number)
            is_called = any(map(is_total, names))
            most = max(_distinct(others[column]) for column in sums)
            has_keys = any(_distinct(others[column]) > most for column in body.columns if column not in cells)
            if is_called or (has_keys and all(_sums(others[column], cell) for column, cell in sums.items())):
                yield int(number)


def _headings(body: "pd.DataFrame") -> Iterator[int]:
    """Yield the rows between others that have one cell, the first, and are not called as others are."""
    first, filled = body[body.columns[0]], (body != "").sum(axis=1)
    alone = (filled == TITLE) & (first != "")
    stems = {str(name).rstrip(digits) for name in first[~alone]}
    if len(body.columns) > 2 and "" not in stems and 0 < len(stems) <= max(1, FEW_VALUES * (~alone).sum()):
        yield from (number for number in body.index[alone] if str(first[number]).rstrip(digits) not in stems)


def _distinct(column: "pd.Series[str]") -> int:
    return column[column != ""].nunique()


def _are_numbers(cells: Sequence[str]) -> bool:
    return all(number_of(cell.rstrip("%").replace(",", ".").strip()) is not None for cell in cells)


def _sums(column: "pd.Series[str]", cell: str) -> bool:
    """Say whether a cell is the sum, the mean or the number of a column's cells, or how often one occurs."""
    value, filled = number_of(cell.rstrip("%").replace(",", ".").strip()), [text for text in column if text]
    numbers = [number for text in filled if (number := number_of(text)) is not None]
    found = {float(len(filled)), float(len(column)), *map(float, Counter(filled).values())}
    if len(numbers) == len(filled) > 0:
        found |= {sum(numbers)}
        mean = sum(numbers) / len(numbers)
        found |= {round(mean, digits) for digits in range(4)}
    return value in found


def _is_above(column: "pd.Series[str]", cell: str) -> bool:
    """Say whether a number is above all numbers of a column."""
    value = number_of(cell)
    numbers = [number for text in column if (number := number_of(text)) is not None]
    return value is not None and all(number < value for number in numbers)


def is_total(name: str) -> bool:
    """Say whether a row is called as sums are."""
    words = words_of(name.rstrip(":"))
    return " ".join(words) in TOTALS or (len(words) > 1 and OF_TOTALS.issuperset(words))


# Cells that are filled once for several rows.


def filled_down(frame: "pd.DataFrame", names: Sequence[str]) -> "pd.DataFrame":
    """Return a frame in which the empty cells of some columns have what is above them."""
    import pandas as pd

    frame = frame.copy()
    for name in names:
        frame[name] = frame[name].replace("", pd.NA).ffill().fillna("")
    return frame


MOST_FILLED = 0.67
# What fewer rows have may be so by chance.
LEAST_ROWS = 7
FILLED_ONCE = word_set(
    """
    document doc file text speaker item unit sentence participant annotator topic fichier texte locuteur
    phrase dokument datei sprecher satz documento hablante
    """
)


def to_fill_down(frame: "pd.DataFrame") -> tuple[str, ...]:
    """Return the columns that are filled in the first of several rows only: each value once.

    Where nothing else differs between rows, so that each would have a name of its own, they are no labels.
    """
    found: list[str] = []
    columns = list(frame.columns)
    for place, name in enumerate(columns[: len(columns) // 2 + 1]):
        # The first columns, or what is called so: a sparse column elsewhere has somebody's labels.
        before = [str(other) for other in columns[:place]]
        if place and not set(words_of(str(name))) & FILLED_ONCE and found != before:
            continue
        cells = frame[name]
        values = cells[cells != ""]
        if (
            len(frame) < LEAST_ROWS
            or not len(values) > 1
            or not cells.iloc[0]
            or len(values) > MOST_FILLED * len(frame)
        ):
            continue
        others = frame.drop(columns=name)
        shares = any((values.isin(set(others[other]) - {""})).any() for other in others.columns)
        gaps = values.index.to_series().diff().dropna()
        if not values.duplicated().any() and not shares and (gaps > 1).mean() >= FILLED:
            found.append(str(name))
    return tuple(found)
