"""MMAX2 projects: words make the text, markables span ranges of them, folders are annotators."""

from pathlib import Path

from reportgen.readers.mmax import READER
from tests.readers.given_files import written

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
