"""What a format has to offer, what it is asked, and the files it is given."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Literal, Self

from reportgen.base import files
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, did_you_mean
from reportgen.base.files import InputFile, as_compared, nfc
from reportgen.base.progress import advance
from reportgen.readers.annotations import Codes, Compared, ExcludedMarks, Ratings, Regions, Span, TextMarks
from reportgen.readers.counted import CountedLayer
from reportgen.readers.scales import LISTS, Control, as_list
from reportgen.readers.work_times import NO_TIMING, Timing, WorkTimes
from reportgen.results.model import DifferentTexts

# What one layer of an export has: its content, what was left out of it, and who saw what.


@dataclass(frozen=True, eq=False)
class Annotations:
    """One layer of the exports of one guidelines version, with what was left out and the files read.

    `content` is what annotators did: they labelled units, or marked texts; or what was counted of it.
    `marks_read` counts every mark that the files have: those of `content` (by weight) and those of
    `left_out` add up to it; `marks_again` of them an earlier layer of the same export has read too.
    `format` is the reader's name, `reading` one sentence on how the files were understood, `choice` one on
    what was chosen in them for this layer, empty where there was nothing to choose, `unread` the
    files that no reader knows. `roles` are those that the tool itself gives to some annotators.
    `attendance` (documents, annotators of `content`) is UNSEEN, SKIPPED, EMPTY or MARKED: what each did with
    each document, or with each unit that is one; None where the export is a table, which does not tell.
    `compared` says what the layer consists of: marks, whose label is their type or the feature that has the
    category; "mentions" are marks of which nearly all are in chains (coreference); "attributes" of marks
    whose category is their type; or relations, whose stretches are those of their arguments. `candidates` are
    the places that layers of candidates mark, in documents of `content`, by the key of campaign.toml that
    asks for them.
    `derived` are annotators of `content` whose marks were made from those of others and are in no file:
    they are neither read nor left out.
    `called_references` and `called_models` are those of `roles` who are so because of their names alone.
    `missing` counts the cells of a table that could have a label and have none: empty ones, or declared so.
    `warnings` are what should be looked at in the files although it stops nothing.
    `different_texts` are documents that are left out, as their copies have different texts. `not_compared`
    says how much of each kind the files have besides labels, such as times; `marks_read` counts it.
    `named` are people whom the files name besides annotators.
    `called` is the column of a table that has all labels, empty where there is none such. `control` is what
    the tool asked for them with, None where the export does not tell.
    `times` says when annotators labelled and how long it took, None where the export does not. `groups` says
    what annotators are, by name and by attribute.
    """

    content: Ratings | TextMarks | CountedLayer
    format: str
    reading: str
    marks_read: int
    left_out: tuple[ExcludedMarks, ...] = ()
    sources: tuple[InputFile, ...] = ()
    unread: tuple[str, ...] = ()
    roles: Mapping[str, str] = field(default_factory=dict)
    attendance: Codes | None = None
    choice: str = ""
    compared: Compared = "marks"
    candidates: Mapping[str, Regions] = field(default_factory=dict)
    derived: tuple[str, ...] = ()
    marks_again: int = 0
    called_references: tuple[str, ...] = ()
    called_models: tuple[str, ...] = ()
    missing: int = 0
    warnings: tuple[Problem, ...] = ()
    different_texts: tuple[DifferentTexts, ...] = ()
    not_compared: Mapping[str, int] = field(default_factory=dict)
    named: frozenset[str] = frozenset()
    called: str = ""
    control: Control | None = None
    times: WorkTimes | None = None
    groups: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def is_counted(self) -> bool:
        """Say whether only counts are known, and not which unit is which."""
        if isinstance(self.content, Ratings):
            return self.content.counted
        return not isinstance(self.content, TextMarks)

    @property
    def ratings(self) -> Ratings:
        """Return the labels of units; there have to be such."""
        if not isinstance(self.content, Ratings):
            message = "an export that has no labels of units"
            raise TypeError(message)
        return self.content


# What a reader of documents hands over: each annotator's copy of each document, with the marks in it.

# What offsets in a text count.
OffsetUnit = Literal["characters", "UTF-16 units", "bytes", "tokens", "tokens to the last one"]
# What an annotator did with a document. Who saw it and marked nothing says something: nothing is there.
State = Literal["seen", "skipped", "unseen"]

NO_FEATURES: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class ParsedMark:
    """One mark: of a stretch of text or, without spans, of the document as a whole.

    - `type`: the annotation type, level, layer or control that it belongs to.
    - `spans`: where it is in the text, in code points, ends exclusive; several where it is
      discontinuous, in the order of the text.
    - `features`: attributes with their values. One that the mark lacks is not there; an empty one is "".
    - `line`: the line of the file, or the number of the record, from 1; 0 where there is none.
    - `id`: what relations call it, empty where nothing does.
    - `file`: the file of that line where it is not that of the copy, as where each level has its own.
    - `head`: of a word in a tree the `id` of the mark of its head, empty of a root; None without a tree.
    - `part_of_speech`: of a word in a tree.
    """

    type: str
    spans: tuple[Span, ...] = ()
    features: Mapping[str, str] = field(default_factory=lambda: NO_FEATURES)
    line: int = 0
    id: str = ""
    file: str = ""
    head: str | None = None
    part_of_speech: str = ""


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation or event: its type, and the ids of its arguments with their roles.

    `id` is what other relations call it, empty where nothing does. `chain` says that it makes a chain of
    mentions, or a part of one, which is nothing that two annotators can agree on one by one.
    """

    type: str
    arguments: tuple[tuple[str, str], ...]
    features: Mapping[str, str] = field(default_factory=lambda: NO_FEATURES)
    line: int = 0
    id: str = ""
    chain: bool = False


@dataclass(frozen=True, slots=True)
class DocumentCopy:
    """One annotator's copy of one document.

    - `file`: the name of the file that has the marks, for errors and the list of what is left out.
    - `text`: the document's text; None where the export has none, and then no mark has spans.
    - `state`: "seen", also where no mark was made; "skipped" where the annotator declined; "unseen"
      where the document was assigned or is known, and was never opened.
    - `asked`: the types of marks that this copy was about, None for all. Somebody may have a copy of a
      document for each of several questions, which says nothing of what was not asked.
    - `role`: "annotator", or what the tool itself says instead: "reference", "system", "model".
    - `length`: how many milliseconds a recording lasts, which has no text: the spans of its marks are in
      milliseconds. Copies may differ in it, and the longest counts. None for a text.
    - `within`: the document that this one, which is labelled as a whole, is a part of; empty where of none.
    - `timing`: when the annotator was done with it, and how long it took.
    - `offsets`: what the spans of marks count as the format has it, where nothing in the file says which
      words they cover; None where they are code points for certain.
    - `passed_over`: the types of further marks, each with the line of the first one and how many they are.
    """

    document: str
    annotator: str
    file: str
    text: str | None = None
    marks: Sequence[ParsedMark] = ()
    relations: Sequence[Relation] = ()
    state: State = "seen"
    role: str = "annotator"
    asked: frozenset[str] | None = None
    length: int | None = None
    within: str = ""
    timing: Timing = NO_TIMING
    offsets: OffsetUnit | None = None
    passed_over: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Write names as they are compared."""
        object.__setattr__(self, "document", nfc(self.document))
        object.__setattr__(self, "annotator", nfc(self.annotator))


@dataclass(frozen=True)
class Export:
    """All copies in an export, in the order of its files.

    - `reading`: one sentence on how the files were understood. It names no annotator and no file.
    - `sources`: every file that was read.
    - `left_out`: what the format has and the reader can't use: notes, regions of pictures.
    - `by_feature`: the category of a mark is the value of a feature of its layer (WebAnno, UIMA,
      Label Studio, doccano, Prodigy, CoNLL); otherwise it is the mark's type (brat, GATE, MMAX2, XML).
    - `default`: the layer or "layer->feature" that counts where the campaign chooses none, None where
      the only one there is counts.
    - `warnings`: what should be looked at in the files although it stops nothing.
    - `not_compared`: how much of each kind the files have that the reader does not read, such as comments.
    - `named`: people whom the files name besides: who speaks, who made a tier.
    - `declared`: the labels of marks that the tool was set up with, in its order.
    - `controls`: what annotators gave the labels of a layer with, by "Type->feature", where the file tells.
    """

    copies: Sequence[DocumentCopy]
    reading: str
    sources: tuple[InputFile, ...]
    left_out: tuple[ExcludedMarks, ...] = ()
    by_feature: bool = False
    default: str | None = None
    warnings: tuple[Problem, ...] = ()
    not_compared: Mapping[str, int] = field(default_factory=dict)
    named: frozenset[str] = frozenset()
    declared: tuple[str, ...] = ()
    controls: Mapping[str, Control] = field(default_factory=dict)


# What formats have besides labels and no reader takes for them: it is counted as not compared.
HEADS, LEMMAS, ENHANCED, MISC = "heads", "lemmas", "enhanced dependencies", "notes in MISC"
REASONS, JUDGMENTS, TIMES = "reasons", "judgments of labels", "times"
COMMENTS, CONFIDENCE, FURTHER = "comments", "confidence of annotators", "cells of further columns"

# What a format has to offer, what it is asked, and the files it is given.

COLUMN_ROLES = ("unit", "annotator", "document", "label", "pass", "text", "question", "answer")
NORMALISATIONS = ("lowercase", "strip")
NOT_ASKED_FOR = "annotator not asked for"
NO_ANNOTATOR = "a label without an annotator"
NO_UNIT = "a label without a unit"
UNDECLARED = "a label that is not declared"
PROBLEMS_SHOWN = 20


@dataclass(frozen=True)
class Engine:
    """Who reads and counts a table, and within which limits.

    - `name`: of one of `base.engines.ENGINES`; None: DuckDB where the table is large.
    - `memory`: how much DuckDB may take, such as "2GB"; None for half of the machine. `threads`: how many
      processors; None for all.
    - `folder`: where it lays down what does not fit; None for the system's place.
    - `kinds`: units that are alike, with the same labels by the same annotators, may become one: the caller
      needs to know how many there are, and not which.
    - `sums`: where there are very many kinds, units may come that have the same sums: the caller counts no
      sets, and no units that nobody marked.
    - `listed`: where they are one, the units on which labels differ most are named besides.
    - `bounded`: VeryManyKinds is raised for a table elsewhere with more kinds than may come over.
    """

    name: str | None = None
    memory: str | None = None
    threads: int | None = None
    folder: Path | None = None
    kinds: bool = False
    sums: bool = False
    listed: bool = False
    bounded: bool = False


@dataclass(frozen=True)
class ReaderOptions:
    """How an export is to be read; everything has a default.

    - `format`: a reader's name, or a file extension ("csv") for whichever of its readers fits.
    - `columns`: column names by role: unit, annotator, document, label, pass, text (of the unit); question
      and answer of a table with a row for each answer.
    - `set_separator`: what separates the members of a label that is a set.
    - `missing`: labels that mean a missing rating, besides the empty cell.
    - `normalise`: what is done to labels: "lowercase", "strip". `labels`: what labels are renamed to, as they
      are written or as they are after that.
    - `annotators`: whose marks are used; None for everybody's.
    - `path`: where names are in the files' paths, such as "{annotator}/{document}".
    - `source`: which of the things that were labelled: a column of a table, an annotation type, a layer,
      or "Type->feature"; None for the only one.
    - `rejected`: the label of a choice that was rejected, where the tool knows such; None: it is left out.
    - `candidates`: types or layers whose marks are candidates for being marked, None for every mark, by
      the key of campaign.toml that asks for them.
    - `table`: the table of a database; `database`: its address, where it is no file.
    - `engine`: who reads and counts a table.
    - `faulty`: "refused", or "counted": labels without a unit or an annotator are left out and counted.
    - `only`: the labels that count, where others are left out and counted; None for all.
    - `headers`: where question and annotator stand in the headers of a wide table: "{layer}_{annotator}".
    - `indicators`: columns of 0 and 1, one for each label of a set.
    - `header`: the lines of the file that are a table's header; `skip_rows`: the lines that are none of it,
      None: they are looked for. `sheets`: those of a workbook to read, none: found.
    - `fill_down`: columns that are filled in the first of several rows only.
    - `turned`: whether a table has a row for each annotator, and a column for each unit.
    - `encoding`, `decimal`: how the file is encoded, and what is before the fractions of numbers.
    - `raters`: the columns of annotators of a wide table, where it is known which they are.
    - `asked`: the columns that any layer takes its labels from.
    - `groups`: columns of what annotators are, such as their ages.
    - `others`: who is known to be a reference, a system or a model.
    - `beside`: what columns are that are not read, as it was said.
    - `surveyed`: layers are not chosen yet: types of marks that every copy of a document has the same may be
      passed over, where there are very many files.
    """

    format: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    set_separator: str | None = None
    missing: tuple[str, ...] = ()
    normalise: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
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
    headers: str | None = None
    indicators: tuple[str, ...] = ()
    header: tuple[int, ...] = ()
    skip_rows: tuple[int, ...] | None = None
    sheets: tuple[str, ...] = ()
    fill_down: tuple[str, ...] = ()
    turned: bool = False
    encoding: str | None = None
    decimal: str | None = None
    raters: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    beside: Mapping[str, str] = field(default_factory=dict)
    surveyed: bool = False


# The files whose content `letting_go` is to free.
_OPENED: ContextVar["list[ExportFile] | None"] = ContextVar("opened", default=None)


@contextmanager
def forget_contents_after() -> Iterator[None]:
    """Free the content of all files that are read meanwhile: thousands of them would fill memory."""
    opened: list[ExportFile] = []
    token = _OPENED.set(opened)
    try:
        yield
    finally:
        _OPENED.reset(token)
        for file in opened:
            file.let_go()


@dataclass(frozen=True)
class ExportFile:
    """One file of an export: where it is, and the name to show for it. It is read when it is asked for.

    Its content may be freed (`let_go`) and read again; a file that has changed since is refused.
    """

    path: Path
    name: str

    @cached_property
    def suffix(self) -> str:
        """The file's extension in lower case, with its dot."""
        return self.path.suffix.lower()

    @cached_property
    def content(self) -> bytes:
        """The file's bytes; raises BadInput where it can't be read, or was changed since it was read."""
        content = files.read_bytes(self.path, self.name)
        first = vars(self).get("first")
        if first is None:
            advance("files")
        elif files.source(self.name, content) != first:
            raise self.refused("was changed while it was read.", "Run the command again.")
        if (opened := _OPENED.get()) is not None:
            opened.append(self)
        return content

    def let_go(self) -> None:
        """Keep no more than what provenance records of a file that was read."""
        vars(self)["first"] = self.source
        for kept in ("content", "text"):
            vars(self).pop(kept, None)

    @cached_property
    def text(self) -> str:
        """The file's text; raises BadInput where it is not Unicode and makes no sense as an older text."""
        try:
            return files.decode(self.content, self.name)
        except BadInput:
            if (codec := files.western_codec(self.content)) is None:
                raise
            vars(self)["older"] = codec
            return self.content.decode(codec)

    @property
    def codec(self) -> str | None:
        """How the text was encoded, where it was asked for as text and is not Unicode: "cp1252"."""
        codec: str | None = vars(self).get("older")
        return codec

    @cached_property
    def delimiter(self) -> str:
        """The character that separates the cells of the text."""
        return files.delimiter(self.text)

    @property
    def source(self) -> files.InputFile:
        """What provenance records of the file; one that nobody has read yet is not kept in memory."""
        if "content" in vars(self):
            return files.source(self.name, self.content)
        first: files.InputFile | None = vars(self).get("first")
        return first or files.source_of(self.path, self.name)

    @classmethod
    def with_content(cls, path: Path, name: str, **contents: bytes | str) -> Self:
        """Return a file whose `content` or `text` is known and not read: a part of another, or unpacked."""
        file = cls(path, name)
        vars(file).update(contents)  # where `cached_property` would keep what it read
        return file

    def problem(self, message: str, remedy: str = "", line: int = 0, key: str = "") -> Problem:
        """Return what is wrong in the file, or in a line of it."""
        return Problem(self.name, line, key, message, remedy)

    def refused(self, message: str, remedy: str = "", line: int = 0, key: str = "") -> BadInput:
        """Return the error for one thing that is wrong in the file."""
        return BadInput([self.problem(message, remedy, line, key)])

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
    unless it returns Annotations. `says` are its sentences on how files were understood, and its reasons for
    leaving marks out: pages translate them.
    """

    name: str
    title: str
    tool: str
    extensions: tuple[str, ...]
    reads: str
    leaves_out: str
    recognises: Callable[[ExportFile], bool]
    read: Callable[[Sequence[ExportFile], ReaderOptions], Annotations | Export]
    accompanies: Callable[[ExportFile], bool] = lambda _: False
    says: tuple[str, ...] = ()

    def is_called(self, name: str) -> bool:
        """Say whether `format = "name"` means this reader: its name, or an extension of its files."""
        return name == self.name or f".{name}" in self.extensions


# What lies beside exports and has no labels, whatever it looks like; and tables about how these were made,
# which are none where they have other columns than the files beside them.
ABOUT_FILES = re.compile(
    r"\..*|thumbs\.db|desktop\.ini|(readme|licen[cs]e|copying|changelog|citation|notice|authors)(\W.*)?",
    re.IGNORECASE,
)
ABOUT_WORK = re.compile(
    r"(order|orders|costs?|payments?|bonus(es)?|assignments?|schedule|batches|manifest|metadata|mapping|index|log|"
    r"times|timing|stats|statistics|participants|demographics|codebook|splits?)",
    re.IGNORECASE,
)


def is_side_file(name: str) -> bool:
    """Say whether a file is called as those are that tell of a folder, such as README and LICENSE."""
    return ABOUT_FILES.fullmatch(name.rpartition("/")[2]) is not None


def may_be_side_table(name: str) -> bool:
    """Say whether a file is called as tables are that tell of the work, such as order.csv and costs.csv."""
    return ABOUT_WORK.fullmatch(PurePosixPath(name).stem) is not None


def raise_first_problems(problems: Iterable[Problem]) -> None:
    """Raise BadInput with the first problems, if there are any."""
    if all_problems := list(problems):
        raise BadInput(shortened(all_problems))


def shortened(problems: Sequence[Problem]) -> list[Problem]:
    """Return the first problems of a kind in one file, and where there are many, how many follow."""
    shown = list(problems[:PROBLEMS_SHOWN])
    if more := len(problems) - len(shown):
        next_one = problems[len(shown)]
        shown.append(Problem(next_one.file, next_one.line, message=f"{more:,} more rows are like this."))
    return shown


def require_annotators(asked: Sequence[str], names: Sequence[str]) -> None:
    """Raise BadInput where somebody is asked for of whom the export has no column or row."""
    absent = [name for name in asked if name not in names]
    if absent:
        raise BadInput(
            Problem("", 0, "annotators", f'"{name}" is not in the export.', did_you_mean(name, names))
            for name in absent
        )


# Who is a reference by name: what is called so has no annotator's own labels.

REFERENCES = frozenset(
    (
        *("gold", "gold_standard", "goldstandard", "gold_label", "gold_labels", "reference", "ground_truth"),
        *("groundtruth", "adjudicated", "adjudication", "adjudicator", "consensus", "curation", "curator"),
        *("curation_user", "key", "resolved", "resolved_label", "resolution", "reconciled", "reconciliation"),
        *("harmonised", "harmonized", "tie_break", "tiebreak", "tie_breaker", "tiebreaker", "true_label"),
        *("true_class", "y_true"),
    )
)
REFERENCE, MODEL, ANNOTATOR = "reference", "model", "annotator"


def is_reference(name: str) -> bool:
    """Say whether somebody is called as references are, however it is written."""
    return "_".join(name.casefold().replace("-", " ").replace("_", " ").split()) in REFERENCES


def references_among(names: Iterable[str], roles: Mapping[str, str]) -> tuple[str, ...]:
    """Return who is a reference by name alone, none where two annotators would not be left.

    `roles` are those that are known otherwise.
    """
    everyone = list(dict.fromkeys(names))
    called = tuple(name for name in everyone if name not in roles and is_reference(name))
    others = [name for name in everyone if name not in called and roles.get(name, ANNOTATOR) == ANNOTATOR]
    return called if len(others) >= 2 else ()


# Names that language models have, and people have not; those that some people have too; and what else may be
# in the name of a model: sizes, versions, makers, what it did.
FAMILIES = (
    r"(?:chat|auto)?gpt|(?:code|tiny|meta)?llama|gemini|mixtral|qwen|qwq|deepseek|vicuna|alpaca|xlnet|flan|t5"
    r"|(?:distil|xlm|de|distilro)bert(?:a)?|models?|llms?"
)
OF_PEOPLE_TOO = r"claude|gemma|olmo|mistral|bard|grok|phi|roberta"
WITH_SIZE = {"bert", "electra", "albert"}
OF_MODEL = re.compile(rf"(?:{FAMILIES})(?:[a-z]{{0,2}}\d\w*|\d*[a-z]?)")
MAYBE_OF_MODEL = re.compile(
    rf"(?:(?:{OF_PEOPLE_TOO})(?:v?\d\w*)?|(?-i:BERT|ELECTRA|ALBERT))(?![^\W_])", re.IGNORECASE
)
BESIDE_MODEL = re.compile(
    r"[a-z]?\d+[a-z]{0,2}|\d+x\d+[bm]|[a-z]|base|large|small|medium|mini|nano|tiny|micro|turbo|pro|plus"
    r"|flash|ultra|max|lite|opus|sonnet|haiku|nemo|instruct|chat|it|preview|latest|exp|xl|xxl|cased|uncased"
    r"|multilingual|coder|thinking|distill|open|openai|meta|google|anthropic|microsoft|mistralai|ai|hf|xlm"
    r"|zero|few|shot|cot|prompt|temp|temperature|run|seed|version|fine|tuned|finetuned|ft|sft|dpo|rlhf"
    r"|labels?|annotations?|annotator|rater|judge|preds?|predictions?|outputs?|answers?|responses?|scores?|ratings?"
)
IN_SERIES = re.compile(r"(.*?)[\W_]*(?:\d+|(?<=[\W_])[^\W\d_])")


def is_model(name: str, among: Iterable[str] = ()) -> bool:
    """Say whether somebody is called as language models are, and people are not, as a whole.

    Whoever is one of a numbered or lettered series `among` others is none: "T5" beside "T4" and "T6".
    """
    words = [word for word in re.split(r"[\W_]+", name.casefold()) if word]
    sure = [word for word in words if OF_MODEL.fullmatch(word)]
    maybe = [word for word in words if word in WITH_SIZE or MAYBE_OF_MODEL.fullmatch(word)]
    others = [word for word in words if word not in sure and word not in maybe]
    if not all(map(BESIDE_MODEL.fullmatch, others)):
        return False
    told = bool(sure) or "RoBERTa" in name or any(word[-1].isdigit() for word in maybe)
    is_numbered = any(map(str.isdigit, others)) and WITH_SIZE.isdisjoint(words)
    told = told or (bool(maybe) and (is_numbered or any(len(word) > 1 for word in others)))
    return told and not _is_in_series(name, among)


def _is_in_series(name: str, among: Iterable[str]) -> bool:
    """Say whether two others differ from a name, which is no model's, by a number or a letter alone."""
    match = IN_SERIES.fullmatch(name)
    if match is None or is_model(match[1]) or MAYBE_OF_MODEL.fullmatch(match[1]):
        return False
    alike = {other for other in among if (own := IN_SERIES.fullmatch(other)) and own[1] == match[1]}
    return len(alike - {name}) >= 2


def models_among(names: Iterable[str], roles: Mapping[str, str]) -> tuple[str, ...]:
    """Return who is a model by name alone, beside other models also by a name that some people have.

    `roles` are those that are known otherwise. A name that some people have stays a person's where two people
    would not be left. None where there are only models, which are then compared with each other.
    """
    everyone = list(dict.fromkeys(names))
    unknown = [name for name in everyone if roles.get(name, ANNOTATOR) == ANNOTATOR]
    free = [name for name in unknown if name not in roles]
    sure = [name for name in free if is_model(name, everyone)]
    called = tuple(name for name in free if name in sure or (sure and MAYBE_OF_MODEL.match(name)))
    if len(called) < len(unknown) < len(called) + 2:
        called = tuple(sure)
    return called if len(called) < len(unknown) else ()


def called_by_name(
    names: Iterable[str], roles: Mapping[str, str], options: ReaderOptions
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return who is called like a reference, and who like a model.

    `roles` are those that are known otherwise. A model that is named among the annotators is meant to be one
    of them.
    """
    names = list(names)
    references = references_among(names, roles)
    named = dict.fromkeys(options.annotators or (), ANNOTATOR)
    return references, models_among(names, {**named, **roles, **dict.fromkeys(references, REFERENCE)})


# Labels as they are counted: normalised, sets in one order, declared missing values gone.

EMPTY_SET = "{}"
SEPARATOR = "|"


class SetLabel(str):
    """A label that is a set of labels; as text it is the name of the whole.

    `members` are what a reader took apart or put together, so that nobody has to take the name apart again:
    a member may have the separator itself.
    """

    __slots__ = ("members",)
    members: frozenset[str]

    def __new__(cls, name: str, members: Iterable[str]) -> Self:
        """Return a label of this name with these members."""
        label = super().__new__(cls, name)
        label.members = frozenset(members)
        return label

    def __getnewargs__(self) -> tuple[str, tuple[str, ...]]:  # type: ignore[override]
        """Return what a copy is made of."""
        return str(self), tuple(sorted(self.members))


def members_of(label: str) -> frozenset[str]:
    """Return the members of a label: those of a set, none of the empty set, else the label itself."""
    if isinstance(label, SetLabel):
        return label.members
    return frozenset() if label == EMPTY_SET else frozenset((label,))


def cleaned_labels(labels: Iterable[str], options: ReaderOptions) -> list[str]:
    """Return each label as it is counted: renamed, in small letters and taken apart as options say.

    A label that stands for a missing rating is empty, and so is one of nothing but spaces. Without options
    only 1.0 changes, which is 1: "NA", "None" and "007" stay as they are.
    """
    return [_clean(label, options) for label in labels]


def _clean(label: str, options: ReaderOptions) -> str:
    changed = _normalised(label, options)
    if not changed.strip() or label in options.missing or changed in options.missing:
        return ""
    if options.set_separator:
        whole = as_set(changed, options.set_separator)
        if not options.labels:
            return whole
        members = [_normalised(member, options) for member in whole.members]
        return as_set(options.set_separator.join(members) or EMPTY_SET, options.set_separator)
    if isinstance(label, SetLabel):
        return SetLabel(changed, (_normalised(member, options) for member in label.members))
    return changed


def _normalised(label: str, options: ReaderOptions) -> str:
    written = as_compared(label)
    changed = options.labels.get(written, written)
    changed = changed.lower() if "lowercase" in options.normalise else changed
    changed = changed.strip() if "strip" in options.normalise else changed
    return options.labels.get(changed, changed)


def composed(label: str) -> str:
    """Return a label as it is compared; one that is a set keeps its members."""
    if isinstance(label, SetLabel):
        return label if label.isascii() else SetLabel(nfc(label), map(nfc, label.members))
    return as_compared(label)


def as_set(label: str, separator: str) -> SetLabel:
    """Return a label taken apart, the members in one order: {a, b} and {b, a} are the same label."""
    parts, sign = label.split(separator), separator
    if separator == LISTS:
        parts, sign = as_list(label) or ([] if label.strip() == "[]" else [label]), SEPARATOR
    members = {member.strip() for member in parts} - {""}
    return SetLabel(sign.join(sorted(members)) or EMPTY_SET, members - {EMPTY_SET})


def separator_or_default(separator: str | None) -> str:
    """Return what is between the members of a set in its name: that of lists has the usual sign."""
    return SEPARATOR if separator in (None, "", LISTS) else separator


def as_label_set(members: Iterable[str], options: ReaderOptions) -> str:
    """Return several labels that were given together as one, the members sorted and taken once."""
    separator = separator_or_default(options.set_separator)
    labels = sorted(set(members))
    return SetLabel(separator.join(labels), (member for label in labels for member in members_of(label)))
