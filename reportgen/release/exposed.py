"""Searches a finished bundle for what it was to hide: names, texts, and where it was made.

Pseudonyms are put in before anything is rendered, so that none of these stands in what is computed. They may
stand in the publisher's own words, though, in labels, or in files that are published as they are.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from reportgen.errors import Problem
from reportgen.release.names import CAMPAIGN, CITATION, DISTANCES, EXPORTS, GUIDELINES
from reportgen.release.quoted import Passages
from reportgen.release.readable import UNSPACED_SIGN, folded, readings, words
from reportgen.release.secrets import Secrets

Place = tuple[str, int]

FOLDER = re.compile(r"/|[A-Za-z]:\\")

# So many of one kind are told, each in one line; the others are counted.
MOST = 10
# Files that the publisher wrote are told of before those that repeat them.
OWN = (CAMPAIGN, GUIDELINES, DISTANCES)
MEND_OWN = "Reword it there, if it should not be told: the campaign's own words are published as they are."
MEND = (
    "It comes from labels, from names of files or from the campaign's own words: change it where it stands."
)
MEND_PASSED = "Look for them yourself where they would tell who somebody is."


def exposed(files: Mapping[str, bytes], hidden: Secrets) -> Iterator[Problem]:
    """Yield what a bundle shows although it was to be hidden, and how many names were not looked for.

    Exports hold names and texts by their nature, and are there because they were asked for.
    """
    search = _Search(hidden)
    own_first = sorted(files, key=lambda name: (not name.startswith(OWN), name))
    for name in own_first:
        if not name.startswith(EXPORTS):
            search.read(name, files[name])
    for kind in ("annotator", "document", "unit"):
        yield from _named(kind, {each: search.found[each] for each in search.found if each.what == kind})
    yield from _quoted(search.quoted)
    others = {each: places for each, places in search.found.items() if each.name in hidden.machine}
    yield from (
        _problem(places, f'{each.what} is named there, "{each.name}"') for each, places in others.items()
    )
    yield from _passed_over(hidden.passed_over)


def _named(kind: str, found: Mapping["_Name", Sequence[Place]]) -> Iterator[Problem]:
    told = sorted(found.items(), key=lambda pair: (pair[1][0][0], pair[0].name))
    for each, places in told[:MOST]:
        yield _problem(places, f'the {kind} "{each.name}" is named there')
    if rest := [places for _, places in told[MOST:]]:
        yield _problem(rest[0], f"{len(rest)} more {kind}s are named there and elsewhere", others=False)


def _quoted(found: Mapping[str, Sequence[str]]) -> Iterator[Problem]:
    for file, passages in [*found.items()][:MOST]:
        number = "1 passage" if len(passages) == 1 else f"{len(passages)} passages"
        stands = "stands" if len(passages) == 1 else "stand"
        message = f'{number} of the texts {stands} there: "{passages[0]}"'
        yield _problem([(file, 0)], message)
    if len(found) > MOST:
        rest = [(file, 0) for file in found][MOST:]
        yield _problem(rest, "passages of the texts stand there")


def _problem(places: Sequence[Place], message: str, *, others: bool = True) -> Problem:
    (file, line), *more = places
    also = f", and in {len(more)} more file{'s' if len(more) > 1 else ''}" if more and others else ""
    return Problem(file, line, "", f"{message}{also}.", MEND_OWN if file.startswith(OWN) else MEND)


def _passed_over(reasons: Mapping[str, int]) -> Iterator[Problem]:
    if reasons:
        number = sum(reasons.values())
        told = ", ".join(f"{times} {why}" for why, times in sorted(reasons.items()))
        names = "1 name that is hidden was" if number == 1 else f"{number} names that are hidden were"
        yield Problem("names", message=f"{names} not searched for in the bundle: {told}.", mend=MEND_PASSED)


@dataclass(frozen=True)
class _Name:
    """A name, what it is of, and how it is found: its words in a row, with little between them."""

    name: str
    what: str
    words: tuple[str, ...] = field(compare=False)

    def stands(self, text: str) -> int | None:
        """Return the line of a text in which the name stands, counted from 1."""
        if FOLDER.match(self.name):
            found = re.search(rf"(?<![\w.]){re.escape(folded(self.name))}(?!\w)", text)
            return text.count("\n", 0, found.start()) + 1 if found else None
        between = r"[\W_]{0,4}".join(map(re.escape, self.words))
        before = "" if UNSPACED_SIGN.match(self.words[0]) else r"(?<![^\W_])"
        behind = "" if UNSPACED_SIGN.match(self.words[-1]) else r"(?![^\W_])"
        found = re.search(f"{before}{between}{behind}", text)
        return text.count("\n", 0, found.start()) + 1 if found else None


class _Search:
    """Goes through files; `found` has the places of each name, `quoted` the passages of texts by file."""

    def __init__(self, hidden: Secrets) -> None:
        """Make an index of what is hidden, by the longest word of each name."""
        self.found: dict[_Name, list[Place]] = {}
        self.quoted: dict[str, list[str]] = {}
        self._passages = Passages(hidden.texts)
        self._index: dict[str, list[_Name]] = {}
        for name, what in (*hidden.names.items(), *hidden.machine.items()):
            said = tuple(words(folded(name)))
            # People are called by one word where there is no place for two.
            joined = [("".join(said),)] if what == "annotator" and len(said) > 1 else []
            for each in [said, *joined] if said else ():
                self._index.setdefault(max(each, key=len), []).append(_Name(name, what, each))
        self._authors = _names_of(hidden.shown)
        self._of_authors = {word for name in hidden.shown for word in words(folded(name))}

    def read(self, file: str, content: bytes) -> None:
        """Take down what a file shows."""
        known: set[_Name] = set()
        passages: dict[str, None] = {}
        for reading in readings(file, content):
            text = self._authors.sub(" ", reading) if self._authors else reading
            said = words(text)
            for each in self._candidates(said):
                if each not in known and (line := each.stands(text)) and not self._cited(file, each):
                    known.add(each)
                    self.found.setdefault(each, []).append((file, line))
            passages |= dict.fromkeys(self._passages.find(said))
        if passages:
            self.quoted[file] = list(passages)

    def _cited(self, file: str, name: _Name) -> bool:
        """Tell whether a name may be a part of an author's, where the parts stand apart."""
        return file == CITATION and self._of_authors.issuperset(name.words)

    def _candidates(self, said: Sequence[str]) -> Iterator[_Name]:
        """Yield the names whose words follow each other in a text."""
        there = self._index.keys() & set(said)
        pairs = (
            set(pairwise(said))
            if any(len(each.words) > 1 for word in there for each in self._index[word])
            else set()
        )
        for word in there:
            yield from (each for each in self._index[word] if pairs.issuperset(pairwise(each.words)))


def _names_of(authors: Iterable[str]) -> re.Pattern[str] | None:
    """Return what finds authors, also with the family name first."""
    named = [words(folded(each)) for each in authors]
    orders = {tuple(order) for each in named if each for order in (each, [each[-1], *each[:-1]])}
    either = "|".join(
        r"[\W_]{1,4}".join(map(re.escape, order)) for order in sorted(orders, key=len, reverse=True)
    )
    return re.compile(rf"(?<![^\W_])(?:{either})(?![^\W_])") if either else None
