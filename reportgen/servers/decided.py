"""What was decided, document by document, such as annotation tools take it."""

from collections.abc import Mapping, Sequence
from dataclasses import field

from reportgen.annotators.aggregation import Status
from reportgen.annotators.decisions import SheetUnits
from reportgen.base.dataclass import dataclass
from reportgen.campaign import Campaign
from reportgen.publish.gold_files import GoldOptions, GoldSource, gold_standard
from reportgen.readers import ParsedMark, TextMarks
from reportgen.servers.snapshot import Tell


@dataclass
class DecidedDocument:
    """A document: its labels by layer, its marks by layer, and whether everything in it is decided."""

    text: str = ""
    labels: dict[str, Sequence[str]] = field(default_factory=dict)
    marks: dict[str, Sequence[ParsedMark]] = field(default_factory=dict)
    finished: bool = True


@dataclass(frozen=True)
class DecidedVersion:
    """The documents of a version by their names in the exports; which layers can't be sent.

    `sources` are where the campaign finds each layer: a type, or a type and a feature.
    """

    documents: Mapping[str, DecidedDocument]
    sources: Mapping[str, str]
    left_out: Sequence[str]

    @property
    def layers(self) -> list[str]:
        """Return the layers that something was decided of."""
        every = (name for document in self.documents.values() for name in (*document.labels, *document.marks))
        return list(dict.fromkeys(every))

    @property
    def finished(self) -> dict[str, DecidedDocument]:
        """Return the documents in which everything is decided."""
        return {name: document for name, document in self.documents.items() if document.finished}


def decided(campaign: Campaign, version: str, tell: Tell) -> DecidedVersion:
    """Return what was decided in a version. Raises BadInput with all that is wrong with it."""
    standard = gold_standard(campaign, version, GoldOptions(), tell)
    documents: dict[str, DecidedDocument] = {}
    left_out: list[str] = []
    for source in standard.layers:
        if source.is_of_marks:
            _add_marks(documents, source, standard.options)
        elif isinstance(source.annotations.content, TextMarks):
            left_out.append(source.name)
        else:
            _add_labels(documents, source)
    layers = campaign.version(version).layers
    sources = {layer.id: layer.source or "" for layer in layers}
    return DecidedVersion(documents, sources, left_out)


def _add_marks(documents: dict[str, DecidedDocument], source: GoldSource, options: GoldOptions) -> None:
    sheet = source.gold.sheet
    finished = source.finished(options).tolist()
    rows = zip(sheet.units.documents, sheet.texts, source.marks(), finished, strict=True)
    for name, text, marks, done in rows:
        here = documents.setdefault(name, DecidedDocument())
        here.text, here.marks[source.name] = text, marks
        here.finished = here.finished and done


def _add_labels(documents: dict[str, DecidedDocument], source: GoldSource) -> None:
    sheet = source.gold.sheet
    for unit in source.gold.units:
        here = documents.setdefault(sheet.names[unit.unit], DecidedDocument())
        here.labels[source.name] = _members(unit.label, sheet)
        here.finished = here.finished and unit.status is not Status.OPEN


def _members(label: str, sheet: SheetUnits) -> list[str]:
    """Return the labels that one of a set consists of; any other label alone."""
    units = sheet.units
    if units.sets is None:
        return [label]
    if label in units.categories:
        return sorted(units.sets[units.categories.index(label)])
    return label.split(sheet.separator)
