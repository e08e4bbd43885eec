"""Writes copies as CoNLL columns, in any of four schemes, and as CoNLL-U."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from reportgen.readers import DocumentCopy, ExportFile, ParsedMark
from reportgen.readers.conll import Scheme
from tests.readers.given_files import written

COLUMN = "column 2"
UPOS, XPOS, FEATS, DEPREL = "UPOS", "XPOS", "FEATS", "DEPREL"


def write(copies: Sequence[DocumentCopy], folder: Path, scheme: Scheme) -> list[ExportFile]:
    """Write a folder for each annotator, with a file a document: tokens and one column of tags.

    The format can't carry marks that overlap, are discontinuous, cross sentences or cut tokens, labels
    with white space, and white space other than single spaces between tokens and line feeds between
    sentences. Who did not see a document has no file.
    """
    files = {
        f"{copy.annotator}/{copy.document}.conll": "\n".join(_sentences(copy, scheme))
        for copy in copies
        if copy.state == "seen"
    }
    return written(folder, dict(sorted(files.items())))


def _sentences(copy: DocumentCopy, scheme: Scheme) -> Iterator[str]:
    start = 0
    for sentence in (copy.text or "").split("\n"):
        before: ParsedMark | None = None
        lines = []
        for token in sentence.split(" "):
            place = start, start + len(token)
            mark = next((each for each in copy.marks if _covers(each, place)), None)
            lines.append(f"{token} {_tag(mark, place, before, scheme)}\n")
            before, start = mark, place[1] + 1
        yield "".join(lines)


def _covers(mark: ParsedMark, place: tuple[int, int]) -> bool:
    ((start, end),) = mark.spans
    return start <= place[0] and place[1] <= end


def _tag(mark: ParsedMark | None, place: tuple[int, int], before: ParsedMark | None, scheme: Scheme) -> str:
    if mark is None:
        return "O"
    label = mark.features[COLUMN]
    first, last = mark.spans[0][0] == place[0], mark.spans[0][1] == place[1]
    if scheme == "IOB1":
        adjacent = before is not None and before is not mark and before.features[COLUMN] == label
        return f"{'B' if first and adjacent else 'I'}-{label}"
    single, end = {"BIOES": ("S", "E"), "BILOU": ("U", "L")}.get(scheme, ("B", "I"))
    return f"{single if first and last else 'B' if first else end if last else 'I'}-{label}"


def write_conllu(copies: Sequence[DocumentCopy], folder: Path) -> list[ExportFile]:
    """Write a folder for each annotator, with a file of all documents, each opened by # newdoc.

    The format can't carry marks other than of single words, in the layers UPOS, XPOS, FEATS and DEPREL, with
    at most one of each a word, and the value "_".
    """
    files: dict[str, str] = {}
    for copy in copies:
        name = f"{copy.annotator}/all.conllu"
        files[name] = (
            files.get(name, "") + f"# newdoc id = {copy.document}\n" + "\n".join(_trees(copy)) + "\n"
        )
    return written(folder, dict(sorted(files.items())))


def _trees(copy: DocumentCopy) -> Iterator[str]:
    start = 0
    for sentence in (copy.text or "").split("\n"):
        lines = ["# sent_id = 1\n"]
        for number, token in enumerate(sentence.split(" "), 1):
            place = start, start + len(token)
            here = {mark.type: mark.features[mark.type] for mark in copy.marks if mark.spans == (place,)}
            upos, xpos, feats, deprel = (here.get(name, "_") for name in (UPOS, XPOS, FEATS, DEPREL))
            lines.append(f"{number}\t{token}\t_\t{upos}\t{xpos}\t{feats}\t0\t{deprel}\t_\t_\n")
            start = place[1] + 1
        yield "".join(lines)
