"""A stub of annotation servers, of which every test has one as it was at first."""

import time
from collections.abc import Iterator

import pytest

from reportgen.app.servers import exchange, label_studio, pull_push
from reportgen.app.servers.exchange import PASSWORD, USER
from reportgen.app.servers.exchange import TOKEN as NAME
from tests.app.servers.stub import TOKEN, Stub, serving


@pytest.fixture(scope="module")
def served() -> Iterator[Stub]:
    with serving() as stub:
        yield stub


@pytest.fixture
def stub(served: Stub, monkeypatch: pytest.MonkeyPatch) -> Stub:
    """The stub as it was at first; pages are short, and nobody waits."""
    vars(served).update(vars(Stub(served.url)))
    monkeypatch.setattr(label_studio, "LISTED", 4)
    monkeypatch.setattr(pull_push, "LISTED", 4)
    monkeypatch.setattr(label_studio, "EXPORTED", 3)
    monkeypatch.setattr(exchange, "PAUSES", (0.0,))
    monkeypatch.setattr(exchange, "MOST_BYTES", 200_000)
    monkeypatch.setattr(time, "sleep", lambda _: None)
    monkeypatch.setenv(NAME, TOKEN)
    for name in (USER, PASSWORD):
        monkeypatch.delenv(name, raising=False)
    return served
