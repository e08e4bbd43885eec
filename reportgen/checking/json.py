"""Verdicts for programs, as JSON."""

import json
from typing import Any

from reportgen.checking.check import Checked, Checks, Verdict
from reportgen.results import rounded


def as_json(checks: Checks) -> str:
    """Return everything that was found, one campaign after the other."""
    content = {
        "held": checks.held,
        "campaigns": [_campaign(each) for each in checks.checked],
        "without_gate": list(checks.without_gate),
    }
    return json.dumps(rounded(content), sort_keys=True, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


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
