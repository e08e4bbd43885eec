"""Where the tokens, sentences and terms of a text are, and which marks are on them."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from reportgen.base import LANGUAGES
from reportgen.base.dataclass import dataclass
from reportgen.readers import Codes, Regions, TextMarks
from reportgen.units.labels import Mask, Places, aranges, nothing, ranges, sums_by
from reportgen.units.pattern_matches import matches

# Where the tokens of a text are.

WHITESPACE_TOKENS = re.compile(r"\S+")


@dataclass(frozen=True, eq=False)
class Pieces:
    """Pieces of several texts, none overlapping another, in their order: tokens, sentences, terms.

    `document`, `start` and `end` (pieces,) say of which text each is, and from where to where.
    """

    document: Codes
    start: Codes
    end: Codes


def pieces(spans_by_text: Iterable[Iterable[tuple[int, int]]]) -> Pieces:
    """Return pieces given text by text, each as its start and end."""
    rows = [(document, *span) for document, spans in enumerate(spans_by_text) for span in spans]
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3)
    return Pieces(columns[:, 0], columns[:, 1], columns[:, 2])


def tokenise(texts: Sequence[str], pattern: str | None = None) -> Pieces:
    """Return the tokens of each text: what the regular expression matches, else what whitespace separates.

    Matches without a character are no tokens. Raises TimeoutError or MemoryError as `matches` does.
    """
    return _tokens(tuple(texts), pattern)


@lru_cache(maxsize=2)  # every layer of an export asks for the tokens of the same texts
def _tokens(texts: tuple[str, ...], pattern: str | None) -> Pieces:
    if pattern is None:
        tokens = pieces([match.span() for match in WHITESPACE_TOKENS.finditer(text)] for text in texts)
    else:
        tokens = pieces(matches(pattern, texts))
    for column in (tokens.document, tokens.start, tokens.end):
        column.flags.writeable = False
    return tokens


# Where the sentences of a text are, by a simple rule that needs no library.
#
# A line break ends a sentence. So does a full stop, a question or exclamation mark or an ellipsis, with the
# quotes and brackets that close behind it, where white space follows and then no lower-case letter: an
# upper-case one, one of a script without case, a digit or an opening quote. The full-width marks of Chinese
# and Japanese do so whatever follows. A full stop after an abbreviation of the lists, or after a single
# capital as in initials, ends nothing, nor does a mark before which the sentence has no letter yet, as in
# numbered lists.

QUOTES = "\"'“‘„‚«‹「『¿¡"  # noqa: RUF001 - quotes of many languages
CLOSING = r"\"'”’»›)\]}」』）】"  # noqa: RUF001 - as above
LINE_BREAKS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
MARKS = ".!?…‽؟۔।"  # noqa: RUF001 - full stops of several languages
# What may end a sentence: marks before white space, full-width marks anywhere, and the end of a line.
END = re.compile(
    rf"(?<![{MARKS}])[{MARKS}]++(?:\s?[»›]|[{CLOSING}])*+(?=\s++(?P<next>\S))"  # noqa: RUF001
    rf"|(?P<sure>[。！？｡]++[{CLOSING}]*+|[{LINE_BREAKS}])"  # noqa: RUF001
)
BEFORE_A_WORD = re.compile(r"[\s'’(\[«“\"/-]")
LETTER = re.compile(r"[^\W\d_]")
LONGEST_WORD = 20
# Of all languages: a text may have several. Those of the second list end no sentence before a number.
ABBREVIATIONS = frozenset(word for language in LANGUAGES.values() for word in language.abbreviations.split())
BEFORE_NUMBERS = frozenset(
    word for language in LANGUAGES.values() for word in language.before_numbers.split()
)


def sentences(texts: Sequence[str]) -> Pieces:
    """Return the sentences of each text, without the white space around them."""
    return pieces(_sentences(text) for text in texts)


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    begin, letter = 0, _first_letter(text, 0)
    for match in END.finditer(text):
        before = text[max(begin, match.start() - LONGEST_WORD) : match.start()]
        if match["sure"] or (letter < match.start() and _ends(before, match)):
            yield from _trimmed(text, begin, match.end())
            begin = match.end()
            letter = letter if letter >= begin else _first_letter(text, begin)
    yield from _trimmed(text, begin, len(text))


def _first_letter(text: str, begin: int) -> int:
    letter = LETTER.search(text, begin)
    return letter.start() if letter else len(text)


def _trimmed(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a stretch without the white space around it, nothing where there is nothing else."""
    piece = text[begin:end]
    first = begin + len(piece) - len(piece.lstrip())
    if piece.strip():
        yield first, first + len(piece.strip())


def _ends(before: str, match: "re.Match[str]") -> bool:
    """Say whether a mark ends the sentence before it."""
    following = match["next"]
    starts = following in QUOTES or (following.isalnum() and not following.islower())
    is_point = match[0][0] == "." and not match[0].startswith("..")
    return starts and not (is_point and _is_abbreviation(before, following))


def _is_abbreviation(before: str, following: str) -> bool:
    """Say whether the last word, which a full stop follows, is written so within a sentence."""
    word = BEFORE_A_WORD.split(before)[-1]
    folded = word.casefold()
    is_initial = len(word) == 1 and word.isupper()
    return is_initial or folded in ABBREVIATIONS or (folded in BEFORE_NUMBERS and following.isdigit())


# Where the terms of a list occur in texts: longest first, never inside a word.

# What words consist of, accents that are written as characters of their own included.
TERM_MARKS = "".join(chr(code) for code in range(0x300, 0x3000) if unicodedata.category(chr(code))[0] == "M")
# A text is cut into words, white space, and single other characters.
ATOM = re.compile(rf"[\w{TERM_MARKS}]+|(?P<space>\s+)|.", re.DOTALL)
SPACE = " "
TERM_END = ""

# What may follow an atom; END says that a term ends here.
Tree = dict[str, "Tree"]


def find_terms(texts: Sequence[str], terms: Iterable[str]) -> Pieces:
    """Return where the terms occur in each text.

    A term is matched as it is written, between words as the text has them: "abc" is in "abc-like", not in
    "abcD". White space in a term means any other. Of matches that overlap the longest counts, of
    equally long ones the first.
    """
    tree: Tree = {}
    for term in terms:
        branch = tree
        for atom, _, _ in _atoms(term):
            branch = branch.setdefault(atom, {})
        branch[TERM_END] = {}
    return pieces(sorted(_chosen(text, _matches(text, tree))) for text in texts)


def _atoms(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield words, white space and other characters with their places, composed as Unicode has it."""
    for match in ATOM.finditer(text):
        atom = SPACE if match["space"] else match[0]
        composed = atom if atom.isascii() else unicodedata.normalize("NFC", atom)
        yield composed, match.start(), match.end()


def _matches(text: str, tree: Mapping[str, Tree]) -> Iterator[tuple[int, int]]:
    """Yield every match, also those that overlap."""
    atoms = list(_atoms(text))
    for position, (first, start, _) in enumerate(atoms):
        branch, following = tree.get(first), position
        while branch is not None:
            if TERM_END in branch:
                yield start, atoms[following][2]
            following += 1
            branch = branch.get(atoms[following][0]) if following < len(atoms) else None


def _chosen(text: str, matches: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield matches that do not overlap: the longest first, then from the left."""
    covered = bytearray(len(text))
    for start, end in sorted(matches, key=lambda match: (match[0] - match[1], match[0])):
        if covered.find(1, start, end) < 0:
            covered[start:end] = b"\1" * (end - start)
            yield start, end


# Which marks are on which unit: the pieces of text that a mark covers, or the stretch that it marks.


@dataclass(frozen=True, eq=False)
class Links:
    """Units that are marked, and by what.

    - `document` (units,): the document of each unit, in the order of the text.
    - `mark`, `unit` (links,): a mark and a unit that it is on, sorted by mark.
    - `unmarked` (documents,): how many units of each document nothing is on.
    - `places`: where the units are, by their number in `unit_place` (units,).
    """

    document: Codes
    mark: Codes
    unit: Codes
    unmarked: Codes
    unit_place: Codes
    places: Places


def regions_of(marks: TextMarks) -> Regions:
    """Return where the marks are."""
    return Regions(marks.document, marks.span_mark, marks.span_start, marks.span_end)


def bases(marks: TextMarks) -> Codes:
    """Return where each text would begin if all followed one another, a character apart."""
    return np.cumsum([0, *(extent + 1 for extent in marks.extents)], dtype=np.int64)


def to_pieces(marks: TextMarks, text_pieces: Pieces) -> Links:
    """Return the tokens or sentences that share a character with a mark; one on none has no link."""
    base = bases(marks)[text_pieces.document]
    linked = covered(regions_of(marks), bases(marks), base + text_pieces.start, base + text_pieces.end)
    marked, unit = np.unique(linked[:, 1], return_inverse=True)
    every = np.bincount(text_pieces.document, minlength=len(marks.texts))
    document = text_pieces.document[marked]
    unmarked = every - np.bincount(document, minlength=len(marks.texts))
    places = Places((), np.arange(len(text_pieces.start), dtype=np.int64), text_pieces.start, text_pieces.end)
    return Links(document, linked[:, 0], unit, unmarked, marked, places)


def covered(regions: Regions, base: Codes, first: Codes, last: Codes) -> Codes:
    """Return which region shares a character with which piece: (links, 2), sorted.

    `first` and `last` (pieces,) are where pieces begin and end, counted through all texts, which start at
    `base` (documents,). Pieces are in their order and do not overlap.
    """
    text_start = base[regions.document[regions.span_region]]
    low = np.searchsorted(last, text_start + regions.span_start, side="right")
    high = np.searchsorted(first, text_start + regions.span_end, side="left")
    stretch, piece = ranges(low, np.where(regions.span_end > regions.span_start, np.maximum(high, low), low))
    # Two stretches of a discontinuous region can share a piece.
    return np.unique(np.stack([regions.span_region[stretch], piece], axis=1), axis=0)


def cutting(marks: TextMarks, tokens: Pieces) -> Codes:
    """Return the marks (numbers, rising) of which a stretch begins or ends inside a token."""
    base = bases(marks)
    first, last = base[tokens.document] + tokens.start, base[tokens.document] + tokens.end
    text_start = base[marks.document[marks.span_mark]]
    edges = np.stack([text_start + marks.span_start, text_start + marks.span_end])
    before = np.append(first, np.iinfo(np.int64).max)[np.searchsorted(last, edges, side="right")]
    cuts = np.any(before < edges, axis=0) & (marks.span_end > marks.span_start)
    return np.unique(marks.span_mark[cuts])


def to_stretches(marks: TextMarks) -> Links:
    """Return the stretches that are marked, those that coincide being one unit."""
    return _of_places(marks, *numbered(regions_of(marks)))


def _of_places(marks: TextMarks, units: Codes, unit: Codes) -> Links:
    """Return links to places as `numbered` returns them, each mark on one."""
    none = np.zeros(len(marks.texts), dtype=np.int64)
    mark = np.arange(len(unit), dtype=np.int64)
    # Stretches of recordings are called by their ends, which are in milliseconds: "1.200–1.430 s".
    rows = units.tolist() if marks.lengths else []
    names = tuple(f"{_seconds(row[1])}–{_seconds(max(row[2:]))} s" for row in rows)
    places = replace(stretches(units), names=names)
    return Links(units[:, 0], mark, unit, none, np.arange(len(units), dtype=np.int64), places)


# What is near in recordings where the campaign does not say, in milliseconds: less where stretches are so
# short that most boundaries would be near one another.
USUAL, PARTS = 200, 4


def usual_tolerance(lengths: Codes) -> int:
    """Return how many milliseconds apart boundaries are near where nobody says: 200, or less.

    It is no more than a quarter of the median of the stretches, whose `lengths` these are.
    """
    if not len(lengths):
        return USUAL
    return max(1, min(USUAL, int(np.sort(lengths)[len(lengths) // 2]) // PARTS))


def to_near_stretches(marks: TextMarks, counts: Mask, person: Codes, tolerance: int | None) -> Links:
    """Return the stretches of recordings that are marked, those of several people that are near being one.

    Two are near where both ends are no further apart than the tolerance, None for the usual one; each is one
    with the nearest. The unit is where whoever has most marks marked it. `counts` and `person` (marks,) say
    which marks count and whose each is.
    """
    of_span = counts[marks.span_mark] & (marks.span_end > marks.span_start)
    near = usual_tolerance((marks.span_end - marks.span_start)[of_span]) if tolerance is None else tolerance
    return _to_paired(marks, counts, person, lambda own, others: _near(own, others, near))


def to_relations(marks: TextMarks, counts: Mask, person: Codes) -> Links:
    """Return the relations, those of several people whose ends differ in their boundaries alone being one.

    In such each stretch of one shares a character with one of the other; each is one with the nearest. The
    unit is where whoever has most relations has it. `counts` and `person` are as of `to_near_stretches`.
    """
    return _to_paired(marks, counts, person, _overlapping_all)


# Which of some places could be one with which of others, by their numbers, and how far apart they are.
Candidates = tuple[Codes, Codes, Codes]


def _to_paired(
    marks: TextMarks, counts: Mask, person: Codes, candidates: Callable[[Codes, Codes], Candidates]
) -> Links:
    """Return links to places, those of several people being one that are the nearest of the candidates."""
    places, place = numbered(regions_of(marks))
    known, unit = nothing(), place.copy()
    for who in _most_marks_first(places[place[counts]], person[counts]):
        theirs = np.flatnonzero(counts & (person == who))
        own = np.unique(place[theirs])
        partner = _nearest(len(own), *candidates(places[own], places[known]))
        found = partner >= 0
        one = np.arange(len(places), dtype=np.int64)
        one[own[found]] = known[partner[found]]
        unit[theirs] = one[place[theirs]]
        known = np.union1d(known, one[own])
    units, unit = np.unique(unit, return_inverse=True)
    return _of_places(marks, places[units], unit.reshape(-1))


def _most_marks_first(places: Codes, person: Codes) -> list[int]:
    """Return whose marks there are, whatever they are called: of as many, those that begin or end first."""
    people, who, many = np.unique(person, return_inverse=True, return_counts=True)
    begins, ends = (np.zeros(len(people), dtype=np.int64) for _ in range(2))
    np.add.at(begins, who.reshape(-1), places[:, 1])
    np.add.at(ends, who.reshape(-1), places[:, 2])
    order: list[int] = people[np.lexsort((ends, begins, -many))].tolist()
    return order


def _near(own: Codes, others: Codes, near: int) -> Candidates:
    """Return the stretches whose ends are near: rows of places, those of others in their order."""
    # Complex numbers are in the order of their real parts, then of their imaginary ones.
    begin, laid = (places[:, 0] + 1j * places[:, 1] for places in (own, others))
    low, high = begin - 1j * near, begin + 1j * near
    row, other = ranges(np.searchsorted(laid, low), np.searchsorted(laid, high, "right"))
    apart = np.abs(own[row, 1:3] - others[other, 1:3])
    whole = np.all(own[row, 3:] < 0, axis=1) & np.all(others[other, 3:] < 0, axis=1)
    chosen = np.all(apart <= near, axis=1) & whole
    return row[chosen], other[chosen], apart[chosen].sum(axis=1)


def _overlapping_all(own: Codes, others: Codes) -> Candidates:
    """Return the places of which each stretch shares a character with one of the other; rows are as above.

    They are apart by the characters that one of them alone covers.
    """
    rows, many = np.concatenate([own, others]), len(own) + len(others)
    every = stretches(rows)
    text = rows[every.unit, 0] * (int(every.end.max(initial=0)) + 1)
    order = np.argsort(text + every.start, kind="stable")
    place, begin, end = every.unit[order], (text + every.start)[order], (text + every.end)[order]
    # Of two that overlap the one that begins later begins before the other ends.
    last = np.searchsorted(begin, end)
    first, second = ranges(np.arange(1, len(begin) + 1), np.maximum(last, np.arange(1, len(begin) + 1)))
    swap = place[first] > place[second]
    mine, theirs = np.where(swap, second, first), np.where(swap, first, second)
    shared = np.minimum(end[first], end[second]) - begin[second]
    met = (place[mine] < len(own)) & (place[theirs] >= len(own)) & (shared > 0)
    mine, theirs, shared = mine[met], theirs[met], shared[met]
    keys, key = np.unique(place[mine] * many + place[theirs], return_inverse=True)
    row, other = np.divmod(keys, many)
    sizes, lengths = np.bincount(place, minlength=many), sums_by(place, end - begin, many)
    chosen = np.ones(len(keys), dtype=np.bool_)
    for stretch, side in ((mine, row), (theirs, other)):
        of_key = np.unique(np.stack([key, stretch], axis=1), axis=0)[:, 0]
        chosen &= np.bincount(of_key, minlength=len(keys)) == sizes[side]
    apart = lengths[row] + lengths[other] - 2 * sums_by(key, shared, len(keys))
    return row[chosen], other[chosen] - len(own), apart[chosen]


def _nearest(many: int, row: Codes, other: Codes, apart: Codes) -> Codes:
    """Return which of the others each of so many places is one with, -1 for none, each being in one pair.

    The nearest candidates are pairs first.
    """
    partner = np.full(many, -1, dtype=np.int64)
    order = np.lexsort((other, row, apart))
    row, other = row[order], other[order]
    while len(row):
        # What is the nearest left to both is a pair.
        first, back = np.unique(row, return_index=True)[1], np.unique(other, return_index=True)[1]
        pairs = np.intersect1d(first, back)
        partner[row[pairs]] = other[pairs]
        left = ~(np.isin(row, row[pairs]) | np.isin(other, other[pairs]))
        row, other = row[left], other[left]
    return partner


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds // 1000}.{milliseconds % 1000:03}"


def numbered(regions: Regions) -> tuple[Codes, Codes]:
    """Return every place once, in the order of the texts, and the number of the place of each region.

    A place is a row: its document, then the ends of its stretches, filled up with -1 where it has fewer.
    """
    sizes = np.bincount(regions.span_region, minlength=len(regions.document))
    rows = np.full((len(regions.document), 1 + 2 * int(sizes.max(initial=0))), -1, dtype=np.int64)
    rows[:, 0] = regions.document
    order = np.argsort(regions.span_region, kind="stable")
    stretch = aranges(sizes)
    rows[regions.span_region[order], 1 + 2 * stretch] = regions.span_start[order]
    rows[regions.span_region[order], 2 + 2 * stretch] = regions.span_end[order]
    places, number = np.unique(rows, axis=0, return_inverse=True)
    return places, number.reshape(-1)


def stretches(units: Codes) -> Places:
    """Return where units are, given as rows of a document and the ends of stretches, -1 for none."""
    unit, stretch = np.nonzero(units[:, 1::2] >= 0)
    return Places((), unit, units[unit, 1 + 2 * stretch], units[unit, 2 + 2 * stretch])


# Which marks are on which candidate: those that coincide with it, or else those that overlap it.


def regions_of_pieces(text_pieces: Pieces) -> Regions:
    """Return pieces of text as places of one stretch each."""
    number = np.arange(len(text_pieces.document), dtype=np.int64)
    return Regions(text_pieces.document, number, text_pieces.start, text_pieces.end)


def to_candidates(
    marks: TextMarks, candidates: Regions, counts: Mask, person: Codes, *, keep_marked: bool
) -> tuple[Links, Codes]:
    """Return the candidates on which marks that count (marks,) are, and the marks that give way.

    Candidates that coincide are one.

    A mark that coincides with a candidate is on that one alone, any other on all with which it shares a
    character. Where a mark of a person, `person` (marks,), coincides with a candidate, the person's
    others that overlap it give way. With `keep_marked` the marks that touch no candidate are on units of
    their own, else they have no link.
    """
    rows, number = numbered(_joined(regions_of(marks), candidates))
    mark_number, candidate_number = np.split(number, [len(marks.document)])
    candidate_numbers = np.unique(candidate_number)
    coincides = counts & np.isin(mark_number, candidate_numbers)
    exact = np.stack([np.flatnonzero(coincides), mark_number[coincides]], axis=1)
    overlapping = _overlapping(marks, candidates, candidate_number)
    overlapping = overlapping[(counts & ~coincides)[overlapping[:, 0]]]
    left = overlapping[~np.isin(_keys(overlapping, person, len(rows)), _keys(exact, person, len(rows)))]
    outside = np.setdiff1d(np.flatnonzero(counts & ~coincides), overlapping[:, 0])
    of_their_own = np.stack([outside, mark_number[outside]], axis=1)[: len(outside) if keep_marked else 0]
    linked = np.unique(np.concatenate([exact, left, of_their_own]), axis=0)
    marked, unit = np.unique(linked[:, 1], return_inverse=True)
    document = rows[marked, 0]
    links = Links(
        document=document,
        mark=linked[:, 0],
        unit=unit.reshape(-1),
        unmarked=np.bincount(rows[np.setdiff1d(candidate_numbers, marked), 0], minlength=len(marks.texts)),
        unit_place=marked,
        places=stretches(rows),
    )
    return links, np.setdiff1d(overlapping[:, 0], linked[:, 0])


def _joined(first: Regions, second: Regions) -> Regions:
    return Regions(
        document=np.concatenate([first.document, second.document]),
        span_region=np.concatenate([first.span_region, len(first.document) + second.span_region]),
        span_start=np.concatenate([first.span_start, second.span_start]),
        span_end=np.concatenate([first.span_end, second.span_end]),
    )


def _keys(pairs: Codes, person: Codes, places: int) -> Codes:
    """Return a number for the person and the candidate of each mark on a candidate (pairs, 2)."""
    return person[pairs[:, 0]] * places + pairs[:, 1]


def _overlapping(marks: TextMarks, candidates: Regions, number: Codes) -> Codes:
    """Return which mark shares a character with which candidate, by its number: (pairs, 2).

    The texts are cut wherever a candidate begins or ends, so that a piece lies within a candidate or outside
    it, and candidates within candidates are found too.
    """
    base = bases(marks)
    text_start = base[candidates.document[candidates.span_region]]
    cuts = np.unique(np.concatenate([text_start + candidates.span_start, text_start + candidates.span_end]))
    of_marks = covered(regions_of(marks), base, cuts[:-1], cuts[1:])
    of_candidates = covered(candidates, base, cuts[:-1], cuts[1:])
    order = np.argsort(of_candidates[:, 1], kind="stable")
    candidate, piece = of_candidates[order, 0], of_candidates[order, 1]
    row, position = ranges(*(np.searchsorted(piece, of_marks[:, 1], side) for side in ("left", "right")))
    return np.unique(np.stack([of_marks[row, 0], number[candidate[position]]], axis=1), axis=0)
