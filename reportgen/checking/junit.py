"""Verdicts for build servers: JUnit's XML, a suite for each campaign and a case for each rule."""

from lxml import etree

from reportgen.checking.check import Checked, Checks, Verdict
from reportgen.errors import printable

MISSING = "�"
# Beyond it are letters of the other planes; in it, surrogates and two code points that are none.
LAST, SURROGATES = 0xFFFD, range(0xD800, 0xE000)


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
    return "".join(char if _allowed(ord(char)) else MISSING for char in printable(text))


def _allowed(code: int) -> bool:
    return code not in SURROGATES and code not in {LAST + 1, LAST + 2}
