"""brat standoff: an .ann file of marks beside a .txt file of text, in a folder for each annotator."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import compress, product
from pathlib import PurePosixPath

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, tried
from reportgen.readers.annotations import different_cover
from reportgen.readers.naming import (
    SEPARATORS,
    UnattributedMarks,
    export_of,
    list_unreadable,
    name_files,
    split_unreadable,
)
from reportgen.readers.places import LAST_BASIC, Offsets, has_others
from reportgen.readers.reader import (
    Export,
    ExportFile,
    ParsedMark,
    Reader,
    ReaderOptions,
    Relation,
    raise_first_problems,
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


# For each first letter how such a line looks, and what is said where it does not.
KINDS: Mapping[str, tuple["re.Pattern[str]", str]] = {
    "T": (TEXT_BOUND, "T1⇥Type 0 4⇥text"),
    "E": (EVENT, "E1⇥Type:T1 Role:T2"),
    "R": (RELATION, "R1⇥Type Arg1:T1 Arg2:T2"),
    "*": (EQUIVALENCE, "*⇥Equiv T1 T2"),
    "A": (ATTRIBUTE, "A1⇥Attribute T1 value"),
    "M": (ATTRIBUTE, "M1⇥Attribute T1 value"),
    "N": (REFERENCE, "N1⇥Reference T1 RID:id⇥text"),
    "#": (NOTE, ""),
}
# What attributes, references and arguments may point at: marks, events and relations.
ANNOTATIONS = "TER"


@dataclass
class Standoff:
    """What an .ann file says: marks with the text that each says to cover, and relations.

    Offsets of marks are not yet understood. `features` are by the id of their mark or relation, `notes` are
    lines. `pointed` are lines that point at an id, with the first letters that it may have, "" for any.
    """

    marks: list[tuple[ParsedMark, str]] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)
    features: dict[str, dict[str, str]] = field(default_factory=dict)
    notes: list[int] = field(default_factory=list)
    pointed: list[tuple[int, str, str]] = field(default_factory=list)

    def add(self, number: int, match: "re.Match[str]") -> None:
        """Add a line that looks as it should."""
        if match.re is TEXT_BOUND:
            pairs = [pair.split(" ") for pair in match["spans"].split(";")]
            spans = tuple((int(start), int(end)) for start, end in pairs)
            self.marks.append((ParsedMark(match["type"], spans, line=number, id=match["id"]), match["text"]))
        elif match.re is NOTE:
            self.pointed.append((number, match["target"], ""))
            self.notes.append(number)
        elif match.re in (ATTRIBUTE, REFERENCE):
            self.pointed.append((number, match["target"], ANNOTATIONS))
            features = self.features.setdefault(match["target"], {})
            # Several of one name are all kept.
            earlier = [features[match["name"]]] if match["name"] in features else []
            features[match["name"]] = SEVERAL.join([*earlier, match["value"] or BINARY])
        else:
            self._relate(number, match)

    def _relate(self, number: int, match: "re.Match[str]") -> None:
        """Add a relation, an event, whose first argument is what triggers it, or an equivalence."""
        written = match["arguments"].split()
        if match.re is EQUIVALENCE:
            arguments = [("", name) for name in written]
        else:
            arguments = [(role, name) for role, _, name in (argument.partition(":") for argument in written)]
        if match.re is EVENT:
            arguments.insert(0, (TRIGGER, match["trigger"]))
        self.pointed += [(number, target, ANNOTATIONS) for _, target in arguments]
        name = "" if match.re is EQUIVALENCE else match["id"]
        chain = match.re is EQUIVALENCE
        self.relations.append(Relation(match["type"], tuple(arguments), line=number, id=name, chain=chain))


def read_standoff(file: ExportFile) -> Standoff:
    """Return what the file's lines say; raise BadInput with each that is malformed or points nowhere."""
    standoff = Standoff()
    defined: dict[str, int] = {}
    problems: list[Problem] = []
    for number, line in enumerate(with_line_feeds(file.text).split("\n"), 1):
        if not line.strip():
            continue
        pattern, expected = KINDS.get(line[0], (None, ""))
        match = pattern.fullmatch(line) if pattern else None
        messages = []
        if pattern is None:
            messages = [f'starts with "{_short(line)}", which is not a kind of brat annotation.']
        elif match is not None:
            messages = list(_id_faults(defined, number, line))
            standoff.add(number, match)
        elif expected:
            messages = [f'reads "{_short(line)}" where "{expected}" was expected.']
        else:
            standoff.notes.append(number)
        problems += [file.problem(message, MEND, number) for message in messages]
    for mark, _ in standoff.marks:
        if any(start > end for start, end in mark.spans):
            message = f"goes from {mark.spans[0][0]} to {mark.spans[-1][1]}, which is not a stretch of text."
            problems.append(file.problem(message, MEND, mark.line))
    for number, target, letters in standoff.pointed:
        if target not in defined or (letters and target[0] not in letters):
            why = "is neither mark, event nor relation" if target in defined else "is not in the file"
            problems.append(file.problem(f'points at "{_short(target)}", which {why}.', MEND, number))
    raise_first_problems(sorted(problems))
    return standoff


def _id_faults(defined: dict[str, int], number: int, line: str) -> Iterator[str]:
    """Keep the id of a line, and yield what is wrong with it; notes and equivalences need none."""
    name = line.partition("\t")[0]
    if name[0] in "#*":
        return
    if name in defined:
        yield f'has the id "{name}", which line {defined[name]} has already.'
    elif not re.fullmatch(ID, name):
        yield f'has the id "{_short(name)}" where a letter and a number were expected.'
    defined.setdefault(name, number)


def with_line_feeds(text: str) -> str:
    """Return the text with one kind of line end."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _short(text: str) -> str:
    return text.replace("\t", "⇥")[:40]


def squeezed(texts: Sequence[str]) -> str:
    """Return stretches of text joined as brat writes them: line ends and runs of spaces are one space."""
    return " ".join(" ".join(texts).split())


# How a file's offsets count: line ends of two characters, a byte order mark, UTF-16 units.

CHARACTER = re.compile("\r\n|.", re.DOTALL)
BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


def countings(file: ExportFile) -> Iterator[Offsets]:
    """Yield the ways to count places in this file's text with line feeds alone, the usual one first."""
    characters = CHARACTER.findall(file.text)
    units = [len, *([_utf16] if has_others(file.text) else []), *([] if file.text.isascii() else [_bytes])]
    possible = (file.content.startswith(BYTE_ORDER_MARKS), "\r\n" in file.text)
    marked, of_ends = ((False, True)[: 1 + is_possible] for is_possible in possible)
    for width, mark, ends in product(units, marked, of_ends):
        widths = (width(char if ends or char != "\r\n" else "\n") for char in characters)
        yield Offsets(widths if width is not len or mark or ends else None, first=int(mark))


def _utf16(char: str) -> int:
    return len(char) + (char > LAST_BASIC)


def _bytes(char: str) -> int:
    return len(char.encode(errors="replace"))


# brat standoff: an .ann file of marks beside a .txt file of text, in a folder for each annotator.

MARKS = ".ann"
TEXT = ".txt"
CONFIGURATION = "annotation.conf"
# The sections of the configuration whose types are those of marks; a "!" is before one that groups others.
OF_MARKS = ("[entities]", "[events]")
NOT_A_TYPE = ("#", "!", "<", "[", "-")
OTHER_CONTENT = (b"{", b"[", b"<", b"PK")
A_NOTE = "a note"
# The folder of a file, and its name without its ending.
Stem = tuple[PurePosixPath, str]


def recognises(file: ExportFile) -> bool:
    """Say whether the file is called .ann and is not of another kind: an empty one is brat too."""
    return file.suffix == MARKS and not file.content.lstrip().startswith(OTHER_CONTENT)


def accompanies(file: ExportFile) -> bool:
    """Say whether the file is a text, or one that configures brat."""
    return file.suffix in {TEXT, ".conf"}


def texts_of_marks(files: Sequence[ExportFile]) -> frozenset[str]:
    """Return the names of texts that have a file of marks beside them: nobody has to look into these."""
    marks = {file.name.removesuffix(MARKS) for file in files if file.suffix == MARKS}
    texts = (file.name for file in files if file.suffix == TEXT)
    return frozenset(name for name in texts if name.removesuffix(TEXT) in marks)


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return each annotator's copy of each document.

    An .ann file means that its document was seen; a text without one, in the folder of an annotator,
    that it was not. A few faulty files are left out, with a warning. Raises BadInput with every line that is
    malformed, points nowhere or does not cover what it says, and every text that is missing, where files with
    such are more than a few.
    """
    beside = {_stems(file)[0]: file for file in files if file.suffix == TEXT}
    own = _documents(files, beside)
    own, documents, faulty = split_unreadable(own, lambda file: _document(file, beside))
    names = name_files(own, [body.text or "" for body, _ in documents], options, (MARKS, TEXT))
    active = {
        name.annotator for (body, _), name in zip(documents, names, strict=True) if body.state == "seen"
    }
    is_active = [name.annotator in active for name in names]
    bodies = [body for body, _ in compress(documents, is_active)]
    unusual = sum(not is_usual for _, is_usual in documents)
    export = list_unreadable(
        export_of(files, bodies, list(compress(names, is_active)), _reading(unusual)), faulty
    )
    types = (name for file in files if file.path.name == CONFIGURATION for name in declared_types(file))
    return replace(export, declared=tuple(dict.fromkeys(types)))


def declared_types(file: ExportFile) -> Iterator[str]:
    """Yield the types of marks in an annotation.conf, in their order."""
    section = ""
    for line in map(str.strip, file.text.splitlines()):
        if line.startswith("["):
            section = line.lower()
        elif line and section in OF_MARKS and not line.startswith(NOT_A_TYPE):
            yield line.split()[0]


def _documents(files: Sequence[ExportFile], beside: Mapping[Stem, ExportFile]) -> list[ExportFile]:
    """Return the files of marks, and the texts in their folders that no marks are about."""
    marks = [_stems(file) for file in files if not accompanies(file)]
    used = {stem for stems in marks for stem in (stems[:1] if stems[0] in beside else stems)}
    folders = {stems[0][0] for stems in marks}

    def is_waiting(file: ExportFile) -> bool:
        stem = _stems(file)[0]
        return file.suffix == TEXT and stem not in used and stem[0] in folders

    return [file for file in files if not accompanies(file) or is_waiting(file)]


def _stems(file: ExportFile) -> list[Stem]:
    """Return the folder of a file and its name without ending, then what else its document may be called.

    Beside marks in files called "doc1_anna.ann" or "anna_doc1.ann" the text may be "doc1.txt", that of all.
    """
    path = PurePosixPath(file.name).with_suffix("")
    name = path.name
    cuts = [cut for cut, char in enumerate(name) if char in SEPARATORS and 0 < cut < len(name) - 1]
    parts = [name, *(name[:cut] for cut in reversed(cuts)), *(name[cut + 1 :] for cut in cuts)]
    return [(path.parent, part) for part in parts]


def _text_of(file: ExportFile, beside: Mapping[Stem, ExportFile]) -> ExportFile:
    """Return the text beside the marks, or in the one place that has a text of that name.

    Raises BadInput where there is none, or several that differ.
    """
    stems = _stems(file)
    name = stems[0][1]
    near = [beside[stem] for stem in stems if stem in beside]
    candidates = near or [text for (_, stem), text in beside.items() if stem == name]
    if near or len({candidate.content for candidate in candidates}) == 1:
        return candidates[0]
    trouble = f'no text: "{name}.txt" is neither beside it nor elsewhere in the export.'
    if candidates:
        trouble = f'no text beside it, and {len(candidates)} different ones are called "{name}.txt".'
    raise file.refused(f"has {trouble}", "Put the text into the same folder, as brat has it.")


def _document(file: ExportFile, beside: Mapping[Stem, ExportFile]) -> tuple[UnattributedMarks, bool]:
    """Return what a file of marks says, or a text that nobody opened; and whether it counts as brat does."""
    if accompanies(file):
        return UnattributedMarks(file.name, with_line_feeds(file.text), state="unseen"), True
    standoffs, malformed = tried([file], read_standoff)
    texts, missing = tried([file], lambda marks_file: _text_of(marks_file, beside))
    if malformed or missing:
        raise BadInput([*malformed, *missing])
    (standoff,), (text_file,) = standoffs, texts
    text = with_line_feeds(text_file.text)
    counting = min(countings(text_file), key=lambda way: len(list(_misfits(standoff, text, way))))
    raise_first_problems(_misfits(standoff, text, counting, file.name))
    features = standoff.features
    marks = [
        replace(mark, spans=tuple(sorted(map(counting.span, mark.spans))), features=features.get(mark.id, {}))
        for mark, _ in standoff.marks
    ]
    relations = [replace(link, features=features.get(link.id, {})) for link in standoff.relations]
    notes = [(line, A_NOTE) for line in standoff.notes]
    return UnattributedMarks(file.name, text, marks, relations, notes), counting.are_code_points


def _misfits(standoff: Standoff, text: str, counting: Offsets, file: str = "") -> Iterator[Problem]:
    """Yield a problem for each mark that covers something else than it says."""
    for mark, written in standoff.marks:
        here = squeezed([text[start:end] for start, end in map(counting.span, mark.spans)])
        if here != squeezed([written]):
            yield different_cover(file, mark.line, here, written)


def _reading(others: int) -> str:
    """Return how the files were understood, of which some have offsets that do not count as brat's own do."""
    understood = "brat standoff: the category of a mark is its type, and offsets count characters."
    if not others:
        return understood
    files = "1 file counts" if others == 1 else f"{others} files count"
    how = "line ends as two characters, a byte order mark, UTF-16 units, or bytes"
    return f"{understood[:-1]}; {files} {how}, as the covered texts show."


READER = Reader(
    name="brat",
    title="brat standoff",
    tool="brat",
    extensions=(MARKS,),
    reads=(
        "Marks, including discontinuous ones, with their attributes and normalisations; relations and "
        "events. An empty `.ann` file means that the annotator found nothing in the document; a text "
        "without an `.ann` file was not opened."
    ),
    leaves_out=(
        "Notes, because they are free text; relations and events, unless a layer is declared for "
        "them; equivalences, because they form chains of mentions."
    ),
    recognises=recognises,
    read=read,
    accompanies=accompanies,
    says=(A_NOTE,),
)
