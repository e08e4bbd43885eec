"""Campaigns of every kind, made up at random, with all that their authors know of them."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path

Labels = Mapping[str, str]
# What an annotator's cell holds where labels are sets: members with this between.
BETWEEN = "|"
VERSION = '[[guidelines]]\nversion = "1.0"\nexports = "exports/1.0"\n'


def unlike(kind: object, usual: object) -> str:
    """Return what a kind has that the usual one has not."""
    own = vars(kind).items()
    return ",".join(f"{key}={value}" for key, value in own if value != getattr(usual, key))


@dataclass(frozen=True)
class Kind:
    """What a campaign is like."""

    layers: int = 1
    scale: str = "nominal"
    annotators: int = 2
    categories: int = 3
    documents: int = 12
    # How many of the annotators rate each unit; 0 for all.
    ratings: int = 0
    units: int = 96
    common: float = 0.0
    slips: float = 0.15
    unmarked: bool = False
    declared: bool = False
    coefficient: str = ""
    # The share of ratings that are missing, at random.
    missing: float = 0.0
    # A column for each annotator, not a row for each label.
    wide: bool = False
    # What the last annotator, or the export, does: one of TROUBLES.
    trouble: str = ""
    # Whether a reference and a system stand beside the annotators.
    beside: bool = False

    @property
    def name(self) -> str:
        """Return a name for the kind that a test can carry."""
        return unlike(self, Kind()) or "plain"


TROUBLES = ("exchanged", "copy", "wrong", "random", "one label", "undeclared", "contradicting")
# Who stands beside the annotators, and in which role.
BESIDE = {"gold": "reference", "machine": "system"}


@dataclass(frozen=True)
class Layer:
    """One layer as it was made: for each unit its document and who gave it which label.

    `beside` has for each unit the labels of reference and system, `others` the units of other unit sets.
    """

    id: str
    kind: Kind
    categories: tuple[str, ...]
    units: tuple[tuple[str, Labels], ...]
    beside: tuple[Labels, ...] = ()
    others: Mapping[str, tuple[tuple[str, Labels], ...]] = field(default_factory=dict)
    # Of texts each annotator's marks by document: label, start, end.
    marks: Mapping[str, Mapping[str, Sequence[tuple[str, int, int]]]] = field(default_factory=dict)
    # How many labels contradict an earlier one.
    again: int = 0

    @property
    def people(self) -> list[str]:
        """Return the annotators."""
        return sorted({who for _, labels in self.units for who in labels})

    @property
    def documents(self) -> set[str]:
        """Return the documents in which two annotators rated the same unit."""
        return {name for name, labels in self.units if len(labels) > 1} - {""}

    @property
    def rated(self) -> list[Labels]:
        """Return the units that somebody rated."""
        return [labels for _, labels in self.units if labels]

    @property
    def compared(self) -> list[Labels]:
        """Return the units that at least two rated."""
        return [labels for _, labels in self.units if len(labels) > 1]


@dataclass(frozen=True)
class Made:
    """A campaign: its campaign.toml, its exports, and its layers."""

    name: str
    toml: str
    files: Mapping[str, str]
    layers: Mapping[str, Layer]

    def written(self, folder: Path) -> Path:
        """Write the campaign and return its folder."""
        for name, text in {"campaign.toml": self.toml, **self.files}.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return folder


# Kinds of campaign, each in the ways that sentences of a report may be false of it.
LAYERS = (1, 3)
SCALES = ("nominal", "ordinal", "interval", "set")
PEOPLE = (2, 3, 6)
DOCUMENTS = (0, 1, 6, 30)
SLIPS = (0.0, 0.05, 0.3, 1.0)
COMMON = (0.0, 0.85)


def kinds() -> Iterator[Kind]:
    """Yield every kind of table of labels."""
    for layers, scale, people, documents, slips, common in product(
        LAYERS, SCALES, PEOPLE, DOCUMENTS, SLIPS, COMMON
    ):
        # Several layers say what one says, of each.
        if layers == 1 or (people <= FEW and not common):
            yield Kind(layers, scale, people, documents=documents, slips=slips, common=common)


FEW = 3


def special() -> Iterator[Kind]:
    """Yield kinds in which one thing more is out of the ordinary."""
    for people, slips in product(PEOPLE, (0.05, 0.4)):
        many = Kind(annotators=people, slips=slips)
        yield replace(many, categories=1)
        yield replace(many, categories=2)
        yield replace(many, categories=2, common=0.9, units=300)
        yield replace(many, categories=12, units=240)
        yield replace(many, categories=40, units=120)
        yield replace(many, unmarked=True, common=0.85, units=240)
        yield replace(many, unmarked=True, layers=3)
        yield replace(many, declared=True, categories=4)
        yield replace(many, declared=True, categories=2, common=0.9)
        yield replace(many, documents=30, units=60, ratings=2)
        for coefficient in ("gwet_ac1", "observed_agreement", "krippendorff_alpha"):
            yield replace(many, coefficient=coefficient, common=0.85)
        for trouble, documents in product(TROUBLES, (0, 20)):
            yield replace(many, trouble=trouble, documents=documents)
            yield replace(many, trouble=trouble, documents=documents, ratings=min(people, 3), unmarked=True)
        for trouble in TROUBLES:
            yield replace(many, trouble=trouble, slips=slips - 0.05)
            yield replace(many, trouble=trouble, categories=2, common=0.85, units=240)
            yield replace(many, trouble=trouble, units=12, documents=3)
        for scale in SCALES:
            yield replace(many, scale=scale, missing=0.3)
            yield replace(many, scale=scale, missing=0.3, wide=True, documents=0)
            yield replace(many, scale=scale, beside=True, documents=24)
        yield replace(many, beside=True, documents=5, common=0.85)
    for scale, slips in product(SCALES, (0.05, 0.4)):
        yield Kind(scale=scale, annotators=200, ratings=3, slips=slips, units=150)
        yield Kind(scale=scale, annotators=8, ratings=3, slips=slips, units=60)
        yield Kind(scale=scale, annotators=1, slips=slips)


def made(kind: Kind, seed: int) -> Made:
    """Return a campaign of a kind."""
    chance = random.Random(f"{kind.name} {seed}")  # noqa: S311 - made-up labels
    people = [f"p{number}" for number in range(kind.annotators)]
    names = [f"layer-{place}" for place in range(kind.layers)] if kind.layers > 1 else ["main"]
    layers = {name: _layer(kind, name, people, chance) for name in names}
    export = _wide(kind, layers["main"]) if kind.wide else export_of(kind, layers)
    return Made(kind.name, _toml(kind, layers), {"exports/1.0/e.csv": export}, layers)


def _layer(kind: Kind, name: str, people: Sequence[str], chance: random.Random) -> Layer:
    categories = _categories(kind)
    # Of several layers some are good and some are bad.
    slips = kind.slips if kind.layers == 1 else chance.choice((kind.slips, kind.slips / 4, 0.6))
    units, beside = [], []
    for number in range(kind.units):
        document = f"d{number * kind.documents // kind.units}" if kind.documents else ""
        real = _label(kind, categories, chance)
        raters = chance.sample(list(people), kind.ratings) if kind.ratings else people
        labels = {who: _slip(kind, categories, real, slips, chance) for who in sorted(raters)}
        labels = {who: label for who, label in labels.items() if chance.random() >= kind.missing}
        units.append((document, _troubled(kind, categories, people, labels, chance)))
        beside.append({"gold": real, "machine": _slip(kind, categories, real, 0.2, chance)})
    again = 5 if kind.trouble == "contradicting" else 0
    return Layer(name, kind, categories, tuple(units), tuple(beside) if kind.beside else (), again=again)


def _troubled(
    kind: Kind, categories: Sequence[str], people: Sequence[str], labels: Labels, chance: random.Random
) -> Labels:
    """Return the labels of a unit after what the last annotator does."""
    first, last = people[0], people[-1]
    if not kind.trouble or last not in labels:
        return labels
    one, other = categories[0], categories[-1]
    done = {
        "exchanged": {one: other, other: one}.get(labels[last], labels[last]),
        "copy": labels.get(first, labels[last]),
        "wrong": categories[(categories.index(labels.get(first, one)) + 1) % len(categories)],
        "one label": one,
    }
    if kind.trouble == "random":
        return {**labels, last: chance.choice(list(categories))}
    return {**labels, last: done.get(kind.trouble, labels[last])}


def _categories(kind: Kind) -> tuple[str, ...]:
    if kind.scale in {"ordinal", "interval"}:
        return tuple(str(number) for number in range(1, kind.categories + 1))
    names = tuple(f"k{number}" for number in range(kind.categories))
    return (*names[:-1], "nothing") if kind.unmarked else names


def _label(kind: Kind, categories: Sequence[str], chance: random.Random) -> str:
    if kind.scale == "set":
        size = chance.randint(1, min(3, len(categories)))
        return BETWEEN.join(sorted(chance.sample(list(categories), size)))
    return categories[-1] if chance.random() < kind.common else chance.choice(list(categories))


def _slip(kind: Kind, categories: Sequence[str], real: str, slips: float, chance: random.Random) -> str:
    return _label(kind, categories, chance) if chance.random() < slips else real


def _toml(kind: Kind, layers: Mapping[str, Layer]) -> str:
    lines = [
        'title = "A campaign"',
        "[protocol]",
        "in_order = true",
        "[privacy]",
        'annotators = "names"',
        "[task]",
        f'scale = "{kind.scale}"',
    ]
    if kind.unmarked:
        lines.append('non_annotated = "nothing"')
    if kind.declared:
        lines.append(f"categories = [{', '.join(repr(f'k{n}') for n in range(kind.categories + 2))}]")
    if kind.trouble == "undeclared":
        lines.append(f"categories = [{', '.join(map(repr, _categories(kind)[:-1]))}]")
    if kind.coefficient:
        lines.append(f'coefficient = "{kind.coefficient}"')
    if len(layers) > 1:
        lines += [f'[[layers]]\nid = "{name}"\nsource = "{name}"' for name in layers]
    if kind.beside:
        lines += [f'[annotators.{who}]\nrole = "{role}"' for who, role in BESIDE.items()]
    lines.append(VERSION if kind.scale != "set" else f'{VERSION}set_separator = "{BETWEEN}"')
    return "\n".join(lines) + "\n"


def export_of(kind: Kind, layers: Mapping[str, Layer], same: int | None = None) -> str:
    """Return a long table, a column for each layer.

    Units from `same` on, and their documents, have other names.
    """
    several = len(layers) > 1
    head = [
        "unit",
        "annotator",
        *(["document"] if kind.documents else []),
        *(layers if several else ["label"]),
    ]
    rows = [head]
    first = next(iter(layers.values()))
    for number in range(kind.units):
        given = [
            {**each.units[number][1], **(each.beside[number] if each.beside else {})}
            for each in layers.values()
        ]
        other = "other-" if same is not None and number >= same else ""
        document = [other + first.units[number][0]] if kind.documents else []
        rows += [
            [f"{other}u{number}", who, *document, *(labels.get(who, "") for labels in given)]
            for who in sorted({who for labels in given for who in labels})
        ]
    # The same person, the same unit, and another label than before.
    rows += [[*row[:-1], "again"] for row in rows[1 : 1 + first.again]]
    return _csv(rows)


def _wide(kind: Kind, layer: Layer) -> str:
    """Return a table with a column for each annotator."""
    people = [f"p{number}" for number in range(kind.annotators)]
    units = (labels for _, labels in layer.units)
    return _csv(
        [
            ["unit", *people],
            *([f"u{n}", *(each.get(who, "") for who in people)] for n, each in enumerate(units)),
        ]
    )


def _csv(rows: Sequence[Sequence[str]]) -> str:
    return "".join(",".join(row) + "\n" for row in rows)
