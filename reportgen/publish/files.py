"""What the files of a bundle are called, and how they are written: checksums, zip, YAML, Parquet."""

import hashlib
import importlib.util
import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reportgen.base import atomic_replace
from reportgen.base.errors import BadInput, Problem
from reportgen.base.files import checksum_list, rows
from reportgen.publish.unzipping import unzip
from reportgen.results import Results

if TYPE_CHECKING:
    import pyarrow as pa


# What is known of a release while its files are written.


@dataclass(frozen=True)
class Released:
    """A version's results, and the bundle as far as it stands.

    - `languages` are those of its pages, the first of them in `report/` itself.
    - `date` stands wherever a format demands one, as YYYY-MM-DD: that of SOURCE_DATE_EPOCH, else of the
      guidelines; None where neither is known.
    - `files` has the bytes of what was written before, by its path in the bundle.
    """

    results: Results
    languages: tuple[str, ...]
    date: str | None
    files: Mapping[str, bytes]


# Where things stand in a bundle, from its top.

# A version's folder as the site has it, with checksums of its own, standing alone: no link leads out of it.
REPORT = "report/"
PAGE = f"{REPORT}index.html"
RESULTS = f"{REPORT}results.json"
TEXTS = f"{REPORT}texts.json"
COUNTS = f"{REPORT}counts/"
# The campaign in its published form: the top of a bundle is a campaign's folder whose exports are its counts.
CAMPAIGN = "campaign.toml"
GUIDELINES = "guidelines/"
DISTANCES = "distances/"
# Only on request: the campaign as it was declared, with what the figures were computed from.
EXPORTS = "exports/"
# Who and what is called what in the report: kind, name, pseudonym.
PSEUDONYMS = f"{EXPORTS}pseudonyms.csv"
README = "README.md"
PARAGRAPH = "agreement.txt"
METHODS = "methods.md"
CARD = "dataset-card.md"
CITATION = "CITATION.cff"
CROISSANT = "croissant.json"
PACKAGE = "datapackage.json"
CRATE = "ro-crate-metadata.json"
# Of every other file of the bundle, in the order of their names.
CHECKSUMS = atomic_replace.CHECKSUMS


# What tells a statement of a report from a publisher's own: the report that it comes from, at its end.

# Identifiers of campaigns and versions hold none of these signs.
SIGNED = re.compile(r" \[agreement report ([A-Za-z0-9][A-Za-z0-9._-]*) ([A-Za-z0-9][A-Za-z0-9._-]*)\]$")


def signed(text: str, results: Results) -> str:
    """Return a statement with the campaign and the version whose report makes it."""
    return f"{text} [agreement report {results.campaign.id} {results.guidelines}]"


def campaign_of(text: object) -> str | None:
    """Return the campaign whose report made a statement, None where somebody else did."""
    found = SIGNED.search(text) if isinstance(text, str) else None
    return found[1] if found else None


# SHA256SUMS of a bundle.


def checksums(files: Mapping[str, bytes]) -> str:
    """Return the checksums of files, given by path."""
    return checksum_list({name: hashlib.sha256(content).hexdigest() for name, content in files.items()})


# A bundle as one file: entries sorted, stored without compression, with one date and one mode.

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


# YAML as we write it: every text in double quotes, so that nothing in it is taken for anything else.


def quoted(text: str) -> str:
    """Return a text in double quotes; what no YAML file may hold as it is, is written as its number."""
    return "".join(
        each if each.isprintable() else _escaped(each) for each in json.dumps(text, ensure_ascii=False)
    )


def _escaped(char: str) -> str:
    return f"\\u{ord(char):04x}" if ord(char) <= 0xFFFF else f"\\U{ord(char):08x}"  # noqa: PLR2004 - four digits


def block(content: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    """Yield the lines of a mapping of texts, numbers, mappings and lists of them."""
    for key, value in content.items():
        if isinstance(value, Mapping):
            yield f"{indent}{key}:"
            yield from block(value, f"{indent}  ")
        elif isinstance(value, Sequence) and not isinstance(value, str):
            yield f"{indent}{key}:"
            yield from items(value, f"{indent}  ")
        else:
            yield f"{indent}{key}: {scalar(value)}"


def items(content: Sequence[Any], indent: str = "", dash: str = "- ") -> Iterator[str]:
    """Yield the lines of a list, each item behind its dash."""
    for each in content:
        if not isinstance(each, Mapping):
            yield f"{indent}{dash}{scalar(each)}"
            continue
        first, *others = block(each, indent + " " * len(dash))
        yield f"{indent}{dash}{first[len(indent) + len(dash) :]}"
        yield from others


def scalar(value: object) -> str:
    """Return a text in quotes, or a number."""
    return quoted(value) if isinstance(value, str) else json.dumps(value)


# Counts as Parquet, beside each CSV: the same rows, whole numbers as numbers and all else as text.
#
# The bytes hang on the version of pyarrow that wrote them, and are no part of what is promised to be the
# same.

CSV, PARQUET = ".csv", ".parquet"
# The columns that hold how many; every other one is a name or a label, also where it looks like a number.
NUMBERS = frozenset(("n",))


def missing() -> Iterator[Problem]:
    """Yield a problem where the package that writes Parquet is not installed."""
    if importlib.util.find_spec("pyarrow") is None:
        message = "needs the package pyarrow, which is not installed."
        yield Problem("--parquet", message=message, mend='Install reportgen with the extra "parquet".')


def as_parquet(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return each table of counts once more, by its path in the bundle."""
    tables = [name for name in files if name.startswith(COUNTS) and name.endswith(CSV)]
    return {f"{name.removesuffix(CSV)}{PARQUET}": _parquet(files[name].decode()) for name in tables}


def _parquet(text: str) -> bytes:
    import pyarrow.parquet as pq

    buffer = io.BytesIO()
    # Nothing is compressed, so that whoever searches the bundle for names finds all that it holds.
    pq.write_table(_table(text), buffer, compression="none")
    return buffer.getvalue()


def _table(text: str) -> "pa.Table":
    import pyarrow as pa

    head, *cells = rows(text, ",")
    columns = list(zip(*cells, strict=True)) or [()] * len(head)
    kinds = [pa.int64() if name in NUMBERS else pa.string() for name in head]
    arrays = [
        pa.array([int(cell) if kind == pa.int64() else cell for cell in column], kind)
        for kind, column in zip(kinds, columns, strict=True)
    ]
    return pa.table(arrays, names=head)
