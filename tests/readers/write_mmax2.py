"""Writes copies as MMAX2 projects."""

from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from reportgen.readers import DocumentCopy, ExportFile, ParsedMark
from tests.readers.given_files import written


def write(copies: Sequence[DocumentCopy], folder: Path) -> list[ExportFile]:
    """Write the words of each document, and each annotator's project with a file for each level.

    MMAX2 can't carry marks that cut words, spaces other than one between words, zero-length marks, and two
    stretches of a mark between which there is no word.
    """
    files: dict[str, str] = {}
    for copy in copies:
        words = (copy.text or "").split(" ")
        lines = [f'<word id="word_{place}">{escape(word)}</word>' for place, word in enumerate(words, 1)]
        files[f"basedata/{copy.document}.words.xml"] = "<words>\n" + "\n".join(lines) + "\n</words>"
        project = f"<mmax_project><words>{copy.document}.words.xml</words></mmax_project>"
        files[f"{copy.annotator}/{copy.document}.mmax"] = project
        levels: dict[str, list[ParsedMark]] = (
            {"empty": [], **_by_type(copy.marks)} if copy.state == "seen" else {}
        )
        for level, marks in levels.items():
            lines = [_markable(mark, words) for mark in marks]
            name = f"{copy.annotator}/markables/{copy.document}_{level}_level.xml"
            files[name] = "<markables>\n" + "\n".join(lines) + "\n</markables>"
    return written(folder, dict(sorted(files.items())))


def _by_type(marks: Sequence[ParsedMark]) -> dict[str, list[ParsedMark]]:
    found: dict[str, list[ParsedMark]] = {}
    for mark in marks:
        found.setdefault(mark.type, []).append(mark)
    return found


def _markable(mark: ParsedMark, words: Sequence[str]) -> str:
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    at = 0
    for place, word in enumerate(words, 1):
        first[at], last[at + len(word)] = place, place
        at += len(word) + 1
    ranges = ",".join(
        f"word_{first[start]}" + (f"..word_{last[end]}" if last[end] > first[start] else "")
        for start, end in mark.spans
    )
    features = "".join(f" {name}={quoteattr(value)}" for name, value in mark.features.items())
    return f'<markable span="{ranges}"{features}/>'
