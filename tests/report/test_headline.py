"""The first sentence of a report: where nobody disagrees there is nothing to decide, and perhaps no proof."""

import pytest

from reportgen.results import Figure, Severity
from reportgen.words.headline import ALL_ALIKE, OF_ONE, Standing, headline


@pytest.mark.parametrize(
    ("value", "severity", "coefficient", "expected"),
    [
        (1.0, "warning", "krippendorff_alpha", ALL_ALIKE),
        (0.999, "warning", "krippendorff_alpha", OF_ONE["warning"]),
        (None, "warning", "krippendorff_alpha", OF_ONE["warning"]),
        # Enough was labelled, or no threshold is meant for the figure.
        (1.0, "good", "krippendorff_alpha", OF_ONE["good"]),
        (1.0, "warning", "observed_agreement", OF_ONE["warning"]),
    ],
)
def test_of_one_layer_without_a_disagreement_the_first_sentence_says_so(
    value: float | None, severity: Severity, coefficient: str, expected: str
) -> None:
    figure = Figure(value=value)
    assert headline([Standing("main", severity, coefficient, "α", figure)]) == expected
