"""PotTS with all its levels in one layer, where marks nest: figures by label against a count of the words."""

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.campaigns import results_of

LEVELS = ("sentiment", "target", "source", "emo-expression", "intensifier", "diminisher", "negation")


def words(span: str, place: Mapping[str, int]) -> Iterator[int]:
    """Yield the places of the words of a span such as word_1..word_3,word_7, of those that are there."""
    for part in span.split(","):
        first, _, last = part.partition("..")
        if first in place:
            yield from range(place[first], place[last or first] + 1)


def of(source: Path, annotator: str, level: str) -> dict[str, set[tuple[str, int]]]:
    """Return the words under a mark of a level, by document."""
    found = {}
    for file in sorted((source / annotator).rglob(f"*_{level}_level.xml")):
        document = file.name.removesuffix(f"_{level}_level.xml")
        text = ET.parse(source / "basedata" / f"{document}.words.xml")  # noqa: S314 - our own folder
        place = {word.attrib["id"]: number for number, word in enumerate(text.getroot())}
        marks = ET.parse(file).getroot()  # noqa: S314 - our own folder
        found[document] = {(document, at) for mark in marks for at in words(mark.attrib["span"], place)}
    return found


@pytest.mark.slow
def test_specific_agreement_of_each_level_is_that_of_its_own_words(shared: Path, tmp_path: Path) -> None:
    source = shared / "data" / "potts-mmax2"
    campaign = tmp_path / "potts"
    shutil.copytree(source, campaign / "exports" / "1.0")
    (campaign / "campaign.toml").write_text('title = "PotTS"\n[[guidelines]]\nversion = "1.0"\n')
    found = results_of(campaign).primary
    assert set(found.categories) == {*LEVELS, "(unmarked)"}
    for level in LEVELS:
        one, other = (of(source, name, level) for name in ("annotator-1", "annotator-2"))
        both = one.keys() & other.keys()
        first, second = (set().union(*(each[name] for name in both)) for each in (one, other))
        due = 2 * len(first & second) / (len(first) + len(second))
        # A few words contain a space: they are two tokens.
        assert found.specific_agreement[level].value == pytest.approx(due, abs=2e-3), level
