"""Campaigns, computed as far as their rules need it, and what became of each rule."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reportgen import campaign as asked
from reportgen.base.errors import BadInput, Problem, for_each, tried
from reportgen.base.progress import Steps as Progress
from reportgen.campaign import Campaign
from reportgen.measures import figures_on
from reportgen.pipeline.computing import compute_figures, count_everything
from reportgen.pipeline.reading import Read, everybody, expect_files, read_version
from reportgen.pipeline.version_reports import compare_versions
from reportgen.results import Figure, Interval, Results, Scalar
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
