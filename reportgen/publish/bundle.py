"""The bundle of one guidelines version: what is in it, and what it is to hide."""

import datetime as dt
import html
import importlib.util
import io
import json
import os
import platform
import re
import tempfile
import unicodedata
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from functools import cache
from itertools import chain, pairwise
from pathlib import Path
from urllib.parse import unquote

from reportgen.base import site_folder
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import BadInput, Problem, refused, tried, with_extra
from reportgen.base.files import from_csv, read_bytes, templates
from reportgen.base.progress import Steps
from reportgen.campaign import Campaign, Version
from reportgen.campaign.toml_tables import Privacy
from reportgen.pipeline.reading import VersionExports, everybody_in, notices, read_campaign
from reportgen.pipeline.releases import (
    Labelled,
    as_named,
    changes_since,
    difference_in_words,
    labelled,
    read_record,
    record_of,
    write_record,
)
from reportgen.pipeline.version_reports import (
    Report,
    all_pseudonyms,
    as_in_bundle,
    compute,
    names_by_version,
)
from reportgen.publish import bundle_files as there
from reportgen.publish import metadata, sentences
from reportgen.publish.bundle_files import (
    Released,
    checksums,
)
from reportgen.publish.label_table import label_table
from reportgen.publish.published_campaign import exported, published, published_files
from reportgen.readers import Annotations
from reportgen.report.site import version_pages
from reportgen.results import Results, read_back
from reportgen.results.versions import ReleaseRecord, version_data
from reportgen.units import Pseudonyms, document_names, hides, unit_names
from reportgen.units.pseudonyms import table_with

# Every file of a bundle that is written from the others: what machines and archives read.

# In the order of writing: a later one may describe those before it, and the crate describes all.
WRITERS: Mapping[str, Callable[[Released], str]] = {
    there.PARAGRAPH: sentences.write,
    there.METHODS: sentences.write_methods,
    there.CARD: metadata.dataset_card,
    there.CITATION: metadata.citation,
    there.CROISSANT: metadata.croissant,
    there.README: sentences.write_readme,
    there.CRATE: metadata.ro_crate,
}


def with_metadata(released: Released) -> Released:
    """Return a release with its metadata; the same whenever, and on whatever machine, it is written again."""
    for name, write in WRITERS.items():
        released = replace(released, files={**released.files, name: write(released).encode()})
    return released


# The day of a release: what somebody says of it; never that of the guidelines, which are older, nor today.


def released_on(declared: dt.date | None, environment: Mapping[str, str]) -> dt.date | None:
    """Return the day of SOURCE_DATE_EPOCH in UTC where it is set, else the declared one, None without.

    Raises BadInput where what is set is no moment.
    """
    epoch = environment.get(site_folder.DATED, "")
    if not epoch:
        return declared
    with suppress(ValueError, OverflowError, OSError):
        if epoch.isascii() and epoch.isdigit():
            return dt.datetime.fromtimestamp(int(epoch), dt.UTC).date()
    message = f'is "{epoch}"; whole seconds since 1970 were expected.'
    remedy = "Write it as date +%s does, or unset it."
    raise refused(site_folder.DATED, message=message, remedy=remedy)


# So many labels of a layer are named that were given too seldom; the others are counted.
MOST_RARE = 10

# The bundle of one guidelines version: its report, its counts, and what machines and archives read.


@dataclass(frozen=True)
class BundleOptions:
    """What a bundle holds besides what every bundle does; `again` says why it is released another time."""

    texts: bool = False
    exports: bool = False
    parquet: bool = False
    again: str = ""


@dataclass(frozen=True)
class Bundled:
    """A bundle's files by path, and what its publisher should know of it although it stops nothing.

    `campaign` is as the bundle shows it, `table` what its folder is to keep of pseudonyms, `released` what is
    to be recorded there.
    """

    files: Mapping[str, bytes]
    results: Results
    date: str | None
    notices: Sequence[Problem]
    campaign: Campaign
    table: bytes
    released: ReleaseRecord


def bundled(
    campaign: Campaign, version: str, choice: BundleOptions, progress: Steps = lambda _: None
) -> Bundled:
    """Return a version's bundle; raises BadInput with all that is wrong in it.

    That is so too where the version was released with other labels, and nobody says why it is `again`. Every
    version is read: pseudonyms are numbered from the first on.
    """
    shown, declared = as_in_bundle(campaign, texts=choice.texts), campaign.version(version)
    dates, undated = tried([declared.released], lambda date: released_on(date, os.environ))
    records, unknown = tried([version], lambda name: read_record(campaign, name))
    if not undated and not unknown:
        # Whoever releases it another time without a change says again what was said.
        last = records[0].again[-1:] if records[0] and not declared.again else ()
        shown = as_released(shown, version, dates[0], choice.again or "".join(last))
    all_reads, unread = tried([shown], lambda as_published: read_campaign(as_published, progress))
    if undated or unread or unknown:
        raise BadInput([*undated, *unread, *unknown])
    reads, record = all_reads[0], records[0]
    read = reads[campaign.versions.index(version)]
    guidelines = read.version
    date = guidelines.released.isoformat() if guidelines.released else None
    names, every = names_by_version(shown, reads)[version], all_pseudonyms(shown, reads)
    progress(f"{campaign.id} {version}: computing agreement")
    report = compute(shown, read, names)
    now = labelled(report.results, report.beside)
    known = replace(now, documents=as_named(now.documents, every))
    reasons, withdrawn = reasons_of(record, known, every, guidelines)
    # What is rendered hangs on the files alone.
    report = replace(report, texts=report.texts and read_back(report.texts))
    shows_labels = shown.privacy.labels == "show"
    progress(f"{campaign.id} {version}: writing pages")
    files = {
        **_report(report, campaign.language, parquet=choice.parquet),
        **_campaign(shown, guidelines, names),
        **(_labels(read, names, shown.privacy, parquet=choice.parquet) if shows_labels else {}),
        **(exported(campaign, guidelines, names, everybody_in(read), read.groups) if choice.exports else {}),
    }
    done = with_metadata(Released(report.results, tuple(campaign.language), date, files)).files
    done = {**done, there.CHECKSUMS: checksums(done).encode()}
    progress(f"{campaign.id} {version}: searching for names")
    hidden = hidden_names(shown, (annotations for read in reads for annotations in read.annotations), names)
    problems = [
        *notices(campaign, reads),
        *_undated(campaign, guidelines, date),
        *_rare_labels(campaign, report.results),
        *problems_of_exposure(done, hidden),
    ]
    released = record_of(shown, report.results, now, reasons, withdrawn)
    return Bundled(done, report.results, date, problems, campaign, table_with(campaign, every), released)


def as_released(campaign: Campaign, version: str, date: dt.date | None, reason: str) -> Campaign:
    """Return the campaign in which a version says when it was released, and why it was so another time."""
    said = {"released": date, **({"again": reason} if reason else {})}
    guidelines = [
        each.model_copy(update=said) if each.version == version else each for each in campaign.guidelines
    ]
    return campaign.model_copy(update={"guidelines": tuple(guidelines)})


def reasons_of(
    record: ReleaseRecord | None, now: Labelled, names: Pseudonyms, version: Version
) -> tuple[tuple[str, ...], int]:
    """Return why a version was released again, each time, and the labels of how many people are gone.

    Raises BadInput where it was released, is another one now, and nobody says why.
    """
    if record is None:
        return (version.again,) if version.again else (), 0
    reasons = (*record.again, *((version.again,) if version.again not in {"", *record.again} else ()))
    state = changes_since(record, now, names)
    if state.differs and reasons == record.again:
        since = f"on {record.released}" if record.released else "already"
        message = f"was released {since}, and is another one now: {difference_in_words(state)}."
        remedy = (
            "Say why it is released again, with --again REASON; the bundle tells it. Or make a new version."
        )
        raise refused(f"{version.name} {version.id}", message=message, remedy=remedy)
    return reasons, record.withdrawn + state.withdrawn


def record_release(contents: Bundled, digest: str | None) -> Iterator[Problem]:
    """Have the campaign's folder keep what was released; yield what to tell where the system does not let it.

    `digest` is that of a zip file.
    """
    yield from write_record(contents.campaign, contents.released.model_copy(update={"sha256": digest}))


def _undated(campaign: Campaign, version: Version, date: str | None) -> Iterator[Problem]:
    """Yield what to say where nobody says when the release is from."""
    if date is None:
        key = f"guidelines.{campaign.index_of(version.id) + 1}.released"
        message = "there is none, and SOURCE_DATE_EPOCH is not set: metadata that ask for a date go without."
        remedy = "Write released = 2026-11-25, the day of the release."
        yield Problem(campaign.file, 0, key, message, remedy)


def _rare_labels(campaign: Campaign, results: Results) -> Iterator[Problem]:
    """Yield for each layer the labels that were given so seldom that they may tell who or what is meant."""
    below = campaign.privacy.smallest
    for unit_set in map(results.primary_of, results.layers):
        uses = {name: unit_set.uses(name) for name in unit_set.judged if name != unit_set.non_annotated}
        rare = sorted((times, name) for name, times in uses.items() if 0 < times < below)
        if rare:
            named = ", ".join(f'"{name}" ({times})' for times, name in rare[:MOST_RARE])
            more = f" and {len(rare) - MOST_RARE:,} more" if len(rare) > MOST_RARE else ""
            labels = "1 label was" if len(rare) == 1 else f"{len(rare):,} labels were"
            message = f"layer {unit_set.layer}: {labels} given fewer than {below} times: {named}{more}."
            remedy = (
                "The bundle has them. Rename or join them in the exports if they tell who or what is meant."
            )
            yield Problem(campaign.file, message=message, remedy=remedy)


def _report(report: Report, languages: Sequence[str], *, parquet: bool) -> dict[str, bytes]:
    """Return the version's folder, which is complete by itself, by its path in the bundle."""
    data = dict(version_data(report.results, report.beside, report.texts))
    pages = version_pages(report.results, data, report.texts, languages, in_site=False)
    # One page after the other: of ten thousand documents there are hundreds of megabytes.
    files = {f"{there.REPORT}{name}": text.encode() for name, text in chain(data.items(), pages)}
    if parquet:
        files |= as_parquet(files)
    sums = checksums({name.removeprefix(there.REPORT): content for name, content in files.items()})
    return {**files, f"{there.REPORT}{there.CHECKSUMS}": sums.encode()}


def _labels(read: VersionExports, names: Pseudonyms, privacy: Privacy, *, parquet: bool) -> dict[str, bytes]:
    """Return the label table with what most said of each unit; nothing where the exports are counts."""
    table = label_table(read, names, privacy)
    if table is None:
        return {}
    tables = {there.LABEL_TABLE: table.labels, there.AGGREGATED: table.aggregated}
    files = {name: rows.as_csv() for name, rows in tables.items()}
    files |= {there.json_lines(name): rows.as_json_lines() for name, rows in tables.items()}
    if parquet:
        files |= {f"{name.removesuffix(CSV)}{PARQUET}": rows.as_parquet() for name, rows in tables.items()}
    return files


def _campaign(campaign: Campaign, version: Version, names: Pseudonyms) -> dict[str, bytes]:
    """Return campaign.toml in its published form, with the files that it names beside its counts."""
    beside = published_files(campaign, version.id).items()
    files = {path: read_bytes(campaign.folder / name, version.shown(name)) for path, name in beside}
    return {there.CAMPAIGN: published(campaign, version.id, names).encode(), **files}


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
        yield Problem("--parquet", message=message, remedy=with_extra("parquet"))


def as_parquet(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return each table of counts once more, by its path in the bundle."""
    tables = [name for name in files if name.startswith(there.COUNTS) and name.endswith(CSV)]
    return {f"{name.removesuffix(CSV)}{PARQUET}": _parquet(files[name].decode()) for name in tables}


def _parquet(text: str) -> bytes:
    head, *cells = from_csv(text)
    columns = list(zip(*cells, strict=True)) or [()] * len(head)
    types = {name: "integer" if name in NUMBERS else "string" for name in head}
    return there.parquet(
        {
            name: [*map(int, column)] if name in NUMBERS else column
            for name, column in zip(head, columns, strict=True)
        },
        types,
    )


# What a bundle is to hide: names of people, documents and units, and where it was made.

# Scripts that put no space between words: each of their signs is taken as a word.
UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
UNSPACED_SIGN = re.compile(f"[{UNSPACED}]")
WORD = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+")


def words(text: str) -> list[str]:
    """Return the words of a text, in their order."""
    return WORD.findall(text)


def folded(text: str) -> str:
    """Return a text so that two spellings of one name are the same."""
    return unicodedata.normalize("NFC", text).casefold()


@dataclass(frozen=True)
class HiddenNames:
    """Names that a bundle is to hide.

    - `names`: annotators, others whom exports name, documents, units, and where the bundle is made, each with
      what it is; `passed_over` counts people, by the reason, whose names are like other words.
    - `shown`: who is meant to be named, though hidden names may be among the words: authors.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    passed_over: Mapping[str, int] = field(default_factory=dict)
    shown: Sequence[str] = ()


PEOPLE = ("annotator", "person")
SHORTEST, SHORTEST_UNSPACED = 4, 2
# No count and no year has so many digits.
LONG_NUMBER = 8
# Why a name is not looked for.
SHORT, NUMBER = "are shorter than four letters", "are short numbers"
CATEGORY, PSEUDONYM, OURS = "are categories too", "look like pseudonyms", "are words of every report"
# What reports count, so that numbers are beside it.
COUNTED = {"annotator", "annotators", "document", "documents", "unit", "units", "token", "tokens", "version"}
# What machines and their users are called everywhere.
USUAL = {"root", "user", "users", "home", "admin", "runner", "guest", "build", "ubuntu", "localhost", "work"}


def hidden_names(campaign: Campaign, exports: Iterable[Annotations], names: Pseudonyms) -> HiddenNames:
    """Return what the bundle of a campaign hides; its privacy is the bundle's, `names` its pseudonyms."""
    exports = tuple(exports)
    labels = {folded(label) for annotations in exports for label in annotations.content.labels}
    labels |= {folded(label) for task in (campaign.task, *campaign.layers) for label in task.categories}
    kinds = names.annotators, names.documents, names.units
    false = {folded(pseudonym) for kind in kinds for pseudonym in kind.values()}
    # What a system or a model is declared to be called is public.
    systems = (
        (annotator.system, annotator.release, annotator.model) for annotator in campaign.annotators.values()
    )
    public = {folded(name) for names_of_system in systems for name in names_of_system if name}
    hidden = {name: what for name, what in _names(campaign, exports, names) if folded(name) not in public}
    reasons = {name: _reason(folded(name), labels, false) for name in hidden}
    return HiddenNames(
        names={**dict(_machine(campaign)), **{name: hidden[name] for name in hidden if not reasons[name]}},
        # What a document or a unit is called tells nobody where it is a number, or as short.
        passed_over=Counter(why for name, why in reasons.items() if why and hidden[name] in PEOPLE),
        shown=[
            *(author.name for author in campaign.authors),
            *(author for work in campaign.references for author in work.authors),
        ],
    )


def _names(
    campaign: Campaign, exports: Sequence[Annotations], names: Pseudonyms
) -> Iterator[tuple[str, str]]:
    """Yield what is hidden; who is both is rather a person than a document, and rather that than a unit."""
    if campaign.privacy.documents == "pseudonyms":
        yield from ((name, "unit") for annotations in exports for name in unit_names(annotations) if name)
        yield from (
            (name, "document") for annotations in exports for name in document_names(annotations) if name
        )
        yield from ((name, "document") for name in names.documents)
    people = [(name, "person") for annotations in exports for name in annotations.named]
    people += [(name, "annotator") for name in campaign.annotators]
    for annotations in exports:
        there = (name for name in annotations.content.annotators if name not in annotations.derived)
        people += [(name, "annotator") for name in there]
        people += [(lost.annotator, "annotator") for lost in annotations.left_out if lost.annotator]
    yield from ((name, kind) for name, kind in people if hides(campaign, name))


def _reason(name: str, labels: Collection[str], false: Collection[str]) -> str:
    """Return why a name, folded, can't be looked for, empty where it can."""
    said = words(name)
    letters = "".join(said)
    shortest = SHORTEST_UNSPACED if UNSPACED_SIGN.search(name) else SHORTEST
    if len(letters) < shortest:
        return SHORT
    if letters.isnumeric() and len(letters) < LONG_NUMBER:
        return NUMBER
    if name in false:
        return PSEUDONYM
    if name in labels:
        return CATEGORY
    # Any page may have a name, or its word beside its number: "annotator-2" is in many.
    own = [word for word in said if not word.isnumeric()]
    ours = len(own) == 1 and own[0] in (_own_words() if len(said) == 1 else COUNTED)
    return OURS if ours else ""


@cache
def _own_words() -> frozenset[str]:
    """Return the words that are in templates and catalogues: any page may have them."""
    files = (path for path in templates().rglob("*") if path.suffix in {".j2", ".js", ".css", ".mo", ".bib"})
    return frozenset(
        word for path in files for word in words(folded(path.read_bytes().decode(errors="replace")))
    )


def _machine(campaign: Campaign) -> Iterator[tuple[str, str]]:
    """Yield folders of this machine, its name and that of its user; what is called so everywhere is none."""
    folders = {
        str(campaign.folder): "campaign's folder",
        str(campaign.folder.parent): "folder of campaigns",
        str(Path.cwd()): "folder where this was called",
        str(templates().parent): "folder of this program",
        os.path.expanduser("~"): "home folder",  # noqa: PTH111 - Path.home() fails without one
        tempfile.gettempdir(): "temporary folder",
    }
    yield from ((folder, what) for folder, what in folders.items() if len(Path(folder).parts) > 1)
    names = {os.environ.get("USER", ""): "user's name", platform.node(): "machine's name"}
    for name, what in names.items():
        if len(name) >= SHORTEST and name.casefold() not in USUAL | _own_words():
            yield name, what


# Where a bundle shows a hidden name. Pseudonyms are put in before anything is rendered, so that no name is in
# what is computed; but it may be in the publisher's own words, in labels, or in files that are published as
# they are.

MARKED_UP = (".html", ".svg", ".xml")
# Tags that may be within a name.
TAG = re.compile(r"</?[a-z0-9]+(?: ?/| class=[a-z\"-]+)?>")
ESCAPED = re.compile(r"(?:\\u[0-9a-fA-F]{4})+")
# What may be within a word and is not seen.
UNSEEN = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
FOLDER = re.compile(r"/|[A-Za-z]:\\")
Place = tuple[str, int]
# So many of one kind are listed, each in one line; the others are counted.
MOST = 10
# Files that the publisher wrote come before those that repeat them.
OWN = (there.CAMPAIGN, there.GUIDELINES, there.DISTANCES)
REMEDY_OWN = "Reword it there if it should stay hidden: the campaign's own words are published as they are."
REMEDY = "It comes from labels, from names of files or from the campaign's own words: change it there."
REMEDY_PASSED = "Look for them yourself where they would tell who somebody is."


@dataclass(frozen=True)
class _Name:
    """A name, what it is of, and how it is found: its words in a row, with little between them."""

    name: str
    what: str
    words: tuple[str, ...] = field(compare=False)

    def line_in(self, text: str) -> int | None:
        """Return the line of a text in which the name is, counted from 1."""
        if FOLDER.match(self.name):
            before, behind, inside = r"(?<![\w.])", r"(?!\w)", re.escape(folded(self.name))
        else:
            before = "" if UNSPACED_SIGN.match(self.words[0]) else r"(?<![^\W_])"
            behind = "" if UNSPACED_SIGN.match(self.words[-1]) else r"(?![^\W_])"
            inside = r"[\W_]{0,4}".join(map(re.escape, self.words))
        match = re.search(f"{before}{inside}{behind}", text)
        return text.count("\n", 0, match.start()) + 1 if match else None


def problems_of_exposure(files: Mapping[str, bytes], hidden: HiddenNames) -> Iterator[Problem]:
    """Yield what a bundle shows although it was to be hidden, and how many names were not looked for.

    Exports hold names by their nature, and are there because they were asked for.
    """
    # Lists of all files have the names of exports too.
    named = (there.EXPORTS, there.CHECKSUMS, there.CRATE) if any(map(_is_export, files)) else ()
    searched = [name for name in files if not name.startswith(named)]
    searched.sort(key=lambda name: (not name.startswith(OWN), name))
    places_by_name = _places_by_name({name: files[name] for name in searched}, hidden)
    for kind in dict.fromkeys((*PEOPLE, "document", "unit", *hidden.names.values())):
        listed = [(places, name.name) for name, places in places_by_name.items() if name.what == kind]
        listed.sort(key=lambda found: (found[0][0][0], found[1]))
        for places, name in listed[:MOST]:
            yield _problem(places, f'the {kind} "{name}" is named there')
        if unlisted := listed[MOST:]:
            yield _problem(unlisted[0][0][:1], f"{len(unlisted)} more {kind}s are named there and elsewhere")
    if reasons := hidden.passed_over:
        number = sum(reasons.values())
        reasons_in_words = ", ".join(f"{times} {why}" for why, times in sorted(reasons.items()))
        people = "1 name of a person that is hidden was" if number == 1 else f"{number} names of people were"
        message = f"{people} not searched for in the bundle: {reasons_in_words}."
        yield Problem("names", message=message, remedy=REMEDY_PASSED)


def _is_export(file: str) -> bool:
    return file.startswith(there.EXPORTS)


def _problem(places: Sequence[Place], message: str) -> Problem:
    (file, line), *more = places
    also = f", and in {len(more)} more file{'s' if len(more) > 1 else ''}" if more else ""
    return Problem(file, line, "", f"{message}{also}.", REMEDY_OWN if file.startswith(OWN) else REMEDY)


def _places_by_name(files: Mapping[str, bytes], hidden: HiddenNames) -> dict[_Name, list[Place]]:
    """Return in which files, and in which line of each, hidden names are."""
    # By the longest word of each.
    names_by_word: dict[str, list[_Name]] = {}
    for text, what in hidden.names.items():
        said = tuple(words(folded(text)))
        # People are called by one word where there is no place for two.
        joined = [("".join(said),)] if what in PEOPLE and len(said) > 1 else []
        for name_words in [said, *joined] if said else ():
            names_by_word.setdefault(max(name_words, key=len), []).append(_Name(text, what, name_words))
    # What finds authors, also with the family name first.
    named = [words(folded(author)) for author in hidden.shown]
    orders = {
        tuple(order)
        for name_words in named
        if name_words
        for order in (name_words, [name_words[-1], *name_words[:-1]])
    }
    longest_first = sorted(orders, key=len, reverse=True)
    either = "|".join(r"[\W_]{1,4}".join(map(re.escape, order)) for order in longest_first)
    authors = re.compile(rf"(?<![^\W_])(?:{either})(?![^\W_])") if either else None
    of_authors = {word for name in hidden.shown for word in words(folded(name))}
    places_by_name: dict[_Name, list[Place]] = {}
    for file, content in files.items():
        for reading in _readings(file, content):
            text = authors.sub(" ", reading) if authors else reading
            said_here = words(text)
            candidates = [
                name for word in names_by_word.keys() & {*said_here} for name in names_by_word[word]
            ]
            pairs = set(pairwise(said_here)) if any(len(name.words) > 1 for name in candidates) else set()
            for name in candidates:
                places = places_by_name.get(name)
                # A name may be a part of an author's, where the parts are apart.
                cited = file == there.CITATION and of_authors.issuperset(name.words)
                if cited or not pairs.issuperset(pairwise(name.words)) or (places and places[-1][0] == file):
                    continue
                if line := name.line_in(text):
                    places_by_name.setdefault(name, []).append((file, line))
    return places_by_name


def _readings(name: str, content: bytes) -> Iterator[str]:
    """Yield what a file is called and says, as it is and without its escapes, folded."""
    for text in (name, *_exported_texts(name, content)):
        plain, unescaped = folded(text), folded(_unescaped(name, text))
        if text is name or not name.endswith(MARKED_UP):
            yield plain
        if unescaped != plain or name.endswith(MARKED_UP):
            yield unescaped


def _exported_texts(name: str, content: bytes) -> Iterator[str]:
    if name.endswith(PARQUET):
        from pyarrow import parquet

        table = parquet.read_table(io.BytesIO(content))
        columns = (f"{cell}" for column in table.columns for cell in column.unique().to_pylist())
        yield "\n".join([str(table.schema), *columns])
        return
    try:
        yield content.decode()
    except UnicodeDecodeError:
        other = "utf-16" if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "cp1252"
        yield from (content.decode(encoding, errors="replace") for encoding in ("utf-8", other))


def _unescaped(name: str, text: str) -> str:
    """Return a text without what HTML, XML, JSON and web addresses write instead of signs."""
    if name.endswith(MARKED_UP):
        text = TAG.sub(" ", text)
    if "&" in text:
        text = html.unescape(text)
    if "\\" in text:
        text = ESCAPED.sub(_of_json, text)
    if "%" in text:
        text = unquote(unquote(text, errors="replace"), errors="replace")
    return text if text.isascii() else UNSEEN.sub("", text)


def _of_json(match: re.Match[str]) -> str:
    said: str = json.loads(f'"{match[0]}"')
    return said.encode("utf-16", "surrogatepass").decode("utf-16", errors="replace")
