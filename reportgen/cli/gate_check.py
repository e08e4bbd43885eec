"""The rules of [gate]: campaigns computed as far as rules need it, verdicts as data, lines and for GitHub."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from reportgen import campaign as asked
from reportgen.base.errors import BadInput, Problem, for_each, printable, tried
from reportgen.base.progress import Steps as Progress
from reportgen.campaign import Campaign
from reportgen.catalogue import figures_on
from reportgen.pipeline.computing import compute_figures
from reportgen.pipeline.counting import count_everything
from reportgen.pipeline.reading import VersionExports, everybody_in, expect_files, read_version
from reportgen.pipeline.releases import changes_since, read_record, told
from reportgen.pipeline.version_reports import compare_versions, labels_now
from reportgen.report.escaping import escape_markdown
from reportgen.results import Interval, Results, Scalar, rounded
from reportgen.results.parts import Change
from reportgen.units import Pseudonyms
from reportgen.versions.gate import GateOutcome, Rule, compares, outcomes_of, rules_of, unknown
from reportgen.words.numbers import estimate, figure, interval, message

# What was found about a rule, as a sentence; the only place of this room where figures are rounded.

MOST_DIGITS = 12
FEWEST_DIGITS = 4


def sentence(outcome: GateOutcome) -> str:
    """Return what was found: the outcome's message with its places filled in."""
    return message(outcome.message, {**outcome.values, **_shown(outcome), **_changed(outcome.change)})


def _shown(outcome: GateOutcome) -> dict[str, Scalar]:
    """Return the figure with its interval, with as many digits as show on which side of the floor it is."""
    checked, floor = outcome.rule_figure.figure, outcome.rule.floor
    least = floor.value if floor.winning_rate is None else floor.winning_rate
    shown = _decimals_above(checked.value, least)
    if checked.interval and checked.interval.low is not None:
        low, high = checked.interval.low, checked.interval.high
        shown += f" [{_decimals_above(low, floor.low)}, {figure(high)}]"
    return {"shown": shown}


def _decimals_above(value: float | None, floor: float | None) -> str:
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

# People have the names that campaign.toml calls them by: none of this is published.
NAMES = Pseudonyms()


def check(folders: Sequence[Path], progress: Progress = lambda _: None) -> dict[str, Any]:
    """Compare the newest version of each campaign with its [gate]; return what was found, as JSON has it.

    Raises BadInput with all that is wrong in any campaign, and where none of them has a [gate].
    """
    campaigns, problems = tried(dict.fromkeys(folders), asked.load)
    with_gate = [campaign for campaign in campaigns if rules_of(campaign)]
    without = [campaign.file for campaign in campaigns if not rules_of(campaign)]
    checked, more = tried(with_gate, lambda campaign: _check(campaign, progress))
    if problems or more:
        raise BadInput([*problems, *more])
    if not with_gate:
        message = "has no [gate], so that nothing can be checked."
        remedy = "Write for example [gate] and krippendorff_alpha = { low = 0.667 }."
        raise BadInput(Problem(file, message=message, remedy=remedy) for file in without)
    content: dict[str, Any] = rounded(
        {"held": all(campaign["held"] for campaign in checked), "campaigns": checked, "without_gate": without}
    )
    return content


def _check(campaign: Campaign, progress: Progress) -> dict[str, Any]:
    """Return what became of each rule of a campaign."""

    def read(version: str) -> VersionExports:
        progress(f"{campaign.id} {version}: reading exports")
        return read_version(campaign, campaign.version(version))

    rules = rules_of(campaign)
    *before, newest = campaign.versions
    versions = [*(before[-1:] if compares(rules) else []), newest]
    expect_files(campaign, versions)
    *earlier, last = for_each(versions, read)
    progress(f"{campaign.id} {newest}: computing agreement")
    counted = count_everything(last.studies, last.distances)
    results, *_ = compute_figures(campaign, last, last.studies, counted, NAMES)
    if wrong := _unknown(campaign, rules, results, last):
        raise BadInput(wrong)
    comparison = compare_versions(campaign, earlier[0], last, NAMES).comparison if earlier else None
    verdicts = list(_rules(campaign, outcomes_of(rules, results, comparison)))
    return {
        "campaign": campaign.id,
        "file": campaign.file,
        "version": newest,
        "earlier": comparison.first.guidelines if comparison else None,
        "held": all(verdict["held"] for verdict in verdicts),
        "rules": verdicts,
        "released": list(map(str, _released(campaign, progress))),
    }


def _released(campaign: Campaign, progress: Progress) -> Iterator[Problem]:
    """Yield which versions are not as they were released; without a release nothing is read for it."""
    records = {version: read_record(campaign, version) for version in campaign.versions}
    known = {version: record for version, record in records.items() if record}
    for version, (now, names) in (labels_now(campaign, list(known), progress) if known else {}).items():
        yield from told(campaign, version, changes_since(known[version], now, names))


def _unknown(
    campaign: Campaign, rules: Sequence[Rule], results: Results, read: VersionExports
) -> list[Problem]:
    """Return what rules name in vain; figures that a layer's scale has are known although none is there."""
    declared = [distance.id for distance in read.version.distances]
    computable = {layer.id: figures_on(layer.scale, declared) for layer in read.version.layers}
    derived = {name for study in read.studies for units in study.unit_sets for name in units.annotators}
    return unknown(campaign, rules, results, everybody_in(read) | derived, computable)


def _rules(campaign: Campaign, outcomes: Sequence[GateOutcome]) -> Iterator[dict[str, Any]]:
    """Yield what became of each rule, with the line of campaign.toml where it is; nothing is None."""
    paths = [
        outcome.rule.path(outcome.demand) if outcome.demand else outcome.rule.path("")[:-1]
        for outcome in outcomes
    ]
    lines = asked.lines_of(campaign, list(dict.fromkeys(paths)))
    for outcome, path in zip(outcomes, paths, strict=True):
        content = {
            "rule": outcome.written,
            "line": lines.get(path, 0),
            "figure": outcome.rule.figure,
            "demand": outcome.demand or None,
            "layer": outcome.rule_figure.layer,
            "unit_set": outcome.rule_figure.unit_set,
            "category": outcome.rule.floor.category,
            "annotators": list(outcome.rule.floor.annotators) or None,
            "held": outcome.met,
            "note": outcome.note or None,
            "found": sentence(outcome),
            "message": str(outcome.message),
            "values": dict(outcome.values),
            "value": outcome.rule_figure.figure.model_dump(mode="json"),
            "change": outcome.change.model_dump(mode="json") if outcome.change else None,
        }
        yield {key: value for key, value in content.items() if value is not None}


# Verdicts for people: a line for each rule that is broken, then in short what is held.

Line = tuple[str, str]

BROKEN, HELD, PASSED_OVER = "broken", "held", "no gate"


def as_text(checks: Mapping[str, Any]) -> Iterator[Line]:
    """Yield lines, each with the state that it tells of: broken, held, or a campaign without a gate."""
    for checked in checks["campaigns"]:
        name = f"{checked['campaign']} {checked['version']}"
        broken = [rule for rule in checked["rules"] if not rule["held"]]
        held_rules = [rule for rule in checked["rules"] if rule["held"]]
        yield from ((BROKEN, f"{name}: broken: {rule['rule']}: {rule['found']}") for rule in broken)
        yield from ((HELD, f"{name}: held: {rule['found']}") for rule in held_rules)
        yield (BROKEN if broken else HELD), f"{name}: {len(held_rules)} held, {len(broken)} broken."
    for file in checks["without_gate"]:
        yield PASSED_OVER, f"{file}: passed over: it has no [gate]."


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
