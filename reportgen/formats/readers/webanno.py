"""WebAnno TSV 3: the tab-separated export of WebAnno and INCEpTION."""

from collections.abc import Sequence

from reportgen.errors import for_each
from reportgen.formats.copies import Export
from reportgen.formats.parsing.curation import copies_of, name_bodies
from reportgen.formats.parsing.tsv3 import FORMAT
from reportgen.formats.parsing.tsv3_marks import read_body
from reportgen.formats.reader import ExportFile, Reader, ReadOptions

EXTENSIONS = (".tsv",)
READING = "WebAnno TSV: rows that share a number are one mark; text between sentences is white space."


def recognises(file: ExportFile) -> bool:
    """Say whether the file starts with the line that names the format."""
    start = file.content[:64].removeprefix(b"\xef\xbb\xbf")
    return start.startswith(FORMAT.encode()) or (file.is_text() and file.text.startswith(FORMAT))


def read(files: Sequence[ExportFile], options: ReadOptions) -> Export:
    """Return a copy for each file.

    Raises BadInput with every fault of all files: rows that do not fit the header, offsets that do not fit
    the text, marks whose rows contradict each other.
    """
    bodies = for_each(files, read_body)
    names = name_bodies(files, bodies, options, EXTENSIONS)
    copies, left_out = copies_of(bodies, names)
    return Export(copies, READING, tuple(file.source for file in files), left_out, by_feature=True)


READER = Reader(
    name="webanno-tsv",
    title="WebAnno TSV 3",
    tool="WebAnno, INCEpTION",
    extensions=EXTENSIONS,
    reads=(
        "Marks of every span layer with their features, stacked, over several tokens or parts of one; chains "
        "as marks and links; slots and relation layers as relations."
    ),
    leaves_out=(
        "Tokens and sentences, which are no marks; the template INITIAL_CAS, which nobody annotated; values "
        "of several strings, which the tool does not write into this format."
    ),
    recognises=recognises,
    read=read,
)
