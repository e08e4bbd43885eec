"""Exports of each format as files, and all that is read of each, or why it is refused.

They lie in `tests/data/cases`: a file for each format, a case for each rule. Where a rule changes, what
pytest shows beside what was expected is what to write there.
"""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from reportgen.base.errors import BadInput
from reportgen.readers import ReaderOptions, read_export, readers
from tests.readers.given_files import written
from tests.readers.outcomes import lines_of, refusal

FOLDER = Path(__file__).parent.parent / "data" / "cases"
CASES: dict[str, dict[str, Any]] = {
    f"{file.stem}: {case['name']}": case
    for file in sorted(FOLDER.glob("*.toml"))
    for case in tomllib.loads(file.read_text(encoding="utf-8"))["case"]
}


@pytest.mark.parametrize("name", CASES)
def test_an_export_is_read_or_refused_as_its_case_says(name: str, tmp_path: Path) -> None:
    """A case without a reader is read by the one that knows its files."""
    case = CASES[name]
    files = written(tmp_path, case["files"])
    given: dict[str, Any] = {
        key: tuple(own) if isinstance(own, list) else own for key, own in case.get("options", {}).items()
    }
    options = ReaderOptions(**given)
    reader = next((each for each in readers() if each.name == case.get("reader")), None)
    try:
        found = (
            reader.read(files, options)
            if reader
            else read_export([(file.path, file.name) for file in files], options)
        )
    except BadInput as error:
        said = [f"refused {refusal(problem)}" for problem in error.problems]
    else:
        said = list(lines_of(found))
        assert found.reading == case.get("reading", found.reading)
    assert "\n".join(said).splitlines() == case["found"].splitlines()
    assert all(line.rpartition("→ ")[2] for line in said if line.startswith("refused "))
