"""UIMA CAS in XMI and JSON: marks, relations and slots, told from tokens; nothing in a file is executed."""

import io
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from reportgen.base.errors import BadInput, Problem
from reportgen.readers import DocumentCopy, Export, ExportFile, ReaderOptions
from reportgen.readers.naming import OF_TEMPLATE
from reportgen.readers.uima_cas import JSON_READER, OF_NO_VIEW, XMI_READER
from tests.cases import stored
from tests.readers.given_files import written

TEXT = "Anna 😀 met Bob."

TYPES = stored("uima/TypeSystem.xml")

XMI = stored("uima/d.xmi")

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
        ('begin="5" end="7"', 'begin="5" end="seven"', 7, 'is from "5" to "seven", which are not offsets.'),
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
