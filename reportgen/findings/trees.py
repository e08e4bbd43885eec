"""Where do annotators attach words to other heads? The relation, or the part of speech, that stands out."""

from collections.abc import Iterator, Sequence

from reportgen.findings.layer_facts import LEVEL, Facts, FindingTemplate
from reportgen.results import Finding
from reportgen.results.trees import DifferingHeads, TreeAgreement

# A relation is named that has a quarter of all differing heads more than its words would have.
EXCESS, LEAST = 0.25, 10
HEADS = FindingTemplate("differing-heads", "warning", "trees", cases=("words",))
OF_RELATION = HEADS.saying(
    "{difference_share} of the {differing} differing heads are of words that are {relation}: on {words} of "
    "{all} such words heads differ.",
    "Decide what {relation} is attached to, and write it into the guidelines with examples.",
)
OF_SPEECH = HEADS.saying(
    "{difference_share} of the {differing} differing heads are of words that are {speech}: on {words} of "
    "{all} such words heads differ.",
    "Decide what {speech} is attached to, and write it into the guidelines with examples.",
)
CONFUSED = FindingTemplate("relations-confused", "note", "trees", cases=("words",)).saying(
    "Of words with the same head, {first} and {second} are confused most often: {words} of {all}.",
    "Decide how to tell {first} from {second}.",
)


def heads(facts: Facts) -> Iterator[Finding]:
    """Yield the relation, else the part of speech, on which heads differ far more often than elsewhere."""
    own = _trees(facts)
    if own is None or own.differing < LEAST:
        return
    relation = _most(own, own.by_relation)
    speech = _most(own, own.by_part_of_speech)
    if relation:
        yield OF_RELATION.finding(relation=relation.name, **_values(own, relation))
    elif speech:
        yield OF_SPEECH.finding(speech=speech.name, **_values(own, speech))


def confused(facts: Facts) -> Iterator[Finding]:
    """Yield the two relations that are confused on most words with the same head, where they are many."""
    own = _trees(facts)
    pairs = own.relations_confused if own else ()
    every = sum(pair.words for pair in pairs)
    if every >= LEAST and len(pairs) > 1 and pairs[0].words >= 2 * EXCESS * every:
        first = pairs[0]
        yield CONFUSED.finding(first=first.first, second=first.second, words=first.words, all=every)


def _trees(facts: Facts) -> TreeAgreement | None:
    return next((own for own in facts.results.trees or () if own.layer == facts.layer), None)


def _most(own: TreeAgreement, parts: Sequence[DifferingHeads]) -> DifferingHeads | None:
    """Return what has most differing heads beyond those of the other words, where that is no chance."""
    tested = [(part.p, part) for part in parts if part.p is not None]
    named = [
        part
        for p, part in tested
        if p * len(tested) < LEVEL and part.words < own.words and _excess(own, part) >= EXCESS * own.differing
    ]
    if not named:
        return None
    most = max(_excess(own, part) for part in named)
    # Where one says another relation each time, the one that is on more words says more.
    return max((part for part in named if _excess(own, part) >= 0.9 * most), key=_words)


def _words(part: DifferingHeads) -> int:
    return part.words


def _excess(own: TreeAgreement, part: DifferingHeads) -> float:
    """Return how many differing heads it has beyond the rate of all other words."""
    others = own.words - part.words
    return part.differing - (own.differing - part.differing) / others * part.words


def _values(own: TreeAgreement, part: DifferingHeads) -> dict[str, int | float]:
    return {
        "difference_share": part.differing / own.differing,
        "differing": own.differing,
        "words": part.differing,
        "all": part.words,
    }
