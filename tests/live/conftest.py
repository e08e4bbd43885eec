"""The real servers, each started once for all tests, with its data in a folder of the tests."""

import http
import os
import secrets
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.commands import SEEING
from tests.live.browser import Session
from tests.live.projects import PASSWORD, doccano_session

# On two processors with thirty programs beside it Label Studio was up after 594 seconds.
PATIENCE = 1800
ADMIN = "boss@example.org"


@dataclass(frozen=True)
class RealServer:
    """A server that runs, who administers it, and a legacy token where it has any."""

    url: str
    admin: Session
    token: str = ""


def _program(name: str) -> str:
    program = os.environ.get(name)
    if program is None:
        pytest.skip("`make live` installs the servers and says where they are")
    return program


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


@contextmanager
def _running(command: list[str], env: Mapping[str, str], log: Path) -> Iterator[None]:
    """Run a program for a while, in a group of its own, all of which ends with it."""
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, env={**SEEING, **env}, stdout=out, stderr=out, start_new_session=True, cwd=log.parent
        )
        try:
            yield
            assert process.poll() is None, log.read_text(encoding="utf-8", errors="replace")[-2000:]
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _wait_for(url: str, log: Path) -> None:
    """Wait until a server answers, if only that it does not know us."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            opener.open(url, timeout=10).close()
        except urllib.error.HTTPError as refusal:
            refusal.close()
            if refusal.code < http.HTTPStatus.INTERNAL_SERVER_ERROR:
                return
        except (urllib.error.URLError, OSError):
            time.sleep(1)
        else:
            return
    raise AssertionError(log.read_text(encoding="utf-8", errors="replace")[-2000:])


@pytest.fixture(scope="session")
def told() -> Callable[[str], None]:
    """Says how long each step took, which `make live` prints."""
    started = time.monotonic()

    def tell(what: str) -> None:
        nonlocal started
        now = time.monotonic()
        print(f"{now - started:7.1f} s  {what}")  # noqa: T201 - for who runs `make live`
        started = now

    return tell


@pytest.fixture(scope="session")
def label_studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    program, port = _program("REPORTGEN_LABEL_STUDIO"), _free_port()
    folder = tmp_path_factory.mktemp("studio")
    url, token = f"http://127.0.0.1:{port}", secrets.token_hex(20)
    here = ["--no-browser", "--internal-host", "127.0.0.1", "--port", str(port)]
    who = ["--username", ADMIN, "--password", PASSWORD, "--user-token", token, "--enable-legacy-api-token"]
    env = {
        "LABEL_STUDIO_BASE_DATA_DIR": str(folder),
        "LATEST_VERSION_CHECK": "false",
        "COLLECT_ANALYTICS": "false",
    }
    with _running([program, "start", *here, *who], env, folder / "log"):
        _wait_for(f"{url}/health", folder / "log")
        yield RealServer(url, Session(url, f"Token {token}"), token)


@pytest.fixture(scope="session")
def doccano(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    program, folder, port = _program("REPORTGEN_DOCCANO"), tmp_path_factory.mktemp("doccano"), _free_port()
    env = {"DOCCANO_HOME": str(folder)}
    user = ["createuser", "--username", "boss", "--password", PASSWORD, "--email", ADMIN]
    for command in (["init"], user):
        done = subprocess.run([program, *command], env={**SEEING, **env}, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
    url = f"http://127.0.0.1:{port}"
    with ExitStack() as both:
        web = [program, "webserver", "--port", str(port), "--workers", "1"]
        both.enter_context(_running(web, env, folder / "web.log"))
        both.enter_context(_running([program, "task", "--concurrency", "1"], env, folder / "task.log"))
        _wait_for(f"{url}/v1/me", folder / "web.log")
        yield RealServer(url, doccano_session(url, "boss"))
