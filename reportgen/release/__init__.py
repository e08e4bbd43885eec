"""What is attached to a release, and how a stranger checks it: files made from results and counts alone."""

from reportgen.release.archive import as_zip, read_zip
from reportgen.release.checksums import checksums
from reportgen.release.metadata import WRITERS, with_metadata
from reportgen.release.released import Released
from reportgen.release.unzipping import unlike, unzip

__all__ = ["WRITERS", "Released", "as_zip", "checksums", "read_zip", "unlike", "unzip", "with_metadata"]
