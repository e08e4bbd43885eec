"""Is a bundle or a site what reportgen wrote, and are its figures what its counts give?"""

from reportgen.verifying.account import as_json, as_text
from reportgen.verifying.outcome import Difference, Outcome, Unchecked
from reportgen.verifying.verify import Verified, verify

__all__ = ["Difference", "Outcome", "Unchecked", "Verified", "as_json", "as_text", "verify"]
