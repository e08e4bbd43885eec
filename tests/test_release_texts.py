"""What a bundle says for cards, Croissant, citations and archives: true to results, and valid elsewhere."""

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path

import markdown_it
import pytest
import yaml

from reportgen.publish import citation_cff, croissant, dataset_card, ro_crate, sentences
from reportgen.publish.bundle import with_metadata
from reportgen.publish.bundle_files import (
    CARD,
    CITATION,
    CRATE,
    CROISSANT,
    METHODS,
    PARAGRAPH,
    README,
    RESULTS,
    Released,
)
from reportgen.report import linked_data
from reportgen.results import Author, Results
from reportgen.words.language import Edition, writing
from tests.campaigns import marked, written
from tests.publish import releases

Files = Mapping[str, bytes]


@pytest.fixture(scope="module")
def genes() -> Files:
    """The files of a release of two annotators without documents."""
    return with_metadata(releases.example()).files


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The bundle of marks in texts, with a reference and a signed author."""
    texts = {f"d{number}": f"The gene ab{number} was renamed cd{number}." for number in range(4)}
    whole = {name: [("Former", 9, 12), ("New", 25, 28)] for name in texts}
    less = {name: marks[: 1 + place % 2] for place, (name, marks) in enumerate(whole.items())}
    files = marked(texts, {"Ann": whole, "Bob": less, "Gold": whole})
    toml = (
        '[corpus]\nname = "Notes"\nlicence = "CC-BY-4.0"\n[[authors]]\nname = "Ada Lovelace"\n'
        '[task]\nnon_annotated = "None"\n[annotators.Gold]\nrole = "reference"\n'
        '[[unit_sets]]\nid = "tokens"\nunits = "tokens"'
    )
    folder = tmp_path_factory.mktemp("notes") / "notes"
    written(folder, toml, {f"exports/1.0/{name}": text for name, text in files.items()})
    return with_metadata(releases.released(folder)).files


@pytest.fixture(scope="module")
def attacked() -> Files:
    """The files of a release of a campaign every text of which is an attack."""
    return with_metadata(releases.attacked("long")).files


@pytest.fixture(params=["genes", "notes", "attacked"])
def files(request: pytest.FixtureRequest) -> Files:
    """Each of the three."""
    found: Files = request.getfixturevalue(request.param)
    return found


def results_of(files: Files) -> Results:
    return Results.model_validate_json(files[RESULTS])


def released(files: Files, results: Results) -> Released:
    return Released(results, ("en",), "2026-05-18", files)


def without(results: Results, **parts: object) -> Results:
    return results.model_copy(update=parts)


def with_layers(results: Results, number: int) -> Results:
    """Return results whose primary unit set stands in so many layers."""
    layers = [f"l{place}" for place in range(number)]
    sets = [results.primary.model_copy(update={"layer": each}) for each in layers]
    return without(
        results, unit_sets=tuple(sets), coefficients=dict.fromkeys(layers, results.coefficient), spans=None
    )


# The paragraph


def test_the_paragraph_is_one_line_of_whole_sentences_within_a_thousand_characters(files: Files) -> None:
    text = files[PARAGRAPH].decode()
    assert len(text) <= 1000
    assert text.count("\n") == 1
    assert text.endswith("report/results.json.\n")
    assert all(char.isprintable() for char in text.rstrip("\n"))


@pytest.mark.parametrize("most", [120, 200, 300, 400, 999])
def test_a_shorter_paragraph_leaves_out_whole_sentences(genes: Files, most: int) -> None:
    results = results_of(genes)
    whole, short = sentences.paragraph(results), sentences.paragraph(results, most)
    assert "2 annotators labelled 19,054 units (tokens) with 3 categories (Former, New, Rien)." in whole
    assert "Specific agreement is lowest for Former (193 labels): 0.736" in whole
    assert len(short) <= most
    assert all(sentence in whole for sentence in short.split(". "))
    assert "Cohen's kappa is 0.801" in short or most < 200
    long = results.campaign.model_copy(update={"title": "x" * 5000})
    assert "xxx" not in sentences.paragraph(without(results, campaign=long))


@pytest.mark.parametrize("most", range(60, 1001, 94))
def test_of_many_layers_figures_come_before_details(notes: Files, most: int) -> None:
    short = sentences.paragraph(with_layers(results_of(notes), 9), most)
    assert len(short) <= most
    for sentence in re.split(r"(?=Layer l\d: )", short)[1:]:
        assert sentence.count("Krippendorff's alpha is") == 1
        assert sentence.count("Specific agreement") <= 1
    assert most < 1000 or re.findall(r"Layer (l\d): ", short) == [f"l{number}" for number in range(9)]


def test_files_are_english_whatever_is_written_around_them(genes: Files) -> None:
    with writing(Edition("fr")):
        again = released(genes, results_of(genes))
        assert sentences.write(again).encode() == genes[PARAGRAPH]
        assert dataset_card.write(again).encode() == genes[CARD]


# Methods


def test_methods_are_the_sentences_of_the_report(genes: Files, attacked: Files) -> None:
    text = genes[METHODS].decode()
    assert "Cohen's kappa computes chance agreement from each annotator's own distribution." in text
    assert "doi:10.1177/001316446002000104" in text
    assert "](" not in text
    shown = markdown_it.MarkdownIt("commonmark").render(attacked[METHODS].decode())
    assert not re.search(r"<(?!/?(p|h1|h2|ul|li|strong|em|code|br)\b)", shown)


# The card


def test_hugging_face_reads_the_card_and_writes_it_as_it_is(files: Files) -> None:
    from huggingface_hub import DatasetCard

    text = files[CARD].decode()
    read = DatasetCard(text)
    assert read.data.get("tags") == ["inter-annotator-agreement"]
    assert read.content.endswith(read.text)
    assert text.endswith(read.text)


def test_no_text_of_a_campaign_closes_a_block_or_runs(attacked: Files) -> None:
    text = attacked[CARD].decode()
    for block in dataset_card.SECTIONS:
        inside = text.partition(f"<!-- {block}:begin -->")[2].partition(f"<!-- {block}:end -->")[0]
        shown = markdown_it.MarkdownIt("gfm-like", {"linkify": False}).render(inside)
        assert not re.search(
            r"<(?!/?(p|table|thead|tbody|tr|th|td|strong|em|code|br|a)\b|!-- agreement)", shown
        )
        assert not re.findall(r'href="(?!report/index\.html")[^"]*"', shown)


# The citation


def test_the_citation_names_the_campaign_and_its_authors(files: Files) -> None:
    campaign, content = results_of(files).campaign, yaml.safe_load(files[CITATION])
    assert content["title"].startswith(campaign.title)
    if not campaign.authors:
        assert content["authors"] == [{"name": campaign.title}]


def test_files_agree_on_title_date_version_licence_and_doi(tmp_path: Path) -> None:
    toml = (
        '[corpus]\nname = "Notes"\nversion = "2.1"\nlicence = "cc by 4.0"\n'
        'url = "https://example.org/notes"\ndoi = "10.1234/notes"\n'
        '[[unit_sets]]\nid = "all"\nunits = "items"\n'
    )
    folder = written(tmp_path / "notes", toml, {"exports/1.0/a.csv": "unit,Ann,Bob\n1,a,a\n2,b,a\n3,b,b\n"})
    files = with_metadata(releases.released(folder)).files
    cited, described = yaml.safe_load(files[CITATION]), json.loads(files[CROISSANT])
    root = next(each for each in json.loads(files[CRATE])["@graph"] if each["@id"] == "./")
    assert cited["title"] == described["name"] == root["name"]
    assert cited["version"] == root["version"] == "1.0"
    assert cited["license"] == "CC-BY-4.0"
    assert described["license"] == root["license"]["@id"]
    assert cited["references"][0]["doi"] == "10.1234/notes"
    assert described["sameAs"] == "https://doi.org/10.1234/notes"
    assert "The corpus: Notes, version 2.1, doi:10.1234/notes, " in files[README].decode()


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Ada Lovelace", {"given-names": "Ada", "family-names": "Lovelace"}),
        ("Beethoven, Ludwig van", {"given-names": "Ludwig van", "family-names": "Beethoven"}),
        (
            "Ludwig van Beethoven",
            {"given-names": "Ludwig", "name-particle": "van", "family-names": "Beethoven"},
        ),
        ("INIST-CNRS", {"name": "INIST-CNRS"}),
        ("The Quaero project", {"name": "The Quaero project"}),
        ("Ann and Bob", {"name": "Ann and Bob"}),
        ("a, b, c", {"name": "a, b, c"}),
    ],
)
def test_authors_are_people_as_bibtex_reads_names(name: str, parts: dict[str, str]) -> None:
    assert citation_cff.author(Author(name=name)) == parts


@pytest.mark.parametrize(
    ("author", "kind"),
    [
        (Author(name="Ada Lovelace"), "Person"),
        (Author(name="The Quaero project"), "Organization"),
        (Author(name="INIST-CNRS"), "Organization"),
        (Author(name="Bob", affiliation="Institute"), "Person"),
        (Author(name="Eve", orcid="0000-0002-1825-0097"), "Person"),
    ],
)
def test_who_signs_is_a_person_or_a_group_in_every_file(genes: Files, author: Author, kind: str) -> None:
    results = results_of(genes)
    signed = without(results, campaign=results.campaign.model_copy(update={"authors": (author,)}))
    (creator,) = json.loads(croissant.write(released({}, signed)))["creator"]
    (in_crate,) = ro_crate.people([author])
    assert creator["@type"] == f"sc:{kind}"
    assert in_crate["@type"] == linked_data.report(signed, alone=True)["author"]["@type"] == kind


# Croissant


def test_files_of_the_dataset_have_their_checksums_and_sizes(files: Files) -> None:
    for node in json.loads(files[CROISSANT])["distribution"]:
        content = files[node["contentUrl"]]
        assert node["sha256"] == hashlib.sha256(content).hexdigest()
        assert node["contentSize"] == f"{len(content)} B"


def test_columns_of_the_dataset_are_those_of_the_tables(files: Files) -> None:
    for records in json.loads(files[CROISSANT])["recordSet"]:
        sources = [field["source"] for field in records["field"]]
        (name,) = {source["fileObject"]["@id"] for source in sources}
        first = files[name].decode().partition("\n")[0].rstrip("\r")
        head = list(json.loads(first)) if name.endswith(".jsonl") else first.split(",")
        assert [source["extract"]["column"] for source in sources] == head


def test_nothing_but_known_names_of_the_vocabulary_is_written_and_each_is_signed(files: Files) -> None:
    from mlcroissant._src.core import constants

    known = {str(value) for name, value in vars(constants).items() if name.startswith("ML_COMMONS_RAI_")}
    assert {name.replace("rai:", croissant.VOCABULARY) for name in croissant.QUESTIONS} <= known
    content, results = json.loads(files[CROISSANT]), results_of(files)
    written = {key for key in content if key.startswith("rai:")}
    assert written <= croissant.QUESTIONS.keys()
    assert {"rai:dataAnnotationProtocol", "rai:dataAnnotationAnalysis", "rai:annotationsPerItem"} <= written
    for key in written:
        assert isinstance(content[key], str) == (key in croissant.ONE)
        whose = f" [agreement report {results.campaign.id} {results.guidelines}]"
        statements = [content[key]] if isinstance(content[key], str) else content[key]
        assert all(each.endswith(whose) for each in statements)
    assert content["conformsTo"] == list(croissant.CROISSANT_CONFORMS)


def test_agreement_stands_as_numbers_on_the_field_of_labels(genes: Files) -> None:
    records = json.loads(genes[CROISSANT])["recordSet"]
    (field,) = (field for each in records for field in each["field"] if "annotation" in field)
    assert field["@id"] == "counts/annotators/label"
    values = {each["@id"].rpartition("main.tokens/")[2]: each["value"] for each in field["annotation"]}
    primary = results_of(genes).primary
    kappa = primary.measures["cohen_kappa"]
    assert kappa.interval is not None
    assert values["cohen_kappa/value"] == kappa.value
    ends = (values["cohen_kappa/low"], values["cohen_kappa/high"])
    assert ends == (kappa.interval.low, kappa.interval.high)
    assert values["0/specific_agreement/value"] == primary.specific_agreement["Former"].value


def test_what_was_annotated_beforehand_is_named_and_what_is_not_supplied_is_not_said(genes: Files) -> None:
    results = results_of(genes)
    campaign = results.campaign.model_copy(update={"protocol": {"pre_annotated_by": "a tagger"}})
    said = croissant.fields(without(results, campaign=campaign))["rai:machineAnnotationTools"]
    assert said == ["Texts were annotated beforehand by a tagger. [agreement report gene-renaming 1.0]"]
    content = json.loads(genes[CROISSANT])
    assert not {"rai:machineAnnotationTools", "rai:annotatorDemographics"} & set(content)
    assert "Recruitment: " in content["rai:dataAnnotationProtocol"]


@pytest.mark.parametrize("guidelines", ["1", "1.0", "2.3.4", "1.0-rc1", "pilot"])
def test_versions_have_three_numbers_or_are_left_out(genes: Files, guidelines: str) -> None:
    undated = Released(without(results_of(genes), guidelines=guidelines), ("en",), None, genes)
    content = json.loads(croissant.write(undated))
    assert re.fullmatch(r"\d+\.\d+\.\d+", content.get("version", "0.0.0"))
    assert ("version" in content) == (guidelines in {"1", "1.0", "2.3.4"})
    assert "datePublished" not in content
    assert "date-released" not in yaml.safe_load(citation_cff.write(undated))
