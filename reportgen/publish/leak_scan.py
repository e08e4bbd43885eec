"""Searches a finished bundle for what it was to hide: names, texts, and where it was made.

Pseudonyms are put in before anything is rendered, so that none of these is in what is computed. They may
be in the publisher's own words, though, in labels, or in files that are published as they are.
"""

import os
import platform
import re
import tempfile
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise, repeat
from pathlib import Path

import numpy as np
import numpy.typing as npt

from reportgen.base.errors import Problem
from reportgen.base.files import templates
from reportgen.campaign import Campaign
from reportgen.publish.bundle_files import (
    CAMPAIGN,
    CHECKSUMS,
    CITATION,
    CRATE,
    DISTANCES,
    EXPORTS,
    GUIDELINES,
)
from reportgen.publish.file_contents import UNSPACED_SIGN, folded, readings, words
from reportgen.readers import Annotations, TextMarks
from reportgen.units import Pseudonyms, document_names, unit_names

# Finds stretches of texts in other texts: six words in a row, or twelve signs where words are not spaced.

Hashes = npt.NDArray[np.uint64]

# What more than two texts have by chance is shorter.
OF_WORDS, OF_SIGNS = 6, 12
SENTENCE = re.compile(r"[.!?;\n…。！？؟۔।]+")  # noqa: RUF001 - marks of many scripts
FACTOR = np.uint64(6364136223846793005)
UNKNOWN = 0
# So many stretches are held as words; as numbers they take little room.
AT_ONCE = 50_000


class SentenceIndex:
    """The sentences of texts as numbers, but for those that have too few words to be known by."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Take down the texts."""
        self._codes: dict[str, int] = {}
        hashes: dict[int, list[Hashes]] = {OF_WORDS: [], OF_SIGNS: []}
        windows: dict[int, list[list[int]]] = {OF_WORDS: [], OF_SIGNS: []}
        for size, window in self._windows(texts):
            windows[size].append([self._codes.setdefault(word, len(self._codes) + 1) for word in window])
            if len(windows[size]) == AT_ONCE:
                hashes[size].append(_hashes(windows[size]))
                windows[size].clear()
        for size, remainder in windows.items():
            hashes[size] += [_hashes(remainder)] if remainder else []
        self._known = {size: np.sort(np.concatenate(parts)) for size, parts in hashes.items() if parts}

    def _windows(self, texts: Iterable[str]) -> Iterator[tuple[int, Sequence[str]]]:
        """Yield what is looked for: each sentence in pieces that follow each other, and its end."""
        for text in texts:
            for sentence in SENTENCE.split(folded(text)):
                said = words(sentence)
                size = OF_SIGNS if len(UNSPACED_SIGN.findall(sentence)) * 2 > len(said) else OF_WORDS
                for start in range(0, len(said) - size + 1, size):
                    yield size, said[start : start + size]
                if len(said) > size:
                    yield size, said[-size:]

    def find(self, said: Sequence[str]) -> list[str]:
        """Return the passages that are in a text, which is given by its words."""
        if not self._known or not said:
            return []
        codes = np.fromiter(map(self._codes.get, said, repeat(UNKNOWN)), dtype=np.uint64, count=len(said))
        passages: list[str] = []
        for size, hashes in self._known.items():
            if len(codes) >= size:
                here = np.lib.stride_tricks.sliding_window_view(codes, size)
                places = np.flatnonzero((here != UNKNOWN).all(axis=1))
                some = _hashes(here[places])
                # They are sorted: that takes no set of them.
                near = hashes[np.minimum(np.searchsorted(hashes, some), len(hashes) - 1)]
                passages += [" ".join(said[start : start + size]) for start in places[near == some].tolist()]
        return passages


def _hashes(windows: npt.ArrayLike) -> Hashes:
    """Return one number a row, which others have by no chance worth counting."""
    rows = np.asarray(windows, dtype=np.uint64)
    hashes = np.zeros(len(rows), dtype=np.uint64)
    for column in rows.T:
        hashes = (hashes ^ (hashes >> np.uint64(29))) * FACTOR + column
    return hashes


# What a bundle is to hide: names of people, documents and units, texts, and where it was made.

SHORTEST, SHORTEST_UNSPACED = 4, 2
# No count and no year has so many digits.
LONG_NUMBER = 8
# Why a name is not looked for.
SHORT, NUMBER = "are shorter than four letters", "are short numbers"
CATEGORY, PSEUDONYM, OURS = "are categories too", "look like pseudonyms", "are words of every report"
# What reports count, so that numbers are beside it.
COUNTED = {"annotator", "annotators", "document", "documents", "unit", "units", "token", "tokens", "version"}
# What machines and their users are called everywhere.
USUAL = {"root", "user", "users", "home", "admin", "runner", "guest", "build", "ubuntu", "localhost", "work"}


@dataclass(frozen=True)
class Secrets:
    """What a bundle is to hide.

    - `names`: annotators, documents and units, each with what it is; `passed_over` counts, by the reason,
      those that are like other words.
    - `shown`: who is meant to be named, though hidden names may be among the words: authors.
    - `texts`: what annotators read. `machine`: where the bundle is made, each with what it is.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    passed_over: Mapping[str, int] = field(default_factory=dict)
    shown: Sequence[str] = ()
    texts: Collection[str] = ()
    machine: Mapping[str, str] = field(default_factory=dict)


def secrets(campaign: Campaign, exports: Iterable[Annotations], names: Pseudonyms) -> Secrets:
    """Return what the bundle of a campaign hides; its privacy is the bundle's, `names` its pseudonyms."""
    exports = tuple(exports)
    labels = {folded(label) for annotations in exports for label in annotations.content.labels}
    labels |= {folded(label) for task in (campaign.task, *campaign.layers) for label in task.categories}
    kinds = names.annotators, names.documents, names.units
    false = {folded(pseudonym) for kind in kinds for pseudonym in kind.values()}
    # What a system or a model is declared to be called is public.
    systems = (
        (annotator.system, annotator.release, annotator.model) for annotator in campaign.annotators.values()
    )
    public = {folded(name) for names_of_system in systems for name in names_of_system if name}
    hidden = {name: what for name, what in _names(campaign, exports, names) if folded(name) not in public}
    reasons = {name: _reason(folded(name), labels, false) for name in hidden}
    texts = (
        text
        for annotations in exports
        if isinstance(annotations.content, TextMarks)
        for text in annotations.content.texts
    )
    return Secrets(
        names={name: what for name, what in hidden.items() if not reasons[name]},
        passed_over=Counter(filter(None, reasons.values())),
        shown=[
            *(author.name for author in campaign.authors),
            *(author for work in campaign.references for author in work.authors),
        ],
        texts=dict.fromkeys(texts) if campaign.privacy.texts == "withhold" else (),
        machine=dict(_machine(campaign)),
    )


def _names(
    campaign: Campaign, exports: Sequence[Annotations], names: Pseudonyms
) -> Iterator[tuple[str, str]]:
    """Yield what is hidden; who is both is rather a person than a document, and rather that than a unit."""
    if campaign.privacy.documents == "pseudonyms":
        yield from ((name, "unit") for annotations in exports for name in unit_names(annotations) if name)
        yield from (
            (name, "document") for annotations in exports for name in document_names(annotations) if name
        )
        yield from ((name, "document") for name in names.documents)
    if campaign.privacy.annotators == "pseudonyms":
        yield from ((name, "annotator") for name in campaign.annotators)
        for annotations in exports:
            there = (name for name in annotations.content.annotators if name not in annotations.derived)
            yield from ((name, "annotator") for name in there)
            yield from ((lost.annotator, "annotator") for lost in annotations.left_out if lost.annotator)


def _reason(name: str, labels: Collection[str], false: Collection[str]) -> str:
    """Return why a name, folded, can't be looked for, empty where it can."""
    said = words(name)
    letters = "".join(said)
    shortest = SHORTEST_UNSPACED if UNSPACED_SIGN.search(name) else SHORTEST
    if len(letters) < shortest:
        return SHORT
    if letters.isnumeric() and len(letters) < LONG_NUMBER:
        return NUMBER
    if name in false:
        return PSEUDONYM
    if name in labels:
        return CATEGORY
    # Any page may have a name, or its word beside its number: "annotator-2" is in many.
    own = [word for word in said if not word.isnumeric()]
    ours = len(own) == 1 and own[0] in (_own_words() if len(said) == 1 else COUNTED)
    return OURS if ours else ""


@cache
def _own_words() -> frozenset[str]:
    """Return the words that are in templates and catalogues: any page may have them."""
    files = (path for path in templates().rglob("*") if path.suffix in {".j2", ".js", ".css", ".mo", ".bib"})
    return frozenset(
        word for path in files for word in words(folded(path.read_bytes().decode(errors="replace")))
    )


def _machine(campaign: Campaign) -> Iterator[tuple[str, str]]:
    """Yield folders of this machine, its name and that of its user; what is called so everywhere is none."""
    folders = {
        str(campaign.folder): "the campaign's folder",
        str(campaign.folder.parent): "the folder of campaigns",
        str(Path.cwd()): "the folder where this was called",
        str(templates().parent): "the folder of this program",
        os.path.expanduser("~"): "the home folder",  # noqa: PTH111 - Path.home() fails without one
        tempfile.gettempdir(): "the temporary folder",
    }
    yield from ((folder, what) for folder, what in folders.items() if len(Path(folder).parts) > 1)
    names = {os.environ.get("USER", ""): "the user's name", platform.node(): "the machine's name"}
    for name, what in names.items():
        if len(name) >= SHORTEST and name.casefold() not in USUAL | _own_words():
            yield name, what


# The search itself.

Place = tuple[str, int]

FOLDER = re.compile(r"/|[A-Za-z]:\\")

# So many of one kind are listed, each in one line; the others are counted.
MOST = 10
# Files that the publisher wrote come before those that repeat them.
OWN = (CAMPAIGN, GUIDELINES, DISTANCES)
MEND_OWN = "Reword it there if it should stay hidden: the campaign's own words are published as they are."
MEND = "It comes from labels, from names of files or from the campaign's own words: change it there."
MEND_PASSED = "Look for them yourself where they would tell who somebody is."


def exposed(files: Mapping[str, bytes], hidden: Secrets) -> Iterator[Problem]:
    """Yield what a bundle shows although it was to be hidden, and how many names were not looked for.

    Exports hold names and texts by their nature, and are there because they were asked for.
    """
    search = _Search(hidden)
    # Lists of all files have the names of exports too.
    named = (EXPORTS, CHECKSUMS, CRATE) if any(name.startswith(EXPORTS) for name in files) else ()
    for name in sorted(files, key=lambda name: (not name.startswith(OWN), name)):
        if not name.startswith(named):
            search.read(name, files[name])
    for kind in ("annotator", "document", "unit"):
        yield from _named(
            kind, {secret: places for secret, places in search.places_by_name.items() if secret.what == kind}
        )
    yield from _quoted(search.quoted)
    for secret, places in search.places_by_name.items():
        if secret.name in hidden.machine:
            yield _problem(places, f'{secret.what} is named there, "{secret.name}"')
    if reasons := hidden.passed_over:
        number = sum(reasons.values())
        reasons_in_words = ", ".join(f"{times} {why}" for why, times in sorted(reasons.items()))
        names = "1 name that is hidden was" if number == 1 else f"{number} names that are hidden were"
        yield Problem(
            "names",
            message=f"{names} not searched for in the bundle: {reasons_in_words}.",
            remedy=MEND_PASSED,
        )


def _named(kind: str, places_by_name: Mapping["_Name", Sequence[Place]]) -> Iterator[Problem]:
    listed = sorted(places_by_name.items(), key=lambda pair: (pair[1][0][0], pair[0].name))
    for name, places in listed[:MOST]:
        yield _problem(places, f'the {kind} "{name.name}" is named there')
    if unlisted := listed[MOST:]:
        yield _problem(unlisted[0][1][:1], f"{len(unlisted)} more {kind}s are named there and elsewhere")


def _quoted(passages_by_file: Mapping[str, Sequence[str]]) -> Iterator[Problem]:
    listed = list(passages_by_file.items())
    for file, passages in listed[:MOST]:
        number = len(passages)
        said = "1 passage of the texts is" if number == 1 else f"{number} passages of the texts are"
        yield _problem([(file, 0)], f'{said} there: "{passages[0]}"')
    if unlisted := [(file, 0) for file, _ in listed[MOST:]]:
        yield _problem(unlisted, "passages of the texts are there")


def _problem(places: Sequence[Place], message: str) -> Problem:
    (file, line), *more = places
    also = f", and in {len(more)} more file{'s' if len(more) > 1 else ''}" if more else ""
    return Problem(file, line, "", f"{message}{also}.", MEND_OWN if file.startswith(OWN) else MEND)


@dataclass(frozen=True)
class _Name:
    """A name, what it is of, and how it is found: its words in a row, with little between them."""

    name: str
    what: str
    words: tuple[str, ...] = field(compare=False)

    def line_in(self, text: str) -> int | None:
        """Return the line of a text in which the name stands, counted from 1."""
        if FOLDER.match(self.name):
            before, behind, inside = r"(?<![\w.])", r"(?!\w)", re.escape(folded(self.name))
        else:
            before = "" if UNSPACED_SIGN.match(self.words[0]) else r"(?<![^\W_])"
            behind = "" if UNSPACED_SIGN.match(self.words[-1]) else r"(?![^\W_])"
            inside = r"[\W_]{0,4}".join(map(re.escape, self.words))
        match = re.search(f"{before}{inside}{behind}", text)
        return text.count("\n", 0, match.start()) + 1 if match else None


class _Search:
    """Goes through files; `places_by_name` are where names are, `quoted` the passages of texts by file."""

    def __init__(self, hidden: Secrets) -> None:
        """Make an index of what is hidden, by the longest word of each name."""
        self.places_by_name: dict[_Name, list[Place]] = {}
        self.quoted: dict[str, list[str]] = {}
        self._passages = SentenceIndex(hidden.texts)
        self._index: dict[str, list[_Name]] = {}
        for name, what in (*hidden.names.items(), *hidden.machine.items()):
            said = tuple(words(folded(name)))
            # People are called by one word where there is no place for two.
            joined = [("".join(said),)] if what == "annotator" and len(said) > 1 else []
            for name_words in [said, *joined] if said else ():
                self._index.setdefault(max(name_words, key=len), []).append(_Name(name, what, name_words))
        self._authors = _names_of(hidden.shown)
        self._of_authors = {word for name in hidden.shown for word in words(folded(name))}

    def read(self, file: str, content: bytes) -> None:
        """Take down what a file shows."""
        read_names: set[_Name] = set()
        passages: dict[str, None] = {}
        for reading in readings(file, content):
            text = self._authors.sub(" ", reading) if self._authors else reading
            said = words(text)
            for name in self._candidates(said):
                # A name may be a part of an author's, where the parts are apart.
                cited = file == CITATION and self._of_authors.issuperset(name.words)
                if name not in read_names and not cited and (line := name.line_in(text)):
                    read_names.add(name)
                    self.places_by_name.setdefault(name, []).append((file, line))
            passages |= dict.fromkeys(self._passages.find(said))
        if passages:
            self.quoted[file] = list(passages)

    def _candidates(self, said: Sequence[str]) -> Iterator[_Name]:
        """Yield the names whose words follow each other in a text."""
        there = self._index.keys() & set(said)
        candidates = [name for word in there for name in self._index[word]]
        pairs = set(pairwise(said)) if any(len(name.words) > 1 for name in candidates) else set()
        yield from (name for name in candidates if pairs.issuperset(pairwise(name.words)))


def _names_of(authors: Iterable[str]) -> re.Pattern[str] | None:
    """Return what finds authors, also with the family name first."""
    named = [words(folded(author)) for author in authors]
    orders = {
        tuple(order)
        for name_words in named
        if name_words
        for order in (name_words, [name_words[-1], *name_words[:-1]])
    }
    longest_first = sorted(orders, key=len, reverse=True)
    either = "|".join(r"[\W_]{1,4}".join(map(re.escape, order)) for order in longest_first)
    return re.compile(rf"(?<![^\W_])(?:{either})(?![^\W_])") if either else None
