"""One set of marks in the many ways in which people keep marks: each is read as the same marks."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reportgen.base.errors import BadInput
from reportgen.readers import ReaderOptions, TextMarks, read_export, read_layers
from tests.readers.content import rated

Stretch = tuple[int, int, str]
Files = dict[str, str]
TEXTS = {
    "d1": ["the", "café", "of", "the", "old", "town", "is", "near", "the", "élan", "vital"],
    "d2": ["the", "judge", "of", "the", "court", "held", "that", "the", "act", "is", "law"],
}
# First token, the one after the last, label.
MARKS: dict[str, dict[str, list[Stretch]]] = {
    "anna": {"d1": [(1, 2, "LOC"), (4, 6, "LOC"), (9, 11, "ORG")], "d2": [(1, 2, "PER"), (4, 5, "ORG")]},
    "ben": {
        "d1": [(1, 2, "LOC"), (4, 6, "ORG"), (9, 11, "ORG")],
        "d2": [(1, 2, "PER"), (3, 5, "ORG"), (8, 9, "LAW")],
    },
}
PEOPLE = tuple(MARKS)


def in_characters(tokens: list[str], stretch: Stretch) -> Stretch:
    first, after, label = stretch
    start = len(" ".join(tokens[:first])) + (first > 0)
    return start, start + len(" ".join(tokens[first:after])), label


EXPECTED = {
    (" ".join(tokens), who, *in_characters(tokens, stretch))
    for name, tokens in TEXTS.items()
    for who in PEOPLE
    for stretch in MARKS[who][name]
}


def of_each(content: Callable[[str, str, list[str], list[Stretch]], Any]) -> list[Any]:
    """Return what is made of each text of each person: name, annotator, tokens, stretches of characters."""
    return [
        content(name, who, tokens, [in_characters(tokens, each) for each in MARKS[who][name]])
        for who in PEOPLE
        for name, tokens in TEXTS.items()
    ]


def tags_of(tokens: list[str], stretches: list[Stretch]) -> list[str]:
    starts = {in_characters(tokens, (place, place + 1, ""))[0]: place for place in range(len(tokens))}
    tags = ["O"] * len(tokens)
    for start, end, label in stretches:
        first = starts[start]
        after = first + len(" ".join(tokens)[start:end].split())
        tags[first:after] = [f"B-{label}", *[f"I-{label}"] * (after - first - 1)]
    return tags


def objects(stretches: list[Stretch]) -> list[dict[str, object]]:
    return [dict(zip(("start", "end", "label"), each, strict=True)) for each in stretches]


def lists(stretches: list[Stretch]) -> list[list[object]]:
    return list(map(list, stretches))


def table(head: list[str], rows: list[tuple[object, ...]]) -> str:
    text = io.StringIO()
    csv.writer(text).writerows([head, *rows])
    return text.getvalue()


def by_columns(*, as_objects: bool) -> Files:
    rows = of_each(lambda name, who, tokens, own: (name, who, " ".join(tokens), lists(own)))
    columns = zip(("doc", "annotator", "text", "spans"), zip(*rows, strict=True), strict=True)
    values = {
        key: {str(row): cell for row, cell in enumerate(cells)} if as_objects else list(cells)
        for key, cells in columns
    }
    return {"all.json": json.dumps(values)}


def columns_of_tags(header: str) -> Files:
    """Return one text after the other; each token with a tag of each person."""
    blocks = [
        "".join(
            "\t".join(cells) + "\n"
            for cells in zip(
                tokens,
                *(
                    tags_of(tokens, [in_characters(tokens, each) for each in MARKS[who][name]])
                    for who in PEOPLE
                ),
                strict=True,
            )
        )
        for name, tokens in TEXTS.items()
    ]
    return {"all.tsv": header + "-DOCSTART-\tO\tO\n".join(blocks)}


def spert() -> Files:
    return {
        f"{who}.json": json.dumps(
            [
                {
                    "tokens": tokens,
                    "entities": [
                        {"type": label, "start": first, "end": after}
                        for first, after, label in MARKS[who][name]
                    ],
                }
                for name, tokens in TEXTS.items()
            ]
        )
        for who in PEOPLE
    }


def last_tokens() -> Files:
    return {
        f"{who}.jsonl": "".join(
            json.dumps(
                {
                    "id": name,
                    "tokens": tokens,
                    "spans": [[first, after - 1, label] for first, after, label in MARKS[who][name]],
                }
            )
            + "\n"
            for name, tokens in TEXTS.items()
        )
        for who in PEOPLE
    }


def last_characters_of_one() -> Files:
    def content(name: str, who: str, tokens: list[str], own: list[Stretch]) -> tuple[str, str]:
        text = " ".join(tokens)
        marks = [
            {"start": start, "end": end - (who == "ben"), "label": label, "text": text[start:end]}
            for start, end, label in own
        ]
        return f"{who}/{name}.json", json.dumps({"text": text, "annotations": marks})

    return dict(of_each(content))


def bytes_in_brat() -> Files:
    files: Files = {}
    for name, who, tokens, own in of_each(lambda *each: each):
        text = " ".join(tokens)
        places = [(len(text[:start].encode()), len(text[:end].encode())) for start, end, _ in own]
        files[f"{who}/{name}.txt"] = text
        files[f"{who}/{name}.ann"] = "".join(
            f"T{number}\t{label} {first} {after}\t{text[start:end]}\n"
            for number, ((start, end, label), (first, after)) in enumerate(zip(own, places, strict=True))
        )
    return files


def splits() -> Files:
    return {
        f"{who}/{split}.jsonl": json.dumps({"id": 0, "text": " ".join(TEXTS[name]), "label": own}) + "\n"
        for who in PEOPLE
        for split, name in (("train", "d1"), ("dev", "d2"))
        for own in [lists([in_characters(TEXTS[name], each) for each in MARKS[who][name]])]
    }


KINDS: dict[str, Callable[[], Files]] = {
    "columns that are lists": lambda: by_columns(as_objects=False),
    "columns that are objects": lambda: by_columns(as_objects=True),
    "tokens and stretches of tokens": spert,
    "stretches to the last token": last_tokens,
    "last characters, of one person": last_characters_of_one,
    "bytes": bytes_in_brat,
    "splits in which numbers begin again": splits,
    "people as keys": lambda: {
        "all.json": json.dumps(
            [
                {
                    "id": name,
                    "text": " ".join(tokens),
                    **{
                        who: lists([in_characters(tokens, each) for each in MARKS[who][name]])
                        for who in PEOPLE
                    },
                }
                for name, tokens in TEXTS.items()
            ]
        )
    },
    "a list of what each person did": lambda: {
        "all.json": json.dumps(
            [
                {
                    "id": name,
                    "text": " ".join(tokens),
                    "annotations": [
                        {
                            "annotator": who,
                            "spans": objects([in_characters(tokens, each) for each in MARKS[who][name]]),
                        }
                        for who in PEOPLE
                    ],
                }
                for name, tokens in TEXTS.items()
            ]
        )
    },
    "cells that are lists": lambda: {
        "all.csv": table(
            ["doc", "annotator", "text", "spans"],
            of_each(lambda name, who, tokens, own: (name, who, " ".join(tokens), str(objects(own)))),
        )
    },
    "cells of tokens and tags": lambda: {
        "all.csv": table(
            ["doc", "annotator", "tokens", "tags"],
            of_each(
                lambda name, who, tokens, own: (name, who, " ".join(tokens), " ".join(tags_of(tokens, own)))
            ),
        )
    },
    "tags with people as keys": lambda: {
        "all.jsonl": "".join(
            json.dumps(
                {
                    "id": name,
                    "tokens": tokens,
                    **{
                        who: tags_of(tokens, [in_characters(tokens, each) for each in MARKS[who][name]])
                        for who in PEOPLE
                    },
                }
            )
            + "\n"
            for name, tokens in TEXTS.items()
        )
    },
    "a column of tags for each person, named": lambda: columns_of_tags("token\tanna\tben\n"),
    "pairs of text and entities": lambda: {
        f"{who}.json": json.dumps(
            [
                [
                    " ".join(tokens),
                    {"entities": lists([in_characters(tokens, each) for each in MARKS[who][name]])},
                ]
                for name, tokens in TEXTS.items()
            ]
        )
        for who in PEOPLE
    },
}


def written(folder: Path, files: Files) -> list[tuple[Path, str]]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return [(folder / name, name) for name in sorted(files)]


@pytest.mark.parametrize("kind", KINDS)
def test_marks_are_the_same_however_they_are_kept(kind: str, tmp_path: Path) -> None:
    marks = read_export(written(tmp_path, KINDS[kind]())).content
    assert isinstance(marks, TextMarks)
    found = {
        (
            marks.texts[marks.document[mark]],
            marks.annotators[marks.annotator[mark]],
            int(start),
            int(end),
            str(marks.labels[marks.label[mark]]),
        )
        for mark, start, end in zip(marks.span_mark, marks.span_start, marks.span_end, strict=True)
    }
    assert found == EXPECTED


@pytest.mark.parametrize("first", ["word\tO\tO\n", "word\tB-X\tO\n"])
def test_a_first_token_that_is_called_as_one_is_no_header(first: str, tmp_path: Path) -> None:
    content = read_export(written(tmp_path, columns_of_tags(first))).content
    assert isinstance(content, TextMarks)
    assert content.texts[0].startswith("word the café")


def test_lists_of_tags_that_are_called_so_are_layers(tmp_path: Path) -> None:
    """Coarse and fine tags are one person's."""
    record = {"tokens": ["a", "b"], "ner_coarse": ["B-X", "O"], "ner_fine": ["B-X", "O"]}
    layers = read_layers(
        written(tmp_path, {"anna.jsonl": json.dumps(record)}), ReaderOptions(), ["ner_coarse", "ner_fine"]
    )
    assert [layer.content.annotators for layer in layers] == [("anna",), ("anna",)]


def test_words_that_are_units_are_no_tokens(tmp_path: Path) -> None:
    """One token, and a label that is a letter of a scheme."""
    rows: list[tuple[object, ...]] = [("good", "B", "B"), ("bad", "O", "B"), ("fair", "B", "O")]
    assert rated(read_export(written(tmp_path, {"all.csv": table(["words", "anna", "ben"], rows)}))) >= {
        ("bad", "ben", "B")
    }


def test_two_texts_of_one_name_in_one_file_are_refused(tmp_path: Path) -> None:
    """Files that are called differently tell texts of one name apart, one file does not."""
    record = json.dumps({"id": 0, "text": "a b", "entities": [[0, 1, "X"]]})
    other = json.dumps({"id": 0, "text": "c d", "entities": [[0, 1, "X"]]})
    with pytest.raises(BadInput, match='has another text of document "0"'):
        read_export(written(tmp_path, {"anna.jsonl": f"{record}\n{other}\n"}))


def test_a_mark_beyond_the_last_token_is_refused(tmp_path: Path) -> None:
    record = json.dumps({"id": 0, "tokens": ["a", "b"], "entities": [[0, 3, "X"]]})
    with pytest.raises(BadInput, match="from 0 to 3 does not lie within the 2 tokens"):
        read_export(written(tmp_path, {"anna.jsonl": record}))


def test_tokens_by_number_without_their_text_are_asked_for(tmp_path: Path) -> None:
    rows: list[tuple[object, ...]] = [("d1", who, 1, 2, "X") for who in PEOPLE]
    rows += [("d1", "ben", 4, 4, "Y"), ("d1", "anna", 5, 5, "Y")]
    head = ["doc", "annotator", "first_token", "last_token", "label"]
    with pytest.raises(BadInput, match="the text of the document"):
        read_export(written(tmp_path, {"all.csv": table(head, rows)}))
