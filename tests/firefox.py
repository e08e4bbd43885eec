"""Firefox, driven by Marionette, which every Firefox has: Playwright drives its own builds alone."""

import base64
import contextlib
import json
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PROGRAM = shutil.which("firefox-esr") or shutil.which("firefox")
WAIT = 90.0
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


@dataclass
class Firefox:
    """One window of a browser, by the commands of WebDriver."""

    connection: socket.socket
    _number: int = 0
    _received: bytes = field(default=b"")

    def command(self, name: str, **values: object) -> Any:  # noqa: ANN401 - whatever JSON has
        self._number += 1
        sent = json.dumps([0, self._number, f"WebDriver:{name}", values]).encode()
        self.connection.sendall(b"%d:%b" % (len(sent), sent))
        _, _, error, result = self.answer()
        assert error is None, error
        return result.get("value", result) if isinstance(result, dict) else result

    def answer(self) -> Any:  # noqa: ANN401 - whatever JSON has
        while b":" not in self._received:
            self._received += self._more()
        length, _, rest = self._received.partition(b":")
        while len(rest) < int(length):
            rest += self._more()
        self._received = rest[int(length) :]
        return json.loads(rest[: int(length)])

    def _more(self) -> bytes:
        content = self.connection.recv(65536)
        assert content, "Firefox ended"
        return content

    def go(self, address: str) -> None:
        self.command("Navigate", url=address)

    def run(self, script: str, *values: object) -> Any:  # noqa: ANN401 - whatever JSON has
        return self.command("ExecuteScript", script=script, args=list(values), sandbox=None)

    def find(self, selector: str) -> dict[str, str]:
        found = self.command("FindElement", using="css selector", value=selector)
        assert isinstance(found, dict)
        return found

    def click(self, selector: str) -> None:
        self.command("ElementClick", id=self.find(selector)[ELEMENT])

    def type(self, selector: str, text: str) -> None:
        self.command("ElementSendKeys", id=self.find(selector)[ELEMENT], text=text)

    def wait(self, script: str) -> Any:  # noqa: ANN401 - whatever JSON has
        end = time.monotonic() + WAIT
        while not (value := self.run(f"return {script}")):
            assert time.monotonic() < end, script
            time.sleep(0.1)
        return value

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.command("TakeScreenshot", full=True)))


@contextlib.contextmanager
def firefox() -> Iterator[Firefox]:
    """Yield a window of a new, headless Firefox."""
    assert PROGRAM
    with socket.socket() as some:
        some.bind(("127.0.0.1", 0))
        port = int(some.getsockname()[1])
    with tempfile.TemporaryDirectory() as profile:
        prefs = {
            "marionette.port": port,
            "browser.shell.checkDefaultBrowser": False,
            "datareporting.policy.dataSubmissionEnabled": False,
        }
        lines = "".join(
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in prefs.items()
        )
        Path(profile, "user.js").write_text(lines, encoding="utf-8")
        arguments = [PROGRAM, "--headless", "--marionette", "--no-remote", "--profile", profile]
        with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                with _connected(port) as connection:
                    window = Firefox(connection)
                    window.answer()
                    window.command("NewSession", capabilities={"alwaysMatch": {"acceptInsecureCerts": False}})
                    yield window
            finally:
                process.kill()


def _connected(port: int) -> socket.socket:
    end = time.monotonic() + WAIT
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=WAIT)
        except ConnectionRefusedError:
            assert time.monotonic() < end, "Firefox does not listen"
            time.sleep(0.2)
