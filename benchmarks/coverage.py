"""How often 95% intervals hold the true value, in simulated campaigns whose documents differ.

`python -m benchmarks coverage [--replications N]` prints the table of docs/uncertainty.md.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from benchmarks.data import Labels, coded
from reportgen.agreement import Estimate, Interval, Setting, Whole, second_opinions
from reportgen.agreement.algebra.estimates import specific_agreement
from reportgen.agreement.several.figures import fleiss_kappa, gwet_ac1, krippendorff_alpha
from reportgen.agreement.two.figures import cohen_kappa
from reportgen.agreement.uncertainty.resampling import pairs_drawn
from reportgen.counts import count, pair_table
from reportgen.study import CodedUnits

SEED = 1992
REPLICATIONS = 1000
SHARES = (0.6, 0.3, 0.1)
ERROR = 0.2
RAREST = len(SHARES) - 1
PAIR = 2
Floats = npt.NDArray[np.float64]
Ends = tuple[float, float]
# Units from which the true values are taken.
POPULATION = 2_000_000
METHODS = ("by unit", "by document", "document bootstrap", "document jackknife", "Hayes-Krippendorff")
MEASURES = ("krippendorff_alpha", "cohen_kappa", "fleiss_kappa", "gwet_ac1", "specific_agreement")


@dataclass(frozen=True)
class Design:
    """A simulated campaign; `correlation` is how alike the units of a document are (0: independent).

    Each document has its own mix of categories and its own rate of errors, from a Dirichlet and a beta
    distribution of concentration (1 - correlation) / correlation.
    """

    annotators: int
    documents: int
    units: int
    correlation: float

    @property
    def title(self) -> str:
        """Return the design in words."""
        what = f"{self.documents} documents of {self.units}" if self.units > 1 else f"{self.documents} units"
        return f"{self.annotators} annotators, {what}, correlation {self.correlation:g}"


DESIGNS = (
    Design(2, 30, 20, 0.0),
    Design(2, 30, 20, 0.1),
    Design(2, 100, 20, 0.1),
    Design(2, 100, 50, 0.2),
    Design(2, 100, 1, 0.0),
    Design(5, 100, 1, 0.0),
)


def simulated(design: Design, random: np.random.Generator) -> Labels:
    """Return labels (documents × units, annotators): the true one, or one drawn blindly by mistake."""
    shares, error = np.array(SHARES), np.full(design.documents, ERROR)
    mix = np.broadcast_to(shares, (design.documents, len(shares)))
    if design.correlation:
        size = (1 - design.correlation) / design.correlation
        mix = random.dirichlet(shares * size, design.documents)
        error = random.beta(ERROR * size, (1 - ERROR) * size, design.documents)
    shape = (design.documents, design.units, design.annotators)
    truth = _drawn(random.random(shape[:2]), mix[:, None, :])
    blind = _drawn(random.random(shape), mix[:, None, None, :])
    wrong = random.random(shape) < error[:, None, None]
    return np.where(wrong, blind, truth[:, :, None]).reshape(-1, design.annotators)


def _drawn(uniform: Floats, mix: Floats) -> Labels:
    ends = np.cumsum(mix, axis=-1)[..., :-1]
    found: Labels = (uniform[..., None] > ends).sum(axis=-1)
    return found


def coded_by(labels: Labels, design: Design, *, documents: bool) -> CodedUnits:
    """Return simulated labels as coded units, with or without their documents."""
    alone = replace(coded(labels), categories=tuple(f"C{number}" for number in range(len(SHARES))))
    if not documents:
        return alone
    names = tuple(map(str, range(design.documents)))
    return replace(alone, documents=names, unit_document=np.arange(len(labels)) // design.units)


def figures(whole: Whole) -> dict[str, Estimate]:
    """Return the figures whose intervals are looked at."""
    found = {
        name: each[name]
        for name, each in (
            ("krippendorff_alpha", krippendorff_alpha(whole)),
            ("fleiss_kappa", fleiss_kappa(whole)),
            ("gwet_ac1", gwet_ac1(whole)),
        )
    }
    if whole.annotators == PAIR:
        table = pair_table(whole.counts.pairs, whole.categories, 0, 1)
        found |= cohen_kappa(table, Setting())
    return found | {"specific_agreement": specific_agreement(whole.profiles, RAREST)}


def whole_of(labels: Labels, design: Design, *, documents: bool) -> Whole:
    """Return simulated labels with their counts."""
    units = coded_by(labels, design, documents=documents)
    return Whole(units, count(units), Setting())


def intervals(labels: Labels, design: Design) -> Iterator[tuple[str, str, Ends]]:
    """Yield every interval: the figure, the method, and the ends."""
    alone = figures(whole_of(labels, design, documents=False))
    yield from (("by unit", name, ends) for name, ends in _ends(alone))
    whole = whole_of(labels, design, documents=design.units > 1)
    known = figures(whole)
    if design.units > 1:
        yield from (("by document", name, ends) for name, ends in _ends(known))
    for name, opinions in second_opinions(whole, known).items():
        for method, found in vars(opinions).items():
            if hasattr(found, "low") and method != "hayes_krippendorff":
                yield method.replace("_", " "), name, (found.low, found.high)
    drawn = pairs_drawn(whole, known["krippendorff_alpha"])
    if drawn:
        yield "Hayes-Krippendorff", "krippendorff_alpha", (drawn.low, drawn.high)


def _ends(found: Mapping[str, Estimate]) -> Iterator[tuple[str, Ends]]:
    for name, each in found.items():
        if isinstance(each.interval, Interval):
            yield name, (each.interval.low, each.interval.high)


def true_values(design: Design, random: np.random.Generator) -> dict[str, float]:
    """Return the figures of a campaign so large that chance does not matter."""
    many = replace(design, documents=POPULATION // design.units)
    found = figures(whole_of(simulated(many, random), many, documents=False))
    return {name: each.value for name, each in found.items() if each.value is not None}


@dataclass(frozen=True)
class Coverage:
    """How many intervals hold the true value, of how many, by method and figure."""

    design: Design
    held: Mapping[tuple[str, str], int]
    computed: Mapping[tuple[str, str], int]

    def share(self, method: str, figure: str) -> float | None:
        """Return the share of intervals that hold the true value, None where there are none."""
        key = method, figure
        return self.held[key] / self.computed[key] if self.computed[key] else None


def coverage(design: Design, replications: int) -> Coverage:
    """Return how often intervals hold the true value; the same in each run."""
    random = np.random.default_rng([SEED, design.annotators, design.documents, design.units])
    true = true_values(design, random)
    held: Counter[tuple[str, str]] = Counter()
    computed: Counter[tuple[str, str]] = Counter()
    for _ in range(replications):
        for method, name, (low, high) in intervals(simulated(design, random), design):
            computed[method, name] += 1
            held[method, name] += low <= true[name] <= high
    return Coverage(design, held, computed)


def table(found: Sequence[Coverage]) -> str:
    """Return the coverage as a Markdown table, one row for each design and figure."""
    lines = [
        f"| design | figure | {' | '.join(METHODS)} |",
        f"|---|---|{'--:|' * len(METHODS)}",
    ]
    for each in found:
        for figure in MEASURES:
            shares = [each.share(method, figure) for method in METHODS]
            if any(share is not None for share in shares):
                cells = " | ".join("–" if share is None else f"{share:.3f}" for share in shares)
                lines.append(f"| {each.design.title} | `{figure}` | {cells} |")
    return "\n".join(lines)


def run(replications: int) -> str:
    """Return the table of all designs."""
    return table([coverage(design, replications) for design in DESIGNS])
