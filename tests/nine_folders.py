"""Nine folders as nine tools leave them: two annotators, two documents, and what else lies there."""

import io
import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from reportgen.readers import DocumentCopy, ParsedMark
from tests.commands import files
from tests.readers import (
    write_brat,
    write_doccano,
    write_gate,
    write_label_studio,
    write_prodigy,
    write_textgrid,
    write_webanno,
)
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
NAMED_ENTITY = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"


def copies(feature: str = "", kind: str = "") -> Iterator[DocumentCopy]:
    """Yield everybody's copies: labels are types, or a feature of marks of one type."""
    for who, documents in MARKS.items():
        for document, given in documents.items():
            text = TEXTS[document]
            marks = [
                ParsedMark(kind or label, ((start, start + len(words)),), {feature: label} if feature else {})
                for label, words in given
                for start in [text.index(words)]
            ]
            yield DocumentCopy(document, who, "", text, marks)


def written(write: Callable[[Sequence[DocumentCopy], Path], object], found: Iterable[DocumentCopy]) -> Files:
    """Return the files that a writer makes of copies."""
    with tempfile.TemporaryDirectory() as folder:
        write(list(found), Path(folder))
        return files(Path(folder))


def brat() -> Files:
    """Folders of a brat server: settings and a Mac's own file lie beside the annotators'."""
    beside: dict[str, str | bytes] = {"annotation.conf": "[entities]\nPER\nLOC\n", ".DS_Store": b"\0"}
    return {**beside, **written(write_brat.write, copies())}


def inception() -> Files:
    """An INCEpTION project, exported with WebAnno TSV as its secondary format."""
    people = [
        {"name": f"{document}.txt", "user": who, "state": "FINISHED", "annotatorState": None}
        for who in MARKS
        for document in TEXTS
    ]
    sources = [{"name": f"{each}.txt", "format": "text"} for each in TEXTS]
    project = {"name": "People", "source_documents": sources, "annotation_documents": people}
    inside: dict[str, str | bytes] = {"exportedproject1.json": json.dumps(project)}
    inside |= {f"source/{name}.txt": text for name, text in TEXTS.items()}
    for name, text in written(write_webanno.write, copies("value", NAMED_ENTITY)).items():
        who, document = name.removesuffix(".tsv").split("/")
        inside[f"annotation/{document}.txt/{who}.tsv"] = text
    return {"people_project_2026-11-02.zip": zipped(inside)}


def label_studio() -> Files:
    """The JSON of a Label Studio project, in which people are addresses."""
    found = (replace(each, annotator=f"{each.annotator}@example.org") for each in copies("labels", "labels"))
    (content,) = written(write_label_studio.write, found).values()
    return {"project-1-at-2026-11-02-10-00-0a1b2c3d.json": content}


def prodigy() -> Files:
    """What `prodigy db-out` prints of a data set with two sessions."""
    found = (replace(each, document=each.document[-1]) for each in copies("label", "spans"))
    (content,) = written(write_prodigy.write, found).values()
    return {"places.jsonl": content}


def doccano() -> Files:
    """The archive of a doccano project: a file for each user."""
    return {"doccano.zip": zipped(written(write_doccano.write, copies("label", "label")))}


def gate() -> Files:
    """GATE XML with a set for each annotator, and what the tokeniser wrote into the default set."""
    token = b'<AnnotationSet><Annotation Type="Token" StartNode="700" EndNode="699"/></AnnotationSet>'
    made = written(write_gate.write, copies())
    return {name: bytes(text).replace(b"<AnnotationSet/>", token) for name, text in made.items()}  # type: ignore[arg-type]


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
