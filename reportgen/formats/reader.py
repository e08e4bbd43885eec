"""What a format has to offer, what it is asked, and the files it is given."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

from reportgen import files
from reportgen.errors import BadInput, Problem, did_you_mean
from reportgen.formats.annotations import Annotations
from reportgen.formats.copies import Export
from reportgen.progress import advance

COLUMN_ROLES = ("unit", "annotator", "document", "label", "pass")
NORMALISATIONS = ("lowercase", "strip")
NOT_ASKED_FOR = "annotator not asked for"
NO_ANNOTATOR = "a label without an annotator"
NO_UNIT = "a label without a unit"
UNDECLARED = "a label that is not declared"
PROBLEMS_SHOWN = 20


@dataclass(frozen=True)
class Engine:
    """Who reads and counts a table, and within which limits.

    - `name`: "memory", "duckdb" or "spark"; None: DuckDB where the table is large.
    - `memory`: how much DuckDB may take, such as "2GB"; None for half of the machine. `threads`: how many
      processors; None for all.
    - `folder`: where it lays down what does not fit; None for the system's place.
    - `kinds`: units that are alike, with the same labels by the same annotators, may become one: whoever asks
      needs to know how many there are, and not which.
    """

    name: str | None = None
    memory: str | None = None
    threads: int | None = None
    folder: Path | None = None
    kinds: bool = False


@dataclass(frozen=True)
class ReadOptions:
    """How an export is to be read; everything has a default.

    - `format`: a reader's name, or a file extension ("csv") for whichever of its readers fits.
    - `columns`: column names by role: unit, annotator, document, label, pass.
    - `set_separator`: what separates the members of a label that is a set.
    - `missing`: labels that stand for a missing rating, besides the empty cell.
    - `normalise`: what is done to labels: "lowercase", "strip".
    - `annotators`: whose marks are used; None for everybody's.
    - `path`: where names stand in the files' paths, such as "{annotator}/{document}".
    - `source`: which of the things that were labelled: a column of a table, an annotation type, a layer,
      or "Type->feature"; None for the only one.
    - `rejected`: the label of a choice that was rejected, where the tool knows such; None: it is left out.
    - `candidates`: types or layers whose marks are candidates for being marked, None for every mark, by
      the key of campaign.toml that asks for them.
    - `table`: the table of a database; `database`: its address, where it is no file.
    - `engine`: who reads and counts a table.
    - `faulty`: "refused", or "counted": labels without a unit or an annotator are left out and counted.
    - `only`: the labels that count, where others are left out and counted; None for all.
    """

    format: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    set_separator: str | None = None
    missing: tuple[str, ...] = ()
    normalise: tuple[str, ...] = ()
    annotators: tuple[str, ...] | None = None
    path: str | None = None
    source: str | None = None
    rejected: str | None = None
    candidates: Mapping[str, str | None] = field(default_factory=dict)
    table: str | None = None
    database: str | None = None
    engine: Engine = field(default_factory=Engine)
    faulty: Literal["refused", "counted"] = "refused"
    only: tuple[str, ...] | None = None


@dataclass(frozen=True)
class ExportFile:
    """One file of an export: where it is, and the name to show for it. It is read once, when asked."""

    path: Path
    name: str

    @property
    def suffix(self) -> str:
        """The file's extension in lower case, with its dot."""
        return self.path.suffix.lower()

    @cached_property
    def content(self) -> bytes:
        """The file's bytes; raises BadInput where it can't be read."""
        found = files.read_bytes(self.path, self.name)
        advance("files")
        return found

    @cached_property
    def text(self) -> str:
        """The file's text; raises BadInput where it is not UTF-8, or UTF-16 or UTF-32 with its mark."""
        return files.decode(self.content, self.name)

    @cached_property
    def delimiter(self) -> str:
        """The character that separates the cells of the text."""
        return files.delimiter(self.text)

    @property
    def source(self) -> files.Source:
        """What provenance records of the file; one that nobody has read yet is not kept in memory."""
        if "content" in vars(self):
            return files.source(self.name, self.content)
        return files.source_of(self.path, self.name)

    def is_text(self) -> bool:
        """Say whether the content can be decoded; raises BadInput where it can't be read."""
        content = self.content
        try:
            return bool(self.text) or not content
        except BadInput:
            return False


@dataclass(frozen=True)
class Reader:
    """One format: what it is called and how its files are recognised and read.

    `title` and `tool` say what it is and which program writes it, `reads` and `leaves_out` in one
    sentence each what is taken over and what is not. `recognises` looks at the content and raises
    nothing but BadInput for a file that the system refuses. `read` gets the recognised files of one
    export, and those that `accompanies` says belong to them (texts beside marks, schemes, type
    systems), and returns them merged: an Export of copies of documents, or Annotations where the format
    is a table of ratings. It raises BadInput with every problem of all files, and ignores `source`
    unless it returns Annotations.
    """

    name: str
    title: str
    tool: str
    extensions: tuple[str, ...]
    reads: str
    leaves_out: str
    recognises: Callable[[ExportFile], bool]
    read: Callable[[Sequence[ExportFile], ReadOptions], Annotations | Export]
    accompanies: Callable[[ExportFile], bool] = lambda _: False

    def is_called(self, name: str) -> bool:
        """Say whether `format = "name"` means this reader: its name, or an extension of its files."""
        return name == self.name or f".{name}" in self.extensions


def shortened(problems: Sequence[Problem]) -> list[Problem]:
    """Return the first problems of a kind in one file, and where there are many, how many follow."""
    shown = list(problems[:PROBLEMS_SHOWN])
    if more := len(problems) - len(shown):
        next_one = problems[len(shown)]
        shown.append(Problem(next_one.file, next_one.line, message=f"{more:,} more rows are like this."))
    return shown


def require_annotators(asked: Sequence[str], found: Sequence[str]) -> None:
    """Raise BadInput where somebody is asked for of whom the export has no column or row."""
    absent = [name for name in asked if name not in found]
    if absent:
        raise BadInput(
            Problem("", 0, "annotators", f'"{name}" is not in the export.', did_you_mean(name, found))
            for name in absent
        )
