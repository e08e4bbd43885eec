"""What pages call versions, categories, people and differences."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from reportgen.results import Figure
from reportgen.results.comparison import ConfusionChange, UnitSetRevision
from reportgen.results.parts import Change
from reportgen.words import language, numbers
from reportgen.words.language import _, habits, pgettext, say, say_many

MOST_NAMED = 8
PEOPLE = ("annotator", "annotators")


def signed(value: float | None) -> str:
    """Return a difference with its sign, also where it is a rise."""
    shown = numbers.figure(value)
    rises = value is not None and value > 0 and shown.strip("0.,")
    return f"+{shown}" if rises else shown


def difference(change: Change) -> str:
    """Return a difference with its interval in one line."""
    if change.difference is None:
        return numbers.NONE
    return " ".join(filter(None, (signed(change.difference), interval(change))))


def interval(change: Change) -> str:
    """Return the interval of a difference, its ends with their signs; empty where there is none."""
    found = change.interval
    if change.difference is None or found is None or found.low is None or found.high is None:
        return ""
    return f"[{signed(found.low)}{habits().between}{signed(found.high)}]"


def listed(names: Sequence[str], what: tuple[str, str] = PEOPLE) -> str:
    """Return names in a row, or their number where they are many."""
    if len(names) > MOST_NAMED:
        return numbers.counted(len(names), *what)
    return language.listed(names) if names else _("nobody")


def in_order(names: Iterable[str], *orders: Sequence[str]) -> list[str]:
    """Return names as some lists have them, the first list's first; those that none has come last, sorted."""
    known = dict.fromkeys(name for order in orders for name in order)
    present = set(names)
    return [*(name for name in known if name in present), *sorted(present - set(known))]


def clusters(revision: UnitSetRevision, number: int) -> str:
    """Return a number of what a test takes as independent."""
    if revision.clusters == "document":
        return numbers.counted(number, "document", "documents")
    return numbers.counted_in(number, revision.noun)


def figures_in_order(names: Iterable[str], places: Mapping[str, int], first: str = "") -> list[str]:
    """Return figures' ids in the catalogue's order, one of them before all others."""
    return sorted(
        names, key=lambda name: (name != first, places.get(name.partition("[")[0], len(places)), name)
    )


def categories_in_order(revision: UnitSetRevision) -> list[str]:
    """Return the categories that are compared, in the order of the later version."""
    orders = (revision.second.categories, revision.first.categories)
    return in_order(revision.specific_agreement, *orders)


def basis(revision: UnitSetRevision) -> str:
    """Return which part of the two versions is compared."""
    if revision.basis == "all":
        return _("all of each version")
    number, units = revision.overlap.documents, revision.overlap.units
    if revision.clusters == "document" and number:
        return say_many(
            "the {count} document annotated under both",
            "the {count} documents annotated under both",
            number,
            count=numbers.count(number),
        )
    if units:
        return say_many(
            "the {count} unit of both", "the {count} units of both", units, count=numbers.count(units)
        )
    return _("what stands in both")


def short_basis(revision: UnitSetRevision) -> str:
    """Return the same for a column of a table."""
    if revision.basis == "all":
        return _("all of each")
    documents = revision.clusters == "document"
    number = revision.overlap.documents if documents else revision.overlap.units
    if not number:
        return pgettext("basis", "the same")
    counted = numbers.counted_in(number, "documents" if documents else revision.noun)
    return say("the same {units}", units=counted)


def slug(layer: str, unit_set: str) -> str:
    """Return what ids and files call a unit set."""
    return unit_set if layer == "main" else f"{layer}~{unit_set}"


def values(change: Change) -> tuple[str, str]:
    """Return the value under each version, or why there is none."""
    return _value(change.first), _value(change.second)


def _value(figure: Figure) -> str:
    if figure.value is None and figure.undefined:
        return reason(figure.undefined)
    return numbers.figure(figure.value)


def reason(text: str) -> str:
    """Return why there is no figure, or no test."""
    return numbers.message(text, {})


def confusion(found: ConfusionChange) -> str:
    """Return the two categories of a confusion."""
    one, other = found.categories
    return f"{one} / {other}" if other else say("{labels} or not", labels=one)


# How much of everything a page has room for; all of it stands in the CSV files.

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
