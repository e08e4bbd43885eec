"""`reportgen pull` and `reportgen push`; Argilla, INCEpTION, Potato and saved data sets.

A pull takes a project whole or not at all; a push made twice changes nothing the second time.
"""

import datetime as dt
import io
import json
import shutil
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportgen.app.servers.doccano import fetch_doccano, plan_doccano
from reportgen.app.servers.exchange import (
    PASSWORD,
    TOKEN,
    USER,
    AnnotationServer,
    DecidedVersion,
    Failure,
    NotAllowed,
    ProjectSize,
    PullRequest,
    PushPlan,
    PushRequest,
    ServerAnswer,
    Snapshot,
    Tell,
    basic,
    checksums,
    decided,
    numbered_pages,
    snapshot_in,
    stranger_in,
    unencrypted,
)
from reportgen.app.servers.label_studio import fetch_label_studio, plan_label_studio
from reportgen.base import site_folder
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import Problem, alternatives, did_you_mean, quoted, reason, refused, with_extra
from reportgen.campaign import AnnotationSource, Campaign, by_age, load_before_exports

if TYPE_CHECKING:
    from pyarrow import Table

ARGILLA_ROOT = "api/v1"
# How many records are sent at once: the server sends a thousand at most, texts and all.
LISTED = 500
# How often a dataset is read while people answer in it, and how often where records get lost meanwhile.
ENOUGH, ROUNDS = 3, 6
CHECK = "Check that it is an Argilla of version 2 or later."
ARGILLA_REFUSALS: Mapping[int, tuple[str, str]] = {
    HTTPStatus.UNAUTHORIZED: (
        "does not accept the API key.",
        f"Put the API key of an owner or admin into {TOKEN}; Argilla shows it under My settings.",
    ),
    HTTPStatus.FORBIDDEN: (
        "does not let the owner of the API key see everybody's responses.",
        "Take the API key of an owner, or of an admin who is a member of the workspace.",
    ),
    HTTPStatus.NOT_FOUND: ("has no such dataset any more.", "Check the name of the dataset."),
}


@dataclass(frozen=True)
class _Dataset:
    """A dataset: what its file tells of it, the workspace's id, and when anybody did anything in it."""

    about: Mapping[str, str]
    workspace: str
    active: object


def fetch_argilla(pull: PullRequest) -> ProjectSize:
    """Write a line about the dataset, and one for each record with the responses of all users."""
    server = pull.server()
    server.refusals, server.header = ARGILLA_REFUSALS, "X-Argilla-Api-Key"
    server.authorisation = lambda: server.credentials.token
    for times in range(1, ROUNDS + 1):
        dataset = _found(server, pull.project)
        head = {"dataset": dataset.about, **_described(server, dataset)}
        records, whole = _records(server, dataset.about["id"], pull.tell)
        if whole and (times >= ENOUGH or _found(server, pull.project).active == dataset.active):
            break
    else:
        message = f"loses records at {server.url} while it is read."
        raise server.refusal(message, "Try again when nobody deletes any.", "source.project")
    if not records:
        raise server.refusal(
            f"has no records yet at {server.url}.", "Add records there first.", "source.project"
        )
    lines = (json.dumps(line, ensure_ascii=False) for line in (head, *records.values()))
    with (pull.out / "dataset.jsonl").open("w", encoding="utf-8", errors="replace") as file:
        file.writelines(f"{line}\n" for line in lines)
    return ProjectSize(dataset.about["name"], len(records), "records")


def _found(server: AnnotationServer, asked: str) -> _Dataset:
    """Return the dataset with this id or name, after that of its workspace where it is not the only one."""
    datasets = [each for each in _items(server, "me/datasets") if isinstance(each.get("name"), str)]
    workspace, _slash, name = asked.rpartition("/")
    own = [each for each in datasets if asked == each["id"] or name == each["name"]]
    if workspace:
        here = [each["id"] for each in _items(server, "me/workspaces") if each.get("name") == workspace]
        own = [each for each in own if each.get("workspace_id") in here]
    if len(own) > 1:
        message = f"{server.url} has {quoted(asked)} in several workspaces."
        raise server.refusal(message, 'Name its workspace too: project = "workspace/name".', "source.project")
    if not own or not isinstance(own[0].get("workspace_id"), str):
        message = f"{server.url} has no dataset {quoted(asked)} that the owner of the API key may see."
        raise server.refusal(message, "Check its name, and that of its workspace.", "source.project")
    (found,) = own
    about = {"id": found["id"], "name": found["name"]}
    return _Dataset(about, found["workspace_id"], found.get("last_activity_at"))


def _described(server: AnnotationServer, dataset: _Dataset) -> dict[str, object]:
    """Return the questions of a dataset, and of its users id and name, and no more."""
    everybody, members = "users", f"workspaces/{dataset.workspace}/users"
    # With each user the server sends their API key.
    server.echoes = [f"{ARGILLA_ROOT}/{path}" for path in ("me", everybody, members)]
    me = server.get(f"{ARGILLA_ROOT}/me")
    if not _has_id(me):
        raise server.refusal(f"{server.url} does not say whose API key it is.", CHECK)
    users = [me, *_items(server, everybody if me.get("role") == "owner" else members)]
    names = {user["id"]: server.credentials.hidden(str(user.get("username"))) for user in users}
    return {
        "questions": _items(server, f"datasets/{dataset.about['id']}/questions"),
        "users": [{"id": number, "username": name} for number, name in names.items()],
    }


def _items(server: AnnotationServer, path: str) -> list[Mapping[str, Any]]:
    """Return what is in a list of the server: objects with an id."""
    found = server.get(f"{ARGILLA_ROOT}/{path}")
    items = found.get("items") if isinstance(found, dict) else None
    if not isinstance(items, list) or not all(map(_has_id, items)):
        raise server.refusal(f"{server.url} sent no list where one was asked for.", CHECK)
    return items


def _has_id(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("id"), str)


def _records(server: AnnotationServer, dataset: str, tell: Tell) -> tuple[dict[str, Mapping[str, Any]], bool]:
    """Return the records by id, in order, and whether surely none is missing.

    Where one is deleted meanwhile the next page begins one later, and one slips through.
    """
    totals: list[int] = []

    def page(number: int) -> tuple[Sequence[Mapping[str, Any]], int]:
        query: list[tuple[str, str | int]] = [
            *(("include", part) for part in ("responses", "suggestions")),
            *(("offset", number * LISTED), ("limit", LISTED)),
        ]
        found = server.get(f"{ARGILLA_ROOT}/datasets/{dataset}/records", query)
        items = found.get("items") if isinstance(found, dict) else None
        total = found.get("total") if isinstance(found, dict) else None
        if not isinstance(items, list) or type(total) is not int or not all(map(_has_id, items)):
            raise Failure("sent no list of records.", CHECK)
        if any(item.get("dataset_id", dataset) != dataset for item in items):
            raise Failure("lists records of another dataset.", "Check the address of the server.")
        totals.append(total)
        return items, total

    listed = server.whole(
        lambda: numbered_pages(0, page, lambda done, total: tell(f"{done:,} of {total:,} records fetched"))
    )
    records = {record["id"]: record for record in listed}
    return records, totals == sorted(totals) and len(records) >= totals[-1]


INCEPTION_ROOT = "api/aero/v1/projects"
# How annotations are written in the export: the format that INCEpTION recommends.
FORM = "jsoncas"
SIGN_IN = f"Set {USER} and {PASSWORD} in the environment, of a user with the role ROLE_REMOTE."
INCEPTION_REFUSALS: Mapping[int, tuple[str, str]] = {
    HTTPStatus.UNAUTHORIZED: (f"does not accept {USER} and {PASSWORD}.", SIGN_IN),
    HTTPStatus.FORBIDDEN: (
        "does not let this user export the project.",
        "Ask for the role ROLE_REMOTE, and to be made a manager of the project.",
    ),
}


def fetch_inception(pull: PullRequest) -> ProjectSize:
    """Write the archive of a project, as INCEpTION exports it."""
    server = pull.server(with_password=True)
    server.refusals = INCEPTION_REFUSALS
    if not server.credentials.password:
        raise server.refusal(f"{server.url} asks for a user and a password.", SIGN_IN)
    server.authorisation = lambda: basic(server.credentials)
    number, title = _project(server, pull.project)
    pull.tell("waiting for the server's export")
    content = server.fetch(f"{INCEPTION_ROOT}/{number}/export.zip", [("format", FORM)], _archive)
    (pull.out / f"project-{number}.zip").write_bytes(content)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        sources = {name for name in archive.namelist() if name.startswith("source/") and name != "source/"}
    return ProjectSize(title, len(sources), "documents")


def _project(server: AnnotationServer, asked: str) -> tuple[int, str]:
    """Return the number of the project with this number or name, and its name."""
    found = server.get(INCEPTION_ROOT)
    projects = found.get("body") if isinstance(found, dict) else None
    for project in projects if isinstance(projects, list) else []:
        if isinstance(project, dict) and type(project.get("id")) is int:
            name = str(project.get("name") or "")
            if asked in (str(project["id"]), name):
                return project["id"], name
    message = f"{server.url} has no project {quoted(asked)} that this user may see."
    raise server.refusal(message, "Check its name, and who manages it.", "source.project")


def _archive(answer: ServerAnswer) -> bytes:
    """Return an archive that is whole; raise Failure for any other."""
    try:
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            damaged = archive.testzip()
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, OSError):
        damaged = ""
    if damaged is not None:
        raise Failure("sent an archive that is cut off, or damaged.", again=True)
    return answer.content


FOLDER = "source.folder"
ANSWERS = (".jsonl", ".json", ".csv", ".tsv", ".txt")
# How often it is looked whether answers were written meanwhile.
FOLDER_ROUNDS = 3


def fetch_potato(pull: PullRequest) -> ProjectSize:
    """Copy the answers of all annotators, such as they are at one moment."""
    folder = _folder(pull)
    for _round in range(FOLDER_ROUNDS):
        before = _answers(folder)
        if not before:
            message = f"is {quoted(str(pull.source.folder))}, which has no answers yet."
            raise refused(
                pull.place, 0, FOLDER, message, "Name the output folder, annotation_output in Potato."
            )
        for name in before:
            (pull.out / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(folder / name, pull.out / name)
        if _answers(folder) == before:
            return ProjectSize(folder.name, len(before), "files")
        for path in pull.out.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    message = "changes faster than it can be read."
    raise refused(pull.place, 0, FOLDER, message, "Try again when fewer people annotate.")


def _answers(folder: Path) -> dict[str, tuple[int, int]]:
    """Return the size and the moment of each file of answers, by its path below the folder."""
    paths = (path for path in sorted(folder.rglob("*")) if path.suffix.lower() in ANSWERS and path.is_file())
    here = (
        (path, path.relative_to(folder)) for path in paths if path.resolve().is_relative_to(folder.resolve())
    )
    return {
        name.as_posix(): (path.stat().st_size, path.stat().st_mtime_ns)
        for path, name in here
        if not any(part.startswith(".") for part in name.parts)
    }


def _folder(pull: PullRequest) -> Path:
    folder = pull.folder / (pull.source.folder or "")
    if not folder.is_dir():
        message = f"is {quoted(str(pull.source.folder))}; there is no such folder."
        raise refused(
            pull.place, 0, FOLDER, message, "Check the name, which is relative to the campaign's folder."
        )
    if pull.last.resolve().is_relative_to(folder.resolve()):
        message = "contains the exports that are written from it."
        raise refused(pull.place, 0, FOLDER, message, "Name the tool's own folder.")
    return folder


# Hugging Face's datasets: what `save_to_disk` wrote becomes Parquet, class labels by their names.

SPLITS, STATE = "dataset_dict.json", "state.json"


def fetch_dataset(pull: PullRequest) -> ProjectSize:
    """Write each split of a saved dataset as a Parquet table."""
    folder = _folder(pull)
    if find_spec("pyarrow") is None:
        message = "is a saved dataset, which needs the package pyarrow."
        raise refused(pull.place, 0, FOLDER, message, with_extra("parquet"))
    import pyarrow.parquet as pq
    from pyarrow import ArrowException

    rows = 0
    try:
        for name, part in _splits(folder):
            table = _named(_table(part))
            pq.write_table(table, pull.out / f"{name}.parquet")
            rows += table.num_rows
    except (OSError, ValueError, KeyError, TypeError, AttributeError, ArrowException) as error:
        why = (
            reason(error)
            if isinstance(error, OSError) and error.strerror
            else "a file in it is missing or damaged"
        )
        message = f"is {quoted(str(pull.source.folder))}, which is not a saved dataset: {why}."
        remedy = "Name a folder that save_to_disk() of Hugging Face's datasets wrote."
        raise refused(pull.place, 0, FOLDER, message, remedy) from None
    return ProjectSize(folder.name, rows, "rows")


def _splits(folder: Path) -> Iterator[tuple[str, Path]]:
    if not (folder / SPLITS).is_file():
        yield "data", folder
        return
    for name in json.loads((folder / SPLITS).read_text(encoding="utf-8"))["splits"]:
        if Path(name).name != name or name.startswith("."):
            raise ValueError(name)
        yield name, folder / name


def _table(folder: Path) -> "Table":
    """Return the rows of one split: all files that its state lists."""
    import pyarrow as pa

    state = json.loads((folder / STATE).read_text(encoding="utf-8"))
    tables: list[Table] = []
    for file in state["_data_files"]:
        name = file["filename"]
        if Path(name).name != name:
            raise ValueError(name)
        with pa.OSFile(str(folder / name)) as source, pa.ipc.open_stream(source) as stream:
            tables.append(stream.read_all())
    return pa.concat_tables(tables)


def _named(table: "Table") -> "Table":
    """Return a table with the names of class labels, which are numbers in the file."""
    import pyarrow as pa

    about = json.loads((table.schema.metadata or {}).get(b"huggingface", b"{}"))
    features: dict[str, Any] = about.get("info", {}).get("features", {})
    for place, column in enumerate(table.schema.names):
        feature = features.get(column)
        if isinstance(feature, dict) and feature.get("_type") == "ClassLabel":
            names = pa.array(feature["names"], pa.string())
            # -1 is a label that nobody gave.
            codes = [code if code is None or code >= 0 else None for code in table.column(place).to_pylist()]
            table = table.set_column(place, column, names.take(pa.array(codes, pa.int64())))
    return table.replace_schema_metadata()


FILE, EXPORTS = "campaign.toml", "exports"
# The version that `--watch` keeps fresh.
LIVE = "live"
BUSY = "is being pulled by another command."
# Hears what is to be known before anybody is asked.
Warn = Callable[[Iterable[Problem]], None]
WRITE_SOURCE = (
    'Say where people annotate: [source] with tool = "label-studio", url = "https://…" and project = 1; '
    "`reportgen schema campaign` describes its keys."
)
FETCH: Mapping[str, Callable[[PullRequest], ProjectSize]] = {
    "label-studio": fetch_label_studio,
    "doccano": fetch_doccano,
    "argilla": fetch_argilla,
    "inception": fetch_inception,
    "potato": fetch_potato,
    "datasets": fetch_dataset,
}


@dataclass(frozen=True)
class Pulled:
    """What was pulled: the snapshot, where it is, and whether it differs from what was there before."""

    version: str
    folder: Path
    snapshot: Snapshot
    changed: bool


def pull(  # noqa: PLR0913 - each is one choice
    folder: Path,
    version: str = "",
    *,
    live: bool = False,
    force: bool = False,
    tell: Tell = lambda _: None,
    warn: Warn = lambda _: None,
) -> Pulled:
    """Fetch the exports of a version from where people annotate; by default of the newest.

    With `live` it is the version of this name, where there is one. Raises BadInput with what is wrong, also
    where half of what was there is gone unless `force` lets it; then the exports are as they were. `warn`
    hears what is to be known before anybody is asked.
    """
    place, source, version = _asked(folder, version, live=live)
    target = folder / EXPORTS / version
    if target.is_dir() and (stranger := stranger_in(target)):
        message = f"contains {quoted(stranger)}, which no pull wrote, or which was changed since."
        remedy = "Pull into another version, or move the file away."
        raise refused(str(target), message=message, remedy=remedy)
    warn(unencrypted(place, source.url or ""))
    remedy = f"Move away what is in {target}."
    with site_folder.alone(target, BUSY, remedy):
        before = snapshot_in(target)
        with site_folder.replacing(target, strangers=stranger_in, remedy=remedy) as out:
            request = PullRequest(place, folder, source, target, out, tell)
            request.forget(own=False)
            try:
                counts = FETCH[source.tool](request)
            except NotAllowed:
                # Who may not see a project keeps no part of it.
                request.forget(own=True)
                raise
            where = source.url or source.folder or ""
            at = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
            files = checksums(out)
            snapshot = Snapshot(
                source.tool, where, request.project, counts.title, counts.number, counts.of, at, files
            )
            if before and not force:
                # Raise BadInput where half of what was pulled before, or more, is not there any more.
                for old, new, of in (
                    (before.number, snapshot.number, snapshot.of),
                    (len(before.files), len(snapshot.files), "files"),
                ):
                    if 2 * new <= old:
                        message = f"has {new:,} of {old:,} {of} left since the last pull, {before.at}."
                        remedy = "Check that it is the right project; where it is, pull with --force."
                        raise refused(place, 0, "source", message, remedy)
            snapshot.write(out)
        request.forget(own=True)
    return Pulled(version, target, snapshot, before is None or before.files != snapshot.files)


def _asked(folder: Path, version: str, *, live: bool) -> tuple[str, AnnotationSource, str]:
    """Return what campaign.toml is called, where people annotate, and which version is asked for."""
    declared, place = load_before_exports(folder), (folder / FILE).as_posix()
    if declared.source is None:
        raise refused(place, 0, "source", "is missing.", WRITE_SOURCE)
    versions = {guidelines.version: guidelines for guidelines in by_age(declared.guidelines)}
    newest = LIVE if live and LIVE in versions else list(versions)[-1]
    version = version or newest
    if version not in versions:
        message = f"has no guidelines version {quoted(version)}."
        remedy = did_you_mean(version, list(versions))
        raise refused(
            place, message=message, remedy=f'{remedy} Or declare it: [[guidelines]] version = "{LIVE}".'
        )
    if versions[version].exports != (default := (f"{EXPORTS}/{version}",)):
        message = f"of version {quoted(version)} are elsewhere than in {default[0]}, where pull writes."
        raise refused(place, 0, EXPORTS, message, "Take `exports` away, or pull into another version.")
    return place, declared.source, version


PLANS: Mapping[str, Callable[[PushRequest], PushPlan]] = {
    "label-studio": plan_label_studio,
    "doccano": plan_doccano,
}


def plan_push(  # noqa: PLR0913 - each is one choice
    campaign: Campaign,
    version: str,
    *,
    who: str = "",
    predictions: str = "",
    tell: Tell = lambda _: None,
    warn: Warn = lambda _: None,
) -> tuple[PushPlan, DecidedVersion]:
    """Return what is to be changed on the server, and what was decided.

    `warn` hears what is to be known before anybody is asked. Raises BadInput where the version was not pulled
    from there, or with what is wrong with either.
    """
    source = campaign.source
    if source is None:
        raise refused(campaign.file, 0, "source", "is missing.", WRITE_SOURCE)
    if source.tool not in PLANS:
        message = f"is of a tool that takes no decisions; {alternatives(PLANS, 'and')} do."
        raise refused(campaign.file, 0, "source.tool", message, "Write them with `reportgen gold`.")
    if predictions and source.tool != "label-studio":
        raise refused("--predictions", message="is of Label Studio alone.", remedy="Remove it.")
    exports = campaign.folder / EXPORTS / version
    snapshot = snapshot_in(exports)
    if snapshot is None or (snapshot.url, snapshot.project) != (source.url, source.project):
        message = f"of version {version} are not from {source.url}, project {source.project}."
        remedy = "Pull them first: decisions can go back only to where labels came from."
        raise refused(campaign.file, 0, EXPORTS, message, remedy)
    warn(unencrypted(campaign.file, source.url or ""))
    found = decided(campaign, version, tell)
    request = PushRequest(campaign, version, source, exports, found, who, predictions, tell)
    return PLANS[source.tool](request), found
