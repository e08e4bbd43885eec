"""Tables and files in the shapes in which people publish labels, with alpha as another library computes it.

Each function writes one campaign into a folder and returns the layers that it has: what alpha is on the scale
that the labels are on, and how many labels were written. The labels themselves are drawn with a seed of the
shape's own. A shape that a publication is known for has its name; others are what a tool or a habit makes.
"""

import csv
import io
import json
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Self

import krippendorff
import numpy as np

# The label of each annotator on each item, None where there is none.
Labels = dict[str, list[str | None]]


class Alpha(float):
    """Alpha of labels, with their number."""

    labels: int

    def __new__(cls, value: float, labels: int) -> Self:
        """Return alpha of so many labels."""
        alpha_of_labels = super().__new__(cls, value)
        alpha_of_labels.labels = labels
        return alpha_of_labels


# Alpha by layer, "main" where there is one.
Alphas = dict[str, Alpha]
Writer = Callable[[Path], Alphas]

PEOPLE = ("anna", "ben", "chloe")
SHAPES: dict[str, Writer] = {}


def shape(function: Writer) -> Writer:
    """List a shape by the name of its function."""
    SHAPES[function.__name__] = function
    return function


def drawn(  # noqa: PLR0917 - what labels are like
    seed: str,
    values: Sequence[str],
    items: int = 24,
    people: Sequence[str] = PEOPLE,
    noise: float = 0.3,
    missing: float = 0.0,
) -> Labels:
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


def alpha(
    labels: Labels, level: Literal["nominal", "ordinal", "interval"], values: Sequence[str] = ()
) -> Alpha:
    """Return Krippendorff's alpha: of names, of ranks in the order of `values`, of numbers."""
    times = sum(x is not None for row in labels.values() for x in row)
    domain = list(values) or sorted({x for row in labels.values() for x in row if x is not None})
    data = [
        [np.nan if x is None else float(x) if level == "interval" else domain.index(x) for x in row]
        for row in labels.values()
    ]
    return Alpha(krippendorff.alpha(reliability_data=data, level_of_measurement=level), times)


def masi(labels: Mapping[str, Sequence[frozenset[str] | None]]) -> Alpha:
    """Return alpha with MASI's distance, as NLTK computes it."""
    from nltk.metrics import masi_distance
    from nltk.metrics.agreement import AnnotationTask

    data = [
        (who, str(item), label)
        for who, row in labels.items()
        for item, label in enumerate(row)
        if label is not None
    ]
    return Alpha(AnnotationTask(data, masi_distance).alpha(), len(data))


def write(
    path: Path, rows: Iterable[Sequence[object]], delimiter: str = ",", encoding: str = "utf-8"
) -> None:
    """Write rows as delimited text."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(
        [["" if cell is None else cell for cell in row] for row in rows]
    )
    path.write_bytes(text.getvalue().encode(encoding))


def long_rows(labels: Labels, items: Sequence[str]) -> list[list[str]]:
    """Return item, annotator, label of each rating."""
    return [
        [item, who, label]
        for number, item in enumerate(items)
        for who, row in labels.items()
        if (label := row[number]) is not None
    ]


def wide_rows(labels: Mapping[str, Sequence[str | None]], items: Sequence[str]) -> list[list[str | None]]:
    """Return item and the labels of all."""
    return [[item, *(row[number] for row in labels.values())] for number, item in enumerate(items)]


def named(prefix: str, number: int = 24) -> list[str]:
    """Return names with a number each."""
    return [f"{prefix}{n}" for n in range(1, number + 1)]


ABC = ("former", "new", "none")
FIVE = ("1", "2", "3", "4", "5")
TEXTS = [
    f"This is sentence number {n}, which somebody wrote and nobody else ever read." for n in range(1, 40)
]


# Long tables, whatever their columns are called.


@shape
def long_plain(folder: Path) -> Alphas:
    """The data sets of Crowd-Kit: item, worker, label."""
    labels = drawn("a", ABC)
    write(folder / "labels.csv", [["item", "annotator", "label"], *long_rows(labels, named("i"))])
    return {"main": alpha(labels, "nominal")}


@shape
def long_of_participants(folder: Path) -> Alphas:
    """A study with participants: anonymised_participant_id, extract_id, response, suggestion."""
    people = named("P", 30)
    labels = drawn("b", ABC, items=12, people=people, missing=0.5)
    rows = [
        [who, item, label, f"I would rather say it {n} times" if n % 3 == 0 else ""]
        for n, (item, who, label) in enumerate(long_rows(labels, named("ex", 12)))
    ]
    write(
        folder / "responses.csv",
        [["anonymised_participant_id", "extract_id", "response", "suggestion"], *rows],
    )
    return {"main": alpha(labels, "nominal")}


@shape
def long_french(folder: Path) -> Alphas:
    """A table with French names of columns."""
    labels = drawn("c", ("oui", "non", "peut-être"))
    rows = [
        [item, TEXTS[n // 3], who, label]
        for n, (item, who, label) in enumerate(long_rows(labels, named("ph")))
    ]
    write(folder / "annotations.csv", [["n° phrase", "phrase", "codeuse", "avis"], *rows], delimiter=";")
    return {"main": alpha(labels, "nominal")}


@shape
def long_german(folder: Path) -> Alphas:
    """A table with German names of columns, order of columns turned round."""
    labels = drawn("d", ("ja", "nein", "unklar"))
    rows = [[label, who, item, "2021-03-04 10:12"] for item, who, label in long_rows(labels, named("Beleg "))]
    write(folder / "kodierung.csv", [["Urteil", "Kodierer", "Beleg", "Zeit"], *rows], delimiter=";")
    return {"main": alpha(labels, "nominal")}


@shape
def long_spanish(folder: Path) -> Alphas:
    """A table with Spanish names of columns."""
    labels = drawn("e", ("a favor", "en contra", "ninguno"))
    rows = [[who, item, label] for item, who, label in long_rows(labels, named("t"))]
    write(folder / "datos.csv", [["anotadora", "oración", "postura"], *rows])
    return {"main": alpha(labels, "nominal")}


@shape
def long_names_that_say_nothing(folder: Path) -> Alphas:
    """Columns called X1, X2, X3; values tell what they are."""
    labels = drawn("f", ABC, items=40)
    write(folder / "x.csv", [["V1", "V2", "V3"], *long_rows(labels, named("doc", 40))])
    return {"main": alpha(labels, "nominal")}


@shape
def long_row_ids(folder: Path) -> Alphas:
    """Wikipedia Talk Labels (Wulczyn et al., 2017): keys of revisions and workers, numbers of rows."""
    labels = drawn("g", ABC)
    rows = [
        [1000 + n, item, who, label, 2.5 + (n * 7 % 31) / 10, f"2020-01-{1 + n % 28:02d}T10:00:{n % 60:02d}"]
        for n, (item, who, label) in enumerate(long_rows(labels, named("tw")))
    ]
    write(folder / "db.csv", [["id", "tweet_id", "user_id", "stance", "seconds", "created_at"], *rows])
    return {"main": alpha(labels, "nominal")}


@shape
def long_two_questions(folder: Path) -> Alphas:
    """HANNA (Chhun et al., 2022): a row each annotator and story, two questions from 1 to 5."""
    one, two = drawn("h1", FIVE), drawn("h2", FIVE)
    rows = [
        [item, who, a, b]
        for (item, who, a), (_, _, b) in zip(
            long_rows(one, named("s")), long_rows(two, named("s")), strict=True
        )
    ]
    write(folder / "eval.csv", [["summary_id", "evaluator", "fluency", "adequacy"], *rows])
    return {"fluency": alpha(one, "ordinal", FIVE), "adequacy": alpha(two, "ordinal", FIVE)}


@shape
def long_three_questions_of_kinds(folder: Path) -> Alphas:
    """Measuring Hate Speech (Kennedy et al., 2020): questions of different scales in one row."""
    one, two = drawn("i1", FIVE), drawn("i2", ABC)
    three = drawn("i3", [str(n) for n in range(0, 101, 3)], noise=0.8)
    rows = [
        [item, who, a, b, c, "fine" if n % 4 else ""]
        for n, ((item, who, a), (_, _, b), (_, _, c)) in enumerate(
            zip(*(long_rows(x, named("s")) for x in (one, two, three)), strict=True)
        )
    ]
    write(
        folder / "eval.tsv",
        [["segment", "rater", "quality", "error type", "overall", "comments"], *rows],
        delimiter="\t",
    )
    return {
        "quality": alpha(one, "ordinal", FIVE),
        "error type": alpha(two, "nominal"),
        "overall": alpha(three, "interval"),
    }


@shape
def long_with_document_and_number(folder: Path) -> Alphas:
    """Sentences numbered in each document."""
    labels = drawn("j", ABC)
    rows = [
        [f"doc{n // 18 + 1}", n // 3 % 6 + 1, who, label]
        for n, (_, who, label) in enumerate(long_rows(labels, named("i")))
    ]
    write(folder / "sentences.csv", [["document", "sentence", "annotator", "category"], *rows])
    return {"main": alpha(labels, "nominal")}


@shape
def long_with_metadata_of_people(folder: Path) -> Alphas:
    """POPQUORN (Pei and Jurgens, 2023): columns that tell of annotators, their gender and age."""
    labels = drawn("k", FIVE)
    about = {"anna": ["f", "25-30"], "ben": ["m", "30-35"], "chloe": ["f", "50-54"]}
    rows = [
        [item, who, *about[who], label, TEXTS[int(item[1:])]]
        for item, who, label in long_rows(labels, named("t"))
    ]
    write(folder / "raw.csv", [["instance_id", "user_id", "gender", "age", "offensiveness", "text"], *rows])
    return {"main": alpha(labels, "ordinal", FIVE)}


@shape
def long_with_gold(folder: Path) -> Alphas:
    """Recognising entailment (Snow et al., 2008): crowd labels beside the gold label of each item."""
    labels = drawn("l", ABC)
    rows = [
        [item, who, label, labels["anna"][int(item[1:]) - 1]]
        for item, who, label in long_rows(labels, named("q"))
    ]
    write(folder / "crowd.csv", [["question", "worker", "answer", "gold"], *rows])
    return {"main": alpha(labels, "nominal")}


@shape
def pairwise_judgements(folder: Path) -> Alphas:
    """MT-Bench (Zheng et al., 2023): question, two models, who judged, winner."""
    labels = drawn("m", ("model_a", "model_b", "tie"), items=30)
    models = ["gpt", "alpaca", "vicuna", "llama"]
    rows = [
        [80 + n // 3 % 10, models[n // 30], models[n // 30 + 1], who, label, 1]
        for n, (_, who, label) in enumerate(long_rows(labels, named("i", 30)))
    ]
    write(folder / "human.csv", [["question_id", "model_a", "model_b", "judge", "winner", "turn"], *rows])
    return {"main": alpha(labels, "nominal")}


@shape
def pairwise_wide(folder: Path) -> Alphas:
    """Preferences A, B and tie, a column each judge."""
    labels = drawn("n", ("A", "B", "tie"))
    write(folder / "prefs.csv", [["pair", "judge_1", "judge_2", "judge_3"], *wide_rows(labels, named("p"))])
    return {"main": alpha(labels, "nominal")}


# Wide tables.


@shape
def wide_plain(folder: Path) -> Alphas:
    """A spreadsheet: item and a column each annotator."""
    labels = drawn("o", ABC, missing=0.1)
    write(folder / "wide.csv", [["item", *PEOPLE], *wide_rows(labels, named("i"))])
    return {"main": alpha(labels, "nominal")}


@shape
def wide_with_remarks(folder: Path) -> Alphas:
    """Annotators' columns among remarks, dates and texts."""
    labels = drawn("p", ("oui", "non", "peut-être"))
    rows = [
        [
            n,
            TEXTS[n],
            "12/03/2019",
            *(row[n] for row in labels.values()),
            "à revoir avec les autres" if n % 5 == 0 else "",
        ]
        for n in range(24)
    ]
    write(folder / "tableau.csv", [["N°", "Phrase", "Date", "Marie", "Paul", "Jean", "Remarques"], *rows])
    return {"main": alpha(labels, "nominal")}


@shape
def wide_without_units(folder: Path) -> Alphas:
    """Diagnoses (Fleiss, 1971) as irr of R has them: nothing but a column each annotator."""
    labels = drawn("q", ABC)
    write(folder / "labels.csv", [["A1", "A2", "A3"], *(row[1:] for row in wide_rows(labels, named("i")))])
    return {"main": alpha(labels, "nominal")}


@shape
def wide_ratings(folder: Path) -> Alphas:
    """WordSim-353 (Finkelstein et al., 2002): ratings of each subject in a column."""
    labels = drawn("r", FIVE)
    write(folder / "ratings.csv", [["text_id", *PEOPLE], *wide_rows(labels, named("x"))])
    return {"main": alpha(labels, "ordinal", FIVE)}


@shape
def wide_minus_five_to_five(folder: Path) -> Alphas:
    """Valence from -5 to 5."""
    values = [str(n) for n in range(-5, 6)]
    labels = drawn("s", values, noise=0.6)
    write(folder / "valence.csv", [["headline", *PEOPLE], *wide_rows(labels, named("h"))])
    return {"main": alpha(labels, "ordinal", values)}


@shape
def wide_continuous(folder: Path) -> Alphas:
    """Direct assessment: scores between 0 and 1."""
    rng = random.Random("t")  # noqa: S311 - as above
    truth = [rng.random() for _ in range(40)]
    labels: Labels = {who: [f"{min(max(x + rng.gauss(0, 0.08), 0), 1):.3f}" for x in truth] for who in PEOPLE}
    write(folder / "scores.csv", [["seg", *PEOPLE], *wide_rows(labels, named("s", 40))])
    return {"main": alpha(labels, "interval")}


@shape
def wide_decimal_commas(folder: Path) -> Alphas:
    """A European spreadsheet: half points with decimal commas."""
    values = [f"{n / 2:.1f}" for n in range(2, 11)]
    labels = drawn("u", values, noise=0.6)
    rows = [
        [cell.replace(".", ",") if cell else cell for cell in row] for row in wide_rows(labels, named("s"))
    ]
    write(folder / "noten.csv", [["Aufsatz", "Prüfer 1", "Prüfer 2", "Prüfer 3"], *rows], delimiter=";")
    return {"main": alpha(labels, "interval")}


@shape
def wide_agree_words(folder: Path) -> Alphas:
    """Likert's words."""
    values = ("Strongly disagree", "Disagree", "Neither agree nor disagree", "Agree", "Strongly agree")
    labels = drawn("v", values)
    write(folder / "likert.csv", [["statement", *PEOPLE], *wide_rows(labels, named("st"))])
    return {"main": alpha(labels, "ordinal", values)}


@shape
def wide_low_high(folder: Path) -> Alphas:
    """Low, medium, high."""
    values = ("low", "medium", "high")
    labels = drawn("w", values, items=30)
    write(folder / "risk.csv", [["case", *PEOPLE], *wide_rows(labels, named("c", 30))])
    return {"main": alpha(labels, "ordinal", values)}


@shape
def wide_never_always_french(folder: Path) -> Alphas:
    """Jamais … toujours."""
    values = ("jamais", "rarement", "parfois", "souvent", "toujours")
    labels = drawn("x", values)
    write(folder / "freq.csv", [["énoncé", "A", "B", "C"], *wide_rows(labels, named("e"))])
    return {"main": alpha(labels, "ordinal", values)}


@shape
def wide_german_agreement(folder: Path) -> Alphas:
    """Trifft nicht zu … trifft zu."""
    values = ("trifft nicht zu", "trifft eher nicht zu", "teils/teils", "trifft eher zu", "trifft zu")
    labels = drawn("y", values)
    write(folder / "umfrage.csv", [["Aussage", "R1", "R2", "R3"], *wide_rows(labels, named("a"))])
    return {"main": alpha(labels, "ordinal", values)}


@shape
def wide_numbered_words(folder: Path) -> Alphas:
    """Labels such as "3 - neutral"."""
    values = ("1 - not at all", "2 - a little", "3 - somewhat", "4 - quite", "5 - very")
    labels = drawn("z", values)
    write(folder / "survey.csv", [["item", *PEOPLE], *wide_rows(labels, named("i"))])
    return {"main": alpha(labels, "ordinal", values)}


@shape
def wide_number_words(folder: Path) -> Alphas:
    """Numbers in words."""
    values = ("one", "two", "three", "four", "five")
    labels = drawn("aa", values)
    write(folder / "words.csv", [["item", *PEOPLE], *wide_rows(labels, named("i"))])
    return {"main": alpha(labels, "ordinal", values)}


@shape
def wide_zero_one(folder: Path) -> Alphas:
    """0 and 1."""
    labels = drawn("bb", ("0", "1"))
    write(folder / "binary.csv", [["id", "coder1", "coder2", "coder3"], *wide_rows(labels, named("i"))])
    return {"main": alpha(labels, "nominal")}


@shape
def wide_codes(folder: Path) -> Alphas:
    """Codes of the Manifesto Project (Mikhaylov et al., 2012)."""
    labels = drawn("cc", ("101", "104", "201", "305", "411", "504", "605", "703"), noise=0.5)
    write(folder / "manifesto.csv", [["quasi_sentence", *PEOPLE], *wide_rows(labels, named("qs"))])
    return {"main": alpha(labels, "nominal")}


@shape
def wide_years(folder: Path) -> Alphas:
    """Years of publication, which somebody assigned."""
    labels = drawn("dd", ("1848", "1871", "1914", "1918", "1933"))
    write(folder / "dates.csv", [["letter", *PEOPLE], *wide_rows(labels, named("l"))])
    return {"main": alpha(labels, "nominal")}


@shape
def wide_with_gold(folder: Path) -> Alphas:
    """MultiNLI (Williams et al., 2018): a column with the gold standard beside those of annotators."""
    labels = drawn("ee", ABC)
    rows = [[*row, row[1]] for row in wide_rows(labels, named("i"))]
    write(folder / "gold.csv", [["id", *PEOPLE, "gold"], *rows])
    return {"main": alpha(labels, "nominal")}


@shape
def wide_with_majority(folder: Path) -> Alphas:
    """A column with the majority vote beside the votes."""
    labels = drawn("ff", ABC)
    rows = [[*row, max(set(row[1:]), key=row[1:].count)] for row in wide_rows(labels, named("i"))]
    write(folder / "votes.csv", [["id", *PEOPLE, "majority_vote"], *rows])
    return {"main": alpha(labels, "nominal")}


@shape
def wide_numbered_annotators_and_text(folder: Path) -> Alphas:
    """SNLI (Bowman et al., 2015): text first, then label1, label2, label3."""
    labels = drawn("gg", ABC)
    rows = [[TEXTS[n], *row[1:]] for n, row in enumerate(wide_rows(labels, named("i")))]
    write(folder / "tweets.csv", [["tweet", "label1", "label2", "label3"], *rows])
    return {"main": alpha(labels, "nominal")}


@shape
def wide_in_documents(folder: Path) -> Alphas:
    """Document and sentence number name the unit."""
    labels = drawn("hh", ABC)
    rows = [[f"d{n // 6}", n % 6, *row[1:]] for n, row in enumerate(wide_rows(labels, named("i")))]
    write(folder / "docs.csv", [["document", "sentence", *PEOPLE], *rows])
    return {"main": alpha(labels, "nominal")}


# Headers for annotator and question.


def grid_rows(
    layers: Mapping[str, Labels], people: Sequence[str], items: Sequence[str], *, by_question: bool = True
) -> list[list[str | None]]:
    """Return item and the labels of each question and annotator."""
    order = (
        [(q, p) for q in layers for p in people] if by_question else [(q, p) for p in people for q in layers]
    )
    return [[item, *(layers[q][p][n] for q, p in order)] for n, item in enumerate(items)]


@shape
def grid_q1_anna(folder: Path) -> Alphas:
    """q1_anna, q1_ben, …"""
    layers = {"q1": drawn("ii1", FIVE), "q2": drawn("ii2", FIVE)}
    header = ["item", *(f"{q}_{p}" for q in layers for p in PEOPLE)]
    write(folder / "grid.csv", [header, *grid_rows(layers, PEOPLE, named("i"))])
    return {q: alpha(own, "ordinal", FIVE) for q, own in layers.items()}


@shape
def grid_anna_q1(folder: Path) -> Alphas:
    """anna.q1, anna.q2, …, questions of two kinds."""
    layers = {"q1": drawn("jj1", ABC), "q2": drawn("jj2", FIVE)}
    header = ["item", *(f"{p}.{q}" for p in PEOPLE for q in layers)]
    write(folder / "grid.csv", [header, *grid_rows(layers, PEOPLE, named("i"), by_question=False)])
    return {"q1": alpha(layers["q1"], "nominal"), "q2": alpha(layers["q2"], "ordinal", FIVE)}


@shape
def grid_words(folder: Path) -> Alphas:
    """fluency_1, fluency_2, coherence_1, …: questions and numbers of annotators."""
    layers = {q: drawn(f"kk{q}", FIVE) for q in ("fluency", "coherence", "relevance")}
    header = ["doc_id", *(f"{q}_{n}" for q in layers for n in (1, 2, 3))]
    write(folder / "grid.csv", [header, *grid_rows(layers, PEOPLE, named("d"))])
    return {q: alpha(own, "ordinal", FIVE) for q, own in layers.items()}


@shape
def grid_two_rows(folder: Path) -> Alphas:
    """Two rows of headers, the upper merged."""
    layers = {"stance": drawn("ll1", ABC), "quality": drawn("ll2", FIVE)}
    upper = ["", "stance", "", "", "quality", "", ""]
    write(folder / "two.csv", [upper, ["item", *PEOPLE, *PEOPLE], *grid_rows(layers, PEOPLE, named("i"))])
    return {
        "stance": alpha(layers["stance"], "nominal"),
        "quality": alpha(layers["quality"], "ordinal", FIVE),
    }


@shape
def grid_with_comments(folder: Path) -> Alphas:
    """label_A1, comment_A1, …: a label and a comment of each annotator."""
    labels = drawn("mm", ABC)
    header = ["id", *(f"{what}_{who}" for who in ("A1", "A2", "A3") for what in ("label", "comment"))]
    rows = [
        [row[0], row[1], "", row[2], f"not sure about case {n}" if n % 4 == 0 else "", row[3], ""]
        for n, row in enumerate(wide_rows(labels, named("i")))
    ]
    write(folder / "commented.csv", [header, *rows])
    return {"main": alpha(labels, "nominal")}


# Sets.


def drawn_sets(seed: str, values: Sequence[str], items: int = 24) -> dict[str, list[frozenset[str]]]:
    """Return sets of one to three labels."""
    rng = random.Random(seed)  # noqa: S311 - as above
    truth = [frozenset(rng.sample(values, rng.choice((1, 1, 2, 3)))) for _ in range(items)]
    return {
        who: [own if rng.random() < 0.6 else (own ^ {rng.choice(values)}) or own for own in truth]
        for who in PEOPLE
    }


EMOTIONS = ("joy", "anger", "fear", "sadness", "trust")


def written_sets(sets: Mapping[str, Sequence[frozenset[str]]], sign: str) -> Labels:
    """Return sets as cells."""
    return {who: [sign.join(sorted(own)) for own in row] for who, row in sets.items()}


@shape
def sets_with_bars(folder: Path) -> Alphas:
    """joy|anger."""
    sets = drawn_sets("nn", EMOTIONS)
    write(folder / "emotions.csv", [["item", *PEOPLE], *wide_rows(written_sets(sets, "|"), named("i"))])
    return {"main": masi(sets)}


@shape
def sets_with_semicolons(folder: Path) -> Alphas:
    """joy;anger, long."""
    sets = drawn_sets("oo", EMOTIONS)
    write(
        folder / "emotions.csv",
        [["comment_id", "rater_id", "emotions"], *long_rows(written_sets(sets, "; "), named("c"))],
    )
    return {"main": masi(sets)}


@shape
def sets_with_commas(folder: Path) -> Alphas:
    """GoEmotions (Demszky et al., 2020) as TSV: several emotions with commas."""
    sets = drawn_sets("pp", EMOTIONS)
    write(folder / "emotions.csv", [["item", *PEOPLE], *wide_rows(written_sets(sets, ", "), named("i"))])
    return {"main": masi(sets)}


@shape
def sets_as_lists(folder: Path) -> Alphas:
    """['joy', 'anger'], as pandas writes lists."""
    sets = drawn_sets("qq", EMOTIONS)
    cells = {who: [str(sorted(own)) for own in row] for who, row in sets.items()}
    write(folder / "emotions.csv", [["item", *PEOPLE], *wide_rows(cells, named("i"))])
    return {"main": masi(sets)}


@shape
def indicators_long(folder: Path) -> Alphas:
    """GoEmotions (Demszky et al., 2020): a column of 0 and 1 for each emotion."""
    sets = drawn_sets("rr", EMOTIONS)
    rows = [
        [f"c{n}", who, *(int(e in own[n]) for e in EMOTIONS)] for n in range(24) for who, own in sets.items()
    ]
    write(folder / "goemotions.csv", [["id", "rater_id", *EMOTIONS], *rows])
    return {"main": masi(sets)}


@shape
def indicators_wide(folder: Path) -> Alphas:
    """joy_anna, joy_ben, …, each 0 or 1."""
    sets = drawn_sets("ss", EMOTIONS)
    header = ["item", *(f"{e}_{who}" for e in EMOTIONS for who in PEOPLE)]
    rows = [[f"i{n}", *(int(e in sets[who][n]) for e in EMOTIONS for who in PEOPLE)] for n in range(24)]
    write(folder / "emotions.csv", [header, *rows])
    return {"main": masi(sets)}


# Files and folders.


@shape
def file_each_csv(folder: Path) -> Alphas:
    """anna.csv, ben.csv, chloe.csv: item and label."""
    labels = drawn("tt", ABC)
    for who, row in labels.items():
        write(folder / f"{who}.csv", [["item", "label"], *zip(named("i"), row, strict=True)])
    return {"main": alpha(labels, "nominal")}


@shape
def file_each_questions(folder: Path) -> Alphas:
    """A file each, several questions as columns, one file with remarks."""
    layers = {q: drawn(f"uu{q}", FIVE) for q in ("fluency", "adequacy")}
    for who in PEOPLE:
        rows = [
            [item, TEXTS[n], layers["fluency"][who][n], layers["adequacy"][who][n]]
            for n, item in enumerate(named("s"))
        ]
        table: list[list[str | None]] = [["id", "text", "fluency", "adequacy"], *rows]
        extra: list[list[str]] = [[] for _ in range(25)]
        if who == "ben":
            extra = [["Remark"], *[["hm" if n == 3 else ""] for n in range(24)]]
        write(
            folder / f"annotations_{who}.csv",
            [[*row, *more] for row, more in zip(table, extra, strict=True)],
        )
    return {q: alpha(own, "ordinal", FIVE) for q, own in layers.items()}


@shape
def file_each_lacking_a_question(folder: Path) -> Alphas:
    """One annotator was not asked the second question."""
    layers = {"grammaticality": drawn("vv1", FIVE), "topic": drawn("vv2", ABC)}
    layers["topic"]["chloe"] = [None] * 24
    for who in PEOPLE:
        asked = [q for q in layers if layers[q][who][0] is not None]
        write(
            folder / f"{who}.tsv",
            [["id", *asked], *([f"x{n}", *(layers[q][who][n] for q in asked)] for n in range(24))],
            delimiter="\t",
        )
    del layers["topic"]["chloe"]
    return {
        "grammaticality": alpha(layers["grammaticality"], "ordinal", FIVE),
        "topic": alpha(layers["topic"], "nominal"),
    }


@shape
def file_each_excel(folder: Path) -> Alphas:
    """A workbook each."""
    from openpyxl import Workbook

    layers = {q: drawn(f"ww{q}", FIVE) for q in ("quality", "relevance")}
    for who in PEOPLE:
        book = Workbook()
        sheet: Any = book.active
        sheet.append(["item", *layers])
        for n, item in enumerate(named("i")):
            sheet.append([item, *(int(layers[q][who][n] or 0) for q in layers)])
        book.save(folder / f"{who}.xlsx")
    return {q: alpha(own, "ordinal", FIVE) for q, own in layers.items()}


@shape
def sheet_each_excel(folder: Path) -> Alphas:
    """A sheet each, several questions."""
    from openpyxl import Workbook

    layers = {q: drawn(f"xx{q}", FIVE) for q in ("quality", "relevance")}
    book = Workbook()
    first: Any = book.active
    book.remove(first)
    for who in PEOPLE:
        sheet = book.create_sheet(who)
        sheet.append(["item", *layers])
        for n, item in enumerate(named("i")):
            sheet.append([item, *(int(layers[q][who][n] or 0) for q in layers)])
    book.save(folder / "all.xlsx")
    return {q: alpha(own, "ordinal", FIVE) for q, own in layers.items()}


@shape
def file_each_parquet(folder: Path) -> Alphas:
    """A Parquet file each."""
    import duckdb

    labels = drawn("yy", ABC)
    for who, row in labels.items():
        write(folder / "x.csv", [["item", "label"], *zip(named("i"), row, strict=True)])
        duckdb.sql(
            f"copy (from read_csv('{folder / 'x.csv'}', all_varchar = true)) "
            f"to '{folder / who}.parquet' (format parquet)"
        )
    (folder / "x.csv").unlink()
    return {"main": alpha(labels, "nominal")}


@shape
def file_each_jsonl(folder: Path) -> Alphas:
    """JSON lines, a file each, several questions."""
    layers = {q: drawn(f"zz{q}", FIVE) for q in ("fluency", "adequacy")}
    for who in PEOPLE:
        lines = [
            json.dumps({"id": f"s{n}", "text": TEXTS[n], **{q: int(layers[q][who][n] or 0) for q in layers}})
            for n in range(24)
        ]
        (folder / f"{who}.jsonl").write_text("\n".join(lines) + "\n")
    return {q: alpha(own, "ordinal", FIVE) for q, own in layers.items()}


@shape
def jsonl_rows(folder: Path) -> Alphas:
    """JSON lines, a row each annotator and item."""
    labels = drawn("ab", ABC)
    rows = [
        json.dumps({"item": item, "annotator": who, "label": label})
        for item, who, label in long_rows(labels, named("i"))
    ]
    (folder / "all.jsonl").write_text("\n".join(rows) + "\n")
    return {"main": alpha(labels, "nominal")}


@shape
def folder_each_question(folder: Path) -> Alphas:
    """fluency/anna.csv, fluency/ben.csv, adequacy/anna.csv, …"""
    layers = {q: drawn(f"ac{q}", FIVE) for q in ("fluency", "adequacy")}
    for q, labels in layers.items():
        for who, row in labels.items():
            write(folder / q / f"{who}.csv", [["item", "score"], *zip(named("i"), row, strict=True)])
    return {q: alpha(own, "ordinal", FIVE) for q, own in layers.items()}


@shape
def folder_each_annotator(folder: Path) -> Alphas:
    """anna/doc1.csv, anna/doc2.csv, …: documents with units of their own."""
    labels = drawn("ad", ABC)
    for who, row in labels.items():
        for document in range(4):
            rows = [[f"d{document}s{n}", row[document * 6 + n]] for n in range(6)]
            write(folder / who / f"doc{document}.csv", [["sentence", "label"], *rows])
    return {"main": alpha(labels, "nominal")}


@shape
def file_each_question(folder: Path) -> Alphas:
    """fluency.csv, adequacy.csv, each with a column of annotators."""
    layers = {q: drawn(f"ae{q}", FIVE) for q in ("fluency", "adequacy")}
    for q, labels in layers.items():
        write(folder / f"{q}.csv", [["item", "annotator", "score"], *long_rows(labels, named("i"))])
    return {q: alpha(own, "ordinal", FIVE) for q, own in layers.items()}


@shape
def files_as_batches(folder: Path) -> Alphas:
    """Batches of Mechanical Turk, one after another."""
    labels = drawn("af", ABC)
    rows = long_rows(labels, named("i"))
    write(folder / "batch_a.csv", [["item", "worker", "label"], *rows[:36]])
    write(folder / "batch_b.csv", [["item", "worker", "label"], *rows[36:]])
    return {"main": alpha(labels, "nominal")}


# Tables as people make them.


@shape
def title_rows(folder: Path) -> Alphas:
    """Two title rows and a blank one above the header."""
    labels = drawn("ag", FIVE)
    write(
        folder / "report.csv",
        [
            ["Annotation round 3, spring"],
            ["exported by nobody in particular", "", "", ""],
            [],
            ["item", *PEOPLE],
            *wide_rows(labels, named("i")),
        ],
    )
    return {"main": alpha(labels, "ordinal", FIVE)}


@shape
def title_total_blank(folder: Path) -> Alphas:
    """Title, total, blank rows, an empty column."""
    labels = drawn("ah", FIVE)
    rows = [[*row, ""] for row in wide_rows(labels, named("i"))]
    total = ["Total", *(str(sum(int(x or 0) for x in row)) for row in labels.values()), ""]
    write(
        folder / "sheet.csv",
        [
            ["Results", "", "", "", ""],
            ["item", *PEOPLE, ""],
            *rows[:10],
            ["", "", "", "", ""],
            *rows[10:],
            ["", "", "", "", ""],
            total,
        ],
    )
    return {"main": alpha(labels, "ordinal", FIVE)}


@shape
def repeated_headers(folder: Path) -> Alphas:
    """Pages pasted below each other, each with its header."""
    labels = drawn("ai", ABC)
    header, rows = ["item", *PEOPLE], wide_rows(labels, named("i"))
    write(folder / "pages.csv", [header, *rows[:12], header, *rows[12:]])
    return {"main": alpha(labels, "nominal")}


@shape
def note_below(folder: Path) -> Alphas:
    """A note below the table, and the average."""
    labels = drawn("aj", FIVE)
    write(
        folder / "notes.csv",
        [
            ["item", *PEOPLE],
            *wide_rows(labels, named("i")),
            ["Mean", "3.2", "3.1", "2.9"],
            ["Note: ben annotated the second half in May", "", "", ""],
        ],
    )
    return {"main": alpha(labels, "ordinal", FIVE)}


@shape
def filled_once_document(folder: Path) -> Alphas:
    """The document stands in its first row only."""
    labels = drawn("ak", ABC)
    rows = [
        [f"report {n // 6}.pdf" if n % 6 == 0 else "", n % 6 + 1, *row[1:]]
        for n, row in enumerate(wide_rows(labels, named("i")))
    ]
    write(folder / "merged.csv", [["document", "sentence", *PEOPLE], *rows])
    return {"main": alpha(labels, "nominal")}


@shape
def filled_once_item(folder: Path) -> Alphas:
    """Long, with the item in its first row only, as merged cells come out."""
    labels = drawn("al", ABC)
    rows = [
        [item if n % 3 == 0 else "", who, label]
        for n, (item, who, label) in enumerate(long_rows(labels, named("i")))
    ]
    write(folder / "merged.csv", [["item", "annotator", "label"], *rows])
    return {"main": alpha(labels, "nominal")}


@shape
def windows_encoding(folder: Path) -> Alphas:
    """Excel's CSV on Windows: cp1252, semicolons."""
    labels = drawn("am", ("évité", "réel", "à voir"))
    write(
        folder / "export.csv",
        [["énoncé", "Zoë", "François", "Anaïs"], *wide_rows(labels, named("é"))],
        delimiter=";",
        encoding="cp1252",
    )
    return {"main": alpha(labels, "nominal")}


@shape
def excel_with_title(folder: Path) -> Alphas:
    """A workbook with a title, a blank row and a total."""
    from openpyxl import Workbook

    labels = drawn("an", FIVE)
    book = Workbook()
    sheet: Any = book.active
    sheet.append(["Ratings of essays"])
    sheet.append([])
    sheet.append(["essay", *PEOPLE])
    for row in wide_rows(labels, named("e")):
        sheet.append([row[0], *(int(x or 0) for x in row[1:])])
    sheet.append(["TOTAL", *(sum(int(x or 0) for x in row) for row in labels.values())])
    book.save(folder / "ratings.xlsx")
    return {"main": alpha(labels, "ordinal", FIVE)}


@shape
def missing_as_na(folder: Path) -> Alphas:
    """Ratings as R writes them: NA where somebody gave none."""
    labels = drawn("ao", FIVE, missing=0.1)
    rows = [["NA" if cell is None else cell for cell in row] for row in wide_rows(labels, named("i"))]
    write(folder / "na.csv", [["item", *PEOPLE], *rows])
    return {"main": alpha(labels, "ordinal", FIVE)}


@shape
def names_missing_as_na(folder: Path) -> Alphas:
    """Names, with NA where somebody gave none, as R writes them."""
    labels = drawn("names_na", ABC, missing=0.1)
    rows = [["NA" if cell is None else cell for cell in row] for row in wide_rows(labels, named("i"))]
    write(folder / "na.csv", [["item", *PEOPLE], *rows])
    return {"main": alpha(labels, "nominal")}


@shape
def own_column_each(folder: Path) -> Alphas:
    """A file for each annotator, whose column of labels is called after them."""
    labels = drawn("own_column", ABC)
    items = named("i")
    for who, given in labels.items():
        rows = [[item, label] for item, label in zip(items, given, strict=True)]
        write(folder / f"{who}.csv", [["item", who], *rows])
    return {"main": alpha(labels, "nominal")}


@shape
def texts_and_labels_each_jsonl(folder: Path) -> Alphas:
    """JSON lines of each annotator: id, text and label."""
    labels = drawn("jsonl_texts", ABC)
    for who, given in labels.items():
        lines = [
            json.dumps({"id": number, "text": f"This is text number {number}.", "label": label})
            for number, label in enumerate(given)
        ]
        (folder / f"{who}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return {"main": alpha(labels, "nominal")}


# What platforms, forms and shared tasks write.

SENTIMENTS = ("negative", "neutral", "positive")


def crowd(seed: str, values: Sequence[str], items: int = 24, people: int = 6) -> Labels:
    """Return the labels of a crowd, of whom each labelled half of the items."""
    return drawn(seed, values, items=items, people=named("w", people), missing=0.5)


@shape
def mechanical_turk(folder: Path) -> Alphas:
    """A batch of Mechanical Turk: what is told of HITs, inputs, an answer."""
    labels = crowd("mturk", SENTIMENTS)
    rows = [
        [
            *(item, "3TYPE", "$0.05", "3", f"A{who.upper()}XK29{who[1:]}", "Approved"),
            *(f"Mon Mar 0{1 + n % 9} 10:12 PST", n % 40 + 9, TEXTS[int(item[1:])], label, "x"),
        ]
        for n, (item, who, label) in enumerate(long_rows(labels, named("H")))
    ]
    header = ["HITId", "HITTypeId", "Reward", "MaxAssignments", "WorkerId", "AssignmentStatus", "SubmitTime"]
    header += ["WorkTimeInSeconds", "Input.text", "Answer.sentiment.label", "Approve"]
    write(folder / "Batch_12_batch_results.csv", [header, *rows])
    return {"main": alpha(labels, "nominal")}


@shape
def mechanical_turk_questions(folder: Path) -> Alphas:
    """A batch with two answers and a comment."""
    fluent, toxic = drawn("turk 1", FIVE), drawn("turk 2", ("yes", "no"))
    rows = [
        [item, f"AXK29{who.upper()}", "Approved", n % 40 + 9, f"odd one {n}" if n % 9 == 0 else "", a, b]
        for n, ((item, who, a), (_, _, b)) in enumerate(
            zip(long_rows(fluent, named("H")), long_rows(toxic, named("H")), strict=True)
        )
    ]
    header = ["HITId", "WorkerId", "AssignmentStatus", "WorkTimeInSeconds"]
    header += ["Answer.comment", "Answer.fluency", "Answer.is_toxic"]
    write(folder / "Batch_13_batch_results.csv", [header, *rows])
    return {"Answer.fluency": alpha(fluent, "ordinal", FIVE), "Answer.is_toxic": alpha(toxic, "nominal")}


@shape
def qualtrics(folder: Path) -> Alphas:
    """Qualtrics: names, questions and import ids in three rows above the answers."""
    labels = crowd("qualtrics", FIVE)
    rows = [
        [f"2021-03-0{1 + n % 9} 10:00:00", f"R_{n:05}", who, item, label]
        for n, (item, who, label) in enumerate(long_rows(labels, named("it")))
    ]
    header = ["StartDate", "ResponseId", "participant", "item_id", "naturalness"]
    asked = ["Start Date", "Response ID", "Who are you?", "Item", "How natural is it?"]
    ids = [f'{{"ImportId":"{name}"}}' for name in header]
    write(folder / "survey.csv", [header, asked, ids, *rows])
    return {"main": alpha(labels, "ordinal", FIVE)}


@shape
def google_form(folder: Path) -> Alphas:
    """Answers to a form of Google: times, e-mail addresses, whole questions as names of columns."""
    fluent, faithful = drawn("form 1", FIVE), drawn("form 2", ("Yes", "No"))
    rows = [
        [
            f"3/{1 + n % 28}/2022 14:{n % 60:02}:09",
            f"{who}@mail.example",
            item,
            a,
            b,
            "" if n % 9 else f"hm {n}",
        ]
        for n, ((item, who, a), (_, _, b)) in enumerate(
            zip(long_rows(fluent, named("")), long_rows(faithful, named("")), strict=True)
        )
    ]
    asked = ["How fluent is the sentence?", "Is it a faithful translation?"]
    write(
        folder / "answers.csv",
        [["Timestamp", "Email Address", "Sentence number", *asked, "Comments?"], *rows],
    )
    return {asked[0]: alpha(fluent, "ordinal", FIVE), asked[1]: alpha(faithful, "nominal")}


@shape
def tweet_stance(folder: Path) -> Alphas:
    """Stance in tweets (Mohammad et al., 2016): three questions beside targets and tweets."""
    layers = {
        "Stance": ("FAVOR", "AGAINST", "NEITHER"),
        "Opinion towards": ("target", "other"),
        "Sentiment": SENTIMENTS,
    }
    answers = {name: drawn(f"stance {name}", values) for name, values in layers.items()}
    rows = [
        [item, who, ("Atheism", "Climate")[int(item) % 2], TEXTS[int(item)], a, b, c]
        for (item, who, a), (_, _, b), (_, _, c) in zip(
            *(long_rows(own, named("")) for own in answers.values()), strict=True
        )
    ]
    header = ["Instance ID", "Annotator ID", "Target", "Tweet", *layers]
    write(folder / "stance.txt", [header, *rows], delimiter="\t")
    return {name: alpha(own, "nominal") for name, own in answers.items()}


@shape
def people_and_models(folder: Path) -> Alphas:
    """Predictions of models beside the labels of three people."""
    labels, models = (
        drawn("people", SENTIMENTS),
        drawn("models", SENTIMENTS, people=("a", "b", "c"), noise=0.9),
    )
    header = ["id", "text", "human1", "human2", "human3", "bert-base", "chatgpt", "Llama-3-70B"]
    rows = [[n, TEXTS[n], *(own[n] for own in (*labels.values(), *models.values()))] for n in range(24)]
    write(folder / "predictions.csv", [header, *rows])
    return {"main": alpha(labels, "nominal")}


@shape
def features_beside(folder: Path) -> Alphas:
    """What is known of tweets in columns of 0 and 1 beside the labels, which are 0 and 1 too."""
    labels = drawn("features", ("0", "1"))
    rows = [[*row, n % 2, n % 3 % 2] for n, row in enumerate(wide_rows(labels, named("t")))]
    write(folder / "tweets.csv", [["id", *PEOPLE, "is_retweet", "has_url"], *rows])
    return {"main": alpha(labels, "nominal")}


@shape
def patients(folder: Path) -> Alphas:
    """A study of readers: age, sex and stage of patients beside what each doctor said."""
    labels = drawn("patients", FIVE)
    rows = [
        [f"P{n}", 30 + n * 7 % 50, "MF"[n % 2], 1 + n % 4, *row[1:]]
        for n, row in enumerate(wide_rows(labels, named("p")))
    ]
    write(folder / "readers.csv", [["patient", "age", "sex", "stage", "dr_a", "dr_b", "dr_c"], *rows])
    return {"main": alpha(labels, "ordinal", FIVE)}


def written_as(seed: str, values: Sequence[str], folder: Path) -> Alpha:
    """Write a wide table of ranks that are written so, and return alpha of ranks."""
    labels = drawn(seed, values)
    write(folder / "ranks.csv", [["case", *PEOPLE], *wide_rows(labels, named("c"))])
    return alpha(labels, "ordinal", values)


@shape
def ranks_out_of_five(folder: Path) -> Alphas:
    """4/5."""
    return {"main": written_as("of five", [f"{n}/5" for n in range(1, 6)], folder)}


@shape
def ranks_as_stars(folder: Path) -> Alphas:
    """★★★☆☆."""
    return {"main": written_as("stars", ["★" * n + "☆" * (5 - n) for n in range(1, 6)], folder)}


@shape
def ranks_as_grades(folder: Path) -> Alphas:
    """Grade 2, as pathologists have it."""
    return {"main": written_as("grades", [f"Grade {n}" for n in range(1, 5)], folder)}


@shape
def ranks_of_languages(folder: Path) -> Alphas:
    """A1 to C2, the levels of the Common European Framework."""
    return {"main": written_as("levels", ("A1", "A2", "B1", "B2", "C1", "C2"), folder)}


@shape
def ranks_by_degree(folder: Path) -> Alphas:
    """Not toxic … very toxic."""
    return {"main": written_as("degrees", ("Not toxic", "Slightly toxic", "Toxic", "Very toxic"), folder)}


@shape
def percentages(folder: Path) -> Alphas:
    """85%."""
    labels = drawn("percent", [str(n) for n in range(0, 101, 5)], noise=0.7)
    rows = [[row[0], *(f"{cell}%" for cell in row[1:])] for row in wide_rows(labels, named("c"))]
    write(folder / "shares.csv", [["case", *PEOPLE], *rows])
    return {"main": alpha(labels, "interval")}


@shape
def coded_missing(folder: Path) -> Alphas:
    """SPSS: -99 where somebody gave no rating, and words for it."""
    labels = drawn("coded", FIVE, missing=0.15)
    rows = [
        [("-99", "Don't know")[n % 2] if cell is None else cell for cell in row]
        for n, row in enumerate(wide_rows(labels, named("c")))
    ]
    write(folder / "spss.csv", [["case", *PEOPLE], *rows])
    return {"main": alpha(labels, "ordinal", FIVE)}


@shape
def decimal_commas_and_no_answer(folder: Path) -> Alphas:
    """Decimal commas, with an asterisk or k.A. where somebody gave no rating."""
    labels = drawn("comma", [f"{n / 2:.1f}" for n in range(2, 11)], missing=0.15)
    rows = [
        [("*", "k.A.")[n % 2] if cell is None else cell.replace(".", ",") for cell in row]
        for n, row in enumerate(wide_rows(labels, named("c")))
    ]
    write(folder / "noten.csv", [["Aufsatz", *PEOPLE], *rows], delimiter=";")
    return {"main": alpha(labels, "interval")}


@shape
def comment_lines(folder: Path) -> Alphas:
    """Lines with # above the header, as programs write them."""
    labels = drawn("comment", ABC)
    file = folder / "export.csv"
    write(file, [["item", *PEOPLE], *wide_rows(labels, named("i"))])
    file.write_text(
        f"# exported by a tool, 1.2\n# three people, 24 items\n{file.read_text()}", encoding="utf-8"
    )
    return {"main": alpha(labels, "nominal")}


@shape
def file_each_document(folder: Path) -> Alphas:
    """chapter1.csv, chapter2.csv, …: sentences are numbered in each, annotators are columns."""
    labels = drawn("chapters", ABC)
    rows = wide_rows(labels, named("", 24))
    for chapter in range(4):
        own = [[n + 1, TEXTS[n], *rows[chapter * 6 + n][1:]] for n in range(6)]
        write(folder / f"chapter{chapter + 1}.csv", [["sent_id", "sentence", *PEOPLE], *own])
    return {"main": alpha(labels, "nominal")}


@shape
def adjudicated(folder: Path) -> Alphas:
    """Whether all agreed, the final label and who decided beside the labels."""
    labels = drawn("adjudicated", SENTIMENTS)
    rows = [
        [*row, "yes" if len(set(row[1:])) == 1 else "no", row[1], ("KM", "TS")[n % 2]]
        for n, row in enumerate(wide_rows(labels, named("i")))
    ]
    write(
        folder / "final.csv", [["id", "KM", "TS", "UW", "agreement", "final label", "adjudicated by"], *rows]
    )
    return {"main": alpha(labels, "nominal")}
