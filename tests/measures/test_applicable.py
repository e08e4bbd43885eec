"""Which figures there are on a scale is known before anything is counted, and is what is then computed."""

import pytest

from reportgen.catalogue import CATALOGUE, base_id, figures_on, forms_of
from tests.measures.made import annotations, figures, units_of

ROWS = (("1", "2", "1"), ("2", "2", "2"), ("1", "1", "2"), ("2", "1", "2"))
TABLE = ((0, 1), (1, 0))
SCALES = ("nominal", "ordinal", "interval", "ratio", "set")
# Some are computed on scales on which nothing shows them.
ANY_SCALE = {each.id: each.scales for each in CATALOGUE}


def computed(scale: str, people: int) -> set[str]:
    """Return every figure of a few ratings with a declared distance."""
    rows = [row[:people] for row in ROWS]
    separator = "|" if scale == "set" else None
    found = figures(
        units_of(annotations(rows, separator=separator, order=("1", "2")), scale=scale), {"mine": TABLE}
    )
    return set(found.measures) | {name for pair in found.pairs for name in pair.measures}


@pytest.mark.parametrize("scale", SCALES)
def test_what_is_foretold_is_what_is_computed(scale: str) -> None:
    found = computed(scale, 2) | computed(scale, 3)
    assert set(figures_on(scale, ["mine"])) == {name for name in found if scale in ANY_SCALE[base_id(name)]}


def test_a_measure_is_offered_in_the_forms_of_the_scale() -> None:
    assert forms_of("krippendorff_alpha", "nominal") == (
        "krippendorff_alpha",
        "krippendorff_alpha[computed]",
    )
    assert "krippendorff_alpha[circular]" in forms_of("krippendorff_alpha", "interval")
    assert forms_of("gwet_ac2", "nominal") == ()
    assert forms_of("gwet_ac2", "nominal", ["bdm"]) == ("gwet_ac2[bdm]",)
    assert forms_of("icc_a1", "nominal") == ()
    assert "finn_r[two-way]" in forms_of("finn_r", "ordinal")
