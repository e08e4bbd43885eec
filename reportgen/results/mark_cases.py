"""The model of what results.json says of marks that disagree: boundary, type, both, or omission."""

from collections import Counter
from collections.abc import Iterable, Sequence

from pydantic import Field

from reportgen.results.parts import Part

# In the order in which they are told: about boundaries, about the type, about both, and true omissions.
CASE_KINDS = ("boundary", "type", "both", "omission")


class MarkCase(Part):
    """How many cases of a kind there are between marks of two types."""

    kind: str = Field(description="boundary (one type, other ends), type (same ends), both, or omission")
    cases: int
    first: str | None = Field(
        default=None, description="type of the first's mark; absent where only the second has one"
    )
    second: str | None = Field(
        default=None, description="type of the second's mark; absent where only the first has one"
    )


class PairCases(Part):
    """The cases between two people; the first is the key."""

    annotators: tuple[str, str]
    roles: tuple[str, str]
    cases: tuple[MarkCase, ...]


class Boundary(Part):
    """How often two annotators' marks of one label overlap without coinciding, by which end differs."""

    label: str
    left: int = 0
    right: int = 0
    both: int = 0
    inside: int = Field(default=0, description="the same ends and other stretches between them")


class Habit(Part):
    """Whether somebody marks longer or more than those who saw the same documents.

    Both p values come from the signs of sums over documents; absent where nothing differs.
    """

    annotator: str
    type: str | None = Field(default=None, description="absent for all types together")
    longer: int = Field(description="pairs about boundaries in which theirs is the longer mark")
    shorter: int = Field(description="and in which it is the shorter one")
    longer_p: float | None = None
    marks: int = Field(description="their marks, once for each annotator they are compared with")
    others: int = Field(description="marks of those")
    more_p: float | None = None


class MarkDisagreements(Part):
    """In what way the marks of one layer disagree, and who marks longer or more.

    A case is a pair of marks that overlap and do not match, each mark being in one pair at most; or a mark
    without a partner that overlaps one of such a pair; or an omission: a mark that no mark of the other
    overlaps, but for those that match another.
    """

    layer: str
    documents: int = Field(description="documents that two annotators saw")
    cases: tuple[MarkCase, ...] = Field(
        description="over all pairs of annotators; of an omission `second` is absent, whoever marked"
    )
    pairs: tuple[PairCases, ...] = Field(description="empty where there are more than 50 annotators")
    boundaries: tuple[Boundary, ...] = Field(description="cases about boundaries, by the ends that differ")
    habits: tuple[Habit, ...] = Field(description="of two annotators only those of the first")

    @property
    def of_annotators(self) -> tuple[PairCases, ...]:
        """Return the pairs of annotators."""
        return tuple(each for each in self.pairs if set(each.roles) == {"annotator"})

    @property
    def types(self) -> list[str]:
        """Return the types that a case is about, those with most cases first."""
        found: Counter[str] = Counter()
        for each in self.cases:
            found.update({name: each.cases for name in {each.first, each.second} if name is not None})
        return sorted(found, key=lambda name: (-found[name], name))


def cases_by_kind(cases: Iterable[MarkCase], name: str | None = None) -> dict[str, int]:
    """Return how many cases of each kind there are, of all types or of those that are about one."""
    found = dict.fromkeys(CASE_KINDS, 0)
    for each in cases:
        if name is None or name in (each.first, each.second):
            found[each.kind] += each.cases
    return found


def omissions_of_each(cases: Sequence[MarkCase], name: str | None = None) -> tuple[int, int]:
    """Return how many marks only the first of two has, and only the second, of all types or of one."""
    alone = [each for each in cases if each.kind == "omission" and name in (None, each.first, each.second)]
    first = sum(each.cases for each in alone if each.second is None)
    return first, sum(each.cases for each in alone) - first
