"""Verdicts for pull requests on GitHub: commands of its runners, and a step's summary."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from reportgen.base.errors import Problem, printable
from reportgen.report.escaping import escape_markdown

# What is to be seen beside a line of campaign.toml.


class Annotation(NamedTuple):
    """What is said of a line of a file; line 0 is the whole file."""

    level: Literal["error", "notice"]
    file: str
    line: int
    title: str
    text: str


def annotations(checks: Mapping[str, Any]) -> Iterator[Annotation]:
    """Yield each rule that is broken, or kept for want of an earlier version, and who has no gate."""
    for checked in checks["campaigns"]:
        for rule in checked["rules"]:
            if not rule["held"] or "note" in rule:
                yield Annotation(
                    "notice" if rule["held"] else "error",
                    checked["file"],
                    rule["line"],
                    f"{checked['campaign']} {checked['version']}: {rule['rule']}",
                    rule["found"],
                )
    for file in checks["without_gate"]:
        yield Annotation("notice", file, 0, "reportgen check", "It has no [gate].")


def annotations_of(problems: Iterable[Problem]) -> Iterator[Annotation]:
    """Yield each problem for which nothing could be checked."""
    for problem in problems:
        text = f"{problem.message} {problem.remedy}".strip()
        yield Annotation("error", problem.file, problem.line, problem.key or "reportgen check", text)


# Commands of GitHub's runners, which annotate a file in a pull request.

# What ends a command, or its properties, is escaped. The percent sign comes first.
IN_MESSAGES = {"%": "%25", "\r": "%0D", "\n": "%0A"}
IN_PROPERTIES = {**IN_MESSAGES, ":": "%3A", ",": "%2C"}


def as_github(annotated: Iterable[Annotation]) -> Iterator[str]:
    """Yield a command for each annotation."""
    for said in annotated:
        place = {"file": said.file, "line": said.line, "title": said.title}
        shown = (f"{key}={_escaped(str(value), IN_PROPERTIES)}" for key, value in place.items() if value)
        yield f"::{said.level} {','.join(shown)}::{_escaped(said.text, IN_MESSAGES)}"


def sums(checks: Mapping[str, Any]) -> Iterator[str]:
    """Yield for each campaign how many of its rules are kept; no runner takes the line for a command."""
    for checked in checks["campaigns"]:
        name, rules = f"{checked['campaign']} {checked['version']}", checked["rules"]
        yield f"{name}: {sum(rule['held'] for rule in rules)} of {len(rules)} rules held."


def _escaped(text: str, signs: Mapping[str, str]) -> str:
    """Return a text in which no line ends, and nothing steers a terminal."""
    return "".join(signs.get(char, printable(char)) for char in text)


def summary(annotated: Sequence[Annotation], more: Iterable[str], number: int) -> str:
    """Return Markdown for the summary of a step: `number` annotations, of which the first are listed."""
    lines = ["## reportgen check", "", *(f"- {escape_markdown(line)}" for line in more), ""]
    if annotated:
        lines += ["| | where | what was found |", "|---|---|---|"]
    for said in annotated:
        place = f"{said.file}:{said.line}" if said.line else said.file
        cells = (said.level, place, f"{said.title}: {said.text}")
        lines.append(f"| {' | '.join(escape_markdown(printable(cell)) for cell in cells)} |")
    if number > len(annotated):
        lines += ["", f"These are the first {len(annotated)} of {number:,}."]
    return "\n".join([*lines, ""])
