"""Tables and files in the shapes in which people publish labels, with alpha as another library computes it.

Each shape writes one campaign into a folder and returns the layers that it has: what alpha is on the scale
that the labels are on, and how many labels were written. The labels themselves are drawn with a seed of the
shape's own. A shape that a publication is known for has its name; others are what a tool or a habit makes.
"""

import csv
import io
import json
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import krippendorff
import numpy as np

# The label of each annotator on each item, None where there is none.
Labels = Mapping[str, Sequence[str | None]]


class Scale(NamedTuple):
    """The values of labels, and how far apart they are."""

    level: Literal["nominal", "ordinal", "interval"]
    values: Sequence[str]


class Alpha(NamedTuple):
    """Alpha of labels, with their number."""

    value: float
    labels: int


# Alpha by layer, "main" where there is one.
Alphas = dict[str, Alpha]
Writer = Callable[[Path], Alphas]
Row = Sequence[object]

PEOPLE = ("anna", "ben", "chloe")
NAMES = Scale("nominal", ("former", "new", "none"))
FIVE = Scale("ordinal", ("1", "2", "3", "4", "5"))
HALVES = Scale("interval", [f"{n / 2:.1f}" for n in range(2, 11)])
ZERO_ONE = Scale("nominal", ("0", "1"))
SENTIMENTS = Scale("nominal", ("negative", "neutral", "positive"))
EMOTIONS = ("joy", "anger", "fear", "sadness", "trust")
TEXTS = [
    f"This is sentence number {n}, which somebody wrote and nobody else ever read." for n in range(1, 40)
]


def names(*values: str) -> Scale:
    """Return a scale of names."""
    return Scale("nominal", values)


def ranks(*values: str) -> Scale:
    """Return a scale of ranks, the lowest first."""
    return Scale("ordinal", values)


def numbered(prefix: str, number: int = 24) -> list[str]:
    """Return names with a number each."""
    return [f"{prefix}{n}" for n in range(1, number + 1)]


def drawn(  # noqa: PLR0917 - what labels are like
    seed: str,
    values: Sequence[str],
    items: int = 24,
    people: Sequence[str] = PEOPLE,
    noise: float = 0.3,
    missing: float = 0.0,
) -> dict[str, list[str | None]]:
    """Return labels that agree more than by chance; on ranks, those who differ are near."""
    random_numbers = random.Random(seed)  # noqa: S311 - labels of a test
    truth = [random_numbers.randrange(len(values)) for _ in range(items)]

    def label(place: int) -> str | None:
        if random_numbers.random() < missing:
            return None
        if random_numbers.random() < noise:
            place = min(max(place + random_numbers.choice((-1, 1)), 0), len(values) - 1)
        return values[place]

    return {name: [label(place) for place in truth] for name in people}


def alpha(labels: Labels, scale: Scale) -> Alpha:
    """Return Krippendorff's alpha of names, of ranks or of numbers."""

    def place(label: str | None) -> float:
        if label is None:
            return np.nan
        return float(label) if scale.level == "interval" else scale.values.index(label)

    data = [[place(label) for label in row] for row in labels.values()]
    value = krippendorff.alpha(reliability_data=data, level_of_measurement=scale.level)
    return Alpha(value, sum(label is not None for row in labels.values() for label in row))


def masi(labels: Mapping[str, Sequence[frozenset[str]]]) -> Alphas:
    """Return alpha with MASI's distance, as NLTK computes it."""
    from nltk.metrics import masi_distance
    from nltk.metrics.agreement import AnnotationTask

    data = [(who, str(item), label) for who, row in labels.items() for item, label in enumerate(row)]
    return {"main": Alpha(AnnotationTask(data, masi_distance).alpha(), len(data))}


def write(path: Path, rows: Iterable[Row], delimiter: str = ",", encoding: str = "utf-8") -> None:
    """Write rows as delimited text."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(
        [["" if cell is None else cell for cell in row] for row in rows]
    )
    path.write_bytes(text.getvalue().encode(encoding))


def write_lines(path: Path, objects: Iterable[object]) -> None:
    """Write JSON lines."""
    path.write_text("".join(f"{json.dumps(each)}\n" for each in objects), encoding="utf-8")


def write_excel(path: Path, sheets: Mapping[str, Iterable[Row]]) -> None:
    """Write a workbook, numbers as numbers."""
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append([int(str(cell)) if str(cell).isdigit() else cell for cell in row])
    book.save(path)


def long_rows(labels: Labels, items: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return item, annotator, label of each rating."""
    return [
        (item, who, label)
        for number, item in enumerate(items)
        for who, row in labels.items()
        if (label := row[number]) is not None
    ]


def wide_rows(labels: Labels, items: Sequence[str]) -> list[list[str | None]]:
    """Return item and the labels of all."""
    return [[item, *(row[number] for row in labels.values())] for number, item in enumerate(items)]


# Kinds of shapes: how labels are drawn, the header, and a row of the table where it has more than the labels.


def long(  # noqa: PLR0917 - what a table is like
    seed: str,
    scale: Scale,
    header: str = "item,annotator,label",
    row: Callable[[int, str, str, str], Row] = lambda _, *given: given,
    prefix: str = "i",
    items: int = 24,
    people: Sequence[str] = PEOPLE,
    missing: float = 0,
    above: Sequence[Row] = (),
    **form: str,
) -> Writer:
    """Return what writes a row for each label, from its number, item, annotator and label."""

    def into(folder: Path) -> Alphas:
        labels = drawn(seed, scale.values, items, people, missing=missing)
        rows = [row(n, *given) for n, given in enumerate(long_rows(labels, numbered(prefix, items)))]
        write(folder / "labels.csv", [header.split(","), *above, *rows], **form)
        return {"main": alpha(labels, scale)}

    return into


def wide(  # noqa: PLR0917 - what a table is like
    seed: str,
    scale: Scale,
    header: str = "item,anna,ben,chloe",
    prefix: str = "i",
    row: Callable[[int, Sequence[Any]], Row] = lambda _, row: row,
    items: int = 24,
    noise: float = 0.3,
    missing: float = 0,
    around: Callable[[list[Row], Labels], Iterable[Row]] = lambda rows, _: rows,
    **form: str,
) -> Writer:
    """Return what writes a column for each annotator, from a unit's number and row, and what is around."""

    def into(folder: Path) -> Alphas:
        labels = drawn(seed, scale.values, items, noise=noise, missing=missing)
        rows = [row(n, own) for n, own in enumerate(wide_rows(labels, numbered(prefix, items)))]
        write(folder / "labels.csv", around([header.split(","), *rows], labels), **form)
        return {"main": alpha(labels, scale)}

    return into


class Question(NamedTuple):
    """What was asked of all."""

    seed: str
    scale: Scale
    noise: float = 0.3


Questions = Mapping[str, Question]


def answers(asked: Questions) -> tuple[dict[str, dict[str, list[str | None]]], Alphas]:
    """Return the labels of each question, and their alphas."""
    labels = {name: drawn(seed, scale.values, noise=noise) for name, (seed, scale, noise) in asked.items()}
    return labels, {name: alpha(labels[name], asked[name].scale) for name in asked}


def of_fives(seed: str, *asked: str) -> Questions:
    """Return questions that are answered from 1 to 5."""
    return {name: Question(f"{seed}{name}", FIVE) for name in asked}


def questions(
    asked: Questions,
    row: Callable[[int, str, str, Sequence[str | None]], Row],
    header: str,
    prefix: str = "",
    **form: str,
) -> Writer:
    """Return what writes a row for each annotator and item, from both and what was answered."""

    def into(folder: Path) -> Alphas:
        labels, alphas = answers(asked)
        pairs = [(n, item, who) for n, item in enumerate(numbered(prefix)) for who in PEOPLE]
        rows = [
            row(number, item, who, [own[who][n] for own in labels.values()])
            for number, (n, item, who) in enumerate(pairs)
        ]
        write(folder / "labels.csv", [header.split(","), *rows], **form)
        return alphas

    return into


def grid(asked: Questions, *headers: Row, by_person: bool = False) -> Writer:
    """Return what writes a column for each question and annotator."""

    def into(folder: Path) -> Alphas:
        labels, alphas = answers(asked)
        columns = [(q, who) for q in asked for who in PEOPLE]
        columns = sorted(columns, key=lambda pair: pair[1]) if by_person else columns
        rows = [[item, *(labels[q][who][n] for q, who in columns)] for n, item in enumerate(numbered("i"))]
        write(folder / "grid.csv", [*headers, *rows])
        return alphas

    return into


def parts(
    asked: Questions | Question, write_own: Callable[[Path, str, dict[str, list[str | None]]], None]
) -> Writer:
    """Return what writes files of each annotator, from the answers to each question, by its name."""

    def into(folder: Path) -> Alphas:
        labels, alphas = answers({"main": asked} if isinstance(asked, Question) else asked)
        for who in PEOPLE:
            write_own(folder, who, {name: own[who] for name, own in labels.items()})
        return alphas

    return into


def columns(header: str, prefix: str, answered: Mapping[str, Sequence[str | None]]) -> list[Row]:
    """Return a table of items and what one annotator answered."""
    return [header.split(","), *zip(numbered(prefix), *answered.values(), strict=True)]


# Sets.


def drawn_sets(seed: str) -> dict[str, list[frozenset[str]]]:
    """Return sets of one to three emotions."""
    rng = random.Random(seed)  # noqa: S311 - as above
    truth = [frozenset(rng.sample(EMOTIONS, rng.choice((1, 1, 2, 3)))) for _ in range(24)]
    return {
        who: [own if rng.random() < 0.6 else (own ^ {rng.choice(EMOTIONS)}) or own for own in truth]
        for who in PEOPLE
    }


def sets(seed: str, cell: Callable[[list[str]], str], *, is_long: bool = False) -> Writer:
    """Return what writes sets in cells."""

    def into(folder: Path) -> Alphas:
        given = drawn_sets(seed)
        cells = {who: [cell(sorted(own)) for own in row] for who, row in given.items()}
        rows: Sequence[Row] = long_rows(cells, numbered("c")) if is_long else wide_rows(cells, numbered("i"))
        header = ["comment_id", "rater_id", "emotions"] if is_long else ["item", *PEOPLE]
        write(folder / "emotions.csv", [header, *rows])
        return masi(given)

    return into


def indicators_long(folder: Path) -> Alphas:
    given = drawn_sets("rr")
    rows = [
        [f"c{n}", who, *(int(e in own[n]) for e in EMOTIONS)] for n in range(24) for who, own in given.items()
    ]
    write(folder / "goemotions.csv", [["id", "rater_id", *EMOTIONS], *rows])
    return masi(given)


def indicators_wide(folder: Path) -> Alphas:
    given = drawn_sets("ss")
    header = ["item", *(f"{e}_{who}" for e in EMOTIONS for who in PEOPLE)]
    rows = [[f"i{n}", *(int(e in given[who][n]) for e in EMOTIONS for who in PEOPLE)] for n in range(24)]
    write(folder / "emotions.csv", [header, *rows])
    return masi(given)


# Shapes of their own.


def wide_continuous(folder: Path) -> Alphas:
    rng = random.Random("t")  # noqa: S311 - as above
    truth = [rng.random() for _ in range(40)]
    labels = {who: [f"{min(max(x + rng.gauss(0, 0.08), 0), 1):.3f}" for x in truth] for who in PEOPLE}
    write(folder / "scores.csv", [["seg", *PEOPLE], *wide_rows(labels, numbered("s", 40))])
    return {"main": alpha(labels, Scale("interval", ()))}


def people_and_models(folder: Path) -> Alphas:
    labels = drawn("people", SENTIMENTS.values)
    models = drawn("models", SENTIMENTS.values, people=("a", "b", "c"), noise=0.9)
    header = ["id", "text", "human1", "human2", "human3", "bert-base", "chatgpt", "Llama-3-70B"]
    rows = [[n, TEXTS[n], *(own[n] for own in (*labels.values(), *models.values()))] for n in range(24)]
    write(folder / "predictions.csv", [header, *rows])
    return {"main": alpha(labels, SENTIMENTS)}


def file_each_lacking_a_question(folder: Path) -> Alphas:
    asked = {"grammaticality": Question("vv1", FIVE), "topic": Question("vv2", NAMES)}
    labels, alphas = answers(asked)
    for who in PEOPLE:
        own = [name for name in asked if (name, who) != ("topic", "chloe")]
        rows = [[f"x{n}", *(labels[name][who][n] for name in own)] for n in range(24)]
        write(folder / f"{who}.tsv", [["id", *own], *rows], "\t")
    del labels["topic"]["chloe"]
    return alphas | {"topic": alpha(labels["topic"], NAMES)}


def sheet_each_excel(folder: Path) -> Alphas:
    labels, alphas = answers(of_fives("xx", "quality", "relevance"))
    sheets = {
        who: columns("item,quality,relevance", "i", {q: own[who] for q, own in labels.items()})
        for who in PEOPLE
    }
    write_excel(folder / "all.xlsx", sheets)
    return alphas


def excel_with_title(folder: Path) -> Alphas:
    labels = drawn("an", FIVE.values)
    total = [sum(int(x or 0) for x in row) for row in labels.values()]
    above: list[Row] = [["Ratings of essays"], [], ["essay", *PEOPLE]]
    rows = [*above, *wide_rows(labels, numbered("e")), ["TOTAL", *total]]
    write_excel(folder / "ratings.xlsx", {"Sheet": rows})
    return {"main": alpha(labels, FIVE)}


def write_parquet(folder: Path, who: str, answered: Mapping[str, Sequence[str | None]]) -> None:
    import duckdb

    source = folder / f"{who}.csv"
    write(source, columns("item,label", "i", answered))
    reading = f"read_csv('{source}', all_varchar = true)"
    duckdb.sql(f"copy (from {reading}) to '{source.with_suffix('.parquet')}' (format parquet)")
    source.unlink()


def file_each_question(folder: Path) -> Alphas:
    labels, alphas = answers(of_fives("ae", "fluency", "adequacy"))
    for q, own in labels.items():
        write(folder / f"{q}.csv", [["item", "annotator", "score"], *long_rows(own, numbered("i"))])
    return alphas


def files_as_batches(folder: Path) -> Alphas:
    labels = drawn("af", NAMES.values)
    rows = long_rows(labels, numbered("i"))
    for batch, own in (("a", rows[:36]), ("b", rows[36:])):
        write(folder / f"batch_{batch}.csv", [["item", "worker", "label"], *own])
    return {"main": alpha(labels, NAMES)}


def jsonl_rows(folder: Path) -> Alphas:
    labels = drawn("ab", NAMES.values)
    keys = ("item", "annotator", "label")
    rows = [dict(zip(keys, row, strict=True)) for row in long_rows(labels, numbered("i"))]
    write_lines(folder / "all.jsonl", rows)
    return {"main": alpha(labels, NAMES)}


def file_each_document(folder: Path) -> Alphas:
    labels = drawn("chapters", NAMES.values)
    rows = wide_rows(labels, numbered(""))
    for chapter in range(4):
        own = [[n + 1, TEXTS[n], *rows[chapter * 6 + n][1:]] for n in range(6)]
        write(folder / f"chapter{chapter + 1}.csv", [["sent_id", "sentence", *PEOPLE], *own])
    return {"main": alpha(labels, NAMES)}


def file_each_of_questions(folder: Path, who: str, answered: Mapping[str, Sequence[str | None]]) -> None:
    for question, own in answered.items():
        write(folder / question / f"{who}.csv", columns("item,score", "i", {question: own}))


def documents_of_one(folder: Path, who: str, answered: Mapping[str, Sequence[str | None]]) -> None:
    for document in range(4):
        rows = [[f"d{document}s{n}", answered["main"][document * 6 + n]] for n in range(6)]
        write(folder / who / f"doc{document}.csv", [["sentence", "label"], *rows])


def remarks_of_ben(folder: Path, who: str, answered: Mapping[str, Sequence[str | None]]) -> None:
    rows = [[f"s{n + 1}", TEXTS[n], *(own[n] for own in answered.values())] for n in range(24)]
    table: list[list[str | None]] = [["id", "text", *answered], *rows]
    if who == "ben":
        remarks = ["Remark", *("hm" if n == 3 else "" for n in range(24))]
        table = [[*row, remark] for row, remark in zip(table, remarks, strict=True)]
    write(folder / f"annotations_{who}.csv", table)


def total(labels: Labels) -> list[str]:
    """Return the sums of all annotators' columns."""
    return [str(sum(int(label or 0) for label in row)) for row in labels.values()]


def missing_as(*signs: str) -> Callable[[int, Sequence[Any]], Row]:
    """Return what puts signs in turn where there is no label."""
    return lambda n, row: [signs[n % len(signs)] if cell is None else cell for cell in row]


def with_commas(row: Sequence[str | None]) -> list[str | None]:
    """Return a row with decimal commas."""
    return [row[0], *(cell and cell.replace(".", ",") for cell in row[1:])]


ABOUT = {"anna": ["f", "25-30"], "ben": ["m", "30-35"], "chloe": ["f", "50-54"]}
MODELS = ("gpt", "alpaca", "vicuna", "llama")
GOLD = drawn("l", NAMES.values)["anna"]
TURK = "HITId,HITTypeId,Reward,MaxAssignments,WorkerId,AssignmentStatus,SubmitTime,WorkTimeInSeconds"
SURVEY = ["StartDate", "ResponseId", "participant", "item_id", "naturalness"]
CROWD: Mapping[str, Any] = {"people": numbered("w", 6), "missing": 0.5}

SHAPES: dict[str, Writer] = {
    # Long tables, whatever their columns are called. The data sets of Crowd-Kit: item, worker, label.
    "long_plain": long("a", NAMES),
    # A study with participants.
    "long_of_participants": long(
        *("b", NAMES, "anonymised_participant_id,extract_id,response,suggestion"),
        lambda n, item, who, label: (who, item, label, "" if n % 3 else f"I would rather say it {n} times"),
        prefix="ex",
        items=12,
        people=numbered("P", 30),
        missing=0.5,
    ),
    "long_french": long(
        *("c", names("oui", "non", "peut-être"), "n° phrase,phrase,codeuse,avis"),
        lambda n, item, who, label: (item, TEXTS[n // 3], who, label),
        prefix="ph",
        delimiter=";",
    ),
    # The order of columns is turned round.
    "long_german": long(
        *("d", names("ja", "nein", "unklar"), "Urteil,Kodierer,Beleg,Zeit"),
        lambda _, item, who, label: (label, who, item, "2021-03-04 10:12"),
        prefix="Beleg ",
        delimiter=";",
    ),
    "long_spanish": long(
        *("e", names("a favor", "en contra", "ninguno"), "anotadora,oración,postura"),
        lambda _, item, who, label: (who, item, label),
        prefix="t",
    ),
    # Values tell what columns are.
    "long_names_that_say_nothing": long("f", NAMES, "V1,V2,V3", prefix="doc", items=40),
    # Wikipedia Talk Labels (Wulczyn et al., 2017): keys of revisions and workers, numbers of rows.
    "long_row_ids": long(
        *("g", NAMES, "id,tweet_id,user_id,stance,seconds,created_at"),
        lambda n, *given: (
            *(1000 + n, *given, 2.5 + (n * 7 % 31) / 10),
            f"2020-01-{1 + n % 28:02d}T10:00:{n % 60:02d}",
        ),
        prefix="tw",
    ),
    # HANNA (Chhun et al., 2022): a row each annotator and story, two questions from 1 to 5.
    "long_two_questions": questions(
        of_fives("h", "fluency", "adequacy"),
        lambda _, item, who, said: (item, who, *said),
        "summary_id,evaluator,fluency,adequacy",
        "s",
    ),
    # Measuring Hate Speech (Kennedy et al., 2020): questions of different scales in one row.
    "long_three_questions_of_kinds": questions(
        {
            "quality": Question("i1", FIVE),
            "error type": Question("i2", NAMES),
            "overall": Question("i3", Scale("interval", [str(n) for n in range(0, 101, 3)]), 0.8),
        },
        lambda n, item, who, said: (item, who, *said, "fine" if n % 4 else ""),
        *("segment,rater,quality,error type,overall,comments", "s"),
        delimiter="\t",
    ),
    # Sentences numbered in each document.
    "long_with_document_and_number": long(
        *("j", NAMES, "document,sentence,annotator,category"),
        lambda n, _, who, label: (f"doc{n // 18 + 1}", n // 3 % 6 + 1, who, label),
    ),
    # POPQUORN (Pei and Jurgens, 2023): columns that tell of annotators, their gender and age.
    "long_with_metadata_of_people": long(
        *("k", FIVE, "instance_id,user_id,gender,age,offensiveness,text"),
        lambda _, item, who, label: (item, who, *ABOUT[who], label, TEXTS[int(item[1:])]),
        prefix="t",
    ),
    # Recognising entailment (Snow et al., 2008): crowd labels beside the gold label of each item.
    "long_with_gold": long(
        *("l", NAMES, "question,worker,answer,gold"), lambda n, *given: (*given, GOLD[n // 3]), prefix="q"
    ),
    # MT-Bench (Zheng et al., 2023): question, two models, who judged, winner.
    "pairwise_judgements": long(
        *("m", names("model_a", "model_b", "tie"), "question_id,model_a,model_b,judge,winner,turn"),
        lambda n, _, *given: (80 + n // 3 % 10, *MODELS[n // 30 : n // 30 + 2], *given, 1),
        items=30,
    ),
    "pairwise_wide": wide("n", names("A", "B", "tie"), "pair,judge_1,judge_2,judge_3", "p"),
    # Wide tables: a spreadsheet, annotators' columns among remarks, dates and texts.
    "wide_plain": wide("o", NAMES, missing=0.1),
    "wide_with_remarks": wide(
        *("p", names("oui", "non", "peut-être"), "N°,Phrase,Date,Marie,Paul,Jean,Remarques"),
        row=lambda n, row: (
            *(n, TEXTS[n], "12/03/2019", *row[1:]),
            "" if n % 5 else "à revoir avec les autres",
        ),
    ),
    # Diagnoses (Fleiss, 1971) as irr of R has them: nothing but a column each annotator.
    "wide_without_units": wide("q", NAMES, "A1,A2,A3", row=lambda _, row: row[1:]),
    # WordSim-353 (Finkelstein et al., 2002): ratings of each subject in a column.
    "wide_ratings": wide("r", FIVE, "text_id,anna,ben,chloe", "x"),
    # Valence.
    "wide_minus_five_to_five": wide(
        "s", ranks(*(str(n) for n in range(-5, 6))), "headline,anna,ben,chloe", "h", noise=0.6
    ),
    # Direct assessment: scores between 0 and 1.
    "wide_continuous": wide_continuous,
    # A European spreadsheet: half points with decimal commas.
    "wide_decimal_commas": wide(
        *("u", HALVES, "Aufsatz,Prüfer 1,Prüfer 2,Prüfer 3", "s", lambda _, row: with_commas(row)),
        noise=0.6,
        delimiter=";",
    ),
    "wide_agree_words": wide(
        "v",
        ranks("Strongly disagree", "Disagree", "Neither agree nor disagree", "Agree", "Strongly agree"),
        *("statement,anna,ben,chloe", "st"),
    ),
    "wide_low_high": wide("w", ranks("low", "medium", "high"), "case,anna,ben,chloe", "c", items=30),
    "wide_never_always_french": wide(
        "x", ranks("jamais", "rarement", "parfois", "souvent", "toujours"), "énoncé,A,B,C", "e"
    ),
    "wide_german_agreement": wide(
        "y",
        ranks("trifft nicht zu", "trifft eher nicht zu", "teils/teils", "trifft eher zu", "trifft zu"),
        *("Aussage,R1,R2,R3", "a"),
    ),
    "wide_numbered_words": wide(
        "z", ranks("1 - not at all", "2 - a little", "3 - somewhat", "4 - quite", "5 - very")
    ),
    "wide_number_words": wide("aa", ranks("one", "two", "three", "four", "five")),
    "wide_zero_one": wide("bb", ZERO_ONE, "id,coder1,coder2,coder3"),
    # Codes of the Manifesto Project (Mikhaylov et al., 2012).
    "wide_codes": wide(
        *("cc", names("101", "104", "201", "305", "411", "504", "605", "703")),
        *("quasi_sentence,anna,ben,chloe", "qs"),
        noise=0.5,
    ),
    # Years of publication, which somebody assigned.
    "wide_years": wide("dd", names("1848", "1871", "1914", "1918", "1933"), "letter,anna,ben,chloe", "l"),
    # MultiNLI (Williams et al., 2018): a column with the gold standard beside those of annotators.
    "wide_with_gold": wide("ee", NAMES, "id,anna,ben,chloe,gold", row=lambda _, row: (*row, row[1])),
    "wide_with_majority": wide(
        *("ff", NAMES, "id,anna,ben,chloe,majority_vote"),
        row=lambda _, row: (*row, max(sorted(set(row[1:])), key=list(row[1:]).count)),
    ),
    # SNLI (Bowman et al., 2015): text first, then label1, label2, label3.
    "wide_numbered_annotators_and_text": wide(
        "gg", NAMES, "tweet,label1,label2,label3", row=lambda n, row: (TEXTS[n], *row[1:])
    ),
    "wide_in_documents": wide(
        *("hh", NAMES, "document,sentence,anna,ben,chloe"), row=lambda n, row: (f"d{n // 6}", n % 6, *row[1:])
    ),
    # Headers for annotator and question: q1_anna, q1_ben, …
    "grid_q1_anna": grid(
        of_fives("ii", "q1", "q2"), ["item", *(f"{q}_{who}" for q in ("q1", "q2") for who in PEOPLE)]
    ),
    # anna.q1, anna.q2, …, questions of two kinds.
    "grid_anna_q1": grid(
        {"q1": Question("jj1", NAMES), "q2": Question("jj2", FIVE)},
        ["item", *(f"{who}.{q}" for who in PEOPLE for q in ("q1", "q2"))],
        by_person=True,
    ),
    # Questions and numbers of annotators.
    "grid_words": grid(
        of_fives("kk", "fluency", "coherence", "relevance"),
        ["doc_id", *(f"{q}_{n}" for q in ("fluency", "coherence", "relevance") for n in (1, 2, 3))],
    ),
    # Two rows of headers, the upper merged.
    "grid_two_rows": grid(
        {"stance": Question("ll1", NAMES), "quality": Question("ll2", FIVE)},
        ["", "stance", "", "", "quality", "", ""],
        ["item", *PEOPLE, *PEOPLE],
    ),
    # A label and a comment of each annotator.
    "grid_with_comments": wide(
        *("mm", NAMES, "id,label_A1,comment_A1,label_A2,comment_A2,label_A3,comment_A3"),
        row=lambda n, row: (
            *(*row[:2], "", row[2], "" if n % 4 else f"not sure about case {n}"),
            *(row[3], ""),
        ),
    ),
    # Sets: joy|anger; joy;anger, long; several emotions with commas; lists as pandas writes them.
    "sets_with_bars": sets("nn", "|".join),
    "sets_with_semicolons": sets("oo", "; ".join, is_long=True),
    "sets_with_commas": sets("pp", ", ".join),
    "sets_as_lists": sets("qq", str),
    # GoEmotions (Demszky et al., 2020): a column of 0 and 1 for each emotion; and for each of each annotator.
    "indicators_long": indicators_long,
    "indicators_wide": indicators_wide,
    # Files and folders: a file each, with item and label; several questions, one file with remarks.
    "file_each_csv": parts(
        Question("tt", NAMES),
        lambda folder, who, own: write(folder / f"{who}.csv", columns("item,label", "i", own)),
    ),
    "file_each_questions": parts(of_fives("uu", "fluency", "adequacy"), remarks_of_ben),
    # One annotator was not asked the second question.
    "file_each_lacking_a_question": file_each_lacking_a_question,
    "file_each_excel": parts(
        of_fives("ww", "quality", "relevance"),
        lambda folder, who, own: write_excel(
            folder / f"{who}.xlsx", {"Sheet": columns("item,quality,relevance", "i", own)}
        ),
    ),
    "sheet_each_excel": sheet_each_excel,
    "file_each_parquet": parts(Question("yy", NAMES), write_parquet),
    "file_each_jsonl": parts(
        of_fives("zz", "fluency", "adequacy"),
        lambda folder, who, own: write_lines(
            folder / f"{who}.jsonl",
            [
                {"id": f"s{n}", "text": TEXTS[n], **{q: int(said[n] or 0) for q, said in own.items()}}
                for n in range(24)
            ],
        ),
    ),
    "jsonl_rows": jsonl_rows,
    # fluency/anna.csv, fluency/ben.csv, adequacy/anna.csv, …
    "folder_each_question": parts(of_fives("ac", "fluency", "adequacy"), file_each_of_questions),
    # anna/doc1.csv, anna/doc2.csv, …: documents with units of their own.
    "folder_each_annotator": parts(Question("ad", NAMES), documents_of_one),
    # fluency.csv, adequacy.csv, each with a column of annotators.
    "file_each_question": file_each_question,
    # Batches of Mechanical Turk, one after another.
    "files_as_batches": files_as_batches,
    # Tables as people make them: titles and blank rows above the header, totals and blank rows among rows.
    "title_rows": wide(
        *("ag", FIVE),
        around=lambda rows, _: (
            ["Annotation round 3, spring"],
            ["exported by nobody in particular", "", "", ""],
            [],
            *rows,
        ),
    ),
    "title_total_blank": wide(
        *("ah", FIVE, "item,anna,ben,chloe,"),
        row=lambda _, row: (*row, ""),
        around=lambda rows, labels: (
            *(["Results", "", "", "", ""], *rows[:11], [""] * 5, *rows[11:], [""] * 5),
            ["Total", *total(labels), ""],
        ),
    ),
    # Pages pasted below each other, each with its header.
    "repeated_headers": wide("ai", NAMES, around=lambda rows, _: (*rows[:13], rows[0], *rows[13:])),
    # A note below the table, and the average.
    "note_below": wide(
        *("aj", FIVE),
        around=lambda rows, _: (
            *(*rows, ["Mean", "3.2", "3.1", "2.9"]),
            ["Note: ben annotated the second half in May", "", "", ""],
        ),
    ),
    # The document stands in its first row only.
    "filled_once_document": wide(
        *("ak", NAMES, "document,sentence,anna,ben,chloe"),
        row=lambda n, row: ("" if n % 6 else f"report {n // 6}.pdf", n % 6 + 1, *row[1:]),
    ),
    # Long, with the item in its first row only, as merged cells come out.
    "filled_once_item": long(
        "al", NAMES, row=lambda n, item, who, label: ("" if n % 3 else item, who, label)
    ),
    # Excel's CSV on Windows: cp1252, semicolons.
    "windows_encoding": wide(
        *("am", names("évité", "réel", "à voir"), "énoncé,Zoë,François,Anaïs", "é"),
        delimiter=";",
        encoding="cp1252",
    ),
    # A workbook with a title, a blank row and a total.
    "excel_with_title": excel_with_title,
    # Ratings and names as R writes them: NA where somebody gave none.
    "missing_as_na": wide("ao", FIVE, row=missing_as("NA"), missing=0.1),
    "names_missing_as_na": wide("names_na", NAMES, row=missing_as("NA"), missing=0.1),
    # A file for each annotator, whose column of labels is called after them.
    "own_column_each": parts(
        Question("own_column", NAMES),
        lambda folder, who, own: write(folder / f"{who}.csv", columns(f"item,{who}", "i", own)),
    ),
    # JSON lines of each annotator: id, text and label.
    "texts_and_labels_each_jsonl": parts(
        Question("jsonl_texts", NAMES),
        lambda folder, who, own: write_lines(
            folder / f"{who}.jsonl",
            [
                {"id": n, "text": f"This is text number {n}.", "label": label}
                for n, label in enumerate(own["main"])
            ],
        ),
    ),
    # What platforms, forms and shared tasks write. A batch of Mechanical Turk: HITs, inputs, an answer.
    "mechanical_turk": long(
        *("mturk", SENTIMENTS, f"{TURK},Input.text,Answer.sentiment.label,Approve"),
        lambda n, item, who, label: (
            *(item, "3TYPE", "$0.05", "3", f"A{who.upper()}XK29{who[1:]}", "Approved"),
            *(f"Mon Mar 0{1 + n % 9} 10:12 PST", n % 40 + 9, TEXTS[int(item[1:])], label, "x"),
        ),
        prefix="H",
        **CROWD,
    ),
    # A batch with two answers and a comment.
    "mechanical_turk_questions": questions(
        {
            "Answer.fluency": Question("turk 1", FIVE),
            "Answer.is_toxic": Question("turk 2", names("yes", "no")),
        },
        lambda n, item, who, said: (
            *(item, f"AXK29{who.upper()}", "Approved", n % 40 + 9),
            *("" if n % 9 else f"odd one {n}", *said),
        ),
        "HITId,WorkerId,AssignmentStatus,WorkTimeInSeconds,Answer.comment,Answer.fluency,Answer.is_toxic",
        "H",
    ),
    # Names, questions and import ids in three rows above the answers; the first is the header.
    "qualtrics": long(
        *("qualtrics", FIVE, ",".join(SURVEY)),
        lambda n, item, who, label: (f"2021-03-0{1 + n % 9} 10:00:00", f"R_{n:05}", who, item, label),
        prefix="it",
        above=(
            ["Start Date", "Response ID", "Who are you?", "Item", "How natural is it?"],
            [f'{{"ImportId":"{name}"}}' for name in SURVEY],
        ),
        **CROWD,
    ),
    # Answers to a form of Google: times, e-mail addresses, whole questions as names of columns.
    "google_form": questions(
        {
            "How fluent is the sentence?": Question("form 1", FIVE),
            "Is it a faithful translation?": Question("form 2", names("Yes", "No")),
        },
        lambda n, item, who, said: (
            *(f"3/{1 + n % 28}/2022 14:{n % 60:02}:09", f"{who}@mail.example", item),
            *(*said, "" if n % 9 else f"hm {n}"),
        ),
        "Timestamp,Email Address,Sentence number,How fluent is the sentence?,"
        "Is it a faithful translation?,Comments?",
    ),
    # Stance in tweets (Mohammad et al., 2016): three questions beside targets and tweets.
    "tweet_stance": questions(
        {
            "Stance": Question("stance Stance", names("FAVOR", "AGAINST", "NEITHER")),
            "Opinion towards": Question("stance Opinion towards", names("target", "other")),
            "Sentiment": Question("stance Sentiment", SENTIMENTS),
        },
        lambda _, item, who, said: (
            *(item, who, ("Atheism", "Climate")[int(item) % 2], TEXTS[int(item)]),
            *said,
        ),
        "Instance ID,Annotator ID,Target,Tweet,Stance,Opinion towards,Sentiment",
        delimiter="\t",
    ),
    # Predictions of models beside the labels of three people.
    "people_and_models": people_and_models,
    # What is known of tweets in columns of 0 and 1 beside the labels, which are 0 and 1 too.
    "features_beside": wide(
        *("features", ZERO_ONE, "id,anna,ben,chloe,is_retweet,has_url", "t"),
        lambda n, row: (*row, n % 2, n % 3 % 2),
    ),
    # A study of readers: age, sex and stage of patients beside what each doctor said.
    "patients": wide(
        *("patients", FIVE, "patient,age,sex,stage,dr_a,dr_b,dr_c"),
        row=lambda n, row: (f"P{n}", 30 + n * 7 % 50, "MF"[n % 2], 1 + n % 4, *row[1:]),
    ),
    # 4/5; ★★★☆☆; grades of pathologists; the Common European Framework; degrees.
    "ranks_out_of_five": wide("of five", ranks(*(f"{n}/5" for n in range(1, 6))), prefix="c"),
    "ranks_as_stars": wide("stars", ranks(*("★" * n + "☆" * (5 - n) for n in range(1, 6))), prefix="c"),
    "ranks_as_grades": wide("grades", ranks(*(f"Grade {n}" for n in range(1, 5))), prefix="c"),
    "ranks_of_languages": wide("levels", ranks("A1", "A2", "B1", "B2", "C1", "C2"), prefix="c"),
    "ranks_by_degree": wide(
        "degrees", ranks("Not toxic", "Slightly toxic", "Toxic", "Very toxic"), prefix="c"
    ),
    "percentages": wide(
        *("percent", Scale("interval", [str(n) for n in range(0, 101, 5)])),
        row=lambda _, row: (row[0], *(f"{cell}%" for cell in row[1:])),
        noise=0.7,
    ),
    # SPSS: -99 where somebody gave no rating, and words for it.
    "coded_missing": wide("coded", FIVE, row=missing_as("-99", "Don't know"), missing=0.15),
    # An asterisk or k.A. where somebody gave no rating.
    "decimal_commas_and_no_answer": wide(
        *("comma", HALVES, "Aufsatz,anna,ben,chloe", "c"),
        lambda n, row: missing_as("*", "k.A.")(n, with_commas(row)),
        missing=0.15,
        delimiter=";",
    ),
    # Lines with # above the header, as programs write them.
    "comment_lines": wide(
        "comment", NAMES, around=lambda rows, _: (["# exported by a tool 1.2"], ["# three people"], *rows)
    ),
    # chapter1.csv, chapter2.csv, …: sentences are numbered in each, annotators are columns.
    "file_each_document": file_each_document,
    # Whether all agreed, the final label and who decided beside the labels.
    "adjudicated": wide(
        *("adjudicated", SENTIMENTS, "id,KM,TS,UW,agreement,final label,adjudicated by"),
        row=lambda n, row: (
            *(*row, "yes" if len(set(row[1:])) == 1 else "no"),
            *(row[1], ("KM", "TS")[n % 2]),
        ),
    ),
}
