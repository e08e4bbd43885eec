"""What comes of reading an export, as lines of text: all that is said of labels, and why it is refused."""

import json
from collections.abc import Iterator, Mapping, Sequence

from reportgen.base.errors import Problem
from reportgen.readers import (
    ATTENDANCE,
    NO_DOCUMENT,
    Annotations,
    DocumentCopy,
    ExcludedMarks,
    Export,
    Ratings,
    SetLabel,
    TextMarks,
)
from reportgen.readers.work_times import UNKNOWN, WorkTimes


def refusal(problem: Problem) -> str:
    """Return a problem with its place, and how its remedy begins."""
    return f"{str(problem).removesuffix(problem.remedy).rstrip()} → {problem.remedy[:60]}"


def lines_of(found: Export | Annotations) -> Iterator[str]:
    """Yield what an export has, a line for each copy, mark, relation and label."""
    if isinstance(found, Export):
        yield from _copies(found.copies)
        yield from (f"control {name}: {control}" for name, control in found.controls.items())
        if found.default:
            yield f"default {found.default}"
    else:
        yield f"format {found.format}"
        content = found.content
        assert isinstance(content, Ratings | TextMarks)
        yield from _ratings(content) if isinstance(content, Ratings) else _marks(content)
        yield from _beside(found)
        yield from _times(content, found.times) if found.times else ()
        for row in found.attendance.tolist() if found.attendance is not None else ():
            yield f"seen {', '.join(ATTENDANCE[code] for code in row)}"
    yield from map(_left_out, found.left_out)
    yield from (f"warning {refusal(each)}" for each in found.warnings)


def _copies(copies: Sequence[DocumentCopy]) -> Iterator[str]:
    told: set[str] = set()
    for copy in copies:
        role = "" if copy.role == "annotator" else f", {copy.role}"
        length = f", {copy.length} ms" if copy.length is not None else ""
        at, taken = copy.timing.at, copy.timing.taken
        length += f", at {at}" * (at != UNKNOWN) + f", took {taken}" * (taken != UNKNOWN)
        asked = f", asked {' '.join(sorted(copy.asked))}" if copy.asked is not None else ""
        yield f"{copy.document} by {copy.annotator}: {copy.state}{role}{length}{asked}"
        if copy.text is not None and copy.text not in told:
            told.add(copy.text)
            yield f"  text {_quoted(copy.text)}"
        for mark in copy.marks:
            place = " ".join(f"{start}-{end}" for start, end in mark.spans) or "all"
            own = (f" #{mark.id}" if mark.id else "") + (f" in {mark.file}" if mark.file else "")
            yield f"  {mark.line}: {mark.type} {place}{_features(mark.features)}{own}"
        for each in copy.relations:
            ends = " ".join(f"{role}={target}" for role, target in each.arguments)
            chain = " of a chain" if each.chain else ""
            yield f"  {each.line}: {each.type} ({ends}){_features(each.features)}{chain}"


def _features(features: Mapping[str, str]) -> str:
    return "".join(
        f" {name}={_quoted('|'.join(sorted(value.members)) if isinstance(value, SetLabel) else value)}"
        for name, value in features.items()
    )


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _ratings(content: Ratings) -> Iterator[str]:
    documents = [
        "" if code == NO_DOCUMENT else f"{content.documents[code]}/" for code in content.document.tolist()
    ]
    codes = zip(content.unit, content.annotator, content.label, content.mark_pass, strict=True)
    for place, (unit, who, label, turn) in enumerate(codes):
        file, line = content.location(place)
        weight = int(content.weight[unit])
        times = f" × {weight}" if weight != 1 else ""
        later = f", pass {turn + 1}" if turn else ""
        name = f"{documents[unit]}{content.unit_names[unit]}"
        said = f"{content.annotators[who]} = {_quoted(content.labels[label])}"
        yield f"  {file}:{line}: {name}: {said}{times}{later}"
    ordered = " in their order" if content.ordered else ""
    yield f"annotators {', '.join(content.annotators)}; labels{ordered} {', '.join(content.labels)}"
    yield f"units {len(content.unit_names)}"
    if any(content.unit_texts):
        yield f"texts {' | '.join(content.unit_texts)}"


def _marks(content: TextMarks) -> Iterator[str]:
    for mark, start, end in zip(content.span_mark, content.span_start, content.span_end, strict=True):
        file, line = content.location(int(mark))
        who, label = content.annotators[content.annotator[mark]], content.labels[content.label[mark]]
        document = content.documents[content.document[mark]]
        yield f"  {file}:{line}: {document} by {who}: {start}-{end} {_quoted(label)}"
    yield f"annotators {', '.join(content.annotators)}; labels {', '.join(content.labels)}"
    yield f"documents {', '.join(content.documents)}"


def _beside(found: Annotations) -> Iterator[str]:
    beside = {
        "read": found.marks_read,
        "missing": found.missing,
        "unread": ", ".join(found.unread),
        "not compared": ", ".join(f"{name} {number}" for name, number in found.not_compared.items()),
        "roles": ", ".join(f"{who} {role}" for who, role in found.roles.items()),
        "labels are in": found.called,
        "control": found.control,
        "compared are": found.compared.replace("marks", ""),
    }
    yield from (f"{what} {value}" for what, value in beside.items() if value)


def _times(content: Ratings | TextMarks, times: WorkTimes) -> Iterator[str]:
    """Yield when each annotator worked, and how long it took, both in milliseconds."""
    for code, who in enumerate(content.annotators):
        own = times.annotator == code
        pairs = zip(times.at[own].tolist(), times.taken[own].tolist(), strict=True)
        yield f"times of {who}: {', '.join(f'{at} + {taken}' for at, taken in pairs)}"


def _left_out(each: ExcludedMarks) -> str:
    return f"left out {each.file}:{each.line}: {each.annotator} {each.marks}, {each.reason}"
