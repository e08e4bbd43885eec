"""MMAX2: a file of words, and markables over ranges of them, a file for each level."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import accumulate
from os.path import commonpath
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, tried
from reportgen.readers.annotations import ExcludedMarks, Span
from reportgen.readers.naming import (
    FileAttribution,
    UnattributedMarks,
    export_of,
    list_unreadable,
    name_files,
    named_by_path,
    split_unreadable,
)
from reportgen.readers.reader import (
    Export,
    ExportFile,
    ParsedMark,
    Reader,
    ReaderOptions,
    raise_first_problems,
    shortened,
)
from reportgen.readers.untrusted import (
    attributes,
    children,
    line_of_element,
    local_name,
    parse_xml,
    root_name,
    text_of,
)

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


PROJECT = ".mmax"
MARKABLES = "markables"
LEVEL_END = "_level.xml"
WORDS_ENDS = (".words.xml", "_words.xml", ".xml")
MEND = "Export the whole project: its .mmax files, words and markables."


# The folder and the stem of a project.
Key = tuple[PurePosixPath, str]


@dataclass(frozen=True)
class MmaxDocument:
    """A document in the hands of an annotator: the .mmax file, where there is one, and its levels.

    `folder` is where the .mmax file is or would be: above the folder "markables".
    """

    folder: PurePosixPath
    stem: str
    file: ExportFile | None
    levels: Sequence[ExportFile]

    @property
    def first(self) -> ExportFile:
        """The file that represents the project: its own, or that of its first level."""
        return self.file or self.levels[0]

    def level(self, file: ExportFile) -> str:
        """Return the level that the name of a file of markables says."""
        name = PurePosixPath(file.name).name.removeprefix(self.stem).removeprefix("_")
        return name.removesuffix(".xml").removesuffix(LEVEL_END.removesuffix(".xml"))

    def by_holder(self, holders: Iterable[PurePosixPath]) -> Iterator["MmaxDocument"]:
        """Yield a project for each folder that has markables, where annotators share the .mmax files.

        A project of which a folder has no markables was not opened by the annotator who works there.
        """
        for holder in holders:
            levels = [file for file in self.levels if _holder(file) == holder]
            if self.file is not None or levels:
                yield replace(self, folder=holder, levels=levels)


def find_projects(
    own: Sequence[ExportFile], levels: Sequence[ExportFile], words: Sequence[ExportFile]
) -> list[MmaxDocument]:
    """Return the projects, in the order of their .mmax files, then those that have only markables.

    A level belongs to the project in its folder or the nearest above whose name its own begins with.
    """
    paths = [PurePosixPath(file.name) for file in own]
    projects = {(path.parent, path.stem): file for path, file in zip(paths, own, strict=True)}
    names = [PurePosixPath(file.name).name for file in words]
    stems = {name.removesuffix(next(filter(name.endswith, WORDS_ENDS), "")) for name in names}
    levels_by_key: dict[Key, list[ExportFile]] = {key: [] for key in projects}
    for file in levels:
        levels_by_key.setdefault(_project_of(file, projects, stems), []).append(file)
    documents = [
        MmaxDocument(*key, projects.get(key), own_levels) for key, own_levels in levels_by_key.items()
    ]
    if all(len(set(map(document.level, document.levels))) == len(document.levels) for document in documents):
        return documents
    holders = sorted({_holder(file) for file in levels})
    return [of_holder for project in documents for of_holder in project.by_holder(holders)]


def _holder(file: ExportFile) -> PurePosixPath:
    """Return the folder of a level, the one above where that is called "markables"."""
    folder = PurePosixPath(file.name).parent
    return folder.parent if folder.name.lower() == MARKABLES else folder


def _project_of(file: ExportFile, projects: Mapping[Key, ExportFile], stems: set[str]) -> Key:
    """Return the folder and stem of the project that a level belongs to."""
    path = PurePosixPath(file.name)
    beginnings = [path.name[:position] for position, char in enumerate(path.name) if char == "_"][::-1]
    keys = ((folder, stem) for folder in path.parents for stem in beginnings)
    cut = path.name.removesuffix(LEVEL_END).rpartition("_")[0]
    alone = next((stem for stem in beginnings if stem in stems), cut or path.stem)
    return next((key for key in keys if key in projects), (_holder(file), alone))


def words_of(project: MmaxDocument, words: Sequence[ExportFile]) -> ExportFile:
    """Return the file with the project's words.

    Raises BadInput where the .mmax file names none, the export has none of that name, or has several that
    differ and are equally near.
    """
    names = [f"{project.stem}{end}" for end in WORDS_ENDS]
    if project.file is not None:
        names = [_named_words(project.file)]
    candidates = [file for name in names for file in words if PurePosixPath(file.name).name == name]
    if not candidates:
        raise project.first.refused(f'has no words: no file "{names[0]}" is in the export.', MEND)
    # How many folders a file shares with the project.
    near = [
        len(PurePosixPath(commonpath([PurePosixPath(candidate.name).parent, project.folder])).parts)
        for candidate in candidates
    ]
    nearest = [file for file, shared in zip(candidates, near, strict=True) if shared == max(near)]
    if len({file.content for file in nearest}) > 1:
        message = f'has words in {len(nearest)} files "{names[0]}" that differ.'
        raise project.first.refused(message, MEND)
    return nearest[0]


def _named_words(file: ExportFile) -> str:
    """Return the name of the words that an .mmax file points at."""
    root = parse_xml(file)
    name = next((text_of(element).strip() for element in children(root, "words")), "")
    if not name:
        raise file.refused("names no file of words in an element words.", MEND, line_of_element(root))
    return PurePosixPath(name.replace("\\", "/")).name


def name_projects(
    projects: Sequence[MmaxDocument], texts: Sequence[str], options: ReaderOptions
) -> list[FileAttribution]:
    """Return for each project whose it is and of which document.

    The option `path` says it, compared with the paths of .mmax files; else the folders that have
    "markables" are the annotators, where there are several; else texts and names say it.
    """
    files = [
        ExportFile(project.first.path, str(project.folder / f"{project.stem}{PROJECT}"))
        for project in projects
    ]
    if options.path is not None:
        return named_by_path(files, options.path)
    holders = {
        project.folder
        for project in projects
        if any(_holder(file) != PurePosixPath(file.name).parent for file in project.levels)
    }
    if len(holders) < 2 or any(project.folder not in holders for project in projects):
        return name_files(files, texts, options, (PROJECT,))
    shared = commonpath([project.folder.parent for project in projects])
    return [
        FileAttribution(project.folder.name, str(project.folder.parent.relative_to(shared) / project.stem))
        for project in projects
    ]


# The words of an MMAX2 document, and the stretches of text that a markable spans.


@dataclass(frozen=True)
class Words:
    """The words of a document: the text, where each word is, and its place in the file's order.

    `repeated` counts the words whose id an earlier one has already, so that no markable can mean them.
    """

    file: str
    text: str
    spans: Sequence[Span]
    indices: Mapping[str, int]
    repeated: int


class WordsMissing(BadInput):
    """A markable names a word that is not there."""


def read_words(file: ExportFile) -> Words:
    """Return the words in the order of the file; raise BadInput where one has no id."""
    elements = list(children(parse_xml(file), "word"))
    raise_first_problems(
        _problem(file, element, "a word has no id.") for element in elements if not element.get("id")
    )
    indices: dict[str, int] = {}
    for index, element in enumerate(elements):
        indices.setdefault(element.get("id", ""), index)
    texts = [text_of(element).strip() for element in elements]
    starts = accumulate((len(text) + 1 for text in texts), initial=0)
    spans = [(start, start + len(text)) for text, start in zip(texts, starts, strict=False)]
    return Words(file.name, " ".join(texts), spans, indices, len(spans) - len(indices))


def spans_of(file: ExportFile, element: "Element", words: Words) -> tuple[Span, ...]:
    """Return the stretches that a markable spans: neighbouring words are one, with the space between.

    Raises WordsMissing where it names a word that is not there, and BadInput where it spans none.
    """
    span = (element.get("span") or "").strip()
    if local_name(element) != "markable" or not span:
        what = f"an element {local_name(element)}" if span else "a markable without a span"
        raise BadInput([_problem(file, element, f"has {what} where a markable with one was expected.")])
    written = [part.strip() for part in span.split(",")]
    ends = [(first, last or first) for first, _, last in (part.partition("..") for part in written)]
    missing = next((name for pair in ends for name in pair if name not in words.indices), None)
    if missing is not None:
        message = f'a markable spans "{missing[:40]}", which is not among the words.'
        raise WordsMissing([_problem(file, element, message)])
    ranges = [(words.indices[first], words.indices[last]) for first, last in ends]
    for part, (first, last) in zip(written, ranges, strict=True):
        if first > last:
            message = f'a markable spans "{part[:60]}", whose last word is before its first.'
            raise BadInput([_problem(file, element, message)])
    merged: list[Span] = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(last, merged[-1][1])
        else:
            merged.append((first, last))
    return tuple((words.spans[first][0], words.spans[last][1]) for first, last in merged)


def _problem(file: ExportFile, element: "Element", message: str) -> Problem:
    return file.problem(message, MEND, line_of_element(element))


# MMAX2: a file of words, and markables over ranges of them, a file for each level.

KINDS = ("mmax_project", "words", "markables")
OWN, WORDS, LEVELS = KINDS
ABOUT_PROJECTS = ("annotationscheme", "common_paths", "customization", "customizations")
ABOUT_FILES = (".dtd", ".xsl")
# What a markable says about itself; everything else that it says is a feature.
NOT_FEATURES = ("id", "span", "mmax_level")
# A document may have slips; where more of its markables than this miss a word, these are other words.
MOST_ASTRAY = 0.1
ASTRAY = "a markable over a word that is not there"
READING = (
    "MMAX2: the words joined by spaces are the text, the category of a markable is its level, "
    "and a project without any level was not annotated"
)


# The words of a project, its marks, and the problems of markables over words that are not there.
Content = tuple[Words, list[ParsedMark], list[Problem]]


def _kind(file: ExportFile) -> str:
    """Return what a file is by its root element, by its name where it has none; "" for something else."""
    root = root_name(file)
    if root:
        return root if root in KINDS else ""
    name = file.path.name
    endings = {PROJECT: OWN, WORDS_ENDS[0]: WORDS, LEVEL_END: LEVELS}
    return next((kind for ending, kind in endings.items() if name.endswith(ending)), "")


def recognises(file: ExportFile) -> bool:
    """Say whether the file is a project, its words or a level of markables."""
    return bool(_kind(file))


def accompanies(file: ExportFile) -> bool:
    """Say whether the file is a scheme, a style or another that configures a project."""
    return file.suffix in ABOUT_FILES or root_name(file) in ABOUT_PROJECTS


def read(files: Sequence[ExportFile], options: ReaderOptions) -> Export:
    """Return each annotator's copy of each document.

    A level's file, also an empty one, means that the document was seen; a project without any, that it
    was not. A few faulty projects are left out, with a warning. Where there are more, raises BadInput with
    every markable that spans no words, and all words that are missing.
    """
    kinds = {file: _kind(file) for file in files}
    message = f"is not a file of MMAX2: its root element is none of {', '.join(KINDS)}."
    # Only a forced format brings others here.
    unknown = [file for file, kind in kinds.items() if not kind and not accompanies(file)]
    if unknown:
        raise BadInput(file.problem(message, "Choose another format.") for file in unknown)
    own, words, levels = ([file for file, kind in kinds.items() if kind == file_kind] for file_kind in KINDS)
    read_content = _content_of(words)
    projects, contents, faulty = split_unreadable(find_projects(own, levels, words), read_content)
    names = name_projects(projects, [content.text for content, _, _ in contents], options)
    bodies = [
        UnattributedMarks(
            project.first.name, content.text, marks, state="seen" if project.levels else "unseen"
        )
        for project, (content, marks, _) in zip(projects, contents, strict=True)
    ]
    astray = tuple(
        ExcludedMarks(problem.file, problem.line, name.annotator, ASTRAY, 1)
        for name, (_, _, problems) in zip(names, contents, strict=True)
        for problem in problems
    )
    reading = _reading([content for content, _, _ in contents])
    return list_unreadable(replace(export_of(files, bodies, names, reading), left_out=astray), faulty)


def _reading(words: Sequence[Words]) -> str:
    """Return how the files were understood, and how many words can't be meant."""
    repeated = sum({document_words.file: document_words.repeated for document_words in words}.values())
    if not repeated:
        return f"{READING}."
    what = f"{repeated} words have ids that earlier ones have"
    if repeated == 1:
        what = "1 word has an id that an earlier one has"
    return f"{READING}; {what}, which is then meant."


def _content_of(files: Sequence[ExportFile]) -> Callable[[MmaxDocument], Content]:
    """Return what reads words and marks of a project, or raises BadInput with what is wrong in it."""
    read_once = cache(read_words)

    def content(project: MmaxDocument) -> Content:
        words, problems = tried([project], lambda document: read_once(words_of(document, files)))
        marked, more = tried(
            [project], lambda document: _marks_of_levels(document, words[0] if words else None)
        )
        if problems or more:
            raise BadInput([*problems, *more])
        return words[0], *marked[0]

    return content


def _marks_of_levels(project: MmaxDocument, words: Words | None) -> tuple[list[ParsedMark], list[Problem]]:
    """Return the marks of all levels and those astray; without words, only say what is not well-formed."""
    astray: list[Problem] = []
    levels, problems = tried(project.levels, lambda file: _level(project, file, words, astray))
    marks = [mark for level in levels for mark in level]
    if len(astray) > MOST_ASTRAY * (len(astray) + len(marks)):
        problems += shortened(astray)
    if problems:
        raise BadInput(problems)
    return marks, astray


def _level(
    project: MmaxDocument, file: ExportFile, words: Words | None, astray: list[Problem]
) -> list[ParsedMark]:
    """Return the marks of a level, and add those astray."""
    root = parse_xml(file)
    if words is None:
        return []
    level = str(root.tag).rpartition("}")[0].rpartition("/")[2] or project.level(file)
    shown = file.name if file.name != project.first.name else ""
    marks: list[ParsedMark] = []
    problems: list[Problem] = []
    for element in children(root):
        try:
            spans = spans_of(file, element, words)
        except BadInput as error:
            (astray if isinstance(error, WordsMissing) else problems).extend(error.problems)
            continue
        by_name = attributes(element)
        features = {key: value for key, value in by_name.items() if key not in NOT_FEATURES}
        kind = by_name.get("mmax_level") or level
        marks.append(
            ParsedMark(kind, spans, features, line_of_element(element), by_name.get("id", ""), shown)
        )
    raise_first_problems(problems)
    return marks


READER = Reader(
    name="mmax2",
    title="MMAX2 project",
    tool="MMAX2",
    extensions=(PROJECT, ".xml"),
    reads=(
        "Markables of each level, including discontinuous ones, with their attributes. The folder of "
        "the markables names the annotator."
    ),
    leaves_out=(
        "Schemes and styles, because they only say how to annotate; markables over words that do not exist."
    ),
    recognises=recognises,
    read=read,
    accompanies=accompanies,
    says=(ASTRAY,),
)
