"""The guidelines documents of two versions, compared and recorded; or why they were not."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from reportgen.results.revisions import GuidelinesCompared, Passage
from reportgen.revisions.guidelines import compare_guidelines

# Beyond this a document is no text that somebody wrote for annotators.
MOST_BYTES = 2_000_000

NONE_NAMED = "campaign.toml names no guidelines document for {version}"
NO_TEXT = "the guidelines document of {version} is no text file"
MISSING = "the guidelines document of {version} is not there"
TOO_LONG = "the guidelines document of {version} is too long to compare"


@dataclass(frozen=True)
class GuidelinesDocument:
    """A version's guidelines document: its name, its text, or why there is none."""

    version: str
    name: str = ""
    text: str | None = None
    missing: str = ""


def guidelines_document(folder: Path, version: str, name: str | None) -> GuidelinesDocument:
    """Read the guidelines document of a version; `name` is its path in the campaign's folder."""
    if not name:
        return _without(version, "", NONE_NAMED)
    path = folder / name
    try:
        if path.stat().st_size > MOST_BYTES:
            return _without(version, name, TOO_LONG)
        content = path.read_bytes()
        text = content.decode("utf-8-sig")
    except OSError:
        return _without(version, name, MISSING)
    except UnicodeDecodeError:
        return _without(version, name, NO_TEXT)
    return GuidelinesDocument(version, name, text) if "\0" not in text else _without(version, name, NO_TEXT)


def _without(version: str, name: str, reason: str) -> GuidelinesDocument:
    return GuidelinesDocument(version, name, missing=reason.format(version=version))


def guidelines_compared(
    first: GuidelinesDocument, second: GuidelinesDocument, categories: Sequence[str]
) -> tuple[GuidelinesCompared | None, str | None]:
    """Return two documents compared; or None with the reason why they are not."""
    if first.text is None or second.text is None:
        return None, first.missing or second.missing
    found = compare_guidelines(first.text, second.text, categories)
    passages = tuple(Passage(kind=each.kind, text=each.text, categories=each.categories) for each in found)
    return GuidelinesCompared(first=first.name, second=second.name, passages=passages), None
