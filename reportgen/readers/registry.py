"""The readers, one module a format, and those that plugins add."""

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from reportgen.base.errors import BadInput, Problem
from reportgen.base.fingerprint import READERS
from reportgen.readers import (
    brat,
    cas_json,
    cas_xmi,
    confusion_matrix,
    conll,
    conllu,
    counts_folder,
    crowd,
    doccano,
    excel,
    gate_bdoc,
    gate_xml,
    inception,
    inline_xml,
    label_studio,
    labels_json,
    mmax,
    prodigy,
    ratings,
    webanno,
)
from reportgen.readers.reader import Reader


@cache
def readers() -> tuple[Reader, ...]:
    """Return the readers in the order in which they are asked; the first that recognises a file reads it.

    Plugins come first: whoever installs one wants it. Raises BadInput where one can't be loaded, or is
    called like another reader.
    """
    plugins = tuple(map(_load, entry_points(group=READERS)))
    problems = [
        _problem(reader.name, "is called like another reader.")
        for place, reader in enumerate(plugins)
        if reader.name in {each.name for each in (*plugins[:place], *OWN)}
    ]
    if problems:
        raise BadInput(problems)
    return (*plugins, *OWN)


def readers_markdown() -> str:
    """Return what each reader reads and leaves out, as a Markdown table."""
    rows = [
        ("format", "tool", "file", "what is read", "what is left out, and why"),
        ("---",) * 5,
        *(
            (f"`{each.name}`", each.tool, f"{each.title} ({_files(each)})", each.reads, each.leaves_out)
            for each in sorted(readers(), key=lambda each: each.name)
        ),
    ]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in rows)


def _files(reader: Reader) -> str:
    return ", ".join(f"`{extension}`" for extension in reader.extensions)


def _load(entry: EntryPoint) -> Reader:
    try:
        found = entry.load()
    except Exception as error:  # noqa: BLE001 - a plugin can fail in any way, and its user should know which
        raise BadInput([_problem(entry.name, f"can't be loaded: {type(error).__name__}: {error}.")]) from None
    if not isinstance(found, Reader):
        raise BadInput([_problem(entry.name, f"is {entry.value}, which is not a Reader.")])
    return found


def _problem(name: str, message: str) -> Problem:
    return Problem(f"plugin {name}", message=message, mend="Mend the package that brings it, or remove it.")


# Those that know their files by a mark of their own come before those that take any file of a kind.
OWN: tuple[Reader, ...] = (
    # These are known by their first bytes, and may be too large to be looked at further.
    ratings.PARQUET_READER,
    ratings.DATABASE_READER,
    counts_folder.READER,
    confusion_matrix.READER,
    inception.READER,
    webanno.READER,
    cas_xmi.READER,
    cas_json.READER,
    gate_xml.READER,
    gate_bdoc.READER,
    mmax.READER,
    label_studio.READER,
    prodigy.READER,
    doccano.READER,
    brat.READER,
    conllu.READER,
    conll.READER,
    crowd.READER,
    labels_json.READER,
    excel.READER,
    inline_xml.READER,
    ratings.READER,
)
