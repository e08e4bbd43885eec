"""On which scale labels are, by what they are: names, ranks, numbers or sets, and what speaks for it."""

import ast
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Literal

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import alternatives

ScaleName = Literal["nominal", "ordinal", "interval", "ratio", "set"]

# What annotators were asked with, where the export tells: a choice of one or of several, a rating, a number
# (a slider too), a place in a ranking; or the kind of a mark, which is a name whatever it is called.
Control = Literal["choice", "choices", "rating", "number", "ranking", "kind"]
# The scale of what numbers such a control takes, and what these are.
OF_CONTROL: Mapping[Control, tuple[ScaleName, str]] = {
    "rating": ("ordinal", "ratings"),
    "number": ("interval", "numbers"),
    "ranking": ("ordinal", "places in a ranking"),
}

# What stands for a missing label among names, where "none" is often a category, and "-" is one beside "+".
MISSING_NAMES = frozenset(
    (
        "n/a",
        "#n/a",
        "na",
        "<na>",
        "n.a.",
        "nan",
        "null",
        "-",
        "--",
        "missing",
        "k.a.",
        "nsp",
        "not applicable",
    )
)
# What Python writes for nothing.
NOTHING = "None"
LOOKS_MISSING = MISSING_NAMES | {"?"}
# What stands for one among numbers and words of a known order too.
SAYS_MISSING = LOOKS_MISSING | frozenset(
    (
        *("none", "don't know", "don’t know", "dont know", "dk", "can't tell", "can’t tell", "cannot tell"),
        *("cannot judge", "skip", "skipped", "no answer", "ne sait pas", "je ne sais pas", "sans réponse"),
        *("weiß nicht", "weiss nicht", "keine angabe", "no sé", "no sabe", "ns/nc", "sin respuesta"),
    )
)
# Signs that stand for one among numbers: Krippendorff's asterisk, and the point of SAS, SPSS and Stata.
MISSING_NUMBERS = frozenset(("*", "."))
# Numbers that stand for a missing one beside ranks, which are far from them.
NO_RANK = frozenset(
    (
        77,
        88,
        97,
        98,
        99,
        888,
        997,
        998,
        999,
        9999,
        *(-code for code in (7, 8, 9, 77, 88, 97, 98, 99, 999, 9999)),
    )
)
# Numbers that may stand for one, and may be labels: beside 1 to 5, but not beside 1 to 8.
CODES = NO_RANK | {-2, -1, 8, 9, 66}
FAR, WIDEST_SLIDER, MOST_APART = 5, 100, 2
OPPOSITES = ("+", "++")
# With two values every scale gives the same figures.
LEAST_RANKS = 3
LEAST_OTHERS = 2
# Ranks are whole numbers that are so far from each other and from 0 at most.
WIDEST = 10
YEARS = range(1800, 2101)
# Identifiers and codes of an inventory have so many digits each.
LEAST_DIGITS = 3
MOST_SHOWN = 12
NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
COMMA_NUMBER = re.compile(r"([+-]?[0-9]+)(?:,([0-9]+))?")
LEADING_ZERO = re.compile(r"[+-]?0[0-9]+")
# "1 - strongly disagree", "3 (neutral)", "4 stars": a rank and what it means; "Grade 2", "4/5", "★★☆".
NUMBERED = re.compile(
    r"([+-]?[0-9]+)\s*(?:[-–—:.)=(]|stars?\b|sterne?\b|étoiles?\b|estrellas?\b)\s*(.*)", re.IGNORECASE
)
GRADED = re.compile(
    r"(grade|level|stage|score|rating|rank|degree|niveau|degré|stufe|grad|nivel|grado)[ _-]?([0-9]+)",
    re.IGNORECASE,
)
OUT_OF = re.compile(r"([0-9]+) ?/ ?([0-9]+)")
STARS = re.compile(r"[★⭐*]*[☆✩]*")


@dataclass(frozen=True)
class FoundScale:
    """The scale that labels are on, and why.

    - `evidence`: what the labels are, to be read after "labels are": "whole numbers from 1 to 5".
    - `order`: the categories from the lowest to the highest where these are words.
    - `separator`: what separates the members of sets, LISTS where labels are lists in brackets.
    - `missing`: labels that stand for a missing one.
    - `coded`: labels that may stand for a missing one, and may be labels.
    - `doubt`: what else the labels could be; empty where nothing.
    - `could_be`: the categories from the lowest to the highest, if words that may be names are ranks.
    - `ends`: the lowest and the highest of ranks and numbers.
    - `called`: what the column of the labels is called; None where a tool's control says the scale.
    """

    scale: ScaleName = "nominal"
    evidence: str = "names"
    order: tuple[str, ...] = ()
    separator: str | None = None
    missing: tuple[str, ...] = ()
    doubt: str = ""
    could_be: tuple[str, ...] = ()
    ends: tuple[str, str] = ("", "")
    coded: tuple[str, ...] = ()
    called: str | None = None

    @property
    def kind(self) -> Literal["words", "ranks", "numbers", "sets"]:
        """Say what labels are that are no names."""
        if self.scale == "set":
            return "sets"
        if self.order:
            return "words"
        return "ranks" if self.scale == "ordinal" else "numbers"

    @property
    def sentence(self) -> str:
        """Say the scale and why, in one sentence."""
        doubt = f" {self.doubt}" if self.doubt else ""
        return f"Scale {self.scale}: labels are {self.evidence}.{doubt}{self.absence}"

    @property
    def absence(self) -> str:
        """Say which labels are counted as missing ratings, after a blank; nothing where none is."""
        if not self.missing:
            return ""
        what = "is a missing rating" if len(self.missing) == 1 else "are missing ratings"
        return f" {alternatives(self.missing, 'and')} {what}; a label is named among the categories."


COULD_BE_NAMES = 'If they are names, the scale is "nominal".'
COULD_BE_ORDERED = (
    'If the order of words counts ({order}), the scale is "ordinal", with the categories in their order.'
)
COULD_BE_RANKS = 'If their order counts, the scale is "ordinal" or "interval".'


def find_scale(
    labels: Mapping[str, int],
    called: str = "",
    categories: Collection[str] = (),
    control: Control | None = None,
) -> FoundScale:
    """Return the scale that labels are on, each given with how often it occurs.

    `called` is the name of their column, which tips the balance where numbers could be names. What is among
    the declared `categories` is a label, also where it looks missing. The `control` by which annotators gave
    the labels says it wherever the labels are what it takes.
    """
    used = {label: times for label, times in labels.items() if label.strip()}
    if control is not None:
        # The scale of what a control of the tool takes. Each label was chosen, so none means missing.
        if control == "kind":
            return FoundScale()
        found = replace(_of_labels(used, ""), missing=())
        if control == "choices":
            return FoundScale("set", "sets, as annotators could choose several")
        if control == "choice":
            # A sign within the only label that was chosen separates nothing.
            return FoundScale() if found.scale == "set" else found
        values = sorted(value for label in used if (value := number_of(label)) is not None)
        if not values or len(values) < len(used):
            return found
        scale, what = OF_CONTROL[control]
        ends = shortest(values[0]), shortest(values[-1])
        evidence = f"{what} from {ends[0]} to {ends[1]}, as the tool asked for"
        return FoundScale(scale, evidence, ends=ends)
    found = _of_labels(used, called)
    missing, coded = (
        tuple(label for label in labels if label not in categories) for labels in (found.missing, found.coded)
    )
    return replace(found, missing=missing, coded=coded, called=called)


def find_scale_told(found: FoundScale, labels: Mapping[str, int], absent: Mapping[str, bool]) -> FoundScale:
    """Return the scale of labels of which somebody said which stand for a missing one, and which do not."""
    gone = [label for label in labels if absent.get(label)]
    if gone and found.called is not None:
        others = {label: times for label, times in labels.items() if label not in gone}
        found = replace(find_scale(others, found.called), missing=found.missing)
    missing = tuple(label for label in dict.fromkeys((*found.missing, *gone)) if absent.get(label, True))
    if absent.keys().isdisjoint(found.coded):
        return replace(found, missing=missing)
    return replace(found, missing=missing, coded=(), doubt="")


def spellings(labels: Mapping[str, int]) -> dict[str, str]:
    """Return the commonest spelling of each label that differs from it by case and white space alone."""
    alike: dict[str, list[str]] = {}
    for label in sorted(labels, key=lambda label: (-labels[label], label)):
        alike.setdefault(" ".join(label.split()).casefold(), []).append(label)
    return {other: first for first, *others in alike.values() for other in others}


def _of_labels(used: Mapping[str, int], called: str) -> FoundScale:
    # The labels that stand for a missing one among names: nothing where hardly another is left.
    absent = tuple(
        label
        for label in used
        if label.strip().casefold() in MISSING_NAMES
        and not (label.strip() == "-" and any(sign in used for sign in OPPOSITES))
    )
    names = absent if len(used) - len(absent) > 1 else ()
    if any(len(getattr(label, "members", ())) > 1 for label in used):
        return FoundScale("set", "sets", missing=names)
    if (separator := separator_of(used)) is not None:
        what = "lists" if separator == LISTS else f'sets, whose members are separated by "{separator}"'
        return FoundScale("set", what, separator=separator, missing=names)
    absent = tuple(label for label in used if label.strip().casefold() in SAYS_MISSING)
    present = [label for label in used if label not in absent]
    signs = [label for label in present if label.strip() in MISSING_NUMBERS]
    if signs and all(label in signs or number_of(label) is not None for label in present):
        absent += tuple(signs)
        present = [label for label in present if label not in signs]
    absent += (coded := tuple(no_ranks(present)))
    present = [label for label in present if label not in coded]
    numbers = {label: number_of(label) for label in present}
    if present and all(value is not None for value in numbers.values()):
        own = {label: value for label, value in numbers.items() if value is not None}
        found = _of_numbers(own, called)
        by_value = sorted(own, key=own.__getitem__)
        maybe = tuple(_codes(own))
        if found.scale == "interval" and maybe and len(own) - len(maybe) < LEAST_RANKS:
            found = FoundScale(evidence=f"{found.evidence}, some of which are far from the others")
        missing = absent if len(own) > 1 else (*names, *signs, *coded)
        return _with_codes(replace(found, missing=missing, ends=(by_value[0], by_value[-1])), maybe)
    if order := _known_order(present):
        evidence = f"words of a known order, {' < '.join(order[:MOST_SHOWN])}"
        return FoundScale("ordinal", evidence, tuple(order), missing=absent, ends=(order[0], order[-1]))
    words, doubt = _without_words(used, numbers, called)
    could_be = () if doubt else _order_in_doubt(present)
    found = FoundScale(missing=names, doubt=_ordered(could_be, present) or doubt, could_be=could_be)
    if words:
        return replace(found, coded=words)
    return _with_codes(found, (*_codes_among_words(numbers), *_words_among_names(used, names)))


MOST_WORDS = 2


def _without_words(
    used: Mapping[str, int], numbers: Mapping[str, float | None], called: str
) -> tuple[tuple[str, ...], str]:
    """Return a few words among numbers, and the doubt whether they are labels; nothing where none are."""
    own = {label: value for label, value in numbers.items() if value is not None}
    words = [label for label in numbers if label not in own]
    times = sum(used[label] for label in words)
    if not words or len(words) > MOST_WORDS or len(own) < LEAST_RANKS or 2 * times > sum(used.values()):
        return (), ""
    found = _of_numbers(own, called)
    if found.scale == "nominal":
        return (), ""
    return tuple(words), f"{_if_missing(words)}: the other labels are {found.evidence}."


def _if_missing(labels: Sequence[str]) -> str:
    """Return what to write if labels stand for missing ones, without its end."""
    listed = ", ".join(json.dumps(label, ensure_ascii=False) for label in labels)
    stand = "stand for missing ratings" if len(labels) > 1 else "stands for a missing rating"
    return f"If {alternatives(labels, 'and')} {stand}, write missing = [{listed}]"


def _with_codes(found: FoundScale, coded: tuple[str, ...]) -> FoundScale:
    """Return a scale of numbers with those that may stand for a missing one, and that doubt."""
    doubt = " ".join(filter(None, (f"{_if_missing(coded)}." if coded else "", found.doubt)))
    return replace(found, coded=coded, doubt=doubt)


def _codes(values: Mapping[str, float]) -> Iterator[str]:
    """Yield numbers that may stand for a missing rating: 9 beside 1 to 5, farther than others are apart.

    So may negative ones beside three others or more; but scales with two poles go as far on both sides.
    """
    others = sorted(set(values.values()) - CODES)
    if len(others) < LEAST_OTHERS:
        return
    low, high = others[0], others[-1]
    widest = max(after - before for before, after in pairwise(others))
    below = {label: low - value for label, value in values.items() if value < low}
    above = {label: value - high for label, value in values.items() if value > high}
    has_poles = bool(below) and low - max(below.values()) == -high
    if (
        below
        and not has_poles
        and (min(below.values()) > widest or (low >= 0 and len(others) >= LEAST_RANKS))
    ):
        yield from below
    if above and min(above.values()) > widest:
        yield from above


def _codes_among_words(numbers: Mapping[str, float | None]) -> Iterator[str]:
    """Yield the numbers that may stand for a missing rating where all other labels are words."""
    codes = [label for label, value in numbers.items() if value is not None]
    others = [label for label, value in numbers.items() if value is None and label.strip()]
    if len(others) >= LEAST_OTHERS and all(number_of(label) in CODES for label in codes):
        yield from codes


def _words_among_names(labels: Collection[str], missing: Collection[str]) -> Iterator[str]:
    """Yield words that may stand for a missing rating among names: "don't know", and what Python writes.

    Where all names begin with a capital, "None" is one of them; "none" is one everywhere.
    """
    words = [label for label in labels if label.strip().casefold() in SAYS_MISSING - LOOKS_MISSING]
    others = [label for label in labels if label not in words and label not in missing]
    if len(others) > 1:
        for label in words:
            is_name = label.strip().casefold() == NOTHING.casefold() and (
                label.strip() != NOTHING or all(map(str.istitle, others))
            )
            if not is_name:
                yield label


def no_ranks(labels: Sequence[str]) -> list[str]:
    """Return numbers that stand for a missing rating beside ranks: "-99" or "999" beside 1 to 5.

    So does "-1" beside ranks from 1 on, where nobody used 0.
    """
    numbers = {label: number_of(label) for label in labels}
    ranks = sorted({value for value in numbers.values() if value is not None} - NO_RANK)
    if ranks[:1] == [-1] and ranks[1:2] == [1] and _are_in_a_row(ranks[1:]) and len(ranks) > LEAST_RANKS:
        del ranks[0]
    if len(ranks) < LEAST_RANKS or None in numbers.values() or max(map(abs, ranks)) > WIDEST_SLIDER:
        return []
    are_dense = max(after - before for before, after in pairwise(ranks)) <= MOST_APART
    whole = all(rank.is_integer() for rank in ranks)

    def is_code(value: float) -> bool:
        if value < 0:
            # Measurements with two poles may go so far.
            return value < ranks[0] - FAR and (whole or ranks[0] >= 0)
        if value <= WIDEST_SLIDER:
            # 99 may be a place on a slider of which little was used.
            return whole and are_dense and FAR + ranks[-1] < value and ranks[-1] <= WIDEST
        return value > ranks[-1] + (FAR if ranks[-1] <= WIDEST else WIDEST_SLIDER)

    return [
        label
        for label, value in numbers.items()
        if value is not None and value not in ranks and (value == -1 or is_code(value))
    ]


def _are_in_a_row(numbers: Sequence[float]) -> bool:
    """Say whether sorted numbers are whole, and each is one more than that before it."""
    return all(number.is_integer() for number in numbers) and numbers[-1] - numbers[0] == len(numbers) - 1


def number_of(label: str) -> float | None:
    """Return the number that a label is, with a point or none; None where it is no number."""
    return float(label) if NUMBER.fullmatch(label.strip()) else None


NAME_WORDS = frozenset(
    (
        "code",
        "codes",
        "class",
        "klasse",
        "classe",
        "clase",
        "category",
        "categorie",
        "kategorie",
        "id",
        "topic",
        "tag",
        "type",
        "year",
        "zip",
    )
)
SCORE_WORDS = frozenset(
    (
        "score",
        "scores",
        "rating",
        "ratings",
        "percent",
        "percentage",
        "confidence",
        "likert",
        "note",
        "punkte",
        "wert",
        "valor",
        "nota",
        "slider",
        "vas",
    )
)


def _of_numbers(values: Mapping[str, float], called: str) -> FoundScale:  # noqa: PLR0911 - a rule each
    """Return the scale of labels all of which are numbers."""
    words = set(words_of(called))
    low, high = min(values.values()), max(values.values())
    span = f"from {shortest(low)} to {shortest(high)}"
    if any(LEADING_ZERO.fullmatch(label.strip()) for label in values):
        return FoundScale(evidence="numbers with zeros before them, which are names")
    whole = all(value.is_integer() for value in values.values())
    if len(set(values.values())) < LEAST_RANKS:
        return FoundScale(evidence=f"{' and '.join(sorted(values))}, which are names")
    if not whole:
        return FoundScale("interval", f"numbers {span}", doubt="")
    if all(int(value) in YEARS for value in values.values()) and not words & SCORE_WORDS:
        return FoundScale(evidence=f"years {span}, which are names", doubt=COULD_BE_RANKS)
    if high - low <= WIDEST and max(abs(low), abs(high)) <= WIDEST:
        return FoundScale("ordinal", f"whole numbers {span}, few enough to be ranks", doubt=COULD_BE_NAMES)
    digits = {len(label.strip().lstrip("+-")) for label in values}
    if len(digits) == 1 and min(digits) >= LEAST_DIGITS and not words & SCORE_WORDS:
        what = f"numbers of {min(digits)} digits each, which are codes"
        return FoundScale(evidence=what, doubt=COULD_BE_RANKS)
    if words & NAME_WORDS and not words & SCORE_WORDS:
        return FoundScale(evidence=f'numbers in "{called}", which are codes', doubt=COULD_BE_RANKS)
    return FoundScale("interval", f"numbers {span}", doubt=COULD_BE_NAMES)


def shortest(value: float) -> str:
    """Return a number as people write it."""
    return str(int(value)) if value.is_integer() else f"{value:g}"


# Words of a known order, from the lowest to the highest.

# What has one place is apart by bars; an order each paragraph, in English, French, German and Spanish.
ORDERS = """
strongly disagree|completely disagree|totally disagree < disagree|mostly disagree < somewhat
disagree|slightly disagree|rather disagree < neutral|neither agree nor disagree|neither|undecided|neither
nor < somewhat agree|slightly agree|rather agree < agree|mostly agree < strongly agree|completely
agree|totally agree

none|zero < very low|lowest < low < medium low < medium|moderate|mid|middle|average < medium high < high <
very high|highest

none < very small|tiny < small < medium|moderate < large|big < very large|huge

never < almost never|hardly ever|very rarely < rarely|seldom < occasionally < sometimes < often|frequently <
usually|mostly|very often < almost always|nearly always < always

very poor|terrible|very bad|awful < poor|bad < fair|mediocre|acceptable|ok|okay|average|satisfactory < good
< very good|great < excellent|perfect|outstanding

not at all|none < slightly|a little|a bit < somewhat|moderately|partially|partly <
mostly|quite|very|considerably < completely|extremely|fully|totally|very much

very unlikely|extremely unlikely < unlikely|somewhat unlikely < neutral|neither < likely|somewhat likely <
very likely|extremely likely

very dissatisfied < dissatisfied|unsatisfied < neutral < satisfied < very satisfied

none|no|absent < minimal|trace < mild|slight < moderate < severe|marked < very severe|extreme|profound

very easy < easy < medium|moderate|neutral < difficult|hard < very difficult|very hard

irrelevant|not relevant < marginally relevant|slightly relevant < partially relevant|partly
relevant|somewhat relevant < relevant|fairly relevant < highly relevant|very relevant|perfectly relevant

very negative|strongly negative < negative < somewhat negative|slightly negative < neutral < somewhat
positive|slightly positive < positive < very positive|strongly positive

not important < slightly important < moderately important < important < very important < extremely important

a1 < a2 < b1 < b2 < c1 < c2

zero < one < two < three < four < five < six < seven < eight < nine < ten

first < second < third < fourth < fifth

pas du tout d accord|tout a fait en desaccord|fortement en desaccord < pas d accord|en desaccord|plutot pas
d accord|plutot en desaccord < neutre|ni d accord ni pas d accord|ni d accord ni en desaccord|indecis|sans
opinion < plutot d accord|d accord|assez d accord < tout a fait d accord|fortement d accord

pas du tout d accord < plutot pas d accord < neutre < plutot d accord < d accord < tout a fait d accord

nul|aucun < tres faible|tres bas < faible|bas|basse < moyen|moyenne|modere|moderee <
eleve|elevee|fort|forte|haut|haute < tres eleve|tres elevee|tres fort|tres forte

jamais < presque jamais|tres rarement < rarement < parfois|quelquefois|de temps en temps < souvent < tres
souvent|generalement < presque toujours < toujours

tres mauvais|tres mauvaise|nul < mauvais|mauvaise < passable|moyen|moyenne|acceptable < bon|bonne|assez bien
< tres bon|tres bonne|bien < excellent|excellente|tres bien

pas du tout < un peu|peu < moyennement|assez|partiellement < beaucoup|tres < extremement|tout a
fait|completement|totalement

zero < un < deux < trois < quatre < cinq < six < sept < huit < neuf < dix

petit < moyen < grand < tres grand

stimme gar nicht zu|stimme uberhaupt nicht zu|trifft gar nicht zu|trifft uberhaupt nicht zu < stimme nicht
zu|lehne ab|trifft nicht zu < stimme eher nicht zu|trifft eher nicht zu < neutral|weder noch|teils
teils|unentschieden < stimme eher zu|trifft eher zu < stimme zu|trifft zu < stimme voll zu|stimme voll und
ganz zu|stimme vollig zu|trifft voll zu|trifft voll und ganz zu

keine|kein < sehr niedrig|sehr gering < niedrig|gering < mittel|mittelmassig|massig < hoch < sehr hoch

nie|niemals < fast nie|sehr selten < selten < gelegentlich < manchmal < oft|haufig < meistens|sehr oft <
fast immer < immer

sehr schlecht|ungenugend < schlecht|mangelhaft < mittel|mittelmassig|ausreichend|befriedigend < gut < sehr
gut < ausgezeichnet|hervorragend

gar nicht|uberhaupt nicht < kaum|wenig|ein wenig|etwas < mittel|teilweise|massig < ziemlich|stark|viel <
sehr|vollig|vollstandig

null < eins < zwei < drei < vier < funf < sechs < sieben < acht < neun < zehn

klein < mittel < gross < sehr gross

muy en desacuerdo|totalmente en desacuerdo|completamente en desacuerdo < en desacuerdo < algo en desacuerdo
< neutral|neutro|ni de acuerdo ni en desacuerdo|indeciso < algo de acuerdo < de acuerdo < muy de
acuerdo|totalmente de acuerdo|completamente de acuerdo

ninguno|ninguna|nulo < muy bajo|muy baja < bajo|baja < medio|media|moderado|moderada < alto|alta < muy
alto|muy alta

nunca < casi nunca|muy raramente < raramente|rara vez < ocasionalmente < a veces|algunas veces < a
menudo|frecuentemente < normalmente|muy a menudo|usualmente < casi siempre < siempre

muy malo|muy mala|pesimo < malo|mala < regular|aceptable < bueno|buena < muy bueno|muy buena < excelente

nada|en absoluto < poco|un poco < algo|moderadamente < bastante|mucho < totalmente|completamente|muchisimo

cero < uno < dos < tres < cuatro < cinco < seis < siete < ocho < nueve < diez

pequeno < mediano < grande < muy grande
"""
KNOWN_ORDERS = tuple(" ".join(order.split()) for order in ORDERS.split("\n\n"))

# The field takes these as names where nothing stronger or weaker is beside them: whether their order counts
# is asked. So it is where up to two other words are beside words of a known order.
SENTIMENTS = (
    "negative|neg < neutral|neu|mixed < positive|pos",
    "negatif|negative < neutre|mixte < positif|positive",
    "negativ < neutral|gemischt < positiv",
    "negativo|negativa < neutro|neutra|neutral|mixto < positivo|positiva",
)
# How many places the longest order has: of more labels two have the same, or one has none.
MOST_RANKS = max(order.count(" < ") for order in (*SENTIMENTS, *KNOWN_ORDERS)) + 1


def _order_in_doubt(labels: Sequence[str]) -> tuple[str, ...]:
    """Return labels in the order that their words may have, without words of no place; nothing for names."""
    plain = {label: _plain(label) for label in labels[: MOST_RANKS + MOST_WORDS + 1]}
    for ranks_of in _known_ranks() if len(plain) == len(labels) else ():
        places = {label: ranks_of.get(words) for label, words in plain.items()}
        known = sorted((rank, label) for label, rank in places.items() if rank is not None)
        others = [label for label, rank in places.items() if rank is None]
        if len({rank for rank, _ in known}) == len(known) >= LEAST_RANKS and len(others) <= MOST_WORDS:
            return tuple(label for _, label in known)
    return ()


def _ordered(order: Sequence[str], labels: Sequence[str]) -> str:
    """Return the doubt whether the order of words counts, an empty text where there is none."""
    if not order:
        return ""
    counts = COULD_BE_ORDERED.format(order=" < ".join(order[:MOST_SHOWN]))
    others = [label for label in labels if label not in order]
    place = f" Say where {alternatives(others, 'and')} belongs, or that it is missing." if others else ""
    return f"{counts}{place}"


def _known_order(labels: Sequence[str]) -> list[str]:
    """Return labels from the lowest to the highest where their words, or numbers before them, say it."""
    if len(labels) < LEAST_RANKS:
        return []
    if all(numbered := [_numbered(label.strip()) for label in labels]):
        ranks = [rank for _, rank in filter(None, numbered)]
        alike = len({what for what, _ in filter(None, numbered)}) == 1 and max(ranks) - min(ranks) <= WIDEST
        ordered = [label for _, label in sorted(zip(ranks, labels, strict=True))]
        return ordered if alike and len(set(ranks)) == len(ranks) else []
    plain = {label: _plain(label) for label in labels}
    if len(labels) > MOST_RANKS or any(
        {*plain.values()} <= ranks_of.keys() for ranks_of in _ranks_of(SENTIMENTS)
    ):
        return []
    degrees = {label: _degree(words) for label, words in plain.items()}
    if len({what for what, _ in degrees.values()}) == 1:
        ordered = sorted(degrees, key=lambda label: degrees[label][1])
        return ordered if len({rank for _, rank in degrees.values()}) == len(labels) else []
    for ranks_of in _known_ranks():
        places = {label: ranks_of.get(words) for label, words in plain.items()}
        known = [(rank, label) for label, rank in places.items() if rank is not None]
        if len(known) == len(labels) and len({rank for rank, _ in known}) == len(labels):
            return [label for _, label in sorted(known)]
    return []


def _numbered(label: str) -> tuple[str, int] | None:
    """Return what a label with a number counts, and its number: "4/5" has 4 of five, "Grade 2" 2 grades."""
    if match := NUMBERED.fullmatch(label):
        return "", int(match[1])
    if match := GRADED.fullmatch(label):
        return match[1].casefold(), int(match[2])
    if match := OUT_OF.fullmatch(label):
        return f"of {match[2]}", int(match[1])
    return ("stars", sum(label.count(star) for star in "★⭐*")) if label and STARS.fullmatch(label) else None


# How much of something: "not toxic", "slightly toxic", "toxic", "very toxic".
DEGREES = (
    ("not at all", "not", "non", "pas du tout", "pas", "gar nicht", "uberhaupt nicht", "nicht", "nada", "no"),
    ("slightly", "mildly", "a little", "a bit", "un peu", "peu", "legerement", "kaum", "wenig", "etwas"),
    ("somewhat", "moderately", "fairly", "partly", "partially", "assez", "plutot", "eher", "algo"),
    ("",),
    ("very", "highly", "strongly", "tres", "sehr", "muy"),
    ("extremely", "completely", "totally", "extremement", "totalement", "ausserst", "vollig", "totalmente"),
)


def _degree(words: str) -> tuple[str, int]:
    """Return what a label says, and how much of it, by the words before it."""
    degrees = [
        (len(degree), rank)
        for rank, names in enumerate(DEGREES)
        for degree in names
        if not degree or words.startswith(f"{degree} ")
    ]
    length, rank = max(degrees)
    return words[length:].strip(), rank


def _known_ranks() -> tuple[Mapping[str, int], ...]:
    return _ranks_of((*SENTIMENTS, *KNOWN_ORDERS))


@cache
def _ranks_of(orders: tuple[str, ...]) -> tuple[Mapping[str, int], ...]:
    return tuple(
        {words.strip(): rank for rank, place in enumerate(order.split(" < ")) for words in place.split("|")}
        for order in orders
    )


def _plain(text: str) -> str:
    """Return a text in small letters without accents, its words with one space between."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return " ".join(re.findall(r"\w+", "".join(sign for sign in letters if not unicodedata.combining(sign))))


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text, once each."""
    return frozenset(text.split())


def phrase_set(text: str) -> frozenset[str]:
    """Return what is between the commas of a text, once each."""
    return frozenset(" ".join(phrase.split()) for phrase in text.split(","))


def words_of(name: str) -> list[str]:
    """Return the words of a name, in small letters without accents: "workerId" has two."""
    apart = re.sub(r"(?<=[a-zà-ÿ])(?=[A-Z])", " ", name)
    return [part for word in _plain(apart).split() for part in re.split(r"[_\d]+", word) if part]


# What separates the members of labels that are sets.

LISTS = "[]"
SEPARATORS = ("|", ";")
# What may be between the labels of a set where it is known that labels are sets.
IN_SETS = (*SEPARATORS, ",", "/")
SHARE_OF_SETS = 0.05
LONGEST_MEMBER = 40
LIST = re.compile(r"\s*\[.*\]\s*", re.DOTALL)


def separator_of(labels: Mapping[str, int], among: Sequence[str] = (*SEPARATORS, ",")) -> str | None:
    """Return what separates the members of labels that are sets, None where labels are none.

    A good share of the labels has it, and most of the members come back in other labels: in running
    text they do not. A number with a decimal comma is no set.
    """
    if labels and all(as_list(label) is not None for label in labels):
        return LISTS
    total = sum(labels.values())
    for separator in among:
        with_separator = {label: count for label, count in labels.items() if separator in label}
        if (
            with_separator
            and sum(with_separator.values()) >= SHARE_OF_SETS * total
            and _members_recur(labels, separator)
            and not (separator == "," and are_decimal(labels))
        ):
            return separator
    return None


def as_list(label: str) -> list[str] | None:
    """Return the members of a label that is a list as JSON or Python write it, None of any other."""
    if not LIST.fullmatch(label):
        return None
    for read in (json.loads, ast.literal_eval):
        try:
            members = read(label.strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if isinstance(members, list) and all(isinstance(member, str | int | float) for member in members):
            return [str(member) for member in members]
    return None


def _members_recur(labels: Collection[str], separator: str) -> bool:
    sets = [{member.strip() for member in label.split(separator)} - {""} for label in labels]
    members = Counter(member for label_set in sets for member in label_set)
    if any(len(member) > LONGEST_MEMBER for member in members):
        return False
    in_larger_sets = [member for label_set in sets if len(label_set) > 1 for member in label_set]
    return sum(members[member] > 1 for member in in_larger_sets) >= max(0.5 * len(in_larger_sets), 1)


def without_missing(cells: Iterable[str]) -> set[str]:
    """Return what cells say that are numbers, without signs and words for nothing."""
    nothing = SAYS_MISSING | MISSING_NUMBERS | {""}
    return {cell for cell in cells if cell.casefold() not in nothing}


def decimal_fractions(labels: Iterable[str]) -> list[tuple[str, str]] | None:
    """Return what is before and behind the comma of numbers; None where any label is no number."""
    parts = [COMMA_NUMBER.fullmatch(label.strip()) for label in labels]
    if not parts or any(part is None for part in parts):
        return None
    return [(part[1], part[2] or "") for part in parts if part is not None]


def are_decimal(labels: Collection[str]) -> bool:
    """Say whether labels with commas are numbers: what is behind commas is not what is before them."""
    parts = decimal_fractions(labels)
    return parts is not None and any(after for _, after in parts) and not _may_be_sets(parts)


PERCENT = re.compile(r"([+-]?[0-9]+(?:[.,][0-9]+)?)\s*%")


def percentages(labels: Collection[str]) -> dict[str, str]:
    """Return the number of each percentage; nothing where any label is not a percentage."""
    matches = {label: PERCENT.fullmatch(label.strip()) for label in labels}
    if not all(matches.values()):
        return {}
    return {label: match[1].replace(",", ".") for label, match in matches.items() if match}


def are_sets_or_decimal(labels: Collection[str]) -> bool:
    """Say whether labels such as "1,2" may be sets as well as numbers."""
    parts = decimal_fractions(labels)
    return parts is not None and any(after for _, after in parts) and _may_be_sets(parts)


def _may_be_sets(parts: Iterable[tuple[str, str]]) -> bool:
    """Say whether numbers with commas may be sets: members rise, none is twice, and they recur alone."""
    both = [(before, after) for before, after in parts if after]
    alone = {before for before, after in parts if not after}
    values = {value for pair in both for value in pair}
    rising = all(int(before) < int(after) for before, after in both)
    return rising and len(values) < 2 * len(both) and (not alone or not values.isdisjoint(alone))
