"""What was left out where categories are sets, and the labels that they hold, as results.json has it."""

from dataclasses import asdict
from typing import Any

from reportgen.agreement import UnitSetAgreement, label_accounts, set_account


def sets_content(agreement: UnitSetAgreement) -> dict[str, Any] | None:
    """Return what is said of a unit set of sets, None where categories are no sets."""
    units, whole = agreement.units, agreement.whole
    account = set_account(whole) if whole else None
    if whole is None or account is None or units.sets is None:
        return None
    members = {name: sorted(each) for name, each in zip(units.categories, units.sets, strict=True)}
    labels = {each.name: {"chosen": each.chosen, "apart": each.apart} for each in label_accounts(whole)}
    return asdict(account) | {"members": members, "names": list(labels), "labels": labels}
