"""MMAX2: a file of words, and markables over ranges of them, a file for each level."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os.path import commonpath
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from reportgen.base.errors import BadInput, Problem, for_each, tried
from reportgen.readers.annotations import ExcludedMarks
from reportgen.readers.naming import FileAttribution, name_files, named_by_path
from reportgen.readers.reader import (
    Copy,
    Export,
    ExportFile,
    ParsedMark,
    Reader,
    ReaderOptions,
    Span,
    refuse,
    shortened,
)
from reportgen.readers.untrusted import (
    attributes,
    children,
    line_of,
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


@dataclass(frozen=True)
class Level:
    """A file of markables, and the level that its name says."""

    file: ExportFile
    name: str


@dataclass(frozen=True)
class MmaxDocument:
    """A document in the hands of an annotator: the .mmax file, where there is one, and its levels.

    `folder` is where the .mmax file stands or would stand: above the folder "markables".
    """

    folder: PurePosixPath
    stem: str
    file: ExportFile | None
    levels: tuple[Level, ...]

    @property
    def first(self) -> ExportFile:
        """The file that stands for the project: its own, or that of its first level."""
        return self.file or self.levels[0].file


def find_projects(
    own: Sequence[ExportFile], levels: Sequence[ExportFile], words: Sequence[ExportFile]
) -> list[MmaxDocument]:
    """Return the projects, in the order of their .mmax files, then those that have only markables.

    A level belongs to the project in its folder or the nearest above whose name its own begins with.
    """
    projects = {_key(file): file for file in own}
    stems = {_stem_of_words(file) for file in words}
    found: dict[tuple[PurePosixPath, str], list[Level]] = {key: [] for key in projects}
    for file in levels:
        key = _project_of(file, projects, stems)
        name = PurePosixPath(file.name).name.removeprefix(key[1]).removeprefix("_")
        level = name.removesuffix(".xml").removesuffix(LEVEL_END.removesuffix(".xml"))
        found.setdefault(key, []).append(Level(file, level))
    whole = [MmaxDocument(*key, projects.get(key), tuple(each)) for key, each in found.items()]
    return _by_holder(whole) if any(map(_has_level_twice, whole)) else whole


def _has_level_twice(project: MmaxDocument) -> bool:
    names = [level.name for level in project.levels]
    return len(set(names)) < len(names)


def _by_holder(projects: Sequence[MmaxDocument]) -> list[MmaxDocument]:
    """Return a project for each folder that holds markables, where annotators share the .mmax files.

    A project of which a folder has no markables was not opened by whoever works there.
    """
    holders = sorted({_holder(level.file) for project in projects for level in project.levels})
    return [
        replace(project, folder=holder, levels=tuple(_held(project, holder)))
        for project in projects
        for holder in holders
        if project.file is not None or any(_held(project, holder))
    ]


def _held(project: MmaxDocument, holder: PurePosixPath) -> Iterator[Level]:
    return (level for level in project.levels if _holder(level.file) == holder)


def _holder(file: ExportFile) -> PurePosixPath:
    """Return the folder that holds a level, the one above where that is called "markables"."""
    folder = PurePosixPath(file.name).parent
    return folder.parent if folder.name.lower() == MARKABLES else folder


def _key(file: ExportFile) -> tuple[PurePosixPath, str]:
    path = PurePosixPath(file.name)
    return path.parent, path.stem


def _stem_of_words(file: ExportFile) -> str:
    name = PurePosixPath(file.name).name
    return name.removesuffix(next((end for end in WORDS_ENDS if name.endswith(end)), ""))


def _project_of(
    file: ExportFile, projects: Mapping[tuple[PurePosixPath, str], ExportFile], stems: set[str]
) -> tuple[PurePosixPath, str]:
    """Return the folder and stem of the project that a level belongs to."""
    path = PurePosixPath(file.name)
    beginnings = [path.name[:place] for place, char in enumerate(path.name) if char == "_"][::-1]
    for folder in path.parents:
        for stem in beginnings:
            if (folder, stem) in projects:
                return folder, stem
    folder = _holder(file)
    cut = path.name.removesuffix(LEVEL_END).rpartition("_")[0]
    return folder, next((stem for stem in beginnings if stem in stems), cut or path.stem)


def words_of(project: MmaxDocument, words: Sequence[ExportFile]) -> ExportFile:
    """Return the file with the project's words.

    Raises BadInput where the .mmax file names none, the export has none of that name, or has several that
    differ and are equally near.
    """
    wanted = [f"{project.stem}{end}" for end in WORDS_ENDS]
    if project.file is not None:
        wanted = [_named_words(project.file)]
    found = [file for name in wanted for file in words if PurePosixPath(file.name).name == name]
    if not found:
        raise _refused(project, f'has no words: no file "{wanted[0]}" is in the export.')
    nearness = {file.name: _shared(PurePosixPath(file.name), project.folder) for file in found}
    nearest = [file for file in found if nearness[file.name] == max(nearness.values())]
    if len({file.content for file in nearest}) > 1:
        raise _refused(project, f'has words in {len(nearest)} files "{wanted[0]}" that differ.')
    return nearest[0]


def _named_words(file: ExportFile) -> str:
    """Return the name of the words that an .mmax file points at."""
    root = parse_xml(file)
    name = next((text_of(each).strip() for each in children(root, "words")), "")
    if not name:
        raise file.refused("names no file of words in an element words.", MEND, int(root.sourceline or 0))
    return PurePosixPath(name.replace("\\", "/")).name


def _shared(path: PurePosixPath, folder: PurePosixPath) -> int:
    """Return how many folders two paths share from the top."""
    pairs = list(zip(path.parent.parts, folder.parts, strict=False))
    return next((place for place, (one, other) in enumerate(pairs) if one != other), len(pairs))


def _refused(project: MmaxDocument, message: str) -> BadInput:
    return project.first.refused(message, MEND)


def name_projects(
    projects: Sequence[MmaxDocument], texts: Sequence[str], options: ReaderOptions
) -> list[FileAttribution]:
    """Return for each project whose it is and of which document.

    The option `path` says it, compared with the paths of .mmax files; else the folders that hold
    "markables" are the annotators, where there are several; else texts and names say it.
    """
    files = [ExportFile(each.first.path, str(each.folder / f"{each.stem}{PROJECT}")) for each in projects]
    if options.path is not None:
        return named_by_path(files, options.path)
    holders = {each.folder for each in projects if any(map(_is_in_markables, each.levels))}
    if len(holders) < 2 or any(each.folder not in holders for each in projects):  # noqa: PLR2004 - one annotator
        return name_files(files, texts, options, (PROJECT,))
    above = [each.folder.parent for each in projects]
    shared = commonpath([str(each) for each in above])
    return [
        FileAttribution(each.folder.name, str(folder.relative_to(shared) / each.stem))
        for each, folder in zip(projects, above, strict=True)
    ]


def _is_in_markables(level: Level) -> bool:
    return PurePosixPath(level.file.name).parent.name.lower() == MARKABLES


# The words of an MMAX2 document, and the stretches of text that a markable spans.


@dataclass(frozen=True)
class Words:
    """The words of a document: the text, where each word stands, and its place in the file's order.

    `repeated` counts the words whose id an earlier one has already, so that no markable can mean them.
    """

    file: str
    text: str
    spans: tuple[Span, ...]
    places: Mapping[str, int]
    repeated: int


class WordsMissing(BadInput):
    """A markable names a word that is not there."""


def read_words(file: ExportFile) -> Words:
    """Return the words in the order of the file; raise BadInput where one has no id."""
    places: dict[str, int] = {}
    spans: list[Span] = []
    parts: list[str] = []
    problems: list[Problem] = []
    end = -1
    for place, each in enumerate(children(parse_xml(file), "word")):
        name = each.get("id") or ""
        if not name:
            problems.append(_problem(file, each, "a word has no id."))
        places.setdefault(name, place)
        parts.append(text_of(each).strip())
        start = end + 1
        end = start + len(parts[-1])
        spans.append((start, end))
    refuse(problems)
    return Words(file.name, " ".join(parts), tuple(spans), places, len(spans) - len(places))


def spans_of(file: ExportFile, element: "Element", words: Words) -> tuple[Span, ...]:
    """Return the stretches that a markable spans: neighbouring words are one, with the space between.

    Raises WordsMissing where it names a word that is not there, and BadInput where it spans none.
    """
    span = (element.get("span") or "").strip()
    if local_name(element) != "markable" or not span:
        what = f"an element {local_name(element)}" if span else "a markable without a span"
        raise BadInput([_problem(file, element, f"has {what} where a markable with one was expected.")])
    ranges = sorted(_range(file, element, each.strip(), words) for each in span.split(","))
    merged = ranges[:1]
    for first, last in ranges[1:]:
        if first <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(last, merged[-1][1])
        else:
            merged.append((first, last))
    return tuple((words.spans[first][0], words.spans[last][1]) for first, last in merged)


def _range(file: ExportFile, element: "Element", written: str, words: Words) -> Span:
    """Return the places of the first and last word of "word_3..word_7", both of which belong to it."""
    first, _, last = written.partition("..")
    ends = (first, last or first)
    missing = next((end for end in ends if end not in words.places), None)
    if missing is not None:
        message = f'a markable spans "{missing[:40]}", which is not among the words.'
        raise WordsMissing([_problem(file, element, message)])
    start, end_place = (words.places[end] for end in ends)
    if start > end_place:
        message = f'a markable spans "{written[:60]}", whose last word stands before its first.'
        raise BadInput([_problem(file, element, message)])
    return start, end_place


def _problem(file: ExportFile, element: "Element", message: str) -> Problem:
    return file.problem(message, MEND, line_of(element))


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


@dataclass(frozen=True)
class _Content:
    """The words of a project, its marks, and the markables over words that are not there."""

    words: Words
    marks: Sequence[ParsedMark]
    astray: Sequence[Problem]


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
    was not. Raises BadInput with every markable that spans no words, and all words that are missing.
    """
    by_kind = {kind: [file for file in files if _kind(file) == kind] for kind in KINDS}
    message = f"is no file of MMAX2: its root element is none of {', '.join(KINDS)}."
    # Only a forced format brings others here.
    unknown = [file for file in files if not _kind(file) and not accompanies(file)]
    if unknown:
        raise BadInput(file.problem(message, "Choose another format.") for file in unknown)
    projects = find_projects(by_kind[OWN], by_kind[LEVELS], by_kind[WORDS])
    contents = _contents(projects, by_kind[WORDS])
    names = name_projects(projects, [each.words.text for each in contents], options)
    return Export(
        copies=[
            Copy(
                document=name.document,
                annotator=name.annotator,
                file=project.first.name,
                text=content.words.text,
                marks=content.marks,
                state="seen" if project.levels else "unseen",
            )
            for project, name, content in zip(projects, names, contents, strict=True)
        ],
        reading=_reading([each.words for each in contents]),
        sources=tuple(file.source for file in files),
        left_out=tuple(
            ExcludedMarks(problem.file, problem.line, name.annotator, ASTRAY, 1)
            for name, content in zip(names, contents, strict=True)
            for problem in content.astray
        ),
    )


def _reading(words: Sequence[Words]) -> str:
    """Return how the files were understood, and how many words can't be meant."""
    repeated = sum({each.file: each.repeated for each in words}.values())
    if not repeated:
        return f"{READING}."
    what = (
        "1 word has an id that an earlier one has"
        if repeated == 1
        else f"{repeated} words have ids that earlier ones have"
    )
    return f"{READING}; {what}, which is then meant."


def _contents(projects: Sequence[MmaxDocument], files: Sequence[ExportFile]) -> list[_Content]:
    """Return words and marks of each project; raise BadInput with what is wrong in any of them."""
    read_once: dict[str, Words | None] = {}

    def words(project: MmaxDocument) -> Words | None:
        file = words_of(project, files)
        if file.name not in read_once:
            read_once[file.name] = None  # what is wrong with them is said once
            read_once[file.name] = read_words(file)
        return read_once[file.name]

    def content(project: MmaxDocument) -> _Content:
        found, problems = tried([project], words)
        own = found[0] if found else None
        marked, more = tried([project], lambda each: _marked(each, own))
        if own is None or problems or more:
            raise BadInput([*problems, *more])
        return _Content(own, *marked[0])

    return for_each(projects, content)


def _marked(project: MmaxDocument, words: Words | None) -> tuple[list[ParsedMark], list[Problem]]:
    """Return the marks of all levels and those astray; without words, only say what is not well-formed."""
    astray: list[Problem] = []
    shown = project.first.name
    levels, problems = tried(project.levels, lambda level: _level(level, words, shown, astray))
    marks = [mark for level in levels for mark in level]
    if len(astray) > MOST_ASTRAY * (len(astray) + len(marks)):
        problems += shortened(astray)
    if problems:
        raise BadInput(problems)
    return marks, astray


def _level(level: Level, words: Words | None, shown: str, astray: list[Problem]) -> list[ParsedMark]:
    """Return the marks of a level, and add those astray; `shown` is the file that stands for the copy."""
    root = parse_xml(level.file)
    if words is None:
        return []
    name = str(root.tag).rpartition("}")[0].rpartition("/")[2] or level.name
    file = level.file.name if level.file.name != shown else ""
    marks: list[ParsedMark] = []
    problems: list[Problem] = []
    for each in children(root):
        try:
            spans = spans_of(level.file, each, words)
        except BadInput as error:
            (astray if isinstance(error, WordsMissing) else problems).extend(error.problems)
            continue
        found = attributes(each)
        features = {key: value for key, value in found.items() if key not in NOT_FEATURES}
        kind = found.get("mmax_level") or name
        marks.append(ParsedMark(kind, spans, features, line_of(each), found.get("id", ""), file))
    refuse(problems)
    return marks


READER = Reader(
    name="mmax2",
    title="MMAX2 project",
    tool="MMAX2",
    extensions=(PROJECT, ".xml"),
    reads=(
        "Markables of each level, discontinuous ones too, with their attributes; the folder that holds "
        "markables is the annotator."
    ),
    leaves_out="Schemes and styles, which say how to annotate; markables over words that are not there.",
    recognises=recognises,
    read=read,
    accompanies=accompanies,
)
