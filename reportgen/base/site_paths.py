"""Where things stand in a campaign's part of a site."""

from collections.abc import Iterator, Sequence
from itertools import combinations

# With more versions than this, not every two of them have a page of comparison.
EVERY_TWO = 12
# Set by whoever builds packages that have to come out the same: the moment that the release is of.
DATED = "SOURCE_DATE_EPOCH"


def comparison_folder(first: str, second: str) -> str:
    """Return the folder of a comparison, from the campaign's."""
    return f"compare/{first}...{second}"


def compared(versions: Sequence[str]) -> list[tuple[str, str]]:
    """Return which versions are compared, the earlier one first: every two, where they are few.

    Otherwise each is compared with the one before it and with the newest.
    """
    every_two = list(combinations(versions, 2))
    return every_two if len(versions) <= EVERY_TWO else [pair for pair in every_two if _near(versions, *pair)]


def _near(versions: Sequence[str], first: str, second: str) -> bool:
    return second == versions[-1] or versions.index(second) - versions.index(first) == 1


def folders(versions: Sequence[str]) -> Iterator[str]:
    """Yield every folder that has files and checksums of its own, from the campaign's, which comes first."""
    yield ""
    yield from versions
    for first, second in compared(versions):
        yield comparison_folder(first, second)
