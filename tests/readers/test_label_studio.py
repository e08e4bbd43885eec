"""Label Studio's tasks, JSON-MIN and CSV are read as marks, relations and labels of documents."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given

from reportgen.readers import DocumentCopy, ExportFile, ReaderOptions, read_export
from reportgen.readers.label_studio import DIALOGUE, DRAFT, FREE_TEXT, HTML, MEDIA, NO_TEXT, OTHER, READER
from tests.properties import examples
from tests.readers.content import export_of, labelled, left_out, problems_of, written
from tests.readers.generated import copies, told
from tests.readers.write_label_studio import write, write_min, write_table

TEXT = "Anna 😀 met Bob"
Marks = list[tuple[str, tuple[tuple[int, int], ...], dict[str, str]]]


def item(kind: str, value: Any, name: str = "ner", **more: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON is anything
    """Return a result; a list is the labels of a type."""
    content = value if isinstance(value, dict) else {kind: value}
    return {"type": kind, "from_name": name, "to_name": "t", "value": content, **more}


def span(start: int, end: int, labels: Sequence[str], **more: Any) -> dict[str, Any]:  # noqa: ANN401 - as above
    return item("labels", {"start": start, "end": end, "labels": list(labels)}, **more)


def annotation(*items: Any, who: Any = "anna", **more: Any) -> dict[str, Any]:  # noqa: ANN401 - as above
    return {"id": 1, "completed_by": who, "result": list(items), "was_cancelled": False, **more}


def task(*annotations: Any, data: Any = None, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - as above
    return {
        "id": 1,
        "data": {"text": TEXT} if data is None else data,
        "annotations": list(annotations),
        **more,
    }


def files(folder: Path, *tasks: Any) -> list[ExportFile]:  # noqa: ANN401 - as above
    return written(folder, {"e.json": json.dumps(tasks)})


def marks_of(copy: DocumentCopy) -> Marks:
    return [(mark.type, mark.spans, dict(mark.features)) for mark in copy.marks]


def read(folder: Path, *items: Any) -> Marks:  # noqa: ANN401 - as above
    (copy,) = export_of(READER, files(folder, task(annotation(*items)))).copies
    return marks_of(copy)


# What a result becomes


def test_stretches_count_in_utf_16_units_and_may_overlap(tmp_path: Path) -> None:
    items = [span(0, 7, "A"), span(5, 7, "B"), span(12, 15, "A"), span(4, 4, "")]
    assert read(tmp_path, *items) == [
        ("ner", ((0, 6),), {"labels": "A"}),
        ("ner", ((5, 6),), {"labels": "B"}),
        ("ner", ((11, 14),), {"labels": "A"}),
        ("ner", ((4, 4),), {}),
    ]


def test_each_region_counts_as_its_own_text_shows(tmp_path: Path) -> None:
    """The editor counts UTF-16 units, and what a script imports often characters."""
    items = [span(12, 15, "A", text="Bob"), span(11, 14, "A", text="Bob"), span(5, 6, "A", text="😀")]
    for each in items:
        each["value"]["text"] = each.pop("text")
    assert [spans for _, spans, _ in read(tmp_path, *items)] == [((11, 14),), ((11, 14),), ((5, 6),)]


def test_a_region_with_several_labels_is_a_mark_for_each(tmp_path: Path) -> None:
    assert read(tmp_path, span(0, 4, "BAB")) == [
        ("ner", ((0, 4),), {"labels": "B"}),
        ("ner", ((0, 4),), {"labels": "A"}),
    ]


def test_what_is_chosen_for_a_region_is_a_further_feature_of_its_marks(tmp_path: Path) -> None:
    place = {"start": 0, "end": 4}
    items = [
        item("choices", {**place, "choices": ["sure"]}, name="how", id="r1"),
        span(0, 4, "AB", id="r1"),
        item("rating", {**place, "rating": 3}, name="stars", id="r1"),
        item("choices", {**place, "choices": ["x"]}, name="labels", id="r1"),
    ]
    further = {"how": "sure", "stars": "3", "labels (control)": "x"}
    assert read(tmp_path, *items) == [("ner", ((0, 4),), {"labels": each, **further}) for each in "AB"]


def test_choices_for_a_stretch_without_labels_are_marks(tmp_path: Path) -> None:
    found = read(tmp_path, item("choices", {"start": 0, "end": 4, "choices": ["b", "a"]}, name="how", id="r"))
    assert found == [("how", ((0, 4),), {"choices": "a|b"})]


@pytest.mark.parametrize(
    ("kind", "value", "label"),
    [
        ("choices", ["x"], "x"),
        ("choices", ["b", "a"], "a|b"),
        ("taxonomy", [["A", "B"]], "A/B"),
        ("taxonomy", [["C"], ["A", "B"]], "A/B|C"),
        ("rating", 4, "4"),
        ("number", 2.5, "2.5"),
        ("pairwise", {"selected": "left"}, "left"),
    ],
)
def test_what_is_said_of_the_whole_document_is_one_label(
    tmp_path: Path, kind: str, value: object, label: str
) -> None:
    assert read(tmp_path, item(kind, value, name="c")) == [("c", (), {kind: label})]


def test_members_of_a_set_are_joined_as_the_campaign_says(tmp_path: Path) -> None:
    made = files(tmp_path, task(annotation(item("choices", ["b", "a"]))))
    (copy,) = export_of(READER, made, set_separator="+").copies
    assert marks_of(copy) == [("ner", (), {"choices": "a+b"})]


def test_relations_name_the_regions_that_they_join(tmp_path: Path) -> None:
    relation = {"type": "relation", "from_id": "r1", "to_id": "r2", "direction": "right", "labels": ["met"]}
    plain = {"type": "relation", "from_id": "r2", "to_id": "r1"}
    made = annotation(span(0, 4, "A", id="r1"), span(12, 15, "A", id="r2"), relation, plain)
    (copy,) = export_of(READER, files(tmp_path, task(made))).copies
    assert [mark.id for mark in copy.marks] == ["r1", "r2"]
    assert [(each.type, each.arguments, dict(each.features)) for each in copy.relations] == [
        ("met", (("from", "r1"), ("to", "r2")), {"direction": "right"}),
        ("relation", (("from", "r2"), ("to", "r1")), {}),
    ]


@pytest.mark.parametrize(
    ("kind", "value", "reason"),
    [
        ("textarea", {"text": ["so"]}, FREE_TEXT),
        ("rectanglelabels", {"x": 1, "y": 2, "rectanglelabels": ["Car"]}, MEDIA),
        ("choices", {"x": 1, "y": 2, "choices": ["Car"]}, MEDIA),
        ("labels", {"start": 0.5, "end": 2.5, "channel": 0, "labels": ["A"]}, MEDIA),
        ("labels", {"start": 0.5, "end": 2.5, "labels": ["A"]}, MEDIA),
        ("timeserieslabels", {"start": 1, "end": 2, "timeserieslabels": ["A"]}, MEDIA),
        ("paragraphlabels", {"start": "0", "end": "1", "startOffset": 1, "paragraphlabels": ["A"]}, DIALOGUE),
        ("hypertextlabels", {"start": "/p[1]", "end": "/p[1]", "hypertextlabels": ["A"]}, HTML),
        ("ranker", {"ranker": {}}, OTHER),
    ],
)
def test_what_is_neither_text_nor_a_label_is_left_out(
    tmp_path: Path, kind: str, value: dict[str, Any], reason: str
) -> None:
    found = export_of(READER, files(tmp_path, task(), task(annotation(item(kind, value)))))
    assert [list(copy.marks) for copy in found.copies] == [[]]
    assert left_out(found) == [("e.json", 2, "anna", reason, 1)]


def test_everything_said_of_a_region_that_is_left_out_is_left_out_with_it(tmp_path: Path) -> None:
    box = {"x": 1, "y": 1}
    items = [item("rectanglelabels", {**box, "rectanglelabels": ["A"]}, id="r")]
    items += [item("choices", {**box, "choices": ["a"]}, name="c", id="r")]
    assert [each[3] for each in left_out(export_of(READER, files(tmp_path, task(annotation(*items)))))] == [
        MEDIA
    ] * 2


# Texts


def test_the_text_is_the_field_that_the_marks_fit(tmp_path: Path) -> None:
    named = item("labels", {"start": 0, "end": 3, "text": "Bob", "labels": ["A"]})
    made = files(
        tmp_path, task(annotation(named), data={"text": "Who?", "title": "x", "body": "Bob met Anna"})
    )
    (copy,) = export_of(READER, made).copies
    assert copy.text == "Bob met Anna"


def test_texts_that_were_marked_in_one_task_are_documents_of_their_own(tmp_path: Path) -> None:
    question = item("labels", {"start": 0, "end": 3, "text": "Who", "labels": ["A"]}) | {"to_name": "q"}
    answer = item("labels", {"start": 0, "end": 3, "text": "Bob", "labels": ["B"]}) | {"to_name": "a"}
    made = files(tmp_path, task(annotation(question, answer), data={"question": "Who?", "answer": "Bob."}))
    found = export_of(READER, made)
    assert [(copy.document, copy.text, marks_of(copy)[0][2]) for copy in found.copies] == [
        ("1/question", "Who?", {"labels": "A"}),
        ("1/answer", "Bob.", {"labels": "B"}),
    ]


def test_the_end_of_a_line_may_be_written_as_an_escape(tmp_path: Path) -> None:
    value = {"start": 0, "end": 3, "text": "a\\nb", "labels": ["A"]}
    (copy,) = export_of(
        READER, files(tmp_path, task(annotation(item("labels", value)), data={"text": "a\nb"}))
    ).copies
    assert marks_of(copy) == [("ner", ((0, 3),), {"labels": "A"})]


def test_html_is_marked_in_the_text_that_it_shows(tmp_path: Path) -> None:
    place = {"start": "/p[1]/b[1]/text()[1]", "end": "/p[1]/b[1]/text()[1]", "startOffset": 0, "endOffset": 3}
    whole = {**place, "globalOffsets": {"start": 4, "end": 7}, "text": "Bob", "hypertextlabels": ["A"]}
    wrong = {**whole, "globalOffsets": {"start": 5, "end": 8}}
    items = [item("hypertextlabels", value) for value in (whole, wrong)]
    found = export_of(
        READER, files(tmp_path, task(annotation(*items), data={"text": "<p>A&amp;B <b>Bob</b>"}))
    )
    assert [(copy.text, marks_of(copy)) for copy in found.copies] == [
        ("A&B Bob", [("ner", ((4, 7),), {"hypertextlabels": "A"})])
    ]
    assert left_out(found) == [("e.json", 1, "anna", HTML, 1)]


def test_stretches_of_a_text_that_is_only_linked_are_left_out(tmp_path: Path) -> None:
    value = {"start": 0, "end": 4, "text": "Anna", "labels": ["A"]}
    found = export_of(
        READER, files(tmp_path, task(annotation(item("labels", value)), data={"url": "s3://x"}))
    )
    assert left_out(found) == [("e.json", 1, "anna", NO_TEXT, 1)]


# Who, and what they did


@pytest.mark.parametrize(
    ("who", "name"),
    [
        (7, "7"),
        ("anna", "anna"),
        ({"id": 7, "email": "a@x.org", "first_name": "Anna"}, "a@x.org"),
        ({"id": 7, "email": "", "first_name": "Anna", "last_name": "Lee"}, "Anna Lee"),
        ({"id": 7, "email": "", "first_name": "", "last_name": ""}, "7"),
        (None, "annotator"),
    ],
)
def test_annotators_are_called_by_address_name_or_number(tmp_path: Path, who: object, name: str) -> None:
    (copy,) = export_of(READER, files(tmp_path, task(annotation(who=who)))).copies
    assert copy.annotator == name


def test_files_say_whose_they_are_where_annotations_do_not(tmp_path: Path) -> None:
    text = json.dumps([task(annotation(who=None))])
    made = written(tmp_path, {"anna.json": text, "bob.json": text})
    assert [copy.annotator for copy in export_of(READER, made).copies] == ["anna", "bob"]
    named = export_of(READER, made, path="{annotator}.json")
    assert [copy.annotator for copy in named.copies] == ["anna", "bob"]


def test_seen_and_skipped_are_different_and_so_are_reference_and_model(tmp_path: Path) -> None:
    made = task(
        annotation(),
        annotation(span(0, 4, "A"), was_cancelled=True),
        annotation(span(0, 4, "A"), ground_truth=True, who="boss"),
        predictions=[{"model_version": "m1", "result": [span(0, 4, "A")]}, {"result": []}, 12],
    )
    found = export_of(READER, files(tmp_path, made)).copies
    assert [(copy.annotator, copy.state, copy.role, len(copy.marks)) for copy in found] == [
        ("anna", "seen", "annotator", 0),
        ("anna", "skipped", "annotator", 1),
        ("ground truth", "seen", "reference", 1),
        ("m1", "seen", "model", 1),
        ("predictions", "seen", "model", 0),
    ]


def test_drafts_are_left_out(tmp_path: Path) -> None:
    made = task(
        annotation(), drafts=[{"user": "bob", "result": [span(0, 4, "A"), span(0, 1, "A")]}, {"result": []}]
    )
    assert left_out(export_of(READER, files(tmp_path, made))) == [("e.json", 1, "bob", DRAFT, 2)]


def test_a_field_can_name_the_documents(tmp_path: Path) -> None:
    made = files(tmp_path, task(annotation(), data={"text": TEXT, "name": "d1"}))
    assert [copy.document for copy in export_of(READER, made, columns={"unit": "name"}).copies] == ["d1"]


def test_completions_of_old_versions_are_annotations(tmp_path: Path) -> None:
    made = {"id": 1, "data": {"text": TEXT}, "completions": [{"result": [span(0, 4, "A")], "skipped": True}]}
    (copy,) = export_of(READER, written(tmp_path, {"1.json": json.dumps(made)})).copies
    assert (copy.annotator, copy.state, len(copy.marks)) == ("annotator", "skipped", 1)


# What is refused


@pytest.mark.parametrize(
    ("made", "key", "message"),
    [
        (task(data=[]), "data", "is a list where an object with the task's data was expected."),
        (task() | {"id": None}, "id", "is missing where what the task is called was expected."),
        (task() | {"annotations": 1}, "annotations", "is a number where a list was expected."),
        (task(1), "annotations", "is a number where an annotation was expected."),
        (task({"result": None}), "result", "is missing where a list of results was expected."),
        (task(annotation(1)), "result", "is a number where a result was expected."),
        (
            task(annotation(item("choices", {"choices": "a"}))),
            "choices",
            "is a text where a list of labels was expected.",
        ),
        (task(annotation(item("choices", [None]))), "choices", "is missing where a label was expected."),
        (
            task(annotation(span(0, 4, "A") | {"value": 1})),
            "value",
            "is a number where an object was expected.",
        ),
        (
            task(annotation({"type": "relation", "from_id": "a"})),
            "to_id",
            "is missing where the id of a region was expected.",
        ),
        (
            task(annotation(span(0, 6, "A"))),
            "",
            "the offsets 0 to 6 cut a character in two, counted in UTF-16 units.",
        ),
        (
            task(annotation(item("labels", {"start": 0, "end": 4, "text": "Bob", "labels": ["A"]}))),
            "",
            'covers "Anna" in the text, and the file says "Bob".',
        ),
    ],
)
def test_a_faulty_task_is_named_with_its_number(tmp_path: Path, made: Any, key: str, message: str) -> None:  # noqa: ANN401
    problems = problems_of(READER, files(tmp_path, task(), made))
    assert [(each.file, each.line, each.key, each.message) for each in problems] == [
        ("e.json", 2, key, message)
    ]


def test_the_faults_of_all_results_come_at_once(tmp_path: Path) -> None:
    made = [span(0, 6, "A"), item("choices", [None]), span(0, 4, "A")]
    found = problems_of(READER, files(tmp_path, task(annotation(*made)), task(annotation(span(0, 6, "A")))))
    assert [(each.line, each.key) for each in found] == [(1, ""), (1, "choices"), (2, "")]


# JSON-MIN and CSV

FLAT: list[dict[str, Any]] = [
    {
        "text": TEXT,
        "source": "web",
        "id": 1,
        "ner": [{"start": 5, "end": 7, "text": "😀", "labels": ["A", "B"]}],
        "tone": "good",
        "topics": {"choices": ["y", "x"]},
        "stars": [{"rating": 3}],
        "annotator": "anna",
        "annotation_id": 1,
        "created_at": "",
        "updated_at": "",
        "lead_time": 1.5,
    },
    {
        "text": TEXT,
        "source": "web",
        "id": 1,
        "annotator": 2,
        "annotation_id": 2,
        "created_at": "",
        "updated_at": "",
        "lead_time": 2,
    },
]


def test_json_min_says_by_its_order_what_is_data_and_what_was_said(tmp_path: Path) -> None:
    anna, other = export_of(READER, written(tmp_path, {"min.json": json.dumps(FLAT)})).copies
    assert (anna.document, anna.annotator, anna.text) == ("1", "anna", TEXT)
    assert marks_of(anna) == [
        ("ner", ((5, 6),), {"labels": "A"}),
        ("ner", ((5, 6),), {"labels": "B"}),
        ("tone", (), {"choices": "good"}),
        ("topics", (), {"choices": "x|y"}),
        ("stars", (), {"rating": "3"}),
    ]
    assert (other.annotator, other.state, list(other.marks)) == ("2", "seen", [])


REGION = {"start": 0, "end": 4, "text": "Anna", "labels": ["A"]}


def table(*said: tuple[str, str, str], delimiter: str = ",") -> str:
    """Return annotations of one task by several annotators as a table: what the columns ner and tone hold."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow(("annotation_id", "annotator", "id", "lead_time", "ner", "source", "text", "tone"))
    for number, (who, ner, tone) in enumerate(said):
        writer.writerow((number, who, 1, 1.5, ner, "web", "Anna met", tone))
    return text.getvalue()


@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_a_table_says_what_was_said_by_what_it_holds(tmp_path: Path, delimiter: str) -> None:
    bad = json.dumps({"choices": ["bad", "awful"]})
    text = table(("anna", json.dumps([REGION]), "good"), ("bob", "", bad), delimiter=delimiter)
    one, other = export_of(READER, written(tmp_path, {"e.csv": text})).copies
    assert marks_of(one) == [("ner", ((0, 4),), {"labels": "A"}), ("tone", (), {"choices": "good"})]
    assert marks_of(other) == [("tone", (), {"choices": "awful|bad"})]
    assert [mark.line for mark in other.marks] == [3]


def test_a_table_on_which_all_agree_has_to_say_which_column_holds_labels(tmp_path: Path) -> None:
    made = written(tmp_path, {"e.csv": table(("anna", "", "good"), ("bob", "", "good"))})
    (problem,) = problems_of(READER, made)
    assert problem.key == "columns.label"
    assert problem.remedy.endswith("the columns are ner, source, text, tone.")
    found = export_of(READER, made, columns={"label": "tone"})
    assert [marks_of(copy) for copy in found.copies] == [[("tone", (), {"choices": "good"})]] * 2
    assert found.default == "tone"
    (unknown,) = problems_of(READER, made, columns={"label": "tune"})
    assert unknown.remedy == 'Did you mean "tone"?'


def test_choices_of_documents_make_a_whole_export(tmp_path: Path) -> None:
    made = [
        annotation(item("choices", [label], name="tone"), who=who) for who, label in (("a", "x"), ("b", "y"))
    ]
    (file,) = files(tmp_path, task(*made))
    found = read_export([(file.path, file.name)], ReaderOptions())
    assert (found.format, found.content.annotators, found.content.labels) == (
        "label-studio",
        ("a", "b"),
        ("x", "y"),
    )


@pytest.mark.parametrize(
    ("name", "copies_read", "marks", "reasons"),
    [
        ("csv_test.json", 4, 0, {MEDIA}),
        ("csv_test2.json", 1, 1, set()),
        ("csv_test_colliding_keys.json", 1, 1, set()),
        ("csv_test_history.json", 1, 1, set()),
    ],
)
def test_the_samples_of_label_studio_are_read(
    shared: Path, name: str, copies_read: int, marks: int, reasons: set[str]
) -> None:
    file = f"tests_custom_converter_data_test_export_csv_{name}"
    found = export_of(READER, [ExportFile(shared / "formats" / "label_studio" / file, file)])
    assert (len(found.copies), sum(len(copy.marks) for copy in found.copies)) == (copies_read, marks)
    assert {each.reason for each in found.left_out} == reasons


def test_a_sample_without_any_label_is_refused_with_its_columns(shared: Path) -> None:
    file = "tests_custom_converter_data_test_export_csv_csv_test2_result.csv"
    (problem,) = problems_of(READER, [ExportFile(shared / "formats" / "label_studio" / file, file)])
    assert "no column can be told to have labels" in problem.message


# Round trips

Writer = Callable[[Sequence[DocumentCopy], Path], list[ExportFile]]


@examples(50)
@given(made=copies(features=False, unseen=False))
@pytest.mark.parametrize("writer", [write, write_min, write_table])
def test_spans_that_are_written_come_back(
    tmp_path_factory: pytest.TempPathFactory, made: list[DocumentCopy], writer: Writer
) -> None:
    assume(writer is not write_table or any(copy.marks for copy in made))
    expected = labelled(made, "entity", "labels")
    found = export_of(READER, writer(expected, tmp_path_factory.mktemp("studio")))
    assert told(found.copies) == told(expected)


@examples(50)
@given(made=copies(features=False, unseen=False))
@pytest.mark.parametrize("writer", [write, write_min, write_table])
def test_choices_that_are_written_come_back(
    tmp_path_factory: pytest.TempPathFactory, made: list[DocumentCopy], writer: Writer
) -> None:
    expected = labelled(made, "tone", "choices", joined=True)
    if writer is write:
        expected = [copy if copy.marks else replace(copy, state="skipped") for copy in expected]
    if writer is write_table:
        # What nobody disagrees about can't be told from data.
        by_document = [
            {str(each.marks) for each in expected if each.document == copy.document} for copy in expected
        ]
        assume(any(len(said) > 1 for said in by_document))
    found = export_of(READER, writer(expected, tmp_path_factory.mktemp("studio")))
    assert told(found.copies) == told(expected)


def test_line_ends_of_two_characters_may_count_as_one(tmp_path: Path) -> None:
    """Browsers show them so; the covered text tells which way a project has them."""
    data = {"text": "A met\r\nBob\r\nin Rome"}
    region = {"start": 6, "end": 9, "text": "Bob", "labels": ["P"]}
    (copy,) = export_of(READER, files(tmp_path, task(annotation(item("labels", region)), data=data))).copies
    assert (copy.text, copy.marks[0].spans) == ("A met\nBob\nin Rome", ((6, 9),))
    region = {**region, "start": 7, "end": 10}
    (copy,) = export_of(READER, files(tmp_path, task(annotation(item("labels", region)), data=data))).copies
    assert (copy.text, copy.marks[0].spans) == (data["text"], ((7, 10),))


def test_a_task_that_lacks_its_annotations_and_a_choice_that_lacks_its_label_are_refused(
    tmp_path: Path,
) -> None:
    """A damaged name of a field would take labels out in silence."""
    lacking = {name: value for name, value in task().items() if name != "annotations"}
    for damaged, key in (
        (lacking, "annotations"),
        (task(annotation(item("choices", {"choic|es": ["A"]}))), "choices"),
    ):
        problems = problems_of(READER, files(tmp_path, task(annotation(item("choices", ["A"]))), damaged))
        assert [problem.key for problem in problems] == [key]
