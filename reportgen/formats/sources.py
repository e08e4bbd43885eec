"""Which of the marks or relations in an export make up a layer, and what their label is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from reportgen.errors import BadInput, Problem, did_you_mean
from reportgen.formats.copies import Copy, Export, Mark, Relation

ARROW = "->"
# What stands for all types at once, where none is called so.
MARKS = "marks"
RELATIONS = "relations"
NAMES_SHOWN = 12

# What a mark is labelled that lacks the feature, and one whose feature says nothing. GATE counts them apart
# too (guide, 10.5.2): a mark without a value is no mark that is missing.
ABSENT = "(absent)"
EMPTY_VALUE = "(empty)"


@dataclass(frozen=True)
class Source:
    """The marks of `type` (None: of any) with the value of `feature` as label (None: their type).

    `said` is a sentence on the choice, empty where there was none. With `relations` it is relations
    instead of marks.
    """

    type: str | None
    feature: str | None
    said: str = ""
    shorten: bool = False
    relations: bool = False

    def holds(self, item: Mark | Relation) -> bool:
        """Say whether the mark or relation belongs to the layer."""
        of_kind = isinstance(item, Relation) == self.relations
        return of_kind and (self.type is None or item.type == self.type)

    def label(self, item: Mark | Relation) -> str:
        """Return the label: the type, or the feature's value, with words for one that is absent or empty."""
        if self.feature is None:
            return short(item.type) if self.shorten else item.type
        value = item.features.get(self.feature)
        if value is None:
            return ABSENT
        return value if value.strip() else EMPTY_VALUE

    @property
    def mixed(self) -> Problem:
        """Return the problem of a layer of which some marks are of a stretch of text and some are not."""
        message = "some marks are of a stretch of text, others of whole documents."
        return Problem(
            "", key="source", message=message, mend="Choose a layer of either with [[layers]] source."
        )


def short(name: str) -> str:
    """Return a type's name without the package in front of it, as UIMA has it."""
    return name.rpartition(".")[2] or name


def listed(copies: Iterable[Copy], *, by_feature: bool) -> list[str]:
    """Return what `source` can be, in order of first occurrence: types, and "Type->feature"."""
    return _listed((mark for copy in copies for mark in copy.marks), by_feature=by_feature)


def listed_relations(copies: Iterable[Copy], *, by_feature: bool) -> list[str]:
    """Return what `source` can be where relations are the layer, in order of first occurrence."""
    return _listed((each for copy in copies for each in copy.relations), by_feature=by_feature)


def _listed(items: Iterable[Mark | Relation], *, by_feature: bool) -> list[str]:
    found: dict[str, dict[str, None]] = {}
    for item in items:
        found.setdefault(item.type, {}).update(dict.fromkeys(item.features))
    names: list[str] = []
    for name, features in found.items():
        names += [name] if not features or not by_feature else []
        names += [f"{name}{ARROW}{feature}" for feature in features]
    return names


def find_source(export: Export, copies: Sequence[Copy], asked: str | None) -> Source:
    """Return what a layer's `source` means in this export: marks or, where no mark is called so, relations.

    "marks" is what counts where the campaign chooses nothing, "relations" are those of every type. Raises
    BadInput where there is no such type or feature, and where the category could be any of several features
    and the campaign does not say which.
    """
    marks = listed(copies, by_feature=export.by_feature)
    chosen = None if asked is not None and _is_all_marks(asked, marks) else asked
    written = chosen if chosen is not None else export.default
    if written is None:
        return _only(marks) if export.by_feature else Source(None, None)
    relations = listed_relations(copies, by_feature=export.by_feature)
    name = _name(written)
    if _matching(name, marks):
        return _found(export, marks, written, relations=False)
    if _matching(name, relations):
        return _found(export, relations, written, relations=True)
    if name == RELATIONS and relations:
        said = "relations of every type, by their arguments."
        return Source(None, None, said, shorten=export.by_feature, relations=True)
    raise BadInput([_unknown(written, [*marks, *relations])])


def find_candidates(export: Export, asked: str | None) -> Source:
    """Return the marks of any annotator that a layer of candidates consists of, whatever their features say.

    Raises BadInput where no mark is of that type.
    """
    known = listed(export.copies, by_feature=export.by_feature)
    if asked is None or _is_all_marks(asked, known):
        return Source(None, None)
    matching = _matching(_name(asked), known)
    if len(matching) != 1:
        raise BadInput([_unknown(asked, known)])
    return Source(matching[0], None)


def _is_all_marks(asked: str, known: Sequence[str]) -> bool:
    return asked.strip() == MARKS and not _matching(MARKS, known)


def _name(written: str) -> str:
    """Return the type in "Type->feature"."""
    return written.partition(ARROW)[0].strip()


def _matching(name: str, known: Sequence[str]) -> list[str]:
    """Return the types that are called so, or else those that are without the package in front."""
    types = list(dict.fromkeys(each.partition(ARROW)[0] for each in known))
    return [each for each in types if name == each] or [each for each in types if name == short(each)]


def _found(export: Export, known: Sequence[str], written: str, *, relations: bool) -> Source:
    _, arrow, feature = written.partition(ARROW)
    feature = feature.strip()
    matching = _matching(_name(written), known)
    if len(matching) != 1:
        raise BadInput([_unknown(written, known)])
    features = _features(known)[matching[0]]
    if arrow and feature not in features:
        raise BadInput([_unknown(written, known)])
    if arrow or not export.by_feature or not features:
        return _source(export, matching[0], feature or None, relations=relations)
    if len(features) > 1:
        raise BadInput([_ambiguous([f"{matching[0]}{ARROW}{each}" for each in features])])
    return _source(export, matching[0], features[0], relations=relations)


def _features(known: Sequence[str]) -> Mapping[str, list[str]]:
    """Return the features of each type."""
    found: dict[str, list[str]] = {}
    for each in known:
        name, _, feature = each.partition(ARROW)
        found.setdefault(name, []).extend([feature] if feature else [])
    return found


def _only(known: Sequence[str]) -> Source:
    if len(known) > 1:
        raise BadInput([_ambiguous(known)])
    name, _, feature = known[0].partition(ARROW) if known else ("", "", "")
    return Source(name or None, feature or None, shorten=True)


def _source(export: Export, name: str, feature: str | None, *, relations: bool) -> Source:
    what = f"{RELATIONS if relations else 'marks'} of {short(name)}"
    labelled = f", labelled by {feature}" if feature else ""
    said = f"{what}{labelled}, by their arguments." if relations else f"{what}{labelled}."
    return Source(name, feature, said, shorten=export.by_feature, relations=relations)


def _unknown(asked: str, known: Sequence[str]) -> Problem:
    message = f'the export has no annotations "{asked}".'
    return Problem("", key="source", message=message, mend=did_you_mean(asked, _as_written(known)))


def _ambiguous(known: Sequence[str]) -> Problem:
    shown = _as_written(known)
    names = ", ".join([*shown[:NAMES_SHOWN], *(["…"] if len(shown) > NAMES_SHOWN else [])])
    mend = f'Choose with [[layers]], such as source = "{shown[0]}".'
    return Problem(
        "", key="source", message=f"the export holds several things that are labelled: {names}.", mend=mend
    )


def _as_written(known: Sequence[str]) -> list[str]:
    """Return sources as one would write them: without packages where that is clear, "X" for "X->X"."""
    return [_short_source(each, known) for each in known]


def _short_source(source: str, known: Sequence[str]) -> str:
    name, arrow, feature = source.partition(ARROW)
    alike = _matching(short(name), known)
    brief = short(name) if alike == [name] else name
    only = len(_features(known)[name]) == 1
    twin = feature == name and only and name not in known
    return brief if not arrow or twin else f"{brief}{ARROW}{feature}"
