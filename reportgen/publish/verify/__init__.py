"""Is a bundle or a site what reportgen wrote, and are its figures what its counts give?"""

from reportgen.publish.verify.outcome import CheckOutcome, Discrepancy, Unchecked
from reportgen.publish.verify.site import Verified, as_json, as_text, verify

__all__ = [
    "CheckOutcome",
    "Discrepancy",
    "Unchecked",
    "Verified",
    "as_json",
    "as_text",
    "verify",
]
