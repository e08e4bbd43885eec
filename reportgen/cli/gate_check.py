"""The rules of [gate]: campaigns computed as far as rules need it, and verdicts in every form."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree

from reportgen import campaign as asked
from reportgen.base.errors import BadInput, Problem, for_each, printable, tried
from reportgen.base.progress import Steps as Progress
from reportgen.campaign import Campaign
from reportgen.measures import figures_on
from reportgen.pipeline.computing import compute_figures, count_everything
from reportgen.pipeline.reading import Read, everybody, expect_files, read_version
from reportgen.pipeline.version_reports import compare_versions
from reportgen.results import Figure, Interval, Results, Scalar, rounded
from reportgen.results.parts import Change
from reportgen.units import Pseudonyms
from reportgen.versions.gate import GateOutcome, hold
from reportgen.versions.gate_rules import Rule, compares, rules_of, unknown
from reportgen.words.numbers import estimate, figure, interval, message

# What was found about a rule, as a sentence; the only place of this room where figures are rounded.

MOST_DIGITS = 12
FEWEST_DIGITS = 4


def sentence(outcome: GateOutcome) -> str:
    """Return what was found: the outcome's message with its places filled in."""
    return message(outcome.message, {**outcome.values, **_shown(outcome), **_changed(outcome.change)})


def _shown(outcome: GateOutcome) -> dict[str, Scalar]:
    """Return the figure with its interval, with as many digits as show on which side of the floor it is."""
    found, floor = outcome.found.figure, outcome.rule.floor
    least = floor.value if floor.winning_rate is None else floor.winning_rate
    return {"shown": f"{_beside(found.value, least)} {_ends(found, floor.low)}".rstrip()}


def _ends(found: Figure, floor: float | None) -> str:
    known = found.interval
    if known is None or known.low is None:
        return ""
    return f"[{_beside(known.low, floor)}, {figure(known.high)}]"


def _beside(value: float | None, floor: float | None) -> str:
    """Return a number with three decimals, or as many as it takes not to be taken for the floor above it."""
    shown = figure(value)
    if value is None or floor is None or value >= floor or shown != figure(floor):
        return shown
    texts = (f"{value:.{digits}f}" for digits in range(FEWEST_DIGITS, MOST_DIGITS + 1))
    return next((text for text in texts if float(text) < floor), shown).replace("-", "−")


def _changed(change: Change | None) -> Mapping[str, Any]:
    """Return a figure under both versions, and the difference with its interval."""
    if change is None:
        return {}
    ends = interval(change.interval if isinstance(change.interval, Interval) else None)
    return {
        "first": estimate(change.first) if change.first.value is not None else "undefined",
        "second": estimate(change.second) if change.second.value is not None else "undefined",
        "difference": f"{figure(change.difference)} {ends}".rstrip(),
    }


# Campaigns, computed as far as their rules need it, and what became of each rule.

# People have the names that campaign.toml calls them by: what is said here is nowhere published.
NAMES = Pseudonyms()


@dataclass(frozen=True)
class Verdict:
    """One outcome: its rule as campaign.toml has it, the line where it stands there, and what was found."""

    outcome: GateOutcome
    line: int
    sentence: str


@dataclass(frozen=True)
class Checked:
    """One campaign: its newest version, the one before where a rule is about it, and every verdict."""

    campaign: str
    file: str
    version: str
    earlier: str | None
    verdicts: Sequence[Verdict]

    @property
    def held(self) -> bool:
        """Tell whether every rule is held."""
        return all(each.outcome.held for each in self.verdicts)


@dataclass(frozen=True)
class Checks:
    """All campaigns; `without_gate` names the files of those that have no [gate]."""

    checked: Sequence[Checked]
    without_gate: Sequence[str]

    @property
    def held(self) -> bool:
        """Tell whether every rule of every campaign is held."""
        return all(each.held for each in self.checked)


def check(folders: Sequence[Path], progress: Progress = lambda _: None) -> Checks:
    """Hold the newest version of each campaign to its [gate].

    Raises BadInput with all that is wrong in any campaign, and where none of them has a [gate].
    """
    campaigns, problems = tried(dict.fromkeys(folders), asked.load)
    with_gate = [each for each in campaigns if rules_of(each)]
    without = [each for each in campaigns if not rules_of(each)]
    checked, more = tried(with_gate, lambda campaign: _check(campaign, progress))
    if problems or more:
        raise BadInput([*problems, *more])
    if not with_gate:
        message = "has no [gate], so that nothing can be checked."
        mend = "Write for example [gate] and krippendorff_alpha = { low = 0.667 }."
        raise BadInput(Problem(each.file, message=message, mend=mend) for each in without)
    return Checks(checked, [each.file for each in without])


def _check(campaign: Campaign, progress: Progress) -> Checked:
    rules = rules_of(campaign)
    *before, newest = campaign.versions
    wanted = [*(before[-1:] if compares(rules) else []), newest]
    expect_files(campaign, wanted)
    reads = for_each(wanted, lambda version: _read(campaign, version, progress))
    progress(f"{campaign.id} {newest}: computing agreement")
    read = reads[-1]
    counted = count_everything(read.studies, read.distances)
    results, _ = compute_figures(campaign, read, read.studies, counted, NAMES)
    if wrong := _unknown(campaign, rules, results, read):
        raise BadInput(wrong)
    comparison = compare_versions(campaign, reads[0], read, NAMES).comparison if len(reads) > 1 else None
    outcomes = hold(rules, results, comparison)
    earlier = comparison.first.guidelines if comparison else None
    return Checked(campaign.id, campaign.file, newest, earlier, _verdicts(campaign, outcomes))


def _read(campaign: Campaign, version: str, progress: Progress) -> Read:
    progress(f"{campaign.id} {version}: reading exports")
    return read_version(campaign, campaign.version(version))


def _unknown(campaign: Campaign, rules: Sequence[Rule], results: Results, read: Read) -> list[Problem]:
    """Return what rules name in vain; figures that a layer's scale has are known although none is there."""
    declared = [each.id for each in read.version.distances]
    computable = {layer.id: figures_on(layer.scale, declared) for layer in read.version.layers}
    people = {name for each in read.annotations for name in everybody(each)}
    derived = {name for study in read.studies for units in study.unit_sets for name in units.annotators}
    return unknown(campaign, rules, results, people | derived, computable)


def _verdicts(campaign: Campaign, outcomes: Sequence[GateOutcome]) -> list[Verdict]:
    paths = [each.rule.path(each.demand) if each.demand else each.rule.path("")[:-1] for each in outcomes]
    lines = asked.lines_of(campaign, list(dict.fromkeys(paths)))
    return [
        Verdict(each, lines.get(path, 0), sentence(each)) for each, path in zip(outcomes, paths, strict=True)
    ]


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
