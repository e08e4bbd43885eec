"""UIMA CAS in XMI and JSON: marks, relations and slots, told from tokens; nothing in a file is executed."""

import io
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from reportgen.base.errors import BadInput, Problem
from reportgen.readers import DocumentCopy, Export, ExportFile, Ratings, ReaderOptions, TextMarks, read_export
from reportgen.readers.naming import OF_TEMPLATE
from reportgen.readers.uima_cas import JSON_READER, OF_NO_VIEW, XMI_READER
from tests.properties import examples
from tests.readers.generated import copies, told
from tests.readers.given_files import written
from tests.readers.write_cas import write_json, write_xmi

TEXT = "Anna 😀 met Bob."

TYPES = """<?xml version="1.0" encoding="UTF-8"?>
<typeSystemDescription xmlns="http://uima.apache.org/resourceSpecifier"><types>
<typeDescription><name>custom.Span</name><description/><supertypeName>uima.tcas.Annotation</supertypeName>
<features>
<featureDescription><name>value</name><description/><rangeTypeName>uima.cas.String</rangeTypeName></featureDescription>
<featureDescription><name>sure</name><description/><rangeTypeName>uima.cas.Boolean</rangeTypeName></featureDescription>
<featureDescription><name>rank</name><description/><rangeTypeName>uima.cas.Integer</rangeTypeName></featureDescription>
<featureDescription><name>many</name><description/><rangeTypeName>uima.cas.StringArray</rangeTypeName></featureDescription>
<featureDescription><name>of</name><description/><rangeTypeName>custom.Span</rangeTypeName></featureDescription>
<featureDescription><name>links</name><description/><rangeTypeName>uima.cas.FSArray</rangeTypeName>
<elementType>custom.Link</elementType></featureDescription>
</features></typeDescription>
<typeDescription><name>custom.Link</name><description/><supertypeName>uima.cas.TOP</supertypeName>
<features>
<featureDescription><name>role</name><description/><rangeTypeName>uima.cas.String</rangeTypeName></featureDescription>
<featureDescription><name>target</name><description/><rangeTypeName>custom.Span</rangeTypeName></featureDescription>
</features></typeDescription>
<typeDescription><name>custom.Rel</name><description/><supertypeName>uima.tcas.Annotation</supertypeName>
<features>
<featureDescription><name>label</name><description/><rangeTypeName>uima.cas.String</rangeTypeName></featureDescription>
<featureDescription><name>Governor</name><description/><rangeTypeName>uima.tcas.Annotation</rangeTypeName></featureDescription>
<featureDescription><name>Dependent</name><description/><rangeTypeName>uima.tcas.Annotation</rangeTypeName></featureDescription>
</features></typeDescription>
<typeDescription><name>custom.Whole</name><description/><supertypeName>uima.cas.AnnotationBase</supertypeName>
<features>
<featureDescription><name>topic</name><description/><rangeTypeName>uima.cas.String</rangeTypeName></featureDescription>
</features></typeDescription>
<typeDescription><name>dkpro.Token</name><description/><supertypeName>uima.tcas.Annotation</supertypeName></typeDescription>
</types></typeSystemDescription>
"""

XMI = """<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" xmlns:c="http:///custom.ecore"
 xmlns:d="http:///dkpro.ecore" xmi:version="2.0">
<cas:NULL xmi:id="0"/>
<d:Token xmi:id="1" sofa="90" begin="0" end="4"/>
<c:Span xmi:id="2" sofa="90" begin="0" end="7" value="PER" sure="true" rank="0"><many>x</many>\
<many>y</many></c:Span>
<c:Span xmi:id="3" sofa="90" begin="5" end="7" value="" of="2"/>
<c:Span xmi:id="4" sofa="90" begin="12" end="15" links="5 6"/>
<c:Link xmi:id="5" role="r1" target="2"/>
<c:Link xmi:id="6" target="3"/>
<c:Rel xmi:id="7" sofa="90" begin="12" end="15" label="sees" Governor="2" Dependent="4"/>
<c:Whole xmi:id="8" sofa="90" topic="news"/>
<c:Span xmi:id="9" sofa="90" begin="0" end="4" value="deleted"/>
<c:Span xmi:id="10" sofa="91" begin="0" end="3" value="elsewhere"/>
<cas:Sofa xmi:id="90" sofaNum="1" sofaID="_InitialView" mimeType="text/plain" sofaString="Anna 😀 met Bob."/>
<cas:Sofa xmi:id="91" sofaNum="2" sofaID="other" mimeType="text/plain" sofaString="Other"/>
<cas:View sofa="90" members="1 2 3 4 7 8"/>
<cas:View sofa="91" members="10"/>
</xmi:XMI>
"""

MARKS = [
    ("custom.Span", ((0, 6),), {"value": "PER", "sure": "true", "rank": "0", "many": "x|y"}, "2"),
    ("custom.Span", ((5, 6),), {"value": ""}, "3"),
    ("custom.Span", ((11, 14),), {}, "4"),
    ("custom.Whole", (), {"topic": "news"}, ""),
]
RELATIONS = [
    ("custom.Span|of", (("host", "3"), ("target", "2")), {}),
    ("custom.Span|links", (("host", "4"), ("target", "2")), {"role": "r1"}),
    ("custom.Span|links", (("host", "4"), ("target", "3")), {}),
    ("custom.Rel", (("Governor", "2"), ("Dependent", "4")), {"label": "sees"}),
]


def read(folder: Path, contents: dict[str, str | bytes], **options: Any) -> Export:  # noqa: ANN401
    reader = JSON_READER if all(name.endswith(".json") for name in contents) else XMI_READER
    found = reader.read(written(folder, contents), ReaderOptions(**options))
    assert isinstance(found, Export)
    return found


def refused(folder: Path, contents: dict[str, str | bytes]) -> Sequence[Problem]:
    with pytest.raises(BadInput) as caught:
        read(folder, contents)
    return caught.value.problems


def zipped(contents: dict[str, str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in contents.items():
            archive.writestr(name, text)
    return made.getvalue()


def as_json() -> dict[str, Any]:
    """Return the same document as XMI has, in JSON: offsets are UTF-16 there too."""
    from cassis import load_cas_from_xmi, load_typesystem

    types = load_typesystem(TYPES)
    made: dict[str, Any] = json.loads(load_cas_from_xmi(XMI, types).to_json())
    return made


def marks_of(copy: DocumentCopy) -> list[tuple[Any, ...]]:
    return [(mark.type, mark.spans, dict(mark.features), mark.id) for mark in copy.marks]


def relations_of(copy: DocumentCopy) -> list[tuple[Any, ...]]:
    return [(each.type, each.arguments, dict(each.features)) for each in copy.relations]


def test_annotations_are_marks_and_references_relations(tmp_path: Path) -> None:
    """Offsets are code points; numbers, truth values and sets are text; tokens and links are no marks."""
    export = read(tmp_path, {"anna/d.xmi": XMI, "TypeSystem.xml": TYPES})
    (copy,) = export.copies
    assert (copy.text, copy.state) == (TEXT, "seen")
    assert marks_of(copy) == MARKS
    assert relations_of(copy) == RELATIONS
    assert [mark.line for mark in copy.marks] == [6, 7, 8, 12]
    assert [source.file for source in export.sources] == ["anna/d.xmi", "TypeSystem.xml"]


def test_what_is_in_no_view_or_another_one_is_left_out(tmp_path: Path) -> None:
    export = read(tmp_path, {"d.xmi": XMI, "TypeSystem.xml": TYPES})
    assert [(left.file, left.line, left.reason) for left in export.left_out] == [
        ("d.xmi", 13, OF_NO_VIEW),
        ("d.xmi", 14, OF_NO_VIEW),
    ]


def test_json_says_the_same(tmp_path: Path) -> None:
    (copy,) = read(tmp_path, {"d.json": json.dumps(as_json())}).copies
    assert copy.text == TEXT
    assert sorted(map(str, marks_of(copy))) == sorted(map(str, MARKS))
    assert sorted(map(str, relations_of(copy))) == sorted(map(str, RELATIONS))


def test_json_with_one_view_of_another_name_is_read(tmp_path: Path) -> None:
    text = json.dumps(as_json()).replace("_InitialView", "source")
    export = read(tmp_path, {"d.json": text})
    assert (export.copies[0].text, len(export.copies[0].marks)) == (TEXT, len(MARKS))
    assert [left.reason for left in export.left_out] == [OF_NO_VIEW]


def test_an_archive_is_called_like_its_user(tmp_path: Path) -> None:
    """Both files are in it; the document is what the folder says."""
    packed = zipped({"whatever.xmi": XMI, "TypeSystem.xml": TYPES})
    export = read(tmp_path, {"d1/anna.zip": packed, "d1/ben.zip": packed})
    assert [(copy.document, copy.annotator) for copy in export.copies] == [("d1", "anna"), ("d1", "ben")]
    assert XMI_READER.recognises(ExportFile(tmp_path / "d1/anna.zip", "anna.zip"))


def test_an_archive_of_several_documents_is_a_folder(tmp_path: Path) -> None:
    packed = zipped({"d1.xmi": XMI, "d2.xmi": XMI, "TypeSystem.xml": TYPES})
    export = read(tmp_path, {"anna.zip": packed, "ben.zip": packed})
    assert [(copy.document, copy.annotator) for copy in export.copies] == [
        ("d1", "anna"),
        ("d2", "anna"),
        ("d1", "ben"),
        ("d2", "ben"),
    ]


def test_curator_and_template_are_told_apart(tmp_path: Path) -> None:
    names = [f"annotation/d/{name}.xmi" for name in ("anna", "ben", "INITIAL_CAS")]
    contents: dict[str, str | bytes] = dict.fromkeys([*names, "curation/d/CURATION_USER.xmi"], XMI)
    export = read(tmp_path, {**contents, "TypeSystem.xml": TYPES})
    assert [(copy.document, copy.annotator, copy.role) for copy in export.copies] == [
        ("d", "anna", "annotator"),
        ("d", "ben", "annotator"),
        ("d", "CURATION_USER", "reference"),
    ]
    assert sum(left.reason == OF_TEMPLATE for left in export.left_out) == len(MARKS) + len(RELATIONS)


def test_a_document_without_annotations_was_seen(tmp_path: Path) -> None:
    text = XMI.replace('members="1 2 3 4 7 8"', 'members="1"')
    export = read(tmp_path, {"anna/d.xmi": text, "TypeSystem.xml": TYPES})
    assert [(copy.state, copy.marks) for copy in export.copies] == [("seen", ())]


def test_the_type_system_is_found_by_name_folder_and_content(tmp_path: Path) -> None:
    other = TYPES.replace("custom.", "foreign.")
    contents: dict[str, str | bytes] = {
        "x/d.xmi": XMI,
        "x/a-typesystem.xml": other,
        "x/b-typesystem.xml": TYPES,
        "y/d.xmi": XMI,
    }
    assert [len(copy.marks) for copy in read(tmp_path, contents).copies] == [4, 4]


# Tokens are dropped before dkpro-cassis makes structures of them, unless something hangs on one.
TOKENS = """<d:Token xmi:id="21" sofa="90" begin="0" end="4"/>
<d:Token xmi:id="22" sofa="90" begin="5" end="7"/>
<d:Token xmi:id="23" sofa="90" begin="8" end="11"/>
<c:Rel xmi:id="25" sofa="90" begin="8" end="11" Governor="21" Dependent="23"/>
<cas:Sofa xmi:id="90"
"""
ON_TOKENS = XMI.replace('<cas:Sofa xmi:id="90"', TOKENS.strip()).replace(
    'members="1 2 3 4 7 8"', 'members="1 2 3 4 7 8 21 22 23 25"'
)


def test_what_hangs_on_tokens_is_read(tmp_path: Path) -> None:
    """Relations between tokens keep their ends."""
    (copy,) = read(tmp_path, {"anna/d.xmi": ON_TOKENS, "anna/TypeSystem.xml": TYPES}).copies
    assert marks_of(copy) == MARKS
    between: tuple[str, Any, dict[str, str]] = ("custom.Rel", (("Governor", "21"), ("Dependent", "23")), {})
    assert relations_of(copy) == [*RELATIONS, between]


def test_no_structure_is_made_of_a_token_on_which_nothing_hangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are most of a document; marks are counted, not tokens."""
    import cassis

    load, made = cassis.load_cas_from_xmi, list[int]()

    def loaded(source: Any, **options: Any) -> Any:  # noqa: ANN401 - dkpro-cassis carries no types
        cas = load(source, **options)
        made.append(len(list(cas.select("dkpro.Token"))))
        return cas

    monkeypatch.setattr(cassis, "load_cas_from_xmi", loaded)
    read(tmp_path, {"anna/d.xmi": XMI, "anna/TypeSystem.xml": TYPES})
    read(tmp_path, {"anna/d.xmi": ON_TOKENS, "anna/TypeSystem.xml": TYPES})
    assert made == [0, 2]


def test_type_systems_of_one_content_are_loaded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """INCEpTION puts one beside every copy."""
    import cassis

    load, sources = cassis.load_typesystem, list[object]()

    def loaded(source: Any) -> Any:  # noqa: ANN401 - dkpro-cassis carries no types
        sources.append(source)
        return load(source)

    monkeypatch.setattr(cassis, "load_typesystem", loaded)
    folders = [f"d{number}/anna" for number in range(4)]
    contents = {f"{folder}.xmi": XMI for folder in folders}
    systems = {f"d{number}/TypeSystem.xml": TYPES for number in range(4)}
    assert len(read(tmp_path, {**contents, **systems}).copies) == 4
    assert len(sources) == 1


FAULTY = XMI.replace('xmi:id="3"', 'xmi:id="2"', 1)


def test_one_faulty_file_of_five_is_left_out_with_a_warning(tmp_path: Path) -> None:
    contents = {f"anna/d{number}.xmi": XMI for number in range(4)} | {"anna/d4.xmi": FAULTY}
    export = read(tmp_path, {**contents, "TypeSystem.xml": TYPES}, path="{annotator}/{document}")
    assert [(copy.document, copy.state, len(copy.marks)) for copy in export.copies] == [
        (f"d{number}", "seen", 4) for number in range(4)
    ]
    (warning,) = export.warnings
    assert (warning.file, warning.message) == (
        "anna/d4.xmi",
        "has the id 2, which another annotation has too.",
    )
    assert warning.remedy.startswith("The file is left out.")


def test_more_than_one_faulty_file_of_five_are_refused(tmp_path: Path) -> None:
    """Something else than a single file is wrong then."""
    contents = {f"anna/d{number}.xmi": XMI for number in range(3)} | {"anna/d3.xmi": FAULTY}
    (problem,) = refused(tmp_path, {**contents, "TypeSystem.xml": TYPES})
    assert problem.message == "has the id 2, which another annotation has too."


def test_without_a_type_system_features_are_read_as_written_with_a_warning(tmp_path: Path) -> None:
    export = read(tmp_path, {"anna/d.xmi": XMI})
    (copy,) = export.copies
    assert copy.text == TEXT
    assert [(mark.type, mark.spans, dict(mark.features), mark.line) for mark in copy.marks] == [
        ("custom.Span", ((0, 6),), {"value": "PER", "sure": "true", "rank": "0", "many": "x|y"}, 6),
        ("custom.Span", ((5, 6),), {"value": "", "of": "2"}, 7),
        ("custom.Span", ((11, 14),), {"links": "5 6"}, 8),
        ("custom.Rel", ((11, 14),), {"label": "sees", "Governor": "2", "Dependent": "4"}, 11),
        ("custom.Whole", (), {"topic": "news"}, 12),
    ]
    assert [(left.line, left.reason) for left in export.left_out] == [(13, OF_NO_VIEW), (14, OF_NO_VIEW)]
    (warning,) = export.warnings
    assert warning.message.startswith(
        "has no type system that declares custom.Link, custom.Rel, custom.Span: features are read as"
    )
    assert "TypeSystem.xml" in warning.remedy


def test_the_names_of_features_are_never_code_without_a_type_system(tmp_path: Path) -> None:
    text = XMI.replace('value="PER"', '__class__="PER"')
    (copy,) = read(tmp_path, {"d.xmi": text}).copies
    assert copy.marks[0].features["__class__"] == "PER"


def test_a_warning_reaches_whoever_reads_the_export(tmp_path: Path) -> None:
    (file,) = written(tmp_path, {"d.xmi": XMI.replace('begin="12" end="15" label', "label")})
    options = ReaderOptions(source="custom.Span->value")
    assert len(read_export([(file.path, file.name)], options).warnings) == 1


@pytest.mark.parametrize("text", ["", "<cas:View sofa='90'/>"])
def test_a_file_without_text_is_refused_without_a_type_system_too(tmp_path: Path, text: str) -> None:
    start, end = XMI.index("<cas:Sofa"), XMI.index("</xmi:XMI>")
    (problem,) = refused(tmp_path, {"d.xmi": XMI[:start] + text + XMI[end:]})
    assert problem.message == "has no text."


def test_a_type_that_is_not_declared_is_named(tmp_path: Path) -> None:
    (problem,) = refused(
        tmp_path, {"d.xmi": XMI, "TypeSystem.xml": TYPES.replace("custom.Whole", "custom.Part")}
    )
    assert 'the type "custom.Whole" is declared nowhere' in problem.message


@pytest.mark.parametrize(
    ("found", "changed", "line", "message"),
    [
        ('begin="5" end="7"', 'begin="5" end="6"', 7, "the offsets 5 to 6 cut a character in two"),
        (
            'begin="12" end="15" links',
            'begin="12" end="99" links',
            8,
            "from 12 to 99 does not lie within the text",
        ),
        (
            'begin="12" end="15" links',
            'begin="9" end="8" links',
            8,
            "from 9 to 8 does not lie within the text",
        ),
        (
            'begin="5" end="7"',
            'begin="5" end="seven"',
            7,
            'is from "5" to "seven", which are not offsets.',
        ),
        ('xmi:id="3"', 'xmi:id="2"', 7, "has the id 2, which another annotation has too."),
        ('rank="0"', 'rank="zero"', 0, "is a damaged CAS: something in it"),
        ("</xmi:XMI>", "", 20, "is not well-formed XML"),
        ("<cas:NULL", "<!DOCTYPE x><cas:NULL", 4, "is not well-formed XML"),
    ],
)
def test_faults_are_named_with_their_line(
    tmp_path: Path, found: str, changed: str, line: int, message: str
) -> None:
    problems = refused(tmp_path, {"d.xmi": XMI.replace(found, changed), "TypeSystem.xml": TYPES})
    assert any(each.line == line and each.message.startswith(message) and each.remedy for each in problems)


def test_a_cas_without_text_is_refused(tmp_path: Path) -> None:
    text = XMI.replace(' sofaString="Anna 😀 met Bob."', "").replace(' sofaString="Other"', "")
    (problem,) = refused(tmp_path, {"d.xmi": text, "TypeSystem.xml": TYPES})
    assert problem.message == "has no text."


def test_entities_are_refused(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa">]>\n<xmi:XMI'
    (problem,) = refused(tmp_path, {"d.xmi": XMI.replace("<xmi:XMI", bomb, 1), "TypeSystem.xml": TYPES})
    assert "entities" in problem.message
    (problem,) = refused(
        tmp_path,
        {
            "d.xmi": XMI,
            "TypeSystem.xml": TYPES.replace("<typeSystem", bomb.removesuffix("<xmi:XMI") + "<typeSystem", 1),
        },
    )
    assert "entities" in problem.message


CODE = "x=__import__('pathlib').Path('executed').touch()"


def test_names_of_features_are_never_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library compiles them into classes: what is no plain name is refused before."""
    monkeypatch.chdir(tmp_path)
    (problem,) = refused(tmp_path, {"d.xmi": XMI, "TypeSystem.xml": TYPES.replace(">topic<", f">{CODE}<")})
    assert (problem.file, "which is not a plain name" in problem.message) == ("TypeSystem.xml", True)
    data = as_json()
    data["%TYPES"]["custom.Span"][CODE] = {"%NAME": CODE, "%RANGE": "uima.cas.String"}
    (problem,) = refused(tmp_path, {"d.json": json.dumps(data)})
    assert "which is not a plain name" in problem.message
    assert not (tmp_path / "executed").exists()


@pytest.mark.parametrize(
    ("change", "line", "key", "message"),
    [
        ({"begin": "x"}, 4, "begin", "is a text where a number was expected."),
        ({"end": 99}, 4, "", "from 0 to 99 does not lie within the text"),
        ({"end": 6}, 4, "", "the offsets 0 to 6 cut a character in two"),
        ({"%ID": None}, 4, "%ID", "is missing where a number was expected."),
        ({"%TYPE": 3}, 4, "%TYPE", "is a number where a text was expected."),
        ({"value": ["a", {}]}, 4, "feature value", "has something that is neither text nor number"),
    ],
)
def test_faults_in_json_are_named_with_the_number_of_the_record(
    tmp_path: Path, change: dict[str, Any], line: int, key: str, message: str
) -> None:
    data = as_json()
    number = next(n for n, each in enumerate(data["%FEATURE_STRUCTURES"], 1) if each.get("value") == "PER")
    data["%FEATURE_STRUCTURES"][number - 1] |= change
    problems = refused(tmp_path, {"d.json": json.dumps(data)})
    assert [(each.line - number, each.key) for each in problems] == [(line - 4, key)]
    assert problems[0].message.startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1]", "is a list where an object was expected."),
        ("{", "is not JSON"),
        ('{"%FEATURE_STRUCTURES": []}', "is missing: the file does not declare its types."),
        ('{"%TYPES": {}, "%VIEWS": {}, "%FEATURE_STRUCTURES": 3}', "is a number where a list was expected."),
        ('{"%TYPES": {}, "%VIEWS": {}, "%FEATURE_STRUCTURES": []}', "has no text."),
        ('{"%TYPES": {"A": {}}, "%VIEWS": {}, "%FEATURE_STRUCTURES": []}', "is a damaged CAS: "),
        # An id of more digits than Python reads as a number.
        (
            f'{{"%TYPES": {{}}, "%VIEWS": {{}}, "%FEATURE_STRUCTURES": {{"{"1" * 5000}": {{}}}}}}',
            "is missing",
        ),
    ],
)
def test_json_that_is_no_cas_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (problem,) = refused(tmp_path, {"d.json": text})
    assert problem.message.startswith(message)


def test_layers_of_texts_and_of_documents_are_read(tmp_path: Path) -> None:
    files = written(tmp_path, {"anna/d.xmi": XMI, "ben/d.xmi": XMI, "TypeSystem.xml": TYPES})
    named = [(file.path, file.name) for file in files]
    spans = read_export(named, ReaderOptions(source="Span->value"))
    assert isinstance(spans.content, TextMarks)
    assert (spans.format, len(spans.content.label)) == ("cas-xmi", 6)
    assert spans.content.labels == ("PER", "(empty)", "(absent)")
    assert spans.marks_read == 6 + sum(left.marks for left in spans.left_out)
    topics = read_export(named, ReaderOptions(source="Whole->topic"))
    assert isinstance(topics.content, Ratings)
    assert (topics.content.unit_names, topics.content.labels) == (("d",), ("news",))


@examples(25)
@given(made=copies(unseen=False))
def test_what_was_written_as_xmi_comes_back(
    tmp_path_factory: pytest.TempPathFactory, made: list[DocumentCopy]
) -> None:
    export = XMI_READER.read(write_xmi(made, tmp_path_factory.mktemp("campaign")), ReaderOptions())
    assert isinstance(export, Export)
    assert told(export.copies, ordered=False) == told(made, ordered=False)


@examples(25)
@given(made=copies(unseen=False))
def test_what_was_written_as_json_comes_back(
    tmp_path_factory: pytest.TempPathFactory, made: list[DocumentCopy]
) -> None:
    export = JSON_READER.read(write_json(made, tmp_path_factory.mktemp("campaign")), ReaderOptions())
    assert isinstance(export, Export)
    assert told(export.copies, ordered=False) == told(made, ordered=False)


def samples(shared: Path, name: str) -> list[ExportFile]:
    if not (shared / "formats" / name).is_dir():
        pytest.skip(f"NOT TESTED on {name}: it is not in the folder 'shared' beside the checkout")
    return [ExportFile(path, path.name) for path in sorted((shared / "formats" / name).iterdir())]


def test_the_samples_of_xmi_are_read(shared: Path) -> None:
    """A slot, emoji joined of several characters, and a document with nothing but tokens."""
    files = samples(shared, "uima_cas_xmi")
    assert all(XMI_READER.recognises(file) != XMI_READER.accompanies(file) for file in files)
    export = XMI_READER.read(files, ReaderOptions())
    assert isinstance(export, Export)
    assert [(len(copy.marks), len(copy.relations)) for copy in export.copies] == [(3, 2), (9, 0), (0, 0)]
    assert "".join((export.copies[1].text or "")[start:end] for ((start, end),) in _spans(export)) == (
        "🥳This👳🏻\u200d♀️is✆a🧔🏾\u200d♂️test👻"
    )


def _spans(export: Export) -> list[tuple[tuple[int, int], ...]]:
    return [mark.spans for mark in export.copies[1].marks]


def test_the_samples_of_json_are_read(shared: Path) -> None:
    files = samples(shared, "uima_cas_json")
    assert all(map(JSON_READER.recognises, files))
    export = JSON_READER.read(files, ReaderOptions())
    assert isinstance(export, Export)
    assert [(len(copy.marks), len(copy.relations)) for copy in export.copies] == [(3, 2), (9, 0)]
    assert _spans(export)[:3] == [((0, 1),), ((2, 6),), ((7, 12),)]
