"""Which files are of which format, and which format counts where there are several."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reportgen.errors import for_each
from reportgen.formats import find_reader, readers
from reportgen.formats.reader import ExportFile, Reader, ReadOptions


@dataclass(frozen=True)
class Recognised:
    """Files that belong together: the reader of most of them, and what is with them.

    `read` are the files that it reads, `others` those of other formats by the readers' names, `unread`
    those that no reader knows.
    """

    reader: Reader
    read: tuple[ExportFile, ...]
    others: Mapping[str, tuple[ExportFile, ...]]
    unread: tuple[ExportFile, ...]


def recognise(files: Sequence[ExportFile]) -> Recognised | None:
    """Return the format of most of the files, None where no reader knows any.

    Raises BadInput for files that the system refuses.
    """
    found = _by_reader(files)
    leading = {reader: known for reader, known in found.items() if not _accompany(reader, known, found)}
    if not leading:
        return None
    reader = max(leading, key=lambda each: len(leading[each]))
    mixed = len(leading) > 1
    read = tuple(find_reader(files, ReadOptions(format=reader.name if mixed else None))[1])
    taken = set(read)
    others = {
        other.name: tuple(file for file in files if file in known and file not in taken)
        for other, known in found.items()
        if other is not reader
    }
    others = {name: known for name, known in others.items() if known}
    known = {*taken, *(file for group in others.values() for file in group)}
    return Recognised(reader, read, others, tuple(file for file in files if file not in known))


def _by_reader(files: Sequence[ExportFile]) -> dict[Reader, set[ExportFile]]:
    """Return the files that each reader recognises, in the order of the readers."""
    order = readers()
    known_by = for_each(files, lambda file: next((each for each in order if each.recognises(file)), None))
    found: dict[Reader, set[ExportFile]] = {
        reader: {file for file, known in zip(files, known_by, strict=True) if known is reader}
        for reader in order
    }
    return {reader: known for reader, known in found.items() if known}


def _accompany(reader: Reader, files: set[ExportFile], found: Mapping[Reader, set[ExportFile]]) -> bool:
    """Say whether all files of a reader merely belong to those of another, as words do to marks."""
    return any(all(other.accompanies(file) for file in files) for other in found if other is not reader)
