"""Verdicts for build servers: commands of GitHub's runners and a step's summary, JUnit's XML, SARIF."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.parse import quote

from lxml import etree

from reportgen.base import __version__
from reportgen.base.errors import Problem, printable
from reportgen.report.escaping import escape_markdown

# What is to be seen beside a line of campaign.toml.


class Annotation(NamedTuple):
    """What is said of a line of a file; line 0 is the whole file. `rule` is an id, `title` is for people."""

    level: Literal["error", "notice"]
    file: str
    line: int
    rule: str
    title: str
    text: str


NO_GATE, BAD_INPUT = "no-gate", "bad-input"


def annotations(checks: Mapping[str, Any]) -> Iterator[Annotation]:
    """Yield each rule that is broken, or kept for want of an earlier version, and who has no gate."""
    for checked in checks["campaigns"]:
        for rule in checked["rules"]:
            if not rule["held"] or "note" in rule:
                yield Annotation(
                    "notice" if rule["held"] else "error",
                    checked["file"],
                    rule["line"],
                    rule["figure"],
                    f"{checked['campaign']} {checked['version']}: {rule['rule']}",
                    rule["found"],
                )
    for file in checks["without_gate"]:
        yield Annotation("notice", file, 0, NO_GATE, "reportgen check", "It has no [gate].")


def annotations_of(problems: Iterable[Problem]) -> Iterator[Annotation]:
    """Yield each problem for which nothing could be checked."""
    for problem in problems:
        text = f"{problem.message} {problem.remedy}".strip()
        yield Annotation(
            "error", problem.file, problem.line, BAD_INPUT, problem.key or "reportgen check", text
        )


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


# SARIF 2.1.0, which code scanning and editors show beside the line.

LEVELS = {"error": "error", "notice": "note"}


def as_sarif(annotated: Sequence[Annotation], status: int, *, checked: bool) -> str:
    """Return a SARIF log of one run, its exit status, and whether anything could be checked."""
    rules = dict.fromkeys(said.rule for said in annotated)
    driver = {"name": "reportgen", "version": __version__, "rules": [{"id": rule} for rule in rules]}
    results = [
        {
            "ruleId": said.rule,
            "level": LEVELS[said.level],
            "message": {"text": f"{printable(said.title)}: {printable(said.text)}"},
            "locations": [{"physicalLocation": _place(said)}],
        }
        for said in annotated
    ]
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": checked, "exitCode": status}],
        "results": results,
    }
    return json.dumps({"version": "2.1.0", "runs": [run]}, indent=1)


def _place(said: Annotation) -> dict[str, Any]:
    """Return where an annotation is, in a form that SARIF takes: an address, and a line from 1."""
    path = Path(said.file)
    address = path.as_uri() if path.is_absolute() else quote(path.as_posix(), errors="replace")
    region = {"region": {"startLine": said.line}} if said.line else {}
    return {"artifactLocation": {"uri": address}, **region}


# JUnit's XML, a suite for each campaign and a case for each rule.

MISSING = "�"
# Surrogates, and two code points that are no characters, although letters of other planes are beyond them.
UNFIT = re.compile("[\ud800-\udfff\ufffe\uffff]")


def as_junit(checks: Mapping[str, Any]) -> bytes:
    """Return the XML, in UTF-8."""
    suites = etree.Element("testsuites", name="reportgen check")
    for checked in checks["campaigns"]:
        broken = sum(not rule["held"] for rule in checked["rules"])
        suite = _suite(
            suites, f"{checked['campaign']} {checked['version']}", len(checked["rules"]), broken, 0
        )
        for rule in checked["rules"]:
            _case(suite, checked, rule)
    for file in checks["without_gate"]:
        case = etree.SubElement(
            _suite(suites, file, 1, 0, 1), "testcase", classname=_clean(file), name="[gate]"
        )
        etree.SubElement(case, "skipped", message="The campaign has no [gate].")
    return etree.tostring(suites, xml_declaration=True, encoding="UTF-8", pretty_print=True)


def problems_as_junit(problems: Sequence[Problem]) -> bytes:
    """Return the XML of problems for which nothing could be checked, each an error of a case."""
    suites = etree.Element("testsuites", name="reportgen check")
    suite = _suite(suites, "campaigns that can't be read", len(problems), 0, 0)
    suite.set("errors", str(len(problems)))
    for problem in problems:
        file, key = problem.file or "reportgen check", problem.key or "file"
        case = etree.SubElement(suite, "testcase", classname=_clean(file), name=_clean(key))
        case.attrib.update({"file": _clean(file), "line": str(problem.line)})
        said = _clean(f"{problem.message} {problem.remedy}")
        etree.SubElement(case, "error", type="bad input", message=said)
    return etree.tostring(suites, xml_declaration=True, encoding="UTF-8", pretty_print=True)


def _suite(suites: etree._Element, name: str, tests: int, failures: int, skipped: int) -> etree._Element:
    counts = (("tests", tests), ("failures", failures), ("skipped", skipped))
    suite = etree.SubElement(suites, "testsuite", name=_clean(name))
    suite.attrib.update((key, str(number)) for key, number in counts)
    return suite


def _case(suite: etree._Element, checked: Mapping[str, Any], rule: Mapping[str, Any]) -> None:
    repeated = sum(other["rule"] == rule["rule"] for other in checked["rules"]) > 1
    file, sentence = _clean(checked["file"]), _clean(rule["found"])
    case = etree.SubElement(
        suite,
        "testcase",
        classname=f"{checked['campaign']}.{checked['version']}",
        name=_clean(rule["rule"] + (f" (layer {rule.get('layer')})" if repeated else "")),
        file=file,
        line=str(rule["line"]),
    )
    if rule["held"]:
        etree.SubElement(case, "system-out").text = sentence
    else:
        failure = etree.SubElement(case, "failure", type=rule.get("demand", "undefined"), message=sentence)
        failure.text = _clean(f"{checked['file']}:{rule['line']}: {rule['rule']}")


def _clean(text: str) -> str:
    """Return a text on one line, without what XML 1.0 has no place for."""
    return UNFIT.sub(MISSING, printable(text))
