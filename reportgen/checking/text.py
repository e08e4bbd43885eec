"""Verdicts for people: a line for each rule that is broken, then in short what is held."""

from collections.abc import Iterator

from reportgen.checking.check import Checked, Checks

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
        yield (HELD if checked.held else BROKEN), f"{name}: {_sum(checked)}"
    for file in checks.without_gate:
        yield PASSED_OVER, f"{file}: passed over: it has no [gate]."


def _sum(checked: Checked) -> str:
    held = sum(each.outcome.held for each in checked.verdicts)
    broken = len(checked.verdicts) - held
    return f"{held} held, {broken} broken."
