"""INCEpTION: its own export of a whole project, by its remote interface (AERO, version 1)."""

import io
import zipfile
import zlib
from collections.abc import Mapping
from http import HTTPStatus

from reportgen.base.errors import quoted
from reportgen.servers.credentials import PASSWORD, USER
from reportgen.servers.pull_request import PullRequest
from reportgen.servers.requests import AnnotationServer, Failure, ServerAnswer, basic
from reportgen.servers.snapshot import ProjectSize

ROOT = "api/aero/v1/projects"
# How annotations are written in the export: the format that INCEpTION recommends.
FORM = "jsoncas"
SIGN_IN = f"Set {USER} and {PASSWORD} in the environment, of a user with the role ROLE_REMOTE."
REFUSALS: Mapping[int, tuple[str, str]] = {
    HTTPStatus.UNAUTHORIZED: (f"does not accept {USER} and {PASSWORD}.", SIGN_IN),
    HTTPStatus.FORBIDDEN: (
        "does not let this user export the project.",
        "Ask for the role ROLE_REMOTE, and to be made a manager of the project.",
    ),
}


def fetch_inception(pull: PullRequest) -> ProjectSize:
    """Write the archive of a project, as INCEpTION exports it."""
    server = pull.server(with_password=True)
    server.refusals = REFUSALS
    if not server.credentials.password:
        raise server.refusal(f"{server.url} asks for a user and a password.", SIGN_IN)
    server.authorisation = lambda: basic(server.credentials)
    number, title = _project(server, pull.project)
    pull.tell("waiting for the server's export")
    content = server.fetch(f"{ROOT}/{number}/export.zip", [("format", FORM)], _archive)
    (pull.out / f"project-{number}.zip").write_bytes(content)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        sources = {name for name in archive.namelist() if name.startswith("source/") and name != "source/"}
    return ProjectSize(title, len(sources), "documents")


def _project(server: AnnotationServer, asked: str) -> tuple[int, str]:
    """Return the number of the project with this number or name, and its name."""
    found = server.get(ROOT)
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
