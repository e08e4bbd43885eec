"""SHA256SUMS of a bundle."""

import hashlib
from collections.abc import Mapping

from reportgen.files import checksum_list


def checksums(files: Mapping[str, bytes]) -> str:
    """Return the checksums of files, given by path."""
    return checksum_list({name: hashlib.sha256(content).hexdigest() for name, content in files.items()})
