"""A bundle as one file: entries sorted, stored without compression, with one date and one mode."""

import io
import zipfile
from collections.abc import Mapping

from reportgen.errors import BadInput, Problem
from reportgen.release.unzipping import unzip

# The first moment that a zip file can hold: entries have no time of their own.
MOMENT = (1980, 1, 1, 0, 0, 0)
MODE = 0o100644 << 16
UNIX = 3


def as_zip(files: Mapping[str, bytes]) -> bytes:
    """Return the bytes of a zip file that holds files, given by path: the same on every machine."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, MOMENT)
            entry.create_system, entry.external_attr = UNIX, MODE
            archive.writestr(entry, files[name])
    return buffer.getvalue()


def read_zip(content: bytes) -> dict[str, bytes]:
    """Return the files of a zip file, by path; raises BadInput where anything in it is damaged or unsafe."""
    found = unzip(content)
    if found.faults:
        mend = "Get the archive again."
        raise BadInput(Problem(name or "the archive", message=said, mend=mend) for name, said in found.faults)
    return found.files
