"""Of what may be conditions nobody is asked to annotate more."""

from pathlib import Path

import pytest

from reportgen.report.uncertainty import planned
from tests.campaigns import results
from tests.commands import run


def table(documents: int, units: int) -> str:
    rows = [
        f"u{n},topic{n % documents},{'ab'[n // documents % 2]},{'ab'[(n // documents + (n % 7 == 0)) % 2]}"
        for n in range(units)
    ]
    return "\n".join(("item,document,anna,ben", *rows, ""))


@pytest.mark.parametrize(
    ("documents", "units", "are"), [(4, 120, True), (1, 12, True), (4, 39, False), (12, 120, False)]
)
def test_nobody_plans_for_more_conditions_and_agree_says_so(
    tmp_path: Path, *, documents: int, units: int, are: bool
) -> None:
    found = results(tmp_path, "", table(documents, units))
    assert bool(planned(found, found.primary)) != are
    file = tmp_path / "r.csv"
    file.write_text(table(documents, units), encoding="utf-8")
    said = run("agree", file).stderr
    noun = "document" if documents == 1 else "documents"
    assert (f"{units} units are in {documents} {noun}. If these are conditions" in said) == are
