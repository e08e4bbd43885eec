"""Argilla: the records of a dataset with everybody's responses, as its interface sends them."""

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import quoted
from reportgen.servers.credentials import TOKEN
from reportgen.servers.pull_request import PullRequest
from reportgen.servers.requests import AnnotationServer, Failure, numbered_pages
from reportgen.servers.snapshot import ProjectSize, Tell

ROOT = "api/v1"
# How many records are sent at once: the server sends a thousand at most, texts and all.
LISTED = 500
# How often a dataset is read while people answer in it, and how often where records get lost meanwhile.
ENOUGH, ROUNDS = 3, 6
CHECK = "Check that it is an Argilla of version 2 or later."
REFUSALS: Mapping[int, tuple[str, str]] = {
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
    server.refusals, server.header = REFUSALS, "X-Argilla-Api-Key"
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
    server.echoes = [f"{ROOT}/{path}" for path in ("me", everybody, members)]
    me = server.get(f"{ROOT}/me")
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
    found = server.get(f"{ROOT}/{path}")
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
        found = server.get(f"{ROOT}/datasets/{dataset}/records", query)
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
