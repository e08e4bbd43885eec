"""A small export in each format: what is read of every reader, and what mutated files are made from.

Two annotators, anna and ben. In formats of texts both saw d1; ben marked nothing there.
"""

import io
import json
import sqlite3
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import duckdb

from tests.campaigns import marked, written
from tests.counted import counts_in, reports_of
from tests.readers import write_eaf, write_textgrid

TEXT = "Anna 🙂 met Ben in Paris ."
WORDS = TEXT.split()
WEBANNO = (
    "#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.Entity|value\n\n\n#Text=Anna 🙂 met Ben in Paris .\n"
    "1-1\t0-4\tAnna\t{}\t\n1-2\t5-7\t🙂\t{}\t\n1-3\t8-11\tmet\t_\t\n1-4\t12-15\tBen\t_\t\n1-5\t16-18\tin\t_\t\n"
    "1-6\t19-24\tParis\t{}\t\n1-7\t25-26\t.\t_\t\n"
)
GATE = (
    '<?xml version="1.0" encoding="utf-8"?>\n<GateDocument version="3">\n<GateDocumentFeatures/>\n'
    '<TextWithNodes><Node id="0"/>Anna<Node id="4"/> 🙂 met Ben in <Node id="19"/>Paris<Node id="24"/> .'
    '</TextWithNodes>\n<AnnotationSet Name="anna">\n'
    '<Annotation Id="1" Type="PER" StartNode="0" EndNode="4">\n<Feature>\n'
    '<Name className="java.lang.String">sure</Name>\n<Value className="java.lang.String">yes</Value>\n'
    '</Feature>\n</Annotation>\n<Annotation Id="2" Type="LOC" StartNode="19" EndNode="24"/>\n'
    '</AnnotationSet>\n<AnnotationSet Name="ben"/>\n</GateDocument>\n'
)
TAGS = ("B-PER", "I-PER", "O", "O", "O", "B-LOC", "O")
PARTS = ("PROPN", "SYM", "VERB", "PROPN", "ADP", "PROPN", "PUNCT")
TREE = "".join(
    f"{place}\t{word}\t{word}\t{part}\t_\t_\t0\troot\t_\t_\n"
    for place, (word, part) in enumerate(zip(WORDS, PARTS, strict=True), 1)
)
MARKABLES = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE markables SYSTEM "markables.dtd">\n'
    '<markables xmlns="www.eml.org/NameSpaces/entity">\n{}</markables>\n'
)
SAID = {"words": [(100, 400, "Anna"), (400, 500, "met")], "tones": [(250, 250, "H*")]}
MARKS_OF_TABLE = (
    "document,annotator,start,end,label,mention\nd1,anna,0,6,PER,Anna 🙂\nd1,anna,19,24,LOC,Paris\n"
    "d1,anna,12,15,,Ben\nd1,ben,,,,\n"
)
LABEL_STUDIO = [
    {
        "id": 1,
        "data": {"text": TEXT},
        "annotations": [
            {
                "id": 10,
                "completed_by": {"id": 1, "email": "anna"},
                "was_cancelled": False,
                "ground_truth": False,
                "result": [
                    {
                        "id": "r1",
                        "from_name": "entity",
                        "to_name": "text",
                        "type": "labels",
                        "value": {"start": 0, "end": 4, "text": "Anna", "labels": ["PER"]},
                    },
                    {
                        "id": "r2",
                        "from_name": "entity",
                        "to_name": "text",
                        "type": "labels",
                        "value": {"start": 19, "end": 24, "text": "Paris", "labels": ["LOC"]},
                    },
                ],
            },
            {"id": 11, "completed_by": 2, "was_cancelled": False, "ground_truth": False, "result": []},
        ],
        "predictions": [],
    }
]
PRODIGY = [
    {
        "text": TEXT,
        "_input_hash": 7,
        "_task_hash": 8,
        "spans": spans,
        "answer": "accept",
        "_view_id": "ner_manual",
        "_annotator_id": f"names-{who}",
        "_session_id": f"names-{who}",
        "_timestamp": 1,
    }
    for who, spans in (
        ("anna", [{"start": 0, "end": 4, "label": "PER", "token_start": 0, "token_end": 0}]),
        ("ben", []),
    )
]
USERS = {"u1": "anna", "u2": "ben"}
# As the server sends them, with what a model suggests.
ARGILLA = (
    {
        "dataset": {"id": "0d", "name": "names"},
        "questions": [
            {"id": "q1", "name": "entity", "settings": {"type": "span", "field": "text", "options": []}},
        ],
        "users": [{"id": number, "username": who} for number, who in USERS.items()],
    },
    {
        "id": "8f",
        "external_id": "d1",
        "fields": {"text": TEXT},
        "metadata": {},
        "responses": [
            {
                "values": {"entity": {"value": spans}},
                "status": "submitted",
                "user_id": number,
                "updated_at": "2026-11-28T06:00:00",
            }
            for number, spans in (("u1", [{"start": 19, "end": 24, "label": "LOC"}]), ("u2", []))
        ],
        "suggestions": [
            {"question_id": "q1", "value": [{"start": 0, "end": 4, "label": "PER"}], "agent": "bert"}
        ],
        "vectors": {},
        "dataset_id": "0d",
    },
)
# As its client exports them.
ARGILLA_CLIENT = {
    "id": "d1",
    "fields": {"text": TEXT},
    "metadata": {},
    "suggestions": {},
    "responses": {
        "entity": [
            {"value": [{"start": 19, "end": 24, "label": "LOC"}], "user_id": "anna"},
            {"value": [], "user_id": "ben"},
        ]
    },
    "vectors": {"v": [0.1, 0.2]},
    "status": "pending",
    "_server_id": "8f",
}


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """Return an archive of the files, the same whenever it is made."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return buffer.getvalue()


def _brat() -> dict[str, str]:
    marks = "T1\tPER 0 6\tAnna 🙂\nA1\tSure T1 yes\nT2\tLOC 18 23\tParis\nT3\tPER 0 4;11 14\tAnna Ben\n"
    more = "R1\tLives Arg1:T1 Arg2:T2\nE1\tPER:T3 Where:T2\n*\tEquiv T1 T3\n#1\tAnnotatorNotes T1\tsure?\n"
    return {"anna/d1.txt": TEXT, "anna/d1.ann": marks + more, "ben/d1.txt": TEXT, "ben/d1.ann": ""}


def _bdoc() -> dict[str, str]:
    sets = {
        "anna": {
            "name": "anna",
            "next_annid": 2,
            "annotations": [{"id": 1, "type": "PER", "start": 0, "end": 4, "features": {}}],
        },
        "ben": {"name": "ben", "next_annid": 0, "annotations": []},
    }
    document = {"text": TEXT, "name": "", "features": {}, "offset_type": "p", "annotation_sets": sets}
    return {"d1.bdocjs": json.dumps(document)}


def _mmax() -> dict[str, str]:
    words = "".join(f'<word id="word_{place}">{word}</word>\n' for place, word in enumerate(WORDS, 1))
    mark = '<markable id="markable_1" span="word_1..word_2,word_4" mmax_level="entity" sure="yes"/>\n'
    project = "<mmax_project>\n<words>d1_words.xml</words>\n</mmax_project>\n"
    return {
        "basedata/d1_words.xml": f"<?xml version='1.0'?>\n<words>\n{words}</words>\n",
        "anna/d1.mmax": project,
        "anna/markables/d1_entity_level.xml": MARKABLES.format(mark),
        "ben/d1.mmax": project,
        "ben/markables/d1_entity_level.xml": MARKABLES.format(""),
    }


@cache
def _cas(entity: bool) -> tuple[str, str, str]:  # noqa: FBT001 - with or without a mark
    from cassis import Cas, TypeSystem

    types = TypeSystem()
    entities = types.create_type("custom.Entity", "uima.tcas.Annotation")
    types.create_feature(entities, "value", "uima.cas.String")
    cas = Cas(typesystem=types)
    cas.sofa_string = TEXT
    cas.sofa_mime = "text/plain"
    if entity:
        cas.add(entities(begin=0, end=6, value="PER"))
    return cas.to_xmi(), types.to_xml(), str(cas.to_json())


def _columns(tags: Sequence[str]) -> str:
    return "".join(f"{word} {tag}\n" for word, tag in zip(WORDS, tags, strict=True)) + "\n"


def _inception() -> dict[str, bytes]:
    people = [
        {"name": "d1.txt", "user": user, "state": "FINISHED", "annotatorState": None}
        for user in ("anna", "ben")
    ]
    project = {
        "name": "p",
        "source_documents": [{"name": "d1.txt", "format": "text"}],
        "annotation_documents": people,
    }
    marked, unmarked = WEBANNO.format("PER[1]", "PER[1]", "LOC"), WEBANNO.format("_", "_", "_")
    return {
        "project.zip": zipped(
            {
                "exportedproject1.json": json.dumps(project),
                "source/d1.txt": TEXT,
                "annotation/d1.txt/anna.tsv": marked,
                "annotation/d1.txt/ben.tsv": unmarked,
                "curation/d1.txt/CURATION_USER.tsv": marked,
            }
        )
    }


@cache
def _duckdb(command: str) -> bytes:
    """Return the file that a command writes of a table of labels."""
    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as connection:
        file = Path(folder) / "file"
        connection.execute(
            "create table labels as select * from (values ('1', 'anna', 'yes'), ('1', 'ben', 'no'), "
            "('2', 'anna', 'yes'), ('2', 'ben', 'yes')) as rows (item, annotator, label)"
        )
        connection.execute(command.format(file=file))
        connection.close()
        return file.read_bytes()


Cells = Sequence[Sequence[str | int]]
LONG: Cells = (("item", "annotator", "label"), ("1", "anna", "yes"), ("1", "ben", "no"), (2, "anna", "yes"))
OF_ANNA: Cells = (("item", "label", "sentence"), ("1", "yes", TEXT), ("2", "no", "Nobody was there."))


def _excel(sheets: Mapping[str, Cells]) -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


@cache
def _counts() -> dict[str, str]:
    """Return what this program counts in texts, with a reference for the two annotators."""
    texts = {"d1": TEXT, "d2": TEXT}
    marks = {
        "anna": {"d1": [("PER", 0, 4), ("LOC", 18, 23)], "d2": [("PER", 0, 4)]},
        "ben": {"d1": [("PER", 0, 6)], "d2": [("PER", 0, 4)]},
        "gold": {"d1": [("PER", 0, 4)], "d2": [("LOC", 18, 23)]},
    }
    with tempfile.TemporaryDirectory() as place:
        exports = {f"exports/1.0/{name}": text for name, text in marked(texts, marks).items()}
        folder = written(Path(place) / "campaign", '[annotators.gold]\nrole = "reference"\n', exports)
        (report,) = reports_of(folder).values()
    return counts_in(report)


def _eaf(*words: str) -> str:
    letters = [write_eaf.referring("a2", "a1", "An"), write_eaf.referring("a3", "a1", "na", "a2")]
    tiers = [write_eaf.tier("words", words), write_eaf.tier("syllables", letters, PARENT_REF="words")]
    return write_eaf.document({"ts1": 100, "ts2": 400, "ts3": None}, tiers)


def samples() -> dict[str, Mapping[str, str | bytes]]:
    """Return the files of an export for the name of each reader."""
    marked, types, marked_json = _cas(entity=True)
    unmarked, _, unmarked_json = _cas(entity=False)
    return {
        "confusion-matrix": {"matrix.csv": "ben\\anna,yes,no\nyes,3,1\nno,0,2\n"},
        "ratings": {"ratings.csv": "item,annotator,label\n1,anna,yes\n1,ben,no\n2,anna,yes\n2,ben,yes\n"},
        "brat": _brat(),
        "gate-xml": {"d1.xml": GATE},
        "gate-bdoc": _bdoc(),
        "mmax2": _mmax(),
        "inline-xml": {
            "anna/d1.xml": "<doc><PER sure='yes'>Anna 🙂</PER> met Ben in <LOC>Paris</LOC> .</doc>",
            "ben/d1.xml": "<doc>Anna 🙂 met Ben in Paris .</doc>",
        },
        "webanno-tsv": {
            "d1/anna.tsv": WEBANNO.format("PER[1]", "PER[1]", "LOC"),
            "d1/ben.tsv": WEBANNO.format("_", "_", "_"),
        },
        "cas-xmi": {"d1/anna.xmi": marked, "d1/ben.xmi": unmarked, "TypeSystem.xml": types},
        "cas-json": {"d1/anna.json": marked_json, "d1/ben.json": unmarked_json},
        "inception": _inception(),
        "textgrid": {
            "anna/d1.TextGrid": write_textgrid.grid(900, SAID),
            "ben/d1.TextGrid": write_textgrid.grid(900, {**SAID, "words": []}, short=True),
        },
        "elan": {"anna/d1.eaf": _eaf(write_eaf.aligned("a1", "ts1", "ts2", "Anna")), "ben/d1.eaf": _eaf()},
        "conll": {"anna.conll": _columns(TAGS), "ben.conll": _columns(("O",) * len(WORDS))},
        "conllu": {"anna.conllu": f"# text = x\n{TREE}\n", "ben.conllu": f"{TREE}\n"},
        "label-studio": {"export.json": json.dumps(LABEL_STUDIO)},
        "prodigy": {"names.jsonl": "".join(f"{json.dumps(each)}\n" for each in PRODIGY)},
        "doccano": {
            "anna.jsonl": json.dumps({"id": 1, "text": TEXT, "label": [[0, 4, "PER"]]}) + "\n",
            "ben.jsonl": json.dumps({"id": 1, "text": TEXT, "label": []}) + "\n",
        },
        "argilla": {"dataset.jsonl": "".join(f"{json.dumps(each)}\n" for each in ARGILLA)},
        "potato": {
            f"{who}/annotated_instances.jsonl": json.dumps(
                {
                    "id": "d1",
                    "displayed_text": TEXT,
                    "label_annotations": {"tone": {tone: "true"}},
                    "span_annotations": {},
                    "behavioral_data": {"time_string": "Time spent: 0d 0h 0m 2s "},
                }
            )
            + "\n"
            for who, tone in (("anna", "kind"), ("ben", "rude"))
        },
        "crowd": {
            "crowd.csv": "_unit_id,_worker_id,_golden,_tainted,_trust,answer,question\n"
            "1,anna,false,false,1,yes,q1\n1,ben,false,false,1,no,q1\n2,anna,true,false,1,yes,q2\n2,ben,false,true,1,yes,q2\n"
            "3,anna,false,false,1,yes,q3\n3,ben,false,false,1,yes,q3\n"
        },
        "mark-table": {"marks.csv": MARKS_OF_TABLE, "d1.txt": TEXT},
        "mark-records": {
            f"{who}.jsonl": json.dumps({"text": TEXT, "spans": [{"start": 0, "end": end, "label": "X"}]})
            for who, end in (("anna", 3), ("ben", 5))
        },
        "labels-json": {
            "labels.json": json.dumps({"anna": {"1": "yes", "2": 3.0}, "ben": {"1": "no", "2": 3}}),
        },
        "excel": {"ratings.xlsx": _excel({"Sheet": LONG})},
        "counts": _counts(),
        "parquet": {"ratings.parquet": _duckdb("copy labels to '{file}' (format parquet)")},
        "database": {
            "ratings.duckdb": _duckdb("attach '{file}' as made; create table made.labels as from labels")
        },
    }


def further_shapes() -> dict[str, Mapping[str, str | bytes]]:
    """Return exports that a reader takes in another shape than in its sample."""
    rows = [dict(zip(LONG[0], row, strict=True)) for row in LONG[1:]]
    wide = [{"id": place, "anna": label, "ben": "yes"} for place, label in enumerate(("yes", "no", "yes"))]
    marked, _, _ = _cas(entity=True)
    unmarked, _, _ = _cas(entity=False)
    return {
        "argilla, of its client": {"records.json": json.dumps([ARGILLA_CLIENT])},
        "cas-xmi, without a type system": {"d1/anna.xmi": marked, "d1/ben.xmi": unmarked},
        "excel, a sheet for each annotator": {"ratings.xlsx": _excel({"anna": OF_ANNA, "ben": OF_ANNA})},
        "labels-json, rows": {"rows.jsonl": "".join(f"{json.dumps(row)}\n" for row in rows)},
        "labels-json, wide": {"wide.json": json.dumps(wide)},
        **{f"labels-json, {shape}": {"labels.json": text} for shape, text in _json_shapes().items()},
        "database, SQLite": {"ratings.sqlite": _sqlite()},
    }


def _json_shapes() -> dict[str, str]:
    """Return the labels of LONG as JSON in each shape that publications have."""
    by_item: dict[str, dict[str, str]] = {}
    for item, annotator, label in LONG[1:]:
        by_item.setdefault(f"item {item}", {})[str(annotator)] = str(label)
    pairs = {
        item: {"annotators": ",".join(labels), "annotations": ",".join(labels.values()), "soft_label": {}}
        for item, labels in by_item.items()
    }
    entries = [
        {"id": item, **{label: [{"annotator": who, "reason": "…"}] for who, label in labels.items()}}
        for item, labels in by_item.items()
    ]
    columns = dict(zip(LONG[0], zip(*LONG[1:], strict=True), strict=True))
    frame = {name: {str(row): cell for row, cell in enumerate(cells)} for name, cells in columns.items()}
    return {
        "by item": json.dumps(by_item),
        "items by key": json.dumps(pairs),
        "entries by label": "".join(f"{json.dumps(entry)}\n" for entry in entries),
        "columns": json.dumps(frame),
    }


def _sqlite() -> bytes:
    """Return a database with a table of the labels of LONG."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "made.sqlite"
        database = sqlite3.connect(file)
        database.execute(f"create table labels ({', '.join(f'{name} text' for name in LONG[0])})")
        database.executemany("insert into labels values (?, ?, ?)", LONG[1:])
        database.commit()
        database.close()
        return file.read_bytes()
