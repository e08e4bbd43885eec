"""What a bundle, a zip file or a folder, has for publishers; it is trusted as far as its checksums go."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from reportgen.errors import BadInput, Problem, reason
from reportgen.release import card, cff, rai
from reportgen.release.merging.markdown_text import page
from reportgen.release.merging.outcome import Offered
from reportgen.release.names import CARD, CHECKSUMS, CITATION, CROISSANT, REPORT, RESULTS
from reportgen.release.unzipping import unzip

WANTED = (CARD, CITATION, CROISSANT, RESULTS)
NO_BUNDLE = "Name a bundle that `reportgen bundle` wrote, a zip file or a folder."
CHANGED = "Check it with `reportgen verify`, or make it anew."
# Where a card's own folder has it, behind which the way to the bundle is put.
WAY = f"]({REPORT}index.html)"


def offered(bundle: Path) -> Offered:
    """Return what a bundle has for publishers; raise BadInput with all that is wrong in it."""
    name = str(bundle)
    files = _files(bundle, name)
    problems = [*_problems(files, name)]
    if problems:
        raise BadInput(problems)
    try:
        return _read(files, bundle.name)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, yaml.YAMLError):
        raise BadInput(
            [Problem(name, message="holds files that reportgen did not write.", mend=CHANGED)]
        ) from None


def _files(bundle: Path, name: str) -> dict[str, bytes]:
    """Return the files that are looked at, and the checksums."""
    try:
        if bundle.is_dir():
            found = ((each, bundle / each) for each in (*WANTED, CHECKSUMS))
            return {each: path.read_bytes() for each, path in found if path.is_file()}
        unpacked = unzip(bundle.read_bytes())
    except OSError as error:
        problem = Problem(name, message=f"can't be read: {reason(error)}.", mend=NO_BUNDLE)
        raise BadInput([problem]) from None
    if unpacked.faults:
        first, message = unpacked.faults[0]
        raise BadInput([Problem(name, 0, first, message, CHANGED)])
    return unpacked.files


def _problems(files: Mapping[str, bytes], name: str) -> list[Problem]:
    missing = [each for each in (*WANTED, CHECKSUMS) if each not in files]
    if missing:
        return [Problem(name, message=f"is no bundle: it has no {', '.join(missing)}.", mend=NO_BUNDLE)]
    sums = _sums(files[CHECKSUMS])
    wrong = [each for each in WANTED if sums.get(each) != hashlib.sha256(files[each]).hexdigest()]
    message = f"is not as {CHECKSUMS} says: it was changed."
    return [Problem(name, 0, each, message, CHANGED) for each in wrong]


def _sums(content: bytes) -> dict[str, str]:
    lines = content.decode(errors="replace").splitlines()
    return {name: digest for digest, _blank, name in (line.partition("  ") for line in lines)}


def _read(files: Mapping[str, bytes], name: str) -> Offered:
    results = json.loads(files[RESULTS])
    dataset = json.loads(files[CROISSANT])
    citation = files[CITATION].decode()
    notes = cff.notes_of(citation)
    if notes is None or not isinstance(dataset, dict):
        raise ValueError
    return Offered(
        campaign=_text(results["campaign"]["id"]),
        version=_text(results["guidelines"]),
        name=name,
        blocks=_blocks(files[CARD].decode()),
        fields={key: value for key, value in dataset.items() if key in rai.NAMES},
        conforms=tuple(map(_text, dataset["conformsTo"])),
        reference=cff.reference(yaml.safe_load(citation), notes),
    )


def _text(value: Any) -> str:  # noqa: ANN401 - any JSON value
    if not isinstance(value, str):
        raise TypeError
    return value


def _blocks(text: str) -> dict[str, str]:
    """Return the blocks of a card of ours, without their markers."""
    known = page(text)
    found = {}
    for name in card.PLACES:
        (start,), (end,) = known.markers(f"{name}:begin"), known.markers(f"{name}:end")
        found[name] = "".join(known.lines[start + 1 : end]).removesuffix("\n")
    return found


def linked(text: str, way: str | None, name: str) -> str:
    """Return a block whose link leads to the report from elsewhere; without a way it names the bundle."""
    before, link, after = text.rpartition(WAY)
    if not link:
        return text
    if way is not None:
        return f"{before}]({way}){after}"
    opening, _bracket, words = before.rpartition("[")
    called = " ".join(name.replace("`", " ").split())
    return f"{opening}{words} (`{REPORT}index.html` in the bundle `{called}`){after}"
