"""One version's labels of everybody, prepared to be held against those of another version."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from reportgen.agreement import Setting, setting_of
from reportgen.agreement.comparisons.analysis import compared_figures
from reportgen.campaign import DistanceTable
from reportgen.revisions.categories import renamed
from reportgen.study import NO_CATEGORY, NO_DOCUMENT, NO_PLACE, CodedUnits, Codes, Compared

UNKNOWN = -1
# What units of an export, which have names, are made of.
NAMED = "units"


@dataclass(frozen=True, eq=False)
class LabelSide:
    """Everybody's labels in one unit set under one version; `coefficient` is the layer's primary one."""

    compared: Compared
    tables: tuple[DistanceTable, ...]
    coefficient: str

    @property
    def setting(self) -> Setting:
        """Return what figures depend on beside counts."""
        return setting_of(self.compared.units, self.tables)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the figures by which two people are compared."""
        return compared_figures(self.setting, self.coefficient)

    def other_distances(self, later: "LabelSide") -> frozenset[str]:
        """Return the declared distances that are others in the later version, or are only in one."""
        ours, theirs = self.distances, later.distances
        return frozenset(name for name in {**ours, **theirs} if ours.get(name) != theirs.get(name))

    @property
    def distances(self) -> dict[str, dict[tuple[str, str], float]]:
        """Return the declared distances, by the names of categories."""
        names = self.compared.units.categories
        return {
            each.id: {
                (one, other): each.matrix[row, column].item()
                for row, one in enumerate(names)
                for column, other in enumerate(names)
            }
            for each in self.setting.distances
        }

    def renamed(self, later: "LabelSide", names: Mapping[str, str]) -> "LabelSide":
        """Return the same labels under other names, in the order of the later version's categories."""
        whole = self.compared
        if whole.choice == "all":
            marked = whole.units.label != whole.absent
            units = whole.units
            rows = (units.unit[marked], units.annotator[marked], units.label[marked])
            whole = replace(
                whole,
                units=replace(units, unit=rows[0], annotator=rows[1], label=rows[2]),
                absent=NO_CATEGORY,
            )
        units = renamed(whole.units, later.compared.units, names)
        absent = whole.absent if units.non_annotated == NO_CATEGORY else units.non_annotated
        return replace(self, compared=replace(whole, units=units, absent=absent))


@dataclass(frozen=True, eq=False)
class SharedUnits:
    """The units of two versions under common codes.

    - `names` are those of all documents; units without one are each their own, with a code beyond these.
    - `first` and `second` (units,) have the common code of each unit's document, NO_DOCUMENT where nothing
      tells which unit it is; `first_unit` and `second_unit` (units,) which unit it is, the same number for
      the units that stand in both, UNKNOWN where that can't be told. In texts the units of a document with
      the same text are one.
    """

    names: tuple[str, ...]
    first: Codes
    second: Codes
    first_unit: Codes
    second_unit: Codes
    edited: frozenset[str] = frozenset()

    @property
    def clustered(self) -> bool:
        """Say whether any document is known."""
        return bool(self.names)


def same_units(units: CodedUnits) -> SharedUnits:
    """Return common codes of a unit set with itself; units without a document are each their own."""
    documents = _own_documents(units, np.arange(len(units.unit_weight), dtype=np.int64), len(units.documents))
    each = np.arange(len(units.unit_weight), dtype=np.int64)
    return SharedUnits(units.documents, documents, documents, each, each)


def shared_units_of(first: CodedUnits, second: CodedUnits, edited: Collection[str] = ()) -> SharedUnits:
    """Return common codes of documents and units by name; `edited` are documents with another text now."""
    documents: dict[str, int] = {}
    codes = [
        np.array(
            [documents.setdefault(name, len(documents)) for name in each.documents] or [0], dtype=np.int64
        )
        for each in (first, second)
    ]
    names = _name_codes(first, second)
    size = 2 + max(int(each.max(initial=0)) for each in names)
    where, unit = [], []
    for units, code, name in zip((first, second), codes, names, strict=True):
        known = units.unit_document != NO_DOCUMENT
        document = np.where(known, code[units.unit_document], NO_DOCUMENT)
        where.append(np.where(known, document, _own_documents(units, name, len(documents))))
        unit.append(_unit_codes(document, name, size))
    gone = [code for name, code in documents.items() if name in edited]
    unit[0][np.isin(where[0], gone)] = UNKNOWN
    (first_where, second_where), (first_unit, second_unit) = where, unit
    names_of = tuple(documents)
    return SharedUnits(names_of, first_where, second_where, first_unit, second_unit, frozenset(edited))


def _name_codes(first: CodedUnits, second: CodedUnits) -> list[Codes]:
    """Return a code for the name of each unit (units,), common to both; UNKNOWN where it has none."""
    names = [np.array(each.places.names or ("",), dtype=np.str_) for each in (first, second)]
    known, code = np.unique(np.concatenate(names), return_inverse=True)
    code = np.where(known[code] == "", UNKNOWN, code.reshape(-1))
    of_each = code[: len(names[0])], code[len(names[0]) :]
    return [
        np.where(units.unit_place == NO_PLACE, UNKNOWN, own[np.minimum(units.unit_place, len(own) - 1)])
        if units.base == NAMED and len(units.unit_place)
        else np.full(len(units.unit_weight), UNKNOWN, dtype=np.int64)
        for units, own in zip((first, second), of_each, strict=True)
    ]


def _own_documents(units: CodedUnits, name: Codes, documents: int) -> Codes:
    """Return the code that a unit without a document has as its own, where it has a name and is single."""
    own = (name != UNKNOWN) & (units.unit_weight == 1)
    alone = units.unit_document == NO_DOCUMENT
    found: Codes = np.where(alone & own, documents + name, units.unit_document)
    return found


def _unit_codes(document: Codes, name: Codes, size: int) -> Codes:
    """Return which unit each is: document and name, or in texts and of nameless ones the document."""
    unnamed = (name == UNKNOWN) & (document == NO_DOCUMENT)
    found: Codes = np.where(unnamed, UNKNOWN, (document + 1) * size + name + 1)
    return found
