"""What was left out where categories are sets, as results.json has it."""

from dataclasses import asdict
from typing import Any

from reportgen.agreement import UnitSetAgreement, set_account


def sets_content(agreement: UnitSetAgreement) -> dict[str, Any] | None:
    """Return what is said of a unit set of sets, None where categories are no sets."""
    account = set_account(agreement.whole) if agreement.whole else None
    units = agreement.units
    if account is None or units.sets is None:
        return None
    members = {name: sorted(each) for name, each in zip(units.categories, units.sets, strict=True)}
    return asdict(account) | {"members": members}
