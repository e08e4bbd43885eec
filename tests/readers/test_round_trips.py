"""What is written in a format comes back: copies that hypothesis makes up, and writers of the tests."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reportgen.readers import (
    DocumentCopy,
    ExportFile,
    ParsedMark,
    Reader,
    brat,
    conll,
    doccano,
    gate_documents,
    inline_xml,
    label_studio,
    mmax,
    prodigy,
    uima_cas,
    webanno,
)
from reportgen.readers import (
    recordings as timed,
)
from tests.properties import examples
from tests.readers import (
    write_brat,
    write_cas,
    write_conll,
    write_doccano,
    write_eaf,
    write_gate,
    write_inline_xml,
    write_label_studio,
    write_mmax2,
    write_prodigy,
    write_textgrid,
    write_webanno,
)
from tests.readers.content import labelled
from tests.readers.generated import copies, recordings, told
from tests.readers.given_files import read_with
from tests.readers.write_conll import COLUMN
from tests.readers.write_webanno import TOKEN

Copies = list[DocumentCopy]

# Columns: sentences of words.

TOKENS = st.lists(st.text(alphabet="abé😀,", min_size=1, max_size=3), min_size=1, max_size=6)


@st.composite
def stretches(draw: st.DrawFn, sentences: list[list[str]]) -> list[ParsedMark]:
    """Return marks that do not overlap; many touch."""
    marks = []
    start = 0
    for sentence in sentences:
        opened: int | None = None
        label = ""
        for token in sentence:
            if opened is None and draw(st.booleans()):
                opened, label = start, draw(st.sampled_from(["PER", "a-b", "É😀"]))
            end = start + len(token)
            if opened is not None and (draw(st.booleans()) or token is sentence[-1]):
                marks.append(ParsedMark(COLUMN, ((opened, end),), {COLUMN: label}))
                opened = None
            start = end + 1
        if opened is not None:
            marks.append(ParsedMark(COLUMN, ((opened, start - 1),), {COLUMN: label}))
    return marks


@st.composite
def in_columns(draw: st.DrawFn) -> Copies:
    found: Copies = []
    for number in range(draw(st.integers(1, 2))):
        sentences = [[f"d{number}", *draw(TOKENS)] for _ in range(draw(st.integers(1, 3)))]
        text = "\n".join(map(" ".join, sentences))
        found += [
            DocumentCopy(f"d{number}", annotator, "", text, tuple(draw(stretches(sentences))))
            for annotator in ("anna", "ben")
        ]
    return found


TREE_WORDS = st.lists(st.text(alphabet="abé😀,", min_size=1, max_size=3), min_size=1, max_size=5)
LAYERS = {"UPOS": ("NOUN", "X"), "XPOS": ("NN😀", "O"), "FEATS": ("A=b|C=d",), "DEPREL": ("nsubj:pass", "é")}


@st.composite
def in_trees(draw: st.DrawFn) -> Copies:
    found: Copies = []
    for number in range(draw(st.integers(1, 2))):
        sentences = [[f"d{number}", *draw(TREE_WORDS)] for _ in range(draw(st.integers(1, 2)))]
        for annotator in ("anna", "ben"):
            marks = []
            start = 0
            for word in (word for sentence in sentences for word in sentence):
                for name, values in LAYERS.items():
                    if (value := draw(st.sampled_from([None, *values]))) is not None:
                        marks.append(ParsedMark(name, ((start, start + len(word)),), {name: value}))
                start += len(word) + 1
            found.append(
                DocumentCopy(f"d{number}", annotator, "", "\n".join(map(" ".join, sentences)), tuple(marks))
            )
    return found


PARTS = st.lists(st.text(alphabet="aé😀_|\\.", min_size=1, max_size=4), min_size=1, max_size=5)
SIGNS = st.text(alphabet="Aé😀\\[]|_->;*\t\n#", max_size=5)


@st.composite
def marked(draw: st.DrawFn, text: str) -> ParsedMark:
    tokens = [found.span() for found in TOKEN.finditer(text)]
    first = draw(st.integers(0, len(tokens) - 1))
    last = draw(st.integers(first, min(first + 2, len(tokens) - 1)))
    start = draw(st.integers(tokens[first][0], tokens[first][1] - 1))
    end = draw(st.integers(start if first == last else tokens[last][0] + 1, tokens[last][1]))
    features = draw(st.dictionaries(st.sampled_from(["v", "w"]), SIGNS))
    return ParsedMark(draw(st.sampled_from(["x.A", "x.B"])), ((start, end),), features)


@st.composite
def in_rows(draw: st.DrawFn) -> Copies:
    """Return overlapping and adjacent marks, parts of tokens, across sentences, without width."""
    found: Copies = []
    for number in range(draw(st.integers(1, 2))):
        sentences = draw(st.lists(PARTS, min_size=1, max_size=3))
        text = "\n".join(" ".join([f"d{number}", *tokens]) for tokens in sentences)
        for annotator in ("anna", "ben"):
            marks = draw(st.lists(marked(text), max_size=5))
            found.append(DocumentCopy(f"d{number}", annotator, "", text, tuple(marks)))
    return found


# What a format can't say, or says otherwise.


def by_seen(found: Copies) -> Copies:
    """Return the copies of those who saw any."""
    active = {copy.annotator for copy in found if copy.state == "seen"}
    return [copy for copy in found if copy.annotator in active]


def of_several(found: Copies) -> Copies:
    """Return copies of several annotators: of one alone no path says which part of it is the name."""
    assume(len({copy.annotator for copy in found}) > 1)
    return found


def nested(found: Copies) -> Copies:
    """Return copies without the marks that overlap others in part."""
    return [replace(copy, marks=write_inline_xml.properly_nested(copy.marks)) for copy in found]


def any_mark(found: Copies) -> Copies:
    """Return copies of which one has a mark."""
    assume(any(copy.marks for copy in found))
    return found


def hashed(found: Copies) -> Copies:
    """Return copies whose documents are called by numbers, and one of a second annotator.

    Of a single one the data set's name can't be told apart.
    """
    numbered = [replace(copy, document=copy.document.removeprefix("doc")) for copy in found]
    return [*numbered, DocumentCopy("999", "zoë", "", "x")]


def chosen(found: Copies) -> Copies:
    """Return copies with a choice for each document, or skipped."""
    joined = labelled(found, "accept", "label", joined=True)
    return hashed([copy if copy.marks else replace(copy, state="skipped") for copy in joined])


@dataclass(frozen=True)
class Trip:
    """A format there and back: who reads and who writes which copies."""

    reader: Reader
    write: Callable[[Sequence[DocumentCopy], Path], Sequence[ExportFile]]
    made: st.SearchStrategy[Copies]
    sayable: Callable[[Copies], Copies] = list
    ordered: bool = True


PLAIN, SEEN = copies(features=False, unseen=False), copies(unseen=False)
MARKS = ("entity", "labels")
TRIPS = {
    "brat": Trip(brat.READER, write_brat.write, copies(most=3)),
    **{
        f"conll {scheme}": Trip(conll.READER, partial(write_conll.write, scheme=scheme), in_columns())
        for scheme in get_args(conll.Scheme)
    },
    "conllu": Trip(conll.CONLLU_READER, write_conll.write_conllu, in_trees()),
    "doccano": Trip(
        doccano.READER, write_doccano.write, PLAIN, lambda made: labelled(made, "label", "label")
    ),
    "doccano, of documents": Trip(
        doccano.READER, write_doccano.write, PLAIN, lambda made: labelled(made, "label", "label", joined=True)
    ),
    "elan": Trip(timed.ELAN_READER, write_eaf.write, recordings(), ordered=False),
    "gate xml": Trip(gate_documents.READER, write_gate.write, SEEN),
    "bdoc": Trip(gate_documents.BDOC_READER, write_gate.write_bdoc, SEEN),
    "inline xml": Trip(inline_xml.READER, write_inline_xml.write, copies(unseen=False, empty=False), nested),
    **{
        f"label studio {writer.__name__}": Trip(
            label_studio.READER, writer, PLAIN, lambda made: labelled(made, *MARKS)
        )
        for writer in (write_label_studio.write, write_label_studio.write_min)
    },
    "label studio table": Trip(
        label_studio.READER,
        write_label_studio.write_table,
        PLAIN,
        lambda made: labelled(any_mark(made), *MARKS),
    ),
    "mmax2": Trip(mmax.READER, write_mmax2.write, copies(most=3, words=True), of_several, ordered=False),
    "prodigy": Trip(
        prodigy.READER, write_prodigy.write, PLAIN, lambda made: hashed(labelled(made, "spans", "label"))
    ),
    "prodigy, choices": Trip(prodigy.READER, write_prodigy.write, PLAIN, chosen),
    **{
        f"praat {short} {encoding}": Trip(
            timed.TEXTGRID_READER,
            partial(write_textgrid.write, short=short, encoding=encoding),
            recordings(),
            ordered=False,
        )
        for short in (False, True)
        for encoding in ("utf-8", "utf-16")
    },
    "xmi": Trip(uima_cas.XMI_READER, write_cas.write_xmi, SEEN, ordered=False),
    "cas json": Trip(uima_cas.JSON_READER, write_cas.write_json, SEEN, ordered=False),
    "webanno": Trip(webanno.READER, write_webanno.write, in_rows(), ordered=False),
}


@pytest.mark.parametrize("name", TRIPS)
def test_what_was_written_comes_back(name: str) -> None:
    trip = TRIPS[name]

    @examples(50)
    @given(trip.made)
    def comes_back(made: Copies) -> None:
        expected = trip.sayable(made)
        with TemporaryDirectory() as folder:
            found = read_with(trip.reader, trip.write(expected, Path(folder)))
        seen = by_seen(expected) if name == "brat" else expected
        assert told(found.copies, ordered=trip.ordered) == told(seen, ordered=trip.ordered)
        # Recordings have a length, and tiers for which annotators were asked.
        asked = {(copy.document, copy.annotator): (copy.length, copy.asked) for copy in found.copies}
        timed = [copy for copy in expected if copy.length]
        assert [asked[copy.document, copy.annotator] for copy in timed] == [
            (copy.length, copy.asked) for copy in timed
        ]
        assert "not as the scheme" not in found.reading

    comes_back()
