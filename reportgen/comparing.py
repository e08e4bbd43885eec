"""Two guidelines versions held against each other: from what was read of them to comparison.json."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from reportgen.agreement import base_id
from reportgen.campaign import Campaign
from reportgen.findings import find_changes
from reportgen.formats import Annotations, TextMarks
from reportgen.reading import Read
from reportgen.record import choose
from reportgen.record.changed_units import record_changed
from reportgen.record.guidelines import guidelines_compared, guidelines_document
from reportgen.record.revisions import Revised, record_revision
from reportgen.results.revisions import Changed, GuidelinesCompared, VersionComparison
from reportgen.revisions.people import declared_systems
from reportgen.revisions.sides import Key, Register, Side
from reportgen.revisions.unit_sets import UnitSetRevised, revise_unit_sets
from reportgen.revisions.versions import revised_marks, revised_systems
from reportgen.study import Pseudonyms, with_pseudonyms


@dataclass(frozen=True)
class Compared:
    """A comparison, and the units that changed sides; None where the campaign withholds its texts."""

    comparison: VersionComparison
    changed: Changed | None


class Sides(dict[str, Side]):
    """Versions that are compared more than once, by name: what is computed of one alone is kept."""

    def __init__(self) -> None:
        """Begin without any."""
        super().__init__()
        self.register = Register()


def compare_versions(
    campaign: Campaign,
    first: Read,
    second: Read,
    names: Pseudonyms,
    sides: Sides | None = None,
) -> Compared:
    """Return the comparison of two versions of a campaign, `first` being the earlier one.

    `names` are the pseudonyms in both: documents and units are matched by their own names, so that hiding
    them changes no figure. Who compares more than two versions hands the same `sides`
    to each comparison, so that no version is analysed twice.
    """
    known = Sides() if sides is None else sides
    before, after = (_side(each, names, known) for each in (first, second))
    coefficients = {
        layer.id: choose(campaign, second.version.id, layer.id).coefficient for layer in second.version.layers
    }
    merges = _merges(campaign, first.version.id, second.version.id)
    unit_sets = list(revise_unit_sets(before, after, merges, coefficients, _wanted(campaign)))
    systems = declared_systems(campaign.annotators, names.annotators)
    guidelines, uncompared = _guidelines(before, after, names)
    comparison = record_revision(
        Revised(
            campaign=campaign,
            first=first.version,
            second=second.version,
            coefficients=coefficients,
            unit_sets=unit_sets,
            spans=list(revised_marks(before, after, merges)),
            systems=list(revised_systems(before, after, merges, systems, coefficients)),
            guidelines=guidelines,
            uncompared=uncompared,
            missing=(_alone(before, after), _alone(after, before)),
        )
    )
    found = comparison.model_copy(update={"findings": find_changes(comparison)})
    return Compared(found, _changed(campaign, names, (before, after), unit_sets))


def _side(read: Read, names: Pseudonyms, known: Sides) -> Side:
    """Return a version as comparisons see it."""
    version = read.version.id
    if version not in known:
        studies = [with_pseudonyms(study, names.of_annotators) for study in read.studies]
        known[version] = Side(read.version, studies, read.distances, _texts(read.annotations), known.register)
    return known[version]


def _texts(annotations: Iterable[Annotations]) -> dict[str, str]:
    """Return the texts of all documents by name; all layers of an export have the same."""
    contents = [each.content for each in annotations if isinstance(each.content, TextMarks)]
    return {name: text for each in contents for name, text in zip(each.documents, each.texts, strict=True)}


def _merges(campaign: Campaign, first: str, second: str) -> list[Mapping[str, str]]:
    """Return what each version after the first, up to the second, calls categories of earlier ones."""
    order = campaign.versions
    later = order[order.index(first) + 1 : order.index(second) + 1]
    merged = {each.version: each.merged for each in campaign.guidelines}
    return [merged[each] for each in later]


def _wanted(campaign: Campaign) -> Sequence[str]:
    """Return the figures that the gate asks for, which pairs of annotators are then compared by too."""
    return [figure for figure in campaign.gate if base_id(figure) != "specific_agreement"]


def _alone(side: Side, other: Side) -> list[Key]:
    return [key for key in side.unit_sets if key not in other.unit_sets]


def _guidelines(first: Side, second: Side, names: Pseudonyms) -> tuple[GuidelinesCompared | None, str | None]:
    """Return the guidelines documents compared, with the categories that their passages name."""
    versions = first.version, second.version
    documents = [guidelines_document(each.folder, each.id, each.document) for each in versions]
    used = [units for side in (second, first) for units in side.unit_sets.values()]
    categories = dict.fromkeys(
        name for units in used for name in units.categories if name != units.non_annotated_name
    )
    shown = [replace(each, name=names.in_path(each.name)) for each in documents]
    return guidelines_compared(shown[0], shown[1], tuple(categories))


def _changed(
    campaign: Campaign, names: Pseudonyms, sides: tuple[Side, Side], unit_sets: Iterable[UnitSetRevised]
) -> Changed | None:
    if campaign.privacy.texts == "withhold":
        return None
    return record_changed(*sides, unit_sets, names)
