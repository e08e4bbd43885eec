"""The same document in the hands of several annotators: one text, marks inside it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reportgen.errors import BadInput, Problem
from reportgen.formats.copies import Copy, Mark
from reportgen.formats.offsets import around, first_difference
from reportgen.formats.reader import NOT_ASKED_FOR, shortened


@dataclass(frozen=True)
class Aligned:
    """Copies that belong together.

    `texts` has one text for each of `documents`, "" where the export has none. `copies` are those of the
    annotators asked for, `left_out` the others with the reason.
    """

    documents: tuple[str, ...]
    texts: tuple[str, ...]
    annotators: tuple[str, ...]
    copies: tuple[Copy, ...]
    left_out: tuple[tuple[Copy, str], ...]


def align(copies: Sequence[Copy], asked: Sequence[str]) -> Aligned:
    """Return the documents that annotators hold copies of, each with its one text.

    Raises BadInput where copies of a document have different texts, showing the first difference, and
    for each mark that does not lie within its text.
    """
    first: dict[str, Copy] = {}
    problems: list[Problem] = []
    for copy in copies:
        known = first.setdefault(copy.document, copy)
        if known.text is None and copy.text is not None:
            first[copy.document] = copy
        elif copy.text is not None and known.text is not None and copy.text != known.text:
            problems.append(_different(known, copy))
        problems += shortened(list(_outside(copy)))
    if problems:
        raise BadInput(problems)
    wanted = set(asked)
    return Aligned(
        documents=tuple(first),
        texts=tuple(copy.text or "" for copy in first.values()),
        annotators=tuple(asked),
        copies=tuple(copy for copy in copies if copy.annotator in wanted),
        left_out=tuple((copy, NOT_ASKED_FOR) for copy in copies if copy.annotator not in wanted),
    )


def _different(one: Copy, other: Copy) -> Problem:
    place = first_difference(one.text or "", other.text or "")
    blanks = "in white space alone, " if (one.text or "").split() == (other.text or "").split() else ""
    message = (
        f'has another text of document "{one.document}" than {one.file}; they differ {blanks}from character '
        f'{place + 1} on: "{around(other.text or "", place)}" here, "{around(one.text or "", place)}" there.'
    )
    mend = "Annotators of a document need the same text; documents that differ need names that differ."
    return Problem(other.file, message=message, mend=mend)


def _outside(copy: Copy) -> Iterator[Problem]:
    """Yield the marks that do not lie within the text, or have stretches in the wrong order."""
    length = len(copy.text or "")
    for mark in copy.marks:
        if mark.spans and not _lies_within(mark, length):
            spans = ", ".join(f"{start} to {end}" for start, end in mark.spans[:3])
            text = (
                f"text, which has {length:,} characters"
                if copy.text is not None
                else "text, which is missing"
            )
            message = f"a mark from {spans} does not lie within the {text}."
            yield Problem(
                mark.file or copy.file, mark.line, message=message, mend="Export text and marks together."
            )


def _lies_within(mark: Mark, length: int) -> bool:
    edges = [edge for span in mark.spans for edge in span]
    return edges == sorted(edges) and edges[0] >= 0 and edges[-1] <= length
