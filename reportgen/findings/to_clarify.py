"""What guidelines should clarify: disputed forms, boundaries, labels that one alone uses."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from reportgen.results import Results, UnitSet
from reportgen.results.texts import Clarify, Disagreements, Form, LayerMarks, Texts

MOST_FORMS = 20
# A form has to be disputed this often to be a case for the guidelines and not for a slip.
OFTEN = 2


def clarify(results: Results, texts: Texts) -> tuple[Clarify, ...]:
    """Return for each layer what its guidelines should clarify, by its primary unit set."""
    layers = dict.fromkeys(unit_set.layer for unit_set in results.unit_sets)
    return tuple(_layer(results, texts, layer) for layer in layers)


def _layer(results: Results, texts: Texts, layer: str) -> Clarify:
    members = [unit_set for unit_set in results.unit_sets if unit_set.layer == layer]
    primary = next((unit_set for unit_set in members if unit_set.primary), members[0])
    disputed = next(
        disagreements
        for disagreements in texts.disagreements
        if (disagreements.layer, disagreements.unit_set) == (layer, primary.id)
    )
    marks = next((layer_marks for layer_marks in texts.layers if layer_marks.layer == layer), None)
    mark_disagreements = results.spans.disagreements_of(layer) if results.spans else None
    return Clarify(
        layer=layer,
        unit_set=primary.id,
        forms=tuple(_forms(texts, disputed)),
        boundaries=mark_disagreements.boundaries if mark_disagreements else (),
        alone=_alone(primary, marks),
    )


def _forms(texts: Texts, disputed: Disagreements) -> Iterator[Form]:
    """Yield the forms on which annotators differ again and again, the most frequent first."""
    labels: dict[str, Counter[str]] = defaultdict(Counter)
    units: Counter[str] = Counter()
    first: dict[str, int] = {}
    for number, unit in enumerate(disputed.units):
        text = texts.documents[unit.document].text if unit.document is not None else None
        if unit.text:
            form = _form(unit.text, [(0, len(unit.text))])
        elif text is not None and unit.spans:
            form = _form(text, unit.spans)
        else:
            continue
        units[form] += 1
        labels[form].update(unit.labels.values())
        first.setdefault(form, number)
    often = sorted((form for form in units if units[form] >= OFTEN), key=lambda form: (-units[form], form))
    for form in often[:MOST_FORMS]:
        yield Form(form=form, units=units[form], labels=dict(labels[form]), example=first[form])


def _form(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return the words of a unit in small letters, white space squeezed."""
    return " ".join(" … ".join(text[start:end] for start, end in spans).casefold().split())


def _alone(unit_set: UnitSet, marks: LayerMarks | None) -> dict[str, str]:
    """Return the categories, of sets the labels, that one annotator alone uses, of several who could.

    More than once, that is.
    """
    users = _users_of_marks(marks) if marks else _users_of_units(unit_set)
    return {
        category: next(iter(totals))
        for category, totals in sorted(users.items())
        if len(totals) == 1 and totals.total() >= OFTEN and len(unit_set.annotators) > 1
    }


def _users_of_marks(marks: LayerMarks) -> dict[str, Counter[str]]:
    users: dict[str, Counter[str]] = defaultdict(Counter)
    for document in marks.documents:
        for mark in document.marks:
            if mark.annotator not in marks.roles:
                users[mark.label][mark.annotator] += 1
    return users


def _users_of_units(unit_set: UnitSet) -> dict[str, Counter[str]]:
    users: dict[str, Counter[str]] = defaultdict(Counter)
    for pair in unit_set.pairs:
        for category in pair.labels or pair.confusion.categories:
            for name, total in zip(pair.annotators, pair.uses(category), strict=True):
                if total:
                    users[category][name] = max(users[category][name], total)
    return users
