"""How much there is to compute, told before anything is: a small report may name what no machine can hold.

Tables between categories grow with their square, and there is one for each two annotators, while naming them
takes a few bytes each. So what there is to compute is held against the size of what it is computed from: in
a report that has such tables every category has figures of its own, of hundreds of bytes.
"""

from collections.abc import Iterable, Iterator

from pydantic import ValidationError

from reportgen.agreement import MOST_ANNOTATORS
from reportgen.campaign import Campaign
from reportgen.errors import BadInput, Problem
from reportgen.formats.counted import DESCRIPTION, EVERYBODY, RATINGS, CountsDescribed, LayerDescribed
from reportgen.reading import Read
from reportgen.release.names import CAMPAIGN
from reportgen.results import Results
from reportgen.verifying.outcome import Difference, Outcome, Unchecked
from reportgen.verifying.tree import Tree

# So many cells are computed of anything, and so many more for each byte.
CELLS, CELLS_A_BYTE = 2_000_000, 4
# What a unit set and a table of two annotators take besides their cells, in cells.
A_SET, A_TABLE = 20_000, 1_000
WHAT, WHY = "figures, findings and pages", "there is too much to compute"
RESULTS, COUNTS = "results.json", "counts/"
# How many tables there are, and of how many categories.
Size = tuple[int, int]


def too_large(results: Results, here: Tree, folder: str) -> Outcome | None:
    """Return what is said where a report names too much to compute, None where it does not.

    `here` are the files of its folder, which stands at `folder`.
    """
    size = sum(len(here[name]) for name in here if name == RESULTS or name.startswith(COUNTS))
    named = {COUNTS + DESCRIPTION: _in_counts(here), RESULTS: _cells(_in_results(results))}
    differences = [
        Difference(folder + name, _too_many(cells, size), "figures")
        for name, cells in named.items()
        if cells > _most(size)
    ]
    return Outcome(differences, [Unchecked(WHAT, WHY)]) if differences else None


def refuse_too_large(campaign: Campaign, read: Read, size: int) -> None:
    """Raise BadInput where exports of so many bytes name too much to compute."""
    cells = _cells(
        (_pairs(len(units.annotators)), len(units.categories))
        for study in read.studies
        for units in study.unit_sets
    )
    if cells > _most(size):
        raise BadInput([Problem(f"{campaign.name}/{CAMPAIGN}", message=_too_many(cells, size))])


def _most(size: int) -> int:
    return CELLS + CELLS_A_BYTE * size


def _too_many(cells: int, size: int) -> str:
    return f"names so much that its tables have {cells:,} cells, too many for a report of {size:,} bytes."


def _in_counts(here: Tree) -> int:
    try:
        described = CountsDescribed.model_validate_json(here.get(COUNTS + DESCRIPTION, b""))
    except ValidationError:
        return 0  # whoever reads it says what is wrong
    tables = sum(_cells(_of_layer(layer)) for layer in described.layers)
    return tables + sum(_met(here.get(COUNTS + name, b"")) for name in (RATINGS, EVERYBODY))


def _met(ratings: bytes) -> int:
    """Return how often two annotators meet in the rows of a table of ratings, each row counted once."""
    found = (row.count(b"|") - row.count(b"\\|") for row in ratings.split(b"\n"))
    return sum(others * (others + 1) // 2 for others in found if others > 0)


def _of_layer(layer: LayerDescribed) -> Iterator[Size]:
    for units in (*layer.unit_sets, *(each.units for each in layer.everybody)):
        yield _pairs(len(units.annotators)), len(units.categories)
    if layer.spans:
        yield _pairs(len(layer.spans.people)), len(layer.spans.types)


def _in_results(results: Results) -> Iterator[Size]:
    for units in results.unit_sets:
        yield max(1, len(units.pairs)), len(units.categories)
    for layer in results.spans.layers if results.spans else ():
        yield max(1, len(results.spans.pairs) if results.spans else 0), len(layer.types)


def _pairs(people: int) -> int:
    """Return how many tables are made of two annotators each: of a crowd none, but one of all together."""
    return people * (people - 1) // 2 if 1 < people <= MOST_ANNOTATORS else 1


def _cells(sizes: Iterable[Size]) -> int:
    return sum(A_SET + tables * (A_TABLE + categories**2) for tables, categories in sizes)
