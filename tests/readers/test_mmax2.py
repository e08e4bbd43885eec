"""MMAX2 projects: words make the text, markables span ranges of them, folders are annotators."""

import tempfile
from pathlib import Path

from hypothesis import assume, given

from reportgen.readers import DocumentCopy
from reportgen.readers.mmax import READER
from tests.properties import examples
from tests.readers import write_mmax2
from tests.readers.generated import copies, told
from tests.readers.given_files import read_with, written

KNOWN = {
    "c/basedata/d.words.xml": '<!DOCTYPE words SYSTEM "words.dtd">\n<words/>',
    "c/anna/d.mmax": "<mmax_project/>",
    "c/anna/markables/d_coref_level.xml": '<markables xmlns="www.eml.org/NameSpaces/coref"/>',
    # An empty level, by its name.
    "x_level.xml": "",
}
BESIDE = {
    "c/anna/common_paths.xml": "<common_paths/>",
    "c/anna/markables/markables.dtd": "<!ELEMENT markables (markable*)>",
    "c/scheme/coref_scheme.xml": "<annotationscheme/>",
}


def test_files_are_known_by_their_root_and_schemes_and_paths_only_accompany(tmp_path: Path) -> None:
    files = written(tmp_path, {**KNOWN, **BESIDE, "text.xml": "<text/>"})
    assert [file.name for file in files if READER.recognises(file)] == [*KNOWN]
    assert [file.name for file in files if READER.accompanies(file)] == [*BESIDE]


@examples(50)
@given(copies(most=3, words=True))
def test_what_is_written_is_read(generated: list[DocumentCopy]) -> None:
    """Overlapping, adjacent and discontinuous marks over words, levels without any, projects not opened."""
    # Of a single annotator's projects no path says which part of it is the name.
    assume(len({copy.annotator for copy in generated}) > 1)
    with tempfile.TemporaryDirectory() as folder:
        export = read_with(READER, write_mmax2.write(generated, Path(folder)))
    assert told(export.copies, ordered=False) == told(generated, ordered=False)
