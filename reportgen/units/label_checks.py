"""Labels are looked at before they are counted: what looks like an oversight, and what settles it."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import LONGEST_SHOWN, alternatives, nearest, quoted, quoted_key
from reportgen.readers import Annotations, Codes, CountedLayer, Ratings, SetLabel, as_set, members_of
from reportgen.readers.annotations import Location
from reportgen.readers.scales import LOOKS_MISSING, find_scale
from reportgen.units.categories import number
from reportgen.units.labels import Mask, sums_by
from reportgen.units.unit_sets import CodedUnits, mark_weight, people

# What means a missing rating where it is rare, and is a category elsewhere.
MISSING_WHERE_RARE = ("none", "nothing", "nil", "rien", "tbd", "todo")
# So many labels for each that is rare; of one that a single person gives, fewer are enough.
RARE, RARE_OF_ONE = 50, 10
# With these, "-" is the other end of a scale.
OPPOSITES = ("+", "++")
# With a letter more or less such a word is easily another one.
SHORTEST_WORD = 4
BETWEEN_WORDS = re.compile(r"[ _/-]")
# How often a label of one annotator alone occurs, and would occur among the others at this annotator's rate:
# below that it may be chance.
LEAST_USES = 5
LEAST_ANNOTATORS = 3
# More different labels than these, or than a tenth of the labels given, are free text: each is of its own.
MOST_LABELS = 50
SHARE_OF_LABELS = 10
MOST_NAMED, MOST_SHOWN = 5, 12
# Of more labels than these, none is compared with all others.
MOST_COMPARED = 500
# Of more labels times annotators it is not looked at who gave which.
MOST_CELLS = 10_000_000
# Rows that a table has twice, before it is worth a word.
FEW_REPEATED = 5

ESCAPED = ('"', "\\")
CATEGORIES, NON_ANNOTATED = "task.categories", "task.non_annotated"
NORMALISE, MISSING, PASSES, PEOPLE = "normalise", "missing", "columns.pass", "annotators"


@dataclass(frozen=True)
class LabelFault:
    """What looks like an oversight in labels: `key` of campaign.toml settles it, `remedy` has its line."""

    key: str
    message: str
    remedy: str
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class LabelTable:
    """How often everybody gave every label: `counts` (labels, annotators).

    `compared` (annotators,) says who is an annotator, and neither reference, system nor model.
    """

    labels: tuple[str, ...]
    counts: Codes
    compared: Mask

    @property
    def uses(self) -> dict[str, int]:
        """Return how often each label was given that anybody gave, the commonest first."""
        times = zip(self.labels, self.counts.sum(axis=1).tolist(), strict=True)
        used = ((name, n) for name, n in times if n)
        return dict(sorted(used, key=lambda pair: (-pair[1], pair[0])))


@dataclass(frozen=True)
class Expected:
    """What a layer says of its labels: the declared categories, and that of unmarked units.

    `in_tables` says that the export lists units, so that the non-annotated category is a label; `named` that
    categories are names, and no ranks or numbers.
    """

    categories: Sequence[str] = ()
    non_annotated: str | None = None
    in_tables: bool = True
    named: bool = True


def label_table(
    annotations: Annotations,
    units: CodedUnits | None = None,
    *,
    roles: Mapping[str, str] | None = None,
    same_as: Mapping[str, str] | None = None,
    separator: str | None = None,
) -> LabelTable:
    """Return how often everybody gave every label of a layer; of sets, every member.

    Second passes of a person are the person's. Where the export is counts, they are those of `units`; a
    `separator` takes labels apart that the reader left whole. Of very many labels it is not said who gave
    which.
    """
    content = annotations.content
    participants = people(content.annotators, {**annotations.roles, **(roles or {})}, same_as or {})
    if isinstance(content, CountedLayer):
        if units is None:
            return LabelTable((), np.zeros((0, 0), dtype=np.int64), np.zeros(0, dtype=np.bool_))
        counts = sums_by(
            (units.label, units.annotator),
            units.row_weight,
            (len(units.categories), len(units.annotators)),
        )
        members = units.sets or [frozenset((name,)) for name in units.categories]
        return _table_by_member(members, counts, np.ones(len(units.annotators), dtype=np.bool_))
    members = [
        members_of(as_set(label, separator) if separator and not isinstance(label, SetLabel) else label)
        for label in content.labels
    ]
    if separator is None and not any(
        own for label, own in zip(content.labels, members, strict=True) if isinstance(label, SetLabel)
    ):
        # The empty set is a name like others where nothing else is a set.
        members = [
            own or frozenset((str(label),)) for label, own in zip(content.labels, members, strict=True)
        ]
    labels, annotators = len(content.labels), len(content.annotators)
    derived = np.array([name in annotations.derived for name in content.annotators], dtype=np.bool_)
    person, compared = participants.person, np.array(participants.counts, dtype=np.bool_)
    if labels * annotators > MOST_CELLS:
        annotators, person, compared = 1, np.zeros_like(person), np.zeros(1, dtype=np.bool_)
    weight = content.weight[content.unit] if isinstance(content, Ratings) else 1
    cells = content.label * annotators + person[content.annotator]
    # Floats are exact for whole numbers below 2**53.
    uses = np.bincount(cells, weight * ~derived[content.annotator], labels * annotators)
    return _table_by_member(members, uses.astype(np.int64).reshape(labels, annotators), compared)


def _table_by_member(members: Sequence[Collection[str]], counts: Codes, compared: Mask) -> LabelTable:
    """Return counts of labels (labels, annotators) as those of their members."""
    names = list(dict.fromkeys(name for label_members in members for name in sorted(label_members)))
    row_of = {name: code for code, name in enumerate(names)}
    links = [(row_of[name], label) for label, label_members in enumerate(members) for name in label_members]
    member_counts = np.zeros((len(names), counts.shape[1]), dtype=np.int64)
    if links:
        to, label = np.array(links, dtype=np.int64).T
        np.add.at(member_counts, to, counts[label])
    return LabelTable(tuple(names), member_counts, compared)


def label_faults(table: LabelTable, expected: Expected) -> Iterator[LabelFault]:
    """Yield what looks like an oversight in the labels of one layer; each label is named once.

    In this order: one that looks missing, one that differs from another by case or white space, one that is
    not declared; where nothing is, one that looks misspelt, and one annotator's own. Last, whether the
    non-annotated category never occurs.
    """
    uses = table.uses
    named = set(_spelt_as(expected.non_annotated, uses))
    for check in (_looking_missing, _differing_by_spelling, _undeclared, _misspelt, _private):
        faults = [fault for fault in check(table, expected, named) if named.isdisjoint(fault.labels)]
        named.update(label for fault in faults for label in fault.labels)
        # The first of the faults of one kind, and how many more there are.
        yield from faults[:MOST_NAMED]
        if others := faults[MOST_NAMED:]:
            labels = tuple(label for fault in others for label in fault.labels)
            message = f"the same is true of {len(labels)} other labels, such as {quoted(labels[0])}."
            yield LabelFault(others[0].key, message, "", labels)
    # That the category of unmarked units is never given, where the export lists units.
    name = expected.non_annotated
    if name is not None and expected.in_tables and uses and name not in uses:
        message = f"{quoted(name)} is the category of units that nobody marked, and no unit has this label."
        spelt = _spelt_as(name, uses)
        question = f"Did you mean {quoted(spelt[0])}?" if spelt else nearest(name, list(uses))
        remedy = "Take non_annotated away, or correct it: "
        remedy += f"non_annotated = {_toml(spelt[:1])}." if spelt else 'non_annotated = "…".'
        yield LabelFault(NON_ANNOTATED, message, f"{question} {remedy}".strip())


def _spelt_as(name: str | None, labels: Iterable[str]) -> list[str]:
    """Return the labels that are a name but for case and white space."""
    return [label for label in labels if name is not None and _spelling(label) == _spelling(name)]


def _toml(labels: Iterable[str]) -> str:
    """Return labels as they may be written into campaign.toml; long ones are shortened."""
    short = (label if len(label) <= LONGEST_SHOWN else f"{label[:LONGEST_SHOWN]}…" for label in labels)
    return ", ".join(f'"{"".join(map(_toml_sign, label))}"' for label in short)


def _toml_sign(sign: str) -> str:
    if sign in ESCAPED:
        return f"\\{sign}"
    return sign if sign.isprintable() else f"\\U{ord(sign):08X}"


def _how_often(number_of: int) -> str:
    return "once" if number_of == 1 else f"{number_of:,} times"


def _spelling(label: str) -> str:
    return " ".join(label.split()).casefold()


def _differing_by_spelling(table: LabelTable, expected: Expected, _: Collection[str]) -> Iterator[LabelFault]:
    """Yield labels that differ by case or white space only, of which not all are declared."""
    uses, declared = table.uses, frozenset(expected.categories)
    groups: dict[str, list[str]] = defaultdict(list)
    for label in dict.fromkeys((*uses, *expected.categories)):
        groups[_spelling(label)].append(label)
    for labels in groups.values():
        if len(labels) > 1 and not declared.issuperset(labels):
            labels.sort(key=lambda label: (-uses.get(label, 0), label))
            shown = alternatives(labels, "and")
            how = _difference(labels)
            times = ", ".join(f"{uses.get(label, 0):,}" for label in labels)
            message = f"{shown} differ only by {how} and count as different labels (labels: {times})."
            yield LabelFault(NORMALISE, message, _normalising(labels, expected), tuple(labels))


def _difference(labels: Sequence[str]) -> str:
    cases = len({" ".join(label.split()) for label in labels}) > 1
    spaces = len({label.casefold() for label in labels}) > 1
    return "case and white space" if cases and spaces else "case" if cases else "white space"


def _normalising(labels: Sequence[str], expected: Expected) -> str:
    """Return the line that makes labels one, as the reader would."""
    ways: dict[tuple[str, ...], Callable[[str], str]] = {
        ("strip",): str.strip,
        ("lowercase",): str.lower,
        ("strip", "lowercase"): lambda label: label.strip().lower(),
    }
    fitting = next((way for way, clean in ways.items() if len(set(map(clean, labels))) == 1), None)
    if fitting is None:
        renamed = ", ".join(f"{_toml([label])} = {_toml(labels[:1])}" for label in labels[1:])
        return f"Write labels = {{ {renamed} }} under [[guidelines]], or correct the export."
    lower = any(name != name.lower() for name in expected.categories) and "lowercase" in fitting
    declared = ", and the declared categories in lower case" if lower else ""
    listed = ", ".join(map(quoted, fitting))
    return f"Write normalise = [{listed}] under [[guidelines]]{declared}, or correct the export."


def _looking_missing(table: LabelTable, expected: Expected, named: Collection[str]) -> Iterator[LabelFault]:
    """Yield the labels that look like no label, together."""
    uses = table.uses
    expected_labels = {*expected.categories, *named}
    total = sum(uses.values())
    # "None" beside 0 and 1: where a scale is not declared it is left out. What most units have is an answer.
    of_scale = find_scale(uses, categories=expected_labels).missing if expected.in_tables else ()
    missing = []
    for label, times in uses.items():
        spelt = _spelling(label)
        rare = spelt in MISSING_WHERE_RARE and times * RARE <= total
        end_of_scale = spelt == "-" and any(sign in uses for sign in OPPOSITES)
        if (
            (rare or spelt in LOOKS_MISSING or (label in of_scale and 2 * times <= total))
            and not end_of_scale
            and label not in expected_labels
        ):
            missing.append(label)
    if missing:
        shown = ", ".join(f"{uses[label]:,}" for label in missing)
        singular = "looks like a missing rating and counts as a label"
        verb = singular if len(missing) == 1 else "look like missing ratings and count as labels"
        message = f"{alternatives(missing, 'and')} {verb} (labels: {shown})."
        listed = _toml(missing)
        remedy = f"Write missing = [{listed}] under [[guidelines]], or name what is a label under categories."
        yield LabelFault(MISSING, message, remedy, tuple(missing))


def _undeclared(table: LabelTable, expected: Expected, _: Collection[str]) -> Iterator[LabelFault]:
    """Yield each label that is not declared where categories are, the commonest first."""
    declared = frozenset(expected.categories)
    undeclared = {label: times for label, times in table.uses.items() if declared and label not in declared}
    given_by_one = {table.labels[code] for code in np.flatnonzero(_given_by_one(table)).tolist()}
    for rank, label in enumerate(undeclared):
        by_one = ", by one annotator alone" if label in given_by_one else ""
        times = f"given {_how_often(undeclared[label])}{by_one}"
        message = f"{quoted(label)} is not a declared category, but is counted as one ({times})."
        # To look for names that are alike takes long, and only the first are shown.
        question = nearest(label, expected.categories) if rank < MOST_NAMED else ""
        remedy = f"Correct it in the export, or add it: {_declaring(label, expected)}."
        yield LabelFault(CATEGORIES, message, f"{question} {remedy}".strip(), (label,))


def _declaring(label: str, expected: Expected) -> str:
    """Return the line that declares a label beside the others, without these where they are many."""
    categories = _toml(expected.categories) if len(expected.categories) <= MOST_SHOWN else "…"
    return f"categories = [{categories}, {_toml([label])}]"


def _misspelt(table: LabelTable, expected: Expected, _: Collection[str]) -> Iterator[LabelFault]:
    """Yield each rare label that is a common one but for a letter, where no categories are declared."""
    uses = table.uses
    if expected.categories or len(uses) > MOST_COMPARED or _is_free_text(uses):
        return
    givers = dict(zip(table.labels, (table.counts > 0).sum(axis=1).tolist(), strict=True))
    for label, times in uses.items():
        least = (RARE_OF_ONE if givers[label] == 1 and table.counts.shape[1] > 1 else RARE) * times
        common = (name for name, n in uses.items() if n >= least and _one_letter_apart(label, name))
        other = next(common, None)
        if other is not None:
            message = f"{quoted(label)} (given {_how_often(times)}) is {quoted(other)} but for a letter."
            both = f"categories = [{_toml([other, label])}, …] under [task]"
            renamed = f"labels = {{ {_toml([label])} = {_toml([other])} }} under [[guidelines]]"
            remedy = f"Write {renamed}, or correct the export; if both are labels, declare them: {both}."
            yield LabelFault(CATEGORIES, message, remedy, (label,))


def _is_free_text(uses: Mapping[str, int]) -> bool:
    return len(uses) > max(MOST_LABELS, sum(uses.values()) / SHARE_OF_LABELS)


def _one_letter_apart(word: str, other: str) -> bool:
    """Tell whether two names differ by a letter more, another letter or two exchanged, after the first."""
    short, long = sorted((word, other), key=len)
    in_words = all(part.isalpha() for name in (word, other) for part in BETWEEN_WORDS.split(name))
    if len(short) < SHORTEST_WORD or not in_words:
        return False
    same = next((position for position, sign in enumerate(short) if sign != long[position]), len(short))
    if not same:
        return False
    short_end, long_end = short[same:], long[same:]
    if len(short) < len(long):
        return short_end == long_end[1:]
    exchanged = short_end[1::-1] + short_end[2:]
    return long_end in (long_end[:1] + short_end[1:], exchanged)


def _given_by_one(table: LabelTable) -> Mask:
    """Say of each label whether one annotator alone gives it, so often that it is no chance (labels,).

    At this annotator's rate the others, taken together, would have given it LEAST_USES times too.
    """
    counts = table.counts[:, table.compared]
    if not counts.size:
        return np.zeros(len(table.labels), dtype=np.bool_)
    uses, totals = counts.max(axis=1), counts.sum(axis=0)
    total_of_user = totals[counts.argmax(axis=1)]
    often = (uses >= LEAST_USES) & (uses * (totals.sum() - total_of_user) >= LEAST_USES * total_of_user)
    by_one: Mask = often & (table.counts.sum(axis=1) == uses)
    return by_one


def _private(table: LabelTable, expected: Expected, named: Collection[str]) -> Iterator[LabelFault]:
    """Yield the labels that one annotator alone gives, of three or more, where no category is declared."""
    people = int((table.counts[:, table.compared].sum(axis=0) > 0).sum())
    uses = table.uses
    if expected.categories or not expected.named or people < LEAST_ANNOTATORS or _is_free_text(uses):
        return
    given_by_one = [table.labels[code] for code in np.flatnonzero(_given_by_one(table)).tolist()]
    private = sorted(
        (label for label in given_by_one if label not in named and number(label) is None),
        key=lambda label: (-uses[label], label),
    )
    if private:
        listed = ", ".join(f"{quoted(label)} ({_how_often(uses[label])})" for label in private[:MOST_NAMED])
        more = f" and {len(private) - MOST_NAMED} more" if len(private) > MOST_NAMED else ""
        message = f"given by one annotator alone: {listed}{more}."
        line = f"categories = […, {_toml(private[:MOST_NAMED])}] under [task]"
        remedy = f"Correct the export, or, if all annotators know of it, declare it: {line}."
        yield LabelFault(CATEGORIES, message, remedy, tuple(private))


def alike_annotators(annotations: Annotations, same_as: Mapping[str, str]) -> Iterator[LabelFault]:
    """Yield annotators whose names differ by case or white space only, and whom `same_as` does not join.

    Each is taken for a person, who would be blamed for what the other did not label.
    """
    content = annotations.content
    if isinstance(content, CountedLayer):
        return
    labels = np.bincount(content.annotator, mark_weight(content), len(content.annotators))
    uses = dict(zip(content.annotators, labels.astype(np.int64).tolist(), strict=True))
    groups: dict[str, list[str]] = defaultdict(list)
    for name in uses:
        if name not in same_as and name not in annotations.derived:
            groups[_spelling(name)].append(name)
    for names in groups.values():
        first, *others = sorted(names, key=lambda name: (-uses[name], name))
        if others:
            shown = alternatives([first, *others], "and")
            times = ", ".join(f"{uses[name]:,}" for name in (first, *others))
            how = _difference([first, *others])
            message = f"{shown} differ only by {how} and count as different annotators (labels: {times})."
            lines = "; ".join(
                f"same_as = {_toml([first])} under [annotators.{quoted_key(name)}]" for name in others
            )
            remedy = f"If they are one person, write {lines}, or correct the export."
            yield LabelFault(PEOPLE, message, remedy, (first, *others))


def repeated_labels(again: int) -> Iterator[LabelFault]:
    """Yield that so many labels repeat an earlier one, where these are more than a few."""
    if again > FEW_REPEATED:
        message = f"{again:,} labels repeat an earlier one of the same annotator on the same unit."
        remedy = (
            "If they are second passes, name their column: columns = { pass = … }; if units of different "
            "documents have the same names, that of documents: columns = { document = … }, or "
            'path = "{document}" where files are documents. Else take them out of the export.'
        )
        yield LabelFault(PASSES, message, remedy)


def contradiction(labels: int, place: Location, passes: str, sets: str) -> tuple[str, str]:
    """Return what is said of labels that contradict an earlier one, and what is to be done.

    `place` is that of the first of them, `passes` how to name the column of passes, `sets` how to say that
    all labels of a unit are a set.
    """
    said = "1 label contradicts" if labels == 1 else f"{labels:,} labels contradict"
    file, line = place
    where = f" ({'' if labels == 1 else 'first in '}{file}, line {line})" if line else ""
    message = f"{said} an earlier one of the same annotator on the same unit{where}; the first counts."
    remedy = f"Remove the wrong ones from the export, or name the column that tells passes apart: {passes}."
    return message, f"{remedy} Where several labels may be right, they are a set: {sets}."
