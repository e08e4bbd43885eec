"""What pages call versions, categories, people and differences."""

from collections.abc import Iterable, Mapping, Sequence

from reportgen.results import Figure
from reportgen.results.comparison import ConfusionChange, UnitSetRevision
from reportgen.results.parts import Change
from reportgen.words import language, numbers
from reportgen.words.language import _, habits, pgettext, say, say_many

MOST_NAMED = 8
PEOPLE = ("annotator", "annotators")
LAYERS = ("layer", "layers")


def signed(value: float | None) -> str:
    """Return a difference with its sign, also where it is a rise."""
    shown = numbers.figure(value)
    rises = value is not None and value > 0 and shown.strip("0.,")
    return f"+{shown}" if rises else shown


def signed_short(value: float) -> str:
    """Return a difference with its sign and two decimals, as headlines write it."""
    shown = numbers.short(value)
    return f"+{shown}" if value > 0 and shown.strip("0.,") else shown


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


def courses(rose: Sequence[str], fell: Sequence[str], undecided: Sequence[str]) -> str:
    """Return in which layers agreement rose, in which it fell, and in which that is undecided."""
    if len(rose) + len(fell) + len(undecided) == 1:
        known = {"rose": _("Agreement rose."), "fell": _("Agreement fell.")}
        way = "rose" if rose else "fell" if fell else ""
        return known.get(way) or _("Whether agreement rose or fell is undecided.")
    if not rose and not fell:
        return say(
            "Whether agreement rose or fell is undecided in all {count} layers.",
            count=numbers.count(len(undecided)),
        )
    parts = (
        say("Agreement rose in {layers}.", layers=listed(rose, LAYERS)) if rose else "",
        say("Agreement fell in {layers}.", layers=listed(fell, LAYERS)) if fell else "",
        say("Whether it moved in {layers} is undecided.", layers=listed(undecided, LAYERS))
        if undecided
        else "",
    )
    return " ".join(filter(None, parts))
