"""The files of an MMAX2 export put together: projects with their words and their levels of markables."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os.path import commonpath
from pathlib import PurePosixPath

from reportgen.base.errors import BadInput, Problem
from reportgen.readers.naming import FileAttribution, name_files, named_by_path
from reportgen.readers.reader import ExportFile, ReaderOptions
from reportgen.readers.xml import children, parse, text_of

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
    root = parse(file)
    name = next((text_of(each).strip() for each in children(root, "words")), "")
    if not name:
        message = "names no file of words in an element words."
        raise BadInput([Problem(file.name, int(root.sourceline or 0), message=message, mend=MEND)])
    return PurePosixPath(name.replace("\\", "/")).name


def _shared(path: PurePosixPath, folder: PurePosixPath) -> int:
    """Return how many folders two paths share from the top."""
    pairs = list(zip(path.parent.parts, folder.parts, strict=False))
    return next((place for place, (one, other) in enumerate(pairs) if one != other), len(pairs))


def _refused(project: MmaxDocument, message: str) -> BadInput:
    return BadInput([Problem(project.first.name, message=message, mend=MEND)])


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
