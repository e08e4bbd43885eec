"""A new file in a folder: whole or not at all, and never in the place of another."""

import os
import secrets
from pathlib import Path

from reportgen.errors import BadInput, Problem, reason


def write(folder: Path, name: str, text: str) -> Path:
    """Write a file and return its path; raise BadInput where the system refuses, or it is there already."""
    path = folder / name
    beside = folder / f".{name}.{secrets.token_hex(4)}"
    try:
        try:
            beside.write_text(text, encoding="utf-8", newline="\n")
            if os.path.lexists(path):
                raise FileExistsError(None, "is there already")
            beside.rename(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        mend = "Make room there, or see that you may write to the folder."
        raise BadInput(
            [Problem(str(path), message=f"can't be written: {reason(error)}.", mend=mend)]
        ) from None
    return path
