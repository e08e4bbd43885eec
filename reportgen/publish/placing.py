"""Where a bundle goes: a zip file or a folder, whole or not at all, in the place of nothing but a bundle."""

import hashlib
import os
import zipfile
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from reportgen.base.atomic_replace import LITTER, MARK, MEMORY, refusals, replacing, write_file
from reportgen.base.errors import Problem, reason
from reportgen.publish.files import CHECKSUMS, PAGE, RESULTS, as_zip
from reportgen.readers.archive import DAMAGED

ZIP = ".zip"
OTHER = "Choose another name with --out."
# What is read of a zip file to tell whether it is one of ours: a list of checksums, and each entry in parts.
LONGEST_LIST = 50_000_000
PART = 1 << 20


def is_zip(out: Path) -> bool:
    """Tell whether a bundle goes into one file."""
    return out.suffix.lower() == ZIP


def obstacles(out: Path, campaign: Path) -> list[Problem]:
    """Return why a bundle of a campaign can't go to `out`: nothing where that is new, or a bundle of ours."""
    try:
        target = out.resolve()
        found = next(_in_the_way(out, target, campaign.resolve()), None)
    except (OSError, RuntimeError, ValueError) as error:
        return [Problem(str(out), message=f"can't be used: {reason(error)}.", mend=OTHER)]
    if found:
        return [Problem(str(out), message=found[0], mend=found[1])]
    return [] if is_zip(out) else refusals(out, stranger)


def place(out: Path, files: Mapping[str, bytes]) -> str | None:
    """Write a bundle; return the SHA-256 of its file, None of a folder. Raises BadInput where it can't be."""
    if is_zip(out):
        content = as_zip(files)
        write_file(out, content)
        return hashlib.sha256(content).hexdigest()
    with replacing(out, stranger) as folder:
        folder.chmod(0o755)
        for name, content in files.items():
            _write(folder, name, content)
    return None


def _write(folder: Path, name: str, content: bytes) -> None:
    """Write one file; modes are the same whatever the umask."""
    path = folder / name
    missing = [above for above in path.parents if not above.exists()]
    for above in reversed(missing):
        above.mkdir()
        above.chmod(0o755)
    path.write_bytes(content)
    path.chmod(0o644)


def _in_the_way(out: Path, target: Path, campaign: Path) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a place, with the remedy; the first is what counts."""
    if not out.name:
        yield "names no file.", "Name FILE.zip or a new folder with --out."
    if target.is_relative_to(campaign):
        yield f"lies in the campaign's folder {campaign.name}.", "Choose a place beside it with --out."
    elif campaign.is_relative_to(target):
        yield f"holds the campaign's folder {campaign.name}.", "Choose a place beside it with --out."
    if any((above / MEMORY).exists() for above in target.parents):
        yield "lies in a site, which the next build replaces.", "Choose a place outside of it with --out."
    if (target / MEMORY).exists():
        yield "is a site.", "Choose a place outside of it with --out."
    if any((above / CHECKSUMS).exists() and (above / RESULTS).exists() for above in target.parents):
        yield "lies in a bundle.", "Choose a place outside of it with --out."
    if is_zip(out):
        yield from _in_the_way_of_a_file(target)
    elif target.is_file():
        yield "is a file.", "Name a file that ends in .zip, or a folder."


def _in_the_way_of_a_file(target: Path) -> Iterator[tuple[str, str]]:
    if target.is_dir():
        yield "is a folder, and its name that of a file.", "Choose FILE.zip, or a folder without .zip."
    elif target.exists() and not target.is_file():
        yield "is no file that can be replaced.", OTHER
    elif target.exists() and not _is_bundle(target):
        yield "is no bundle as reportgen wrote it.", f"Remove it first, or c{OTHER[1:]}"
    above = next(path for path in target.parents if path.exists())
    if not above.is_dir():
        yield f"can't be written: {above} is not a folder.", OTHER
    elif not os.access(above, os.W_OK | os.X_OK):
        yield f"can't be written: permission denied in {above}.", OTHER


# What is a bundle of ours


def stranger(folder: Path) -> str | None:
    """Return the name of a file in a folder that no bundle of ours has, or has with other bytes."""
    listed = _listed(_read(folder / CHECKSUMS))
    ours = {} if not _is_page(_read(folder / PAGE)) else listed
    for place, folders, names in os.walk(folder, onerror=_stop):
        for name in sorted((*folders, *names)):
            path = Path(place) / name
            inside = path.relative_to(folder).as_posix()
            if path.is_symlink() or (
                name in names and name not in LITTER and not _is_ours(path, inside, ours)
            ):
                return inside
    return None


def _stop(error: OSError) -> None:
    raise error


def _is_ours(path: Path, name: str, listed: Mapping[str, str]) -> bool:
    if name == CHECKSUMS:
        return bool(listed)
    return name in listed and hashlib.sha256(path.read_bytes()).hexdigest() == listed[name]


def _read(path: Path) -> bytes:
    """Return the bytes of a file, none where it is not there."""
    return path.read_bytes() if path.is_file() else b""


def _listed(sums: bytes) -> dict[str, str]:
    """Return the digests that a list of checksums has, by name."""
    lines = sums.decode("utf-8", "replace").splitlines()
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def _is_page(content: bytes) -> bool:
    return MARK.encode() in content[:PART]


def _is_bundle(file: Path) -> bool:
    """Tell whether a zip file holds a bundle of ours, as it was written: nothing is unpacked to find out."""
    with file.open("rb") as opened:
        try:
            with zipfile.ZipFile(opened) as archive:
                return _holds_bundle(archive)
        except (*DAMAGED, RuntimeError):  # the last of a member that wants a password
            return False


def _holds_bundle(archive: zipfile.ZipFile) -> bool:
    entries = {entry.filename: entry for entry in archive.infolist()}
    if not _are_stored(entries.values()) or not {CHECKSUMS, PAGE} <= entries.keys():
        return False
    if entries[CHECKSUMS].file_size > LONGEST_LIST:
        return False
    listed = _listed(archive.read(CHECKSUMS))
    if entries.keys() != {*listed, CHECKSUMS}:
        return False
    with archive.open(PAGE) as page:
        ours = _is_page(page.read(PART))
    return ours and all(_digest(archive, name) == digest for name, digest in listed.items())


def _are_stored(entries: Collection[zipfile.ZipInfo]) -> bool:
    return all(
        each.compress_type == zipfile.ZIP_STORED and each.compress_size == each.file_size for each in entries
    )


def _digest(archive: zipfile.ZipFile, name: str) -> str:
    with archive.open(name) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]  # it only reads
