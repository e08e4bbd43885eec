"""The entry of what stands in brackets behind a figure."""

from dataclasses import dataclass

from reportgen.agreement.measure import Elsewhere, Work


@dataclass(frozen=True)
class Bracket:
    """One entry: `id` is what stands in the brackets, `of` the only measures that it stands behind.

    The other fields are those of a measure; `answers` says what it takes two labels to be apart by.
    """

    id: str
    name: str
    formula: str
    latex: str
    answers: str
    use: str
    avoid: str
    works: tuple[Work, ...]
    of: tuple[str, ...] = ()
    elsewhere: tuple[Elsewhere, ...] = ()

    @property
    def key(self) -> str:
        """Return what lists call the entry: "[masi]", with the measure where it belongs to one alone."""
        return f"{self.of[0] if len(self.of) == 1 else ''}[{self.id}]"
