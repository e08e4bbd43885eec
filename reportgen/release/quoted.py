"""Finds stretches of texts in other texts: six words in a row, or twelve signs where words are not spaced."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat

import numpy as np
import numpy.typing as npt

from reportgen.release.readable import UNSPACED_SIGN, folded, words

Hashes = npt.NDArray[np.uint64]

# What more than two texts have by chance is shorter.
OF_WORDS, OF_SIGNS = 6, 12
SENTENCE = re.compile(r"[.!?;\n…。！？؟۔।]+")  # noqa: RUF001 - marks of many scripts
FACTOR = np.uint64(6364136223846793005)
UNKNOWN = 0
# So many stretches are held as words; as numbers they take little room.
AT_ONCE = 50_000


class Passages:
    """The sentences of texts as numbers; `short` of them have too few words to be told from others."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Take down the texts."""
        self._codes: dict[str, int] = {}
        self.short = 0
        found: dict[int, list[Hashes]] = {OF_WORDS: [], OF_SIGNS: []}
        windows: dict[int, list[list[int]]] = {OF_WORDS: [], OF_SIGNS: []}
        for size, window in self._windows(texts):
            windows[size].append([self._codes.setdefault(word, len(self._codes) + 1) for word in window])
            if len(windows[size]) == AT_ONCE:
                found[size].append(_hashes_of(windows[size]))
                windows[size].clear()
        for size, rest in windows.items():
            found[size] += [_hashes_of(rest)] if rest else []
        self._known = {size: np.sort(np.concatenate(each)) for size, each in found.items() if each}

    def _windows(self, texts: Iterable[str]) -> Iterator[tuple[int, Sequence[str]]]:
        """Yield what is looked for: each sentence in pieces that follow each other, and its end."""
        for text in texts:
            for sentence in SENTENCE.split(folded(text)):
                said = words(sentence)
                size = OF_SIGNS if len(UNSPACED_SIGN.findall(sentence)) * 2 > len(said) else OF_WORDS
                self.short += bool(said) and len(said) < size
                for start in range(0, len(said) - size + 1, size):
                    yield size, said[start : start + size]
                if len(said) > size:
                    yield size, said[-size:]

    def find(self, said: Sequence[str]) -> list[str]:
        """Return the passages that stand in a text, which is given by its words."""
        if not self._known or not said:
            return []
        codes = np.fromiter(map(self._codes.get, said, repeat(UNKNOWN)), dtype=np.uint64, count=len(said))
        found: list[str] = []
        for size, known in self._known.items():
            if len(codes) >= size:
                here = np.lib.stride_tricks.sliding_window_view(codes, size)
                places = np.flatnonzero((here != UNKNOWN).all(axis=1))
                places = places[_among(_hashes(here[places]), known)]
                found += [" ".join(said[place : place + size]) for place in places.tolist()]
        return found


def _hashes_of(windows: Sequence[Sequence[int]]) -> Hashes:
    return _hashes(np.array(windows, dtype=np.uint64))


def _among(some: Hashes, known: Hashes) -> npt.NDArray[np.bool_]:
    """Say of some numbers which are known; sorted as these are, that takes no set of them."""
    place = np.minimum(np.searchsorted(known, some), len(known) - 1)
    found: npt.NDArray[np.bool_] = known[place] == some
    return found


def _hashes(windows: Hashes) -> Hashes:
    """Return one number a row, which others have by no chance worth counting."""
    found = np.zeros(len(windows), dtype=np.uint64)
    for column in windows.T:
        found = (found ^ (found >> np.uint64(29))) * FACTOR + column
    return found
