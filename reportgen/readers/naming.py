"""Who annotated which document, where the file does not say it and its path does."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain
from os.path import commonpath
from pathlib import PurePosixPath
from typing import TypeVar

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem
from reportgen.base.files import nfc
from reportgen.base.progress import at_once, processors
from reportgen.readers.annotations import ExcludedMarks, without_space
from reportgen.readers.reader import (
    DocumentCopy,
    Export,
    ExportFile,
    ParsedMark,
    ReaderOptions,
    Relation,
    State,
    forget_contents_after,
    raise_first_problems,
)
from reportgen.readers.untrusted import Unpacked, count_unpacked, unpacked_apart

Item = TypeVar("Item")
Result = TypeVar("Result")

SEPARATORS = "_.-"
SEPARATED = re.compile("[_.-]")
UNNAMED = "annotator"
UNTITLED = "document"
ARCHIVE = ".zip"
# How a folder's name ends that is a document's, as WebAnno and INCEpTION call it; nobody is called so.
DOCUMENTS = (
    *(".txt", ".xmi", ".xml", ".tsv", ".conll", ".html"),
    *(".htm", ".pdf", ".json", ".tcf", ".docx", ".rtf"),
)
# What parts of a corpus are called, and nobody is.
SPLIT = re.compile(r"(?i)(?:train|dev|test|valid|validation|val|eval)(?:ing)?(?:[\W_]?set)?")
# Of two copies of a text, one of which was changed, most words are the same.
NEARLY = 0.8
MOST_COPIES = 20
# Where more files than this share are called in one way, the others are exceptions.
MOST = 0.5
EXCEPTIONS_SHOWN = 3


@dataclass(frozen=True)
class FileAttribution:
    """What a file's path says: whose it is and of which document.

    `is_exception` says that the file is not called as most are.
    """

    annotator: str
    document: str
    layer: str = ""
    turn: str = ""  # the pass, which is a word of Python's
    is_exception: bool = False

    def __post_init__(self) -> None:
        """Write names as they are compared; some systems take the letters of file names apart."""
        for name in ("annotator", "document", "layer", "turn"):
            object.__setattr__(self, name, nfc(getattr(self, name)))


def name_files(
    files: Sequence[ExportFile],
    texts: Sequence[str],
    options: ReaderOptions,
    extensions: Sequence[str],
    inside: Sequence[FileAttribution | None] = (),
) -> list[FileAttribution]:
    """Return for each file whose it is and of which document.

    The option `path` says it, else what is `inside` each file, where it fits the texts, else the texts:
    files with the same text are copies of one document, and what differs in their paths is the annotator:
    the first folder ("anna/doc1.ann") or the last ("news/anna/doc1.ann"), the end or the beginning of the
    name ("doc1_anna.xmi", "anna_doc1.xmi"), or the whole name ("doc1/anna.tsv"). What fits most documents
    counts; files that are called otherwise are exceptions. Where no text comes twice, or the same text is in
    several documents, folders are annotators, unless they are called as documents are ("doc1.txt/anna.tsv");
    files in one folder that nearly have the same text are copies of one, so that the difference is found.
    Raises BadInput for paths that `path` does not fit.
    """
    if options.path is not None:
        return named_by_path(files, options.path)
    file_paths = _file_paths(files, extensions)
    groups = _same_texts(file_paths, texts) or _nearly_same_texts(file_paths, texts)
    said = [names for names in inside if names]
    if groups and len(said) == len(files):
        by_path = dict(zip(file_paths, said, strict=True))
        if len(_fitting(by_path.get, groups)) == len(groups):
            return said
    convention = max(CONVENTIONS, key=lambda candidate: _fitness(candidate, groups, file_paths))
    if not groups or _fitness(convention, groups, file_paths)[0] == 0:
        convention = _by_name if any(map(_is_of_a_document, file_paths)) else _by_folder
    elif convention in (_by_end, _by_beginning):
        return _named_by_majority(convention, groups, file_paths)
    return _named_by(convention, file_paths)


def _named_by(convention: "Convention", file_paths: Sequence["_FilePath"]) -> list[FileAttribution]:
    return [
        convention(file_path) or FileAttribution((*file_path.folders, UNNAMED)[0], file_path.stem)
        for file_path in file_paths
    ]


def named_by_path(files: Sequence[ExportFile], pattern: str) -> list[FileAttribution]:
    """Return what a pattern such as "{annotator}/{document}" finds at the end of each file's path.

    Raises BadInput with every file that it does not fit.
    """
    attributions = [_match(file.name, pattern) for file in files]
    remedy = "Correct path, which is compared with the end of each file's path."
    raise_first_problems(
        file.problem(f'does not fit the path "{pattern}".', remedy)
        for file, names in zip(files, attributions, strict=True)
        if names is None
    )
    return [names for names in attributions if names is not None]


def annotators_by_stem(files: Sequence[ExportFile], options: ReaderOptions) -> list[str]:
    """Return whose each file is where a tool calls it so ("anna.jsonl"), unless `path` says otherwise.

    Where all are called the same, or as parts of a corpus, the folder or archive says it: "anna/dev.jsonl".
    """
    if options.path is not None:
        return [names.annotator for names in named_by_path(files, options.path)]
    stems = [PurePosixPath(file.name).stem or UNNAMED for file in files]
    if len(files) == 1 or (len(set(stems)) > 1 and not all(map(SPLIT.fullmatch, stems))):
        return stems
    folders = [file_path.folders[0] if file_path.folders else "" for file_path in _file_paths(files, ())]
    return [folder.removesuffix(ARCHIVE) or stem for folder, stem in zip(folders, stems, strict=True)]


def _match(name: str, pattern: str) -> FileAttribution | None:
    """Match the path, without its extension where the pattern has none.

    A place ends where what follows it first comes: to try later ends finds no more, and can take minutes.
    """
    before, *parts = re.split(r"\{(\w+)\}", pattern)
    places = [
        f"(?P<{name}>[^/]+?){re.escape(text)}" for name, text in zip(parts[::2], parts[1::2], strict=True)
    ]
    written = [re.escape(before), *(f"(?>{place})" for place in places[:-1]), *places[-1:]]
    path = PurePosixPath(name if "." in PurePosixPath(pattern).name else PurePosixPath(name).with_suffix(""))
    match = re.match(rf"(?:.*/)?{''.join(written)}\Z", str(path))
    if match is None:
        return None
    groups = match.groupdict("")
    return FileAttribution(
        groups.get("annotator") or UNNAMED,
        groups.get("document") or path.name,
        groups.get("layer", ""),
        groups.get("pass", ""),
    )


@dataclass(frozen=True)
class _FilePath:
    """A file's path: the folders below what all files share, the name, and the folder that it is in."""

    folders: tuple[str, ...]
    stem: str
    parent: str

    def named(self, annotator: str, document: str) -> FileAttribution | None:
        """Return whose the file is, with its document in the same folders; None where a name is empty."""
        path = "/".join((*self.folders, document))
        return FileAttribution(annotator, path) if annotator and document else None


def _file_paths(files: Sequence[ExportFile], extensions: Sequence[str]) -> list[_FilePath]:
    paths = [PurePosixPath(file.name) for file in files]
    shared = commonpath([path.parent for path in paths]) if paths else ""
    suffixes = {path.suffix.lower() for path in paths}
    endings = (*extensions, *suffixes) if len(suffixes) == 1 < len(files) else extensions
    return [
        _FilePath(
            path.relative_to(shared).parts[:-1],
            path.stem if path.suffix.lower() in endings else path.name,
            path.parent.name,
        )
        for path in paths
    ]


def _same_texts(file_paths: Sequence[_FilePath], texts: Sequence[str]) -> list[list[_FilePath]]:
    """Return the files that share a text with another, whatever its white space; empty texts say nothing."""
    groups: dict[str, list[_FilePath]] = {}
    for file_path, text in zip(file_paths, texts, strict=True):
        if text.strip():
            groups.setdefault(without_space(text), []).append(file_path)
    return [group for group in groups.values() if len(group) > 1]


def _nearly_same_texts(file_paths: Sequence[_FilePath], texts: Sequence[str]) -> list[list[_FilePath]]:
    """Return the files as one group where they lie in one folder and have nearly the same text."""
    if not 1 < len(file_paths) <= MOST_COPIES or any(file_path.folders for file_path in file_paths):
        return []
    first, *others = (Counter(text.split()) for text in texts)
    alike = all((first & other).total() >= NEARLY * max(first.total(), other.total(), 1) for other in others)
    return [list(file_paths)] if alike else []


def _is_of_a_document(file_path: _FilePath) -> bool:
    """Tell whether a file is in a folder that is called as a document: "doc1.txt/anna.tsv"."""
    return file_path.parent.lower().endswith(DOCUMENTS)


Convention = Callable[[_FilePath], FileAttribution | None]


def _by_folder(file_path: _FilePath) -> FileAttribution:
    annotator, *below = file_path.folders or (file_path.parent or UNNAMED,)
    return FileAttribution(annotator, "/".join((*below, file_path.stem)))


def _by_last_folder(file_path: _FilePath) -> FileAttribution | None:
    *above, last = file_path.folders or ("",)
    return FileAttribution(last, "/".join((*above, file_path.stem))) if above else None


def _by_end(file_path: _FilePath) -> FileAttribution | None:
    cut = max(0, *map(file_path.stem.rfind, SEPARATORS))
    return file_path.named(file_path.stem[cut + 1 :], file_path.stem[:cut])


def _by_beginning(file_path: _FilePath) -> FileAttribution | None:
    cut = min((at for at in map(file_path.stem.find, SEPARATORS) if at > 0), default=0)
    return file_path.named(file_path.stem[:cut], file_path.stem[cut + 1 :])


def _by_name(file_path: _FilePath) -> FileAttribution | None:
    return FileAttribution(file_path.stem, "/".join(file_path.folders) or file_path.parent or UNTITLED)


FOLDERS: tuple[Convention, ...] = (_by_folder, _by_last_folder)
CONVENTIONS: tuple[Convention, ...] = (*FOLDERS, _by_end, _by_beginning, _by_name)


def _fitting(
    convention: Convention, groups: Sequence[Sequence[_FilePath]]
) -> list[tuple[str, Sequence[_FilePath]]]:
    """Return the groups in which the files are copies of one document by different annotators, with it."""
    fitting: list[tuple[str, Sequence[_FilePath]]] = []
    for group in groups:
        attributions = [names for names in map(convention, group) if names]
        annotators = {names.annotator for names in attributions}
        documents = {names.document for names in attributions}
        if convention in FOLDERS and any(name.lower().endswith(DOCUMENTS) for name in annotators):
            continue
        if len(annotators) == len(group) and len(documents) == 1:
            fitting.append((documents.pop(), group))
    return fitting


def _fitness(
    convention: Convention, groups: Sequence[Sequence[_FilePath]], file_paths: Sequence[_FilePath]
) -> tuple[int, int]:
    """Return how many documents a convention finds of which groups are copies.

    Of conventions that find as many, the one with fewer annotators explains more.
    """
    documents = {document for document, _ in _fitting(convention, groups)}
    return len(documents), -len({names.annotator for names in map(convention, file_paths) if names})


def _without(stem: str, part: str) -> str:
    """Return what else is in the name of a file."""
    return stem.replace(part, "", 1).strip(SEPARATORS)


def _named_by_majority(
    convention: Convention, groups: Sequence[Sequence[_FilePath]], file_paths: Sequence[_FilePath]
) -> list[FileAttribution]:
    """Return what a convention says of most files, and of the others what their names and texts do.

    "d3_AB_final" is AB's copy of d3 where others are called "d1_AB" and "d3_CD"; who is not in the name of a
    file, as in that of "d3", has no name.
    """
    usual = [file_path for _, group in _fitting(convention, groups) for file_path in group]
    known = {names.annotator for names in map(convention, usual) if names}
    shortest = min(len(SEPARATED.split(file_path.stem)) for file_path in usual)
    whose = [names.annotator if names else "" for group in groups for names in map(convention, group)]
    if sum(annotator in known for annotator in whose) <= MOST * len(whose):
        return _named_by(convention, file_paths)
    copies_of = {file_path: group for group in groups for file_path in group}

    def exception(file_path: _FilePath, names: FileAttribution | None) -> FileAttribution:
        others = map(convention, copies_of.get(file_path, ()))
        documents = Counter(other.document for other in others if other and other.annotator in known)
        parts = SEPARATED.split(file_path.stem)
        own = [part for part in parts if part in known]
        annotator = own[0] if len(own) == 1 else ""
        if names and not documents and not annotator and len(parts) >= shortest:
            return names  # of somebody who has no document with others
        if documents:
            ((document, _),) = documents.most_common(1)
        else:
            document = "/".join((*file_path.folders, _without(file_path.stem, annotator)))
        rest = annotator or _without(file_path.stem, PurePosixPath(document).name)
        return FileAttribution(rest or UNNAMED, document, is_exception=True)

    attributions = [(file_path, convention(file_path)) for file_path in file_paths]
    return [
        names if names and names.annotator in known else exception(file_path, names)
        for file_path, names in attributions
    ]


# What files say about documents, on its way to copies.


@dataclass(frozen=True, slots=True)
class UnattributedMarks:
    """What one file says about one document, before it is known whose it is.

    `left_out` has the line and the reason of each mark that is not used, `warning` what should be looked at
    although it stops nothing, `inside` whose it is and of which document where the file says it. The types
    of marks that nobody asks for are `passed_over`, each with its first line and number.
    """

    file: str
    text: str | None
    marks: Sequence[ParsedMark] = ()
    relations: Sequence[Relation] = ()
    left_out: Sequence[tuple[int, str]] = ()
    state: State = "seen"
    warning: Problem | None = None
    inside: FileAttribution | None = None
    passed_over: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def all_left_out(self, annotator: str, reason: str) -> list[ExcludedMarks]:
        """Return everything that is marked, as left out for one reason."""
        lines = [*(mark.line for mark in self.marks), *(relation.line for relation in self.relations)]
        passed_over = [
            ExcludedMarks(self.file, line, annotator, reason, many)
            for line, many in self.passed_over.values()
        ]
        return [*(ExcludedMarks(self.file, line, annotator, reason, 1) for line in lines), *passed_over]


def export_of(
    files: Sequence[ExportFile],
    bodies: Sequence[UnattributedMarks],
    names: Sequence[FileAttribution],
    reading: str,
    *,
    project: bool = False,
) -> Export:
    """Return a copy for each body, and what is left out of it; `files` are all that were read.

    In a `project` of WebAnno or INCEpTION the category of a mark is a feature, the curator's copy a
    reference, and that of the template nobody's.
    """
    copies: list[DocumentCopy] = []
    left_out: list[ExcludedMarks] = []
    # Each file has the text of its document, which is kept once.
    texts: dict[str | None, str | None] = {}
    for body, name in zip(bodies, names, strict=True):
        who = name.annotator
        left_out += [ExcludedMarks(body.file, line, who, reason, 1) for line, reason in body.left_out]
        if project and who == TEMPLATE:
            left_out += body.all_left_out("", OF_TEMPLATE)
        else:
            role = "reference" if project and _is_curated(body.file, who) else "annotator"
            text = texts.setdefault(body.text, body.text)
            content = body.file, text, body.marks, body.relations, body.state, role
            copy = DocumentCopy(name.document, who, *content, passed_over=body.passed_over)
            copies.append(copy)
    return Export(
        copies,
        reading,
        tuple(file.source for file in files),
        tuple(left_out),
        by_feature=project,
        warnings=(*_exceptions(bodies, names), *(body.warning for body in bodies if body.warning)),
    )


def _exceptions(bodies: Sequence[UnattributedMarks], names: Sequence[FileAttribution]) -> Iterator[Problem]:
    """Yield one warning of all files that are not called as most are, with whose they are taken for."""
    pairs = [(body.file, name) for body, name in zip(bodies, names, strict=True) if name.is_exception]
    if pairs:
        read = [
            f'{PurePosixPath(file).name} as the copy of "{name.document}" by "{name.annotator}"'
            for file, name in pairs[:EXCEPTIONS_SHOWN]
        ]
        more = f" and {len(pairs) - EXCEPTIONS_SHOWN:,} more" if len(pairs) > EXCEPTIONS_SHOWN else ""
        are = "1 file is" if len(pairs) == 1 else f"{len(pairs):,} files are"
        others = f"not called as the other {len(names) - len(pairs):,} are"
        message = f"{are} {others}, and read so: {'; '.join(read)}{more}."
        yield Problem(pairs[0][0], message=message, remedy="Rename what is read wrongly.")


# Faulty files, which are left out where they are few.

OF_FAULTY = "of a faulty file, whose marks are not counted"
# Where more files are faulty, something is wrong with the export.
MOST_FAULTY = 0.2


# From so many files on, copies of this process read some each, so many at a time: below, to make the copies
# takes as long.
MANY, AT_A_TIME = 300, 32
# What a step makes of one item, or all that is wrong with it, and what was unpacked on the way.
Attempt = tuple[Sequence[Result], Sequence[Problem], Sequence[Unpacked]]


def split_unreadable(
    items: Sequence[Item], step: Callable[[Item], Result]
) -> tuple[list[Item], list[Result], list[Problem]]:
    """Return the items that a step can read, what it makes of each, and the first problem of each other one.

    What the step returns has to be such as pickle takes. Raises BadInput with every problem where more than a
    fifth can't be read.
    """

    def attempts(some: Sequence[Item]) -> list[Attempt[Result]]:
        return [_attempt(item, step) for item in some]

    parts = [items[start : start + AT_A_TIME] for start in range(0, len(items), AT_A_TIME)]
    all_attempts = chain(*at_once(attempts, parts, processors() if len(items) >= MANY else 1))
    read, results = list[Item](), list[Result]()
    first_problems, problems = list[Problem](), list[Problem]()
    for item, attempt in zip(items, all_attempts, strict=True):
        made, wrong = _counted(attempt)
        results += made
        read += [item] * len(made)
        problems += wrong
        first_problems += wrong[:1]
    if len(first_problems) > MOST_FAULTY * len(items):
        raise BadInput(problems)
    return read, results, first_problems


def _attempt(item: Item, step: Callable[[Item], Result]) -> Attempt[Result]:
    with forget_contents_after(), unpacked_apart() as unpacked:
        try:
            return [step(item)], (), unpacked.noted
        except BadInput as error:
            return (), error.problems, unpacked.noted


def _counted(attempt: Attempt[Result]) -> tuple[Sequence[Result], Sequence[Problem]]:
    """Return what was made, or is wrong; what was unpacked counts in the order of the files."""
    made, wrong, unpacked = attempt
    try:
        count_unpacked(unpacked)
    except BadInput as error:
        return (), error.problems
    return made, wrong


def list_unreadable(export: Export, problems: Sequence[Problem]) -> Export:
    """Return an export that lists the files without which it was read, each with a warning."""
    left_out = [ExcludedMarks(problem.file, problem.line, "", OF_FAULTY, 0) for problem in problems]
    warnings = [
        replace(problem, remedy=f"The file is left out. {problem.remedy}".rstrip()) for problem in problems
    ]
    return replace(export, left_out=(*export.left_out, *left_out), warnings=(*export.warnings, *warnings))


# Whose copy a file of WebAnno or INCEpTION is: an annotator's, the curator's, or the template of all.

CURATOR = "CURATION_USER"
TEMPLATE = "INITIAL_CAS"
CURATORS = ("curator", "curation", CURATOR.lower())
CURATION_FOLDER = "curation"
PROJECT_FOLDERS = ("annotation", CURATION_FOLDER)

OF_TEMPLATE = "of the template that all copies start from"


def project_export(
    files: Sequence[ExportFile],
    bodies: Sequence[UnattributedMarks],
    options: ReaderOptions,
    reader: tuple[Sequence[str], str],
    shown: Sequence[ExportFile],
) -> Export:
    """Return the copies of files of WebAnno or INCEpTION, each named by the path that `shown` has for it.

    `reader` has the extensions of a format and how it is read. The folders `annotation` and `curation` of an
    unpacked project are no part of a document's name. Raises BadInput for paths that the option `path` does
    not fit.
    """
    extensions, reading = reader
    own, paths = shown, [PurePosixPath(file.name) for file in shown]
    if options.path is None and any("annotation" in path.parts[:-1] for path in paths):
        document_folders = [
            [part for part in path.parts[:-1] if part not in PROJECT_FOLDERS] for path in paths
        ]
        own = [
            ExportFile(file.path, "/".join((*folders, path.name)))
            for file, path, folders in zip(own, paths, document_folders, strict=True)
        ]
    texts, inside = [body.text or "" for body in bodies], [body.inside for body in bodies]
    names = name_files(own, texts, options, extensions, inside)
    return export_of(files, bodies, names, reading, project=True)


def _is_curated(file: str, annotator: str) -> bool:
    """Say whether a copy is the curator's."""
    in_curation = CURATION_FOLDER in PurePosixPath(file).parts[:-1]
    return annotator == CURATOR or (in_curation and annotator.lower() in CURATORS)
