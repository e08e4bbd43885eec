"""Where disagreements of a campaign are settled: what is open, who said what, and the sheet that is written.

The sheet is read again under a lock before each change, and exchanged at once: whoever else settles
meanwhile, in another tab or another program, loses nothing.
"""

import hashlib
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from functools import cached_property
from itertools import combinations, pairwise
from pathlib import Path
from threading import RLock

import numpy as np
from filelock import FileLock, Timeout

from reportgen import campaign as asked
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import reason, refused
from reportgen.base.files import from_cell, read_text
from reportgen.base.site_folder import write_file
from reportgen.campaign import Campaign, Version
from reportgen.campaign.load import locate
from reportgen.measures.annotators.decisions import (
    ANSWERS,
    NOTE,
    OTHER,
    LayerAdjudication,
    SheetRow,
    SheetUnits,
    Span,
    covered,
    find_decision,
    find_unit,
    on_one_line,
    read_decisions,
    read_whole_sheet,
    sheet_rows,
    shown,
    without_controls,
)
from reportgen.pipeline.reading import read_campaign, reader_options
from reportgen.pipeline.version_reports import all_pseudonyms
from reportgen.readers import cleaned_labels
from reportgen.results.model import csv_text
from reportgen.units import natural_order
from reportgen.words.names import BOTH_RIGHT

LONGEST_NOTE = 1000
# Who has it may change the sheets of a campaign, and name them in its campaign.toml.
LOCK = ".settle.lock"
PATIENCE = 30
# What of a text is shown around a unit, and around each annotator's marks.
AROUND, NEAR = 400, 90
# With more annotators than these a screen counts labels instead of showing everybody's.
MOST_LANES = 12
# So many labels have a button and a key of their own, whoever gave them.
KEYS = 9


@dataclass(frozen=True)
class Answer:
    """What is said of a disagreement: empty where nothing is."""

    decision: str = ""
    cause: str = ""
    note: str = ""

    @property
    def said(self) -> bool:
        """Tell whether it settles anything."""
        return bool(self.decision or self.cause)

    @property
    def digest(self) -> str:
        """Return what tells it from another one."""
        return digest(self.decision, self.cause) if self.said else ""


OPEN = Answer()


@dataclass(frozen=True)
class Piece:
    """A stretch of a text: the labels of the marks that it is in, and whether it is of the unit in question.

    `last` says whether one of these marks ends with it.
    """

    text: str
    labels: tuple[str, ...] = ()
    here: bool = False
    last: bool = False


@dataclass(frozen=True)
class AnnotatorView:
    """What one annotator said: a pseudonym, labels, and the text with the annotator's marks.

    `labels` are each with the stretch that has it, where that is another one than is in question; none
    where the annotator marked nothing here.
    """

    name: str
    labels: tuple[tuple[str, str], ...]
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True)
class Option:
    """What can be decided of a disagreement: a label for each of its stretches.

    `value` is what a form sends; `label` is the label that is right, and `stretch` the text that has it
    where there are several.
    """

    value: str
    decisions: tuple[str, ...]
    label: str
    stretch: str = ""

    @property
    def words(self) -> str:
        """Return it as it is written."""
        return f"{self.label}: {self.stretch}" if self.stretch else self.label


@dataclass(frozen=True, eq=False)
class DisputedUnit:
    """A unit on which annotators differ, with the row that a sheet has of it.

    `alike` is how many units of the layer have the same labels, `pairs` how many pairs of annotators differ
    on all of these. `rivals` are units that may be the same mark with other ends: all are settled together.
    """

    key: str
    sheet: SheetUnits
    unit: int
    spans: tuple[Span, ...]
    row: Sequence[str]
    names: Mapping[str, str]
    labels: Mapping[str, str]
    alike: int
    pairs: int
    rivals: "tuple[DisputedUnit, ...]" = ()

    @property
    def together(self) -> "tuple[DisputedUnit, ...]":
        """Return the units that are settled together."""
        return (self, *self.rivals)

    @property
    def absent(self) -> str:
        """Return the label that says that a stretch of a text has no mark, empty elsewhere."""
        return self.sheet.units.non_annotated_name or "" if self.spans else ""

    @property
    def layer(self) -> str:
        """Return the layer's name."""
        return self.sheet.layer

    @property
    def document(self) -> str:
        """Return the document's name."""
        return self.sheet.document_of(self.unit)

    @property
    def name(self) -> str:
        """Return what the unit is called where it is no stretch of a text."""
        return self.sheet.names[self.unit]

    @property
    def cell(self) -> str:
        """Return the text that is in question."""
        return self.row[5]

    @property
    def stretch(self) -> str:
        """Return the text of the unit, or where it is."""
        return self.cell or self.name or self.row[3]

    @property
    def title(self) -> str:
        """Return what is in question: a text, or all of those that may be the same mark, or a unit's name."""
        return " / ".join(each.stretch for each in self.together) if self.rivals else self.cell or self.name

    @cached_property
    def choices(self) -> tuple[str, ...]:
        """Return the labels between which annotators differ, in the order of the categories."""
        return tuple(name for name in self.sheet.categories if name in self.labels.values())

    @cached_property
    def given(self) -> tuple[str, ...]:
        """Return the labels of marks that annotators gave to any of the units that are settled together."""
        given = {label for each in self.together for label in each.labels.values()} - {self.absent}
        return tuple(name for name in self.sheet.categories if name in given)

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """Return what can be decided, what annotators said first where there are several stretches."""
        if not self.rivals:
            return tuple(Option(name, (name,), name) for name in self.sheet.categories)
        said = {
            is_given: [
                Option(
                    f"{each.key} {label}",
                    tuple(label if other is each else self.absent for other in self.together),
                    label,
                    each.stretch,
                )
                for each in self.together
                for label in self.sheet.categories
                if label != self.absent and (label in each.choices) == is_given
            ]
            for is_given in (True, False)
        }
        nothing = Option(self.absent, (self.absent,) * len(self.together), self.absent)
        return (*said[True], nothing, *said[False])

    @property
    def offered(self) -> tuple[Option, ...]:
        """Return what has a button: what annotators said, and all labels where they are few."""
        if self.rivals:
            given = sum(len({*each.choices} - {self.absent}) for each in self.together)
            return self.options[: given + 1]
        few = len(self.options) <= KEYS
        return tuple(each for each in self.options if few or each.label in self.choices)

    @property
    def further(self) -> tuple[Option, ...]:
        """Return what can be decided and has no button."""
        return tuple(each for each in self.options if each not in self.offered)

    @cached_property
    def lanes(self) -> tuple[AnnotatorView, ...]:
        """Return what each annotator said, in an order that favours nobody and is the same each time."""
        order = sorted(self.labels, key=lambda name: digest(self.key, name))
        return tuple(
            AnnotatorView(self.names.get(name, name), tuple(self._said_by(name)), self._passage(NEAR, name))
            for name in order
        )

    def _said_by(self, annotator: str) -> Iterator[tuple[str, str]]:
        """Yield an annotator's labels here; of who gave none, those of marks that overlap."""
        own = {each: each.labels.get(annotator, self.absent) for each in self.together}
        if any(label != self.absent for label in own.values()):
            yield from (
                (label, each.stretch if self.rivals else "")
                for each, label in own.items()
                if label != self.absent
            )
        elif self.spans:
            text = self.sheet.texts[self._document_number] if self.sheet.texts else ""
            for label, spans in self._marks(annotator):
                if _overlap(spans, self.spans):
                    yield label, covered(text, spans) if text else shown(spans)
        else:
            yield self.labels[annotator], ""

    @property
    def _document_number(self) -> int:
        return int(self.sheet.units.document[self.unit])

    @property
    def tally(self) -> dict[str, int]:
        """Return how often each label was given."""
        times = Counter(self.labels.values())
        return {name: times[name] for name in self.choices}

    @cached_property
    def passage(self) -> tuple[Piece, ...]:
        """Return the text around the unit."""
        return self._passage(AROUND)

    def _passage(self, around: int, annotator: str = "") -> tuple[Piece, ...]:
        """Return the text around the unit, with the marks of an annotator."""
        if not (self.spans and self.sheet.texts):
            return ()
        text = self.sheet.texts[self._document_number]
        low, high = _window(text, self.spans[0][0], self.spans[-1][1], around)
        marks = list(self._marks(annotator)) if annotator else []
        ends = {end for _, spans in marks for _, end in spans[-1:]}
        places = {
            low,
            high,
            *(at for spans in (self.spans, *(s for _, s in marks)) for s in spans for at in s),
        }
        cuts = sorted(at for at in places if low <= at <= high)
        return tuple(
            Piece(
                text[start:end],
                tuple(label for label, spans in marks if _inside(start, end, spans)),
                _inside(start, end, self.spans),
                end in ends,
            )
            for start, end in pairwise(cuts)
        )

    def _marks(self, annotator: str) -> Iterator[tuple[str, tuple[Span, ...]]]:
        """Yield an annotator's marks in the document of the unit."""
        units = self.sheet.units
        here = np.flatnonzero(units.document == self._document_number)
        for unit, spans in zip(here.tolist(), self.sheet.spans_of(here), strict=True):
            label = self.sheet.rated(unit).get(annotator, units.non_annotated_name)
            if label and label != units.non_annotated_name and spans:
                yield label, spans


def _inside(start: int, end: int, spans: Iterable[Span]) -> bool:
    return any(first <= start and end <= last for first, last in spans)


def _overlap(some: Iterable[Span], others: Sequence[Span]) -> bool:
    return any(start < last and first < end for start, end in some for first, last in others)


def _window(text: str, start: int, end: int, around: int) -> Span:
    """Return the stretch of a text around another one, from word to word."""
    low, high = max(0, start - around), min(len(text), end + around)
    if low and (blank := text.find(" ", low, start)) >= 0:
        low = blank + 1
    if high < len(text) and (blank := text.rfind(" ", end, high)) >= 0:
        high = blank
    return low, high


def digest(*parts: str) -> str:
    """Return what tells some texts from others."""
    return hashlib.sha256("\0".join(parts).encode(errors="replace")).hexdigest()[:16]


# A version as it is in its files.


@dataclass(frozen=True, eq=False)
class Disputed:
    """A version's disagreements: those first of which there are most of the same kind.

    `head` is the first row of a sheet, `sheets` are the layers that one can be written of.
    """

    campaign: Campaign
    version: Version
    sheets: Sequence[SheetUnits]
    head: Sequence[str]
    disagreements: Sequence[DisputedUnit]

    @cached_property
    def by_key(self) -> Mapping[str, DisputedUnit]:
        """Return the disagreements by the keys of all their units."""
        return {unit.key: each for each in self.disagreements for unit in each.together}

    @cached_property
    def units(self) -> Mapping[str, DisputedUnit]:
        """Return the units in dispute by their keys."""
        return {unit.key: unit for each in self.disagreements for unit in each.together}

    @cached_property
    def by_unit(self) -> Mapping[tuple[str, int], str]:
        """Return the key of each unit of a layer."""
        return {(unit.layer, unit.unit): key for key, unit in self.units.items()}

    def clean(self, label: str) -> str:
        """Return a label as exports have it after they were read."""
        return cleaned_labels([label], reader_options(self.version))[0]

    def both_right(self, disagreement: DisputedUnit, answer: Answer) -> tuple[Answer, ...]:
        """Return the answer of each unit that both are right: all labels together where it may have several.

        Of stretches with different ends, each has its label. Elsewhere nothing is decided, and the note says
        why: which cause it has nobody knows who was not told.
        """
        return tuple(self._both_right(unit, disagreement, answer) for unit in disagreement.together)

    def _both_right(self, unit: DisputedUnit, disagreement: DisputedUnit, answer: Answer) -> Answer:
        sheet = unit.sheet
        given = [label for label in unit.choices if label != sheet.units.non_annotated_name]
        if disagreement.rivals and len(given) == 1:
            return Answer(given[0], answer.cause, answer.note)
        parts = {part for label in given for part in label.split(sheet.separator)}
        together = sheet.separator.join(natural_order(parts))
        several = sheet.units.joined or sheet.units.scale == "set"
        if several and len(given) > 1 and (decision := find_decision(together, sheet, self.clean)):
            return Answer(decision, answer.cause, answer.note)
        return Answer("", answer.cause or OTHER, answer.note or BOTH_RIGHT)


def disputed(campaign: Campaign, version: str) -> Disputed:
    """Return the disagreements of a version as its files are now; raise BadInput with all that is wrong."""
    reads = read_campaign(campaign)
    read = reads[campaign.versions.index(version)]
    names = all_pseudonyms(campaign, reads).annotators
    sheets = [adjudication.sheet for adjudication in read.adjudications if adjudication.sheet.named]
    if not sheets:
        message = (
            f"version {version} has units without names or places, as counts and tables of agreement do."
        )
        remedy = "Put exports there that say which unit got which label."
        raise refused(campaign.file, message=message, remedy=remedy)
    head, rows = sheet_rows([LayerAdjudication(sheet) for sheet in sheets], names)
    found = [
        each
        for sheet, of_layer in zip(sheets, rows, strict=True)
        for each in _joined(_disagreements(sheet, of_layer, names))
    ]
    # What annotators differ on most often is settled first: one rule may settle all of it.
    order = sorted(found, key=lambda each: (-each.pairs, each.layer, each.choices))
    return Disputed(campaign, read.version, sheets, head, order)


def _disagreements(
    sheet: SheetUnits, rows: Sequence[Sequence[str]], names: Mapping[str, str]
) -> Iterator[DisputedUnit]:
    units = sheet.in_dispute
    labels = [sheet.rated(unit) for unit in units.tolist()]
    kinds = [frozenset(each.values()) for each in labels]
    alike, pairs = Counter(kinds), Counter[frozenset[str]]()
    for kind, given in zip(kinds, labels, strict=True):
        pairs[kind] += sum(first != second for first, second in combinations(given.values(), 2))
    everything = zip(units.tolist(), sheet.spans_of(units), rows, labels, kinds, strict=True)
    for unit, spans, row, given, kind in everything:
        key = digest(sheet.layer, *row[1:4])
        yield DisputedUnit(key, sheet, unit, spans, row, names, given, alike[kind], pairs[kind])


def _joined(units: Iterable[DisputedUnit]) -> Iterator[DisputedUnit]:
    """Yield disagreements, as one those that may be on the same mark with different ends."""
    known = list(units)
    above: dict[str, str] = {}

    def top(key: str) -> str:
        while key in above:
            key = above[key]
        return key

    near: list[DisputedUnit] = []
    for unit in sorted((unit for unit in known if unit.spans), key=lambda each: (each.document, each.spans)):
        start = unit.spans[0][0]
        near = [each for each in near if each.document == unit.document and each.spans[-1][1] > start]
        for other in near:
            if _may_be_one(unit, other) and (first := top(other.key)) != (second := top(unit.key)):
                above[second] = first
        near.append(unit)
    together: dict[str, list[DisputedUnit]] = {}
    for unit in known:
        together.setdefault(top(unit.key), []).append(unit)
    for first_unit, *others in together.values():
        yield replace(first_unit, rivals=tuple(others)) if others else first_unit


def _may_be_one(first: DisputedUnit, second: DisputedUnit) -> bool:
    """Tell whether two annotators gave the same label to stretches that overlap, each to one of them."""
    if not first.absent or not _overlap(first.spans, second.spans):
        return False
    alone, other = (
        {
            label
            for who, label in one.labels.items()
            if label != one.absent and another.labels.get(who) == one.absent
        }
        for one, another in ((first, second), (second, first))
    )
    return not alone.isdisjoint(other)


# What is settled, and the sheet where it is written.


@dataclass(frozen=True)
class Found:
    """What is settled at the moment, and the sheet that the screen writes: its name, its first row, its rows.

    `keys` say of which disagreement each row is, empty where it is of none any more.
    """

    disputed: Disputed
    answers: Mapping[str, Answer]
    sheet: str
    head: Sequence[str]
    rows: Sequence[SheetRow]
    keys: Sequence[str]

    @property
    def own(self) -> list[DisputedUnit]:
        """Return what is settled in the sheet that the screen writes, the last one last."""
        by_key = self.disputed.by_key
        keys = reversed([key for key in self.keys if key in self.answers])
        return list(dict.fromkeys(by_key[key] for key in keys))[::-1]

    @property
    def open(self) -> list[DisputedUnit]:
        """Return what is not settled."""
        everything = self.disputed.disagreements
        return [each for each in everything if any(unit.key not in self.answers for unit in each.together)]

    def of(self, each: DisputedUnit) -> tuple[Answer, ...]:
        """Return what is said of each unit of a disagreement."""
        return tuple(self.answers.get(unit.key, OPEN) for unit in each.together)

    def said(self, each: DisputedUnit) -> Answer:
        """Return what is said of a disagreement: of several stretches, which one is right."""
        return as_one(each, self.of(each))


def digest_of(answers: Sequence[Answer]) -> str:
    """Return what tells the answers of a disagreement from others, empty where nothing is said."""
    if len(answers) == 1:
        return answers[0].digest
    return digest(*(answer.digest for answer in answers)) if any(each.said for each in answers) else ""


def as_one(each: DisputedUnit, answers: Sequence[Answer]) -> Answer:
    """Return what is said of the units of a disagreement, as one answer."""
    if not each.rivals:
        return answers[0]
    decisions = tuple(answer.decision for answer in answers)
    words = next((option.words for option in each.options if option.decisions == decisions), "")
    several = (
        f"{answer.decision}: {unit.stretch}"
        for unit, answer in zip(each.together, answers, strict=True)
        if answer.decision
    )
    cause, note = (
        next(filter(None, (getattr(answer, name) for answer in answers)), "") for name in ("cause", "note")
    )
    return Answer(words or "; ".join(several), cause, note)


@dataclass
class Desk:
    """The disagreements of one version of a campaign, which is read again where its files change."""

    folder: Path
    version: str
    told: Callable[[str], None] = lambda _: None
    _read: tuple[object, Disputed] | None = None
    _lock: RLock = field(default_factory=RLock)

    def look(self) -> Found:
        """Return what is settled, and what is not; raise BadInput with all that is wrong."""
        with self._lock:
            found = self._disputed()
        return _found(found)

    def settle(self, key: str, answer: Answer | Sequence[Answer], seen: str) -> Answer | None:
        """Write what is said of a disagreement, or of each of its units; nothing where it is open again.

        `seen` is the digest of what was settled when it was shown: where somebody else settled it
        otherwise meanwhile, nothing is written, and what they said is returned.
        """
        with self._lock, _locked(self.folder):
            found = _found(self._disputed())
            each = found.disputed.by_key[key]
            answers = (answer,) * len(each.together) if isinstance(answer, Answer) else tuple(answer)
            now = found.of(each)
            elsewhere = any(
                said.said and unit.key not in found.keys
                for unit, said in zip(each.together, now, strict=True)
            )
            if (digest_of(now) != seen and now != answers) or elsewhere:
                return as_one(each, now)
            if now != answers:
                said = {unit.key: said for unit, said in zip(each.together, answers, strict=True)}
                write_file(found.disputed.campaign.folder / found.sheet, _written(found, said).encode())
                _name(found.disputed, found.sheet, self.told)
        return None

    def _disputed(self) -> Disputed:
        """Return the version's disagreements, from memory where no file changed."""
        campaign = asked.load(self.folder)
        state = _state(campaign, self.version)
        if self._read is None or self._read[0] != state:
            self._read = (state, disputed(campaign, self.version))
        return self._read[1]


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Be the only one who changes sheets of a campaign; raise BadInput where the system does not let us."""
    lock = FileLock(folder / LOCK)
    try:
        lock.acquire(timeout=PATIENCE)
    except Timeout:
        message = f"somebody else has been writing for {PATIENCE} seconds."
        raise refused(str(folder), message=message, remedy="End the other program.") from None
    except OSError as error:
        message = f"can't be written: {reason(error)}."
        raise refused(str(folder), message=message, remedy="Let reportgen write there.") from None
    try:
        yield
    finally:
        lock.release()


def _state(campaign: Campaign, version: str) -> object:
    """Return what tells a campaign's files from what they were: all but the sheets."""
    sheets = {name for each in campaign.versions for name in campaign.version(each).adjudication}
    sheets.add(_sheet_of(campaign.version(version)))
    files = sorted(path for path in campaign.folder.rglob("*") if path.is_file())
    return [
        (name, stat.st_mtime_ns, stat.st_size, stat.st_ino)
        for path in files
        if (name := path.relative_to(campaign.folder).as_posix()) not in sheets
        and not any(part.startswith(".") for part in name.split("/"))
        for stat in [path.stat()]
    ]


def _sheet_of(version: Version) -> str:
    """Return the sheet that the screen writes: the last CSV that campaign.toml names, else one of its own."""
    named = [name for name in version.adjudication if name.casefold().endswith(".csv")]
    return named[-1] if named else f"adjudication/{version.id}.csv"


def _found(read: Disputed) -> Found:
    """Return what the sheets say; raise BadInput with all that is wrong in them."""
    version, folder = read.version, read.campaign.folder
    own = _sheet_of(version)
    there = [*version.adjudication, *([own] if own not in version.adjudication else [])]
    files = [(folder / name, version.shown(name)) for name in there if name != own or (folder / own).exists()]
    layers = read_decisions(files, read.sheets, read.clean)
    head, rows, notes, keys = [*read.head, NOTE], list[SheetRow](), dict[str, str](), list[str]()
    if (folder / own).exists():
        head, rows = read_whole_sheet(folder / own, version.shown(own))
        keys = [_key_of(row, read) for row in rows]
        if (place := _place(head, NOTE)) is not None:
            notes = {key: from_cell(row.whole[place]) for key, row in zip(keys, rows, strict=True)}
    answers = {
        key: Answer(layer.decisions.get(unit, ""), layer.causes.get(unit, ""), notes.get(key, ""))
        for layer in layers
        for unit in {**layer.decisions, **layer.causes}
        if (key := read.by_unit.get((layer.sheet.layer, unit)))
    }
    return Found(read, answers, own, head, rows, keys)


def _key_of(row: SheetRow, read: Disputed) -> str:
    """Return the key of the disagreement that a row is about, empty where there is none any more."""
    layer = from_cell(row.cells["layer"]).strip()
    sheet = next((sheet for sheet in read.sheets if sheet.layer == layer), None)
    unit = find_unit(row, sheet) if sheet else None
    return read.by_unit.get((layer, unit), "") if isinstance(unit, int) else ""


def _place(head: Sequence[str], name: str) -> int | None:
    folded = [cell.strip().casefold() for cell in head]
    return folded.index(name) if name in folded else None


def _written(found: Found, answers: Mapping[str, Answer]) -> str:
    """Return the sheet with what is now said of some units; other columns than ours stay as they are."""
    missing = [name for name in found.disputed.head if _place(found.head, name.strip().casefold()) is None]
    head = list(map(from_cell, found.head))
    before = _place(head, ANSWERS[0]) or 0
    head[before:before] = missing
    if _place(head, NOTE) is None:
        head.append(NOTE)
    ours = {_place(head, name.strip().casefold()) for name in (*found.disputed.head, NOTE)}
    rows = []
    for old, of_key in zip(found.rows, found.keys, strict=True):
        whole = list(map(from_cell, old.whole))
        whole[before:before] = [""] * len(missing)
        whole += [""] * (len(head) - len(whole))
        if (answer := answers.get(of_key)) is not None:
            for name, text in _cells(answer).items():
                if (place := _place(head, name)) is not None:
                    whole[place] = text
            if not answer.said and not any(cell for at, cell in enumerate(whole) if at not in ours):
                continue
        rows.append(whole)
    for key, answer in answers.items():
        if key not in found.keys and answer.said:
            row = found.disputed.units[key].row
            cells = dict(zip((name.casefold() for name in found.disputed.head), row, strict=True))
            cells |= _cells(answer)
            rows.append([cells.get(cell.strip().casefold(), "") for cell in head])
    return csv_text(head, rows)


def _cells(answer: Answer) -> dict[str, str]:
    """Return the cells of an answer, by column."""
    return {**dict(zip(ANSWERS, (answer.decision, answer.cause), strict=True)), NOTE: noted(answer.note)}


def noted(text: str) -> str:
    """Return a note as a sheet can have it."""
    return on_one_line(without_controls(text)).strip()[:LONGEST_NOTE]


def _name(read: Disputed, sheet: str, told: Callable[[str], None]) -> None:
    """Name the sheet in campaign.toml, unless that names it; raise BadInput where that can't be done."""
    if sheet in read.version.adjudication:
        return
    path = read.campaign.folder / "campaign.toml"
    text = read_text(path, read.campaign.file)
    key = f'adjudication = "{sheet}"'
    index = read.campaign.index_of(read.version.id)
    where = ("guidelines", index, "version")
    # TOML ends lines with LF or CR LF only; str.splitlines knows many more.
    lines = text.split("\n")
    at = locate(text, [where])[where]
    lines.insert(at, key + ("\r" if lines[at - 1].endswith("\r") else ""))
    content = "\n".join(lines)
    remedy = f"Write {key} under [[guidelines]] of version {read.version.id}; decisions are in that sheet."
    if not _names(content, index, sheet):
        raise refused(read.campaign.file, message=f"does not name {sheet}.", remedy=remedy)
    write_file(path, content.encode(), path.stat().st_mode & 0o777, remedy)
    told(f"{read.campaign.file}: names {sheet} now, so that reports and `reportgen gold` take its decisions.")


def _names(text: str, index: int, sheet: str) -> bool:
    """Tell whether the text of a campaign.toml names a sheet for a version, and nothing else by mistake."""
    try:
        guidelines = tomllib.loads(text)["guidelines"][index]
    except (tomllib.TOMLDecodeError, KeyError, IndexError, TypeError):
        return False
    return bool(guidelines.get("adjudication") == sheet)
