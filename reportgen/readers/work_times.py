"""When annotators labelled, and how long it took them: milliseconds beside the labels, from any format."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.readers.annotations import Codes
from reportgen.readers.scales import words_of

UNKNOWN = -1


@dataclass(frozen=True, eq=False)
class WorkTimes:
    """Columns (rows,), one row for what somebody did in one go: a unit, or a document with all its marks.

    - `source`: the row or copy of the export, so that layers of the same rows tell that they are the same.
    - `place`: the unit of `Ratings`, or the document of `TextMarks`; `annotator`: whose it is.
    - `taken`: how many milliseconds it took; `at`: when it was done, in milliseconds since 1970 (UTC). Either
      may be UNKNOWN.
    """

    source: Codes
    place: Codes
    annotator: Codes
    taken: Codes
    at: Codes


@dataclass(frozen=True, slots=True)
class Timing:
    """When one thing was done, and how long it took, in milliseconds; UNKNOWN where the export does not say.

    `start` is when it was begun, where the time that it took is the time between.
    """

    at: int = UNKNOWN
    taken: int = UNKNOWN
    start: int = UNKNOWN

    @property
    def is_known(self) -> bool:
        """Say whether either is known."""
        return self.at != UNKNOWN or self.taken != UNKNOWN


NO_TIMING = Timing()


def work_times(rows: Sequence[tuple[int, int, int, Timing]]) -> WorkTimes | None:
    """Return rows of source, place, annotator and time as columns, None where no time is known."""
    known = [(*codes, timing.taken, timing.at) for *codes, timing in rows if timing.is_known]
    if not known:
        return None
    source, place, annotator, taken, at = np.array(known, dtype=np.int64).T
    return WorkTimes(source, place, annotator, taken, at)


# A moment: ISO 8601, seconds or milliseconds since 1970, and what platforms write.

# Numbers of seconds, milliseconds, microseconds and nanoseconds since 1970 between 1973 and 5138.
LEAST_EPOCH = 100_000_000
EPOCHS = (1, 1_000, 1_000_000, 1_000_000_000)
NUMBER = re.compile(r"[0-9]+(\.[0-9]*)?")
ZONES = {
    **dict.fromkeys(("Z", "UTC", "GMT"), 0),
    "PST": -8,
    "PDT": -7,
    "MST": -7,
    "MDT": -6,
    "CST": -6,
    "CDT": -5,
    "EST": -5,
    "EDT": -4,
}
BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)
# As Mechanical Turk writes it, and as Appen does: the month first.
TURK = "%a %b %d %H:%M:%S %Y"
SLASHES = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4}) (\d{1,2}):(\d\d)(?::(\d\d))?")
DAY_FIRST, MONTH_FIRST = (1, 0), (0, 1)
Order = tuple[int, int]


def moment(value: object, order: Order | None = None) -> int:
    """Return milliseconds since 1970, UNKNOWN for what is no moment; without a zone it is UTC.

    `order` says which of the first two numbers of 3/14/2015 are month and day; None: such are not read.
    """
    if isinstance(value, bool):
        return UNKNOWN
    if isinstance(value, int | float):
        return _of_number(value)
    return _written(value.strip(), order) if isinstance(value, str) and len(value) < MOST_SIGNS else UNKNOWN


MOST_SIGNS = 50


@lru_cache(maxsize=1 << 16)
def _written(text: str, order: Order | None) -> int:
    if NUMBER.fullmatch(text):
        return _of_number(int(text) if text.isdecimal() else float(text))
    try:
        when = _parsed(text, order)
        if when is None:
            return UNKNOWN
        return (
            max((when if when.tzinfo else when.replace(tzinfo=UTC)) - BEGINNING, -MILLISECOND) // MILLISECOND
        )
    except (ValueError, OverflowError):
        return UNKNOWN


def _parsed(text: str, order: Order | None) -> datetime | None:
    """Return a date with a time, or a date; raise ValueError for what is not one."""
    if text[:4].isdecimal():
        # A date of digits alone is a number.
        return datetime.fromisoformat(text) if "-" in text else None
    if slashes := SLASHES.fullmatch(text):
        if order is None:
            return None
        *numbers, year, hour, minute, second = (int(part or 0) for part in slashes.groups())
        month, day = (numbers[place] for place in order)
        return datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    *parts, zone, last = text.split(" ") if text.count(" ") >= len(TURK.split()) else ("", "", "")
    if zone not in ZONES:
        return None
    own = timezone(timedelta(hours=ZONES[zone]))
    return datetime.strptime(" ".join([*parts, last]), TURK).replace(tzinfo=own)


def _of_number(number: float) -> int:
    if not LEAST_EPOCH <= number < LEAST_EPOCH * 1_000 * EPOCHS[-1]:
        return UNKNOWN
    scale = next(scale for scale in EPOCHS if number < LEAST_EPOCH * 1_000 * scale)
    return int(number * 1_000 // scale)


def written(at: int, *, whole_days: bool) -> str:
    """Return a moment as ISO 8601 has it, in UTC: the day, or the second."""
    when = BEGINNING + at // SECOND * timedelta(seconds=1)
    return when.date().isoformat() if whole_days else when.strftime("%Y-%m-%dT%H:%M:%SZ")


# How long something took.

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000
# A label that takes ten years is none.
LONGEST = 3_650 * DAY
CLOCK = re.compile(r"(?:(\d+):)?(\d{1,2}):(\d\d(?:\.\d*)?)")
PARTS = re.compile(r"(\d+(?:\.\d*)?) *(d|h|m|s)\b")
OF_PART = {"d": DAY, "h": HOUR, "m": MINUTE, "s": SECOND}


def duration(value: object, unit: int = SECOND) -> int:
    """Return milliseconds, UNKNOWN for what is no time that somebody took; a plain number counts `unit`s.

    Nobody labels in no time: 0 is what tools write where they did not measure.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return UNKNOWN
    taken = _of_text(value.strip(), unit) if isinstance(value, str) else value * unit
    return round(taken) if 0 < taken <= LONGEST else UNKNOWN


def _of_text(text: str, unit: int) -> float:
    """Return the milliseconds of "12.5", "1:02:03" or "0d 0h 1m 5s"; 0 for anything else."""
    if len(text) > MOST_SIGNS:
        return 0
    if NUMBER.fullmatch(text.replace(",", ".", 1)):
        return float(text.replace(",", ".", 1)) * unit
    if clock := CLOCK.fullmatch(text):
        hours, minutes, seconds = clock.groups()
        return int(hours or 0) * HOUR + int(minutes) * MINUTE + float(seconds) * SECOND
    return sum(float(number) * OF_PART[part] for number, part in PARTS.findall(text))


def between(start: int, end: int) -> int:
    """Return how long something took; UNKNOWN where an end is, or where the end is before the start."""
    return end - start if UNKNOWN not in (start, end) and 0 < end - start <= LONGEST else UNKNOWN


# Columns and keys, by what they are called and what they have.

TAKEN, START, END = "taken", "start", "end"
OF_UNIT = {
    **dict.fromkeys(("ms", "msec", "msecs", "millis", "milliseconds"), 1),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds", "sekunden", "secondes", "segundos"), SECOND),
    **dict.fromkeys(("min", "mins", "minute", "minutes", "minuten", "minutos"), MINUTE),
    **dict.fromkeys(("h", "hour", "hours", "stunden", "heures", "horas"), HOUR),
}
TOOK = frozenset(
    ("duration", "elapsed", "worktime", "lead", "rt", "spent", "taken", "took", "dauer", "duree", "duracion")
)
TIME_WORDS = frozenset(("time", "times", "zeit", "temps", "tiempo"))
STARTS = frozenset(
    (
        *("start", "started", "starts", "begin", "began", "beginning", "accept", "accepted", "opened"),
        *("startzeit", "beginn", "anfang", "debut", "inicio"),
    )
)
# Shorter words for units of time may mean anything else: "min" is a least number too. So may hours, which no
# label takes.
LEAST_SIGNS = 4
# The best first: when something was submitted says more of when it was labelled than when it was changed.
ENDS = (
    *("submitted", "submit", "finished", "finish", "completed", "ended", "end", "stop", "annotated"),
    *("endzeit", "ende", "fin"),
    *("created", "timestamp", "datetime", "date", "datum", "fecha", "time", "zeit", "updated", "modified"),
)


def role_of(name: str) -> tuple[str, int]:
    """Return what a column of times has by its name, "" for none; and of an end, how good it is, from 0."""
    words = words_of(name)
    known = {*words}
    units = {word for word in known if word in OF_UNIT}
    alone = any(len(word) >= LEAST_SIGNS and OF_UNIT[word] < HOUR for word in units)
    if known & TOOK or (units and known & TIME_WORDS) or alone:
        return TAKEN, 0
    if known & STARTS:
        return START, 0
    best = next((place for place, word in enumerate(ENDS) if word in known), None)
    return ("", 0) if best is None else (END, best)


# A column has times where so many of its cells are some.
MOST_OF_CELLS = 0.9
# What Label Studio calls its seconds.
LEAD_TIME = ["lead", "time"]


def _unit_of(name: str) -> int | None:
    """Return how many milliseconds the numbers of a column count, None where its name does not say.

    Their size does not tell: 800 may be milliseconds for a click, or seconds for a document.
    """
    words = words_of(name)
    said = next((OF_UNIT[word] for word in words if word in OF_UNIT), None)
    return SECOND if said is None and words == LEAD_TIME else said


def _durations(name: str, cells: Sequence[object]) -> list[int]:
    """Return the durations in a column, all UNKNOWN where it has others than times."""
    texts = [str(cell).strip() for cell in cells]
    numbers = [float(text) for text in texts if len(text) < MOST_SIGNS and NUMBER.fullmatch(text)]
    unit = _unit_of(name) if numbers else SECOND
    # Moments are no durations, whatever their column is called.
    if unit is None or (numbers and min(numbers) >= LEAST_EPOCH):
        return [UNKNOWN] * len(cells)
    return _if_most(texts, [duration(text, unit) for text in texts], lambda text: text in ("0", "0.0"))


def _moments(cells: Sequence[object]) -> list[int]:
    """Return the moments in a column, all UNKNOWN where it has others, or where 3/4/2015 may be two days."""
    texts = [str(cell).strip() for cell in cells]
    first, second = [0], [0]
    for found in filter(None, map(SLASHES.fullmatch, dict.fromkeys(texts))):
        first.append(int(found[1]))
        second.append(int(found[2]))
    is_month, is_day = max(second) > MONTHS, max(first) > MONTHS
    order = None if is_month == is_day else MONTH_FIRST if is_month else DAY_FIRST
    return _if_most(texts, [moment(text, order) for text in texts], lambda _: False)


MONTHS = 12


def _if_most(texts: Sequence[str], times: list[int], blank: Callable[[str], bool]) -> list[int]:
    filled = [time for text, time in zip(texts, times, strict=True) if text and not blank(text)]
    known = sum(time != UNKNOWN for time in filled)
    return times if filled and known >= MOST_OF_CELLS * len(filled) else [UNKNOWN] * len(times)


def timings(columns: Mapping[str, Sequence[object]]) -> list[Timing] | None:
    """Return the time of each row of some columns, by their names, None where there are no times."""
    found: dict[str, tuple[int, list[int]]] = {}
    for name, cells in columns.items():
        role, rank = role_of(name)
        times = _durations(name, cells) if role == TAKEN else _moments(cells) if role else []
        # "time" may be either: the moment, or how long it took.
        if role == END and not _any(times) and TIME_WORDS & {*words_of(name)}:
            role, rank, times = TAKEN, 1, _durations(name, cells)
        if _any(times) and (role not in found or rank < found[role][0]):
            found[role] = rank, times
    if not found:
        return None
    nothing = [UNKNOWN] * max(map(len, columns.values()))
    taken, start, end = (found[role][1] if role in found else nothing for role in (TAKEN, START, END))
    return [_timing(*row) for row in zip(taken, start, end, strict=True)]


def _timing(taken: int, start: int, end: int) -> Timing:
    at, measured = end if end != UNKNOWN else start, taken != UNKNOWN
    return Timing(at, taken) if measured else Timing(at, between(start, end), start)


def _any(times: Sequence[int]) -> bool:
    return any(time != UNKNOWN for time in times)


def is_of_times(name: str) -> bool:
    """Say whether a column is called as those with times are."""
    return bool(role_of(name)[0])


def of_annotators(header: Sequence[str], annotators: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield each column of times of one annotator: which of the annotators, and its place in the header.

    It is called as the annotator's column of labels is, with a word more: anna, anna_seconds.
    """
    words = [words_with_numbers(name) for name in annotators]
    for place, name in enumerate(header):
        if not is_of_times(name):
            continue
        own = words_with_numbers(name)
        fitting = [
            number
            for number, of_annotator in enumerate(words)
            if of_annotator and len(own) > len(of_annotator) and _is_around(own, of_annotator)
        ]
        if len(fitting) == 1:
            yield fitting[0], place


def words_with_numbers(name: str) -> list[str]:
    """Return the words of a name in small letters, numbers among them: A1_seconds has two."""
    return re.findall(r"[^\W_]+", name.casefold())


def _is_around(words: Sequence[str], inner: Sequence[str]) -> bool:
    return words[: len(inner)] == inner or words[-len(inner) :] == inner
