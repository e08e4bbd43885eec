"""Tiers of a recording, which Praat and ELAN write: stretches of time with labels, and whose they are."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from reportgen.readers.annotations import ExcludedMarks
from reportgen.readers.naming import FileAttribution, name_files
from reportgen.readers.reader import Copy, Export, ExportFile, ParsedMark, ReaderOptions, Span
from reportgen.readers.sources import ARROW

# What stands between an annotator's name and that of a tier: "words@A", "A - words".
BETWEEN = r"[\s@_.:-]+"
# What a tier is called of whose name nothing is left.
NAMELESS = "tier"
PAIR = 2
OWNER = "{annotator}"


@dataclass(frozen=True, slots=True)
class TimedLabel:
    """A labelled stretch of time in milliseconds, a point where both ends are the same, and its line."""

    span: Span
    label: str
    line: int


@dataclass(frozen=True, slots=True)
class Tier:
    """A tier with its stretches, and who made it and who speaks in it, as far as the file says.

    `left_out` has the line and the reason of each annotation that is not used.
    """

    name: str
    stretches: Sequence[TimedLabel]
    annotator: str = ""
    participant: str = ""
    left_out: Sequence[tuple[int, str]] = ()


@dataclass(frozen=True, slots=True)
class Recording:
    """What one file says of one recording, which lasts `length` milliseconds.

    `sign` is the same in files of the same recording: its length, or the name of the sound; "" for unknown.
    """

    file: str
    length: int
    sign: str
    tiers: Sequence[Tier]


# An annotator, none where it is the file's, and what the tier is called without that name.
Owned = tuple[str, str]


def export_of_tiers(
    files: Sequence[ExportFile],
    recordings: Sequence[Recording],
    options: ReaderOptions,
    extensions: Sequence[str],
    reading: str,
) -> Export:
    """Return each annotator's copy of each recording: a tier is a layer, a stretch a mark with its label.

    The annotator is the file's, as its path says, but for two cases. Where no path asks for annotators, and
    tiers with stretches all name one and there are several, the tier's counts. Where `annotators` declares
    names of which none is a file's, tiers are theirs that name them as participant, or at the beginning or
    the end of their own name. The first layer of intervals counts where none is chosen. Raises BadInput for
    paths that the option `path` does not fit.
    """
    names = name_files(files, [each.sign for each in recordings], options, extensions)
    by_attribute = _tiers_name_annotators(recordings, options)
    asked = () if {name.annotator for name in names} & {*(options.annotators or ())} else options.annotators
    copies: list[Copy] = []
    left_out: list[ExcludedMarks] = []
    for recording, name in zip(recordings, names, strict=True):
        owned = [_owned(tier, asked or (), by_attribute=by_attribute) for tier in recording.tiers]
        copies += _copies(recording, name, owned)
        left_out += [
            ExcludedMarks(recording.file, line, who or name.annotator, reason, 1)
            for tier, (who, _) in zip(recording.tiers, owned, strict=True)
            for line, reason in tier.left_out
        ]
    sources = tuple(file.source for file in files)
    return Export(copies, reading, sources, tuple(left_out), by_feature=True, default=_default(copies))


def _default(copies: Sequence[Copy]) -> str | None:
    """Return the first layer that has stretches of some length, else the first that has marks."""
    marks = [mark for copy in copies for mark in copy.marks]
    long = (mark.type for mark in marks for begin, end in mark.spans if begin < end)
    return next(chain(long, (mark.type for mark in marks)), None)


def _tiers_name_annotators(recordings: Sequence[Recording], options: ReaderOptions) -> bool:
    if options.path is not None and OWNER in options.path:
        return False
    names = {tier.annotator for each in recordings for tier in each.tiers if tier.stretches}
    return "" not in names and len(names) >= PAIR


def _owned(tier: Tier, asked: Sequence[str], *, by_attribute: bool) -> Owned:
    """Return whose a tier is, and what it is called without that name."""
    name = " ".join(tier.name.split()).replace(ARROW, "→")
    if by_attribute and tier.annotator:
        return tier.annotator, _without(name, tier.annotator)
    # The longest name first: "words@Anna B" is not B's.
    for who in sorted(asked, key=len, reverse=True):
        if who == tier.participant or _without(name, who) != name:
            return who, _without(name, who)
    return "", name


def _without(name: str, who: str) -> str:
    """Return a tier's name without the annotator's at its beginning or end."""
    own = re.escape(who)
    return re.sub(rf"^{own}{BETWEEN}(?=.)|(?<=.){BETWEEN}{own}$", "", name) if name != who else NAMELESS


def _copies(recording: Recording, name: FileAttribution, owned: Sequence[Owned]) -> Iterator[Copy]:
    """Yield a copy for each annotator of a file: seen in the layers of which the annotator has a tier."""
    pairs = list(zip(recording.tiers, owned, strict=True))
    for annotator in dict.fromkeys(who for _, (who, _) in pairs) or ("",):
        own = [(tier, layer) for tier, (who, layer) in pairs if who == annotator]
        yield Copy(
            name.document,
            annotator or name.annotator,
            recording.file,
            marks=[
                ParsedMark(layer, (each.span,), {layer: each.label}, each.line)
                for tier, layer in own
                for each in tier.stretches
            ],
            asked=frozenset(layer for _, layer in own),
            length=recording.length,
        )
