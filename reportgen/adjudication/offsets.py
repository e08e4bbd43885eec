"""Offsets in a cell: "12-18" or "12-18;20-22", also where a spreadsheet took them for a date."""

import re
from collections.abc import Iterator, Sequence

from reportgen.adjudication.cells import Span, read

STRETCH = re.compile(r"\s*([0-9]{1,9})\s*[-–]\s*([0-9]{1,9})\s*")
# Spreadsheets show 5-9 as 9-May or 05-Sep and 5-40 as May-40, and keep both as a day of some year.
DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?: 00:00:00)?")
DAY_MONTH = re.compile(r"([0-9]{1,2})[-. ]([a-z]{3})[a-z]*\.?", re.IGNORECASE)
MONTH_YEAR = re.compile(r"([a-z]{3})[a-z]*\.?[-. ]([0-9]{2})", re.IGNORECASE)
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def shown(spans: Sequence[Span]) -> str:
    """Return stretches as a sheet has them."""
    return ";".join(f"{start}-{end}" for start, end in spans)


def possible(cell: str) -> list[tuple[Span, ...]]:
    """Return the stretches that a cell can mean: none where it holds no offsets, several for a date."""
    found = [STRETCH.fullmatch(part) for part in read(cell).split(";")]
    if all(found):
        return [tuple((int(each[1]), int(each[2])) for each in found if each)]
    return [((min(pair), max(pair)),) for pair in dict.fromkeys(_as_date(cell.strip()))]


def _as_date(cell: str) -> Iterator[Span]:
    """Yield the two numbers that a spreadsheet may have taken for a date."""
    if day := DAY.fullmatch(cell):
        yield int(day[2]), int(day[3])
        if int(day[3]) == 1:
            yield int(day[2]), int(day[1]) % 100
    elif (short := DAY_MONTH.fullmatch(cell)) and short[2].casefold() in MONTHS:
        yield MONTHS.index(short[2].casefold()) + 1, int(short[1])
    elif (year := MONTH_YEAR.fullmatch(cell)) and year[1].casefold() in MONTHS:
        yield MONTHS.index(year[1].casefold()) + 1, int(year[2])
