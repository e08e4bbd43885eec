"""Whatever goes wrong between a server and a pull: said in words, nothing half-written, the token nowhere."""

import json
import logging
import traceback
from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from reportgen.app.servers.pull_push import pull
from reportgen.base.errors import BadInput
from tests.app.servers.stub import TOKEN, Fault, Reply, Stub, campaign_of
from tests.commands import files
from tests.slowly import slow_but

HOST = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
# What is mended where it comes once: it is asked again, of a busy server also what changes something.
BUSY = {
    "answers 503",
    "answers 503 and says when",
    "answers 429",
    "answers 429 and says when",
    "answers 429 and says at which hour",
}
PASSING = BUSY | {
    *("answers 500", "answers 502", "answers 504", "closes without an answer", "resets the connection"),
    *("ends before all is there", "ends a chunk before it is whole", "resets in the middle", "is silent"),
    *("sends JSON that is cut off", "sends nothing at all", "sends bytes that are not text"),
    *("sends what is no HTTP", "sends half a head", "sends packed bytes", "sends nested lists"),
}


def _status(status: int, headers: Mapping[str, str] | None = None, said: str = "") -> Fault:
    return lambda _reply, _stub, _path: Reply(
        json.dumps({"detail": said}).encode(), status, headers=headers or {}
    )


def _raw(content: bytes, *, reset: bool = False) -> Fault:
    return lambda _reply, _stub, _path: Reply(raw=content, reset=reset)


def _body(content: bytes, kind: str = "application/json") -> Fault:
    return lambda _reply, _stub, _path: Reply(content, kind=kind)


def _cut(reply: Reply, _stub: Stub, _path: str) -> Reply:
    return replace(
        reply, body=reply.body[: len(reply.body) // 2], headers={"Content-Length": str(len(reply.body))}
    )


def _cut_and_reset(reply: Reply, stub: Stub, path: str) -> Reply:
    return replace(_cut(reply, stub, path), reset=True)


def _half(reply: Reply, _stub: Stub, _path: str) -> Reply:
    return replace(reply, body=reply.body[: len(reply.body) // 2])


def _half_a_chunk(_reply: Reply, _stub: Stub, _path: str) -> Reply:
    return Reply(b"ffff\r\n{", headers={"Transfer-Encoding": "chunked"})


def _packed(reply: Reply, _stub: Stub, _path: str) -> Reply:
    return replace(reply, body=b"\x1f\x8b\x08\x00", headers={"Content-Encoding": "gzip"})


def _token_in_answer(reply: Reply, _stub: Stub, _path: str) -> Reply:
    return replace(reply, body=json.dumps({"you": TOKEN, "are": reply.body.decode("latin-1")}).encode())


def _elsewhere(_reply: Reply, stub: Stub, path: str) -> Reply:
    other = stub.url.replace("127.0.0.1", "localhost")
    return Reply(b"", 302, headers={"Location": f"{other}{path}"})


def _in_a_circle(_reply: Reply, stub: Stub, path: str) -> Reply:
    return Reply(b"", 302, headers={"Location": f"{stub.url}{path}"})


def _to(address: str) -> Fault:
    return lambda _reply, _stub, _path: Reply(b"", 302, headers={"Location": address})


def _huge(_reply: Reply, _stub: Stub, _path: str) -> Reply:
    return Reply(b"[" + b" " * 300_000 + b"]")


FAULTS: Mapping[str, Fault] = {
    **{f"answers {status}": _status(status) for status in (400, 401, 403, 404, 410)},
    **{f"answers {status}": _status(status) for status in (429, 451, 500, 503, 599)},
    "answers 503 and says when": _status(503, {"Retry-After": "2"}),
    "answers 429 and says when": _status(429, {"Retry-After": "0"}),
    "answers 429 and says at which hour": _status(429, {"Retry-After": "Sat, 28 Nov 2020 06:00:00 GMT"}),
    "asks to wait for hours": _status(429, {"Retry-After": "7200"}),
    "says the token in its refusal": _status(400, said=f"who is {TOKEN}?"),
    "refuses with a long page": lambda *_: Reply(b"<html>" + b"x" * 100_000, 403, "text/html"),
    "closes without an answer": _raw(b""),
    "resets the connection": _raw(b"", reset=True),
    "ends before all is there": _cut,
    "resets in the middle": _cut_and_reset,
    "ends a chunk before it is whole": _half_a_chunk,
    "sends JSON that is cut off": _half,
    "sends nothing at all": _body(b""),
    "sends a page": _body(b"<!DOCTYPE html><html><body>Sign in</body></html>", "text/html"),
    "sends a page as JSON": _body(b"<html>"),
    "sends bytes that are not text": _body(b"\xff\xfe\xfa"),
    "sends what is no HTTP": _raw(b"220 mail.example.org ESMTP\r\n"),
    "sends half a head": _raw(HOST.encode()),
    **{f"sends {value}": _body(value.encode()) for value in ("null", "17", '"good"', "[]", "{}", "[1, 2]")},
    "sends nested lists": _body(b"[" * 100_000),
    "sends packed bytes": _packed,
    "sends the token back": _token_in_answer,
    "sends on to another host": _elsewhere,
    "sends on in a circle": _in_a_circle,
    "sends on to half an address": _to("http://[::1"),
    "sends on to no port": _to("http://127.0.0.1:port/"),
    "sends on to a letter that is in no address": _to("/\u00e9"),
    "sends too much": _huge,
}
QUICK = [
    *(("label-studio", "answers 429 and says when"), ("label-studio", "ends before all is there")),
    *(("label-studio", "resets in the middle"), ("label-studio", "sends JSON that is cut off")),
    *(("label-studio", "sends on to another host"), ("label-studio", "sends on to half an address")),
    *(("doccano", "answers 500"), ("doccano", "sends a page"), ("doccano", "sends the token back")),
    *(("argilla", "sends JSON that is cut off"), ("argilla", "sends the token back")),
]
# How many requests a pull of ten tasks makes, as the tests list and export them.
REQUESTS = {"label-studio": 11, "doccano": 4, "argilla": 8}
# What a status means is said in one place for all servers: one of them answers with each.
FAULTED = [
    (tool, fault)
    for tool, fault in product(REQUESTS, FAULTS)
    if tool == "label-studio" or not fault.startswith("answers ") or fault in {"answers 401", "answers 500"}
]


def exported(campaign: Path) -> dict[str, bytes]:
    """Return what readers see of a campaign's exports."""
    found = files(campaign / "exports") if (campaign / "exports").exists() else {}
    return {name: content for name, content in found.items() if ".pull" not in name}


def pulled(campaign: Path, stub: Stub, caplog: pytest.LogCaptureFixture) -> str:
    """Pull; return what was said, nothing where all went well. The token is nowhere."""
    before, said = exported(campaign), ""
    with caplog.at_level(logging.DEBUG):
        try:
            pull(campaign, "1")
        except BadInput as error:
            said = "".join(traceback.format_exception(error)) + repr(error)
            (problem,) = error.problems
            assert problem.message.endswith(".")
            assert problem.remedy
            assert exported(campaign) == before
    assert TOKEN not in said + caplog.text
    assert [path for path, content in files(campaign).items() if TOKEN.encode() in content] == []
    # It goes to no other server.
    assert {authorisation for _, _, authorisation in stub.asked} <= {"", stub.token, TOKEN}
    return said


@pytest.mark.parametrize(("tool", "fault"), slow_but(FAULTED, *QUICK))
def test_a_fault_at_any_request_is_said_in_words_and_leaves_no_half_of_anything(
    tool: str, fault: str, stub: Stub, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It comes once, which some faults are mended after, or from then on; then the server is well again."""
    whole = campaign_of(tool, stub, tmp_path / "whole")
    assert pulled(whole, stub, caplog) == ""
    assert len(stub.asked) == REQUESTS[tool]
    for at in range(REQUESTS[tool]):
        for times in (1, 1000):
            campaign = campaign_of(tool, stub, tmp_path / f"c{at}-{times}")
            stub.fault, stub.at, stub.times, stub.asked = FAULTS[fault], at, times, []
            said = pulled(campaign, stub, caplog)
            if times > 1 and at < REQUESTS[tool] - 1:
                assert said, at
            if times == 1 and fault in PASSING and (fault in BUSY or not _is_sent(tool, at)):
                assert said == "", at
            assert said or exported(campaign) == exported(whole)
            stub.fault = None
            assert pulled(campaign, stub, caplog) == ""
            assert exported(campaign) == exported(whole)


def _is_sent(tool: str, at: int) -> bool:
    """Tell whether a request asks for something to be made, which is not asked for twice."""
    return tool == "doccano" and at == 1
