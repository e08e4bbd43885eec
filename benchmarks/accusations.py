"""How often findings accuse somebody falsely, and miss whom they should name, in campaigns of known truth.

`python -m benchmarks accusations [PART…] [--replications N]` prints the tables of docs/uncertainty.md, by
campaign and by finding, each kind of campaign as soon as it is done; PART is one of PARTS.
"""

import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

import reportgen
from reportgen.readers import Codes
from reportgen.results import Finding
from reportgen.units.labels import Mask

SEED = 34
REPLICATIONS = 50
UNITS, PER_DOCUMENT, PEOPLE = 240, 12, 4
# Where documents have some of more annotators.
MANY, SIX = 60, 6
SKILL = 0.8
EVEN = (1 / 3, 1 / 3, 1 / 3)
SHIFTED, CONFUSED = 0.35, 0.25
SKEWED = (0.7, 0.2, 0.1)
# Of three categories, one who labels at random is wrong so often.
WORST = 2 / 3
# How many times as many errors easy and hard documents have.
EASY, HARD = 0.1, 1.9
CATEGORIES = "XYZ"
CAMPAIGN = 'title = "Made up"\n[protocol]\nin_order = true\n[privacy]\nannotators = "names"\n'
VERSION = '[[guidelines]]\nversion = "{0}"\nexports = "exports/{0}"\n'

Random = np.random.Generator
# From labels (units, annotators) and the truth (units,) to other labels.
Trouble = Callable[[Codes, Codes, Random], Codes]
# Who labels which document (documents, annotators), of so many documents and annotators.
Assignment = Callable[[int, int, Random], Mask]
# How many times as many errors each document has (documents,).
Difficulty = Callable[[int, Random], np.ndarray]


def everybody(documents: int, people: int, _: Random) -> Mask:
    """Have everybody label every document."""
    return np.ones((documents, people), dtype=np.bool_)


def some(many: int) -> Assignment:
    """Have so many annotators label each document, drawn for each."""

    def assigned(documents: int, people: int, random: Random) -> Mask:
        order = np.argsort(random.random((documents, people)), axis=1)
        return np.array(order < many, dtype=np.bool_)

    return assigned


def teams(many: int) -> Assignment:
    """Have teams of so many annotators label one stretch of documents after the other."""

    def assigned(documents: int, people: int, _: Random) -> Mask:
        team = np.arange(documents) * (people // many) // documents
        return np.array(team[:, None] == np.arange(people) // many, dtype=np.bool_)

    return assigned


def in_turn(many: int) -> Assignment:
    """Have one annotator after the other take another's place, so many being at work."""

    def assigned(documents: int, people: int, _: Random) -> Mask:
        first = np.arange(documents) * (people - many + 1) // documents
        who = np.arange(people)
        return np.array((who >= first[:, None]) & (who < first[:, None] + many), dtype=np.bool_)

    return assigned


def alike(documents: int, _: Random) -> np.ndarray:
    """Make no document harder than another."""
    return np.ones(documents)


def half_hard(documents: int, random: Random) -> np.ndarray:
    """Make half of the documents hard, drawn at random."""
    return np.where(random.random(documents) < 1 / 2, EASY, HARD)


def ever_harder(documents: int, _: Random) -> np.ndarray:
    """Make documents ever harder."""
    return np.linspace(EASY, HARD, documents)


@dataclass(frozen=True)
class Design:
    """A campaign, or two versions of one: skills, mixes of categories, what goes wrong, and what is due.

    `due` has for each finding's id who, or what, is to be named; whatever else is named is named falsely, but
    for the last annotator, or the first two categories, by a finding of `also`.
    """

    title: str
    skills: tuple[float, ...] = (SKILL,) * PEOPLE
    mix: tuple[float, ...] = EVEN
    trouble: Trouble | None = None
    due: Mapping[str, frozenset[str]] = field(default_factory=dict)
    # The skill and the mix under a second version.
    later: tuple[float, tuple[float, ...]] | None = None
    # What may be said of whom, or what, the trouble is about.
    also: tuple[str, ...] = ()
    # What is due, but by far not always found: docs/uncertainty.md has in how many campaigns.
    seldom: tuple[str, ...] = ()
    part: str = "people"
    documents: int = UNITS // PER_DOCUMENT
    assigned: Assignment = everybody
    difficulty: Difficulty = alike
    # The mix of each kind of documents; `mix`, and that of `later`, are then the shares of these.
    kinds: tuple[tuple[float, ...], ...] = ()
    # The trouble comes with the second version.
    troubled_later: bool = False


def _copied(edits: float) -> Trouble:
    """Have the last annotator copy the first one's labels, a share of them edited: drawn at random."""

    def copy(labels: Codes, _: Codes, random: Random) -> Codes:
        units = len(labels)
        own = np.where(random.random(units) < edits, random.integers(0, 3, units), labels[:, 0])
        return np.column_stack([labels[:, :-1], own])

    return copy


def _changed(edits: float) -> Trouble:
    """Have the last annotator copy the first one's labels, a share of them changed to another."""

    def copy(labels: Codes, _: Codes, random: Random) -> Codes:
        units = len(labels)
        other = (labels[:, 0] + random.integers(1, 3, units)) % 3
        return np.column_stack([labels[:, :-1], np.where(random.random(units) < edits, other, labels[:, 0])])

    return copy


def _last(change: Callable[[Codes, Codes, Random], Codes]) -> Trouble:
    """Return what changes the last annotator's labels."""
    return lambda labels, truth, random: np.column_stack(
        [labels[:, :-1], change(labels[:, -1], truth, random)]
    )


def _drifting(_: Codes, truth: Codes, random: Random) -> Codes:
    units = len(truth)
    knows = random.random(units) < np.linspace(1.0, 0.4, units)
    drifted: Codes = np.where(knows, truth, random.integers(0, 3, units))
    return drifted


def _fading(labels: Codes, _: Codes, random: Random) -> Codes:
    """Give ever more labels at random."""
    units = len(labels)
    blind = random.random(units) < np.linspace(0, 0.9, units)
    faded: Codes = np.where(blind, random.integers(0, 3, units), labels)
    return faded


def _one_way(labels: Codes, _: Codes, random: Random) -> Codes:
    """Give the first category for the second, whoever labels."""
    return np.where((labels == 1) & (random.random(labels.shape) < CONFUSED), 0, labels)


def _shifted(labels: Codes, _: Codes, random: Random) -> Codes:
    """Give the first category for the second."""
    shifted: Codes = np.where((labels == 1) & (random.random(len(labels)) < SHIFTED), 0, labels)
    return shifted


def _confusing(labels: Codes, _: Codes, random: Random) -> Codes:
    """Give one of the first two categories for the other, whoever labels."""
    swapped = (labels < len(CATEGORIES) - 1) & (random.random(labels.shape) < CONFUSED)
    confused: Codes = np.where(swapped, 1 - labels, labels)
    return confused


def _due(name: str, *who: str) -> dict[str, frozenset[str]]:
    return {name: frozenset(who)}


APART, COPY, BETTER, BIAS = "disagrees-with-everyone", "identical-annotators", "agrees-more", "bias"
CAUSE, DRIFT, MORE = "cause", "drift", "confusion-more"
FIRST, LAST, SIXTH = "A01", f"A0{PEOPLE}", f"A0{SIX}"
CONFUSABLE = tuple(CATEGORIES[:2])
ALIKE = (SKILL,) * SIX
LAZY, CARELESS = (*(SKILL,) * (PEOPLE - 1), 0.5), (*(0.95,) * (PEOPLE - 1), 0.5)
SIX_CARELESS = (*(0.95,) * (SIX - 1), 0.5)
TWO_COPIES = _due(COPY, FIRST, LAST)
# Of six annotators, some of whom label a document.
PARTLY = Design("", ALIKE, documents=MANY)
DESIGNS = (
    Design("equal annotators"),
    Design("equal, .7 of labels one category", mix=SKEWED),
    Design("one careful", (*(SKILL,) * 3, 0.98), due=_due(BETTER, LAST)),
    Design("one lazy", LAZY, due=_due(APART, LAST), also=(CAUSE,)),
    Design("one always wrong", (*(SKILL,) * 3, 0.0), due=_due(APART, LAST), also=("below-chance", CAUSE)),
    Design(
        "one exchanges two labels",
        trouble=_last(lambda labels, *_: np.array([1, 0, 2])[labels]),
        due=_due("swapped-labels", LAST),
        also=("near-chance", "below-chance", BIAS, CAUSE),
    ),
    Design(
        "one gives one label",
        trouble=_last(lambda labels, *_: labels * 0),
        due=_due("one-label", LAST),
        also=("near-chance", BIAS, CAUSE),
    ),
    Design("a copy", trouble=_copied(0.0), due=TWO_COPIES, part="copies"),
    Design("a copy, 2% edited", trouble=_copied(0.02), due=TWO_COPIES, part="copies"),
    Design("a copy, 5% edited", trouble=_copied(0.05), due=TWO_COPIES, part="copies"),
    Design(
        "one prefers a category",
        trouble=_last(_shifted),
        due=_due(BIAS, LAST),
        also=(APART, "confused", CAUSE),
        part="categories",
    ),
    Design("one gets worse", trouble=_last(_drifting), due=_due(DRIFT, LAST), part="drift"),
    Design(
        "two categories confused",
        trouble=_confusing,
        due=_due("confused", *CONFUSABLE),
        part="categories",
    ),
    Design("another version, nothing else", later=(SKILL, EVEN), part="versions"),
    Design("another version, another mix", later=(SKILL, SKEWED), part="versions"),
    Design(
        "another version, a better one",
        later=(0.95, EVEN),
        due=_due("category-better", *CATEGORIES),
        part="versions",
    ),
    Design(
        "another version, a worse one",
        later=(0.6, EVEN),
        due=_due("category-worse", *CATEGORIES),
        also=(MORE,),
        part="versions",
    ),
    Design("a copy, 10% changed", trouble=_changed(0.1), due=TWO_COPIES, part="copies"),
    Design("one careless", CARELESS, due=_due(APART, LAST) | _due(CAUSE, LAST)),
    Design("easy and hard documents", difficulty=half_hard),
    Design(
        "easy and hard documents, one lazy", LAZY, due=_due(APART, LAST), also=(CAUSE,), difficulty=half_hard
    ),
    Design("easy and hard documents, two lazy", (0.95, 0.95, 0.6, 0.6), difficulty=half_hard, part="copies"),
    Design("ever harder documents", difficulty=ever_harder, part="drift"),
    Design(
        "ever harder documents, one gets worse",
        trouble=_last(_fading),
        due=_due(DRIFT, LAST),
        also=(APART, CAUSE),
        seldom=(DRIFT,),
        difficulty=ever_harder,
        part="drift",
    ),
    Design(
        "ever harder documents, a copy, 10% changed",
        trouble=_changed(0.1),
        due=TWO_COPIES,
        difficulty=ever_harder,
        part="copies",
    ),
    replace(PARTLY, title="two of six, easy and hard", assigned=some(2), difficulty=half_hard),
    replace(PARTLY, title="two of six in teams, ever harder", assigned=teams(2), difficulty=ever_harder),
    replace(PARTLY, title="two of six, ever harder", assigned=some(2), difficulty=ever_harder, part="drift"),
    replace(
        PARTLY,
        title="two of six in turn, ever harder",
        assigned=in_turn(2),
        difficulty=ever_harder,
        part="drift",
    ),
    replace(PARTLY, title="three of six, easy and hard", assigned=some(3), difficulty=half_hard),
    replace(PARTLY, title="three of six in teams, ever harder", assigned=teams(3), difficulty=ever_harder),
    replace(
        PARTLY,
        title="three of six, one careless",
        skills=SIX_CARELESS,
        due=_due(APART, SIXTH) | _due(CAUSE, SIXTH),
        assigned=some(3),
        difficulty=half_hard,
    ),
    replace(
        PARTLY, title="three of six, ever harder", assigned=some(3), difficulty=ever_harder, part="drift"
    ),
    replace(
        PARTLY,
        title="three of six in turn, ever harder",
        assigned=in_turn(3),
        difficulty=ever_harder,
        part="drift",
    ),
    replace(
        PARTLY,
        title="three of six in turn, one careless",
        skills=SIX_CARELESS,
        due=_due(APART, SIXTH),
        also=(CAUSE,),
        assigned=in_turn(3),
        difficulty=ever_harder,
        part="drift",
    ),
    replace(
        PARTLY,
        title="three of six, one gets worse",
        trouble=_last(_fading),
        due=_due(DRIFT, SIXTH),
        also=(APART, CAUSE),
        seldom=(DRIFT,),
        assigned=some(3),
        part="drift",
    ),
    replace(
        PARTLY,
        title="four of six, a copy, 10% changed",
        trouble=_changed(0.1),
        due=_due(COPY, FIRST, SIXTH),
        assigned=some(4),
        difficulty=half_hard,
        part="copies",
    ),
    Design(
        "another version, another mix, one confuses more",
        trouble=_one_way,
        later=(SKILL, (0.2, 0.7, 0.1)),
        part="versions",
    ),
    Design(
        "another version, other kinds of documents",
        mix=(0.5, 0.5),
        kinds=((0.45, 0.45, 0.1), (0.05, 0.15, 0.8)),
        trouble=_one_way,
        later=(SKILL, (0.85, 0.15)),
        part="versions",
    ),
    Design(
        "another version, another mix, and confusions",
        mix=SKEWED,
        later=(SKILL, EVEN),
        trouble=_confusing,
        troubled_later=True,
        due=_due(MORE, *CONFUSABLE),
        also=("category-worse",),
        seldom=(MORE,),
        part="versions",
    ),
)
PARTS = tuple(dict.fromkeys(design.part for design in DESIGNS))
# What names somebody, or something, as not as it should be.
ACCUSING = (
    APART, COPY, BETTER, BIAS, "swapped-labels", "one-label", "near-chance", "below-chance", DRIFT,
    CAUSE, "confused", "category-better", "category-worse", MORE,
)  # fmt: skip
NAMING = {
    **dict.fromkeys(("swapped-labels", "one-label", BIAS, CAUSE), ("annotator",)),
    **dict.fromkeys(("category-better", "category-worse"), ("category",)),
}


def labels_of(
    design: Design, skills: Sequence[float], mix: Sequence[float], random: Random, *, later: bool = False
) -> tuple[Codes, Mask]:
    """Return labels (units, annotators), and which are given: the truth by each one's skill, else another.

    Nobody is worse than somebody who labels at random.
    """
    units, people = design.documents * PER_DOCUMENT, len(skills)
    given = np.repeat(design.assigned(design.documents, people, random), PER_DOCUMENT, axis=0)
    times = np.repeat(design.difficulty(design.documents, random), PER_DOCUMENT)
    wrong = 1 - np.array(skills)
    errors = np.where(wrong > WORST, wrong, np.minimum(wrong * times[:, None], WORST))
    truth = _truth(design, mix, random)
    shape = units, people
    other = (truth[:, None] + random.integers(1, len(CATEGORIES), shape)) % len(CATEGORIES)
    found: Codes = np.where(random.random(shape) < 1 - errors, truth[:, None], other)
    troubled = design.trouble and (later or not design.troubled_later)
    return design.trouble(found, truth, random) if design.trouble and troubled else found, given


def _truth(design: Design, mix: Sequence[float], random: Random) -> Codes:
    """Return the true category of each unit (units,)."""
    if not design.kinds:
        return random.choice(len(mix), design.documents * PER_DOCUMENT, p=mix)
    of_document = random.choice(len(mix), design.documents, p=mix)
    drawn = [random.choice(len(CATEGORIES), PER_DOCUMENT, p=design.kinds[kind]) for kind in of_document]
    return np.concatenate(drawn)


def _export(labels: Codes, given: Mask, version: str) -> str:
    rows = [
        f"{version}-d{unit // PER_DOCUMENT},{version}-{unit},A0{who + 1},{CATEGORIES[labels[unit, who]]}"
        for unit, who in np.argwhere(given).tolist()
    ]
    return "\n".join(["document,unit,annotator,label", *rows, ""])


def findings_of(design: Design, folder: Path, random: Random) -> Sequence[Finding]:
    """Return what the report of a campaign, or of its two versions, says."""
    versions = {"1": labels_of(design, design.skills, design.mix, random)}
    if design.later:
        skill, mix = design.later
        versions["2"] = labels_of(design, (skill,) * len(design.skills), mix, random, later=True)
    toml = CAMPAIGN + "".join(map(VERSION.format, versions))
    (folder / "campaign.toml").write_text(toml, encoding="utf-8")
    for version, (labels, given) in versions.items():
        (folder / "exports" / version).mkdir(parents=True)
        (folder / "exports" / version / "e.csv").write_text(_export(labels, given, version), encoding="utf-8")
    campaign = reportgen.load(folder)
    return campaign.compare("1", "2").findings if design.later else campaign.newest.findings


def _named(findings: Iterable[Finding]) -> dict[str, set[str]]:
    """Return whom, or what, each kind of finding names."""
    named: dict[str, set[str]] = {}
    for finding in findings:
        if finding.id in ACCUSING:
            for value in map(finding.values.get, NAMING.get(finding.id, ("names_list", "first", "second"))):
                names = value if isinstance(value, tuple) else [str(value)] if value else []
                # Several copies are told as pairs.
                named.setdefault(finding.id, set()).update(
                    name for each in names for name in each.split(" = ")
                )
    return named


def judged(design: Design, number: int) -> tuple[list[str], list[str]]:
    """Return the ids of findings that name somebody falsely in a campaign, and of those missed."""
    with tempfile.TemporaryDirectory() as folder:
        random = np.random.default_rng([SEED, DESIGNS.index(design), number])
        named = _named(findings_of(design, Path(folder), random))
    due, of_trouble = design.due, {f"A0{len(design.skills)}", *CONFUSABLE}
    allowed = {name: {*due.get(name, ()), *(of_trouble if name in design.also else ())} for name in named}
    false = [name for name in ACCUSING if not named.get(name, set()) <= allowed.get(name, set())]
    return false, [name for name, who in due.items() if not who <= named.get(name, set())]


def run(replications: int, parts: Collection[str] = ()) -> Iterator[str]:
    """Yield how often findings are false and missed: in each design of some parts, or all, then over them."""
    yield from ("| campaign | named falsely | missed |", "|---|---|---|")
    by_design: dict[str, tuple[Counter[str], Counter[str]]] = {}
    designs = [design for design in DESIGNS if not parts or design.part in parts]
    for design in designs:
        both = [judged(design, number) for number in range(replications)]
        false, missed = (Counter(name for ids in side for name in ids) for side in zip(*both, strict=True))
        by_design[design.title] = false, missed
        yield f"| {design.title} | {_shares(false, replications)} | {_shares(missed, replications)} |"
    yield ""
    yield from _by_finding(designs, by_design, replications)


def _by_finding(
    designs: Sequence[Design], by_design: Mapping[str, tuple[Counter[str], Counter[str]]], replications: int
) -> Iterator[str]:
    """Yield a row for each finding: false in how many campaigns, in which most, and missed in how many."""
    yield "| finding | campaigns | named falsely | most often in | should be named in | missed |"
    yield "|---|--:|--:|---|--:|--:|"
    for name in ACCUSING:
        comparing = name.startswith("category-") or name == MORE
        own = [design for design in designs if bool(design.later) is comparing]
        if not own:
            continue
        false = {design.title: by_design[design.title][0][name] for design in own}
        many, most = len(own) * replications, max(false, key=lambda title: false[title])
        due = [design.title for design in own if name in design.due]
        missed, asked = sum(by_design[title][1][name] for title in due), len(due) * replications
        where = f"{most} ({false[most] / replications:.0%})" if false[most] else "–"
        misses = f"{missed / asked:.1%}" if asked else "–"
        yield f"| {name} | {many} | {sum(false.values()) / many:.1%} | {where} | {asked or '–'} | {misses} |"


def _shares(times: Mapping[str, int], replications: int) -> str:
    return ", ".join(f"{name} {many / replications:.0%}" for name, many in sorted(times.items())) or "–"
