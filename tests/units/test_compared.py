"""Everybody's labels on the units of a unit set: which units, in whose order, and what is left as it was."""

from collections.abc import Mapping

from reportgen.counts import comparisons_csv, count_comparisons
from reportgen.units import ComparedUnits, LayerUnits
from tests.measures import made

ROLES = {"gold": "reference", "sys": "system", "llm": "model"}
PEOPLE = ("sys", "ann", "gold", "bob")


def of_rows() -> LayerUnits:
    """Units x1 to x5 with what the system, two annotators and the reference said of each."""
    rows = [
        ("a", "a", "a", "a"),
        ("b", "none", "none", "none"),
        ("none", "none", "a", "none"),
        ("a", "b", "b", "none"),
        ("none", "none", "none", "none"),
    ]
    export = made.annotations(rows, annotators=PEOPLE)
    return made.study(export, roles=ROLES, non_annotated="none")


def tables(compared: ComparedUnits) -> Mapping[tuple[str, str], list[tuple[str, str, int]]]:
    """Every two who are compared with their labels and on how many units."""
    found: dict[tuple[str, str], list[tuple[str, str, int]]] = {}
    for line in comparisons_csv([(compared, count_comparisons(compared))]).splitlines()[1:]:
        *_, first, second, one, other, n = line.split(",")
        found.setdefault((first, second), []).append((one, other, int(n)))
    return found


def test_people_stand_in_the_order_of_their_roles_and_annotators_alone_in_the_unit_sets() -> None:
    found = of_rows()
    assert found.unit_sets[0].annotators == ("ann", "bob")
    assert found.compared[0].units.annotators == ("gold", "ann", "bob", "sys")
    assert found.compared[0].roles == ("reference", "annotator", "annotator", "system")


def test_every_unit_counts_that_both_labelled() -> None:
    found = tables(of_rows().compared[0])
    assert sorted(found) == [("gold", "ann"), ("gold", "bob"), ("gold", "sys")]
    assert found["gold", "sys"] == [
        ("a", "a", 1), ("a", "none", 1), ("b", "a", 1), ("none", "b", 1), ("none", "none", 1)
    ]  # fmt: skip
