"""Nine folders as nine tools leave them: two annotators, two documents, and what else lies there."""

import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from tests.readers import write_textgrid
from tests.readers.samples import zipped

Files = Mapping[str, str | bytes]
# A label, and the words that it is given to.
Given = tuple[str, str]

TEXTS = {
    "interview1": "Anna Weber met Ben in Paris. They left for Rome.",
    "interview2": "In Lyon, Carla sang. Ben stayed at home in Bonn.",
}
MARKS: Mapping[str, Mapping[str, list[Given]]] = {
    "anna": {
        "interview1": [("PER", "Anna Weber"), ("PER", "Ben"), ("LOC", "Paris"), ("LOC", "Rome")],
        "interview2": [("LOC", "Lyon"), ("PER", "Carla"), ("LOC", "Bonn")],
    },
    "ben": {
        "interview1": [("PER", "Anna"), ("PER", "Ben"), ("LOC", "Paris")],
        "interview2": [("PER", "Lyon"), ("PER", "Carla"), ("PER", "Ben"), ("LOC", "Bonn")],
    },
}
SOUNDS = {
    "anna": [(0, 400, "hello"), (600, 900, "laugh")],
    "ben": [(0, 410, "hello"), (600, 900, "cough")],
}
NAMED_ENTITY = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value"


def spans(who: str, document: str) -> Iterator[tuple[str, int, int, str]]:
    """Yield label, start, end and words of each mark."""
    for label, words in MARKS[who][document]:
        start = TEXTS[document].index(words)
        yield label, start, start + len(words), words


def copies() -> Iterator[tuple[str, str]]:
    """Yield everybody with every document."""
    return ((who, document) for who in MARKS for document in TEXTS)


def brat() -> Files:
    """Folders of a brat server: settings and a Mac's own file lie beside the annotators'."""
    files: dict[str, str | bytes] = {"annotation.conf": "[entities]\nPER\nLOC\n", ".DS_Store": b"\0"}
    for who, document in copies():
        rows = enumerate(spans(who, document), 1)
        files[f"{who}/{document}.txt"] = TEXTS[document]
        files[f"{who}/{document}.ann"] = "".join(f"T{n}\t{k} {a} {b}\t{w}\n" for n, (k, a, b, w) in rows)
    return files


def inception() -> Files:
    """An INCEpTION project, exported with WebAnno TSV as its secondary format."""
    people = [
        {"name": f"{document}.txt", "user": who, "state": "FINISHED", "annotatorState": None}
        for who, document in copies()
    ]
    sources = [{"name": f"{each}.txt", "format": "text"} for each in TEXTS]
    project = {"name": "People", "source_documents": sources, "annotation_documents": people}
    files = {"exportedproject1.json": json.dumps(project)}
    files |= {f"source/{name}.txt": text for name, text in TEXTS.items()}
    files |= {f"annotation/{document}.txt/{who}.tsv": _tsv(who, document) for who, document in copies()}
    return {"people_project_2026-11-02.zip": zipped(files)}


def _tsv(who: str, document: str) -> str:
    text, marks = TEXTS[document], list(spans(who, document))
    lines = ["#FORMAT=WebAnno TSV 3.3", f"#T_SP={NAMED_ENTITY}", "", "", f"#Text={text}"]
    for number, word in enumerate(re.finditer(r"\w+|[.,]", text), 1):
        place = next((n for n, (_, a, b, _w) in enumerate(marks, 1) if a <= word.start() < b), 0)
        cells = f"*[{place}]\t{marks[place - 1][0]}[{place}]" if place else "_\t_"
        lines.append(f"1-{number}\t{word.start()}-{word.end()}\t{word.group()}\t{cells}\t")
    return "\n".join(lines) + "\n"


def label_studio() -> Files:
    """The JSON of a Label Studio project, in which people are addresses."""
    tasks = [
        {"id": number, "data": {"text": text}, "drafts": [], "predictions": []}
        | {"annotations": [_annotation(who, document, place) for place, who in enumerate(MARKS, 1)]}
        for number, (document, text) in enumerate(TEXTS.items(), 1)
    ]
    return {"project-1-at-2026-11-02-10-00-0a1b2c3d.json": json.dumps(tasks)}


def _annotation(who: str, document: str, number: int) -> dict[str, object]:
    result = [
        {"id": f"r{place}", "from_name": "label", "to_name": "text", "type": "labels", "origin": "manual"}
        | {"value": {"start": start, "end": end, "text": words, "labels": [label]}}
        for place, (label, start, end, words) in enumerate(spans(who, document))
    ]
    person = {"id": number, "email": f"{who}@example.org", "first_name": "", "last_name": ""}
    return {"id": number, "completed_by": person, "was_cancelled": False, "result": result}


def prodigy() -> Files:
    """What `prodigy db-out` prints of a data set with two sessions."""
    rows = [
        {"text": TEXTS[document], "_input_hash": place, "_task_hash": place, "_view_id": "ner_manual"}
        | {"_annotator_id": f"places-{who}", "_session_id": f"places-{who}", "answer": "accept"}
        | {"spans": [{"start": a, "end": b, "label": label} for label, a, b, _ in spans(who, document)]}
        for who in MARKS
        for place, document in enumerate(TEXTS)
    ]
    return {"places.jsonl": _lines(rows)}


def doccano() -> Files:
    """The archive of a doccano project: a file for each user."""
    files = {}
    for who in MARKS:
        rows = [
            {"id": place, "text": TEXTS[document], "Comments": []}
            | {"label": [[a, b, label] for label, a, b, _ in spans(who, document)]}
            for place, document in enumerate(TEXTS, 1)
        ]
        files[f"{who}.jsonl"] = _lines(rows)
    return {"doccano.zip": zipped(files)}


def _lines(rows: list[dict[str, object]]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def gate() -> Files:
    """GATE XML with a set for each annotator, and what the tokeniser wrote into the default set."""
    return {f"{document}.xml": _gate(document) for document in TEXTS}


def _gate(document: str) -> str:
    text, found = TEXTS[document], {who: list(spans(who, document)) for who in MARKS}
    places = sorted(
        {0, len(text)} | {place for each in found.values() for mark in each for place in mark[1:3]}
    )
    ends = [*places[1:], len(text)]
    nodes = "".join(f'<Node id="{a}"/>{text[a:b]}' for a, b in zip(places, ends, strict=True))
    sets = f'<AnnotationSet>\n<Annotation Id="0" Type="Token" StartNode="0" EndNode="{ends[0]}"/>\n'
    number = 0
    for who, marks in found.items():
        sets += f'</AnnotationSet>\n<AnnotationSet Name="{who}">\n'
        for label, start, end, _words in marks:
            number += 1
            sets += f'<Annotation Id="{number}" Type="{label}" StartNode="{start}" EndNode="{end}"/>\n'
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<GateDocument version="3">\n<GateDocumentFeatures/>\n'
        f"<TextWithNodes>{nodes}</TextWithNodes>\n{sets}</AnnotationSet>\n</GateDocument>\n"
    )


def spreadsheet() -> Files:
    """A table from a German Excel, long, in columns that nobody else calls so."""
    rows = [
        f"{'Hotel' if unit < 4 else 'Garage'};{unit};{who};{label}"
        for unit, labels in enumerate(("ja ja", "ja nein", "nein nein", "nein nein", "ja ja"), 1)
        for who, label in zip(("Anna", "Jörg"), labels.split(), strict=True)
    ]
    return {"Bewertungen.csv": "\n".join(["\ufeffDokument;Satz;Person;Kategorie", *rows]) + "\n"}


@cache
def parquet() -> Files:
    """What `to_parquet` writes of a long frame, its index too."""
    from pandas import DataFrame

    rows = [
        (f"t{unit // 3}", f"s{unit}", worker, "yes" if unit % place else "no")
        for unit in range(9)
        for place, worker in ((2, "w1"), (3, "w2"))
    ]
    frame = DataFrame(rows, columns=["doc", "sentence", "worker", "label"], index=range(10, 28))
    file = io.BytesIO()
    frame.to_parquet(file)
    return {"labels.parquet": file.getvalue()}


def praat() -> Files:
    """TextGrids beside the recordings that they are about."""
    files: dict[str, str | bytes] = {}
    for who, said in SOUNDS.items():
        for recording in ("rec1", "rec2"):
            files[f"{who}/{recording}.TextGrid"] = write_textgrid.grid(1000, {"speech": said})
            files[f"{who}/{recording}.wav"] = b"RIFF"
    return files


FOLDERS: Mapping[str, Callable[[], Files]] = {
    "brat": brat,
    "inception": inception,
    "label-studio": label_studio,
    "prodigy": prodigy,
    "doccano": doccano,
    "gate": gate,
    "spreadsheet": spreadsheet,
    "parquet": parquet,
    "praat": praat,
}
