"""What of a bundle goes into a publisher's own files, every other byte of which stays."""

from reportgen.release.merging.files import outcomes, write
from reportgen.release.merging.offered import offered
from reportgen.release.merging.outcome import Offered, Outcome

__all__ = ["Offered", "Outcome", "offered", "outcomes", "write"]
