"""A bundle as one file: entries sorted, stored without compression, with one date and one mode."""

import io
import zipfile
from collections.abc import Mapping

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
    """Return the files of a zip file, by path."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {entry.filename: archive.read(entry) for entry in archive.infolist()}
