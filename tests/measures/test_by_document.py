"""Agreement in each document, against a literal count of each document by itself."""

import random
import sys
from pathlib import Path

import pytest

from reportgen.measures import cells_by_document as module
from reportgen.results import Results
from reportgen.results.unit_sets import AgreementByDocument
from tests.campaigns import results_of, written
from tests.truth import naive
from tests.truth.of_people import kappa_and_pi

NAMES = '[privacy]\nannotators = "names"\ndocuments = "names"\n'


def campaign(folder: Path, people: str, toml: str = "", documents: int = 6, seed: int = 3) -> Results:
    drawn = random.Random(seed)  # noqa: S311 - no secret hangs on it
    rows = ["unit,annotator,document,label"]
    for unit in range(20 * documents):
        right = drawn.choice("xyz")
        # The first document is far worse than the others.
        slips = 0.7 if unit % documents == 0 else 0.15
        for who in people:
            label = drawn.choice("xyz") if drawn.random() < slips else right
            rows.append(f"u{unit},{who},d{unit % documents},{label}")
    return results_of(written(folder, NAMES + toml, {"exports/1.0/e.csv": "\n".join(rows) + "\n"}))


def units_of(folder: Path, people: str) -> dict[str, list[dict[str, str]]]:
    rows = (folder / "exports/1.0/e.csv").read_text(encoding="utf-8").splitlines()[1:]
    units: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows:
        unit, who, document, label = row.split(",")
        if who in people:
            units.setdefault((document, unit), {})[who] = label
    by_document: dict[str, list[dict[str, str]]] = {}
    for (document, _unit), labels in units.items():
        by_document.setdefault(document, []).append(labels)
    return by_document


def check(own: AgreementByDocument, units: dict[str, list[dict[str, str]]], people: str) -> None:
    assert own.documents_in_all == len(units)
    assert own.disagreements == sum(each.disagreements for each in own.documents)
    shares = [each.observed_agreement for each in own.documents]
    assert shares == sorted(shares)
    for each in own.documents:
        here = units[each.document]
        pairs = naive.pairs(here)
        assert each.comparisons == len(pairs)
        assert each.disagreements == sum(one != other for one, other in pairs)
        both = [
            kappa_and_pi(here, one, other)
            for place, one in enumerate(people)
            for other in people[place + 1 :]
        ]
        assert each.cohen_kappa == pytest.approx(sum(kappa for kappa, _pi in both) / len(both))
        assert each.scott_pi == pytest.approx(sum(pi for _kappa, pi in both) / len(both))


@pytest.mark.parametrize("people", ["AB", "ABC"])
def test_each_document_is_judged_by_itself(people: str, tmp_path: Path) -> None:
    found = campaign(tmp_path, people)
    assert found.by_document is not None
    (own,) = found.by_document
    assert (own.key, own.other, own.documents[0].document) == (None, None, "d0")
    check(own, units_of(tmp_path, people), people)
    # The matrix of a document is that of two people alone.
    assert (own.documents[0].cells is None) == (len(people) > 2)
    for each in own.documents if len(people) == 2 else ():
        assert each.cells is not None
        assert sum(cell.units for cell in each.cells) == each.comparisons
        assert sum(cell.units for cell in each.cells if cell.first != cell.second) == each.disagreements


def test_systems_are_judged_beside_the_reference(tmp_path: Path) -> None:
    roles = '[annotators.G]\nrole = "reference"\n[annotators.S]\nrole = "system"\n'
    found = campaign(tmp_path, "GS", roles)
    assert found.by_document is not None
    (own,) = found.by_document
    assert (own.key, own.other) == ("G", "S")
    check(own, units_of(tmp_path, "GS"), "GS")


def test_a_rare_label_hides_the_matrices_of_documents(tmp_path: Path) -> None:
    assert campaign(tmp_path / "kept", "AB", "smallest = 30\n").by_document is not None
    found = campaign(tmp_path, "AB", "smallest = 60\n")
    assert found.by_document is not None
    assert all(each.cells is None for each in found.by_document[0].documents)


def test_one_document_alone_or_none_says_nothing_more(tmp_path: Path) -> None:
    assert campaign(tmp_path, "AB", documents=1).by_document is None


def test_the_worst_hundred_documents_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[module.__module__], "MOST_DOCUMENTS", 2)
    found = campaign(tmp_path, "AB").by_document
    assert found is not None
    assert (len(found[0].documents), found[0].documents_in_all) == (2, 6)
    assert found[0].disagreements > sum(each.disagreements for each in found[0].documents)
