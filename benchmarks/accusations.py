"""How often findings accuse somebody falsely, and miss whom they should name, in campaigns of known truth.

`python -m benchmarks accusations [--replications N]` or `make truth` prints the tables of
docs/uncertainty.md, by campaign and by finding.
"""

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import reportgen
from reportgen.readers import Codes
from reportgen.results import Finding

SEED = 34
REPLICATIONS = 50
UNITS, PER_DOCUMENT, PEOPLE = 240, 12, 4
SKILL = 0.8
EVEN = (1 / 3, 1 / 3, 1 / 3)
SHIFTED, CONFUSED = 0.35, 0.25
SKEWED = (0.7, 0.2, 0.1)
CATEGORIES = "XYZ"
CAMPAIGN = 'title = "Made up"\n[protocol]\nin_order = true\n[privacy]\nannotators = "names"\n'
VERSION = '[[guidelines]]\nversion = "{0}"\nexports = "exports/{0}"\n'

Random = np.random.Generator
# From labels (units, annotators) and the truth (units,) to other labels.
Trouble = Callable[[Codes, Codes, Random], Codes]


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


def _copied(edits: float) -> Trouble:
    def copy(labels: Codes, _: Codes, random: Random) -> Codes:
        own = np.where(random.random(UNITS) < edits, random.integers(0, 3, UNITS), labels[:, 0])
        return np.column_stack([labels[:, :-1], own])

    return copy


def _last(change: Callable[[Codes, Codes, Random], Codes]) -> Trouble:
    """Return what changes the last annotator's labels."""
    return lambda labels, truth, random: np.column_stack(
        [labels[:, :-1], change(labels[:, -1], truth, random)]
    )


def _drifting(_: Codes, truth: Codes, random: Random) -> Codes:
    knows = random.random(UNITS) < np.linspace(1.0, 0.4, UNITS)
    drifted: Codes = np.where(knows, truth, random.integers(0, 3, UNITS))
    return drifted


def _shifted(labels: Codes, _: Codes, random: Random) -> Codes:
    """Give the first category for the second."""
    shifted: Codes = np.where((labels == 1) & (random.random(UNITS) < SHIFTED), 0, labels)
    return shifted


def _confusing(labels: Codes, _: Codes, random: Random) -> Codes:
    """Give one of the first two categories for the other, whoever labels."""
    swapped = (labels < len(CATEGORIES) - 1) & (random.random(labels.shape) < CONFUSED)
    confused: Codes = np.where(swapped, 1 - labels, labels)
    return confused


def _due(name: str, *who: str) -> dict[str, frozenset[str]]:
    return {name: frozenset(who)}


APART, COPY, BETTER, BIAS = "disagrees-with-everyone", "identical-annotators", "agrees-more", "bias"
FIRST, LAST = "A01", f"A0{PEOPLE}"
OF_TROUBLE = LAST, *CATEGORIES[:2]
DESIGNS = (
    Design("equal annotators"),
    Design("equal, .7 of labels one category", mix=SKEWED),
    Design("one careful", (*(SKILL,) * 3, 0.98), due=_due(BETTER, LAST)),
    Design("one lazy", (*(SKILL,) * 3, 0.5), due=_due(APART, LAST)),
    Design(
        "one always wrong",
        (*(SKILL,) * 3, 0.0),
        due=_due(APART, LAST),
        also=("below-chance",),
    ),
    Design(
        "one exchanges two labels",
        trouble=_last(lambda labels, *_: np.array([1, 0, 2])[labels]),
        due=_due("swapped-labels", LAST),
        also=("near-chance", "below-chance", BIAS),
    ),
    Design(
        "one gives one label",
        trouble=_last(lambda labels, *_: labels * 0),
        due=_due("one-label", LAST),
        also=("near-chance", BIAS),
    ),
    Design("a copy", trouble=_copied(0.0), due=_due(COPY, FIRST, LAST)),
    Design("a copy, 2% edited", trouble=_copied(0.02), due=_due(COPY, FIRST, LAST)),
    Design("a copy, 5% edited", trouble=_copied(0.05), due=_due(COPY, FIRST, LAST)),
    Design("one prefers a category", trouble=_last(_shifted), due=_due(BIAS, LAST), also=(APART, "confused")),
    Design("one gets worse", trouble=_last(_drifting), due=_due("drift", LAST)),
    Design("two categories confused", trouble=_confusing, due=_due("confused", *CATEGORIES[:2])),
    Design("another version, nothing else", later=(SKILL, EVEN)),
    Design("another version, another mix", later=(SKILL, SKEWED)),
    Design("another version, a better one", later=(0.95, EVEN), due=_due("category-better", *CATEGORIES)),
    Design("another version, a worse one", later=(0.6, EVEN), due=_due("category-worse", *CATEGORIES)),
)  # fmt: skip
# What names somebody, or something, as not as it should be.
ACCUSING = (
    APART, COPY, BETTER, BIAS, "swapped-labels", "one-label", "near-chance", "below-chance", "drift",
    "confused", "category-better", "category-worse",
)  # fmt: skip
NAMING = {
    **dict.fromkeys(("swapped-labels", "one-label", BIAS), ("annotator",)),
    **dict.fromkeys(("category-better", "category-worse"), ("category",)),
}


def labels_of(design: Design, skills: Sequence[float], mix: Sequence[float], random: Random) -> Codes:
    """Return labels (units, annotators): the truth with each one's skill, else any other category."""
    truth = random.choice(len(mix), UNITS, p=mix)
    shape = UNITS, len(skills)
    other = (truth[:, None] + random.integers(1, len(mix), shape)) % len(mix)
    found: Codes = np.where(random.random(shape) < np.array(skills), truth[:, None], other)
    return design.trouble(found, truth, random) if design.trouble else found


def _export(labels: Codes, version: str) -> str:
    rows = [
        f"{version}-d{unit // PER_DOCUMENT},{version}-{unit},A0{who + 1},{CATEGORIES[code]}"
        for unit, row in enumerate(labels.tolist())
        for who, code in enumerate(row)
    ]
    return "\n".join(["document,unit,annotator,label", *rows, ""])


def findings_of(design: Design, folder: Path, random: Random) -> Sequence[Finding]:
    """Return what the report of a campaign, or of its two versions, says."""
    versions = {"1": labels_of(design, design.skills, design.mix, random)}
    if design.later:
        skill, mix = design.later
        versions["2"] = labels_of(design, (skill,) * PEOPLE, mix, random)
    toml = CAMPAIGN + "".join(map(VERSION.format, versions))
    (folder / "campaign.toml").write_text(toml, encoding="utf-8")
    for version, labels in versions.items():
        (folder / "exports" / version).mkdir(parents=True)
        (folder / "exports" / version / "e.csv").write_text(_export(labels, version), encoding="utf-8")
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
    due = design.due
    allowed = {name: {*due.get(name, ()), *(OF_TROUBLE if name in design.also else ())} for name in named}
    false = [name for name in ACCUSING if not named.get(name, set()) <= allowed.get(name, set())]
    return false, [name for name, who in due.items() if not who <= named.get(name, set())]


def run(replications: int) -> str:
    """Return how often findings are false and missed: in each design, and over all designs."""
    lines = ["| campaign | named falsely | missed |", "|---|---|---|"]
    by_design: dict[str, tuple[Counter[str], Counter[str]]] = {}
    for design in DESIGNS:
        both = [judged(design, number) for number in range(replications)]
        false, missed = (Counter(name for ids in side for name in ids) for side in zip(*both, strict=True))
        by_design[design.title] = false, missed
        lines.append(f"| {design.title} | {_shares(false, replications)} | {_shares(missed, replications)} |")
    return "\n".join([*lines, "", *_by_finding(by_design, replications)])


def _by_finding(
    by_design: Mapping[str, tuple[Counter[str], Counter[str]]], replications: int
) -> Iterator[str]:
    """Yield a row for each finding: false in how many campaigns, in which most, and missed in how many."""
    yield "| finding | campaigns | named falsely | most often in | should be named in | missed |"
    yield "|---|--:|--:|---|--:|--:|"
    for name in ACCUSING:
        comparing = name.startswith("category-")
        designs = [design for design in DESIGNS if bool(design.later) is comparing]
        false = {design.title: by_design[design.title][0][name] for design in designs}
        many, most = len(designs) * replications, max(false, key=lambda title: false[title])
        due = [design.title for design in designs if name in design.due]
        missed, asked = sum(by_design[title][1][name] for title in due), len(due) * replications
        where = f"{most} ({false[most] / replications:.0%})" if false[most] else "–"
        misses = f"{missed / asked:.1%}" if asked else "–"
        yield f"| {name} | {many} | {sum(false.values()) / many:.1%} | {where} | {asked or '–'} | {misses} |"


def _shares(times: Mapping[str, int], replications: int) -> str:
    return ", ".join(f"{name} {many / replications:.0%}" for name, many in sorted(times.items())) or "–"
