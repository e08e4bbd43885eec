"""What a reader of documents hands over: each annotator's copy of each document, with the marks in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from reportgen.files import Source
from reportgen.formats.annotations import LeftOut

# What an annotator did with a document. Who saw it and marked nothing says something: nothing is there.
State = Literal["seen", "skipped", "unseen"]
Span = tuple[int, int]

NO_FEATURES: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Mark:
    """One mark: of a stretch of text or, without spans, of the document as a whole.

    - `type`: the annotation type, level, layer or control that it belongs to.
    - `spans`: where it stands in the text, in code points, ends exclusive; several where it is
      discontinuous, in the order of the text.
    - `features`: attributes with their values. One that the mark lacks is not there; an empty one is "".
    - `line`: the line of the file, or the number of the record, from 1; 0 where there is none.
    - `id`: what relations call it, empty where nothing does.
    - `file`: the file of that line where it is not that of the copy, as where each level has its own.
    """

    type: str
    spans: tuple[Span, ...] = ()
    features: Mapping[str, str] = field(default_factory=lambda: NO_FEATURES)
    line: int = 0
    id: str = ""
    file: str = ""


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation or event: its type, and the ids of its arguments with their roles.

    `id` is what other relations call it, empty where nothing does.
    """

    type: str
    arguments: tuple[tuple[str, str], ...]
    features: Mapping[str, str] = field(default_factory=lambda: NO_FEATURES)
    line: int = 0
    id: str = ""


@dataclass(frozen=True, slots=True)
class Copy:
    """One annotator's copy of one document.

    - `file`: the name of the file that holds the marks, for errors and the list of what is left out.
    - `text`: the document's text; None where the export has none, and then no mark has spans.
    - `state`: "seen", also where no mark was made; "skipped" where the annotator declined; "unseen"
      where the document was assigned or is known, and was never opened.
    - `asked`: the types of marks that this copy was about, None for all. Somebody may hold a copy of a
      document for each of several questions, which says nothing of what was not asked.
    - `role`: "annotator", or what the tool itself says instead: "reference", "system", "model".
    """

    document: str
    annotator: str
    file: str
    text: str | None = None
    marks: Sequence[Mark] = ()
    relations: Sequence[Relation] = ()
    state: State = "seen"
    role: str = "annotator"
    asked: frozenset[str] | None = None


@dataclass(frozen=True)
class Export:
    """All copies in an export, in the order of its files.

    - `reading`: one sentence on how the files were understood. It names no annotator and no file.
    - `sources`: every file that was read.
    - `left_out`: what the format holds and the reader can't use: notes, regions of pictures.
    - `by_feature`: the category of a mark is the value of a feature of its layer (WebAnno, UIMA,
      Label Studio, doccano, Prodigy, CoNLL); otherwise it is the mark's type (brat, GATE, MMAX2, XML).
    - `default`: the layer or "layer->feature" that counts where the campaign chooses none, None where
      the only one there is counts.
    """

    copies: Sequence[Copy]
    reading: str
    sources: tuple[Source, ...]
    left_out: tuple[LeftOut, ...] = ()
    by_feature: bool = False
    default: str | None = None
