"""SHA256SUMS of a bundle: one line a file, in the order of names, as `sha256sum --check` reads it."""

import hashlib
from collections.abc import Mapping


def checksums(files: Mapping[str, bytes]) -> str:
    """Return the checksums of files, given by path."""
    lines = (f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files))
    return "".join(lines)
