"""How annotators agree with the others on average, with the reference apart."""

from pathlib import Path

from tests.campaigns import results
from tests.report.written_pages import MARKS, report

GOLD = '[annotators.cat]\nrole = "reference"\n'


def test_the_reference_is_no_other(tmp_path: Path) -> None:
    found = report(tmp_path, MARKS, GOLD).results
    means = {own.annotator: own for own in found.standings or ()}
    assert all(own.others["micro"].pairs == 1 for own in means.values() if own.others)
    assert {name for name, own in means.items() if "micro" in own.references} == {"A01", "A02"}


def test_ratings_are_compared_by_observed_agreement(tmp_path: Path) -> None:
    rows = [f"{n},{who},{n % 2 if who != 'C' else n % 3}" for n in range(12) for who in "ABC"]
    found = results(tmp_path, "", "\n".join(["unit,annotator,label", *rows]))
    (standing, *_) = found.standings or ()
    assert standing.figure == "observed_agreement"
    assert standing.others["micro"].pairs == 2
