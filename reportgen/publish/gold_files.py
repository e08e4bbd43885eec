"""Files that a campaign's people keep to themselves: the gold standard, and the key to pseudonyms."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np

from reportgen.annotators.adjudication import finished_documents, reference_marks
from reportgen.annotators.adjudication_sheets import written
from reportgen.annotators.gold_standard import Status
from reportgen.base import site_folder
from reportgen.base.errors import BadInput, Problem, quoted, refused
from reportgen.base.progress import Steps
from reportgen.campaign import Campaign
from reportgen.pipeline.reading import read_campaign
from reportgen.pipeline.version_reports import names_by_version
from reportgen.publish import gold_marks as formats
from reportgen.publish.gold import GoldSource, GoldStandard, gold_csv, gold_json_lines
from reportgen.readers import ParsedMark, TextMarks
from reportgen.readers.sources import MARKS
from reportgen.results.comparison import RESULTS
from reportgen.results.model import csv_text
from reportgen.units import Mask, Pseudonyms

OUT = "--out"

# Marks in texts, as annotation tools read them.

UNSAFE = re.compile(r"[\x00-\x1f\x7f\\\ud800-\udfff]")
LONGEST_NAME = 200
OTHER_FORM = "Write another form, such as .csv or .jsonl, which take every mark."
DECIDE = "Decide what is open, or leave it out with --decided-only."


def gold_marks(standard: GoldStandard, form: formats.MarkFormat) -> tuple[formats.GoldTexts, dict[str, str]]:
    """Return all texts with their marks, and the files of a format by path.

    A document in which something is open has its text alone there, or is not there; with `decided_only` each
    has its marks. Raises BadInput where texts are withheld, no layer has marks, or the format can't hold one.
    """
    layers = [source for source in standard.layers if source.is_of_marks]
    if not layers:
        message = f"would be {form.title}'s, and no layer has marks in texts."
        raise refused(OUT, message=message, remedy=OTHER_FORM)
    if not standard.texts:
        message = f'is "withhold", and {form.title}\'s files would show the texts.'
        raise refused(standard.campaign.file, 0, "privacy.texts", message, OTHER_FORM)
    texts = _texts(standard, layers)
    if not form.has_all and not texts.finished:
        message = f"would be empty: {form.title} has finished documents alone, and none is."
        raise refused(OUT, message=message, remedy=DECIDE)
    files, faults = form.written(texts)
    examples: dict[str, list[str]] = {}
    for what, example in faults:
        examples.setdefault(what, []).append(example)
    messages = [f"document {quoted(name)} can't be the name of a file." for name in _unsound(files)]
    for what, (first, *others) in examples.items():
        more = f", and {len(others):,} more" if others else ""
        messages.append(f"{form.title} has no {what} such as {first}{more}.")
    if messages:
        raise BadInput([Problem(OUT, message=message, remedy=OTHER_FORM) for message in messages])
    return texts, files


def _unsound(files: Iterable[str]) -> list[str]:
    """Return the documents whose name is no path below a folder that all systems take."""
    names = dict.fromkeys(file.rpartition(".")[0] for file in files if file)
    return [name for name in names if UNSAFE.search(name) or not all(map(_is_sound, name.split("/")))]


def _is_sound(part: str) -> bool:
    return bool(part) and not part.startswith(".") and len(part.encode()) <= LONGEST_NAME


def _texts(standard: GoldStandard, layers: Sequence[GoldSource]) -> formats.GoldTexts:
    documents: dict[str, formats.GoldDocument] = {}
    for source in layers:
        sheet = source.gold.sheet
        rows = zip(
            sheet.units.documents, sheet.texts, _marks(source), _finished(standard, source), strict=True
        )
        for name, text, marks, finished in rows:
            here = documents.setdefault(name, formats.GoldDocument(standard.names.document(name), text))
            here.marks[source.name] = marks
            here.finished = here.finished and bool(finished)
    version = standard.campaign.version(standard.version)
    patterns = (unit_set.token_pattern for unit_set in version.unit_sets if unit_set.token_pattern)
    sources = {
        layer.id: layer.id if layer.source == MARKS else layer.source
        for layer in version.layers
        if layer.source
    }
    return formats.GoldTexts(list(documents.values()), next(patterns, None), sources)


def _marks(source: GoldSource) -> list[list[ParsedMark]]:
    """Return the marks of each document, without the feature that holds the label where one does."""
    content = source.annotations.content
    if not isinstance(content, TextMarks):
        return []
    labels = {unit.unit: unit.label for unit in source.gold.units if unit.status is not Status.OPEN}
    documents = reference_marks(content, source.gold.sheet, labels)
    every = [mark for marks in documents for mark in marks]
    names = {name for mark in every for name in mark.features}
    others = {name for name in names if any(mark.features.get(name) != mark.type for mark in every)}
    return [
        [
            replace(mark, features={name: mark.features[name] for name in mark.features if name in others})
            for mark in marks
        ]
        for marks in documents
    ]


def _finished(standard: GoldStandard, source: GoldSource) -> Mask:
    """Tell of each document (documents,) of a layer whether its marks are written."""
    sheet = source.gold.sheet
    if standard.options.decided_only:
        return np.ones(len(sheet.texts), dtype=np.bool_)
    still_open = [unit.unit for unit in source.gold.units if unit.status is Status.OPEN]
    return finished_documents(source.annotations, source.request, sheet.units.unit_document[still_open])


# Where a file goes: never into a site, a bundle or the exports, and never over what somebody else wrote.

CSV, JSON_LINES = ".csv", ".jsonl"
# A file of marks for each document, in a new folder.
EACH = "{document}"
FILES = {".conll": formats.CONLL, ".json": formats.LABEL_STUDIO}
# What is surely meant to be a file; "gold-1.0" is a folder.
OTHER_FILES = (".tsv", ".txt", ".ann", ".xlsx", ".xml", ".zip", ".parquet")
FORMS = (
    "Name a file that ends in .csv, .jsonl, .conll or .json (Label Studio), or a new folder: gold for brat, "
    f"gold/{EACH}.tsv for WebAnno."
)
ELSEWHERE = "Choose a place outside of it with --out."


def gold_obstacles(out: Path, campaign: Campaign) -> list[Problem]:
    """Return why a gold standard can't go to `out`: nothing where that is new, or a gold file of ours."""
    suffix = out.suffix.lower()
    if suffix in (CSV, JSON_LINES):
        return _obstacles(out, campaign, ("layer,document,unit,offsets,", '{"layer": '))
    if suffix in FILES:
        return _obstacles(out, campaign, (FILES[suffix].start,))
    _, folder = _in_folder(out)
    if suffix in OTHER_FILES and folder == out:
        return [Problem(str(out), message=f"ends in {suffix}, which is not written.", remedy=FORMS)]
    return _obstacles(folder, campaign, None) or site_folder.refusals(folder, any_file)


def _in_folder(out: Path) -> tuple[formats.MarkFormat, Path]:
    """Return the format of a file for each document, and the folder that these go to."""
    return (formats.WEBANNO, out.parent) if out.name.lower() == f"{EACH}.tsv" else (formats.BRAT, out)


def key_obstacles(out: Path, campaign: Campaign) -> list[Problem]:
    """Return why the key to pseudonyms can't go to `out`: nothing where that is new, or a key of ours."""
    if out.suffix.lower() != CSV:
        return [Problem(str(out), message="does not end in .csv.", remedy="Name a file that ends in .csv.")]
    return _obstacles(out, campaign, ("kind,pseudonym,name",))


def _obstacles(out: Path, campaign: Campaign, ours: tuple[str, ...] | None) -> list[Problem]:
    """Return why a file can't go to `out`; `ours` are the beginnings of files that it may replace.

    Without `ours` it is a folder.
    """
    return site_folder.first_obstacle(out, lambda target: _in_the_way(target, campaign, ours), FORMS)


def _in_the_way(target: Path, campaign: Campaign, ours: tuple[str, ...] | None) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a place, with the remedy; the first is what counts."""
    here = campaign.folder.resolve()
    for above in (target, *target.parents):
        if (above / site_folder.MEMORY).exists():
            yield "lies in a site, which others read.", ELSEWHERE
        if (above / site_folder.CHECKSUMS).exists() and (
            (above / RESULTS).exists() or (above / "report").is_dir()
        ):
            yield "lies in a report or a bundle, which others read.", ELSEWHERE
    if target.is_relative_to(here) and _is_export(target.relative_to(here).as_posix(), campaign):
        yield "lies in the exports, and would be read as one.", ELSEWHERE
    if here.is_relative_to(target):
        yield f"contains the campaign's folder {campaign.name}.", "Choose a new folder beside it with --out."
    if ours is None and target.is_file():
        yield "is a file.", FORMS
    if ours is not None and target.exists() and not _begins(target, ours):
        yield "is no such file as reportgen wrote it.", "Remove it first, or choose another with --out."


def _is_export(inside: str, campaign: Campaign) -> bool:
    """Tell whether a path in the campaign's folder is one that the exports of a version name."""
    patterns = (pattern for version in campaign.guidelines for pattern in version.exports)
    return any(fnmatchcase(inside, pattern) or fnmatchcase(inside, f"{pattern}/*") for pattern in patterns)


def _begins(target: Path, ours: tuple[str, ...]) -> bool:
    """Tell whether a file is empty or begins as one of ours."""
    if not target.is_file():
        return False
    longest = max(map(len, ours))
    with target.open(encoding="utf-8", errors="replace") as file:
        start = file.read(longest)
    return not start or start.startswith(ours)


def any_file(folder: Path) -> str | None:
    """Return the name of a file in a folder: what is there may be somebody's corpus."""
    return next((path.name for path in sorted(folder.iterdir()) if path.name not in site_folder.LITTER), None)


# The files are written, by the ending of the name.


def write_gold(standard: GoldStandard, out: Path) -> tuple[int, list[str]]:
    """Write a gold standard by the ending of `out`. Raises BadInput; then nothing is written.

    Returns how many files were written, and what of the gold standard is not in them.
    """
    suffix = out.suffix.lower()
    if suffix in (CSV, JSON_LINES):
        text = gold_csv(standard) if suffix == CSV else gold_json_lines(standard)
        site_folder.write_file(out, text.encode(errors="replace"))
        return 1, []
    form, target = (FILES[suffix], out) if suffix in FILES else _in_folder(out)
    texts, files = gold_marks(standard, form)
    if "" in files:
        site_folder.write_file(target, files[""].encode(errors="replace"))
    else:
        with site_folder.replacing(target, any_file) as folder:
            content = {name: text.encode(errors="replace") for name, text in files.items()}
            site_folder.write_below(folder, content)
    return len(files), list(_not_written(standard, form, texts))


def _not_written(standard: GoldStandard, form: formats.MarkFormat, texts: formats.GoldTexts) -> Iterator[str]:
    """Yield what the files of a format do not have."""
    for source in standard.layers:
        if not source.is_of_marks:
            yield f"{source.name}: its units are no plain marks in texts; .csv and .jsonl have them."
    every, done = len(texts.documents), texts.finished
    if alone := every - len(done):
        instead = "of these only the texts are written" if form.has_all else "these are not written"
        yield f"{alone:,} of {every:,} documents are not finished: {instead}."
    attributes = sum(bool(mark.features) for document in done for mark in formats.all_marks(document))
    if attributes and not form.has_all:
        yield f"{form.title} is written without the attributes of marks ({attributes:,})."
    if form is formats.CONLL and (
        other := sum(formats.changes_white_space(formats.in_tokens(texts), document) for document in done)
    ):
        yield f"CoNLL keeps no white space: that changes {other:,} of {len(done):,} documents."


# Who is A01? For the campaign's own people alone.

KEY_HEAD = ("kind", "pseudonym", "name")


def pseudonym_key(campaign: Campaign, progress: Steps = lambda _: None) -> list[tuple[str, str, str]]:
    """Return kind, pseudonym and name of everybody and everything that has a pseudonym in any version.

    Raises BadInput where names are shown, so that nothing has one.
    """
    every = Pseudonyms()
    for pseudonyms in names_by_version(campaign, read_campaign(campaign, progress)).values():
        every |= pseudonyms
    kinds = (("annotator", every.annotators), ("document", every.documents), ("unit", every.units))
    rows = [(kind, called, name) for kind, names in kinds for name, called in names.items()]
    if not rows:
        message, remedy = "there are no pseudonyms: names are shown.", "There is no key to write."
        raise refused(campaign.file, 0, "privacy.annotators", message, remedy)
    return sorted(rows, key=lambda row: (row[0], len(row[1]), row[1]))


def write_key(rows: Iterable[tuple[str, str, str]], out: Path) -> None:
    """Write the key as CSV, which its owner alone may read. Raises BadInput."""
    cells = ([written(cell) for cell in row] for row in rows)
    site_folder.write_file(out, csv_text(KEY_HEAD, cells).encode(errors="replace"), 0o600)
