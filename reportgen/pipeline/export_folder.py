"""A folder of exports: what is in it, version by version, or all that is in the way."""

import itertools
import os
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, for_each, quoted, reason, refused
from reportgen.base.site_folder import CAMPAIGNS
from reportgen.base.system import portable
from reportgen.campaign.toml_tables import (
    IDENTIFIER,
    KEPT,
    TAKEN_BESIDE_VERSIONS,
    WILDCARDS,
    Unfit,
    export_files,
    not_taken,
)
from reportgen.pipeline.reading import SETS_IN_TOML
from reportgen.readers import ExportFile, Ratings, Recognised, recognise
from reportgen.readers.survey import ExportSurvey, look
from reportgen.readers.table_reading import TableReading
from reportgen.readers.table_rows import RowChoice
from reportgen.readers.untrusted import to_be_looked_up
from reportgen.results.model import ONLY
from reportgen.units import (
    Expected,
    LabelFault,
    alike_annotators,
    duplicates,
    label_faults,
    label_table,
    repeated_labels,
)
from reportgen.units.label_checks import PASSES, PEOPLE, contradiction

# Names as ids: of the letters that an id may have, and different by more than case.

LONGEST = 40


def slug(name: str, otherwise: str = "x") -> str:
    """Return a name in the letters of an id."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    fitting = re.sub(r"\.{2,}", ".", re.sub(r"[^A-Za-z0-9._-]+", "-", plain))
    fitting = fitting.strip("._-")[:LONGEST].rstrip("._-") or otherwise
    return fitting if not fitting or portable(fitting) == fitting else f"x-{fitting}"[:LONGEST]


def unique_ids(names: Iterable[str], otherwise: str = "x") -> list[str]:
    """Return an id for each name; those that are alike are numbered."""
    used = set(TAKEN_BESIDE_VERSIONS)
    ids: list[str] = []
    for name in names:
        first = identity = slug(name, otherwise)
        number = 1
        while identity.casefold() in used:
            number += 1
            identity = f"{first}-{number}"
        used.add(identity.casefold())
        ids.append(identity)
    return ids


# Which files are of which guidelines version, by the names of folders and files.

EXPORTS = "exports"
# "v1", "v1.2", "version-3", "round2", "pilot": a version in the name of a file or folder.
MARKED = re.compile(
    r"(?:^|(?<=[\W_]))(v\.?[\s_-]?\d+(?:\.\d+)*"
    r"|(?:version|ver|guidelines?|round|phase|stage|iteration|runde|tour)[\s_-]?\d+(?:\.\d+)*"
    r"|(?:pilot|training)[\s_-]?\d*(?:\.\d+)*)(?![A-Za-z0-9])",
    re.IGNORECASE,
)
# "1.0", "pilot", "main-2": what folders of a version each are called, and annotators are not.
OF_FOLDERS = re.compile(r"\d+(?:\.\d+)+|(?:pilot|training|main|final|production)[\s_-]?\d*", re.IGNORECASE)
# What comes before anything else is annotated.
FIRST = re.compile(r"pilot|training", re.IGNORECASE)
# With more names at the top, "*.ann" says it better.
MOST_NAMES = 8


# A version by its id: the names that lead to its files from the campaign's folder, and the files.
VersionFiles = tuple[str, tuple[str, ...], tuple[ExportFile, ...]]


@dataclass(frozen=True)
class VersionSurvey:
    """One guidelines version: its files, and what is in them.

    `exports` is what to write; `entries` are the names at the top of the folder that it takes files from.
    """

    id: str
    exports: tuple[str, ...]
    entries: frozenset[str]
    files: Recognised
    export_survey: ExportSurvey


def versions_by_name(
    entries: Mapping[str, Sequence[ExportFile]], readable: Collection[str]
) -> list[VersionFiles]:
    """Return the versions that the names tell of, in their order.

    Folders in `exports` are one each; else folders at the top, or in the only one there, that are all called
    like versions; else names at the top that all carry a version; else there is one.
    """
    exports = {name: files for name, files in entries.items() if any(file.name in readable for file in files)}
    below = _folders_in(EXPORTS, entries.get(EXPORTS, ()), readable)
    if below:
        return _versions_of({name: (f"{EXPORTS}/{name}",) for name in below}, below)
    if _are_versions(exports):
        return _versions_of({name: (name,) for name in exports}, exports)
    for only in exports if len(exports) == 1 else ():
        inside = _folders_in(only, exports[only], readable)
        beside = {file.name for file in exports[only]} - {
            file.name for folder_files in inside.values() for file in folder_files
        }
        if _are_versions(inside) and not beside.intersection(readable):
            return _versions_of({name: (f"{only}/{name}",) for name in inside}, inside)
    marked = _by_mark(list(exports)) if exports else {}
    if marked:
        files = {mark: [file for name in names for file in exports[name]] for mark, names in marked.items()}
        return _versions_of(marked, files)
    return _versions_of(
        {ONLY: tuple(exports)}, {ONLY: [file for files in exports.values() for file in files]}
    )


def _versions_of(
    names: Mapping[str, Iterable[str]], files: Mapping[str, Sequence[ExportFile]]
) -> list[VersionFiles]:
    order = sorted((name for name in names if files[name]), key=_by_age)
    ids = zip(unique_ids(order), order, strict=True)
    return [(identity, tuple(names[name]), tuple(files[name])) for identity, name in ids]


def _are_versions(files_by_name: Mapping[str, Sequence[ExportFile]]) -> bool:
    """Tell whether names are those of folders that are all called like a version."""
    folders = all(file.name != name for name, files in files_by_name.items() for file in files)
    named = all(OF_FOLDERS.fullmatch(name) or MARKED.fullmatch(name) for name in files_by_name)
    return bool(files_by_name) and folders and named


def _folders_in(
    above: str, files: Sequence[ExportFile], readable: Collection[str]
) -> dict[str, list[ExportFile]]:
    """Return the files of each folder in the folder `above` that has any readable one."""
    folders: dict[str, list[ExportFile]] = {}
    for file in files:
        inside, sign, _ = file.name.removeprefix(f"{above}/").partition("/")
        if sign:
            folders.setdefault(inside, []).append(file)
    return {
        name: folder_files
        for name, folder_files in folders.items()
        if any(file.name in readable for file in folder_files)
    }


def _by_mark(names: Sequence[str]) -> dict[str, list[str]]:
    """Return the names by version, none where one carries no version.

    The rest of a name after its version ("v2_double") makes versions of their own, unless each version has
    the same rests, or there is a single one: these are annotators or documents.
    """
    marks = {name: match for name in names if (match := MARKED.search(_stem(name)))}
    if len(marks) < len(names):
        return {}
    rests: dict[str, set[tuple[str, str]]] = {}
    for match in marks.values():
        rests.setdefault(match[0], set()).add((match.string[: match.start()], match.string[match.end() :]))
    same = len(set(map(frozenset, rests.values()))) == 1
    groups: dict[str, list[str]] = {}
    for name, match in marks.items():
        groups.setdefault(match[0] if same else match.string[match.start() :], []).append(name)
    return groups


def _stem(name: str) -> str:
    """Return a name without its extension; the "2" of "v1.2" is none."""
    path = PurePosixPath(name)
    return path.stem if path.suffix and not path.suffix[1:].isdigit() else name


def comes_last(name: str, among: Iterable[str]) -> bool:
    """Tell whether a version is newer than others by its name."""
    return all(_by_age(other) < _by_age(name) for other in among)


def name_after(newest: str) -> str:
    """Return a name for the version after the newest one: "2.0" after "1.3", "v3" after "v2"."""
    first = re.search(r"\d+", newest)
    if first is None:
        return f"{newest}-2"
    rest = re.sub(r"\d+", "0", newest[first.end() :])
    return f"{newest[: first.start()]}{int(first[0]) + 1}{rest}"


def _by_age(name: str) -> tuple[bool, list[tuple[bool, int, str]]]:
    """Return where a version comes by its name: pilots first, then by the numbers in it."""
    parts = re.split(r"(\d+)", name.casefold())
    numbers = [(not part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts]
    return FIRST.match(name) is None, numbers


def _export_patterns(folder: Path, names: Sequence[str]) -> Iterator[str]:
    """Yield what to write as exports: the names, or "*.ann" where there are many files."""
    if len(names) <= MOST_NAMES:
        yield from names
        return
    for suffix in dict.fromkeys(PurePosixPath(name).suffix for name in names):
        names_of_suffix, glob = [name for name in names if PurePosixPath(name).suffix == suffix], f"*{suffix}"
        plain = suffix and not WILDCARDS.intersection(suffix) and len(names_of_suffix) > 1
        # The names where the glob would match others too.
        is_exact = plain and [file.name for file in export_files(folder, [glob])] == sorted(names_of_suffix)
        yield from [glob] if is_exact else names_of_suffix


# A folder of exports: what is in it, version by version, or all that is in the way.

CONFIGURATION = "campaign.toml"
# What is beside the exports in a campaign's folder, and in a published corpus.
BESIDE = re.compile(
    r"(campaign\.toml|init\.log|(guidelines|distances|site)(\..*)?|(readme|licen[cs]e|copying|changelog|citation|notice)(\b.*)?)",
    re.IGNORECASE,
)
NAMES_SHOWN = 10


@dataclass(frozen=True)
class Survey:
    """What is in a folder: `id` is the campaign's, `name` the folder as the user calls it.

    `aside` are the files and folders at the top that no version reads.
    """

    id: str
    folder: Path
    name: str
    versions: tuple[VersionSurvey, ...]
    aside: tuple[str, ...]


def survey_folder(
    folder: Path,
    said: Mapping[str, TableReading] | None = None,
    ours: Collection[str] = (),
    rows: Mapping[str, RowChoice] | None = None,
) -> Survey:
    """Return what is in the exports of a folder; `said` is how tables are to be read, by version.

    `rows` says which of their rows are.

    Files and folders at the top that are called like one of `ours` were made of them, and are passed over.

    Raises BadInput, with every problem at once, for what can't become a campaign: no folder, a name that
    no campaign can have, a campaign.toml that is there already, files that are refused or faulty,
    nothing that can be read.
    """
    names = [name for name in _names(folder) if name not in ours and not KEPT.fullmatch(name)]
    identity = Path(os.path.abspath(folder)).name  # noqa: PTH100 - Path.resolve would follow a link
    problems = list(_bad_name(identity, str(folder)))
    if os.path.lexists(folder / CONFIGURATION) and CONFIGURATION not in ours:
        remedy = f"Build it with `reportgen build {folder}`, or rename it to begin again."
        message = "is there already and is never overwritten."
        problems.append(Problem(str(folder / CONFIGURATION), message=message, remedy=remedy))
    entries: dict[str, list[ExportFile]] = {}
    versions: list[VersionSurvey] = []
    try:
        entries = _files_by_name(folder, [name for name in names if not BESIDE.fullmatch(name)])
        versions = _versions(folder, entries, said or {}, rows or {})
    except BadInput as error:
        problems += error.problems
    if problems:
        raise BadInput(problems)
    if not versions:
        files = itertools.chain.from_iterable(entries.values())
        raise BadInput([_no_export(folder, names, to_be_looked_up(files))])
    used = {name for version in versions for name in version.entries}
    aside = tuple(name for name in names if name not in {*used, CONFIGURATION})
    return Survey(identity, folder, str(folder), tuple(versions), aside)


def in_folders(survey: Survey) -> Iterator[tuple[str, str]]:
    """Yield where each file is, and where it is once each version has its folder in exports."""
    for version in survey.versions:
        files = version.files
        above = f"{version.exports[0]}/" if len(version.exports) == 1 else ""
        for file in itertools.chain(files.read, files.unread, *files.others.values()):
            yield file.name, f"{EXPORTS}/{version.id}/{file.name.removeprefix(above)}"


def campaigns_in(folder: Path) -> list[Path]:
    """Return the folders of campaigns that are to be described, none where a folder has exports itself.

    They are all that are in it where it is called campaigns, or where each has a folder exports; one that has
    a campaign.toml is described already. Raises BadInput where there is no such folder, or all are described.
    """
    inside = [folder / name for name in _names(folder) if not BESIDE.fullmatch(name)]
    if not inside or not all(map(Path.is_dir, inside)) or os.path.lexists(folder / CONFIGURATION):
        return []
    if Path(os.path.abspath(folder)).name != CAMPAIGNS.name and not all(  # noqa: PTH100 - as in survey_folder
        (path / EXPORTS).is_dir() for path in inside
    ):
        return []
    campaigns = [path for path in inside if not os.path.lexists(path / CONFIGURATION)]
    if not campaigns:
        message = f"has campaigns, each with its {CONFIGURATION} already."
        raise refused(str(folder), message=message, remedy="Build them: reportgen build.")
    return campaigns


def _names(folder: Path) -> list[str]:
    """Return what lies at the top of a folder, without hidden files; raise BadInput where it is not one."""
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


def _files_by_name(folder: Path, names: Sequence[str]) -> dict[str, list[ExportFile]]:
    """Return the files of each file or folder at the top; raise BadInput for all that are refused."""
    entries: dict[str, list[ExportFile]] = {}
    problems: list[Problem] = []
    for name in (name for name in names if not _is_empty(folder / name)):
        try:
            entries[name] = [ExportFile(path, shown) for path, shown in export_files(folder, [name])]
        except Unfit as unfit:
            problems.append(Problem(str(folder), message=unfit.message, remedy=unfit.remedy))
    if problems:
        raise BadInput(problems)
    return entries


def _is_empty(path: Path) -> bool:
    """Say whether a folder has no file that is not hidden."""
    if not path.is_dir() or path.is_symlink():
        return False
    files = (file for file in path.rglob("*") if not file.is_dir() or file.is_symlink())
    return all(any(part.startswith(".") for part in file.relative_to(path).parts) for file in files)


def _versions(
    folder: Path,
    entries: dict[str, list[ExportFile]],
    said: Mapping[str, TableReading],
    rows: Mapping[str, RowChoice],
) -> list[VersionSurvey]:
    """Return what is in each version; raise BadInput with the problems of all that are faulty.

    What was said of a version holds for the next one, where it fits.
    """
    last: TableReading | None = None

    def surveyed(part: VersionFiles, recognised: Recognised) -> VersionSurvey:
        identity, names, files = part
        entries = frozenset(PurePosixPath(file.name).parts[0] for file in files)
        exports = tuple(_export_patterns(folder, names))
        nonlocal last
        survey = look(recognised.reader, recognised.read, said.get(identity), last, rows.get(identity))
        last = survey.reading if survey.is_said else last
        return VersionSurvey(identity, exports, entries, recognised, survey)

    try:
        recognised = recognise([file for files in entries.values() for file in files])
        others = [file for group in recognised.others.values() for file in group] if recognised else []
        readable = {file.name for file in (*(recognised.read if recognised else ()), *others)}
        parts = [(part, recognise(part[2])) for part in versions_by_name(entries, readable)]
        readable_parts = [(part, reader) for part, reader in parts if reader]
        versions = for_each(readable_parts, lambda part: surveyed(*part))
        if recognised and _may_be_people(versions):
            names = [name for name, files in entries.items() if any(file.name in readable for file in files)]
            files = [file for name in names for file in entries[name]]
            whole = surveyed((ONLY, tuple(names), tuple(files)), recognised)
            versions = [whole] if len(whole.export_survey.annotators) > 1 else versions
    except BadInput as error:
        # Files are named as the user would type them.
        raise BadInput(
            replace(problem, file=(folder / problem.file).as_posix() if problem.file else str(folder))
            for problem in error.problems
        ) from None
    return versions


def _may_be_people(versions: Sequence[VersionSurvey]) -> bool:
    """Say whether folders have a single annotator each, and none is called like a version."""
    called = any(OF_FOLDERS.fullmatch(each.id) or MARKED.fullmatch(each.id) for each in versions)
    single = all(len(each.export_survey.annotators) == 1 for each in versions)
    return len(versions) > 1 and single and not called


def _no_export(folder: Path, names: Sequence[str], remedy: str) -> Problem:
    shown = ", ".join(names[:NAMES_SHOWN])
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    looked = f"Looked at: {shown}{more}." if names else "It is empty."
    return Problem(str(folder), message=f"has no export in a known format. {looked}", remedy=remedy)


# What was found, as plain values: for people, and as JSON.


def account(survey: Survey) -> dict[str, Any]:
    """Return all that a survey found."""
    return {
        "campaign": survey.id,
        "aside": list(survey.aside),
        "versions": list(map(_account_version, survey.versions)),
    }


def _account_version(version: VersionSurvey) -> dict[str, Any]:
    survey, files = version.export_survey, version.files
    columns = survey.columns
    return {
        "version": version.id,
        "exports": list(version.exports),
        "format": files.reader.name,
        "title": files.reader.title,
        "tool": files.reader.tool,
        "files_read": len(files.read),
        "files_unread": [file.name for file in files.unread],
        "other_formats": {
            name: [file.name for file in format_files] for name, format_files in files.others.items()
        },
        "annotators": list(survey.annotators),
        "roles": dict(survey.roles),
        "documents": survey.documents,
        "units": survey.units,
        "unmarked": survey.unmarked,
        "in_texts": survey.in_texts,
        "marks": survey.as_one_layer.marks,
        "labels": dict(survey.as_one_layer.labels),
        "layers": [
            {"source": layer.source, "kind": layer.kind, "labels": dict(layer.labels)}
            for layer in survey.layers
        ],
        "aside": [
            {"source": layer.source, "reason": layer.no_decision.value if layer.no_decision else ""}
            for layer in survey.aside
        ],
        "sources": list(survey.sources),
        "reading": survey.read[0].reading if survey.read else "",
        "set_separator": survey.set_separator,
        "columns": dict(columns.roles) if columns else {},
        "columns_to_choose_from": list(columns.names) if columns and survey.to_choose else [],
        "choose_columns": survey.to_choose,
    }


# What looks like an oversight in labels.


def label_problems(survey: Survey) -> Iterator[Problem]:
    """Yield what looks like an oversight in a folder, with the line of campaign.toml that settles it."""
    file = (Path(survey.name) / CONFIGURATION).as_posix()
    for number, version in enumerate(survey.versions, 1):
        for annotations in version.export_survey.read:
            for warning in annotations.warnings:
                yield replace(warning, file=(Path(survey.name) / warning.file).as_posix())
        prefix = f"version {version.id}: " if len(survey.versions) > 1 else ""
        for fault in label_faults_of(version, survey.name):
            of_task = fault.key.startswith("task.") or fault.key == PEOPLE
            key = fault.key if of_task else f"guidelines.{number}.{fault.key}"
            message = f"{prefix}{fault.message}"
            yield Problem(file, key=key, message=message, remedy=fault.remedy)


def label_faults_of(version: VersionSurvey, folder: str = "") -> Iterator[LabelFault]:
    """Yield the faults of each layer of a version in a folder; nothing is declared yet."""
    exports = version.export_survey
    for annotations in exports.read:
        table = label_table(annotations, separator=exports.set_separator)
        yield from (*alike_annotators(annotations, {}), *label_faults(table, Expected()))
        if isinstance(annotations.content, Ratings) and not exports.set_separator:
            again, contradicting, (file, line) = duplicates(annotations.content)
            yield from repeated_labels(again)
            if contradicting:
                place = ((Path(folder) / file).as_posix(), line)
                message, remedy = contradiction(contradicting, place, "columns = { pass = … }", SETS_IN_TOML)
                yield LabelFault(PASSES, message, remedy)
