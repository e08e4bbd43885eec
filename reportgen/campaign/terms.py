"""Lists of terms: what could have been marked in the texts of a campaign."""

from pathlib import Path

from reportgen.errors import BadInput, Problem
from reportgen.files import read_text

COMMENT = "#"


def read_terms(path: Path, name: str) -> tuple[str, ...]:
    """Return the terms of a list, each once, in its order: one a line, without white space around it.

    Blank lines and lines that begin with # are passed over. `name` is what errors call the file. Raises
    BadInput where it can't be read, is no UTF-8, or lists no term.
    """
    lines = (line.strip() for line in read_text(path, name).splitlines())
    terms = tuple(dict.fromkeys(line for line in lines if line and not line.startswith(COMMENT)))
    if not terms:
        mend = "Write one term a line, as the texts have it."
        raise BadInput([Problem(name, message="lists no term.", mend=mend)])
    return terms
