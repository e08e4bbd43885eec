"""Whatever is around the labels of a table: alpha is that of the labels, or the table is refused."""

import csv
import io
import json
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput
from reportgen.cli.agree import AgreementRequest, agree
from reportgen.readers import ReaderOptions
from tests.properties import examples
from tests.readers.shapes.published import FIVE, HALVES, NAMES, PEOPLE, Labels, Scale, alpha, drawn

ITEMS = 24
# Names of columns that tell, and names that do not.
UNITS = ("item", "sentence_id", "Beleg", "énoncé", "X", "col_1", "ref", "Nr.")
ANNOTATORS = ("annotator", "worker", "codeuse", "Y", "col_2", "done_by", "anotadora")
LABELS = ("label", "answer", "Urteil", "Z", "col_3", "stance", "avis", "code", "topic", "comment")
QUESTIONS = ("fluency", "stance", "Frage 2", "q1", "topic", "Urteil", "relevance", "file", "round")
LIKERT = ("strongly disagree", "disagree", "neutral", "agree", "strongly agree")
SCALES = {"names": NAMES, "ranks": FIVE, "halves": HALVES, "words": Scale("ordinal", LIKERT)}

Extra = tuple[str, Sequence[str]]
Rows = list[list[str]]
# What is written, and alpha by question.
Written = tuple[Mapping[str, str], Mapping[str, float]]


def extras(rows: int, items: Sequence[int], seed: int) -> list[Extra]:
    """Return columns beside labels: numbers of rows, texts of items, times, remarks, lengths and more."""
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
        ("has_url", [str(item % 3 % 2) for item in items]),
        ("domain", [("news", "law", "chat")[item % 3] for item in items]),
        ("seconds", [str(rng.randrange(3, 90)) for _ in range(rows)]),
    ]


class Drawn:
    """What hypothesis draws for one table: labels, names, extras, an order of columns, what is around."""

    def __init__(self, draw: st.DrawFn) -> None:
        """Take what draws."""
        self.draw = draw
        self.seed = draw(st.integers(0, 10_000))
        self.order = random.Random(self.seed)  # noqa: S311 - as above
        self.prefix = draw(st.sampled_from(("i", "doc", "s", "")))
        self.items = [f"{self.prefix}{n}" for n in range(ITEMS)]

    def labels(self) -> tuple[Labels, float]:
        """Return labels, some of which may be missing, and their alpha."""
        scale = SCALES[self.draw(st.sampled_from(sorted(SCALES)))]
        seed = str(self.draw(st.integers(0, 10_000)))
        labels = drawn(seed, scale.values, items=ITEMS, missing=self.draw(st.sampled_from((0.0, 0.1))))
        return labels, alpha(labels, scale).value

    def named(self, names: Sequence[str]) -> str:
        """Return a name of a column."""
        return self.draw(st.sampled_from(names))

    def more(self, items: Sequence[int]) -> list[Extra]:
        """Return some extras."""
        every = extras(len(items), items, self.seed)
        chosen = self.draw(st.lists(st.sampled_from(range(len(every))), unique=True, max_size=4))
        return [every[place] for place in chosen]

    def table(self, header: Sequence[str], columns: Sequence[Sequence[str]], items: Sequence[int]) -> str:
        """Return a table with extras, its columns in any order, titles above and a total below."""
        more = self.more(items)
        names = [*header, *(name for name, _ in more)]
        cells = [*columns, *(own for _, own in more)]
        places = list(range(len(names)))
        self.order.shuffle(places)
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        for n in range(self.draw(st.integers(0, 2))):
            writer.writerow([f"Title number {n + 1}"])
        writer.writerow([names[place] for place in places])
        writer.writerows(zip(*(cells[place] for place in places), strict=True))
        if self.draw(st.booleans()) and len(items) == ITEMS:
            writer.writerow(["Total", "1", *[""] * (len(names) - 2)])
        return text.getvalue()


def text_of(label: str | None) -> str:
    return label or ""


def long(drawn_table: Drawn, questions: Mapping[str, Labels]) -> tuple[list[str], Rows, list[int]]:
    """Return header, columns and items of a row for each annotator and item."""
    rows = [(n, who) for n in range(ITEMS) for who in PEOPLE]
    kept = [(n, who) for n, who in rows if any(own[who][n] for own in questions.values())]
    header = [drawn_table.named(UNITS), drawn_table.named(ANNOTATORS), *questions]
    columns = [
        [drawn_table.items[n] for n, _ in kept],
        [who for _, who in kept],
        *([text_of(own[who][n]) for n, who in kept] for own in questions.values()),
    ]
    return header, columns, [n for n, _ in kept]


def one_long(own: Drawn) -> Written:
    """A row for each label."""
    labels, expected = own.labels()
    return {"t.csv": own.table(*long(own, {own.named(LABELS): labels}))}, {"": expected}


def one_wide(own: Drawn) -> Written:
    """A column for each annotator."""
    labels, expected = own.labels()
    columns = [own.items, *([text_of(label) for label in row] for row in labels.values())]
    return {"t.csv": own.table([own.named(UNITS), *PEOPLE], columns, range(ITEMS))}, {"": expected}


def several(own: Drawn) -> tuple[dict[str, Labels], dict[str, float]]:
    names = own.draw(st.lists(st.sampled_from(QUESTIONS), min_size=2, max_size=3, unique=True))
    answers = {name: own.labels() for name in names}
    return {n: labels for n, (labels, _) in answers.items()}, {n: value for n, (_, value) in answers.items()}


def questions_long(own: Drawn) -> Written:
    """A row for each annotator and item, a column for each question."""
    questions, expected = several(own)
    return {"t.csv": own.table(*long(own, questions))}, expected


def questions_wide(own: Drawn) -> Written:
    """A column for each question and annotator."""
    questions, expected = several(own)
    sign = own.named(("_", ".", " / ", "-"))
    by_question = own.draw(st.booleans())
    header = [own.named(UNITS)]
    columns = [own.items]
    for name, labels in questions.items():
        for who, row in labels.items():
            header.append(f"{name}{sign}{who}" if by_question else f"{who}{sign}{name}")
            columns.append([text_of(label) for label in row])
    return {"t.csv": own.table(header, columns, range(ITEMS))}, expected


def file_each(own: Drawn) -> Written:
    """A file for each annotator, with one question or several."""
    questions, expected = several(own)
    if own.draw(st.booleans()):
        name = next(iter(questions))
        questions, expected = {name: questions[name]}, {"": expected[name]}
    unit = own.named(UNITS)
    files = {}
    for who in PEOPLE:
        columns = [own.items, *([text_of(x) for x in labels[who]] for labels in questions.values())]
        files[f"{who}.csv"] = own.table([unit, *questions], columns, range(ITEMS))
    return files, expected


def records(own: Drawn) -> Written:
    """JSON: records, lines, items with annotators, items with lists."""
    labels, expected = own.labels()
    kind = own.named(("records", "lines", "by item", "by annotator", "lists"))
    keys = own.named(UNITS), own.named(ANNOTATORS), own.named(LABELS)
    rows = [
        dict(zip(keys, (own.items[n], who, labels[who][n]), strict=True))
        for n in range(ITEMS)
        for who in PEOPLE
        if labels[who][n]
    ]
    by_item = {
        item: {who: labels[who][n] for who in PEOPLE if labels[who][n]} for n, item in enumerate(own.items)
    }
    by_annotator = {
        who: {item: given for item, given in zip(own.items, labels[who], strict=True) if given}
        for who in PEOPLE
    }
    listed = [
        {"id": item, "annotations": [{"annotator": who, "label": label} for who, label in given.items()]}
        for item, given in by_item.items()
    ]
    written: Mapping[str, Mapping[str, str]] = {
        "records": {"t.json": json.dumps(rows)},
        "lines": {"t.jsonl": "".join(f"{json.dumps(row)}\n" for row in rows)},
        "by item": {"t.json": json.dumps(by_item)},
        "by annotator": {"t.json": json.dumps(by_annotator)},
        "lists": {"t.json": json.dumps(listed)},
    }
    return written[kind], {"": expected}


def turned(own: Drawn) -> Written:
    """A row for each annotator."""
    labels, expected = own.labels()
    rows = [[own.named(ANNOTATORS), *own.items]]
    rows += [[who, *map(text_of, said)] for who, said in labels.items()]
    return {"t.csv": "".join(f"{','.join(row)}\n" for row in rows)}, {"": expected}


def third_column(own: Drawn, names: Sequence[str], parts: Mapping[str, Labels]) -> str:
    """Return a table with a row for each label, and a column that says which part it belongs to."""
    rows = [(n, who, part) for part in parts for n in range(ITEMS) for who in PEOPLE if parts[part][who][n]]
    own.order.shuffle(rows)
    header = [own.named(UNITS), own.named(ANNOTATORS), own.named(names), own.named(("label", "Urteil", "Z"))]
    columns = [
        [own.items[n] for n, _, _ in rows],
        [who for _, who, _ in rows],
        [part for *_, part in rows],
        [text_of(parts[part][who][n]) for n, who, part in rows],
    ]
    return own.table(header, columns, [n for n, _, _ in rows])


def questions_in_a_column(own: Drawn) -> Written:
    """A row for each answer."""
    questions, expected = several(own)
    return {"t.csv": third_column(own, ("criterion", "Frage", "aspecto", "V3"), questions)}, expected


def rounds(own: Drawn) -> Written:
    """Everybody labels twice; agreement between people is that of the first time."""
    scale = SCALES[own.draw(st.sampled_from(sorted(SCALES)))]
    first, second = (drawn(f"{own.seed} {turn}", scale.values, items=ITEMS) for turn in (1, 2))
    text = third_column(own, ("round", "Durchgang", "vuelta", "time"), {"1": first, "2": second})
    return {"t.csv": text}, {"": alpha(first, scale).value}


def said_beside(own: Drawn) -> Written:
    """A column for each annotator, and one of what each says beside."""
    labels, expected = own.labels()
    end = own.named(("_conf", " certainty", ".time"))
    header, columns = [own.named(UNITS)], [own.items]
    for who, row in labels.items():
        header += [who, f"{who}{end}"]
        columns += [[text_of(label) for label in row], [str(own.order.randint(1, 3)) for _ in row]]
    return {"t.csv": own.table(header, columns, range(ITEMS))}, {"": expected}


KINDS: tuple[Callable[[Drawn], Written], ...] = (
    *(one_long, one_wide, questions_long, questions_wide, turned, questions_in_a_column),
    *(rounds, said_beside, file_each, records),
)


def answers(
    folder: Path, files: Mapping[str, str], layers: Sequence[str]
) -> dict[str, tuple[float | None, str]]:
    """Return alpha and the reading of each layer, nothing where the files are refused."""
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    path = folder / next(iter(files)) if len(files) == 1 else folder
    found = {}
    if len(layers) > 1:
        with pytest.raises(BadInput):  # questions are never one
            agree(AgreementRequest(path, ReaderOptions(), complete=False))
    for layer in layers:
        options = ReaderOptions(columns={"label": layer} if layer else {})
        try:
            answer = agree(AgreementRequest(path, options, complete=False))
        except BadInput:
            continue
        found[layer] = answer.unit_set.measures[answer.primary].value, answer.reading
    return found


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@examples(12)
@given(data=st.data())
def test_alpha_is_that_of_the_labels_or_the_table_is_refused(
    tmp_path_factory: pytest.TempPathFactory, kind: Callable[[Drawn], Written], data: st.DataObject
) -> None:
    files, expected = kind(Drawn(cast("st.DrawFn", data.draw)))
    found = answers(tmp_path_factory.mktemp("random"), files, list(expected))
    for layer, (value, reading) in found.items():
        assert value is not None, reading
        assert abs(value - expected[layer]) < 1e-6, (layer, value, expected[layer], reading, files)
