"""brat standoff: an .ann file of marks beside a .txt file of text, in a folder for each annotator."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from reportgen.base.errors import BadInput, Problem, for_each, tried
from reportgen.readers.naming import SEPARATORS, Body, export_of, name_files
from reportgen.readers.offsets import Counting, best, different_cover
from reportgen.readers.reader import (
    Export,
    ExportFile,
    ParsedMark,
    Reader,
    ReaderOptions,
    Relation,
    Span,
    refuse,
)

# Lines of brat standoff: each a mark, a relation, an attribute, a reference or a note, or a problem.

NUMBER = r"[0-9]{1,12}"
# One digit and then anything: were there two ways to read "T100", a long line would have thousands.
ID = r"[A-Za-z][0-9]\S*"
TEXT_BOUND = re.compile(
    rf"(?P<id>\S+)\t(?P<type>\S+) (?P<spans>{NUMBER} {NUMBER}(?:;{NUMBER} {NUMBER})*)\t(?P<text>.*)"
)
EVENT = re.compile(rf"(?P<id>\S+)\t(?P<type>[^\s:]+):(?P<trigger>{ID})(?P<arguments>(?: [^\s:]+:{ID})*)\s*")
RELATION = re.compile(rf"(?P<id>\S+)\t(?P<type>\S+)(?P<arguments>(?: [^\s:]+:{ID})+)\s*")
EQUIVALENCE = re.compile(rf"\*\t(?P<type>\S+)(?P<arguments>(?: {ID})+)\s*")
ATTRIBUTE = re.compile(rf"(?P<id>\S+)\t(?P<name>\S+) (?P<target>{ID})(?: (?P<value>.*\S))?\s*")
REFERENCE = re.compile(rf"(?P<id>\S+)\t(?P<name>\S+) (?P<target>{ID}) (?P<value>\S+)(?:\t.*)?")
NOTE = re.compile(rf"#\S*\t\S+ (?P<target>{ID})(?:\t.*)?")

TRIGGER = "trigger"
BINARY = "true"
SEVERAL = "|"
MEND = "Correct the line, or export the document again."


@dataclass(frozen=True)
class StandoffMark:
    """A mark as its line has it: offsets not yet understood, and the text that it says to cover."""

    id: str
    type: str
    spans: tuple[Span, ...]
    text: str
    line: int


@dataclass
class Standoff:
    """What an .ann file says; `features` are by the id of their mark or relation."""

    marks: list[StandoffMark] = field(default_factory=list)
    relations: list[tuple[str, Relation]] = field(default_factory=list)
    features: dict[str, dict[str, str]] = field(default_factory=dict)
    notes: list[int] = field(default_factory=list)

    def finished(self, spans: Callable[[StandoffMark], tuple[Span, ...]]) -> list[ParsedMark]:
        """Return the marks with their features, and with the stretches that `spans` finds."""
        return [
            ParsedMark(each.type, spans(each), self.features.get(each.id, {}), each.line, each.id)
            for each in self.marks
        ]

    def finished_relations(self) -> list[Relation]:
        """Return the relations and events with their features."""
        return [
            replace(each, features=self.features.get(name, {}), id=name) if name else each
            for name, each in self.relations
        ]


def read_standoff(file: ExportFile) -> Standoff:
    """Return what the file's lines say; raise BadInput with each that is malformed or points nowhere."""
    return _StandoffParser(file).read()


class _StandoffParser:
    """The lines of one file on their way to a Standoff."""

    def __init__(self, file: ExportFile) -> None:
        self.file = file
        self.found = Standoff()
        self.problems: list[Problem] = []
        self.defined: dict[str, int] = {}
        self.pointed: list[tuple[int, str, str]] = []

    def read(self) -> Standoff:
        """Take every line, then follow what points from one to another."""
        for number, line in enumerate(universal(self.file.text).split("\n"), 1):
            if line.strip():
                self._take(number, line)
        self.problems += self._astray()
        refuse(self.problems)
        return self.found

    def _take(self, number: int, line: str) -> None:
        kind = KINDS.get(line[0])
        if kind is None:
            self._problem(number, f'starts with "{_short(line)}", which is no kind of brat annotation.')
            return
        pattern, expected, take = kind
        match = pattern.fullmatch(line)
        if match is not None:
            self._define(number, line)
            take(self, number, match)
        elif expected:
            self._problem(number, f'reads "{_short(line)}" where "{expected}" was expected.')
        else:
            self.found.notes.append(number)

    def _define(self, number: int, line: str) -> None:
        """Keep the id of the line; notes and equivalences need none."""
        name = line.partition("\t")[0]
        if name[0] in "#*":
            return
        if name in self.defined:
            self._problem(number, f'has the id "{name}", which line {self.defined[name]} has already.')
        elif not re.fullmatch(ID, name):
            self._problem(number, f'has the id "{_short(name)}" where a letter and a number were expected.')
        self.defined.setdefault(name, number)

    def mark(self, number: int, match: "re.Match[str]") -> None:
        """Take a mark."""
        pairs = [pair.split(" ") for pair in match["spans"].split(";")]
        spans = tuple((int(start), int(end)) for start, end in pairs)
        if any(start > end for start, end in spans):
            self._problem(number, f"goes from {spans[0][0]} to {spans[-1][1]}, which is no stretch of text.")
        self.found.marks.append(StandoffMark(match["id"], match["type"], spans, match["text"], number))

    def event(self, number: int, match: "re.Match[str]") -> None:
        """Take an event: its first argument is what triggers it."""
        self._relate(number, match, ((TRIGGER, match["trigger"]), *_arguments(match)))

    def relation(self, number: int, match: "re.Match[str]") -> None:
        """Take a relation."""
        self._relate(number, match, tuple(_arguments(match)))

    def equivalence(self, number: int, match: "re.Match[str]") -> None:
        """Take an equivalence, whose arguments have no roles."""
        self._relate(number, match, tuple(("", name) for name in match["arguments"].split()), "")

    def _relate(
        self,
        number: int,
        match: "re.Match[str]",
        arguments: tuple[tuple[str, str], ...],
        name: str | None = None,
    ) -> None:
        self.pointed += [(number, target, "TER") for _, target in arguments]
        relation = Relation(match["type"], arguments, line=number)
        self.found.relations.append((match["id"] if name is None else name, relation))

    def feature(self, number: int, match: "re.Match[str]") -> None:
        """Take an attribute or a reference; several of one name are all kept."""
        self.pointed.append((number, match["target"], "TER"))
        features = self.found.features.setdefault(match["target"], {})
        value = match["value"] or BINARY
        known = features.get(match["name"])
        features[match["name"]] = value if known is None else f"{known}{SEVERAL}{value}"

    def note(self, number: int, match: "re.Match[str]") -> None:
        """Take a note that is attached to something."""
        self.pointed.append((number, match["target"], ""))
        self.found.notes.append(number)

    def _astray(self) -> Iterator[Problem]:
        """Yield a problem for each line that points at something that is not there."""
        for number, target, kinds in self.pointed:
            if target not in self.defined:
                message = f'points at "{_short(target)}", which is not in the file.'
                yield self.file.problem(message, MEND, number)
            elif kinds and target[0] not in kinds:
                message = f'points at "{_short(target)}", which is neither mark, event nor relation.'
                yield self.file.problem(message, MEND, number)

    def _problem(self, number: int, message: str) -> None:
        self.problems.append(self.file.problem(message, MEND, number))


Take = Callable[[_StandoffParser, int, "re.Match[str]"], None]

# For each first letter how such a line looks, what is said where it does not, and what is made of it.
KINDS: Mapping[str, tuple["re.Pattern[str]", str, Take]] = {
    "T": (TEXT_BOUND, "T1⇥Type 0 4⇥text", _StandoffParser.mark),
    "E": (EVENT, "E1⇥Type:T1 Role:T2", _StandoffParser.event),
    "R": (RELATION, "R1⇥Type Arg1:T1 Arg2:T2", _StandoffParser.relation),
    "*": (EQUIVALENCE, "*⇥Equiv T1 T2", _StandoffParser.equivalence),
    "A": (ATTRIBUTE, "A1⇥Attribute T1 value", _StandoffParser.feature),
    "M": (ATTRIBUTE, "M1⇥Attribute T1 value", _StandoffParser.feature),
    "N": (REFERENCE, "N1⇥Reference T1 RID:id⇥text", _StandoffParser.feature),
    "#": (NOTE, "", _StandoffParser.note),
}


def _arguments(match: "re.Match[str]") -> Iterator[tuple[str, str]]:
    """Yield the roles and ids of the arguments."""
    for argument in match["arguments"].split():
        role, _, name = argument.partition(":")
        yield role, name


def universal(text: str) -> str:
    """Return the text with one kind of line end."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _short(text: str) -> str:
    return text.replace("\t", "⇥")[:40]


def squeezed(texts: Sequence[str]) -> str:
    """Return stretches of text joined as brat writes them: line ends and runs of spaces are one space."""
    return " ".join(" ".join(texts).split())


# brat standoff: an .ann file of marks beside a .txt file of text, in a folder for each annotator.

MARKS = ".ann"
TEXT = ".txt"
OTHER_CONTENT = (b"{", b"[", b"<", b"PK")
A_NOTE = "a note"


@dataclass(frozen=True)
class _BratDocument:
    """A file of marks with its text, or a text that its annotator did not open.

    `is_usual` says that offsets count as brat's own do.
    """

    file: ExportFile
    body: Body
    is_usual: bool = True


def recognises(file: ExportFile) -> bool:
    """Say whether the file is called .ann and is not of another kind: an empty one is brat too."""
    return file.suffix == MARKS and not file.content.lstrip().startswith(OTHER_CONTENT)


def accompanies(file: ExportFile) -> bool:
    """Say whether the file is a text, or one that configures brat."""
    return file.suffix in {TEXT, ".conf"}


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return each annotator's copy of each document.

    An .ann file means that its document was seen; a text without one, in the folder of an annotator,
    that it was not. Raises BadInput with every line that is malformed, points nowhere or does not cover
    what it says, and every text that is missing.
    """
    documents = _documents(files)
    texts = [each.body.text or "" for each in documents]
    names = name_files([each.file for each in documents], texts, options, (MARKS, TEXT))
    pairs = list(zip([each.body for each in documents], names, strict=True))
    active = {name.annotator for body, name in pairs if body.state == "seen"}
    own = [pair for pair in pairs if pair[1].annotator in active]
    return export_of(files, [body for body, _ in own], [name for _, name in own], _reading(documents))


def _documents(files: Sequence[ExportFile]) -> list[_BratDocument]:
    """Return the documents in the order of the files."""
    texts = [file for file in files if file.suffix == TEXT]
    marks = [file for file in files if not accompanies(file)]
    beside = {_stem(file) for file in marks}
    folders = {_folder(file) for file in marks}
    alone = beside - set(map(_stem, texts))
    used = beside | {_sibling(stem, part) for stem in alone for part in _parts(PurePosixPath(stem).name)}
    waiting = [file for file in texts if _stem(file) not in used and _folder(file) in folders]
    places = _TextLocations(texts)
    chosen = {*map(id, marks), *map(id, waiting)}
    return for_each([file for file in files if id(file) in chosen], lambda file: _document(file, places))


def _stem(file: ExportFile) -> str:
    return str(PurePosixPath(file.name).with_suffix(""))


def _folder(file: ExportFile) -> PurePosixPath:
    return PurePosixPath(file.name).parent


class _TextLocations:
    """Where texts stand: beside the marks, or in the one place that has a text of that name.

    Beside marks in files called "doc1_anna.ann" or "anna_doc1.ann" it may be the text "doc1.txt" of all.
    """

    def __init__(self, texts: Sequence[ExportFile]) -> None:
        self._beside = {_stem(file): file for file in texts}
        self._elsewhere: dict[str, list[ExportFile]] = {}
        for file in texts:
            self._elsewhere.setdefault(PurePosixPath(file.name).stem, []).append(file)

    def text(self, file: ExportFile) -> ExportFile:
        """Return the file with the text; raise BadInput where there is none, or several that differ."""
        stem = _stem(file)
        stems = [stem, *(_sibling(stem, part) for part in _parts(PurePosixPath(stem).name))]
        beside = next((self._beside[each] for each in stems if each in self._beside), None)
        if beside is not None:
            return beside
        name = PurePosixPath(file.name).stem
        found = self._elsewhere.get(name, [])
        if len({each.content for each in found}) == 1:
            return found[0]
        trouble = f'no text: "{name}.txt" is neither beside it nor elsewhere in the export.'
        if found:
            trouble = f'no text beside it, and {len(found)} different ones are called "{name}.txt".'
        raise file.refused(f"has {trouble}", "Put the text into the same folder, as brat has it.")


def _sibling(stem: str, name: str) -> str:
    return str(PurePosixPath(stem).with_name(name))


def _parts(stem: str) -> Iterator[str]:
    """Yield what may be the document in the name of a file, the longest first."""
    cuts = [place for place, char in enumerate(stem) if char in SEPARATORS and 0 < place < len(stem) - 1]
    yield from (stem[:place] for place in reversed(cuts))
    yield from (stem[place + 1 :] for place in cuts)


def _document(file: ExportFile, places: _TextLocations) -> _BratDocument:
    if accompanies(file):
        return _BratDocument(file, Body(file.name, universal(file.text), state="unseen"))
    standoffs, malformed = tried([file], read_standoff)
    texts, missing = tried([file], places.text)
    if malformed or missing:
        raise BadInput([*malformed, *missing])
    (standoff,), (text_file,) = standoffs, texts
    text = universal(text_file.text)
    counting = best(text_file, lambda each: len(list(_misfits(standoff, text, each))))
    refuse(
        different_cover(file.name, mark.line, here, mark.text)
        for mark, here in _misfits(standoff, text, counting)
    )
    notes = [(line, A_NOTE) for line in standoff.notes]
    marks = standoff.finished(lambda mark: tuple(sorted(map(counting.span, mark.spans))))
    body = Body(file.name, text, marks, standoff.finished_relations(), notes)
    return _BratDocument(file, body, counting.plain)


def _misfits(standoff: Standoff, text: str, counting: Counting) -> Iterator[tuple[StandoffMark, str]]:
    """Yield the marks that cover something else than they say, with what they cover."""
    for mark in standoff.marks:
        stretches = [text[start:end] for start, end in map(counting.span, mark.spans)]
        if squeezed(stretches) != squeezed([mark.text]):
            yield mark, squeezed(stretches)


def _reading(documents: Sequence[_BratDocument]) -> str:
    """Return how the files were understood: whether their offsets count as brat's own do."""
    understood = "brat standoff: the category of a mark is its type, offsets count characters."
    others = sum(not each.is_usual for each in documents)
    if not others:
        return understood
    files = "1 file" if others == 1 else f"{others} files"
    count = "counts" if others == 1 else "count"
    how = "line ends as two characters, a byte order mark, or UTF-16 units"
    return f"{understood[:-1]}; {files} {count} {how}, as the covered texts show."


READER = Reader(
    name="brat",
    title="brat standoff",
    tool="brat",
    extensions=(MARKS,),
    reads=(
        "Marks, discontinuous ones too, with their attributes and references to resources; events, relations "
        "and equivalences. An empty file of marks is a document in which nothing was found, a text without "
        "one a document that was not opened."
    ),
    leaves_out="Notes, which are free text; relations and events, unless they are a layer.",
    recognises=recognises,
    read=read,
    accompanies=accompanies,
)
