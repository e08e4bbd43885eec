"""What a bundle says for cards, Croissant, citations and archives: true to results, and valid elsewhere."""

import hashlib
import json
import re
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import markdown_it
import pytest
import yaml

from reportgen.campaign import load
from reportgen.publish import citation_cff, croissant, dataset_card, ro_crate, sentences
from reportgen.publish.bundle import BundleOptions, bundled
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
from reportgen.results import Author, Interval, Results
from reportgen.words.language import Edition, writing
from tests import hostile
from tests.campaigns import GENE_RENAMING, marked, written
from tests.campaigns import results as made

pytestmark = pytest.mark.slow

Files = Mapping[str, bytes]


@pytest.fixture(scope="module")
def genes() -> Files:
    """The bundle of two annotators without documents."""
    return bundled(load(GENE_RENAMING), "1.0", BundleOptions()).files


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
    return bundled(load(folder), "1.0", BundleOptions()).files


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The bundle of a campaign every text of which is an attack."""
    folder = tmp_path_factory.mktemp("hostile")
    hostile.write(folder)
    return bundled(load(folder / "long"), "1.0", BundleOptions()).files


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


def test_the_paragraph_says_what_the_results_say(genes: Files) -> None:
    text = genes[PARAGRAPH].decode()
    for words in (
        "under guidelines 1.0 of 27 May 2010",
        "2 annotators labelled 19,054 units (tokens) with 3 categories (Former, New, Rien).",
        "Cohen's kappa is 0.801, 95% interval 0.755 to 0.840.",
        "Specific agreement is lowest for Former (193 labels): 0.736",
    ):
        assert words in text


@pytest.mark.parametrize("most", [120, 200, 300, 400, 999])
def test_a_shorter_paragraph_leaves_out_whole_sentences(genes: Files, most: int) -> None:
    results = results_of(genes)
    whole, short = sentences.paragraph(results), sentences.paragraph(results, most)
    assert len(short) <= most
    assert all(f"{sentence}." in f"{whole} " or sentence in whole for sentence in short.split(". "))
    assert "Cohen's kappa is 0.801" in short or most < 200


@pytest.mark.parametrize("most", range(60, 1000, 47))
def test_what_is_said_of_a_layer_follows_its_name(notes: Files, most: int) -> None:
    short = sentences.paragraph(with_layers(results_of(notes), 9), most)
    assert len(short) <= most
    for sentence in re.split(r"(?=Layer l\d: )", short)[1:]:
        assert sentence.count("Krippendorff's alpha is") == 1
        assert sentence.count("Specific agreement") <= 1


def test_the_figure_of_each_of_many_layers_comes_before_details_of_any(notes: Files) -> None:
    text = sentences.paragraph(with_layers(results_of(notes), 9))
    assert re.findall(r"Layer (l\d): ", text) == [f"l{number}" for number in range(9)]
    assert text.endswith("report/results.json.")


def test_how_intervals_were_made_is_said_in_words(files: Files) -> None:
    text = files[PARAGRAPH].decode()
    said = r"Intervals come from leaving out each [a-z]+, with Student's t on the logit scale\."
    known = results_of(files).primary.measures[results_of(files).coefficient].interval
    assert known is not None
    assert bool(re.search(said, text)) == (known.low is not None)


def test_of_a_single_category_nothing_is_called_lowest(notes: Files) -> None:
    results = results_of(notes)
    one = {name: each for name, each in results.primary.specific_agreement.items() if name != "New"}
    alone = results.primary.model_copy(update={"specific_agreement": one})
    assert "Specific agreement on Former (" in sentences.paragraph(without(results, unit_sets=(alone,)))


def test_a_title_of_one_endless_word_is_left_out(genes: Files) -> None:
    results = results_of(genes)
    long = without(results, campaign=results.campaign.model_copy(update={"title": "x" * 5000}))
    assert "xxx" not in sentences.paragraph(long)
    assert "Cohen's kappa is 0.801" in sentences.paragraph(long)


def test_what_is_undefined_says_why(genes: Files) -> None:
    results = results_of(genes)
    figure = results.primary.measures["cohen_kappa"].model_copy(
        update={"value": None, "interval": None, "undefined": "one category is used"}
    )
    primary = results.primary.model_copy(update={"measures": {"cohen_kappa": figure}})
    assert "Cohen's kappa is undefined: one category is used." in sentences.paragraph(
        without(results, unit_sets=(primary,))
    )


def test_files_are_english_whatever_is_written_around_them(genes: Files) -> None:
    with writing(Edition("fr")):
        again = released(genes, results_of(genes))
        assert sentences.write(again).encode() == genes[PARAGRAPH]
        assert dataset_card.write(again).encode() == genes[CARD]


# Methods


def test_methods_are_the_sentences_of_the_report(genes: Files) -> None:
    text = genes[METHODS].decode()
    assert "Cohen's kappa computes chance agreement from each annotator's own distribution." in text
    assert "doi:10.1177/001316446002000104" in text
    assert "](" not in text


def test_methods_say_between_what_the_logit_scale_of_a_figure_lies(genes: Files) -> None:
    methods = " ".join(genes["methods.md"].decode().split())
    assert "½ ln((x − a) / (b − x))" in methods
    assert "between 0 and 1" in methods
    assert "between −1 and 1" in methods


def test_methods_run_nothing(attacked: Files) -> None:
    shown = markdown_it.MarkdownIt("commonmark").render(attacked[METHODS].decode())
    assert not re.search(r"<(?!/?(p|h1|h2|ul|li|strong|em|code|br)\b)", shown)


# The card


def test_a_category_is_lowest_only_among_those_of_which_as_much_is_known(notes: Files) -> None:
    results = results_of(notes)
    interval = Interval(low=0.5, high=0.9, level=0.95, method="by document")
    sure = results.primary.specific_agreement["New"].model_copy(update={"interval": interval})
    unsure = sure.model_copy(update={"interval": None, "value": 0.0})
    for specific, words in (
        ({"A": sure, "B": unsure}, "Specific agreement on A ("),
        (
            {"A": sure, "B": unsure, "C": sure},
            "Among categories with an interval, specific agreement is lowest",
        ),
    ):
        primary = results.primary.model_copy(update={"specific_agreement": specific})
        changed = without(results, unit_sets=(primary,))
        assert words in sentences.paragraph(changed)
        assert "too few labels for an interval" in dataset_card.blocks(changed)["iaa"]


def test_of_layers_that_are_alike_the_card_says_so_once(notes: Files) -> None:
    text = dataset_card.blocks(with_layers(results_of(notes), 3))["iaa"]
    assert text.count("annotators labelled") == text.count("Annotations: ") == 1
    assert "Layers l0, l1 and l2: " in text
    fields = croissant.fields(with_layers(results_of(notes), 3))
    assert str(fields["rai:annotationsPerItem"]).startswith("Layers l0, l1 and l2: ")


def test_a_layer_that_is_one_type_of_marks_has_its_category_by_its_name(notes: Files) -> None:
    results = with_layers(results_of(notes), 2)
    sets = [each.model_copy(update={"categories": (each.layer, "None")}) for each in results.unit_sets]
    alike = [each.model_copy(update={"non_annotated": "None"}) for each in sets]
    assert (
        "with 2 categories each (the layer's own, None)."
        in dataset_card.blocks(without(results, unit_sets=alike))["iaa"]
    )


def test_hugging_face_reads_the_card_and_writes_it_as_it_is(files: Files) -> None:
    from huggingface_hub import DatasetCard

    text = files[CARD].decode()
    read = DatasetCard(text)
    assert read.data.get("tags") == ["inter-annotator-agreement"]
    assert read.content.endswith(read.text)
    assert text.endswith(read.text)


def test_the_card_has_the_sections_of_the_template_and_one_table(genes: Files) -> None:
    text = genes[CARD].decode()
    titles = re.findall(r"^#+ (.*)$", text.partition("\n---\n")[2], re.MULTILINE)
    assert titles == ["Dataset Creation", "Annotations", "Annotation process", "Who are the annotators?"]
    assert len(re.findall(r"^\| :?-", text, re.MULTILINE)) == 1
    assert text.count("](") == 1
    for block in dataset_card.SECTIONS:
        assert text.count(f"<!-- {block}:begin -->") == text.count(f"<!-- {block}:end -->") == 1


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


def test_cffconvert_takes_the_citation(files: Files) -> None:
    from cffconvert import Citation

    cited = Citation(files[CITATION].decode())
    cited.validate()
    assert "agreement report" in cited.as_apalike()


def test_cffconvert_refuses_a_citation_without_authors(genes: Files) -> None:
    from cffconvert import Citation
    from jsonschema import ValidationError

    content = yaml.safe_load(genes[CITATION])
    del content["authors"]
    with pytest.raises(ValidationError):
        Citation(yaml.safe_dump(content)).validate()


def test_without_authors_the_campaign_is_the_author(genes: Files) -> None:
    assert yaml.safe_load(genes[CITATION])["authors"] == [
        {"name": "Gene renaming in Bacillus subtilis abstracts"}
    ]


def test_files_agree_on_title_date_version_licence_and_doi(tmp_path: Path) -> None:
    toml = (
        '[corpus]\nname = "Notes"\nversion = "2.1"\nlicence = "cc by 4.0"\n'
        'url = "https://example.org/notes"\ndoi = "10.1234/notes"\n'
        '[[unit_sets]]\nid = "all"\nunits = "items"\n'
    )
    folder = tmp_path / "notes"
    written(folder, toml, {"exports/1.0/a.csv": "unit,Ann,Bob\n1,a,a\n2,b,a\n3,b,b\n"})
    files = bundled(load(folder), "1.0", BundleOptions()).files
    cited, described = yaml.safe_load(files[CITATION]), json.loads(files[CROISSANT])
    root = next(each for each in json.loads(files[CRATE])["@graph"] if each["@id"] == "./")
    assert cited["title"] == described["name"] == root["name"]
    assert cited["version"] == root["version"] == "1.0"
    assert cited["license"] == "CC-BY-4.0"
    assert described["license"] == root["license"]["@id"]
    assert cited["references"][0]["doi"] == "10.1234/notes"
    assert described["sameAs"] == "https://doi.org/10.1234/notes"
    assert "The corpus: Notes, version 2.1, doi:10.1234/notes, " in files[README].decode()
    assert not checked(files, tmp_path / "dataset").metadata.ctx.issues.errors


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


def test_texts_in_the_citation_come_back_as_they_are(attacked: Files) -> None:
    written = yaml.safe_load(attacked[CITATION])
    assert written["title"].startswith("long <script>ran(1)</script>")


# Croissant


def checked(files: Files, folder: Path, change: Callable[[Any], object] = lambda _: None) -> Any:  # noqa: ANN401
    """Have mlcroissant read a Croissant file beside the files that it describes; return what it found."""
    import mlcroissant

    content = json.loads(files[CROISSANT])
    change(content)
    for name in (node["contentUrl"] for node in content["distribution"]):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(files[name])
    (folder / CROISSANT).write_text(json.dumps(content), encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return mlcroissant.Dataset(str(folder / CROISSANT))


def test_mlcroissant_takes_the_dataset(files: Files, tmp_path: Path) -> None:
    found = checked(files, tmp_path)
    issues = found.metadata.ctx.issues
    assert not issues.errors
    # A licence stands there where the campaign says which; nothing else that matters is missing.
    assert all("license" in each or "datePublished" in each for each in issues.warnings)


def test_mlcroissant_reads_the_tables(genes: Files, tmp_path: Path) -> None:
    found = checked(genes, tmp_path)
    first = next(iter(found.records("tables/coefficients")))
    assert first["tables/coefficients/figure"] == b"observed_agreement"
    assert first["tables/coefficients/value"] == pytest.approx(0.996116301039)
    assert next(iter(found.records("counts/annotators")))["counts/annotators/n"] == 107


def test_mlcroissant_refuses_a_dataset_without_checksums(genes: Files, tmp_path: Path) -> None:
    from mlcroissant import ValidationError

    with pytest.raises(ValidationError):
        checked(genes, tmp_path, lambda content: [node.pop("sha256") for node in content["distribution"]])


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


def test_nothing_but_known_names_of_the_vocabulary_is_written(files: Files) -> None:
    content = json.loads(files[CROISSANT])
    written = {key for key in content if key.startswith("rai:")}
    assert written <= croissant.QUESTIONS.keys()
    assert {"rai:dataAnnotationProtocol", "rai:dataAnnotationAnalysis", "rai:annotationsPerItem"} <= written
    for key in written:
        assert isinstance(content[key], str) == (key in croissant.ONE)
    assert content["conformsTo"] == list(croissant.CROISSANT_CONFORMS)


def test_the_analysis_names_what_annotators_confuse(genes: Files) -> None:
    statements = json.loads(genes[CROISSANT])["rai:dataAnnotationAnalysis"]
    assert any(each.startswith("Only one annotator marked Former on 30 units") for each in statements)


def test_agreement_that_is_too_low_is_a_limitation_of_the_data(genes: Files) -> None:
    results = results_of(genes)
    verdict = next(each for each in results.findings if each.id == "verdict")
    assert not any("Agreement is" in each for each in croissant.fields(results)["rai:dataLimitations"])
    low = without(results, findings=(verdict.model_copy(update={"severity": "problem"}),))
    assert any("Agreement is" in each for each in croissant.fields(low)["rai:dataLimitations"])


def test_names_of_the_vocabulary_are_those_that_mlcroissant_knows() -> None:
    from mlcroissant._src.core import constants

    known = {str(value) for name, value in vars(constants).items() if name.startswith("ML_COMMONS_RAI_")}
    assert {name.replace("rai:", croissant.VOCABULARY) for name in croissant.QUESTIONS} <= known


def test_every_statement_is_signed(files: Files) -> None:
    content = json.loads(files[CROISSANT])
    results = results_of(files)
    whose = f" [agreement report {results.campaign.id} {results.guidelines}]"
    for key in croissant.QUESTIONS.keys() & content.keys():
        statements = [content[key]] if isinstance(content[key], str) else content[key]
        assert all(each.endswith(whose) for each in statements)


def test_agreement_stands_as_numbers_on_the_field_of_labels(genes: Files, tmp_path: Path) -> None:
    (field,) = (
        field
        for records in json.loads(genes[CROISSANT])["recordSet"]
        for field in records["field"]
        if "annotation" in field
    )
    assert field["@id"] == "counts/annotators/label"
    values = {each["@id"].rpartition("main.tokens/")[2]: each["value"] for each in field["annotation"]}
    kappa = results_of(genes).primary.measures["cohen_kappa"]
    assert kappa.interval is not None
    assert values["cohen_kappa/value"] == kappa.value
    assert (values["cohen_kappa/low"], values["cohen_kappa/high"]) == (
        kappa.interval.low,
        kappa.interval.high,
    )
    assert (
        values["0/specific_agreement/value"] == results_of(genes).primary.specific_agreement["Former"].value
    )
    again = checked(genes, tmp_path).metadata.to_json()
    (kept,) = (each for records in again["recordSet"] for each in records["field"] if each.get("annotation"))
    assert len(kept["annotation"]) == len(field["annotation"])


def test_what_is_not_supplied_is_not_said(notes: Files) -> None:
    assert "rai:dataAnnotationPlatform" not in json.loads(notes[CROISSANT])
    assert b"Recruitment" not in notes[CROISSANT]


def test_how_annotators_were_recruited_and_paid_says_nothing_of_who_they_are(genes: Files) -> None:
    content = json.loads(genes[CROISSANT])
    assert "rai:annotatorDemographics" not in content
    assert "Recruitment: " in content["rai:dataAnnotationProtocol"]
    assert "INIST" in content["rai:dataAnnotationProtocol"]


def test_what_was_annotated_beforehand_is_named(genes: Files) -> None:
    results = results_of(genes)
    campaign = results.campaign.model_copy(update={"protocol": {"pre_annotated_by": "a tagger"}})
    said = croissant.fields(without(results, campaign=campaign))["rai:machineAnnotationTools"]
    assert said == ["Texts were annotated beforehand by a tagger. [agreement report gene-renaming 1.0]"]
    assert "rai:machineAnnotationTools" not in croissant.fields(results)


def test_a_system_has_its_declared_name_beside_its_pseudonym(tmp_path: Path) -> None:
    toml = '[annotators.made]\nrole = "system"\nsystem = "tagtron"\nrelease = "2"\n'
    found = made(tmp_path, toml, "item,ann,ben,made\n1,a,a,b\n2,b,b,b\n3,a,b,a\n")
    said = croissant.fields(found)["rai:machineAnnotationTools"]
    assert said[0].startswith("tagtron 2 (made): a system, compared with people")


@pytest.mark.parametrize("guidelines", ["1", "1.0", "2.3.4", "1.0-rc1", "pilot"])
def test_versions_have_three_numbers_or_are_left_out(genes: Files, guidelines: str) -> None:
    content = json.loads(croissant.write(released(genes, without(results_of(genes), guidelines=guidelines))))
    assert re.fullmatch(r"\d+\.\d+\.\d+", content.get("version", "0.0.0"))
    assert ("version" in content) == (guidelines in {"1", "1.0", "2.3.4"})


def test_without_a_date_formats_go_without(genes: Files) -> None:
    undated = Released(results_of(genes), ("en",), None, genes)
    assert "datePublished" not in json.loads(croissant.write(undated))
    assert "date-released" not in yaml.safe_load(citation_cff.write(undated))
