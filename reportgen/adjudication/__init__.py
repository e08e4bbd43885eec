"""What annotators differ on and what was decided of it: the adjudication sheet, written and read back.

`adjudicate` reads the filled sheets of a guidelines version, `sheet_csv` writes what is open,
`with_reference` makes an annotator of the decisions, `account` counts.
"""

from reportgen.adjudication.account import Account, account
from reportgen.adjudication.layers import adjudicate
from reportgen.adjudication.names import CAUSES, REFERENCE
from reportgen.adjudication.reference import with_reference
from reportgen.adjudication.sheet import sheet_csv
from reportgen.adjudication.units import Adjudication, SheetUnits, units_of

__all__ = [
    "CAUSES",
    "REFERENCE",
    "Account",
    "Adjudication",
    "SheetUnits",
    "account",
    "adjudicate",
    "sheet_csv",
    "units_of",
    "with_reference",
]
