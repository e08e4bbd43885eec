"""BibTeX for papers: fields that nothing closes, keys that stay, works that are all there."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.catalogue import CATALOGUE
from reportgen.report import material
from reportgen.report.escaping import field
from reportgen.report.material import people
from reportgen.report.paper import key_of, keys_of, library
from reportgen.results import Author, Reference, Results, Work
from tests.campaigns import GENE_RENAMING, results_of
from tests.properties import examples
from tests.report.printed_latex import lowest_and_last_depth, orders, printed


@pytest.fixture(scope="module")
def gene_renaming() -> Results:
    return results_of(GENE_RENAMING)


def cited(found: Results, *references: Reference, authors: tuple[Author, ...] = ()) -> Results:
    about = found.campaign.model_copy(update={"references": references, "authors": authors})
    return found.model_copy(update={"campaign": about})


@given(st.text(st.characters(codec="latin-1", exclude_categories=["Cc", "Cf"]), max_size=40))
@examples(40)
def test_a_field_prints_as_it_was_written(text: str) -> None:
    math = {"±", "·", "×", "÷", "¬", "°", "²", "³", "¹"}
    kept = " ".join("".join(each for each in text if each not in math).replace("\xa0", "~").split())
    assert printed(field(kept)) == unicodedata.normalize("NFC", kept)


@given(st.text(max_size=60))
@examples(40)
def test_no_text_closes_a_field_or_is_an_order(text: str) -> None:
    shown = field(text)
    assert lowest_and_last_depth(shown) == (0, 0)
    assert not {"input", "write", "csname", "def", "\\"} & orders(shown)
    assert "%" not in shown.replace(r"\%", "")


def test_letters_with_accents_are_written_as_bibtex_sorts_them() -> None:
    assert (
        field("Évaluer, Karën, Çelik, Łódź, ß")
        == r"{\'E}valuer, Kar{\"e}n, {\c{C}}elik, {\L}{\'o}d{\'z}, {\ss}"
    )


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Karën Fort", r"Kar{\"e}n Fort"),
        ("Fort, Karën", r"Fort, Kar{\"e}n"),
        ("Smith and Sons", "{Smith and Sons}"),
        ("The authors of reportgen", "{The authors of reportgen}"),
        ("a, b, c, d", "{a, b, c, d}"),
        ("others", "{others}"),
        (", and", "{, and}"),
        ("x } , y", r"{x {\textbraceright} , y}"),
    ],
)
def test_a_name_is_one_author_whatever_stands_in_it(name: str, shown: str) -> None:
    assert people([name]) == shown


def test_the_library_has_every_work_of_the_catalogue_and_no_other() -> None:
    works = {work.citation: work for measure in CATALOGUE for work in measure.works}
    keys = {key_of(Work(citation=each.citation, doi=each.doi)): each for each in works.values()}
    assert len(keys) == len(works), "two works have the same key"
    assert not keys.keys() - library().keys()


def test_years_pages_and_identifiers_in_the_library_are_those_of_the_catalogue() -> None:
    for measure in CATALOGUE:
        for work in measure.works:
            entry = library()[key_of(Work(citation=work.citation, doi=work.doi))]
            assert (f"doi = {{{work.doi}}}" in entry) == bool(work.doi)
            year = re.search(r"\((\d{4})\)", work.citation)
            assert year is None or f"year = {{{year[1]}}}" in entry
            pages = re.search(r"(\d+)-(\d+)$", work.citation)
            assert pages is None or f"pages = {{{pages[1]}--{pages[2]}}}" in entry
            assert lowest_and_last_depth(entry) == (0, 0)


def test_keys_of_works_on_a_campaign_are_names_and_years_with_letters_where_these_are_taken() -> None:
    other = Reference(title="Another", authors=("Cohen, J.",), year=1960)
    again = Reference(title="A third", authors=("Jane Cohen",), year=1960)
    without = Reference(title="On the gene names", year=2001)
    assert list(keys_of([other, again, without, Reference(title="…")])) == [
        "cohen1960b",
        "cohen1960c",
        "gene2001",
        "work",
    ]


def test_the_report_itself_is_an_entry_that_no_title_can_break(gene_renaming: Results) -> None:
    found = cited(gene_renaming, authors=(Author(name='Ann } @misc{x, and "Bob"'),))
    hostile = found.campaign.model_copy(update={"title": "50% } \\input{x} {"})
    entry = material.bibtex(found.model_copy(update={"campaign": hostile}))
    assert entry.startswith("@misc{gene-renaming-1-0-agreement,\n")
    assert lowest_and_last_depth(entry) == (0, 0)
    assert "50\\% {\\textbraceright} \\textbackslash{}input" in entry
    assert len(re.findall(r"^  \w+ = \{", entry, re.MULTILINE)) == 4
