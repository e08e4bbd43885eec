"""What is checked of a UIMA CAS before dkpro-cassis reads it, and what it makes of damaged files."""

import keyword
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from reportgen.errors import BadInput, Problem
from reportgen.formats.copies import Span
from reportgen.formats.offsets import Utf16, inside_character
from reportgen.formats.reader import ExportFile, shortened

SEGMENTATION = frozenset(
    {"Token", "Sentence", "DocumentMetaData", "DocumentAnnotation", "TagDescription", "TagsetDescription"}
)
BOOKKEEPING = "de.tudarmstadt.ukp.clarin.webanno.api.type."
OWN_LAYERS = ("custom.", "webanno.custom.")
AGAIN = "Export the document again."
REASON_SHOWN = 200

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Raw:
    """A feature structure as the file has it: id, line (or number), type, and UTF-16 offsets if any."""

    id: int | None
    line: int
    type: str
    span: Span | None
    text: str | None


def guarded(file: ExportFile, step: Callable[[], Result]) -> Result:
    """Return the step's result; raise BadInput for whatever dkpro-cassis makes of a damaged file."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return step()
    except BadInput:
        raise
    except Exception as error:  # noqa: BLE001 - the library raises whatever its code stumbles over
        said = " ".join(str(error).split())[:REASON_SHOWN].removesuffix(".")
        message = f"is a damaged CAS: {type(error).__name__}: {said}."
        raise BadInput([Problem(file.name, message=message, mend=AGAIN)]) from None


def is_segmentation(type_name: str) -> bool:
    """Say whether a type is of tokens, sentences or bookkeeping; annotators' own layers never are."""
    if type_name.startswith(BOOKKEEPING):
        return True
    return type_name.rpartition(".")[2] in SEGMENTATION and not type_name.startswith(OWN_LAYERS)


def unusable_names(names: Iterable[str]) -> list[str]:
    """Return the names of features that are no plain identifiers.

    dkpro-cassis compiles features into a class: a name that is not one could be code.
    """
    return [
        name for name in names if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("__")
    ]


def check(file: ExportFile, raws: Sequence[Raw]) -> None:
    """Raise BadInput for ids that come twice, and for offsets that are not those of a stretch of text."""
    problems: list[Problem] = []
    known: set[int] = set()
    offsets: dict[str, Utf16] = {}
    for raw in raws:
        if raw.id is not None and raw.id in known:
            message = f"has the id {raw.id}, which another annotation has too."
            problems.append(Problem(file.name, raw.line, message=message, mend=AGAIN))
        known |= set() if raw.id is None else {raw.id}
        if raw.span is not None and raw.text is not None:
            if raw.text not in offsets:
                offsets[raw.text] = Utf16(raw.text)
            problems += _check_span(file, raw, offsets[raw.text], len(raw.text))
    if problems:
        raise BadInput(shortened(problems))


def _check_span(file: ExportFile, raw: Raw, offsets: Utf16, length: int) -> Iterator[Problem]:
    start, end = raw.span or (0, 0)
    points = offsets.span(start, end) if start >= 0 and end >= 0 else (start, end)
    if points is None:
        yield inside_character(file.name, raw.line, start, end)
    elif not 0 <= points[0] <= points[1] <= length:
        message = f"from {start} to {end} does not lie within the text, which has {length:,} characters."
        yield Problem(file.name, raw.line, message=message, mend=AGAIN)
