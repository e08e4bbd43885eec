"""What is known of a release while its files are written."""

from collections.abc import Mapping
from dataclasses import dataclass

from reportgen.results import Results


@dataclass(frozen=True)
class Released:
    """A version's results, and the bundle as far as it stands.

    - `languages` are those of its pages, the first of them in `report/` itself.
    - `date` stands wherever a format demands one, as YYYY-MM-DD: that of SOURCE_DATE_EPOCH, else of the
      guidelines; None where neither is known.
    - `files` has the bytes of what was written before, by its path in the bundle.
    """

    results: Results
    languages: tuple[str, ...]
    date: str | None
    files: Mapping[str, bytes]
