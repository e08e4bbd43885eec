"""Which of the marks in an export make up a layer, and what their label is."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reportgen.errors import BadInput, Problem, did_you_mean
from reportgen.formats.copies import Copy, Export, Mark

ARROW = "->"
NAMES_SHOWN = 12


@dataclass(frozen=True)
class Source:
    """The marks of `type` (None: of any) with the value of `feature` as label (None: their type).

    `said` is a sentence on the choice, empty where there was none.
    """

    type: str | None
    feature: str | None
    said: str = ""
    shorten: bool = False

    def holds(self, mark: Mark) -> bool:
        """Say whether the mark belongs to the layer."""
        return self.type is None or mark.type == self.type

    def label(self, mark: Mark) -> str | None:
        """Return the mark's label, None where it lacks the feature."""
        if self.feature is not None:
            return mark.features.get(self.feature)
        return short(mark.type) if self.shorten else mark.type

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
    found: dict[str, dict[str, None]] = {}
    for copy in copies:
        for mark in copy.marks:
            found.setdefault(mark.type, {}).update(dict.fromkeys(mark.features))
    names: list[str] = []
    for name, features in found.items():
        names += [name] if not features or not by_feature else []
        names += [f"{name}{ARROW}{feature}" for feature in features]
    return names


def find_source(export: Export, copies: Sequence[Copy], asked: str | None) -> Source:
    """Return what a layer's `source` means in this export.

    Raises BadInput where there is no such type or feature, and where the category could be any of several
    features and the campaign does not say which.
    """
    known = listed(copies, by_feature=export.by_feature)
    written = asked if asked is not None else export.default
    if written is None and not export.by_feature:
        return Source(None, None)
    if written is None:
        return _only(known)
    name, arrow, feature = written.partition(ARROW)
    name, feature = name.strip(), feature.strip()
    of_type = {each.partition(ARROW)[0] for each in known}
    matching = [each for each in of_type if name == each] or [each for each in of_type if name == short(each)]
    if len(matching) != 1:
        raise BadInput([_unknown(written, known)])
    features = [each.partition(ARROW)[2] for each in known if each.partition(ARROW)[0] == matching[0]]
    features = [each for each in features if each]
    if arrow:
        if feature not in features:
            raise BadInput([_unknown(written, known)])
        return _source(export, matching[0], feature)
    if not export.by_feature or not features:
        return _source(export, matching[0], None)
    if len(features) > 1:
        raise BadInput([_ambiguous([f"{name}{ARROW}{each}" for each in features])])
    return _source(export, matching[0], features[0])


def _only(known: Sequence[str]) -> Source:
    if len(known) > 1:
        raise BadInput([_ambiguous(known)])
    name, _, feature = known[0].partition(ARROW) if known else ("", "", "")
    return Source(name or None, feature or None, shorten=True)


def _source(export: Export, name: str, feature: str | None) -> Source:
    said = f"marks of {short(name)}" + (f", labelled by {feature}." if feature else ".")
    return Source(name, feature, said, shorten=export.by_feature)


def _unknown(asked: str, known: Sequence[str]) -> Problem:
    message = f'the export has no annotations "{asked}".'
    return Problem("", key="source", message=message, mend=did_you_mean(asked, known))


def _ambiguous(known: Sequence[str]) -> Problem:
    names = ", ".join([*known[:NAMES_SHOWN], *(["…"] if len(known) > NAMES_SHOWN else [])])
    mend = f'Choose with [[layers]], such as source = "{known[0]}".'
    return Problem(
        "", key="source", message=f"the export holds several things that are labelled: {names}.", mend=mend
    )
