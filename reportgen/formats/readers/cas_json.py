"""UIMA CAS JSON: the lossless export of INCEpTION in one file."""

from collections.abc import Sequence

from reportgen.errors import for_each
from reportgen.formats.copies import Export
from reportgen.formats.parsing.cas_from_json import STRUCTURES, read_json_body
from reportgen.formats.parsing.curation import copies_of, name_bodies
from reportgen.formats.reader import ExportFile, Reader, ReadOptions
from reportgen.formats.records import first_record, is_json

EXTENSIONS = (".json",)
READING = "UIMA CAS JSON: marks of the first view; lines are numbers of feature structures."


def recognises(file: ExportFile) -> bool:
    """Say whether the file is a JSON object with feature structures."""
    if not is_json(file) or STRUCTURES not in file.text:
        return False
    value = first_record(file)
    return isinstance(value, dict) and STRUCTURES in value


def read(files: Sequence[ExportFile], options: ReadOptions) -> Export:
    """Return a copy for each file; raise BadInput with every fault of all files."""
    bodies = for_each(files, read_json_body)
    copies, left_out = copies_of(bodies, name_bodies(files, bodies, options, EXTENSIONS))
    return Export(copies, READING, tuple(file.source for file in files), left_out, by_feature=True)


READER = Reader(
    name="cas-json",
    title="UIMA CAS JSON 0.4",
    tool="INCEpTION, UIMA",
    extensions=EXTENSIONS,
    reads=(
        "Annotations of the first view with their features, values of several strings joined by |; types "
        "without a place in the text as marks of the document; references, slots and relations."
    ),
    leaves_out=(
        "Tokens, sentences, tag sets and metadata, which are no marks; annotations of other views, which "
        "belong to another text; heads of chains, which hold nothing of their own."
    ),
    recognises=recognises,
    read=read,
)
