"""How much of everything a page has room for; all of it stands in the CSV files."""

from dataclasses import dataclass

# A page that would be larger is made again with less: first of other unit sets, then of everything.
MOST_BYTES = 140_000


@dataclass(frozen=True)
class Room:
    """The most that a page shows of each thing: `share` of what it shows where there is room for all.

    `rows` are those of the tables of other unit sets together, and of those of marks in texts.
    """

    share: float = 1.0
    rows: int = 240

    def _most(self, whole: int) -> int:
        return max(1, int(whole * self.share))

    @property
    def figures(self) -> int:
        """Return how many figures of one unit set are shown."""
        return self._most(40)

    @property
    def categories(self) -> int:
        """Return how many categories."""
        return self._most(30)

    @property
    def pairs(self) -> int:
        """Return how many pairs of annotators."""
        return self._most(20)

    @property
    def unit_sets(self) -> int:
        """Return how many unit sets are listed."""
        return self._most(40)

    @property
    def units(self) -> int:
        """Return how many units of each kind."""
        return self._most(50)

    @property
    def text(self) -> int:
        """Return how many characters the units of each kind have together."""
        return self._most(9000)

    @property
    def passages(self) -> int:
        """Return how many passages of the guidelines that changed."""
        return self._most(60)


ALL = Room()
ROOMS = (ALL, Room(1.0, 120), Room(1.0, 60), Room(0.5, 30), Room(0.25, 10), Room(0.1, 0))
