"""Whatever is around the labels of a table: alpha is that of the labels, or the table is refused."""

import csv
import io
import random
from collections.abc import Mapping, Sequence
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput
from reportgen.cli.agree import AgreementRequest, agree
from reportgen.readers import ReaderOptions
from tests.properties import examples
from tests.readers.shapes.published import ABC, FIVE, PEOPLE, Labels, alpha, drawn

ITEMS = 24
# Names of columns that tell, and names that do not.
UNITS = ("item", "sentence_id", "Beleg", "énoncé", "X", "col_1", "ref")
ANNOTATORS = ("annotator", "worker", "codeuse", "Y", "col_2", "done_by", "anotadora")
LABELS = ("label", "answer", "Urteil", "Z", "col_3", "stance", "avis")
SCALES: Mapping[str, tuple[Literal["nominal", "ordinal"], Sequence[str]]] = {
    "names": ("nominal", ABC),
    "ranks": ("ordinal", FIVE),
}

Extra = tuple[str, Sequence[str]]


def extras(rows: int, items: Sequence[int], seed: int) -> list[Extra]:
    """Return columns beside labels: numbers of rows, texts of items, times, remarks, nothing, lengths."""
    rng = random.Random(seed)  # noqa: S311 - cells of a test
    return [
        ("row", [str(1000 + n) for n in range(rows)]),
        ("text", [f"This is what item {item} says, in a few more words than a label has." for item in items]),
        ("time", [f"2020-05-{1 + n % 28:02d} 10:{n % 60:02d}" for n in range(rows)]),
        (
            "remarks",
            [f"I was not sure about this one, see {n}" if rng.random() < 0.2 else "" for n in range(rows)],
        ),
        ("", [""] * rows),
        ("length", [str(20 + item * 7 % 31) for item in items]),
    ]


def written(
    header: Sequence[str],
    columns: Sequence[Sequence[str]],
    order: random.Random,
    above: int,
    below: Sequence[str],
) -> str:
    """Return a table with its columns in any order, titles above and a row below."""
    places = list(range(len(header)))
    order.shuffle(places)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for n in range(above):
        writer.writerow([f"Title number {n + 1}"])
    writer.writerow([header[place] for place in places])
    writer.writerows(zip(*(columns[place] for place in places), strict=True))
    if below:
        writer.writerow([*below, *[""] * (len(header) - len(below))])
    return text.getvalue()


@st.composite
def tables(draw: st.DrawFn) -> tuple[str, float, str]:
    """Return a table, alpha of its labels, and on which scale that is."""
    scale, values = SCALES[draw(st.sampled_from(sorted(SCALES)))]
    labels: Labels = drawn(str(draw(st.integers(0, 10_000))), values, items=ITEMS)
    seed = draw(st.integers(0, 10_000))
    items = [f"{draw(st.sampled_from(('i', 'doc', 's', '')))}{n}" for n in range(ITEMS)]
    is_long = draw(st.booleans())
    rows = [(n, who) for n in range(ITEMS) for who in PEOPLE] if is_long else [(n, "") for n in range(ITEMS)]
    chosen = draw(st.lists(st.sampled_from(range(6)), unique=True, max_size=4))
    more = [extras(len(rows), [n for n, _ in rows], seed)[place] for place in chosen]
    if is_long:
        header = [draw(st.sampled_from(names)) for names in (UNITS, ANNOTATORS, LABELS)]
        columns = [
            [items[n] for n, _ in rows],
            [who for _, who in rows],
            [str(labels[who][n]) for n, who in rows],
        ]
    else:
        header = [draw(st.sampled_from(UNITS)), *PEOPLE]
        columns = [items, *([str(label) for label in row] for row in labels.values())]
    text = written(
        [*header, *(name for name, _ in more)],
        [*columns, *(cells for _, cells in more)],
        random.Random(seed),  # noqa: S311 - as above
        draw(st.integers(0, 2)),
        draw(st.sampled_from(([], ["Total", "1"]))) if not is_long else [],
    )
    return text, alpha(labels, scale, values if scale == "ordinal" else ()), scale


@examples(60)
@given(tables())
def test_alpha_is_that_of_the_labels_or_the_table_is_refused(
    tmp_path_factory: pytest.TempPathFactory, table: tuple[str, float, str]
) -> None:
    text, expected, _ = table
    file = tmp_path_factory.mktemp("random") / "table.csv"
    file.write_text(text, encoding="utf-8")
    try:
        answer = agree(AgreementRequest(file, ReaderOptions(), complete=False))
    except BadInput:
        return
    found = answer.unit_set.measures[answer.primary].value
    assert found is not None
    assert abs(found - expected) < 1e-6, answer.reading
