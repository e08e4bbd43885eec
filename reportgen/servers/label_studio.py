"""Label Studio: its tasks as its own export by hand has them, a part at a time."""

import base64
import binascii
import json
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from reportgen.servers.credentials import TOKEN
from reportgen.servers.kept_tasks import STAMP, KeptTasks
from reportgen.servers.pull_request import PullRequest
from reportgen.servers.requests import AnnotationServer, numbered_pages
from reportgen.servers.snapshot import ProjectSize, Tell

# How many tasks a list has at once, and how many are exported at once: their ids are in an address.
LISTED, EXPORTED = 500, 150
# How often it is looked whether something changed meanwhile, and from when on that may be so.
ROUNDS, ENOUGH = 6, 2
LEGACY = (
    "does not accept the token. Label Studio refuses legacy tokens unless its organisation allows them.",
    f"Make a personal access token (Account & Settings, Personal Access Token), and put it into {TOKEN}.",
)
ENDED = (
    "does not accept the personal access token: it has ended, or was revoked.",
    f"Make a new one (Account & Settings, Personal Access Token), and put it into {TOKEN}.",
)


class LabelStudioAccess:
    """Who asks: a legacy token, or a personal access token, which gives others that last some minutes."""

    def __init__(self, server: AnnotationServer) -> None:
        """Take the server's token."""
        self._server, self._access = server, ""
        self.personal = _is_jwt(server.credentials.token)
        server.refusals = {HTTPStatus.UNAUTHORIZED: ENDED if self.personal else LEGACY}
        server.authorisation, server.renew = self.header, self.renewed

    def header(self) -> str:
        """Return the header of a request."""
        if not self.personal:
            return f"Token {self._server.credentials.token}"
        return f"Bearer {self._access}" if self._access else ""

    def renewed(self) -> bool:
        """Fetch another access token, where there may be one; tell whether there is."""
        if not self.personal:
            return False
        token, server = self._server.credentials.token, self._server
        alone = AnnotationServer(server.place, server.url, server.credentials, server.refusals)
        found = alone.send("POST", "api/token/refresh/", {"refresh": token})
        access = found.get("access") if isinstance(found, dict) else None
        if not isinstance(access, str) or not access.isascii() or not access.isprintable():
            raise server.refusal(f"{server.url} sent no access token.", "Check the address of the server.")
        self._access = access
        return True


def _is_jwt(token: str) -> bool:
    """Tell whether a token is a JSON Web Token, as personal access tokens are."""
    head, *others = token.split(".")
    if len(others) != 2:
        return False
    try:
        return isinstance(json.loads(base64.urlsafe_b64decode(f"{head}==")), dict)
    except (binascii.Error, ValueError):
        return False


def project_of(server: AnnotationServer, project: str) -> Mapping[str, Any]:
    """Return what a server says of a project; raise BadInput where it is another one, or none."""
    if not (project.isascii() and project.isdigit()):
        raise server.refusal(
            "is a number in Label Studio.",
            "Take it from the address of the project's page.",
            "source.project",
        )
    found = server.get(f"api/projects/{project}/")
    if not isinstance(found, dict) or found.get("id") != int(project):
        raise server.refusal(
            f"{server.url} answered with another project.", "Check the address of the server."
        )
    return found


def fetch_label_studio(pull: PullRequest) -> ProjectSize:
    """Fetch a project's tasks, those alone that changed since they were fetched last."""
    server, project, tell = pull.server(), pull.project, pull.tell
    LabelStudioAccess(server)
    name = f"project-{project}.json"
    kept = KeptTasks.of(pull.store, pull.last / name)
    tasks, counts = fetch_tasks(server, project, kept, tell)
    kept.write(pull.out / name, tasks)
    return counts


def fetch_tasks(
    server: AnnotationServer, project: str, kept: KeptTasks, tell: Tell
) -> tuple[list[int], ProjectSize]:
    """Fetch what is new of a project; return its tasks, in order, and how many there are.

    What changes meanwhile is fetched again. A large project never rests: from the third time on it is enough
    that what changed since the last listing is fetched.
    """
    title = str(project_of(server, project).get("title") or "")
    for times in range(ROUNDS):
        stamps, whole = _stamps(server, project, tell)
        if not stamps:
            raise server.refusal(
                f"has no tasks yet at {server.url}.", "Import texts there first.", "source.project"
            )
        stale = [task for task, stamp in stamps.items() if kept.stamp(task) != stamp]
        for start in range(0, len(stale), EXPORTED):
            kept.add(_exported(server, project, stale[start : start + EXPORTED]))
            tell(f"{min(start + EXPORTED, len(stale)):,} of {len(stale):,} tasks fetched")
        there = all(kept.stamp(task) is not None for task in stamps)
        if whole and there and (not stale or times >= ENOUGH):
            return list(stamps), ProjectSize(title, len(stamps))
    message = f"changes faster at {server.url} than it can be read."
    raise server.refusal(
        message, "Try again when fewer people annotate; what was fetched is kept.", "source.project"
    )


def _stamps(server: AnnotationServer, project: str, tell: Tell) -> tuple[dict[int, str], bool]:
    """Return when each task was changed last, by its id, in order, and whether surely none is missing.

    Where a task is deleted while pages are listed, the next page begins one later, and one slips through.
    """
    totals: list[int] = []

    def page(number: int) -> tuple[Sequence[tuple[int, str]], int]:
        found = server.get("api/tasks/", [("project", project), ("page", number), ("page_size", LISTED)])
        tasks = found.get("tasks") if isinstance(found, dict) else None
        total = found.get("total") if isinstance(found, dict) else None
        if not isinstance(tasks, list) or type(total) is not int:
            raise server.refusal(
                f"{server.url} sent no list of tasks.",
                "Check that it is a Label Studio of version 1.8 or later.",
            )
        totals.append(total)
        return [_stamp(server, project, task) for task in tasks], total

    def told(done: int, total: int) -> None:
        tell(f"{done:,} of {total:,} tasks listed")

    listed = server.whole(lambda: numbered_pages(1, page, told))
    stamps = dict(sorted(listed))
    return stamps, totals == sorted(totals) and len(stamps) >= totals[-1]


def _stamp(server: AnnotationServer, project: str, task: object) -> tuple[int, str]:
    identifier = task.get("id") if isinstance(task, dict) else None
    stamp = task.get(STAMP) if isinstance(task, dict) else None
    if not isinstance(task, dict) or type(identifier) is not int or not isinstance(stamp, str):
        raise server.refusal(
            f"{server.url} lists a task without id or date.", "Check that it is a Label Studio."
        )
    if task.get("project", int(project)) != int(project):
        raise server.refusal(
            f"{server.url} lists tasks of project {task['project']}.", "Check the address.", "source.project"
        )
    return identifier, stamp


def _exported(server: AnnotationServer, project: str, asked: Sequence[int]) -> Iterator[Mapping[str, Any]]:
    """Yield tasks as an export by hand has them; one that was deleted meanwhile is not among them."""
    query: list[tuple[str, str | int]] = [
        ("exportType", "JSON"),
        ("download_all_tasks", "true"),
        *(("ids[]", task) for task in asked),
    ]
    tasks = server.get(f"api/projects/{project}/export", query)
    if not isinstance(tasks, list):
        raise server.refusal(
            f"{server.url} exports something else than a list of tasks.", "Check that it is a Label Studio."
        )
    for task in tasks:
        identifier, _ = _stamp(server, project, task)
        if (
            identifier not in asked
            or not isinstance(task.get("data"), dict)
            or not isinstance(task.get("annotations"), list)
        ):
            raise server.refusal(
                f"{server.url} exports tasks that were not asked for.", "Try again; ask who runs the server."
            )
        yield task
