"""What the columns of a table are, by what is in them; their names tip the balance."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations, permutations

import numpy as np
import numpy.typing as npt

from reportgen.base.dataclass import dataclass
from reportgen.readers.annotations import Codes, Texts, are_dense, without_gaps
from reportgen.readers.reader import is_reference
from reportgen.readers.scales import SAYS_MISSING, number_of, separator_of, word_set, words_of
from reportgen.readers.table_columns import well_known_columns

# Words in the names of columns, in four languages: evidence beside the values, never instead of them.

UNIT_WORDS = word_set(
    """
    item items unit units instance example sample question sentence sent task case text texts tweet post
    extract passage snippet excerpt stimulus image img picture clip video audio segment token word pair
    utterance turn message paragraph paper abstract document doc hit article headline claim review dialog
    dialogue response story summary output query key id uid guid nr no num number index idx texte textes
    phrase enonce unite exemple cas extrait paragraphe satz beleg beispiel einheit aussage absatz beitrag
    nummer fall oracion frase texto unidad ejemplo caso fragmento parrafo mensaje
    """
)
NUMBERING = word_set("key id uid guid nr no num number index nummer")
NUMBERS_ANYTHING = NUMBERING - {"uid", "guid", "num", "nummer"}
ANNOTATOR_WORDS = word_set(
    """
    annotator annotators rater raters coder coders worker workers judge judges labeler labeller email user
    users participant participants evaluator reviewer assessor observer person respondent volunteer
    contributor human humans turker crowdworker student expert grader scorer marker initials who by name
    username spreadsheet annotateur annotatrice codeur codeuse juge evaluateur evaluatrice utilisateur
    relecteur
    kodierer kodiererin annotierer bewerter prufer teilnehmer teilnehmerin proband nutzer anotador
    anotadora codificador codificadora juez usuario evaluador evaluadora participante revisor coderid
    workerid userid annotatorid raterid
    """
)
LABEL_WORDS = word_set(
    """
    label labels category value vote answer rating judgment judgement code class response annotation score
    tag choice decision verdict winner preference preferred sentiment stance emotion etiquette categorie
    reponse jugement classe urteil wert bewertung antwort kategorie klasse etiqueta categoria respuesta
    puntuacion valor voto juicio clase
    """
)
ASIDE_WORDS = word_set(
    """
    date time timestamp datetime created updated submitted comment comments note notes remark remarks url
    link duration seconds minutes elapsed ip verbatim rationale explanation reason reasons justification
    feedback start end worktime remarque remarques commentaire commentaires duree heure bemerkung
    bemerkungen kommentar kommentare zeit datum dauer begrundung comentario comentarios fecha hora
    duracion observaciones nota_bene conf confidence confident certainty certain sure sicherheit konfidenz
    confiance certitude confianza certeza
    """
)
# What annotators are asked about: columns that are called so are questions and nobody's.
QUESTION_WORDS = word_set(
    """
    fluency adequacy coherence relevance consistency accuracy quality grammaticality informativeness
    naturalness clarity readability toxicity offensive offensiveness hate sentiment stance emotion valence
    arousal dominance topic factuality helpfulness harmlessness correctness completeness similarity
    complexity difficulty severity intensity politeness humor humour sarcasm irony anger joy fear sadness
    disgust surprise trust anticipation usefulness overall satisfaction engagement style meaning
    simplicity faithfulness qualite pertinence clarte fluidite qualitat verstandlichkeit calidad
    claridad fluidez relevancia
    """
)
GROUP_WORDS = word_set(
    """
    document doc documents file topic text chapter speaker dialogue dialog conversation session thread
    batch source author texte fichier chapitre locuteur dokument datei kapitel sprecher gesprach documento
    archivo capitulo hablante
    """
)
# What is known of units or people, and what is computed of labels: no label of anybody.
ABOUT_WORDS = word_set(
    """
    length lange len tokens words chars characters size age gender sex language lang country domain genre sum
    total mean average avg median std sd variance min max count votes agreement disagreement agree disagree
    conflict unanimous kappa alpha probability prob prediction predictions predicted pred preds summe gesamt
    mittelwert durchschnitt alter geschlecht somme moyenne mediane longueur sexe suma promedio media
    mediana edad sexo longitud
    """
)
# What is known of annotators, in three languages: evidence beside what is constant for each of them.
ATTRIBUTE_WORDS = word_set(
    """
    age gender sex language lang native tongue country nationality ethnicity ethnic race religion education
    degree occupation profession job expertise experience income political politics ideology group cohort
    alter geschlecht sprache muttersprache land herkunft nationalitat ethnie bildung abschluss ausbildung
    beruf erfahrung einkommen gruppe
    sexe genre langue maternelle pays nationalite etudes diplome metier revenu politique groupe
    """
)
FIRST_LANGUAGE = re.compile(r"(?<![a-z0-9])l1(?![a-z0-9])", re.IGNORECASE)
# What begins the name of a column that says yes or no of a unit: "is_retweet".
ASKING = ("is", "has", "was", "contains")
# What people are called too, so that labels decide: they are computed, or somebody's.
ALSO_NAMES = word_set("max min")
TURN_WORDS = word_set(
    """
    pass round passe runde ronda wave iteration session phase durchgang tour vuelta repetition replicate
    attempt trial run seed
    """
)
# What names the questions that rows answer: evidence beside the answers, which questions need not share.
ASKED_WORDS = word_set(
    """
    question questions criterion criteria dimension aspect measure attribute variable task metric layer
    kriterium frage aspekt merkmal critere dimension variable pregunta criterio aspecto
    """
)
GOLD_WORDS = word_set(
    """
    gold reference truth majority consensus adjudicated adjudication adjudicator final aggregated
    aggregate agreed correct expected curated curator curation mode goldstandard groundtruth referenz
    mehrheit majorite oro mayoria referencia hard resolved resolution reconciled reconciliation harmonised
    harmonized tiebreak tiebreaker maj
    """
)

# A value of somebody, or of something that is annotated, by how identifiers look.
OF_PERSON = re.compile(
    r"(?:a|r|w|j|c|h|p|ann|annot|annotator|human|rater|worker|coder|judge|user|participant|expert|subject|turker|labeler|anno)"
    r"[-_ ]?\d{1,4}|A[0-9A-Z]{9,20}|[^\s@]+@[^\s@]+\.\w+",
    re.IGNORECASE,
)
OF_UNIT = re.compile(
    r"(?:u|i|s|t|d|q|x|n|it|item|doc|document|sent|sentence|text|tweet|unit|case|task|image|img|stimulus|stim)"
    r"[-_ ]?\d{1,7}|\S+\.(?:txt|png|jpg|jpeg|wav|mp3|xml|html)",
    re.IGNORECASE,
)
NAME = re.compile(r"[^\W\d_]{2,15}")
DATE = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}(?:[T ]\d{1,2}:\d{2}.*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}(?:,? \d{1,2}:\d{2}.*)?"
    r"|\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[AP]M)?|1[0-9]{9}(?:[0-9]{3})?|https?://.*",
    re.IGNORECASE,
)

# With fewer rows names tell more than values.
LEAST_ROWS = 7
KEY = 0.97
FILLED = 0.95
HALF = 0.5
RECURRING = 0.8
MOST_PASSES = 3
# So many letters have texts on average, and so many words.
LONG_TEXT, MANY_WORDS = 60, 6
MOST_KEYS = 14
ENOUGH = 10
# So much of all combinations of units and questions, or passes, is there.
CROSSED = 0.9
LARGE_RATIO = 3
CLEAR = 0.1
MARGIN = 1.5
# A column that may have labels has at most so many values, or half of its cells.
MOST_GUESSED = 50
# No label is a larger number, and sums of squares of smaller ones are finite.
LARGEST = 1e100
BLANK, BETWEEN_WORDS = re.compile(r"\s"), re.compile(r"\S\s+\S")


Numbers = npt.NDArray[np.float64]


def as_numbers(texts: Iterable[str]) -> Numbers | None:
    """Return texts as numbers, None where any is not one."""
    numbers: list[float] = []
    for text in texts:
        number = number_of(text.replace(",", "."))
        if number is None or abs(number) > LARGEST:
            return None
        numbers.append(number)
    return np.array(numbers, dtype=np.float64)


def _are_mostly(like: re.Pattern[str], values: Collection[str], share: float) -> bool:
    """Say whether so large a share of values is like a pattern; that few are is known before all are seen."""
    every = left = len(values)
    for value in values:
        if not like.fullmatch(value):
            left -= 1
            if left / every < share:
                return False
    return True


@dataclass(frozen=True, eq=False)
class Column:
    """One column: its name, its cells without blanks around them, and what they are like."""

    name: str
    cells: Texts

    @cached_property
    def is_filled(self) -> npt.NDArray[np.bool_]:
        """Which cells are not empty (cells,)."""
        return self.cells.where(bool)

    @cached_property
    def filled(self) -> int:
        """How many cells are not empty."""
        return int(self.is_filled.sum())

    @cached_property
    def counts(self) -> dict[str, int]:
        """How often each value occurs, the commonest first, else in the order in which they come."""
        every = np.bincount(self.cells.codes, minlength=len(self.cells.levels)).tolist()
        counts = zip(self.cells.levels, every, strict=True)
        return dict(sorted(((value, n) for value, n in counts if value), key=lambda each: -each[1]))

    @cached_property
    def said(self) -> dict[str, int]:
        """How often each value occurs that does not stand for a missing one."""
        return {value: n for value, n in self.counts.items() if value.casefold() not in SAYS_MISSING}

    @cached_property
    def vocabulary(self) -> dict[str, int]:
        """How often each label is said, however it is spelt: capitals and blanks are no differences."""
        spelt = Counter[str]()
        for value, n in self.said.items():
            spelt[" ".join(value.split()).casefold()] += n
        return spelt

    @cached_property
    def share(self) -> float:
        """The share of cells that are filled."""
        return self.filled / max(len(self.cells), 1)

    @property
    def distinct(self) -> int:
        """How many values there are."""
        return len(self.counts)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the name."""
        return frozenset(words_of(self.name))

    @cached_property
    def is_called_unit(self) -> bool:
        """Whether the name says what is labelled, and nothing else: "Sentence ID", but not "id"."""
        return bool(self.words - NUMBERING) and self.words <= UNIT_WORDS

    @cached_property
    def is_unique(self) -> bool:
        """Whether every row has a value of its own."""
        return self.share == 1 and self.distinct == len(self.cells) > 1

    @cached_property
    def by_row(self) -> Numbers | None:
        """The cells as numbers (cells,), NaN where they are empty; None where any is no number."""
        numbers = as_numbers(value or "0" for value in self.cells.levels) if self.distinct else None
        return None if numbers is None else np.where(self.is_filled, numbers[self.cells.codes], np.nan)

    @cached_property
    def numbers(self) -> Numbers | None:
        """The filled cells as numbers (filled,), None where any is not one."""
        return None if self.by_row is None else self.by_row[self.is_filled]

    @cached_property
    def is_date(self) -> bool:
        """Whether values are dates, times or addresses."""
        return self.distinct > 0 and _are_mostly(DATE, self.counts, FILLED)

    @cached_property
    def is_text(self) -> bool:
        """Whether values are running texts."""
        if self.distinct <= ENOUGH / 2:
            return False
        together = "".join(self.counts)
        is_long = len(together) / self.distinct >= LONG_TEXT
        if not is_long and BLANK.search(together):
            spaces = sum(len(BETWEEN_WORDS.findall(value)) for value in self.counts)
            is_long = spaces / self.distinct + 1 >= MANY_WORDS
        return is_long and not separator_of(self.counts)

    @cached_property
    def is_free(self) -> bool:
        """Whether nearly every filled cell is another text: comments, not labels."""
        is_number = self.numbers is not None
        return (
            not is_number
            and self.distinct > 1
            and self.distinct > RECURRING * self.filled
            and self.filled >= ENOUGH / 2
        )

    @cached_property
    def _looked(self) -> dict[re.Pattern[str], float]:
        """What is known of how values look."""
        return {}

    def looks(self, like: re.Pattern[str]) -> float:
        """Return 1 where most values look like identifiers of a kind, else 0."""
        if like not in self._looked:
            self._looked[like] = float(self.distinct > 0 and _are_mostly(like, self.counts, RECURRING))
        return self._looked[like]

    def may_be_label(self) -> bool:
        """Say whether the cells may be labels: neither texts, dates nor comments."""
        return len(self.said) > 0 and not (
            self.is_date or self.is_text or self.is_free or bool(self.words & ASIDE_WORDS)
        )


@dataclass(frozen=True)
class Shape:
    """What the columns of a table are.

    - `units`: the columns that together name the unit, none where each row is one.
    - `annotator`: the column that names annotators, where a table is long.
    - `labels`: the columns of labels: one for each question, of a wide table one for each annotator.
    - `document`, `turn`: columns of documents and passes.
    - `grid`: of a wide table with several questions the annotator of each column, by question and column.
    - `indicators`: columns of 0 and 1, one for each label of a set.
    - `question`: of a long table the column that says what was asked, each value of which is a question.
    - `is_turned`: whether a row is an annotator, and a column of labels a unit.
    """

    units: tuple[str, ...] = ()
    annotator: str | None = None
    labels: tuple[str, ...] = ()
    document: str | None = None
    turn: str | None = None
    headers: str = ""
    grid: Mapping[str, Mapping[str, str]] | None = None
    indicators: tuple[str, ...] = ()
    question: str | None = None
    is_turned: bool = False

    @property
    def is_long(self) -> bool:
        """Say whether a row is a label of one annotator."""
        return self.annotator is not None


def is_attribute(name: str) -> bool:
    """Say whether a column is called like what is known of annotators: "age", "worker_gender", "L1"."""
    return bool(FIRST_LANGUAGE.search(name) or set(words_of(name)) & ATTRIBUTE_WORDS)


class TableColumns:
    """The columns of a table, and the relations between them, by the codes of their values."""

    def __init__(self, columns: Mapping[str, Texts]) -> None:
        """Take the cells of each column that has a name, without blanks around them."""
        self.all = {name: Column(name, cells) for name, cells in columns.items() if name}
        self.rows = len(next(iter(columns.values()), ()))
        self._codes: dict[tuple[str, ...], Codes] = {}
        self._follows: dict[tuple[str, tuple[str, ...]], bool] = {}

    def __getitem__(self, name: str) -> Column:
        """Return the column of a name."""
        return self.all[name]

    def codes(self, names: Sequence[str]) -> Codes:
        """Return a code for each row (rows,), the same for rows that have the same values in columns."""
        key = tuple(names)
        if len(key) == 1:
            return self.all[key[0]].cells.codes
        if key not in self._codes:
            first, last = self.codes(key[:-1]), self.codes(key[-1:])
            self._codes[key] = without_gaps(first * (int(last.max(initial=0)) + 1) + last)
        return self._codes[key]

    def follows(self, name: str, of: Sequence[str]) -> bool:
        """Say whether the value of a column follows from those of others."""
        key = name, tuple(of)
        if name in of:
            return True
        if key not in self._follows:
            filled = self.all[name].is_filled
            values = values_by(self.codes(of)[filled], self.codes((name,))[filled])
            self._follows[key] = len(values) > 0 and bool((values <= 1).mean() >= KEY)
        return self._follows[key]

    def is_key(self, names: Sequence[str], share: float = KEY) -> bool:
        """Say whether hardly a row has the same values in columns as another: of so many none has."""
        return int(self.codes(names).max(initial=-1)) + 1 >= share * self.rows

    def is_crossed(self, one: Sequence[str], other: Sequence[str]) -> bool:
        """Say whether each value of columns is there with nearly each value of others, and only once."""
        sizes = [int(self.codes(names).max(initial=-1)) + 1 for names in (one, other, [*one, *other])]
        both = sizes[0] * sizes[1]
        return min(sizes[:2]) > 1 and sizes[2] == self.rows >= CROSSED * both

    def is_repeated(self, names: Sequence[str]) -> float:
        """Return the share of rows that have the same values in columns as one before."""
        return (self.rows - int(self.codes(names).max(initial=-1)) - 1) / max(self.rows, 1)

    def names_same(self, one: Sequence[str], other: Sequence[str]) -> bool:
        """Say whether columns name the same things as others do."""
        return all(self.follows(name, other) for name in one) and all(
            self.follows(name, one) for name in other
        )

    def alike(self, within: Sequence[str], label: str) -> float:
        """Return how much more alike labels are in rows that have the same values in columns than in any."""
        column, filled = self.all[label], self.all[label].is_filled
        group, numbers = without_gaps(self.codes(within)[filled]), column.numbers
        if numbers is not None and column.distinct > 2:
            return alike_within(group, numbers, are_numbers=True) or 0.0
        return alike_within(group, column.cells.codes[filled], are_numbers=False) or 0.0

    def says_something(self, of: Sequence[str], labels: Sequence[str]) -> bool:
        """Say whether labels of rows that have the same values in columns are alike beyond chance, in any."""
        return any(self.alike(of, name) > CLEAR for name in labels)


def with_values(columns: TableColumns, values: Mapping[str, str]) -> TableColumns:
    """Return columns with one more for each name, which holds one value in all rows."""
    new = {name: Texts.alike(value, columns.rows) for name, value in values.items()}
    return TableColumns({**{name: column.cells for name, column in columns.all.items()}, **new})


def joined(tables: Sequence[TableColumns]) -> TableColumns:
    """Return the columns of all rows of tables, one below the other; what a table lacks is empty."""
    names = dict.fromkeys(name for columns in tables for name in columns.all)
    return TableColumns(
        {
            name: Texts.joined(
                [
                    columns[name].cells if name in columns.all else Texts.alike("", columns.rows)
                    for columns in tables
                ]
            )
            for name in names
        }
    )


def values_by(group: Codes, value: Codes) -> Codes:
    """Return how many different values each group has, of those that have any."""
    width = int(value.max(initial=0)) + 1
    pairs = group * width + value
    different = np.flatnonzero(np.bincount(pairs)) if are_dense(pairs) else np.unique(pairs)
    counts = np.bincount(different // width)
    return counts[counts > 0]


def alike_within(group: Codes, value: npt.NDArray[np.float64] | Codes, *, are_numbers: bool) -> float | None:
    """Return how much more alike values of a group are than any two values: 1 at most, 0 by chance."""
    total, sizes = len(value), np.bincount(group)
    pairs = int((sizes * (sizes - 1)).sum())
    if total < 2 or not pairs:
        return None
    if are_numbers:
        sums, squares = np.bincount(group, value), np.bincount(group, value * value)
        apart = float((sizes * squares - sums * sums).sum()) / pairs
        expected = float(total * (value * value).sum() - value.sum() ** 2) / (total * (total - 1))
    else:
        times = np.unique(group * (int(value.max()) + 1) + value.astype(np.int64), return_counts=True)[1]
        every = np.unique(value, return_counts=True)[1]
        apart = 1 - int((times * (times - 1)).sum()) / pairs
        expected = 1 - int((every * (every - 1)).sum()) / (total * (total - 1))
    return round(1 - apart / expected, 9) if expected > 0 else None


# Long tables: a row is what one annotator said of one unit.


@dataclass(frozen=True)
class LongCandidate:
    """A long table as it may be, how much speaks for it, and what it may be as well."""

    shape: Shape
    score: float
    also: tuple[Shape, ...] = ()


def long_shapes(columns: TableColumns) -> list[LongCandidate]:
    """Return how a table may be long, the likeliest first."""
    possible = [
        column
        for column in columns.all.values()
        if (
            column.share >= FILLED
            and 1 < column.distinct <= max(RECURRING * columns.rows, 2)
            and not column.is_date
            and not (column.words & ASIDE_WORDS and not column.words & (UNIT_WORDS | ANNOTATOR_WORDS))
        )
        or _may_be_turn(column)
    ]
    beside = _said_beside(list(columns.all))
    possible = [column for column in possible if column.name not in beside]
    possible = sorted(possible, key=lambda column: -_named(column, UNIT_WORDS | ANNOTATOR_WORDS))[:MOST_KEYS]
    found = []
    for first, second in combinations(possible, 2):
        pair = (first.name, second.name)
        extra = _completed(columns, pair, possible)
        if extra is None:
            continue
        for unit, annotator in (pair, pair[::-1]):
            who = columns[annotator]
            if is_attribute(annotator) or who.is_called_unit or is_about(who):
                continue
            if candidate := long_shape(columns, unit, annotator, extra):
                found.append(candidate)
    return sorted(found, key=lambda candidate: -candidate.score)


def likely_long_shapes(columns: TableColumns, together: Collection[str]) -> list[LongCandidate]:
    """Return how a table may be long, where some columns have labels of one kind if it is not.

    These are labels then, too, unless a column is called like annotators: units and columns of one vocabulary
    are a table of people.
    """
    group = {*together}

    def explains(shape: Shape) -> bool:
        """Say whether all columns of one vocabulary are labels, or follow from units or annotators."""
        who, units = str(shape.annotator), (*shape.units, *filter(None, [shape.document]))
        called = columns[who].words & ANNOTATOR_WORDS
        if (
            who not in group
            and called
            and sum(bool(column.words & called) for column in columns.all.values()) == 1
        ):
            return True
        if group - {who} <= {*shape.labels} and columns.is_crossed([*units], [who]):
            return True
        keys = {name for name in units if columns[name].words & UNIT_WORDS}
        rest = group - {*shape.labels} - keys
        # What follows from the annotator is about them, whatever its values are.
        told_by = (units, (who,)) if columns.is_crossed([*units], [who]) else (units,)
        return all(
            name != who and name not in units and any(columns.follows(name, by) for by in told_by)
            for name in rest
        )

    return [each for each in long_shapes(columns) if explains(each.shape)]


def likeliest(columns: TableColumns) -> Shape:
    """Return the long table that columns are likeliest to be, with what may be labels, the likeliest first.

    Nothing has to be certain: unit and annotator are the two columns that cross best and are called so.
    """
    recurring = [
        column
        for column in columns.all.values()
        if column.share >= FILLED and 1 < column.distinct < columns.rows and not column.is_date
    ]

    def fits(pair: tuple[Column, Column]) -> tuple[bool, float, bool]:
        unit, who = pair
        raters = values_by(columns.codes((unit.name,)), columns.codes((who.name,)))
        called = [unit.words & UNIT_WORDS, who.words & ANNOTATOR_WORDS]
        names = sum(len(own) / len(column.words) for own, column in zip(called, pair, strict=True) if own)
        return bool((raters > 1).mean() >= HALF), names, columns.is_key((unit.name, who.name))

    recurring.sort(key=lambda column: not column.words & (UNIT_WORDS | ANNOTATOR_WORDS))
    best = max(permutations(recurring[:MOST_KEYS], 2), key=fits, default=())
    unit, annotator = (column.name for column in best) if best else (None, None)
    labels = [
        name
        for name, column in columns.all.items()
        if name not in (unit, annotator)
        and column.share >= HALF
        and not column.words & (ASIDE_WORDS | ANNOTATOR_WORDS)
        and 1 < column.distinct <= max(MOST_GUESSED, HALF * column.filled)
        and not (unit and columns.follows(name, [unit]))
    ]
    labels.sort(key=lambda name: len(columns[name].words & LABEL_WORDS) < HALF * len(columns[name].words))
    return Shape((unit,) if unit else (), annotator, tuple(labels))


def _completed(
    columns: TableColumns, pair: tuple[str, str], possible: Sequence[Column]
) -> tuple[str, ...] | None:
    """Return the columns that make a pair of columns a key: none, or those of documents, passes and pairs."""
    if columns.is_key(pair):
        return ()
    free = [
        column
        for column in possible
        if column.name not in pair and not column.words & (LABEL_WORDS | ANNOTATOR_WORDS)
    ]
    known = GROUP_WORDS | TURN_WORDS | UNIT_WORDS | ASKED_WORDS
    names = [column.name for column in free if column.words & known or _may_be_turn(column)]
    few = [column.name for column in free if column.name not in names and column.distinct <= ENOUGH]
    for extra in (*(c for number in (1, 2, 3) for c in combinations(names, number)), *((n,) for n in few)):
        if columns.is_key((*pair, *extra)):
            return extra
    return None


def _may_be_turn(column: Column) -> bool:
    """Say whether a column has few whole numbers and is called like times, as "time 2" is."""
    numbers = column.numbers
    if numbers is None or not 1 < column.distinct <= ENOUGH / 2 or column.share < FILLED:
        return False
    return "time" in column.words and {*numbers.tolist()} <= {*range(column.distinct + 1)}


def _named(column: Column, words: frozenset[str]) -> float:
    """Return how much a name says that a column is something, from 0 to 1."""
    return 1.0 if column.words & words else 0.0


def long_shape(
    columns: TableColumns, unit: str, annotator: str, extra: Sequence[str]
) -> LongCandidate | None:
    """Return the table as one where two columns are unit and annotator, None where it can't be."""
    if not _may_be_annotators(columns, columns[annotator]):
        return None
    units, document = _document(columns, (unit, *extra))
    part = Shape(units, annotator, (), document)
    factor = _factor(columns, (*units, *filter(None, [document])), annotator)
    if factor is None:
        return _long_candidate(columns, part, unit if unit in units else units[0])
    units, document = _document(
        columns, tuple(name for name in (*units, document) if name not in (factor, None))
    )
    unit = unit if unit in units else units[0]
    asked = Shape(units, annotator, (), document, question=factor)
    again = Shape(units, annotator, (), document, turn=factor)
    column, candidate = columns[factor], _long_candidate(columns, asked, unit)
    apart = candidate is not None and _answers_apart(columns, factor, candidate.shape.labels)
    # A preference names the columns of what was compared.
    is_named = candidate is not None and factor in columns[candidate.shape.labels[0]].said
    if apart or (candidate and column.words & ASKED_WORDS - GROUP_WORDS):
        ways = [asked]
    elif column.words & TURN_WORDS or _may_be_turn(column):
        ways = [again]
    elif (
        not candidate
        or is_named
        or (column.words | columns[unit].words) & GROUP_WORDS
        or column.words & UNIT_WORDS
    ):
        ways = [part]
    else:
        # So many numbers count parts, rather than passes or questions.
        is_counted = column.numbers is not None and column.distinct > MOST_PASSES
        ways = [part, asked, again] if is_counted else [asked, again, part]
    first, *others = (_long_candidate(columns, way, unit) for way in ways)
    return first and replace(first, also=tuple(other.shape for other in others if other))


def _factor(columns: TableColumns, whole: Sequence[str], annotator: str) -> str | None:
    """Return the column of few values each of which nearly every unit has: a question, a pass, or a part.

    Of what is called a pass, one has nearly every unit.
    """
    for name in whole:
        rest = [other for other in whole if other != name]
        column = columns[name]
        if not rest or column.distinct > ENOUGH:
            continue
        if columns.follows(name, rest) or columns.follows(name, [annotator]):
            continue
        units, both = (int(columns.codes(names).max(initial=-1)) + 1 for names in (rest, [*rest, name]))
        if units > column.distinct and both >= CROSSED * units * column.distinct:
            return name
        if column.words & TURN_WORDS - GROUP_WORDS - UNIT_WORDS and _has_nearly_all(columns, name, rest):
            return name
    return None


def _has_nearly_all(columns: TableColumns, turn: str, units: Sequence[str]) -> bool:
    """Say whether one pass has nearly every unit; others may have only some of them once more."""
    own, unit = columns.codes((turn,)), columns.codes(units)
    pairs = np.unique(np.stack((own, unit)), axis=1)
    return bool(np.bincount(pairs[0]).max(initial=0) >= CROSSED * (int(unit.max(initial=-1)) + 1))


def _answers_apart(columns: TableColumns, question: str, labels: Sequence[str]) -> bool:
    """Say whether the answers to some questions of a column share no label with those to others."""
    if len(labels) != 1 or min(columns[question].counts.values()) < ENOUGH / 2:
        return False
    given = columns[labels[0]]
    pairs = set(zip(columns[question].cells, given.cells, strict=True))
    apart: list[frozenset[str]] = []
    for value in columns[question].said:
        own = frozenset(answer for asked, answer in pairs if asked == value and answer in given.said)
        near = [others for others in apart if others & own]
        apart = [*(others for others in apart if others not in near), own.union(*near)]
    return len(apart) > 1 and min(map(len, apart)) > 1


def _long_candidate(columns: TableColumns, shape: Shape, unit: str) -> LongCandidate | None:
    """Return a reading with its labels and what speaks for it, None where there are no labels."""
    annotator, extra = str(shape.annotator), [*filter(None, (shape.turn, shape.question))]
    units, document = shape.units, shape.document
    whole = (*units, *([document] if document else []), *filter(None, [shape.question]))
    raters = values_by(columns.codes(whole), columns.codes((annotator,)))
    if not (raters > 1).any() or (raters > 1).mean() < CLEAR / 2:
        return None
    others = [name for name in columns.all if name not in {*units, annotator, document, *extra}]
    marked = [name for name in others if _is_marked(columns[name])]
    labels = marked if len(marked) > 2 else _labels_of_long(columns, others, whole, annotator)
    if shape.question:
        labels = [*_questions(columns, labels, whole)]
    if not labels or (shape.question and len(labels) > 1) or _are_of_labels(columns, units, labels):
        return None
    indicated = [name for name in labels if columns[name].counts.keys() <= INDICATED]
    indicators = tuple(marked if len(marked) > 2 else indicated)
    if 2 < len(indicators) == len(labels):
        own = replace(shape, labels=indicators, indicators=indicators)
    else:
        own = replace(shape, labels=_questions(columns, labels, whole))
    return LongCandidate(own, _evidence(columns, unit, annotator, whole, labels, raters))


def _may_be_annotators(columns: TableColumns, column: Column) -> bool:
    """Say whether a column may name annotators: no texts, no labels, numbers only where they may be ids."""
    numbers = column.numbers
    if numbers is None:
        return not column.is_text and not _holds_labels(columns, column)
    return not column.is_text and bool((numbers % 1 == 0).all() and (numbers >= 0).all())


def _is_marked(column: Column) -> bool:
    """Say whether a column has one mark in some rows and nothing in the others."""
    return column.distinct == 1 and column.share < FILLED and column.counts.keys() <= MARKS


def _labels_of_long(
    columns: TableColumns, others: Sequence[str], whole: Sequence[str], annotator: str
) -> list[str]:
    """Return the columns that may hold the labels of a long table: they differ within a unit."""
    labels = [
        name
        for name in others
        if columns[name].share >= HALF
        and columns[name].may_be_label()
        and not columns[name].is_unique
        and not _is_gold(columns[name])
    ]
    # What follows from annotators is about them, unless it is all that their files have.
    of_files = annotator.startswith("{") and len(labels) == 1
    labels = [name for name in labels if of_files or not columns.follows(name, [annotator])]
    # What an annotator nearly always has, whatever the unit is, is about them: "viewed", as they write it.
    varying = [
        name
        for name in labels
        if not columns.follows(name, whole)
        and (
            len(labels) == 1
            or columns.alike([annotator], name) <= HALF
            or columns.alike([*whole], name) > CLEAR
        )
    ]
    # Where all agree, labels follow from units; their name has to say that they are labels.
    agreed = [
        name
        for name in labels
        if of_files or (columns[name].words & LABEL_WORDS and columns[name].distinct > 1)
    ]
    # Beside a question on which they differ one on which all agree is a question too, and nothing of units.
    if any(is_question(name) for name in varying):
        alike = [name for name in labels if name not in varying and columns[name].distinct > 1]
        varying += [name for name in alike if is_question(name) and not columns[name].words & GROUP_WORDS]
    return [
        name
        for name in varying or agreed
        if not columns[name].words & (UNIT_WORDS | ANNOTATOR_WORDS)
        or columns[name].words & (LABEL_WORDS | QUESTION_WORDS)
        or is_question(name)
    ]


def _are_of_labels(columns: TableColumns, units: Sequence[str], labels: Sequence[str]) -> bool:
    """Say whether columns that are not called like units have the words of columns of labels."""
    own = [columns[name] for name in units if not columns[name].words & UNIT_WORDS]
    own = [column for column in own if column.numbers is None]
    return any(share_labels(column, columns[name]) for column in own for name in labels)


def _holds_labels(columns: TableColumns, column: Column) -> bool:
    """Say whether a column has the words that others have, and no name that says that it names annotators."""
    others = (other for name, other in columns.all.items() if name != column.name and other.numbers is None)
    return not column.words & ANNOTATOR_WORDS and any(
        share_labels(column, other) for other in others if other.may_be_label()
    )


def _document(columns: TableColumns, names: tuple[str, ...]) -> tuple[tuple[str, ...], str | None]:
    """Return which of the columns that together name a unit names its document, and the others."""
    if len(names) == 2:
        groups = [name for name in names if columns[name].words & GROUP_WORDS]
        if len(groups) == 2:
            groups = [name for name in groups if not columns[name].words & (UNIT_WORDS - GROUP_WORDS)]
        if len(groups) == 1:
            return tuple(name for name in names if name not in groups), groups[0]
    return names, known_document(columns, names)


def known_document(columns: TableColumns, units: Sequence[str]) -> str | None:
    """Return the column that is called like documents, of which units have one each."""
    names = list(columns.all)
    called = [names[place] for place in well_known_columns(names, "document")]
    return next(
        (
            name
            for name in called
            if name not in units and columns[name].distinct and columns.follows(name, units or names)
        ),
        None,
    )


def _questions(columns: TableColumns, labels: Sequence[str], whole: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of labels: all that say something of units, else one that is called so."""
    called = [name for name in labels if columns[name].words & LABEL_WORDS]
    others = [name for name in labels if name not in called]
    if len(called) == 1 and not any(
        columns[name].words & QUESTION_WORDS or columns.says_something(whole, [name]) for name in others
    ):
        return tuple(called)
    timed = [
        name
        for name in labels
        if columns[name].numbers is not None and columns[name].distinct > HALF * columns.rows
    ]
    # A number that is another in most rows beside labels that recur is a duration or an identifier.
    rest = [
        name for name in labels if name not in timed or columns[name].words & (LABEL_WORDS | QUESTION_WORDS)
    ]
    return tuple(rest or labels)


def _is_gold(column: Column) -> bool:
    return bool(column.words & GOLD_WORDS) or is_reference(column.name)


def _evidence(  # noqa: PLR0913, PLR0917 - all that is known of two columns
    columns: TableColumns,
    unit: str,
    annotator: str,
    whole: Sequence[str],
    labels: Sequence[str],
    raters: Codes,
) -> float:
    """Return how much speaks for two columns being unit and annotator: names and values of both."""
    of_unit, who, units = columns[unit], columns[annotator], len(raters)
    no_person = (UNIT_WORDS | GROUP_WORDS | TURN_WORDS) - ANNOTATOR_WORDS - NUMBERS_ANYTHING
    texts = [name for name, own in columns.all.items() if own.is_text and name not in {*whole, annotator}]
    # A text, or anything else that differs, follows from the unit.
    has_text = of_unit.is_text or any(
        columns.follows(name, whole) and not columns.follows(name, [annotator]) for name in texts
    )
    is_larger = units >= LARGE_RATIO * who.distinct
    people = (who.looks(OF_PERSON) - who.looks(OF_UNIT)) + (of_unit.looks(OF_UNIT) - of_unit.looks(OF_PERSON))
    has_names = who.looks(NAME) > of_unit.looks(NAME) and who.distinct <= of_unit.distinct
    # Labels say something of their unit, which numbers beside other labels do not.
    is_silent = not who.words & ANNOTATOR_WORDS and not columns.says_something(whole, labels)
    clear = CLEAR * len(labels)
    weighed = (
        (2, _named(of_unit, UNIT_WORDS) - _named(of_unit, ANNOTATOR_WORDS - UNIT_WORDS)),
        (2, _named(who, ANNOTATOR_WORDS) - _named(who, no_person)),
        (-3, _named(of_unit, LABEL_WORDS - UNIT_WORDS) + _named(who, LABEL_WORDS | QUESTION_WORDS)),
        (-2, is_silent),
        (1, people),
        (HALF, has_names),
        (2, has_text),
        (1, is_larger),
        (-HALF, not is_larger and who.distinct >= LARGE_RATIO * units),
        (0.25, len(set(raters.tolist())) == 1 and raters[0] > 1),
        (1, sum(columns.alike(whole, name) - columns.alike([annotator], name) for name in labels) > clear),
        (HALF, any(columns[name].words & LABEL_WORDS for name in labels)),
    )
    return float(sum(weight * found for weight, found in weighed))


# Wide tables: a row is a unit, with a column for each annotator, or for each annotator and question.


def share_labels(first: Column, second: Column) -> bool:
    """Say whether two columns have a vocabulary in common, as labels of two annotators have."""
    if (
        first.numbers is not None
        and second.numbers is not None
        and min(first.distinct, second.distinct) > ENOUGH
    ):
        low, high = (
            max(first.numbers.min(), second.numbers.min()),
            min(first.numbers.max(), second.numbers.max()),
        )
        width = max(first.numbers.max(), second.numbers.max()) - min(
            first.numbers.min(), second.numbers.min()
        )
        whole = [(column.numbers % 1 == 0).all() for column in (first, second) if column.numbers is not None]
        return bool(width > 0 and (high - low) / width >= HALF and whole[0] == whole[1])
    return _covered(first, second) and _covered(second, first)


def _covered(first: Column, second: Column) -> bool:
    """Say whether a good part of the cells of a column has values that the other has too."""
    common = sum(n for value, n in first.vocabulary.items() if value in second.vocabulary)
    return common >= HALF / 2 * sum(first.vocabulary.values()) and common > 0


def vocabularies(columns: TableColumns, names: Sequence[str]) -> list[list[str]]:
    """Return columns in groups that share their labels, the largest group first."""
    groups: list[list[str]] = []
    for name in names:
        near = [
            group for group in groups if any(share_labels(columns[name], columns[other]) for other in group)
        ]
        groups = [group for group in groups if group not in near]
        groups.append([*(other for group in near for other in group), name])
    order = {name: place for place, name in enumerate(names)}
    return sorted((sorted(group, key=order.__getitem__) for group in groups), key=lambda group: -len(group))


def label_columns(columns: TableColumns) -> list[str]:
    """Return the columns of a wide table that may hold labels."""
    return [name for name, column in columns.all.items() if column.may_be_label() and not counts_rows(column)]


def counts_rows(column: Column) -> bool:
    """Say whether a column numbers the rows, or names each by a value of its own."""
    if not column.is_unique:
        return False
    numbers = column.numbers
    if numbers is None:
        return True
    return (
        bool((numbers % 1 == 0).all())
        and len(numbers) > 1
        and bool((np.diff(numbers) == 1).all() or column.words & UNIT_WORDS)
    )


def unit_columns(columns: TableColumns, labels: Iterable[str]) -> tuple[tuple[str, ...], str | None]:
    """Return the columns that name the units of a wide table, and that of documents where one is needed."""
    taken = {*labels}
    free = [
        column
        for name, column in columns.all.items()
        if name not in taken
        and column.share >= FILLED
        and not column.is_date
        and not _is_labelled(columns, column)
    ]
    unique = [column for column in free if column.is_unique]
    if unique:
        best = max(unique, key=lambda column: _named(column, UNIT_WORDS) + (not column.is_text))
        return (best.name,), known_document(columns, (best.name,))
    pairs = [
        (first.name, second.name)
        for first, second in permutations(free, 2)
        if first.words & GROUP_WORDS and second.distinct > 1
    ]
    # Some rows may lack the name of their unit, or have that of another one; both are said.
    nearly = [
        (name,) for name, column in columns.all.items() if name not in taken and _may_name_units(column)
    ]
    exact = [pair for pair in pairs if columns.is_key(pair)]
    almost = [pair for pair in pairs if columns.is_key(pair, RECURRING) and columns[pair[1]].looks(NUMBER)]
    for *document, unit in (*exact, *nearly, *almost):
        return (unit,), document[0] if document else known_document(columns, (unit,))
    return (), known_document(columns, ())


NUMBER = re.compile(r"\D*\d.*")


def _may_name_units(column: Column) -> bool:
    """Say whether a column is called like units, and numbers nearly all rows, where it names any."""
    is_named = bool(column.words & UNIT_WORDS) and not (column.is_date or column.is_text or is_about(column))
    own = column.distinct == column.filled or column.looks(NUMBER) == 1
    return is_named and own and min(column.share, column.distinct / max(len(column.cells), 1)) >= RECURRING


def _is_labelled(columns: TableColumns, column: Column) -> bool:
    """Say whether a column has the labels of others: measurements may all differ."""
    if column.words & UNIT_WORDS or (column.numbers is not None and counts_rows(column)):
        return False
    others = (other for other in columns.all.values() if other is not column and other.may_be_label())
    return column.may_be_label() and any(share_labels(column, other) for other in others)


# A header for each annotator and question: "q1_anna", "anna.q1", "q1 / anna".

BETWEEN = (" / ", " - ", ": ", "__", "_", ".", "-", "/", ":", " ", "|")


def grids(names: Sequence[str]) -> list[tuple[str, dict[tuple[str, str], str]]]:
    """Return how headers are made of two parts: the sign between, and the column of each pair.

    Each part of the one kind occurs with nearly each of the other.
    """
    found = []
    for sign in BETWEEN:
        for cut in ("last", "first"):
            parts = {}
            for name in names:
                before, mark, after = name.rpartition(sign) if cut == "last" else name.partition(sign)
                if mark and before and after:
                    parts[before, after] = name
            # A name with such a sign that has no part in common with others is none of them.
            times = Counter(part for pair in parts for part in enumerate(pair))
            parts = {pair: n for pair, n in parts.items() if max(times[part] for part in enumerate(pair)) > 1}
            firsts = {before for before, _ in parts}
            seconds = {after for _, after in parts}
            if len(firsts) > 1 and len(seconds) > 1 and len(parts) >= 0.75 * len(firsts) * len(seconds):
                found.append((sign, parts))
    return sorted(found, key=lambda grid: -len(grid[1]))


# The shape of one table: long, wide, or the two that remain possible.


def shapes_of(columns: TableColumns) -> tuple[Shape, ...]:
    """Return how a table may be read, by what its columns hold: one way where that is clear, or several.

    None where columns do not tell.
    """
    if columns.rows < LEAST_ROWS or len(columns.all) < 2:
        return ()
    wide = wide_shapes(columns)
    long = [each for each in likely_long_shapes(columns, wide[0].labels if wide else ()) if each.score >= 0]
    best = long[0] if long else None
    if best and _is_proved(columns, best.shape):
        return best.shape, *best.also
    if best and (not wide or best.score >= MARGIN):
        near = (other.shape for other in long[1:] if other.score > best.score - HALF)
        rivals = [shape for shape in near if _differ(columns, shape, best.shape)][:2]
        may_be_people = wide and _is_people(wide[0]) and best.score < 2 * MARGIN
        if best.score >= MARGIN and not rivals and not may_be_people:
            return best.shape, *best.also
        return best.shape, *(rivals or wide[:1] or [_swapped(best.shape)])
    is_asked = best is not None and wide and (not _is_people(wide[0]) or not wide[0].units)
    return (best.shape, wide[0]) if best and is_asked and best.score >= 1 else tuple(wide)


def _is_proved(columns: TableColumns, shape: Shape) -> bool:
    """Say whether each annotator labels each unit once, and labels say something of units, not of annotators.

    Columns that are called like anything else are no annotators.
    """
    units, who = [*shape.units, *filter(None, [shape.document])], str(shape.annotator)
    denied = (UNIT_WORDS | GROUP_WORDS | TURN_WORDS | LABEL_WORDS | QUESTION_WORDS) - ANNOTATOR_WORDS
    return (
        len(shape.labels) == 1
        and not columns[who].words & denied
        and columns.is_crossed(units, [who])
        and columns.says_something(units, shape.labels)
        and not columns.says_something([who], shape.labels)
    )


def are_all_known(names: Sequence[str]) -> bool:
    """Say whether every column has a well-known name: then nothing is to be found out."""
    roles = {
        role: well_known_columns(names, role) for role in ("unit", "annotator", "label", "document", "pass")
    }
    known = [place for places in roles.values() for place in places]
    alone = all(len(roles[role]) == 1 for role in ("unit", "annotator", "label"))
    return alone and sorted(known) == list(range(len(names)))


def _differ(columns: TableColumns, one: Shape, other: Shape) -> bool:
    """Say whether two long tables have other units or annotators, and not only other names of them."""
    if one.annotator != other.annotator:
        names = (str(one.annotator),), (str(other.annotator),)
        return not columns.names_same(*names)
    first, second = ((*shape.units, *filter(None, [shape.document])) for shape in (one, other))
    # What names all rows apart needs no further column.
    more = {*first} > {*second} and columns.is_key((*second, str(one.annotator)))
    return not more and not columns.names_same(first, second)


def _swapped(shape: Shape) -> Shape:
    return Shape((shape.annotator or "",), shape.units[0] if shape.units else None, shape.labels)


def wide_shapes(columns: TableColumns) -> list[Shape]:
    """Return how a table may be wide: none where columns are no annotators'."""
    candidates = [name for name in label_columns(columns) if not is_about(columns[name])]
    units, document = unit_columns(columns, [])
    beside = _said_beside(list(columns.all))
    candidates = [name for name in candidates if name not in (*units, *beside) and name != document]
    found = [name for name in candidates if not _is_gold(columns[name])]
    grid = _grid(columns, found, [*units, *beside, *filter(None, [document])], units, document)
    if grid:
        return [grid]
    groups = [group for group in vocabularies(columns, found) if len(group) >= 2]
    if not groups:
        return []
    asked = [group for group in groups if all(is_question(name) for name in group)]
    people = [group for group in groups if group not in asked]
    if not people:
        return []
    people = [drop_computed_columns(columns, group) for group in people]
    somebody = [group for group in people if any(is_somebody(name) for name in group)]
    reference = [name for name in candidates if is_reference(name)]
    # "A" and "B" beside "A2" and "B2" may be the annotators too.
    also = [
        group for group in people if any(are_prefixes_of(own, group) for own in somebody if own is not group)
    ]
    chosen = [
        *somebody,
        *(group for group in also if group not in somebody),
    ] or [group for group in people if not _is_one_of_many(columns, group, candidates)]
    if len(chosen) != 1:
        return [Shape(units, None, (*group, *reference), document) for group in chosen[:2]]
    (first,) = chosen
    strangers, taken = columns_with_own_values(columns, first), (*units, document)
    # What shares the labels may be said beside them, or be further people's.
    further = [
        name
        for name in beside
        if not columns[name].words & ASIDE_WORDS
        and columns[name].may_be_label()
        and any(share_labels(columns[name], columns[own]) for own in first)
    ]
    others = (
        [name for name in first if name not in strangers],
        [name for name in columns.all if name in (*first, *further)],
        _labelled_again(first),
        add_free_text_annotators(columns, first, taken),
    )
    second = [group for group in others if group and set(group) != set(first)][:1]
    return [Shape(units, None, (*group, *reference), document) for group in (first, *second)]


def _said_beside(names: Sequence[str]) -> set[str]:
    """Return the columns of what annotators say beside their labels: "anna_confidence" beside "anna"."""
    found: dict[str, dict[str, str]] = {}
    known = {*names}
    parts = ((name, name[:cut], name[cut:]) for name in names for cut in range(1, len(name)))
    for name, first, last in parts:
        for base, rest in ((first, last), (last, first)):
            is_word = rest[0].isalnum() and rest[-1].isalnum()
            if base in known and not is_word and not AGAIN.fullmatch(rest):
                found.setdefault(rest, {})[base] = name
    return {name for own in found.values() if len(own) > 1 for name in own.values()}


def are_prefixes_of(longer: Sequence[str], group: Sequence[str]) -> bool:
    """Say whether each name of a group is how a name of the other begins."""
    return len(longer) == len(group) and all(
        any(name != first and name.startswith(first) for name in longer) for first in group
    )


AGAIN = re.compile(r"[-_. ]?(?:2|bis|again|retest|second|t2|(?:pass|round)[-_. ]?2)", re.IGNORECASE)


def _labelled_again(group: Sequence[str]) -> list[str]:
    """Return those of annotators each of whom has a second column, such as A and B beside A_2 and B_2."""
    known = {*group}
    again = [
        (name[:cut], name[cut:])
        for name in group
        for cut in range(len(name))
        if name[:cut] in known and AGAIN.fullmatch(name[cut:])
    ]
    first = dict(again)
    once = [name for name in group if name in first]
    same = len({end for _first, end in again}) == 1
    return once if same and len(again) == len(once) > 1 and 2 * len(once) == len(group) else []


# Of a column's cells that are no known labels so many may be, and it is an annotator's.
ALSO_LABELS = 0.2


def add_free_text_annotators(
    columns: TableColumns, group: Sequence[str], taken: Sequence[str | None]
) -> list[str]:
    """Return annotators with those who wrote whatever they liked, and sometimes a label of the others."""
    labels = {value for name in group for value in columns[name].said}

    def is_annotator(column: Column) -> bool:
        of_others = sum(n for value, n in column.said.items() if value in labels)
        return of_others >= 2 and of_others >= ALSO_LABELS * sum(column.said.values())

    return [
        name
        for name, column in columns.all.items()
        if name in group
        or (name not in taken and column.is_free and not column.words & ASIDE_WORDS and is_annotator(column))
    ]


def is_about(column: Column) -> bool:
    """Say whether a column is called like what is known of units or people, or computed of labels."""
    first, *more = words_of(column.name) or [""]
    about = ABOUT_WORDS - ALSO_NAMES if not more else ABOUT_WORDS
    is_asked = first in ASKING and bool(more)
    return not OF_PERSON.fullmatch(column.name) and (bool(column.words & about) or is_asked)


NUMBERED = re.compile(r"(\D+?)[-_ ]?\d+|(\D{2,}?)[-_ ][^\W\d_]")


def drop_computed_columns(columns: TableColumns, group: Sequence[str]) -> list[str]:
    """Return the annotators among columns that share values: no sum of others, called as most are."""
    computed = _computed(columns, group)
    if len(computed) == len(group) and _is_how_two_differ(columns, group[-1], group):
        computed = computed[-1:]  # each of three says whether the others are the same
    own = [name for name in group if name not in computed]
    before = [match[1] or match[2] if (match := NUMBERED.fullmatch(name)) else None for name in own]
    common = max(set(before) - {None}, key=before.count, default=None)
    alike = [name for name, first in zip(own, before, strict=True) if first is not None and first == common]
    return alike if len(alike) > 2 and 2 * len(alike) > len(own) else own


def _computed(columns: TableColumns, group: Sequence[str]) -> list[str]:
    """Return which columns are the sum, the mean or an extreme of the others, or how two of them differ."""
    found = [columns[name].by_row for name in group]
    by_row = [numbers for numbers in found if numbers is not None]
    if len(group) <= 2 or len(by_row) < len(group):
        return []
    table = np.stack(by_row)
    table = table[:, ~np.isnan(table).all(axis=0)]
    known = ~np.isnan(table)
    numbers = np.where(known, table, 0.0)
    sums = numbers.sum(axis=0) - numbers
    times = known.sum(axis=0) - known
    means = np.divide(sums, times, out=np.full_like(sums, np.nan), where=times > 0)

    def is_made(place: int, name: str) -> bool:
        made = [sums[place], means[place]]
        if columns[name].words & ALSO_NAMES:
            others = np.delete(table, place, axis=0)
            made += [np.fmax.reduce(others), np.fmin.reduce(others)]
        return any(bool((np.abs(table[place] - values) < ROUNDED).mean() >= KEY) for values in made)

    return [
        name
        for place, name in enumerate(group)
        if is_made(place, name) or _is_how_two_differ(columns, name, group)
    ]


def _is_how_two_differ(columns: TableColumns, name: str, group: Sequence[str]) -> bool:
    """Say whether a column is how two others of a group differ."""
    if len(group) > MOST_DIFFERING:
        return False
    numbers = {other: found for other in group if (found := columns[other].by_row) is not None}
    pairs = combinations([other for other in numbers if other != name], 2)
    return name in numbers and any(
        _is_difference(numbers[name], numbers[one], numbers[other]) for one, other in pairs
    )


def _is_difference(column: Numbers, one: Numbers, other: Numbers) -> bool:
    """Say whether a column is how two others differ, or whether they are the same, in each row.

    Someone who labels differently from two who agree, whatever these say, is no third annotator.
    """
    known = ~np.isnan(column + one + other)
    column, one, other = column[known], one[known], other[known]
    same = (one == other).astype(np.float64)
    for values in (one - other, other - one, np.abs(one - other), same, 1 - same):
        against = (same > 0) & (values != one)
        if int(against.sum()) > 1 and column.min() != column.max() and bool((column == values).all()):
            return True
    return False


ROUNDED = 0.06
# With more columns than these nobody looks how each two differ.
MOST_DIFFERING = 8


def columns_with_own_values(columns: TableColumns, group: Sequence[str]) -> list[str]:
    """Return the columns of numbers of which a good part are values that no other has, who share theirs."""
    if len(group) <= 2 or any(columns[name].numbers is None or is_somebody(name) for name in group):
        return []
    if max(columns[name].distinct for name in group) > ENOUGH:
        return []

    def alone(name: str, among: Sequence[str]) -> float:
        values = {value for other in among if other != name for value in columns[other].said}
        said = columns[name].said
        return sum(n for value, n in said.items() if value not in values) / sum(said.values())

    strange = [name for name in group if alone(name, group) > CLEAR]
    rest = [name for name in group if name not in strange]
    return strange if len(strange) == 1 and all(alone(name, rest) == 0 for name in rest) else []


def _is_one_of_many(columns: TableColumns, group: Sequence[str], candidates: Sequence[str]) -> bool:
    """Say whether columns that share their values are but some of those that could be labels.

    Then, or where a column is called like one that names annotators, the table describes something else.
    """
    others = [name for name in candidates if name not in group and not is_reference(name)]
    names_them = any(
        column.words & ANNOTATOR_WORDS and name not in group and not column.is_text and not _is_gold(column)
        for name, column in columns.all.items()
    )
    return len(others) > len(group) or names_them


QUESTION = re.compile(
    r"(?:q|question|frage|pregunta|item|aspect|dimension|criterion)[-_ ]?\d+\w?|(?:[a-z]\d+)?q\d+(?:\[\w+\])?"
    r"|\d+[.)]\s+\S.*|.*\?",
    re.IGNORECASE,
)


# How Mechanical Turk calls what people answer in a form.
OF_FORM = "Answer."


def is_question(name: str) -> bool:
    """Say whether a name is that of a question, and of nobody."""
    if QUESTION.fullmatch(name) or len(name.split()) >= MANY_WORDS or name.startswith(OF_FORM):
        return True
    return bool(set(words_of(name)) & QUESTION_WORDS) and not is_somebody(name)


def is_somebody(name: str) -> bool:
    """Say whether a name is that of an annotator: "A1", "rater_2", "annotatrice B"."""
    return bool(OF_PERSON.fullmatch(name)) or bool(set(words_of(name)) & ANNOTATOR_WORDS)


def _is_people(shape: Shape) -> bool:
    return bool(shape.grid) or not any(is_question(name) for name in shape.labels)


def _grid(
    columns: TableColumns,
    names: Sequence[str],
    others: Collection[str],
    units: tuple[str, ...],
    document: str | None,
) -> Shape | None:
    """Return a wide table whose headers name annotator and question, None where they do not."""
    every = [name for name in columns.all if name not in others]
    for sign, parts in grids(every):
        firsts = list(dict.fromkeys(first for first, _ in parts))
        seconds = list(dict.fromkeys(second for _, second in parts))
        layer = _which_are_questions(columns, parts, firsts, seconds)
        if layer is None:
            continue
        questions, people = (firsts, seconds) if layer == 0 else (seconds, firsts)
        grid = {
            question: {
                person: name
                for person in people
                if (name := parts.get((question, person) if layer == 0 else (person, question)))
            }
            for question in questions
        }
        grid = {
            question: own
            for question, own in grid.items()
            # What each annotator said is an answer, also where it is called "language" or "length".
            if sum(name in names or _varies(columns[name]) for name in own.values()) >= 2
        }
        if not grid:
            continue
        pattern = f"{{layer}}{sign}{{annotator}}" if layer == 0 else f"{{annotator}}{sign}{{layer}}"
        used = tuple(name for own in grid.values() for name in own.values())
        whole = all(columns[name].distinct and columns[name].counts.keys() <= INDICATED for name in used)
        indicators = tuple(grid) if whole and len(grid) > 2 else ()
        return Shape(units, None, used, document, headers=pattern, grid=grid, indicators=indicators)
    return None


def _varies(column: Column) -> bool:
    """Say whether the cells of a column may be labels, of which there are several."""
    return column.distinct > 1 and column.may_be_label() and not counts_rows(column)


def undecided_grid(names: Sequence[str]) -> str | None:
    """Return the sign between the two parts of headers where each of one kind has each of the other."""
    for sign, parts in grids(names):
        firsts, seconds = ({pair[place] for pair in parts} for place in (0, 1))
        if len(parts) == len(names) == len(firsts) * len(seconds):
            return sign
    return None


# What a label is marked with where others are left empty.
MARKS = {"x", "X", "1", "✓", "✔"}
INDICATED = {"0", "1", "true", "false", "TRUE", "FALSE", "True", "False", "x", "X"}


def _which_are_questions(
    columns: TableColumns, parts: Mapping[tuple[str, str], str], firsts: Sequence[str], seconds: Sequence[str]
) -> int | None:
    """Return which part of headers is the question, None where nothing says so."""

    def shared(by: int) -> float:
        """Return how much two columns share their labels that have one part in common."""
        pairs = [
            (columns[one], columns[other])
            for (first, one), (second, other) in combinations(parts.items(), 2)
            if first[by] == second[by] and columns[one].may_be_label() and columns[other].may_be_label()
        ]
        said = [(one.said.keys(), other.said.keys()) for one, other in pairs]
        same = sum(len(one & other) / len(one | other) for one, other in said)
        return (sum(share_labels(*pair) for pair in pairs) + same) / (2 * len(pairs)) if pairs else 0.0

    asked = [sum(map(is_question, names)) / len(names) for names in (firsts, seconds)]
    somebody = [sum(map(is_somebody, names)) / len(names) for names in (firsts, seconds)]
    together = [shared(0), shared(1)]
    says = [asked[0] + somebody[1] + together[0], asked[1] + somebody[0] + together[1]]
    if max(together) < HALF or abs(says[0] - says[1]) < CLEAR:
        return None
    return 0 if says[0] > says[1] else 1
