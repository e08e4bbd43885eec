"""Copies of documents become layers: aligned, checked, selected, and every mark and chain accounted for."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.base.errors import BadInput
from reportgen.campaign import load
from reportgen.findings.protocol import CHAINS as FINDING
from reportgen.findings.verdicts import UNFIT
from reportgen.pipeline.reading import read_campaign
from reportgen.readers import (
    Annotations,
    DocumentCopy,
    Export,
    ParsedMark,
    Ratings,
    ReaderOptions,
    Relation,
    TextMarks,
)
from reportgen.readers.annotations import EMPTY, MARKED, SKIPPED, UNSEEN
from reportgen.readers.layers_of_marks import (
    CHAINS,
    OF_CHAIN,
    are_chains,
    assemble,
    is_called_chain,
    name_key,
    with_one_spelling,
)
from reportgen.readers.places import utf16
from tests.campaigns import finding, results_of, written
from tests.cases import stored
from tests.readers.utf16 import to_utf16

TEXT = "Anna met Ben"


def layers(
    *copies: DocumentCopy,
    sources: tuple[str | None, ...] = (None,),
    by_feature: bool = False,
    default: str | None = None,
    **options: object,
) -> list[Annotations]:
    export = Export(copies, "Read.", (), by_feature=by_feature, default=default)
    return assemble(export, [ReaderOptions(source=source, **options) for source in sources], "made-up")  # type: ignore[arg-type]


def made(
    annotator: str, *marks: ParsedMark, document: str = "d", text: str | None = TEXT, **more: object
) -> DocumentCopy:
    return DocumentCopy(document, annotator, f"{annotator}.ann", text, marks, **more)  # type: ignore[arg-type]


def span(kind: str, start: int, end: int, line: int = 1, **features: str) -> ParsedMark:
    return ParsedMark(kind, ((start, end),), features, line)


def test_the_type_of_a_mark_is_its_label_and_places_are_kept() -> None:
    (found,) = layers(made("a", span("PER", 0, 4, 7)), made("b"))
    content = found.content
    assert isinstance(content, TextMarks)
    assert (content.documents, content.texts, content.annotators, content.labels) == (
        ("d",),
        (TEXT,),
        ("a", "b"),
        ("PER",),
    )
    assert content.location(0) == ("a.ann", 7)
    assert (found.marks_read, found.format, found.reading) == (1, "made-up", "Read.")


def test_the_value_of_the_only_feature_is_the_label_where_the_format_has_layers() -> None:
    (found,) = layers(made("a", span("x.Entity", 0, 4, value="PER")), by_feature=True)
    assert found.content.labels == ("PER",)
    (found,) = layers(made("a", span("x.Entity", 0, 4)), by_feature=True)
    assert found.content.labels == ("Entity",)


def test_several_things_that_are_labelled_are_listed_for_a_choice() -> None:
    marks = made("a", span("Entity", 0, 4, value="PER", link="Q1"), span("POS", 0, 4, tag="N"))
    with pytest.raises(BadInput) as caught:
        layers(marks, by_feature=True)
    (problem,) = caught.value.problems
    assert "Entity->value, Entity->link, POS->tag" in problem.message
    assert 'source = "Entity->value"' in problem.remedy
    with pytest.raises(BadInput, match="Entity->value, Entity->link"):
        layers(marks, by_feature=True, sources=("Entity",))


def test_layers_are_chosen_by_type_feature_and_short_name() -> None:
    marks = made("a", span("p.Entity", 0, 4, value="PER", link="Q1"), span("p.POS", 0, 4, tag="N"))
    found = layers(marks, by_feature=True, sources=("Entity->value", "p.Entity->link", "POS"))
    assert [each.content.labels for each in found] == [("PER",), ("Q1",), ("N",)]
    assert [each.marks_read for each in found] == [1, 1, 1]
    assert [each.choice for each in found] == [
        "marks of Entity, labelled by value.",
        "marks of Entity, labelled by link.",
        "marks of POS, labelled by tag.",
    ]


def test_an_attribute_of_a_type_can_be_a_layer_and_a_type_alone_another() -> None:
    marks = made("a", span("PER", 0, 4, sure="yes"), span("PER", 9, 12), span("LOC", 0, 4))
    sure, kind = layers(marks, sources=("PER->sure", "PER"))
    assert (sure.content.labels, sure.compared) == (("yes", "(absent)"), "attributes")
    assert [(each.line, each.reason) for each in sure.left_out] == [
        (1, "of a layer that the campaign does not ask for")
    ]
    assert (kind.content.labels, kind.compared) == (("PER",), "marks")
    assert sum(each.marks_read for each in (sure, kind)) == 5


@pytest.mark.parametrize("by_feature", [True, False])
def test_an_attribute_that_is_absent_and_one_that_is_empty_are_labels_of_their_own(by_feature: bool) -> None:  # noqa: FBT001 - a case
    marks = (span("PER", 0, 4, sure="yes"), span("PER", 5, 8), span("PER", 9, 12, sure=""))
    (found,) = layers(made("a", *marks), by_feature=by_feature, sources=("PER->sure",))
    assert found.content.labels == ("yes", "(absent)", "(empty)")
    assert found.compared == ("marks" if by_feature else "attributes")
    (without,) = layers(made("a", *marks), sources=("PER->sure",), missing=("(absent)", "(empty)"))
    assert (without.content.labels, len(without.left_out)) == (("yes",), 2)
    assert {each.reason for each in without.left_out} == {"the label means a missing one"}


def related(*relations: Relation) -> DocumentCopy:
    marks = (
        ParsedMark("Gene", ((0, 4),), line=1, id="T1"),
        ParsedMark("Gene", ((9, 12),), line=2, id="T2"),
        ParsedMark("Topic", line=3, id="T3"),
    )
    return DocumentCopy("d", "a", "a.ann", TEXT, marks, relations)


def test_relations_are_a_layer_labelled_by_type_and_roles_in_the_order_of_the_text() -> None:
    one = Relation("Renames", (("New", "T2"), ("Former", "T1")), line=4)
    swapped = Relation("Renames", (("New", "T1"), ("Former", "T2")), line=5)
    other = Relation("Equiv", (("", "T1"), ("", "T2")), line=6)
    renames, every = layers(related(one, swapped, other), sources=("Renames", "relations"))
    assert renames.content.labels == ("Renames (Former, New)", "Renames (New, Former)")
    assert every.content.labels == ("Renames (Former, New)", "Renames (New, Former)", "Equiv")
    assert (renames.compared, renames.choice) == ("relations", "relations of Renames, by their arguments.")
    assert isinstance(renames.content, TextMarks)
    assert renames.content.span_start.tolist() == [0, 9, 0, 9]
    assert [renames.content.location(mark) for mark in (0, 1)] == [("a.ann", 4), ("a.ann", 5)]
    assert [each.line for each in renames.left_out] == [1, 2, 3]
    assert (renames.marks_read, every.marks_read) == (5, 3)


def test_the_word_marks_stands_for_all_types_beside_a_layer_of_relations() -> None:
    relation = Relation("Renames", (("New", "T2"), ("Former", "T1")), line=4)
    copy = related(relation)
    spanned = DocumentCopy("d", "a", "a.ann", TEXT, [*copy.marks[:2], span("Protein", 5, 8)], [relation])
    marks, renames = layers(spanned, sources=("marks", "relations"))
    assert (marks.content.labels, renames.content.labels) == (("Gene", "Protein"), ("Renames (Former, New)",))
    (own,) = layers(made("a", span("marks", 0, 4), span("PER", 5, 8)), sources=("marks",))
    assert own.content.labels == ("marks",)
    (only,) = layers(made("a", span("x.Entity", 0, 4, value="PER")), sources=("marks",), by_feature=True)
    assert only.content.labels == ("PER",)


def test_an_event_stands_for_its_trigger_and_a_relation_without_stretches_is_left_out() -> None:
    event = Relation("Renaming", (("trigger", "T2"), ("Former", "T1")), line=4, id="E1")
    caused = Relation("Causes", (("Cause", "E1"), ("Effect", "T1")), line=5)
    lost = [Relation("Causes", (("Cause", "E1"), ("Effect", name)), line=6) for name in ("T3", "T9")]
    (found,) = layers(related(event, caused, *lost), sources=("Causes",))
    assert found.content.labels == ("Causes (Effect, Cause)",)
    assert isinstance(found.content, TextMarks)
    assert list(zip(found.content.span_start, found.content.span_end, strict=True)) == [(0, 4), (9, 12)]
    assert [each.line for each in found.left_out] == [4, 1, 2, 3, 6, 6]
    assert {each.reason for each in found.left_out if each.line == 6} == {
        "an argument of the relation is not a marked stretch of text"
    }
    assert found.marks_read == 7


def test_a_feature_of_a_relation_is_its_label_with_the_roles() -> None:
    named = Relation("Dependency", (("Governor", "T1"), ("Dependent", "T2")), {"kind": "subject"}, 4)
    bare = Relation("Dependency", (("Governor", "T2"), ("Dependent", "T1")), line=5)
    (found,) = layers(related(named, bare), sources=("Dependency",), by_feature=True)
    assert found.content.labels == ("subject (Governor, Dependent)", "(absent) (Dependent, Governor)")
    assert found.choice == "relations of Dependency, labelled by kind, by their arguments."
    with pytest.raises(BadInput, match="no annotations"):
        layers(related(named), sources=("Dependency->size",))


def test_a_mark_type_comes_before_a_relation_of_its_name_and_relations_need_to_be_there() -> None:
    (found,) = layers(related(Relation("Gene", (("a", "T1"),))), sources=("Gene",))
    assert found.compared == "marks"
    with pytest.raises(BadInput, match='no annotations "relations"'):
        layers(related(), sources=("relations",))


def test_relations_of_a_skipped_document_and_of_a_second_copy_are_left_out() -> None:
    relation = Relation("Renames", (("Former", "T1"), ("New", "T2")), line=4)
    first, second = related(relation), related(relation)
    skipped = DocumentCopy("e", "a", "e.ann", TEXT, first.marks, (relation,), state="skipped")
    (found,) = layers(first, second, skipped, sources=("relations",))
    assert isinstance(found.content, TextMarks)
    assert len(found.content.label) == 1
    assert [(each.file, each.reason) for each in found.left_out if each.line == 4] == [
        ("e.ann", "the annotator skipped the document"),
        ("a.ann", "the annotator's second copy of the document: the first counts"),
    ]
    assert found.marks_read == 1 + len(found.left_out) == 12


def test_candidates_are_the_marks_of_a_type_whoever_made_them() -> None:
    copies = made("a", span("Gene", 0, 4, 1), span("New", 0, 4, 2)), made("b", span("Gene", 9, 12, 3))
    (found,) = layers(*copies, sources=("New",), candidates={"unit_sets.1.layer": "Gene"}, annotators=("a",))
    places = found.candidates["unit_sets.1.layer"]
    assert (places.span_start.tolist(), places.span_end.tolist()) == ([0, 9], [4, 12])
    assert [(each.line, each.reason) for each in found.left_out] == [
        (3, "annotator not asked for"),
        (1, "it says where a candidate is, which is a unit and no label"),
    ]
    with pytest.raises(BadInput) as caught:
        layers(*copies, candidates={"unit_sets.1.layer": "Genes"})
    assert [(each.key, each.remedy) for each in caught.value.problems] == [
        ("unit_sets.1.layer", 'Did you mean "Gene"?')
    ]


def test_types_with_a_bar_between_them_are_the_categories_of_one_layer() -> None:
    copies = made("a", span("Gene", 0, 4, 1), span("New", 9, 12, 2), span("Other", 0, 4, 3)), made("b")
    (found,) = layers(*copies, sources=("New | Gene",))
    assert isinstance(found.content, TextMarks)
    assert sorted(found.content.labels) == ["Gene", "New"]
    assert found.choice == "marks of New, Gene."
    assert [each.line for each in found.left_out] == [3]
    with pytest.raises(BadInput) as caught:
        layers(*copies, sources=("Gene | Nwe",))
    assert [each.remedy for each in caught.value.problems] == ['Did you mean "New"?']


@pytest.mark.parametrize("source", ["Pers", "PER->size", "PER->"])
def test_a_source_that_is_not_there_is_refused_with_the_nearest_one(source: str) -> None:
    with pytest.raises(BadInput) as caught:
        layers(made("a", span("PER", 0, 4, sure="yes")), sources=(None, source))
    (problem,) = caught.value.problems
    assert problem.key == "layers.2.source"
    assert "PER" in problem.remedy


def test_types_and_features_of_nearly_one_name_are_one_unless_somebody_has_both() -> None:
    anna = made("a", span("Claim", 0, 4, Stance="for"), span("Claim", 5, 8))
    ben = made("b", span(" claim.", 0, 4, stance="no"), ParsedMark("U", ((0, 4),)))
    own = with_one_spelling(Export([anna, ben], "Read.", (), declared=("Claim", "claim", "U")))
    (found,) = assemble(own, [ReaderOptions(source="Claim->Stance")], "made-up")
    assert found.content.labels == ("for", "(absent)", "no")
    assert own.reading.endswith("are one: 2.")
    assert own.declared == ("Claim", "claim", "U"), "a name that nobody used stays"
    # Of types that are categories nothing is asked; a source may have any spelling that means one thing.
    both = Export(
        [made("a", span("PER", 0, 4), span("per", 5, 8)), made("b", span("Per", 0, 4))], "Read.", ()
    )
    assert with_one_spelling(both) == both
    assert layers(anna, sources=("CLAIM",))[0].content.labels == ("Claim",)
    assert [name_key(name) for name in ("A-", "A+", "...", " a B; ")] == ["a-", "a+", "...", "ab"]


def test_the_default_of_a_format_counts_where_nothing_is_chosen() -> None:
    marks = made("a", span("column 2", 0, 4, tag="N"), span("column 4", 0, 4, tag="PER"))
    assert layers(marks, by_feature=True, default="column 4")[0].content.labels == ("PER",)


def test_labels_of_whole_documents_become_ratings_of_units() -> None:
    (found,) = layers(
        made("a", ParsedMark("vote", features={"choice": "yes"}, line=3), document="1"),
        made("b", document="1"),
        made("b", ParsedMark("vote", features={"choice": " No "}, line=4), document="2", text=None),
        by_feature=True,
        normalise=("lowercase", "strip"),
    )
    content = found.content
    assert isinstance(content, Ratings)
    assert (content.unit_names, content.annotators, content.labels) == (("1", "2"), ("a", "b"), ("yes", "no"))
    assert content.location(1) == ("b.ann", 4)
    assert found.attendance is not None
    assert found.attendance.tolist() == [[MARKED, EMPTY], [UNSEEN, MARKED]]


def test_labels_of_documents_and_of_stretches_are_not_compared_with_each_other() -> None:
    with pytest.raises(BadInput, match=r"Choose a layer"):
        layers(made("a", span("PER", 0, 4), ParsedMark("good")))


def test_missing_labels_and_marks_of_skipped_documents_are_left_out_with_their_place() -> None:
    (found,) = layers(
        made("a", span("PER", 0, 4, 1), span("N/A", 0, 4, 2)),
        made("b", span("PER", 0, 4, 3), state="skipped"),
        made("c", span("PER", 0, 4, 4)),
        missing=("N/A",),
        annotators=("a", "b"),
    )
    assert found.marks_read == 4
    assert [(each.annotator, each.line, each.reason) for each in found.left_out] == [
        ("c", 4, "annotator not asked for"),
        ("b", 3, "the annotator skipped the document"),
        ("a", 2, "the label means a missing one"),
    ]
    assert found.attendance is not None
    assert found.attendance.tolist() == [[MARKED, SKIPPED]]


def test_relations_are_listed_and_the_first_copy_of_a_document_counts() -> None:
    one = DocumentCopy(
        "d", "a", "a.ann", TEXT, (span("PER", 0, 4, 1),), (Relation("knows", (("Arg1", "T1"),), line=2),)
    )
    (found,) = layers(one, made("a", span("LOC", 0, 4, 5)))
    assert found.content.labels == ("PER",)
    assert [(each.line, each.reason) for each in found.left_out] == [
        (2, "a relation between marks, which are compared without it"),
        (5, "the annotator's second copy of the document: the first counts"),
    ]
    assert found.marks_read == 3


def test_different_texts_of_a_document_are_refused_with_their_first_difference() -> None:
    with pytest.raises(BadInput) as caught:
        layers(made("a"), made("b", text="Anna met Bob"))
    (problem,) = caught.value.problems
    assert problem.file == "b.ann"
    assert 'another text of document "d" than a.ann; they differ from character 11 on' in problem.message
    assert '"Anna met Bob" here, "Anna met Ben" there' in problem.message


def test_where_lines_end_is_seen_in_an_error() -> None:
    with pytest.raises(BadInput) as caught:
        layers(made("a", text="A\r\n\tB"), made("b", text="A\n\tC"))
    assert '"A↵⇥C" here, "A␍↵⇥B" there' in caught.value.problems[0].message


def test_a_copy_without_a_text_takes_that_of_the_others() -> None:
    (found,) = layers(made("a", text=None), made("b", span("PER", 0, 4)))
    assert isinstance(found.content, TextMarks)
    assert found.content.texts == (TEXT,)


@pytest.mark.parametrize(
    "spans",
    [((0, 13),), ((-1, 3),), ((4, 2),), ((5, 8), (0, 3))],
    ids=["beyond", "before", "backwards", "unordered"],
)
def test_marks_outside_their_text_are_refused_with_their_line(spans: tuple[tuple[int, int], ...]) -> None:
    with pytest.raises(BadInput) as caught:
        layers(made("a", ParsedMark("PER", spans, line=9)))
    assert [(problem.file, problem.line) for problem in caught.value.problems] == [("a.ann", 9)]
    assert "12 characters" in caught.value.problems[0].message


def test_all_problems_of_all_copies_come_at_once() -> None:
    with pytest.raises(BadInput) as caught:
        layers(made("a", span("X", 0, 99)), made("b", text="Anna"), made("c", span("X", 5, 1)))
    assert [problem.file for problem in caught.value.problems] == ["a.ann", "b.ann", "c.ann"]


def test_who_is_asked_for_has_to_be_there() -> None:
    with pytest.raises(BadInput, match='"Anna" is not in the export'):
        layers(made("anna"), annotators=("Anna",))


def test_the_role_that_the_tool_gives_is_handed_on() -> None:
    (found,) = layers(made("a", span("X", 0, 1)), made("gold", role="reference"))
    assert found.roles == {"gold": "reference"}


@given(st.text("a🙂é\U0010ffff\n", max_size=20))
def test_utf16_offsets_are_those_of_the_encoded_text(text: str) -> None:
    offsets = utf16(text)
    for place in range(len(text) + 1):
        unit = len(text[:place].encode("utf-16-le")) // 2
        assert (offsets.code_point(unit), to_utf16(text, place)) == (place, unit)
    inside = {to_utf16(text, place) + 1 for place, char in enumerate(text) if ord(char) > 0xFFFF}
    assert all(offsets.splits((unit, 0)) for unit in inside)
    assert not any(offsets.splits((0, to_utf16(text, place))) for place in range(len(text) + 1))
    assert offsets.code_point(-1) == -1
    beyond = offsets.code_point(to_utf16(text, len(text)) + 3)
    assert beyond == len(text) + 3


def test_sources_are_named_as_one_would_write_them() -> None:
    """Without the package where that is clear, and once where a layer and its only feature have one name."""
    marks = made(
        "a", span("p.q.Entity", 0, 4, value="PER"), ParsedMark("column 2", ((0, 4),), {"column 2": "N"})
    )
    with pytest.raises(BadInput) as caught:
        layers(marks, by_feature=True)
    assert caught.value.problems[0].message.endswith("Entity->value, column 2.")
    assert layers(marks, by_feature=True, sources=("Entity->value", "column 2"))[1].content.labels == ("N",)


PSALM = "The Lord is my shepherd and he leads me.\n"
MENTIONS = "T1\tMention 4 8\tLord\nT2\tMention 28 30\the\nT3\tMention 37 39\tme\n"
WEBANNO = stored("webanno/chain.tsv")


def brat(links: str = "*\tCoref T1 T2\n") -> dict[str, str]:
    people = {"ann": MENTIONS + links, "bea": MENTIONS}
    return {
        f"exports/1.0/{who}/p{number}.{kind}": content.replace("The", f"{number} e")
        for who, marks in people.items()
        for number in range(3)
        for kind, content in (("txt", PSALM), ("ann", marks))
    }


def test_the_mentions_are_compared_and_the_report_says_that_chains_were_not(tmp_path: Path) -> None:
    found = results_of(written(tmp_path / "psalms", "", brat()))
    assert CHAINS in found.reading
    assert finding(found, FINDING.id) is not None
    assert sum(each.marks for each in found.left_out if each.reason == OF_CHAIN) == 3
    assert found.marks.read == found.marks.used + found.marks.left_out


@pytest.mark.parametrize("source", ["Coref", "relations"])
def test_chains_are_refused_as_a_layer_in_words(tmp_path: Path, source: str) -> None:
    layers = f'[[layers]]\nid = "chains"\nsource = "{source}"\n'
    with pytest.raises(BadInput) as refusal:
        read_campaign(load(written(tmp_path / "psalms", layers, brat())))
    (problem,) = refusal.value.problems
    assert f'"{source}" are chains of mentions (coreference), which are not compared yet.' in problem.message


def test_chains_of_webanno_are_chains_too(tmp_path: Path) -> None:
    files = {f"exports/1.0/d.txt/{who}.tsv": WEBANNO for who in ("ann", "bea")}
    layers = '[[layers]]\nid = "mentions"\nsource = "CoreferenceLink->referenceType"\n'
    assert CHAINS in results_of(written(tmp_path / "mentions", layers, files)).reading
    layers = '[[layers]]\nid = "chains"\nsource = "CoreferenceLink|referenceRelation->referenceRelation"\n'
    with pytest.raises(BadInput, match="are chains of mentions"):
        read_campaign(load(written(tmp_path / "chains", layers, files)))


def verdict_of(folder: Path) -> str:
    return next(finding.claim for finding in results_of(folder).findings if finding.kind == "verdict")


COREFERENCE = UNFIT["mentions"].claim


@pytest.mark.parametrize(
    ("links", "chained"),
    [
        ("*\tIs T1 T2 T3\n", True),
        ("R1\tCorefers Arg1:T1 Arg2:T2\nR2\tCorefers Arg1:T2 Arg2:T3\n", True),
        ("R1\tCoréférence Arg1:T1 Arg2:T2\nR2\tCoréférence Arg1:T2 Arg2:T3\n", True),
        ("R1\tRenames Arg1:T1 Arg2:T2\nR2\tRenames Arg1:T2 Arg2:T3\n", False),
        # One in three marks is in no chain.
        ("*\tIs T1 T2\n", False),
    ],
)
def test_of_marks_in_chains_there_is_no_verdict(tmp_path: Path, links: str, chained: bool) -> None:  # noqa: FBT001 - a case
    files = {
        name.replace("ann/", f"{who}/"): content
        for who in ("ann", "bea")
        for name, content in brat(links).items()
        if "/ann/" in name
    }
    folder = written(tmp_path / "psalms", "", files)
    assert (verdict_of(folder) == COREFERENCE) is chained
    assert results_of(folder).mentions == (("main",) if chained else None)
    if chained:
        advice = finding(results_of(folder), FINDING.id)
        assert advice is not None
        assert advice.kind is None, "it is what to do"
        assert not [each for each in results_of(folder).findings if each.id == "straddles"]


def test_marks_of_a_layer_of_chains_are_mentions_and_so_are_those_with_the_name_of_a_chain(
    tmp_path: Path,
) -> None:
    files = {f"exports/1.0/d.txt/{who}.tsv": WEBANNO for who in ("ann", "bea")}
    layers = '[[layers]]\nid = "mentions"\nsource = "CoreferenceLink->referenceType"\n'
    assert verdict_of(written(tmp_path / "mentions", layers, files)) == COREFERENCE
    assert [are_chains("coref_class", ["x1", "7"]), are_chains("class", ["set_1", "empty"])] == [True, True]
    named = [
        are_chains("class", ["set_1", "new"]),
        are_chains("class", ["", "empty"]),
        are_chains("kind", ["A"]),
    ]
    assert named == [False, False, False]
    called = ("Ident", "same_as", "Korreferenz", "anaphora", "matches", "identifier", "chained", "cored")
    assert list(map(is_called_chain, called)) == [True] * 5 + [False] * 3
