"""Verdicts of `reportgen check`: for people, as JSON, as JUnit's XML, and as annotations for GitHub."""

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree

from reportgen.base.errors import printable
from reportgen.cli.gate_check import Checked, Checks, Verdict
from reportgen.results import rounded

# Verdicts as annotations of a file in a pull request: workflow commands of GitHub's runners.

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


# Verdicts for programs, as JSON.


def account(checks: Checks) -> Any:  # noqa: ANN401 - any JSON value
    """Return everything that was found, for JSON, one campaign after the other."""
    content = {
        "held": checks.held,
        "campaigns": [_campaign(each) for each in checks.checked],
        "without_gate": list(checks.without_gate),
    }
    return rounded(content)


def _campaign(checked: Checked) -> dict[str, Any]:
    return {
        "campaign": checked.campaign,
        "file": checked.file,
        "version": checked.version,
        "earlier": checked.earlier,
        "held": checked.held,
        "rules": [_rule(each) for each in checked.verdicts],
    }


def _rule(verdict: Verdict) -> dict[str, Any]:
    outcome = verdict.outcome
    content = {
        "rule": outcome.written,
        "line": verdict.line,
        "figure": outcome.rule.figure,
        "demand": outcome.demand or None,
        "layer": outcome.found.layer,
        "unit_set": outcome.found.unit_set,
        "category": outcome.rule.floor.category,
        "annotators": list(outcome.rule.floor.annotators) or None,
        "held": outcome.held,
        "note": outcome.note or None,
        "found": verdict.sentence,
        "message": str(outcome.message),
        "values": dict(outcome.values),
        "value": outcome.found.figure.model_dump(mode="json", by_alias=True),
        "change": outcome.change.model_dump(mode="json", by_alias=True) if outcome.change else None,
    }
    return {key: value for key, value in content.items() if value is not None}


# Verdicts for build servers: JUnit's XML, a suite for each campaign and a case for each rule.

MISSING = "�"
# Surrogates, and two code points that are no characters, although letters of other planes are beyond them.
UNFIT = re.compile("[\ud800-\udfff\ufffe\uffff]")


def as_junit(checks: Checks) -> bytes:
    """Return the XML, in UTF-8."""
    suites = etree.Element("testsuites", name="reportgen check")
    for checked in checks.checked:
        _suite(suites, checked)
    for file in checks.without_gate:
        suite = etree.SubElement(suites, "testsuite", name=_clean(file), tests="1", failures="0", skipped="1")
        case = etree.SubElement(suite, "testcase", classname=_clean(file), name="[gate]")
        etree.SubElement(case, "skipped", message="The campaign has no [gate].")
    return etree.tostring(suites, xml_declaration=True, encoding="UTF-8", pretty_print=True)


def _suite(suites: etree._Element, checked: Checked) -> None:
    broken = sum(not each.outcome.held for each in checked.verdicts)
    suite = etree.SubElement(
        suites,
        "testsuite",
        name=f"{checked.campaign} {checked.version}",
        tests=str(len(checked.verdicts)),
        failures=str(broken),
        skipped="0",
    )
    for each in checked.verdicts:
        _case(suite, checked, each)


def _case(suite: etree._Element, checked: Checked, verdict: Verdict) -> None:
    outcome = verdict.outcome
    several = sum(each.outcome.written == outcome.written for each in checked.verdicts) > 1
    name = outcome.written + (f" (layer {outcome.found.layer})" if several else "")
    case = etree.SubElement(
        suite,
        "testcase",
        classname=f"{checked.campaign}.{checked.version}",
        name=_clean(name),
        file=_clean(checked.file),
        line=str(verdict.line),
    )
    if outcome.held:
        etree.SubElement(case, "system-out").text = _clean(verdict.sentence)
        return
    failure = etree.SubElement(
        case, "failure", type=outcome.demand or "undefined", message=_clean(verdict.sentence)
    )
    failure.text = _clean(f"{checked.file}:{verdict.line}: {outcome.written}")


def _clean(text: str) -> str:
    """Return a text on one line, without what XML 1.0 can't hold."""
    return UNFIT.sub(MISSING, printable(text))


# Verdicts for people: a line for each rule that is broken, then in short what is held.

Line = tuple[str, str]

BROKEN, HELD, PASSED_OVER = "broken", "held", "no gate"


def as_text(checks: Checks) -> Iterator[Line]:
    """Yield lines, each with the state that it tells of: broken, held, or a campaign without a gate."""
    for checked in checks.checked:
        name = f"{checked.campaign} {checked.version}"
        for each in checked.verdicts:
            if not each.outcome.held:
                yield BROKEN, f"{name}: broken: {each.outcome.written}: {each.sentence}"
        for each in checked.verdicts:
            if each.outcome.held:
                yield HELD, f"{name}: held: {each.sentence}"
        held = sum(each.outcome.held for each in checked.verdicts)
        broken = len(checked.verdicts) - held
        yield (BROKEN if broken else HELD), f"{name}: {held} held, {broken} broken."
    for file in checks.without_gate:
        yield PASSED_OVER, f"{file}: passed over: it has no [gate]."
