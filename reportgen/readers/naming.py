"""Who annotated which document, where the file does not say it and its path does."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os.path import commonpath
from pathlib import PurePosixPath

from reportgen.base.errors import Problem
from reportgen.readers.annotations import ExcludedMarks
from reportgen.readers.offsets import without_space
from reportgen.readers.reader import (
    Copy,
    Export,
    ExportFile,
    ParsedMark,
    ReaderOptions,
    Relation,
    State,
    refuse,
)

SEPARATORS = "_.-"
UNNAMED = "annotator"
UNTITLED = "document"
ARCHIVE = ".zip"
# Of two copies of a text, one of which was changed, most words are the same.
NEARLY = 0.8
MOST_COPIES = 20


@dataclass(frozen=True)
class FileAttribution:
    """What a file's path says: whose it is and of which document."""

    annotator: str
    document: str
    layer: str = ""
    turn: str = ""  # the pass, which is a word of Python's


def name_files(
    files: Sequence[ExportFile], texts: Sequence[str], options: ReaderOptions, extensions: Sequence[str]
) -> list[FileAttribution]:
    """Return for each file whose it is and of which document.

    The option `path` says it, else the texts do: files with the same text are copies of one document,
    and what differs in their paths is the annotator: the first folder ("anna/doc1.ann") or the last
    ("news/anna/doc1.ann"), the end or the beginning of the name ("doc1_anna.xmi", "anna_doc1.xmi"), or the
    whole name ("doc1/anna.tsv"). Where no text comes twice, folders are annotators; files in one folder that
    nearly have the same text are copies of one, so that the difference is found. Raises BadInput for paths
    that `path` does not fit.
    """
    if options.path is not None:
        return named_by_path(files, options.path)
    places = _places(files, extensions)
    groups = _same_texts(places, texts) or _nearly_same_texts(places, texts)
    convention = max(CONVENTIONS, key=lambda each: _fitness(each, groups, places))
    if not groups or _fitness(convention, groups, places)[0] == 0:
        convention = _by_folder
    return [convention(place) or FileAttribution(place.folder or UNNAMED, place.stem) for place in places]


def named_by_path(files: Sequence[ExportFile], pattern: str) -> list[FileAttribution]:
    """Return what a pattern such as "{annotator}/{document}" finds at the end of each file's path.

    Raises BadInput with every file that it does not fit.
    """
    expression = _expression(pattern)
    found = [_match(expression, file.name, pattern) for file in files]
    mend = "Correct path, which is compared with the end of each file's path."
    problems = [
        file.problem(f'does not fit the path "{pattern}".', mend)
        for file, names in zip(files, found, strict=True)
        if names is None
    ]
    refuse(problems)
    return [names for names in found if names is not None]


def annotators_by_stem(files: Sequence[ExportFile], options: ReaderOptions) -> list[str]:
    """Return whose each file is where a tool calls it so ("anna.jsonl"), unless `path` says otherwise.

    Where all are called the same, the folder or archive says it ("anna.zip/all.jsonl").
    """
    if options.path is not None:
        return [names.annotator for names in named_by_path(files, options.path)]
    stems = [PurePosixPath(file.name).stem or UNNAMED for file in files]
    if len(files) == 1 or len(set(stems)) > 1:
        return stems
    folders = [place.folder for place in _places(files, ())]
    return [folder.removesuffix(ARCHIVE) or stem for folder, stem in zip(folders, stems, strict=True)]


def _expression(pattern: str) -> "re.Pattern[str]":
    parts = re.split(r"\{(\w+)\}", pattern)
    written = [f"(?P<{part}>[^/]+?)" if place % 2 else re.escape(part) for place, part in enumerate(parts)]
    return re.compile(r"(?:.*/)?" + "".join(written) + r"\Z")


def _match(expression: "re.Pattern[str]", name: str, pattern: str) -> FileAttribution | None:
    """Match the path, without its extension where the pattern has none."""
    whole = name if "." in PurePosixPath(pattern).name else str(PurePosixPath(name).with_suffix(""))
    found = expression.match(whole)
    if found is None:
        return None
    given = found.groupdict()
    document = given.get("document") or PurePosixPath(whole).name
    layer, turn = given.get("layer") or "", given.get("pass") or ""
    return FileAttribution(given.get("annotator") or UNNAMED, document, layer, turn)


@dataclass(frozen=True)
class _Place:
    """A file's path below what all files share: the first folder, those below it, the name."""

    folder: str
    below: str
    stem: str
    parent: str

    @property
    def path(self) -> str:
        """All folders."""
        return "/".join(filter(None, (self.folder, self.below)))


def _places(files: Sequence[ExportFile], extensions: Sequence[str]) -> list[_Place]:
    folders = [str(PurePosixPath(file.name).parent) for file in files]
    shared = commonpath(folders) if folders else ""
    suffixes = {PurePosixPath(file.name).suffix.lower() for file in files}
    known = (*extensions, *suffixes) if len(suffixes) == 1 < len(files) else extensions
    return [_place(PurePosixPath(file.name), shared, known) for file in files]


def _place(path: PurePosixPath, shared: str, extensions: Sequence[str]) -> _Place:
    own = path.relative_to(shared) if shared else path
    stem = own.stem if own.suffix.lower() in extensions else own.name
    folders = own.parts[:-1]
    return _Place(folders[0] if folders else "", "/".join(folders[1:]), stem, path.parent.name)


def _same_texts(places: Sequence[_Place], texts: Sequence[str]) -> list[list[_Place]]:
    """Return the files that share a text with another, whatever its white space; empty texts say nothing."""
    groups: dict[str, list[_Place]] = {}
    for place, text in zip(places, texts, strict=True):
        if text.strip():
            groups.setdefault(without_space(text), []).append(place)
    return [group for group in groups.values() if len(group) > 1]


def _nearly_same_texts(places: Sequence[_Place], texts: Sequence[str]) -> list[list[_Place]]:
    """Return the files as one group where they lie in one folder and have nearly the same text."""
    if not 1 < len(places) <= MOST_COPIES or any(place.folder for place in places):
        return []
    first, *others = (Counter(text.split()) for text in texts)
    return [list(places)] if all(_nearly(first, other) for other in others) else []


def _nearly(one: Counter[str], other: Counter[str]) -> bool:
    return (one & other).total() >= NEARLY * max(one.total(), other.total(), 1)


Convention = Callable[[_Place], FileAttribution | None]


def _by_folder(place: _Place) -> FileAttribution | None:
    document = "/".join(filter(None, (place.below, place.stem)))
    return FileAttribution(place.folder or place.parent or UNNAMED, document)


def _by_last_folder(place: _Place) -> FileAttribution | None:
    above, _, last = place.path.rpartition("/")
    return FileAttribution(last, _in(above, place.stem)) if above else None


def _by_end(place: _Place) -> FileAttribution | None:
    cut = max(place.stem.rfind(separator) for separator in SEPARATORS)
    if cut <= 0 or cut == len(place.stem) - 1:
        return None
    return FileAttribution(place.stem[cut + 1 :], _in(place.path, place.stem[:cut]))


def _by_beginning(place: _Place) -> FileAttribution | None:
    cut = min((at for at in map(place.stem.find, SEPARATORS) if at > 0), default=0)
    if not cut or cut == len(place.stem) - 1:
        return None
    return FileAttribution(place.stem[:cut], _in(place.path, place.stem[cut + 1 :]))


def _by_name(place: _Place) -> FileAttribution | None:
    return FileAttribution(place.stem, place.path or place.parent or UNTITLED)


def _in(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


CONVENTIONS: tuple[Convention, ...] = (_by_folder, _by_last_folder, _by_end, _by_beginning, _by_name)


def _fitness(
    convention: Convention, groups: Sequence[Sequence[_Place]], places: Sequence[_Place]
) -> tuple[int, int]:
    """Return in how many groups the files are copies of one document by different annotators.

    Of conventions that fit as often, the one with fewer annotators explains more.
    """
    fitting = sum(_fits([convention(place) for place in group]) for group in groups)
    annotators = Counter(names.annotator for names in map(convention, places) if names)
    return fitting, -len(annotators)


def _fits(names: Sequence[FileAttribution | None]) -> bool:
    known = [each for each in names if each is not None]
    annotators = {each.annotator for each in known}
    documents = {each.document for each in known}
    return len(known) == len(names) == len(annotators) and len(documents) == 1


# What files say about documents, on its way to copies.


@dataclass(frozen=True, slots=True)
class Body:
    """What one file says about one document, before it is known whose it is.

    `left_out` has the line and the reason of each mark that is not used, `warning` what should be looked at
    although it stops nothing.
    """

    file: str
    text: str | None
    marks: Sequence[ParsedMark] = ()
    relations: Sequence[Relation] = ()
    left_out: Sequence[tuple[int, str]] = ()
    state: State = "seen"
    warning: Problem | None = None

    def copy(self, name: FileAttribution, role: str = "annotator") -> Copy:
        """Return the copy that the file holds."""
        who = name.document, name.annotator
        return Copy(*who, self.file, self.text, self.marks, self.relations, self.state, role)

    def unused(self, annotator: str) -> list[ExcludedMarks]:
        """Return what is left out of the copy."""
        return [ExcludedMarks(self.file, line, annotator, reason, 1) for line, reason in self.left_out]

    def lost(self, annotator: str, reason: str) -> list[ExcludedMarks]:
        """Return everything that is marked, as left out for one reason."""
        lines = [*(mark.line for mark in self.marks), *(each.line for each in self.relations)]
        return [ExcludedMarks(self.file, line, annotator, reason, 1) for line in lines]


def export_of(
    files: Sequence[ExportFile],
    bodies: Sequence[Body],
    names: Sequence[FileAttribution],
    reading: str,
    *,
    by_feature: bool = False,
) -> Export:
    """Return a copy for each body, and what is left out of it; `files` are all that were read."""
    named = list(zip(bodies, names, strict=True))
    return Export(
        copies=[body.copy(name) for body, name in named],
        reading=reading,
        sources=tuple(file.source for file in files),
        left_out=tuple(each for body, name in named for each in body.unused(name.annotator)),
        by_feature=by_feature,
        warnings=tuple(body.warning for body in bodies if body.warning),
    )


# Whose copy a file of WebAnno or INCEpTION is: an annotator's, the curator's, or the template of all.

CURATOR = "CURATION_USER"
TEMPLATE = "INITIAL_CAS"
CURATORS = ("curator", "curation", CURATOR.lower())
CURATION_FOLDER = "curation"
PROJECT_FOLDERS = ("annotation", CURATION_FOLDER)

OF_TEMPLATE = "of the template that all copies start from"


def name_bodies(
    files: Sequence[ExportFile], bodies: Sequence[Body], options: ReaderOptions, extensions: Sequence[str]
) -> list[FileAttribution]:
    """Return whose each file is and of which document, as `name_files` does.

    The folders `annotation` and `curation` of an unpacked project are no part of a document's name. Raises
    BadInput for paths that the option `path` does not fit.
    """
    unpacked = any("annotation" in PurePosixPath(file.name).parts[:-1] for file in files)
    if options.path is None and unpacked:
        files = [ExportFile(file.path, _without_folders(PurePosixPath(file.name))) for file in files]
    return name_files(files, [body.text or "" for body in bodies], options, extensions)


def _without_folders(path: PurePosixPath) -> str:
    return str(PurePosixPath(*(part for part in path.parts[:-1] if part not in PROJECT_FOLDERS), path.name))


def project_export(
    files: Sequence[ExportFile], bodies: Sequence[Body], names: Sequence[FileAttribution], reading: str
) -> Export:
    """Return each annotator's and the curator's copies, as `export_of` does; the template's is nobody's."""
    named = list(zip(bodies, names, strict=True))
    left_out: list[ExcludedMarks] = []
    for body, name in named:
        left_out += body.unused(name.annotator)
        left_out += body.lost("", OF_TEMPLATE) if name.annotator == TEMPLATE else []
    return Export(
        copies=[
            body.copy(name, _role(body.file, name.annotator))
            for body, name in named
            if name.annotator != TEMPLATE
        ],
        reading=reading,
        sources=tuple(file.source for file in files),
        left_out=tuple(left_out),
        by_feature=True,
        warnings=tuple(body.warning for body in bodies if body.warning),
    )


def _role(file: str, annotator: str) -> str:
    """Return "reference" for the curator's copy, "annotator" for everyone else's."""
    curated = CURATION_FOLDER in PurePosixPath(file).parts[:-1] and annotator.lower() in CURATORS
    return "reference" if curated or annotator == CURATOR else "annotator"
