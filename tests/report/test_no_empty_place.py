"""No sentence has an empty place: of campaigns of all kinds, in both languages, on every page."""

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from operator import attrgetter
from pathlib import Path

import pytest

from reportgen.campaign import load
from reportgen.pipeline.reading import read_campaign
from reportgen.pipeline.version_reports import compare_versions
from reportgen.report.page import report_markdown
from reportgen.report.site import comparison_markdown, version_pages
from reportgen.report.view import ReportView
from reportgen.units import Pseudonyms
from reportgen.words import language, numbers
from reportgen.words.language import ENGLISH, in_languages
from tests.campaigns import compute_campaign
from tests.truth.made import Kind
from tests.truth.test_claims import EVERY, FEW, AnyKind, build
from tests.truth.versions import Versions

# What stands in a place that nothing fills.
NOTHING = "⌀"
# A blank before a full stop or a comma, two blanks, nothing in quotation marks or parentheses.
HOLES = re.compile(rf"{NOTHING}|\w  +\w| [.,](?=\s|$)|[“«„]\s*[”»“]|\"\s*\"|\(\s*\)|[:,;]\s*\.(?=\s|$)")
# All labels are one of several categories that are declared, or all answers one set.
ONE_OF_SEVERAL: list[AnyKind] = [
    replace(
        Kind(annotators=people, categories=categories, documents=documents, scale=scale),
        declared=True,
        common=1.0,
        slips=0.0,
    )
    for people, categories, documents, scale in product((1, 2, 3), (2, 4), (0, 12), ("nominal", "set"))
]
TAGS = re.compile(r"<(script|style|svg|code|pre|table)\b.*?</\1>|<[^>]*>", re.DOTALL)
PARTS = 20


@pytest.fixture(autouse=True)
def _nothing_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fill places that nothing fills with a sign."""
    isolated, in_words = attrgetter("_isolated")(language), attrgetter("_value_in_words")(numbers)

    def filled(values: Mapping[str, object]) -> dict[str, object]:
        return {name: NOTHING if value == "" else value for name, value in isolated(values).items()}

    monkeypatch.setattr(language, "_isolated", filled)
    monkeypatch.setattr(numbers, "_value_in_words", lambda *of: in_words(*of) or NOTHING)


def written(folder: Path, kind: AnyKind, *, pages: bool) -> Iterator[str]:
    """Yield the report of a campaign of a kind, or its comparison, in both languages; all its `pages` too."""
    made = build(kind, 1)
    campaign = load(made.written(folder))
    versions = read_campaign(campaign)
    languages = (ENGLISH, "fr")
    if isinstance(made, Versions):
        compared = compare_versions(campaign, versions[0], versions[1], Pseudonyms())
        of_comparison = compared.comparison, compared.changed
        files = in_languages(languages, lambda: [("compared.md", comparison_markdown(*of_comparison))])
    else:
        found = compute_campaign(campaign, versions)[-1]
        files = (
            version_pages(found.results, found.beside, found.texts, languages)
            if pages
            else in_languages(languages, lambda: [("report.md", report_markdown(ReportView(found.results)))])
        )
    yield from (_plain(text) for name, text in files if name.endswith((".html", ".md")))


def _plain(text: str) -> str:
    """Return what is said in a page, without tags, code and tables whose cells may be empty."""
    lines = (
        line
        for line in TAGS.sub(
            lambda tag: "\n" if tag[1] in {None, "script", "style", "table"} else "…", text
        ).splitlines()
        if not line.lstrip().startswith("|")
    )
    return html.unescape("\n".join(lines))


def holes(folder: Path, kind: AnyKind, *, pages: bool = False) -> list[str]:
    """Return what is round each hole in what is said of a campaign of a kind."""
    return [
        f"{kind.name}: {text[max(0, hole.start() - 80) : hole.end() + 40]!r}"
        for text in written(folder, kind, pages=pages)
        for hole in HOLES.finditer(text)
    ]


@pytest.mark.parametrize("kind", [*ONE_OF_SEVERAL[::7], *FEW[::4]], ids=lambda kind: kind.name)
def test_every_place_of_a_report_is_filled(kind: AnyKind, tmp_path: Path) -> None:
    assert not holes(tmp_path, kind)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_no_page_of_hundreds_of_campaigns_has_a_hole(part: int, tmp_path: Path) -> None:
    kinds = [*ONE_OF_SEVERAL, *EVERY[::11]][part::PARTS]
    found = [
        hole
        for number, kind in enumerate(kinds)
        for hole in holes(tmp_path / str(number), kind, pages=not number)
    ]
    assert not found, "\n".join(found)
