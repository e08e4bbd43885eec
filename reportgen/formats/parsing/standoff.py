"""Lines of brat standoff: each a mark, a relation, an attribute, a reference or a note, or a problem."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from reportgen.errors import BadInput, Problem
from reportgen.formats.copies import Mark, Relation, Span
from reportgen.formats.reader import ExportFile, shortened

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
class Written:
    """A mark as its line has it: offsets not yet understood, and the text that it says to cover."""

    id: str
    type: str
    spans: tuple[Span, ...]
    text: str
    line: int


@dataclass
class Standoff:
    """What an .ann file says; `features` are by the id of their mark or relation."""

    marks: list[Written] = field(default_factory=list)
    relations: list[tuple[str, Relation]] = field(default_factory=list)
    features: dict[str, dict[str, str]] = field(default_factory=dict)
    notes: list[int] = field(default_factory=list)

    def finished(self, spans: Callable[[Written], tuple[Span, ...]]) -> list[Mark]:
        """Return the marks with their features, and with the stretches that `spans` finds."""
        return [
            Mark(each.type, spans(each), self.features.get(each.id, {}), each.line, each.id)
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
    return _Lines(file).read()


class _Lines:
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
        if self.problems:
            raise BadInput(shortened(sorted(self.problems)))
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
        self.found.marks.append(Written(match["id"], match["type"], spans, match["text"], number))

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
                yield Problem(self.file.name, number, message=message, mend=MEND)
            elif kinds and target[0] not in kinds:
                message = f'points at "{_short(target)}", which is neither mark, event nor relation.'
                yield Problem(self.file.name, number, message=message, mend=MEND)

    def _problem(self, number: int, message: str) -> None:
        self.problems.append(Problem(self.file.name, number, message=message, mend=MEND))


Take = Callable[[_Lines, int, "re.Match[str]"], None]

# For each first letter how such a line looks, what is said where it does not, and what is made of it.
KINDS: Mapping[str, tuple["re.Pattern[str]", str, Take]] = {
    "T": (TEXT_BOUND, "T1⇥Type 0 4⇥text", _Lines.mark),
    "E": (EVENT, "E1⇥Type:T1 Role:T2", _Lines.event),
    "R": (RELATION, "R1⇥Type Arg1:T1 Arg2:T2", _Lines.relation),
    "*": (EQUIVALENCE, "*⇥Equiv T1 T2", _Lines.equivalence),
    "A": (ATTRIBUTE, "A1⇥Attribute T1 value", _Lines.feature),
    "M": (ATTRIBUTE, "M1⇥Attribute T1 value", _Lines.feature),
    "N": (REFERENCE, "N1⇥Reference T1 RID:id⇥text", _Lines.feature),
    "#": (NOTE, "", _Lines.note),
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
