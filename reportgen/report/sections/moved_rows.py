"""The ledger of two versions: a row for each layer, or each category of the only one.

Each row has what rose or fell, which confusions became rarer or more frequent, what the guidelines say of it
now, and what to do. Nothing is computed here: all is from comparison.json.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from reportgen.base.dataclass import dataclass
from reportgen.figures.intervals import Span, span
from reportgen.report import version_changes as changes
from reportgen.report.blocks import Block
from reportgen.report.comparison_view import ComparisonView, UnitSetChanges
from reportgen.report.sections.compared_figures import shown
from reportgen.report.tables import ReportTable, table_of
from reportgen.report.version_changes import ChangeRow
from reportgen.results import SEVERITIES, Finding
from reportgen.results.comparison import UnitSetRevision, on_shared
from reportgen.results.parts import Change
from reportgen.words import numbers
from reportgen.words.language import N_, _, listed, say
from reportgen.words.names import NEEDED, figure_name

# So many rows, and confusions of each kind, are in sight.
MOST_ROWS, MOST_CONFUSED = 12, 1
# What became of a figure in a word, and how grave that is.
WORDS = {
    "fell": ("problem", N_("fell")),
    "": ("warning", N_("undecided")),
    "untested": ("note", N_("not tested")),
    "rose": ("good", N_("rose")),
}
MORE_UNITS = N_("More units annotated under both versions would settle it.")
FELL = N_("Read the units on which they agreed before, and what {later} says of them.")


@dataclass(frozen=True)
class Confused:
    """A confusion under both versions, as a share of all that was compared."""

    name: str
    first: float
    second: float

    @property
    def said(self) -> str:
        """Return its shares in words."""
        before, after = numbers.percent(self.first), numbers.percent(self.second)
        return say("{name}: {first} → {second}", name=self.name, first=before, second=after)


@dataclass(frozen=True)
class MovedRow:
    """A layer or a category: its figure under both versions, what is confused there, and what to do.

    The `whole` of a layer has its coefficient, which the usual minimum is for.
    """

    name: str
    size: str
    change: Change
    moved: str
    later: str
    confused: tuple[Confused, ...] = ()
    named: str = ""
    findings: tuple[Finding, ...] = ()
    inside: tuple[Block, ...] = ()
    whole: bool = False

    @property
    def severity(self) -> str:
        """Return how grave it is."""
        return WORDS[self.moved][0]

    @property
    def word(self) -> str:
        """Return what became of its figure."""
        return _(WORDS[self.moved][1])

    @property
    def sides(self) -> list[Span | None]:
        """Return its figure with its interval under each version; None where it has no value."""
        return [span(self.change.first), span(self.change.second)]

    @property
    def shown(self) -> str:
        """Return both values in short."""
        return " → ".join(numbers.short(side.value) if side else numbers.NONE for side in self.sides)

    @property
    def difference(self) -> str:
        """Return by how much it moved, with the interval and p, corrected where there are several (Holm)."""
        test, difference = self.change.test, changes.difference(self.change)
        if test is None:
            return difference if self.change.difference is not None else ""
        p = numbers.p_is(test.p if test.adjusted is None else test.adjusted).replace(
            " ", "\N{NO-BREAK SPACE}"
        )
        return say("{difference}, {p}", difference=difference, p=p)

    @cached_property
    def _claims(self) -> list[tuple[str, str]]:
        """Return what was found and what is advised, the gravest first; the row names the layer."""
        return [
            (numbers.message(finding.claim, values), numbers.message(finding.advice, values))
            for finding in sorted(self.findings, key=lambda own: SEVERITIES.index(own.severity))
            if (values := {name: own for name, own in finding.values.items() if not name.endswith("_layer")})
        ]

    @property
    def act(self) -> str:
        """Return what to do first, in a sentence."""
        if advised := next((advice for _claim, advice in self._claims if advice), ""):
            return advised
        if self.moved == "rose":
            return "" if self.whole else _("Nothing to do.")
        if self.moved == "fell":
            return say(FELL, later=self.later)
        needed = NEEDED.get(self.change.untested or "") if self.moved == "untested" else None
        return _(needed or MORE_UNITS)

    @property
    def why(self) -> str:
        """Return what it was concluded from, and what the guidelines say of it."""
        first = next((claim for claim, advice in self._claims if advice), "")
        why = self.change.untested if self.moved == "untested" else None
        untested = say("Not tested: {reason}.", reason=changes.reason(why)) if why else ""
        return " ".join(filter(None, (untested, first, self.named)))

    @property
    def most(self) -> float:
        """Return the largest share of a confusion, which is the longest bar of the row."""
        return max(max(own.first, own.second) for own in self.confused)

    @property
    def found(self) -> tuple[str, ...]:
        """Return what else was found."""
        said = (self.act, self.why)
        return tuple(
            " ".join(part for part in (claim, advice) if part and part not in said[0])
            for claim, advice in self._claims
            if claim not in said[1]
        )


@dataclass(frozen=True)
class MovedRows:
    """All rows: what they are, what their figure is, and what was found besides."""

    title: str
    head: str
    heads: str
    figure: str
    versions: tuple[str, str]
    rows: tuple[MovedRow, ...]
    besides: tuple[Finding, ...]
    left_out: int = 0

    @property
    def lowest(self) -> float:
        """Return where the scale begins: at 0, or below it where a figure or an end is."""
        low = min((side.low for row in self.rows for side in row.sides if side), default=0.0)
        return 0.0 if low >= 0 else -0.25 if low >= -0.25 else -1.0

    @property
    def table(self) -> ReportTable:
        """Return the rows as a table."""
        return table_of(
            "moved",
            "",
            self.rows,
            ("name", self.head, "text", lambda row: row.name),
            ("first", self.versions[0], "estimate", lambda row: row.change.first),
            ("second", self.versions[1], "estimate", lambda row: row.change.second),
            ("difference", _("Difference"), "text", lambda row: row.difference),
            ("moved", _("Verdict"), "text", lambda row: row.word),
            ("confused", _("Confusions"), "text", lambda row: listed([own.said for own in row.confused])),
            ("act", _("What to do"), "text", lambda row: " ".join(filter(None, (row.act, row.why)))),
        )


def moved_rows(view: ComparisonView) -> MovedRows | None:
    """Return a row for each layer, or for the only one and its categories; None where nothing is in both."""
    layers = on_shared((own for own in view.comparison.unit_sets if own.primary), "layer")
    if view.primary is None:
        return None
    findings, several = view.others, len(layers) > 1
    whole = list(_of_layers(view, layers, findings if several else ()))
    rows = whole if several else list(_of_categories(view, view.primary, findings))
    if not rows:
        return None
    # Which layers were not tested their rows say.
    placed = {id(finding) for row in rows for finding in row.findings}
    placed |= {id(finding) for finding in findings if several and "layers" in finding.values}
    order = list(WORDS)
    ordered = sorted(rows, key=lambda row: (order.index(row.moved), row.change.difference or 0.0))
    names = {figure_name(view.comparison, own.figure) for own in layers}
    name = names.pop() if len(names) == 1 else _("Primary coefficient")
    if not several:
        whole = [replace(row, name=name, inside=()) for row in whole]
    return MovedRows(
        title=_("Layer by layer: what rose, what fell")
        if several
        else _("Category by category: what rose, what fell"),
        head=_("Layer") if several else _("Category"),
        heads=_("Layers") if several else _("Categories"),
        figure=name if several else _("Specific agreement"),
        versions=view.versions,
        rows=(*(() if several else whole), *ordered[:MOST_ROWS]),
        besides=tuple(own for own in findings if id(own) not in placed),
        left_out=max(len(ordered) - MOST_ROWS, 0),
    )


def _of_layers(
    view: ComparisonView, layers: Sequence[UnitSetRevision], findings: Sequence[Finding]
) -> Iterator[MovedRow]:
    rose, fell, _undecided = view.courses
    for revision in layers:
        change, seen = revision.measures.get(revision.figure), UnitSetChanges(view.comparison, revision)
        if change is None:
            continue
        course = "rose" if revision.layer in rose else "fell" if revision.layer in fell else ""
        moved = course or ("" if change.test else "untested")
        named = [_named(row) for row in seen.by_category if row.about]
        yield MovedRow(
            name=revision.layer,
            size=changes.short_basis(revision),
            change=change,
            moved=moved,
            later=view.versions[1],
            confused=tuple(_confused(revision)),
            named=_of_guidelines(view, named, moved),
            findings=tuple(own for own in findings if _layer_of(own) == revision.layer),
            inside=shown(seen.categories),
            whole=True,
        )


def _of_categories(
    view: ComparisonView, primary: UnitSetChanges, findings: Sequence[Finding]
) -> Iterator[MovedRow]:
    revision, taken = primary.revision, set[int]()
    for row in primary.by_category:
        if row.name == revision.non_annotated:
            continue
        own = [
            finding
            for finding in findings
            if row.name in {finding.values.get(key) for key in ("category", "first", "second")}
            and id(finding) not in taken
        ]
        taken.update(map(id, own))
        moved = row.moved or ("" if row.change.test else "untested")
        yield MovedRow(
            name=row.name,
            size="",
            change=row.change,
            moved=moved,
            later=view.versions[1],
            confused=tuple(_confused(revision, row.name)),
            named=_of_guidelines(view, [_named(row)] if row.about else [], moved),
            findings=tuple(own),
        )


def _named(row: ChangeRow) -> str:
    return say("{name} ({passages})", name=row.name, passages=row.about)


def _layer_of(finding: Finding) -> str:
    values = finding.values
    return next((str(values[key]) for key in values if key == "layer" or key.endswith("_layer")), "")


# What the guidelines say of a row now, by what became of its figure.
CHANGED = {
    "rose": N_("The guidelines changed on {passages}, and agreement rose."),
    "fell": N_("The guidelines changed on {passages}, and agreement fell."),
    "": N_("The guidelines changed on {passages}; no test shows that this helped."),
}


def _of_guidelines(view: ComparisonView, passages: Sequence[str], moved: str) -> str:
    """Return on what the guidelines changed, and whether that did it; empty where these were not compared."""
    if view.comparison.guidelines is None:
        return ""
    if not passages:
        return _("No passage of the guidelines that names it changed.")
    return say(CHANGED.get(moved, CHANGED[""]), passages=changes.listed(passages, ("category", "categories")))


def _confused(revision: UnitSetRevision, name: str | None = None) -> Iterator[Confused]:
    """Yield the confusion that became rarer by most, and the one that became more frequent, of one or all."""
    disagreement = revision.disagreement
    first, second = disagreement.denominators if disagreement else (0, 0)
    if disagreement is None or not first or not second:
        return
    every = [own for own in disagreement.confusions if name is None or name in own.categories]
    rarer = [own for own in every if own.contribution < 0]
    more = [own for own in reversed(every) if own.contribution > 0]
    for own in (*rarer[:MOST_CONFUSED], *more[:MOST_CONFUSED]):
        yield Confused(changes.confusion(own), own.first / first, own.second / second)
