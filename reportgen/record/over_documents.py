"""Means over documents as results.json has them."""

from typing import Any

from reportgen.agreement import UnitSetAgreement, over_documents
from reportgen.record.figures import figure


def macro_over_documents(agreement: UnitSetAgreement) -> dict[str, Any] | None:
    """Return the mean over documents of each figure that a unit set has, None where no document is known."""
    if agreement.whole is None:
        return None
    found = {
        name: figure(each.estimate) | {"left_out": each.left_out}
        for name, each in over_documents(agreement.whole).items()
        if name in agreement.measures
    }
    return found or None
