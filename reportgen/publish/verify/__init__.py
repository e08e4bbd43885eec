"""Is a bundle or a site what reportgen wrote, and are its figures what its counts give?"""

from reportgen.publish.verify.differences import CheckOutcome, Discrepancy, Unchecked
from reportgen.publish.verify.verification import Verified, account, as_text, verify

__all__ = [
    "CheckOutcome",
    "Discrepancy",
    "Unchecked",
    "Verified",
    "account",
    "as_text",
    "verify",
]
