"""Decisions to doccano: the labels of one user, who has what was decided and nothing else."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from reportgen.annotators.adjudication import REFERENCE_ROLE
from reportgen.base.errors import alternatives, quoted
from reportgen.publish.gold_marks import utf16_offsets
from reportgen.readers.json_records import as_text
from reportgen.servers.decided import DecidedDocument
from reportgen.servers.doccano import ROOT, project_at, signed_in
from reportgen.servers.push_request import PushPlan, PushRequest, ServerChange
from reportgen.servers.requests import AnnotationServer, numbered_pages

PAGE = 500
# A label of a document, or one with its place.
Said = tuple[str, int | None, int | None]
CATEGORIES, SPANS = "categories", "spans"
TYPES: Mapping[str, str] = {CATEGORIES: "category-types", SPANS: "span-types"}


def plan_doccano(push: PushRequest) -> PushPlan:
    """Return what is to be changed so that the user has what was decided."""
    server = push.server(with_password=True)
    signed_in(server)
    project_at(server, push.project)
    here = f"{ROOT}/projects/{push.project}"
    who = _user(push, server)
    wanted = {name: dict(_said(document)) for name, document in push.decided.finished.items()}
    kinds = list(dict.fromkeys(kind for of_document in wanted.values() for kind in of_document))
    types = {kind: _types(server, f"{here}/{TYPES[kind]}") for kind in kinds}
    _require_types(server, wanted, types)
    there = _numbers(push, server, here)
    changes: list[ServerChange] = []
    same = 0
    for name, of_document in wanted.items():
        if name not in there:
            continue
        found = [
            change
            for kind, said in of_document.items()
            for change in _differences(server, f"{here}/examples/{there[name]}/{kind}", said, types[kind])
        ]
        same += not found
        changes += found
    return PushPlan(who, changes, same, [name for name in wanted if name not in there])


def _user(push: PushRequest, server: AnnotationServer) -> str:
    """Return who is signed in; raise BadInput where that may be an annotator, whose labels would go."""
    found = server.get(f"{ROOT}/me")
    name = found.get("username") if isinstance(found, dict) else None
    if not isinstance(name, str):
        raise server.refusal(
            f"{server.url} does not say whose the token is.", "Check the address of the server."
        )
    if push.who and push.who != name:
        message = f"knows the token as that of {quoted(name)}, and doccano takes labels of nobody else."
        raise server.refusal(f"{server.url} {message}", f"Sign in as {quoted(push.who)}.")
    declared = push.campaign.annotators.get(name)
    if declared is None or declared.role != REFERENCE_ROLE:
        message = f"would get labels of {quoted(name)}, which a pull would take for an annotator's."
        remedy = (
            f'Sign in as a user for decisions alone, and write [annotators.{name}] with role = "reference".'
        )
        raise server.refusal(f"{server.url} {message}", remedy, "annotators")
    return name


def _said(document: DecidedDocument) -> Iterator[tuple[str, list[Said]]]:
    """Yield what is said of a document, by where doccano has it."""
    if document.labels:
        members = [label for labels in document.labels.values() for label in labels]
        yield CATEGORIES, [(label, None, None) for label in dict.fromkeys(members)]
    if document.marks:
        offsets = utf16_offsets(document.text)
        marks = [mark for of_layer in document.marks.values() for mark in of_layer]
        yield (
            SPANS,
            [(mark.type, offsets[start], offsets[end]) for mark in marks for start, end in mark.spans],
        )


def _types(server: AnnotationServer, path: str) -> dict[str, int]:
    """Return the numbers of labels by their names."""
    listed = server.get(path)
    return {
        each["text"]: each["id"]
        for each in (listed if isinstance(listed, list) else [])
        if isinstance(each, dict) and isinstance(each.get("text"), str) and isinstance(each.get("id"), int)
    }


def _require_types(
    server: AnnotationServer,
    wanted: Mapping[str, Mapping[str, Sequence[Said]]],
    types: Mapping[str, Mapping[str, int]],
) -> None:
    used = {
        (kind, label) for said in wanted.values() for kind, of_kind in said.items() for label, *_ in of_kind
    }
    if missing := sorted(label for kind, label in used if label not in types[kind]):
        message = f"has no label {alternatives(missing, 'and')} at {server.url}."
        raise server.refusal(message, "Add it there, under Labels.", "source.project")


def _numbers(push: PushRequest, server: AnnotationServer, here: str) -> dict[str, int]:
    """Return the numbers of documents on the server, by the names that readers give them."""

    def page(number: int) -> tuple[Sequence[int], int]:
        found = server.get(f"{here}/examples", [("limit", PAGE), ("offset", number * PAGE)])
        results, total = (
            (found.get("results"), found.get("count")) if isinstance(found, dict) else (None, None)
        )
        if not isinstance(results, list) or not isinstance(total, int):
            raise server.refusal(f"{server.url} sent no list of documents.", "Check that it is a doccano.")
        return [
            each["id"] for each in results if isinstance(each, dict) and isinstance(each.get("id"), int)
        ], total

    there = set(server.whole(lambda: numbered_pages(0, page, lambda _done, _total: None)))
    column = push.unit_column
    if column is None:
        return {as_text(number): number for number in there}
    return {name: number for name, number in _named(push.exports, column) if number in there}


def _named(exports: Path, column: str) -> Iterator[tuple[str, int]]:
    """Yield the names of documents, as they were pulled, with their numbers."""
    for file in sorted(exports.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            if isinstance(record.get(column), str | int) and isinstance(record.get("id"), int):
                yield as_text(record[column]), record["id"]


def _differences(
    server: AnnotationServer, path: str, said: Sequence[Said], types: Mapping[str, int]
) -> Iterator[ServerChange]:
    """Yield what is to be taken away, then what is to be added."""
    listed = server.get(path)
    own = [each for each in (listed if isinstance(listed, list) else []) if isinstance(each, dict)]
    due = Counter((types[label], start, end) for label, start, end in said)
    for each in own:
        key = each.get("label"), each.get("start_offset"), each.get("end_offset")
        if due[key] > 0:  # type: ignore[index]  # whatever the server says, nothing else is equal
            due[key] -= 1  # type: ignore[index]
        else:
            yield ServerChange(
                f"{path}/{each.get('id')}: taken away",
                partial(server.send, "DELETE", f"{path}/{each['id']}", None),
            )
    names = {number: label for label, number in types.items()}
    for (number, start, end), times in due.items():
        for _ in range(times):
            body: dict[str, Any] = {"label": number}
            if start is not None:
                body |= {"start_offset": start, "end_offset": end}
            where = "" if start is None else f" ({start}-{end})"
            yield ServerChange(
                f"{path}: new: {names[number]}{where}", partial(server.send, "POST", path, body)
            )
