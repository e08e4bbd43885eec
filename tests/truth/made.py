"""Campaigns of every kind, made up at random, with all that their authors know of them."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

Labels = Mapping[str, str]
# What an annotator's cell holds where labels are sets: members with this between.
BETWEEN = "|"


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

    @property
    def name(self) -> str:
        """Return a name for the kind that a test can carry."""
        shown = (f"{key}={value}" for key, value in vars(self).items() if value != getattr(Kind(), key))
        return ",".join(shown) or "plain"


@dataclass(frozen=True)
class Layer:
    """One layer as it was made: for each unit its document and who gave it which label."""

    id: str
    kind: Kind
    categories: tuple[str, ...]
    units: tuple[tuple[str, Labels], ...]

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
    """A campaign: its campaign.toml, its export, and its layers."""

    toml: str
    export: str
    layers: Mapping[str, Layer] = field(default_factory=dict)


# Kinds of campaign, each in the ways that sentences of a report may be false of it.
LAYERS = (1, 3)
SCALES = ("nominal", "ordinal", "interval", "set")
PEOPLE = (2, 3, 10)
DOCUMENTS = (0, 1, 6, 30)
SLIPS = (0.0, 0.05, 0.3, 1.0)
COMMON = (0.0, 0.85)


def kinds() -> Iterator[Kind]:
    """Yield every kind of table of labels."""
    for layers, scale, people, documents, slips, common in product(
        LAYERS, SCALES, PEOPLE, DOCUMENTS, SLIPS, COMMON
    ):
        yield Kind(layers, scale, people, documents=documents, slips=slips, common=common)


def special() -> Iterator[Kind]:
    """Yield kinds in which one thing more is out of the ordinary."""
    for people, slips in product(PEOPLE, (0.05, 0.4)):
        yield Kind(annotators=people, slips=slips, categories=1)
        yield Kind(annotators=people, slips=slips, categories=2)
        yield Kind(annotators=people, slips=slips, categories=2, common=0.9, units=300)
        yield Kind(annotators=people, slips=slips, categories=12, units=240)
        yield Kind(annotators=people, slips=slips, categories=40, units=400)
        yield Kind(annotators=people, slips=slips, unmarked=True, common=0.85, units=240)
        yield Kind(annotators=people, slips=slips, unmarked=True, layers=3)
        yield Kind(annotators=people, slips=slips, declared=True, categories=4)
        yield Kind(annotators=people, slips=slips, documents=30, units=60, ratings=2)
        for coefficient in ("gwet_ac1", "observed_agreement", "krippendorff_alpha"):
            yield Kind(annotators=people, slips=slips, coefficient=coefficient, common=0.85)
    for scale, slips in product(SCALES, (0.05, 0.4)):
        yield Kind(scale=scale, annotators=200, ratings=3, slips=slips, units=150)
        yield Kind(scale=scale, annotators=8, ratings=3, slips=slips, units=60)


def made(kind: Kind, seed: int) -> Made:
    """Return a campaign of a kind."""
    chance = random.Random(f"{kind.name} {seed}")  # noqa: S311 - made-up labels
    people = [f"p{number}" for number in range(kind.annotators)]
    names = [f"layer-{place}" for place in range(kind.layers)] if kind.layers > 1 else ["main"]
    layers = {name: _layer(kind, name, people, chance) for name in names}
    return Made(_toml(kind, layers), _export(kind, layers), layers)


def _layer(kind: Kind, name: str, people: Sequence[str], chance: random.Random) -> Layer:
    categories = _categories(kind)
    # Of several layers some are good and some are bad.
    slips = kind.slips if kind.layers == 1 else chance.choice((kind.slips, kind.slips / 4, 0.6))
    units = []
    for number in range(kind.units):
        document = f"d{number * kind.documents // kind.units}" if kind.documents else ""
        real = _label(kind, categories, chance)
        raters = chance.sample(list(people), kind.ratings) if kind.ratings else people
        units.append(
            (document, {who: _slip(kind, categories, real, slips, chance) for who in sorted(raters)})
        )
    return Layer(name, kind, categories, tuple(units))


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
    lines = ["[task]", f'scale = "{kind.scale}"']
    if kind.unmarked:
        lines.append('non_annotated = "nothing"')
    if kind.declared:
        lines.append(f"categories = [{', '.join(repr(f'k{n}') for n in range(kind.categories + 2))}]")
    if kind.coefficient:
        lines.append(f'coefficient = "{kind.coefficient}"')
    if len(layers) > 1:
        lines += [f'[[layers]]\nid = "{name}"\nsource = "{name}"' for name in layers]
    return "\n".join(lines) + "\n"


def _export(kind: Kind, layers: Mapping[str, Layer]) -> str:
    """Return a long table, a column for each layer."""
    several = len(layers) > 1
    head = [
        "unit",
        "annotator",
        *(["document"] if kind.documents else []),
        *(layers if several else ["label"]),
    ]
    rows = [",".join(head)]
    first = next(iter(layers.values()))
    for number in range(kind.units):
        people = sorted({who for each in layers.values() for who in each.units[number][1]})
        for who in people:
            cells = [each.units[number][1].get(who, "") for each in layers.values()]
            document = [first.units[number][0]] if kind.documents else []
            rows.append(",".join([f"u{number}", who, *document, *cells]))
    return "\n".join(rows) + "\n"
