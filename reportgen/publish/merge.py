"""Publishers' files: what kind each is, what it becomes, and how it is written."""

import contextlib
import json
import os
import stat
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace as changed
from pathlib import Path
from urllib.parse import quote

import yaml

from reportgen.base.errors import BadInput, Problem, for_each, reason
from reportgen.base.files import read_bytes
from reportgen.publish import merge_croissant, merge_texts
from reportgen.publish.files import REPORT
from reportgen.publish.merge_offers import Kind, Merged, MergedFile, Offered, Target, head_of, linked, page
from reportgen.publish.merge_texts import not_yaml

BOM = b"\xef\xbb\xbf"
# Signs of an address; any other could end a link of Markdown.
ADDRESS = ":/?#[]@!$&'*+,;=%~"
KINDS = "a dataset card (Markdown), a croissant.json or a CITATION.cff was expected."
MERGERS: Mapping[Kind, Callable[..., Merged]] = {
    "dataset card": merge_texts.merged_card,
    "Croissant": merge_croissant.merged,
    "CITATION.cff": merge_texts.merged_citation,
}


def outcomes(
    found: Offered, bundle: Path, targets: Sequence[Path], link: str | None, *, replace: bool
) -> list[MergedFile]:
    """Return what each file becomes; raise BadInput with all that is wrong in any, before any is written."""
    _refuse(bundle, targets)
    return for_each(targets, lambda path: _outcome(found, bundle, path, link, replace=replace))


def _refuse(bundle: Path, targets: Sequence[Path]) -> None:
    """Raise BadInput where a file is named twice, or is a part of the bundle, which has checksums."""
    own = bundle.resolve()
    places = [each.resolve() for each in targets]
    problems = [
        Problem(str(path), message="is named twice.", mend="Name it once.")
        for place, path in enumerate(targets)
        if places[place] in places[:place]
    ] + [
        Problem(
            str(path), message="is a part of the bundle, which stays as it is.", mend="Name your own file."
        )
        for place, path in zip(places, targets, strict=True)
        if place.is_relative_to(own)
    ]
    if problems:
        raise BadInput(problems)


def _outcome(found: Offered, bundle: Path, path: Path, link: str | None, *, replace: bool) -> MergedFile:
    target = _read(path)
    way = quote(link, safe=ADDRESS) if link is not None else _way(bundle, path)
    blocks = {key: linked(text, way, found.name) for key, text in found.blocks.items()}
    done = MERGERS[target.kind](target.text, changed(found, blocks=blocks), str(path), replace=replace)
    return MergedFile(target, target.head + done.text.encode(), tuple(done.kept))


def _way(bundle: Path, card_path: Path) -> str | None:
    """Return the way from a card to the report in a bundle's folder; None where that is not below it."""
    if not bundle.is_dir():
        return None
    with contextlib.suppress(ValueError):
        inside = bundle.resolve().relative_to(card_path.resolve().parent)
        return quote((inside / REPORT / "index.html").as_posix())
    return None


# What is read


def _read(path: Path) -> Target:
    name = str(path)
    content = read_bytes(path, name)
    head = BOM if content.startswith(BOM) else b""
    try:
        text = content.removeprefix(BOM).decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BadInput([Problem(name, line, "", "is not UTF-8.", "Save the file as UTF-8.")]) from None
    return Target(path, _kind(text, path, name), content, text, head)


def _kind(text: str, path: Path, name: str) -> Kind:
    """Return what a file is, by its name and what it holds; raise BadInput where it is none, or malformed."""
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
    raise BadInput([Problem(name, message=f"is of no kind that is known: {KINDS}", mend="Check the name.")])


def _check_head(text: str, name: str) -> None:
    lines = page(text).lines
    # Its first line is a rule, so that lines are counted as those of the file.
    head = "".join(lines[: max(0, head_of(lines) - 1)])
    try:
        yaml.safe_load(head)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        found = error if isinstance(error, yaml.YAMLError) else yaml.YAMLError(str(error))
        raise BadInput([not_yaml(found, name)]) from None


def _check_json(text: str, name: str) -> None:
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        message = f"is no JSON: {error.msg[:1].lower()}{error.msg[1:]}."
        raise BadInput([Problem(name, error.lineno, "", message, "Mend the file.")]) from None
    except (ValueError, RecursionError):
        raise BadInput(
            [Problem(name, message="is JSON that can't be read.", mend="Mend the file.")]
        ) from None
    if not isinstance(found, dict) or "@context" not in found:
        message = f'is no Croissant: it has no "@context"; {KINDS}'
        raise BadInput([Problem(name, 1, "", message, "Check the name.")])
    if "@graph" in found:
        message = 'holds a "@graph", as an RO-Crate does, and is no Croissant.'
        raise BadInput([Problem(name, 1, "", message, "Name the dataset's croissant.json.")])


# What is written


def write(done: Iterable[MergedFile]) -> None:
    """Write what changes, each file at once or not at all; raise BadInput where one is not as it was read."""
    wanted = [each for each in done if each.changed]
    moved = [each for each in wanted if _bytes(each.target.path) != each.target.content]
    if moved:
        message = "has changed since it was read."
        raise BadInput([Problem(str(each.target.path), message=message, mend="Try again.") for each in moved])
    for each in wanted:
        _replace(each.target.path, each.content)


def _bytes(path: Path) -> bytes:
    return read_bytes(path, str(path))


def _replace(path: Path, content: bytes) -> None:
    """Write a file beside another one and put it in its place, with its mode; a link stays one."""
    place = path.resolve()
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{place.name}.reportgen-", dir=place.parent)
        new = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            new.chmod(stat.S_IMODE(place.stat().st_mode))
            new.replace(place)
        finally:
            new.unlink(missing_ok=True)
    except OSError as error:
        problem = Problem(str(path), message=f"can't be written: {reason(error)}.", mend="Check its folder.")
        raise BadInput([problem]) from None
