"""What a bundle says, merged into publishers' files: what it offers, and what each file becomes."""

import contextlib
import hashlib
import json
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace as changed
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

import yaml

from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, for_each, in_plain_words, reason, refused
from reportgen.base.files import read_bytes
from reportgen.base.site_folder import write_file
from reportgen.publish import bundle_files as there
from reportgen.publish import citation_cff, croissant, dataset_card, merge_croissant
from reportgen.publish.bundle_archive import unzip
from reportgen.publish.bundle_files import Merged, Offered, listed
from reportgen.publish.citation_cff import not_yaml
from reportgen.publish.dataset_card import head_of, page

# What a bundle, a zip file or a folder, has for publishers; it is trusted as far as its checksums go.

WANTED = (there.CARD, there.CITATION, there.CROISSANT, there.RESULTS)
NO_BUNDLE = "Name a bundle that `reportgen bundle` wrote, a zip file or a folder."
CHANGED = "Check it with `reportgen verify`, or make it again."
# Where a card's own folder has it, behind which the way to the bundle is put.
WAY = f"]({there.REPORT}index.html)"


def offered(bundle: Path) -> Offered:
    """Return what a bundle has for publishers; raise BadInput with all that is wrong in it."""
    name = str(bundle)
    files = _files(bundle, name)
    if missing := [file for file in (*WANTED, there.CHECKSUMS) if file not in files]:
        raise refused(name, message=f"is not a bundle: it has no {', '.join(missing)}.", remedy=NO_BUNDLE)
    sums = listed(files[there.CHECKSUMS])
    if wrong := [file for file in WANTED if sums.get(file) != hashlib.sha256(files[file]).hexdigest()]:
        message = f"is not as {there.CHECKSUMS} says: it was changed."
        raise BadInput([Problem(name, 0, file, message, CHANGED) for file in wrong])
    try:
        return _offered(files, bundle.name)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, yaml.YAMLError):
        raise refused(name, message="has files that reportgen did not write.", remedy=CHANGED) from None


def _files(bundle: Path, name: str) -> Mapping[str, bytes]:
    """Return the files that are looked at, and the checksums."""
    try:
        if bundle.is_dir():
            paths = ((file, bundle / file) for file in (*WANTED, there.CHECKSUMS))
            return {file: path.read_bytes() for file, path in paths if path.is_file()}
        unpacked = unzip(bundle.read_bytes())
    except OSError as error:
        raise refused(name, message=f"can't be read: {reason(error)}.", remedy=NO_BUNDLE) from None
    if unpacked.faults:
        raise refused(name, 0, *unpacked.faults[0], CHANGED)
    return unpacked.files


def _offered(files: Mapping[str, bytes], name: str) -> Offered:
    results, dataset = json.loads(files[there.RESULTS]), json.loads(files[there.CROISSANT])
    citation, card = files[there.CITATION].decode(), page(files[there.CARD].decode())
    notes = citation_cff.notes_of(citation)
    if notes is None or not isinstance(dataset, dict):
        raise ValueError
    blocks = {}
    for block in dataset_card.PLACES:
        (start,), (end,) = card.markers(f"{block}:begin"), card.markers(f"{block}:end")
        blocks[block] = "".join(card.lines[start + 1 : end]).removesuffix("\n")
    return Offered(
        campaign=_text(results["campaign"]["id"]),
        version=_text(results["guidelines"]),
        name=name,
        blocks=blocks,
        fields={key: value for key, value in dataset.items() if key in croissant.NAMES},
        conforms=tuple(map(_text, dataset["conformsTo"])),
        reference=citation_cff.reference(yaml.safe_load(citation), notes),
    )


def _text(value: Any) -> str:  # noqa: ANN401 - any JSON value
    if not isinstance(value, str):
        raise TypeError
    return value


def linked(text: str, way: str | None, name: str) -> str:
    """Return a block whose link leads to the report from elsewhere; without a way it names the bundle."""
    before, link, after = text.rpartition(WAY)
    if not link:
        return text
    if way is not None:
        return f"{before}]({way}){after}"
    opening, _bracket, words = before.rpartition("[")
    called = " ".join(name.replace("`", " ").split())
    return f"{opening}{words} (`{there.REPORT}index.html` in the bundle `{called}`){after}"


# Publishers' files: what kind each is, and what it becomes.

Kind = Literal["dataset card", "Croissant", "CITATION.cff"]
BOM = b"\xef\xbb\xbf"
# Signs of an address; any other could end a link of Markdown.
ADDRESS = ":/?#[]@!$&'*+,;=%~"
KINDS = "a dataset card (Markdown), a croissant.json or a CITATION.cff was expected."
MERGERS: Mapping[Kind, Callable[..., Merged]] = {
    "dataset card": dataset_card.merged,
    "Croissant": merge_croissant.merged,
    "CITATION.cff": citation_cff.merged,
}


@dataclass(frozen=True)
class MergedFile:
    """A publisher's file, its bytes before and after; `kept` says what was left as it was, and why."""

    path: Path
    kind: Kind
    before: bytes
    content: bytes
    kept: Sequence[str] = ()

    @property
    def changed(self) -> bool:
        """Tell whether there is anything to write."""
        return self.content != self.before


def outcomes(
    offer: Offered, bundle: Path, targets: Sequence[Path], link: str | None, *, replace: bool
) -> list[MergedFile]:
    """Return what each file becomes; raise BadInput with all that is wrong in any, before any is written."""
    own, places = bundle.resolve(), [target.resolve() for target in targets]
    problems = []
    for number, (path, target) in enumerate(zip(targets, places, strict=True)):
        if target in places[:number]:
            problems.append(Problem(str(path), message="is named twice.", remedy="Name it once."))
        if target.is_relative_to(own):
            message = "is a part of the bundle, which stays as it is."
            problems.append(Problem(str(path), message=message, remedy="Name your own file."))
    if problems:
        raise BadInput(problems)
    return for_each(targets, lambda path: _outcome(offer, bundle, path, link, replace=replace))


def _outcome(offer: Offered, bundle: Path, path: Path, link: str | None, *, replace: bool) -> MergedFile:
    name = str(path)
    before = read_bytes(path, name)
    try:
        text = before.removeprefix(BOM).decode()
    except UnicodeDecodeError as error:
        line = before.count(b"\n", 0, error.start) + 1
        raise refused(name, line, "", "is not UTF-8.", "Save the file as UTF-8.") from None
    kind = _kind(text, path, name)
    way = quote(link, safe=ADDRESS) if link is not None else _way(bundle, path)
    blocks = {key: linked(content, way, offer.name) for key, content in offer.blocks.items()}
    done = MERGERS[kind](text, changed(offer, blocks=blocks), name, replace=replace)
    head = BOM if before.startswith(BOM) else b""
    return MergedFile(path, kind, before, head + done.text.encode(), done.kept)


def _way(bundle: Path, card_path: Path) -> str | None:
    """Return the way from a card to the report in a bundle's folder; None where that is not below it."""
    if not bundle.is_dir():
        return None
    with contextlib.suppress(ValueError):
        inside = bundle.resolve().relative_to(card_path.resolve().parent)
        return quote((inside / there.REPORT / "index.html").as_posix())
    return None


# What is read


def _kind(text: str, path: Path, name: str) -> Kind:
    """Return what a file is, by its name and what it holds; raise BadInput where it is unknown or damaged."""
    suffix = path.suffix.lower()
    if suffix == ".cff":
        return "CITATION.cff"
    if suffix in {".md", ".markdown"} or (suffix not in {".json", ".jsonld"} and head_of(page(text).lines)):
        _check_head(text, name)
        return "dataset card"
    if text.lstrip().startswith("{") or suffix in {".json", ".jsonld"}:
        _check_json(text, name)
        return "Croissant"
    if "cff-version:" in text:
        return "CITATION.cff"
    raise refused(name, message=f"is of no kind that is known: {KINDS}", remedy="Check the name.")


def _check_head(text: str, name: str) -> None:
    lines = page(text).lines
    try:
        # Its first line is a rule, so that lines are counted as those of the file.
        yaml.safe_load("".join(lines[: max(0, head_of(lines) - 1)]))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise not_yaml(error, name) from None


def _check_json(text: str, name: str) -> None:
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        message = f"is not JSON: {in_plain_words(error)}."
        raise refused(name, error.lineno, "", message, "Correct the file.") from None
    except (ValueError, RecursionError):
        message = "is JSON that can't be read."
        raise refused(name, message=message, remedy="Correct the file.") from None
    if not isinstance(content, dict) or "@context" not in content:
        message = f'is not Croissant: it has no "@context"; {KINDS}'
        raise refused(name, 1, "", message, "Check the name.")
    if "@graph" in content:
        message = 'has a "@graph", as an RO-Crate does, and is not Croissant.'
        raise refused(name, 1, "", message, "Name the dataset's croissant.json.")


# What is written


def write(done: Iterable[MergedFile]) -> None:
    """Write what changes, each file at once or not at all; raise BadInput where one is not as it was read."""
    to_write = [file for file in done if file.changed]
    moved = [file.path for file in to_write if read_bytes(file.path, str(file.path)) != file.before]
    if moved:
        message = "has changed since it was read."
        raise BadInput([Problem(str(path), message=message, remedy="Try again.") for path in moved])
    for file in to_write:
        write_file(file.path, file.content, stat.S_IMODE(file.path.stat().st_mode), "Check its folder.")
