"""What a campaign declares, in results.json: itself, its guidelines, and distances between categories."""

from collections.abc import Iterable, Mapping

from pydantic import Field

from reportgen.results.credits import DistanceOrigin
from reportgen.results.parts import Part, Scalar


class Author(Part):
    """Somebody who signs the report."""

    name: str
    orcid: str | None = None
    affiliation: str | None = None


class Reference(Part):
    """A work on the campaign."""

    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str | None = None


class CampaignFacts(Part):
    """What the campaign says of itself, as far as a report shows it."""

    id: str
    title: str
    corpus: Mapping[str, Scalar] = Field(default_factory=dict)
    authors: tuple[Author, ...] = ()
    protocol: Mapping[str, Scalar] = Field(default_factory=dict)
    references: tuple[Reference, ...] = ()


class Revision(Part):
    """What the campaign says of these guidelines."""

    date: str | None = None
    changes: str = ""
    document: str | None = None


class DistanceTable(Part):
    """A declared table of distances between categories."""

    id: str
    why: str
    categories: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]
    origin: DistanceOrigin | None = Field(default=None, description="where distances of 1 - BDM come from")

    def covers(self, categories: Iterable[str]) -> bool:
        """Tell whether the table knows all of some categories: those of another layer it need not know."""
        return set(categories) <= set(self.categories)

    def between(self, first: str, second: str) -> float:
        """Return the distance between two categories."""
        return self.rows[self.categories.index(first)][self.categories.index(second)]
