"""Verdicts as annotations of a file in a pull request: workflow commands of GitHub's runners."""

from collections.abc import Iterator

from reportgen.checking.check import Checked, Checks, Verdict
from reportgen.errors import printable

# What ends a command, or its properties, stands escaped. The percent sign comes first.
IN_MESSAGES = {"%": "%25", "\r": "%0D", "\n": "%0A"}
IN_PROPERTIES = {**IN_MESSAGES, ":": "%3A", ",": "%2C"}


def as_github(checks: Checks) -> Iterator[str]:
    """Yield a command for each rule that is broken, or held for want of an earlier version, and for no gate.

    A sum for each campaign stands between them, which no runner takes for a command.
    """
    for checked in checks.checked:
        for each in checked.verdicts:
            if not each.outcome.held or each.outcome.note:
                yield _command("notice" if each.outcome.held else "error", checked, each)
        held = sum(each.outcome.held for each in checked.verdicts)
        yield f"{checked.campaign} {checked.version}: {held} of {len(checked.verdicts)} rules held."
    for file in checks.without_gate:
        yield f"::notice file={_escaped(file, IN_PROPERTIES)},title=reportgen check::It has no [gate]."


def _command(kind: str, checked: Checked, verdict: Verdict) -> str:
    title = f"{checked.campaign} {checked.version}: {verdict.outcome.written}"
    properties = {"file": checked.file, "line": str(verdict.line), "title": title}
    shown = ",".join(f"{key}={_escaped(value, IN_PROPERTIES)}" for key, value in properties.items())
    return f"::{kind} {shown}::{_escaped(verdict.sentence, IN_MESSAGES)}"


def _escaped(text: str, signs: dict[str, str]) -> str:
    """Return a text in which no line ends, and nothing steers a terminal."""
    return "".join(signs.get(char, printable(char)) for char in text)
