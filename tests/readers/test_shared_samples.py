"""Every file that other tools wrote for their own tests is read, or refused for a reason in words."""

from collections import Counter
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput
from reportgen.readers import read_export

# How many of a folder's files can be read on their own or with what belongs to them. Fewer is a step back.
AT_LEAST = {
    "brat": 8,
    "csv": 1,
    "doccano": 9,
    "gate_bdoc": 3,
    "gate_xml": 1,
    "label_studio": 5,
    "mmax2": 2,
    "uima_cas_json": 1,
    "uima_cas_xmi": 2,
    "webanno_tsv": 13,
}
WITH_OTHERS = (".ann", ".txt", ".mmax", ".xml", ".xmi")
# Words of those who write programs, not of those who annotate.
JARGON = ("Error", "Traceback", "object at 0x", "NoneType", "KeyError", "codec")


def together(path: Path) -> list[Path]:
    """Return a file with what it needs beside it: text and marks, words and levels, a type system."""
    if path.suffix not in WITH_OTHERS:
        return [path]
    beside = [other for other in path.parent.iterdir() if other.suffix in WITH_OTHERS]
    alike = [
        other for other in beside if other.stem.startswith(path.stem) or path.stem.startswith(other.stem)
    ]
    return sorted(
        {path, *alike, *(other for other in beside if "words" in other.name or other.suffix == ".mmax")}
    )


@pytest.mark.parametrize("format_name", [*AT_LEAST, "inception_project_export"])
def test_every_file_is_read_or_refused_in_words(format_name: str, shared: Path) -> None:
    outcomes: Counter[str] = Counter()
    for path in sorted(each for each in (shared / "formats" / format_name).rglob("*") if each.is_file()):
        try:
            found = read_export([(each, each.name) for each in together(path)])
            outcomes["read"] += 1
            assert found.marks_read > 0
        except BadInput as error:
            outcomes["refused"] += 1
            for problem in error.problems:
                assert problem.message, path
                assert not any(word in str(problem) for word in JARGON), problem
    assert outcomes.total() > 0
    assert outcomes["read"] >= AT_LEAST.get(format_name, 0)


def test_a_project_without_a_readable_copy_says_how_to_export_it_again(shared: Path) -> None:
    (path,) = (shared / "formats" / "inception_project_export").glob("*.zip")
    with pytest.raises(BadInput, match=r"WebAnno TSV 3\.3 or UIMA CAS JSON"):
        read_export([(path, path.name)])
