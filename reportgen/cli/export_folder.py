"""A folder of exports: what is in it, version by version, or all that stands in the way."""

import os
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from reportgen.base.errors import BadInput, Problem, for_each, quoted, reason
from reportgen.campaign.values import (
    IDENTIFIER,
    TAKEN_BESIDE_VERSIONS,
    WILDCARDS,
    Unfit,
    export_files,
    not_taken,
)
from reportgen.pipeline.notices import contradiction
from reportgen.readers import ExportFile, Ratings
from reportgen.readers.registry import Recognised, recognise
from reportgen.readers.survey import ExportSurvey, look
from reportgen.units import Expected, LabelFault, duplicates, label_faults, label_table, repeated_labels

# Names as ids: of the letters that an id may have, and different by more than case.

LONGEST = 40


def slug(name: str, otherwise: str = "x") -> str:
    """Return a name in the letters of an id."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    fitting = re.sub(r"\.{2,}", ".", re.sub(r"[^A-Za-z0-9._-]+", "-", plain))
    return fitting.strip("._-")[:LONGEST].rstrip("._-") or otherwise


def different(names: Iterable[str], otherwise: str = "x") -> list[str]:
    """Return an id for each name; those that are alike are numbered."""
    seen = set(TAKEN_BESIDE_VERSIONS)
    ids: list[str] = []
    for name in names:
        first = identity = slug(name, otherwise)
        number = 1
        while identity.casefold() in seen:
            number += 1
            identity = f"{first}-{number}"
        seen.add(identity.casefold())
        ids.append(identity)
    return ids


# Which files are of which guidelines version, by the names of folders and files.

EXPORTS = "exports"
ONLY = "1.0"
# "v1", "v1.2", "version-3", "round2", "pilot": a version in the name of a file or folder.
MARKED = re.compile(
    r"(?:^|(?<=[\W_]))(v\.?[\s_-]?\d+(?:\.\d+)*"
    r"|(?:version|ver|guidelines?|round|phase|stage|iteration|runde|tour)[\s_-]?\d+(?:\.\d+)*"
    r"|(?:pilot|training)[\s_-]?\d*(?:\.\d+)*)(?![A-Za-z0-9])",
    re.IGNORECASE,
)
# "1.0", "pilot", "main-2": what folders are called that hold a version each, and annotators are not.
OF_FOLDERS = re.compile(r"\d+(?:\.\d+)+|(?:pilot|training|main|final|production)[\s_-]?\d*", re.IGNORECASE)
# What comes before anything else is annotated.
FIRST = re.compile(r"pilot|training", re.IGNORECASE)
# With more names at the top, "*.ann" says it better.
MOST_NAMES = 8


# A version by its id: the names that lead to its files from the campaign's folder, and the files.
VersionFiles = tuple[str, tuple[str, ...], tuple[ExportFile, ...]]


@dataclass(frozen=True)
class VersionFound:
    """One guidelines version: its files, and what is in them.

    `exports` is what to write; `entries` are the names at the top of the folder that it takes files from.
    """

    id: str
    exports: tuple[str, ...]
    entries: frozenset[str]
    files: Recognised
    found: ExportSurvey


def parts_of(entries: Mapping[str, Sequence[ExportFile]], readable: Collection[str]) -> list[VersionFiles]:
    """Return the versions that the names tell of, in their order.

    Folders in `exports` are one each; else folders at the top, or in the only one there, that are all called
    like versions; else names at the top that all carry a version; else there is one.
    """
    known = {name: files for name, files in entries.items() if any(file.name in readable for file in files)}
    below = _folders_in(EXPORTS, entries.get(EXPORTS, ()), readable)
    if below:
        return _named({name: (f"{EXPORTS}/{name}",) for name in below}, below)
    if _are_versions(known):
        return _named({name: (name,) for name in known}, known)
    for only in known if len(known) == 1 else ():
        inside = _folders_in(only, known[only], readable)
        beside = {file.name for file in known[only]} - {
            file.name for each in inside.values() for file in each
        }
        if _are_versions(inside) and not beside.intersection(readable):
            return _named({name: (f"{only}/{name}",) for name in inside}, inside)
    marked = _by_mark(list(known)) if known else {}
    if marked:
        files = {mark: [file for name in names for file in known[name]] for mark, names in marked.items()}
        return _named(marked, files)
    return _named({ONLY: tuple(known)}, {ONLY: [file for files in known.values() for file in files]})


def _named(
    names: Mapping[str, Iterable[str]], files: Mapping[str, Sequence[ExportFile]]
) -> list[VersionFiles]:
    order = sorted((name for name in names if files[name]), key=_by_age)
    ids = zip(different(order), order, strict=True)
    return [(identity, tuple(names[name]), tuple(files[name])) for identity, name in ids]


def _are_versions(found: Mapping[str, Sequence[ExportFile]]) -> bool:
    """Tell whether names are those of folders that are all called like a version."""
    folders = all(each.name != name for name, files in found.items() for each in files)
    named = all(OF_FOLDERS.fullmatch(name) or MARKED.fullmatch(name) for name in found)
    return bool(found) and folders and named


def _folders_in(
    above: str, files: Sequence[ExportFile], readable: Collection[str]
) -> dict[str, list[ExportFile]]:
    """Return the files of each folder in the folder `above` that holds any readable one."""
    folders: dict[str, list[ExportFile]] = {}
    for file in files:
        inside, sign, _ = file.name.removeprefix(f"{above}/").partition("/")
        if sign:
            folders.setdefault(inside, []).append(file)
    return {name: found for name, found in folders.items() if any(file.name in readable for file in found)}


def _by_mark(names: Sequence[str]) -> dict[str, list[str]]:
    """Return the names by version, none where one carries no version.

    The rest of a name after its version ("v2_double") makes versions of their own, unless each version has
    the same rests, or there is a single one: these are annotators or documents.
    """
    found = {name: match for name in names if (match := MARKED.search(_stem(name)))}
    if len(found) < len(names):
        return {}
    rests: dict[str, set[tuple[str, str]]] = {}
    for match in found.values():
        rests.setdefault(match[0], set()).add((match.string[: match.start()], match.string[match.end() :]))
    same = len(set(map(frozenset, rests.values()))) == 1
    groups: dict[str, list[str]] = {}
    for name, match in found.items():
        groups.setdefault(match[0] if same else match.string[match.start() :], []).append(name)
    return groups


def _stem(name: str) -> str:
    """Return a name without its extension; the "2" of "v1.2" is none."""
    path = PurePosixPath(name)
    return path.stem if path.suffix and not path.suffix[1:].isdigit() else name


def _by_age(name: str) -> tuple[bool, list[tuple[bool, int, str]]]:
    """Return where a version comes by its name: pilots first, then by the numbers in it."""
    parts = re.split(r"(\d+)", name.casefold())
    numbers = [(not part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts]
    return FIRST.match(name) is None, numbers


def _written(folder: Path, names: Sequence[str]) -> Iterator[str]:
    """Yield what to write as exports: the names, or "*.ann" where there are many files."""
    if len(names) <= MOST_NAMES:
        yield from names
        return
    for suffix in dict.fromkeys(PurePosixPath(name).suffix for name in names):
        own, glob = [name for name in names if PurePosixPath(name).suffix == suffix], f"*{suffix}"
        plain = suffix and not WILDCARDS.intersection(suffix) and len(own) > 1
        # The names where the glob would match others too.
        alone = plain and [file.name for file in export_files(folder, [glob])] == sorted(own)
        yield from [glob] if alone else own


# A folder of exports: what is in it, version by version, or all that stands in the way.

CONFIGURATION = "campaign.toml"
# What is beside the exports in a campaign's folder, and in a published corpus.
BESIDE = re.compile(
    r"(campaign\.toml|(guidelines|distances|site)(\..*)?|(readme|licen[cs]e|copying|changelog|citation|notice)(\b.*)?)",
    re.IGNORECASE,
)
NAMES_SHOWN = 10


@dataclass(frozen=True)
class Survey:
    """What a folder holds: `id` is the campaign's, `name` the folder as the user calls it.

    `aside` are the files and folders at the top that no version reads.
    """

    id: str
    folder: Path
    name: str
    versions: tuple[VersionFound, ...]
    aside: tuple[str, ...]


def survey_folder(folder: Path) -> Survey:
    """Return what the exports in a folder hold.

    Raises BadInput, with every problem at once, for what can't become a campaign: no folder, a name that
    no campaign can have, a campaign.toml that is there already, files that are refused or faulty,
    nothing that can be read.
    """
    names = _names(folder)
    identity = Path(os.path.abspath(folder)).name  # noqa: PTH100 - Path.resolve would follow a link
    problems = list(_bad_name(identity, str(folder)))
    if os.path.lexists(folder / CONFIGURATION):
        remedy = f"Build it with `reportgen build {folder}`, or rename it to begin again."
        message = "is there already and is never overwritten."
        problems.append(Problem(str(folder / CONFIGURATION), message=message, remedy=remedy))
    versions: list[VersionFound] = []
    try:
        entries = _entries(folder, [name for name in names if not BESIDE.fullmatch(name)])
        versions = _versions(folder, entries)
    except BadInput as error:
        problems += error.problems
    if problems:
        raise BadInput(problems)
    if not versions:
        raise BadInput([_nothing(folder, names)])
    used = {name for version in versions for name in version.entries}
    aside = tuple(name for name in names if name not in used and name != CONFIGURATION)
    return Survey(identity, folder, str(folder), tuple(versions), aside)


def _names(folder: Path) -> list[str]:
    """Return what lies at the top of a folder, without hidden files; raise BadInput where it is none."""
    shown = str(folder)
    try:
        return sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
    except FileNotFoundError:
        problem = Problem(shown, message="there is no such folder.", remedy="Check the name.")
    except NotADirectoryError:
        remedy = "Name the folder of the exports."
        problem = Problem(shown, message="is a file; a folder of exports was expected.", remedy=remedy)
    except (OSError, ValueError) as error:
        remedy = "Check that you may read the folder."
        problem = Problem(shown, message=f"can't be read: {reason(error)}.", remedy=remedy)
    raise BadInput([problem])


def _bad_name(identity: str, shown: str) -> Iterator[Problem]:
    """Yield what `load` would say of the folder's name."""
    try:
        not_taken(identity)
    except Unfit as unfit:
        yield Problem(shown, message=f"the folder's name {unfit.message}", remedy="Rename the folder.")
    if not re.fullmatch(IDENTIFIER, identity):
        message = (
            f"the folder's name {quoted(identity)} is the campaign's id, which takes "
            'letters, digits, ".", "_" and "-" only, a letter or digit first.'
        )
        yield Problem(shown, message=message, remedy="Rename the folder.")


def _entries(folder: Path, names: Sequence[str]) -> dict[str, list[ExportFile]]:
    """Return the files of each file or folder at the top; raise BadInput for all that are refused."""
    entries: dict[str, list[ExportFile]] = {}
    problems: list[Problem] = []
    for name in (each for each in names if not _is_empty(folder / each)):
        try:
            entries[name] = [ExportFile(path, shown) for path, shown in export_files(folder, [name])]
        except Unfit as unfit:
            problems.append(Problem(str(folder), message=unfit.message, remedy=unfit.remedy))
    if problems:
        raise BadInput(problems)
    return entries


def _is_empty(path: Path) -> bool:
    """Say whether a folder holds no file that is not hidden."""
    if not path.is_dir() or path.is_symlink():
        return False
    hidden = [
        each.relative_to(path).parts for each in path.rglob("*") if not each.is_dir() or each.is_symlink()
    ]
    return all(any(part.startswith(".") for part in parts) for parts in hidden)


def _versions(folder: Path, entries: dict[str, list[ExportFile]]) -> list[VersionFound]:
    """Return what is in each version; raise BadInput with the problems of all that are faulty."""

    def found(part: VersionFiles, known: Recognised) -> VersionFound:
        identity, names, files = part
        entries = frozenset(PurePosixPath(file.name).parts[0] for file in files)
        exports = tuple(_written(folder, names))
        return VersionFound(identity, exports, entries, known, look(known.reader, known.read))

    try:
        known = recognise([file for files in entries.values() for file in files])
        others = [file for group in known.others.values() for file in group] if known else []
        readable = {file.name for file in (*(known.read if known else ()), *others)}
        parts = [(part, recognise(part[2])) for part in parts_of(entries, readable)]
        return for_each([(part, own) for part, own in parts if own], lambda each: found(*each))
    except BadInput as error:
        # Files are named as the user would type them.
        raise BadInput(
            replace(each, file=(folder / each.file).as_posix() if each.file else str(folder))
            for each in error.problems
        ) from None


def _nothing(folder: Path, names: Sequence[str]) -> Problem:
    shown = ", ".join(names[:NAMES_SHOWN])
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    looked = f"Looked at: {shown}{more}." if names else "It is empty."
    remedy = "The command `reportgen formats` lists what can be read."
    return Problem(str(folder), message=f"has no export in a known format. {looked}", remedy=remedy)


# What was found, as plain values: for whoever reads it, and as JSON.


def account(survey: Survey) -> dict[str, Any]:
    """Return all that a survey found."""
    return {
        "campaign": survey.id,
        "aside": list(survey.aside),
        "versions": list(map(_account_version, survey.versions)),
    }


def _account_version(version: VersionFound) -> dict[str, Any]:
    found, files = version.found, version.files
    columns = found.columns
    return {
        "version": version.id,
        "exports": list(version.exports),
        "format": files.reader.name,
        "title": files.reader.title,
        "tool": files.reader.tool,
        "files_read": len(files.read),
        "files_unread": [file.name for file in files.unread],
        "other_formats": {name: [file.name for file in own] for name, own in files.others.items()},
        "annotators": list(found.annotators),
        "roles": dict(found.roles),
        "documents": found.documents,
        "units": found.units,
        "unmarked": found.unmarked,
        "in_texts": found.in_texts,
        "marks": found.as_one_layer.marks,
        "labels": dict(found.as_one_layer.labels),
        "layers": [
            {"source": each.source, "kind": each.kind, "labels": dict(each.labels)} for each in found.layers
        ],
        "sources": list(found.sources),
        "reading": found.read[0].reading if found.read else "",
        "set_separator": found.set_separator,
        "columns": dict(columns.roles) if columns else {},
        "columns_to_choose_from": list(columns.names) if columns and found.to_choose else [],
        "choose_columns": found.to_choose,
    }


# What looks like an oversight in labels.


def of_folder(survey: Survey) -> Iterator[Problem]:
    """Yield what looks like an oversight in a folder, with the line of campaign.toml that settles it."""
    file = (Path(survey.name) / CONFIGURATION).as_posix()
    for place, version in enumerate(survey.versions, 1):
        several = f"version {version.id}: " if len(survey.versions) > 1 else ""
        for fault in _of_version(version):
            of_task = fault.key.startswith("task.")
            key = fault.key if of_task else f"guidelines.{place}.{fault.key}"
            message = f"{several}{fault.message}"
            yield Problem(file, key=key, message=message, remedy=fault.remedy)


def _of_version(version: VersionFound) -> Iterator[LabelFault]:
    """Yield the faults of each layer of a version; nothing is declared yet."""
    found = version.found
    for annotations in found.read:
        for each in annotations.warnings:
            where = f"{each.file}:{each.line}: " if each.line else f"{each.file}: "
            yield LabelFault("exports", f"{where}{each.message}", each.remedy)
        table = label_table(annotations, separator=found.set_separator)
        yield from label_faults(table, Expected())
        if isinstance(annotations.content, Ratings) and not found.set_separator:
            again, contradicting = duplicates(annotations.content)
            yield from repeated_labels(again)
            if contradicting:
                message, remedy = contradiction(contradicting)
                yield LabelFault("columns.pass", message, f"{remedy}: columns = {{ pass = … }}.")
