"""Every table of campaign.toml: those that figures depend on, and those about people and publication.

The kinds of value in a campaign.toml: how each is checked and put into words, where its files are.
"""

import os
import re
import warnings
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date, datetime, time
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypeVar, get_args
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    Strict,
    ValidationInfo,
    field_validator,
    model_validator,
)
from typing_extensions import TypedDict

from reportgen.base import ENGINES, LANGUAGES, is_address, is_server
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import Problem, alternatives, escaped, nearest, quoted, reason
from reportgen.base.files import as_compared, nfc
from reportgen.base.site_folder import PSEUDONYMS, RELEASED
from reportgen.base.system import portable
from reportgen.catalogue import BRACKETS
from reportgen.results import SubjectId

if TYPE_CHECKING:
    Language = str
    EngineId = str
else:
    Language = Literal[tuple(LANGUAGES)]
    EngineId = Literal[tuple(ENGINES)]

KeyPath = tuple[str | int, ...]

LARGEST_SHOWN = 10**18
MOST_VERSIONS = 1000


class Unfit(ValueError):
    """A value doesn't fit: `message` says what was found and expected, `remedy` what to do about it."""

    def __init__(self, message: str, remedy: str) -> None:
        """Keep both sentences."""
        super().__init__(message)
        self.message = message
        self.remedy = remedy


@dataclass(frozen=True)
class Complaint:
    """One thing that is wrong at one key path of campaign.toml, before its line is known."""

    path: KeyPath
    message: str
    remedy: str = ""

    def problem(self, file: str, line: int) -> Problem:
        """Return what is wrong in a line of the file."""
        return Problem(file, line, dotted(self.path), self.message, self.remedy)


def dotted(path: KeyPath) -> str:
    """Return the key path as people read it, list positions counted from 1: "guidelines.1.version"."""
    return ".".join(str(part + 1) if isinstance(part, int) else escaped(part) for part in path)


def described(value: object) -> str:
    """Return what a value of a TOML file is, in words: the text "x", the number 1.0, a list, a table."""
    if isinstance(value, str):
        return f"the text {quoted(value)}"
    if isinstance(value, bool):
        return "true" if value else "false"
    # Python refuses to write out integers of many thousand digits, which TOML's hexadecimals can give.
    if isinstance(value, int) and abs(value) > LARGEST_SHOWN:
        return "a very large number"
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, date | time):
        return f"the {'date and time' if isinstance(value, datetime) else type(value).__name__} {value}"
    return "a table" if isinstance(value, dict) else "a list"


# Where the files of a campaign are: inside its folder, and nowhere else.

WILDCARDS = frozenset("*?[")
HIDDEN = re.compile(r"(?:^|/)\.")
# What "**" finds again and again grows with each further one.
DEEP, MOST_DEEP = re.compile(r"(?:\*\*/){2,}"), 3
# What reportgen itself keeps at the top of a campaign's folder.
KEPT = re.compile("|".join(re.escape(name).replace(r"\{version\}", ".+") for name in (PSEUDONYMS, RELEASED)))


class ExportPath(NamedTuple):
    """One exported file: its absolute path, and its name relative to the campaign's folder, with "/"."""

    path: Path
    name: str


def existing_file(folder: Path, name: str) -> Path:
    """Return the absolute path of a file of the campaign.

    Raises Unfit where there is no such file, where it lies outside the folder or can't be read.
    """
    with _readable(name):
        path = _existing(folder.resolve(), name)
        if not path.is_file():
            message = f"{quoted(name)} is not a file; one file was expected."
            raise Unfit(message, "Name the file, with its folder.")
        return path


def export_files(folder: Path, names: Iterable[str]) -> tuple[ExportPath, ...]:
    """Return the files that folders, files and globs name, sorted by name, each once.

    Folders are walked to the bottom; hidden files and folders in them are skipped, and so is what reportgen
    keeps at the top of the campaign's. Raises Unfit where a name leads to nothing, to no file, out of the
    campaign's folder, or to what can't be read.
    """
    root = folder.resolve()
    files: dict[str, Path] = {}
    for name in names:
        with _readable(name):
            files.update((_name(root, path), path) for path in _expanded(root, name))
    return tuple(ExportPath(files[name], name) for name in sorted(files))


@contextmanager
def _readable(name: str) -> Iterator[None]:
    """Turn every way in which a system refuses a name into Unfit: permission, links in a circle, NUL."""
    try:
        yield
    except Unfit:
        raise
    except (OSError, RuntimeError, ValueError) as error:
        raise _unreadable(name, error) from None


def why_unreadable(error: Exception) -> str:
    """Return why a system refuses a path, in words."""
    if isinstance(error, OSError) and error.strerror:
        return reason(error)
    if isinstance(error, RuntimeError):
        return "its links lead in a circle"
    return "its name has a NUL" if "null" in str(error) else '"**" was expected between two "/" only'


def _unreadable(name: str, error: Exception) -> Unfit:
    return Unfit(
        f"{quoted(name)} can't be read: {why_unreadable(error)}.", "Check the name, and that you may read it."
    )


def _expanded(root: Path, name: str) -> list[Path]:
    path = _inside(root, name)
    if WILDCARDS.intersection(name) and not path.exists():
        pattern = DEEP.sub("**/", _name(root, path))
        if pattern.count("**") > MOST_DEEP:
            message = f'{quoted(name)} has "**" more than {MOST_DEEP} times, which can take minutes.'
            raise Unfit(message, "Name folders instead, of which every file is read.")
        # Python 3.13 takes "**x" for "*x".
        if any("**" in part and part != "**" for part in pattern.split("/")):
            raise _unreadable(name, ValueError())
        matches = [match for match in root.glob(pattern) if not HIDDEN.search(_name(root, match))]
        files = [file for match in matches for file in _files(root, match)]
        missing = f"{quoted(name)} matches no file."
    else:
        files = list(_files(root, _existing(root, name)))
        missing = f"the folder {quoted(name)} contains no file."
    files = [file for file in files if not KEPT.fullmatch(_name(root, file)) or file == path]
    if not files:
        raise Unfit(missing, "Put the exports of this guidelines version there, or name where they are.")
    return files


def _existing(root: Path, name: str) -> Path:
    path = _inside(root, name)
    if not path.exists():
        backslashes = 'Write folders with "/". ' if "\\" in name else ""
        remedy = f"{backslashes}Check the name, which is relative to the campaign's folder."
        raise Unfit(f"{quoted(name)} does not exist.", remedy)
    return path


def _inside(root: Path, name: str) -> Path:
    """Return the absolute path of a name; raise Unfit where it leaves the folder, also by a link."""
    if not name or PurePosixPath(name).is_absolute() or PureWindowsPath(name).anchor:
        message = f"is {quoted(name)}; a path relative to the campaign's folder was expected."
        raise Unfit(message, "Move the file into the campaign's folder and name it from there.")
    path = Path(os.path.normpath(root / name))
    if not (path.is_relative_to(root) and path.resolve().is_relative_to(root)):
        message = f"{quoted(name)} lies outside the campaign's folder."
        raise Unfit(message, "Move or copy the file into the campaign's folder and name it from there.")
    return path


def _files(root: Path, path: Path) -> Iterator[Path]:
    """Yield the file, or the files of the folder; a link to a folder is followed here but not below."""
    _inside(root, _name(root, path))
    if path.is_dir():
        yield from _walked(root, path)
    else:
        yield _checked(root, path)


def _walked(root: Path, top: Path) -> Iterator[Path]:
    """Yield the files below a folder. There may be many thousands: what is plainly one is asked no more."""
    try:
        with os.scandir(top) as listed:
            entries = [entry for entry in listed if not entry.name.startswith(".")]
    except OSError as error:
        raise _unreadable(_name(root, top), error) from None
    for entry in entries:
        path = Path(entry.path)
        if entry.is_dir(follow_symlinks=False):
            yield from _walked(root, path)
        elif entry.name.isascii() and entry.is_file(follow_symlinks=False):
            yield path
        else:
            yield _checked(root, path)


def _checked(root: Path, path: Path) -> Path:
    """Return the path of an ordinary file inside the folder; raise Unfit for any other."""
    name = _name(root, path)
    if name != name.encode(errors="replace").decode():
        raise Unfit(f"the file name {quoted(name)} is not UTF-8.", "Rename the file.")
    if path.is_symlink():
        _inside(root, name)
    # A link to a folder is refused as well: what it leads to may be walked already, or lead back here.
    if not path.is_file():
        message = f"{quoted(name)} is neither a file nor a folder."
        raise Unfit(message, "Replace it by a file, or take it away.")
    return path


def _name(root: Path, path: Path) -> str:
    """Return a path's name from the root, with "/"."""
    above, text = os.path.join(root, ""), os.fspath(path)  # noqa: PTH118 - thousands of them
    if text.startswith(above):
        return text[len(above) :].replace(os.sep, "/")
    return path.relative_to(root).as_posix()


# The kinds of value that a campaign.toml holds, and what is checked of each one alone.

Item = TypeVar("Item")

NOT_BLANK = r"\S"
IDENTIFIER = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
DOI = r"^10\.[0-9]{4,9}/\S+$"
ORCID = r"^[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X]$"
WEB_ADDRESS = r"^https?://\S+$"
CURRENCY = r"^[A-Z]{3}$"
# Language, script, country, variants, extensions and private use, as BCP 47 has them in this order.
LANGUAGE_TAG = (
    r"^[A-Za-z]{2,3}(-[A-Za-z]{3})?(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?"
    r"(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*(-[A-WYZa-wyz0-9](-[A-Za-z0-9]{2,8})+)*"
    r"(-[Xx](-[A-Za-z0-9]{1,8})+)?$"
)
SCORE = r"^(accuracy|neg_rmse|f_measure|similarity|similarity\[[A-Za-z0-9][A-Za-z0-9._-]*\])$"
ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")

LARGEST_COUNT = 10**15  # as a spreadsheet shows it, and so that every sum is exact

# What each pattern stands for, in the words of an error message, and an example.
PATTERNS = {
    NOT_BLANK: ("a text that is not empty", '"…"'),
    IDENTIFIER: ('a name of letters, digits, ".", "_" and "-", a letter or digit first,', '"round-1"'),
    DOI: ("a DOI without its web address", '"10.1000/182"'),
    ORCID: ("an ORCID without its web address", '"0000-0002-1825-0097"'),
    WEB_ADDRESS: ("a web address", '"https://example.org"'),
    CURRENCY: ("the code of a currency (ISO 4217)", '"EUR"'),
    LANGUAGE_TAG: ("the tag of a language (BCP 47), with hyphens,", '"en", "de-AT" or "zh-Hant"'),
    SCORE: (
        'a score, "accuracy", "neg_rmse", "f_measure", "similarity" or that with a distance in brackets,',
        '"similarity[masi]"',
    ),
}

# Windows opens no path of more than 260 characters: one has the campaign's, two versions' and a layer's.
LONGEST_ID = 44
# The site gives these names to pages and files of its own.
TAKEN = ("compare", "index.html", "history.json")
# In a campaign's folder, where its versions are, there are more; a test holds the list against a site.
TAKEN_BESIDE_VERSIONS = (
    *(*TAKEN, "history.md", "badge.svg", "badge.json", "feed.xml"),
    *("figures", "tables", "sha256sums"),
    *get_args(Language),
)
# Brackets behind a measure's name hold these already.
MEASURE_DISTANCES = tuple(dict.fromkeys(each.id for each in BRACKETS if not each.declared))
PLACES_IN_PATH = ("annotator", "document", "layer", "pass")


def optional(description: str) -> Any:  # noqa: ANN401 - the default of a field of any type
    """Return a field that may be absent."""
    return Field(default=None, description=description)


def not_taken(value: str, reserved: Collection[str] = TAKEN) -> str:
    """Return an id; raise Unfit where the site needs it for itself, or a system can't have it as a file."""
    if value.casefold() in reserved:
        raise Unfit(f"is {quoted(value)}, which the site uses for itself.", "Choose another name.")
    if portable(value) != value or len(value) > LONGEST_ID:
        long = f"has more than {LONGEST_ID} characters"
        wrong = long if len(value) > LONGEST_ID else "can't be the name of a file on Windows"
        raise Unfit(f"is {quoted(value)}, which {wrong}.", "Choose another name.")
    return value


def version_name(value: str) -> str:
    """Return a version; raise Unfit where the site has something else of this name, or could not tell.

    Three dots are between two versions in the name of their comparison.
    """
    if ".." in value:
        message = f"is {quoted(value)}, which has dots in a row: they are between two versions."
        raise Unfit(message, "Write one dot.")
    return not_taken(value, TAKEN_BESIDE_VERSIONS)


def not_a_measures_distance(value: str) -> str:
    """Return a distance's id; raise Unfit where figures with that name in brackets exist already."""
    if value.casefold() in MEASURE_DISTANCES:
        message = f"is {quoted(value)}, the name of a distance that is built in."
        raise Unfit(message, "Choose another name.")
    return value


def without_repetition(values: tuple[Item, ...]) -> tuple[Item, ...]:
    """Return the list; raise Unfit where it names anything twice."""
    repeated = [str(value) for value, times in Counter(values).items() if times > 1]
    if repeated:
        raise Unfit(f"contains {alternatives(repeated, 'and')} more than once.", "Keep each of them once.")
    return values


def few_versions(value: object) -> object:
    """Return what is given where it is no list of more guidelines versions than a history can show."""
    if isinstance(value, list) and len(value) > MOST_VERSIONS:
        message = f"are {len(value):,} versions; {MOST_VERSIONS:,} are compared at most."
        raise Unfit(message, "Keep those that you compare.")
    return value


def one_or_more(value: object) -> object:
    """Return a list, also where one element was given without brackets."""
    return value if isinstance(value, list | tuple) else [value]


DURATION = re.compile(r"([0-9]{1,7})(?:\.([0-9]{1,3}))? ?(ms|s)")
LONGEST_TOLERANCE = 60_000


def milliseconds(value: object) -> int:
    """Return how many milliseconds a text such as "200 ms" or "0.2 s" says."""
    match = DURATION.fullmatch(value) if isinstance(value, str) else None
    wrong = Unfit("is not a time such as 200 ms.", 'Write "200 ms", or "0.2 s"; at most a minute.')
    if match is None or (match[2] and match[3] == "ms"):
        raise wrong
    found = int(match[1]) if match[3] == "ms" else 1000 * int(match[1]) + int((match[2] or "0").ljust(3, "0"))
    if not 0 < found <= LONGEST_TOLERANCE:
        raise wrong
    return found


def server_address(value: str) -> str:
    """Return the address of a server without a slash at its end; raise Unfit where it has more than that."""
    try:
        parts = urlsplit(value)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    if parts.username is not None or parts.password is not None:
        # The value is not repeated: what is before the @ is secret.
        message = "has a user or a password before its host, which others could read here."
        raise Unfit(
            message, "Write the address alone, and change that password: REPORTGEN_PASSWORD is its place."
        )
    if not host or parts.query or parts.fragment:
        remedy = 'Write the address of the server alone, such as "https://annotate.example.org".'
        raise Unfit("is not the address of a server.", remedy)
    return value.rstrip("/")


def project_name(value: object) -> object:
    """Return the number of a project as a text."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def day(value: object) -> object:
    """Return the date that a text holds, for whoever writes it in quotes; anything else unchanged."""
    if not isinstance(value, str):
        return value
    try:
        if ISO_DATE.fullmatch(value):
            return date.fromisoformat(value)
    except ValueError:
        pass
    message = f"is {described(value)}; a date, year first, was expected."
    raise Unfit(message, "Write it without quotes, such as 2009-06-01.")


def file_of_campaign(value: str, info: ValidationInfo) -> str:
    """Return the name of a file; raise Unfit where the campaign (the context) has no such file."""
    if isinstance(info.context, Path):
        existing_file(info.context, value)
    return value


def size_or_file(value: object, info: ValidationInfo) -> object:
    """Return a size or the name of a file of the campaign; raise Unfit for anything else."""
    if isinstance(value, str):
        return file_of_campaign(value, info)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value <= LARGEST_COUNT:
        message = f"is {described(value)}; a whole number above 0, or the name of a CSV file, was expected."
        raise Unfit(message, 'Write size = 1000, or size = "sizes.csv" with columns document and size.')
    return value


def regular_expression(value: str) -> str:
    """Return a regular expression; raise Unfit where it is not one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a doubtful pattern is the author's business
            re.compile(value)
    except (re.error, RecursionError, OverflowError) as error:
        message = f"is {quoted(value)}, which is not a regular expression: {error}."
        raise Unfit(message, r"Correct it; '\w+' in single quotes matches words.") from None
    return value


def places_in_path(value: str) -> str:
    """Return the pattern of export paths; raise Unfit where it names other places or none."""
    names = PLACEHOLDER.findall(value)
    unknown = [name for name in names if name not in PLACES_IN_PATH]
    if unknown or not names:
        shown = alternatives([f"{{{name}}}" for name in PLACES_IN_PATH])
        message = f"is {quoted(value)}; places named {shown} were expected in it."
        remedy = nearest(unknown[0], PLACES_IN_PATH) if unknown else ""
        raise Unfit(message, remedy or 'Write for example path = "{annotator}/{document}".')
    if repeated := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
        message = f"is {quoted(value)}, which has the place {{{repeated[0]}}} more than once."
        raise Unfit(message, "Name each place once.")
    return value


Listed = Annotated[tuple[Item, ...], Strict(strict=False)]
Unique = Annotated[Listed[Item], AfterValidator(without_repetition)]

# Names are compared in one form of Unicode; texts and labels too.
Name = Annotated[str, AfterValidator(nfc)]
Text = Annotated[str, Field(pattern=NOT_BLANK), AfterValidator(nfc)]
Cell = Annotated[str, AfterValidator(as_compared)]
Label = Annotated[str, Field(min_length=1), AfterValidator(as_compared)]
Identifier = Annotated[str, Field(pattern=IDENTIFIER), AfterValidator(not_taken)]
VersionName = Annotated[str, Field(pattern=IDENTIFIER), AfterValidator(version_name)]
Doi = Annotated[str, Field(pattern=DOI)]
Orcid = Annotated[str, Field(pattern=ORCID)]
LanguageTag = Annotated[str, Field(pattern=LANGUAGE_TAG)]
WebAddress = Annotated[str, Field(pattern=WEB_ADDRESS)]
ServerAddress = Annotated[WebAddress, AfterValidator(server_address)]
ProjectName = Annotated[Text, BeforeValidator(project_name, json_schema_input_type=str | int)]
Currency = Annotated[str, Field(pattern=CURRENCY)]
Milliseconds = Annotated[int, BeforeValidator(milliseconds, json_schema_input_type=str)]
Day = Annotated[date, BeforeValidator(day)]
Count = Annotated[int, Field(gt=0, le=LARGEST_COUNT)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Weight = Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)]
Coefficient = Annotated[float, Field(ge=-1, le=1, allow_inf_nan=False)]
Level = Annotated[float, Field(gt=0, lt=0.5, allow_inf_nan=False)]
Amount = Annotated[float, Field(ge=0, le=LARGEST_COUNT, allow_inf_nan=False)]
Price = Annotated[float, Field(ge=0, lt=1, allow_inf_nan=False)]
Score = Annotated[str, Field(pattern=SCORE)]
Margin = Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)]
FileName = Annotated[str, AfterValidator(file_of_campaign)]
DistanceName = Annotated[Identifier, AfterValidator(not_a_measures_distance)]
Size = Annotated[Count | str, BeforeValidator(size_or_file)]
Pattern = Annotated[str, AfterValidator(regular_expression)]
PathPattern = Annotated[str, AfterValidator(places_in_path)]

Scale = Literal["nominal", "ordinal", "interval", "ratio", "set"]
Units = Literal[
    "items", "tokens", "sentences", "candidates", "declared", "annotated-by-any", "annotated-by-all"
]
Role = Literal["annotator", "reference", "system", "model"]

Languages = Annotated[
    Unique[Language],
    Field(min_length=1),
    BeforeValidator(one_or_more, json_schema_input_type=Language | Listed[Language]),
]
# Features of marks: their names, or all that marks have.
ALL = "*"
Features = Annotated[
    Unique[Text],
    BeforeValidator(
        lambda value: (ALL,) if value == ALL else value, json_schema_input_type=Literal["*"] | Listed[Text]
    ),
]
Names = Annotated[Listed[Text], BeforeValidator(one_or_more, json_schema_input_type=Text | Listed[Text])]


class Table(BaseModel):
    """A table of campaign.toml: no key but the declared ones, no value taken for another type."""

    # Built when a campaign is loaded: importing this room must cost little.
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)


class Corpus(Table):
    """What is annotated and released."""

    name: Text | None = optional("The corpus, as it is cited.")
    version: Text | None = optional("Its version, in quotes.")
    url: WebAddress | None = optional("Its web page.")
    doi: Doi | None = optional("Its DOI, such as 10.1000/182.")
    language: LanguageTag | None = optional("The language of its texts, as a BCP 47 tag such as en or de-AT.")
    licence: Text | None = optional("Its licence, best as an SPDX identifier.")
    documents: Count | None = optional("Documents in the whole corpus.")
    tokens: Count | None = optional("Tokens in the whole corpus.")
    sampled: Text | None = optional(
        "How the documents that were annotated twice were chosen, such as random."
    )
    # What a data sheet asks of the texts; a report has it on its page of checklists.
    purpose: Text | None = optional("For which purpose it was made, and why of these texts.")
    creators: Text | None = optional("Who made it, and for which institution.")
    funding: Text | None = optional("Who paid for it, with the grant, and conflicts of interest.")
    contents: Text | None = optional(
        "What a document is: kinds of text, domains, topics, and how documents relate to each other."
    )
    source: Text | None = optional(
        "Where the texts come from: data sets, web pages, people; with their own documentation."
    )
    collection: Text | None = optional("How the texts were collected, by whom, and what these were paid.")
    collection_type: Text | None = optional("Its kind in Croissant's words, such as Web Scraping.")
    collected: Text | None = optional("When the texts were collected, such as 2008-01/2009-06.")
    varieties: Text | None = optional("Languages and varieties in words, such as English of Irish nurses.")
    speakers: Text | None = optional("Who wrote or spoke the texts: how many, ages, first languages.")
    situation: Text | None = optional(
        "In which situation texts were produced: when, where, for whom, spoken or written, edited or not."
    )
    preprocessing: Text | None = optional("What was done to the texts before they were annotated.")
    raw: Text | None = optional("Whether the texts are kept as they were collected, and where.")
    quality: Text | None = optional("Errors, noise and repetitions in the texts, and quality of recordings.")
    missing: Text | None = optional("What is missing from the texts, and why.")
    splits: Text | None = optional("Parts for training, development and test, and why these.")
    personal: Text | None = optional("Personal, sensitive or confidential data in the texts.")
    anonymised: Text | None = optional("How personal data were looked for, and what was done to them.")
    offensive: Text | None = optional("What in the texts may offend or frighten.")
    consent: Text | None = optional(
        "Whether those whose texts these are were asked, what they agreed to, and how they can withdraw."
    )
    impact: Text | None = optional("Which effects the data may have on people, and how that was examined.")
    limitations: Text | None = optional("What the corpus is not good for, beside what figures show.")
    biases: Text | None = optional("Biases of the texts or of their choice, beside what figures show.")
    uses: Text | None = optional("What it was used for, and for what else it is meant.")
    misuses: Text | None = optional("What it should not be used for.")
    distribution: Text | None = optional(
        "To whom it is given, how and when, and what of it lies elsewhere and may vanish."
    )
    restrictions: Text | None = optional("Rights of others, terms of sources, export controls.")
    maintenance: Text | None = optional(
        "Who maintains it and until when, what becomes of old versions, and how others can contribute."
    )
    contact: Text | None = optional("How to reach those who maintain it.")
    errata: Text | None = optional("Where errors are listed.")
    comments: Text | None = optional("What else readers should know.")


class AnnotationSource(Table):
    """Where people annotate, from where `reportgen pull` fetches exports."""

    tool: Literal["label-studio", "doccano", "argilla", "inception", "potato", "datasets"] = Field(
        description="The tool: a server, or a folder that Potato or Hugging Face's datasets wrote."
    )
    url: ServerAddress | None = optional("The address of the server, without user and password.")
    project: ProjectName | None = optional(
        "The project there: its number, as in the address of its page; INCEpTION: its number or name; "
        "Argilla: the name of the dataset, or workspace/name where several workspaces have one."
    )
    approved: bool = Field(
        default=False, description="doccano: documents alone that an annotator has marked as finished."
    )
    folder: Text | None = optional(
        "The folder of Potato's answers, or of a saved dataset, from the campaign's."
    )


class Author(Table):
    """Somebody who signs the report."""

    name: Text = Field(description="The name as it is cited.")
    orcid: Orcid | None = optional("The ORCID, such as 0000-0002-1825-0097.")
    affiliation: Text | None = optional("Institution.")


class Protocol(Table):
    """How it was annotated."""

    tool: Text | None = optional("The annotation tool.")
    independent: bool | None = optional("Whether annotators worked without seeing each other's marks.")
    pre_annotated_by: Text | None = optional("What marked the texts before the annotators saw them.")
    training: Text | None = optional("How the annotators were trained.")
    recruitment: Text | None = optional("How they were found.")
    pay: Text | None = optional("What they were paid.")
    adjudication: Text | None = optional("How disagreements were settled.")
    language_proficiency: Text | None = optional("How well annotators know the language of the texts.")
    expertise: Text | None = optional("What annotators knew of the subject, and of annotating.")
    demographics: Text | None = optional(
        "Who the annotators are, as they reported it and as no group becomes too small: age, gender, country."
    )
    instructions: Text | None = optional("What annotators were told beside the guidelines, or where that is.")
    instructions_version: Text | None = optional("The version of these instructions, in quotes.")
    risks: Text | None = optional("Which risks annotators were warned of, and how they were protected.")
    pay_amount: Amount | None = optional("What they were paid, as a number.")
    pay_currency: Currency | None = optional("Its currency, such as EUR.")
    pay_per: Text | None = optional("What the amount was paid for, such as hour or document.")
    pay_minimum: Amount | None = optional("The local minimum wage for as much, in the same currency.")
    consent: Text | None = optional("Whether annotators agreed, and what they knew of the use of their work.")
    ethics: Text | None = optional("Which ethics board approved or exempted it, with the number.")
    began: Day | None = optional("When annotation began, such as 2009-06-01.")
    ended: Day | None = optional("When it ended.")
    software: Text | None = optional(
        "Other programs that processed or labelled the texts, with versions and where they are."
    )
    assistants: Text | None = optional("What AI assistants were used for.")
    in_order: bool | None = optional(
        "Whether exports list documents, or units without one, in the order in which they were labelled."
    )
    minutes_per_document: float | None = Field(
        default=None, gt=0, allow_inf_nan=False, description="Mean annotation time of a document."
    )


class Reference(Table):
    """A work that the report cites."""

    title: Text = Field(description="The work's title.")
    authors: Names = Field(default=(), description="Its authors, one text or a list of them.")
    year: int | None = Field(default=None, ge=1000, le=9999, description="The year of publication.")
    doi: Doi | None = optional("Its DOI, such as 10.1000/182.")


ADDRESS = re.compile(r"[^\s@]+@[^\s@]+\.\w{2,}")


class Privacy(Table):
    """What the report may show of people and texts."""

    annotators: Literal["pseudonyms", "names"] = Field(
        default="pseudonyms",
        description="Whether annotators appear as A01, A02, … or under their names, addresses never.",
    )
    systems: Literal["pseudonyms", "names"] = Field(
        default="names", description="Whether systems and models, which are not persons, have their names."
    )
    documents: Literal["pseudonyms", "names"] | None = optional(
        "Whether documents, and units that a table names, appear as D0001, U00001, … or under "
        "their names; by default under their names on the site, not in a bundle."
    )
    texts: Literal["show", "withhold"] = Field(
        default="show", description="Whether pages show the annotated texts."
    )
    smallest: Count = Field(
        default=3,
        description="Tables of people join labels that somebody gave to fewer units than this, and groups of "
        "fewer annotators are shown nowhere; 1 joins none.",
    )
    labels: Literal["show", "withhold"] = Field(
        default="show",
        description="Whether bundles and `reportgen labels` have the table of who gave which label to what.",
    )
    times: Literal["days", "show", "withhold"] = Field(
        default="days",
        description="Whether that table has the day of each label, the second (show), or nothing of times; "
        "results name no day then.",
    )

    def hides(self, annotator: str, role: str = "annotator") -> bool:
        """Say whether somebody of a role has a pseudonym: an e-mail address is shown to nobody."""
        who = self.systems if role in {"system", "model"} else self.annotators
        return who == "pseudonyms" or ADDRESS.search(annotator) is not None


# What the attribute is called where there is but one, which has no name.
GROUP = "group"


def _by_attribute(value: object) -> object:
    return {GROUP: value} if isinstance(value, str) else value


Groups = Annotated[
    dict[Text, Text], BeforeValidator(_by_attribute, json_schema_input_type=Text | dict[Text, Text])
]


class Annotator(Table):
    """Who stands behind one annotator's name in the exports."""

    system: Text | None = optional("The system whose release this is.")
    release: Text | None = optional("The system's release, in quotes.")
    role: Role = Field(
        default_factory=lambda data: "system" if data.get("system") else "annotator",
        description="annotator (the default), reference (gold or adjudicated), system or model.",
    )
    same_as: Label | None = optional("The annotator whose second pass this is, by name in the exports.")
    model: Text | None = optional("The model, as its provider calls it.")
    provider: Text | None = optional("Who offers the model, or where it ran.")
    version: Text | None = optional("The model's version, in quotes.")
    prompt: FileName | None = optional("The file of the prompt: its guideline.")
    temperature: float | None = Field(
        default=None, ge=0, allow_inf_nan=False, description="The temperature of sampling."
    )
    seed: int | None = Field(default=None, ge=0, description="Where its random numbers began.")
    date: Day | None = optional("When it labelled, such as 2025-06-01.")
    group: Groups = Field(
        default_factory=dict,
        description='To which group a person belongs, such as "students", or to which by several attributes: '
        '{ age = "18-29", L1 = "Breton" }. Groups of fewer people than [privacy] smallest are nowhere told.',
    )
    examples: int | None = Field(default=None, ge=0, description="How many labelled examples the prompt has.")


class Controls(Table):
    """Control items, whose right label is known."""

    file: FileName = Field(
        description="A CSV file with the columns unit and label; document and layer may be beside."
    )
    reject_below: Share | None = optional(
        "Annotators are rejected whose share of right labels is below this (upper Wilson end)."
    )
    minimum: Count = Field(default=10, description="Control items that somebody must have labelled first.")


class ReplacementRule(Table):
    """What it takes for a model to take an annotator's place: Calderon, Reichart and Dror (2025), ACL."""

    epsilon: Price | None = optional(
        "The price of a person: by how much more often a human may be nearer to the others than "
        "the model. The authors advise 0.2 for experts, 0.15 for trained annotators and 0.1 for crowds; "
        "without it there is no verdict."
    )
    why: str = Field(default="", description="Why this price: the argument, in Markdown.")
    score: Score | None = optional(
        'How near a label is to others: "accuracy" (nominal scales), "neg_rmse" (numbers and '
        'ranks), "similarity" or "similarity[masi]" (a distance; sets), "f_measure" (marks in texts, by '
        "document)."
    )
    q: Level = Field(default=0.05, description="The false discovery rate over the humans of a model.")
    minimum_humans: int = Field(
        default=2, ge=2, description="How many humans must have labelled a unit for it to count."
    )
    minimum_instances: Count = Field(
        default=30, description="Units that a human must have labelled to be tested; below 30 by ranks."
    )
    expert: Label | None = optional(
        "Who is trusted, by name in the exports: is the model nearer to this one than the others are?"
    )


class VersionDemands(Table):
    """What a rule of [gate] may demand of a figure of the newest version, each key by itself."""

    value: Coefficient | None = optional("The figure must not be below this.")
    low: Coefficient | None = optional("The lower end of its interval must not be below this.")
    half_width: Margin | None = optional("Its interval must not reach farther than this, half its width.")
    winning_rate: Share | None = optional(
        "Of replacement alone: the share of annotators that the model must beat, units being clustered by "
        "document where documents are known."
    )


class ChangeDemands(Table):
    """What a rule of [gate] may demand of how a figure moved since the version before."""

    fall: Literal["significant"] | None = optional(
        '"significant": it must not have fallen significantly since the version before.'
    )
    margin: Margin | None = optional(
        "It must be shown not to have fallen by so much or more since the version before; where "
        "data are too few for that, the rule is broken."
    )


class Floor(ChangeDemands, VersionDemands):
    """What the gate demands of one figure of the newest version."""

    at: Level = Field(
        default=0.05,
        description="How often fall and margin may err, one-sided; over all rules with fall after Holm.",
    )
    model: Label | None = optional("Of replacement alone: the model that is meant, by its name in exports.")
    category: Label | None = optional("The category whose figure is meant.")
    layer: Identifier | None = optional("The layer; without it, every layer that has the figure.")
    unit_set: Identifier | None = optional("The unit set; without it, the primary one.")
    annotators: Unique[Label] = Field(
        default=(),
        description="The two whose figure is meant, annotators, references or systems, by their names in the "
        "exports; without it, all annotators.",
    )


Floors = Annotated[Listed[Floor], BeforeValidator(one_or_more, json_schema_input_type=Floor | Listed[Floor])]


# The table of campaign.toml that asks for gamma.

MOST_SAMPLES = 100_000
MOST_SEEDS = 2**32

Samples = Annotated[int, Field(ge=2, le=MOST_SAMPLES)]
Seed = Annotated[int, Field(ge=0, lt=MOST_SEEDS)]
Precision = Annotated[float, Field(gt=0, lt=1, allow_inf_nan=False)]


class Unitizing(Table):
    """Whether gamma is computed beside the other unitizing figures, and how."""

    gamma: bool = Field(
        default=False,
        description="Whether gamma, gamma-cat and gamma-k are computed: slow, sampled, and only where the "
        "package pygamma-agreement is installed.",
    )
    samples: Samples = Field(default=30, description="How many random continua a document has.")
    seed: Seed = Field(default=20150901, description="Where the random numbers begin.")
    precision: Precision | None = optional(
        "The relative error of the expected disorder to be reached at 95%, such as 0.02: more "
        "samples are drawn as it takes."
    )
    alpha: Weight = Field(default=1.0, description="How much the places of units weigh.")
    beta: Weight = Field(default=1.0, description="How much their types weigh.")
    delta_empty: Weight = Field(default=1.0, description="What a unit costs that has no partner.")


# The whole of campaign.toml, and the tables of it that figures depend on.

OF_DATABASE = {"table", "database"}
NO_SERVER = "is not the address of a database server."
WRITE_SERVER = (
    "Write an address such as postgres://host/campaign, or the name of a file in the campaign's folder: "
    'exports = { table = "labels", database = "campaign.duckdb" }.'
)


class Task(Table):
    """What annotators decided about each unit."""

    categories: Unique[Label] = Field(
        default=(), description="The categories in their order; those that occur nowhere still count."
    )
    non_annotated: Label | None = optional("The name of the pseudo-category of units that nobody marked.")
    scale: Scale = Field(default="nominal", description="How categories relate to each other.")
    coefficient: Text | None = optional("The primary coefficient, such as krippendorff_alpha.")
    subject: SubjectId | None = optional(
        "What the verdict is about: one annotator's labels, those of a crowd together, systems beside a "
        "reference, a model as judge, recordings, or people beside themselves; without it, found."
    )
    tolerance: Milliseconds | None = optional(
        'Recordings: how far apart boundaries may be that are the same, such as "200 ms".'
    )
    priority: Unique[Label] = Field(
        default=(), description="Which category a unit takes under two marks: the first in this list."
    )
    category_count: Count | None = optional("How many categories there are, where they are too many to list.")
    features: Features = Field(
        default=(),
        description='Features that two marks must share to be a match, beside the category; "*": all.',
    )
    feature_match: Literal["equal", "subset"] = Field(
        default="equal",
        description='How: "equal", or "subset" where the key may lack what the response says.',
    )
    beta: Weight = Field(
        default=1.0, description="How many times as much recall weighs as precision in the F-measure."
    )


def without_inherited_defaults(schema: dict[str, Any]) -> None:
    """Take the defaults of [task] out of the schema of a table where [task] itself is the default."""
    for name in Task.model_fields:
        schema["properties"][name].pop("default", None)


class Layer(Task):
    """One of several things labelled in the campaign; what it leaves open comes from [task]."""

    model_config = ConfigDict(json_schema_extra=without_inherited_defaults)

    id: Identifier = Field(description="The layer's name in the report.")
    source: Text | None = Field(
        default_factory=lambda data: data.get("id"),
        description='A column, an annotation type, a layer, or "Type->feature"; by default, its id.',
    )


class UnitSet(Table):
    """What counts as a unit, and so how large the non-annotated category is."""

    id: Identifier = Field(description="The unit set's name in the report.")
    units: Units = Field(description="What counts as a unit.")
    primary: bool = Field(default=False, description="Whether the verdict rests on this unit set.")
    why: str = Field(default="", description="Why these units: the argument, in Markdown.")
    size: Size | None = optional("Units that are declared: their number, or a CSV of document and size.")
    token_pattern: Pattern | None = optional(
        "A regular expression of tokens; without it, whitespace separates them."
    )
    file: FileName | None = optional(
        "Candidates: a list of terms, one a line, matched as written; # comments."
    )
    layer: Text | None = optional(
        "Candidates: the id of a layer, or a type of the export, whose marks they are."
    )
    keep_marked: bool = Field(
        default=False, description="Candidates: marks outside them become units instead of being left out."
    )
    layers: Unique[Identifier] = Field(
        default=(), description="The layers whose units these are, by their ids; without it, all of them."
    )
    base: Literal["tokens"] | None = optional('"tokens": in exports of spans, count tokens instead of marks.')


class Distance(Table):
    """How far categories are from each other, as the campaign's experts see it."""

    id: DistanceName = Field(description="The name in brackets behind figures, such as expert.")
    file: FileName | None = optional(
        "A CSV table with the categories as first row and first column, or GATE's BDM scores."
    )
    taxonomy: FileName | None = optional(
        "A taxonomy, whose BDM gives the distances: a CSV of child and parent, RDF/OWL or SKOS."
    )
    why: str = Field(default="", description="Why these distances: the argument, in Markdown.")

    @property
    def source(self) -> str:
        """Return the name of the file that the distances come from."""
        return self.file or self.taxonomy or ""


class UnitSetOverride(Table):
    """What one guidelines version says differently about a unit set."""

    size: Size = Field(description="The size under this guidelines version.")


class DistanceOverride(Table):
    """What one guidelines version says differently about a distance."""

    file: FileName | None = optional("The distance table or BDM scores of this guidelines version.")
    taxonomy: FileName | None = optional("The taxonomy of this guidelines version.")


class Columns(Table):
    """Which columns of a ratings table hold what."""

    unit: Text | None = optional("The column of units.")
    annotator: Text | None = optional("The column of annotators.")
    document: Text | None = optional("The column of documents.")
    label: Text | None = optional("The column of labels.")
    pass_: Text | None = Field(default=None, alias="pass", description="The column of passes.")
    text: Text | None = optional("The column of units' texts, which are shown where annotators differ.")
    question: Text | None = optional(
        "The column that says what was asked, where each row is an answer; each question is a layer."
    )
    answer: Text | None = optional("The column of answers, beside that of questions.")
    group: Annotated[
        Unique[Text], BeforeValidator(one_or_more, json_schema_input_type=Text | Listed[Text])
    ] = Field(
        default=(),
        description='Columns of what annotators are, beside each of their labels: ["age", "gender", "L1"]. '
        "Groups of fewer people than [privacy] smallest are published nowhere.",
    )


HeaderPattern = Annotated[
    str, Field(pattern=r"^[^{}]*\{(layer|annotator)\}([^{}]+\{(layer|annotator)\})?[^{}]*$")
]


Line = Annotated[int, Field(ge=0, le=LARGEST_COUNT)]


class ReadOptions(Table):
    """How the exports of one guidelines version are to be read."""

    format: Text | None = optional("The export format; without it, detected.")
    path: PathPattern | None = optional('Where names are in export paths, such as "{annotator}/{document}".')
    columns: Columns = Field(default_factory=Columns, description="Which column is what.")
    set_separator: Label | None = optional("What separates the labels of a set in one cell.")
    missing: Unique[Cell] = Field(default=(), description="Cells that mean a missing rating.")
    headers: HeaderPattern | None = optional(
        'Where questions and annotators stand in the headers of a table, such as "{layer}_{annotator}".'
    )
    indicators: Unique[Text] = Field(
        default=(), description="Columns of 0 and 1, one for each label of a set."
    )
    header: Annotated[
        Listed[Line], BeforeValidator(one_or_more, json_schema_input_type=Line | Listed[Line])
    ] = Field(
        default=(),
        description="The line of a table's header, or its two lines; 0 for a table without one; else, found.",
    )
    skip_rows: Unique[Count] | None = optional(
        "The lines of a table that are not rows of labels, such as totals; without it, found."
    )
    sheets: Unique[Text] = Field(
        default=(), description="The sheets of a workbook that are read; without it, found."
    )
    fill_down: Unique[Text] = Field(
        default=(),
        description="Columns that are filled in the first of several rows only; without it, found.",
    )
    turned: bool = Field(
        default=False, description="Whether a table has a row for each annotator, and a column for each unit."
    )
    encoding: Text | None = optional(
        "How a table is encoded that is not in UTF-8, such as cp1252; else, found."
    )
    decimal: Literal[",", "."] | None = optional(
        "What is before the fractions of numbers in a table; without it, found."
    )
    beside: dict[Text, Text] = Field(
        default_factory=dict,
        description="What the columns are that are not read, as `init` writes it; build says what changed.",
    )
    rejected: Label | None = optional(
        "Prodigy: the label of a choice that was rejected; without it, it is left out."
    )
    normalise: Unique[Literal["lowercase", "strip"]] = Field(
        default=(), description="What is done to labels before they are compared."
    )
    labels: dict[Label, Label] = Field(
        default_factory=dict,
        description='Labels that are renamed before they are compared, such as { "N/A " = "N/A" }.',
    )
    annotators: Unique[Label] = Field(
        default=(), description="The annotators to compare; without it, everyone found."
    )
    table: Text | None = optional("The table or view of a database that is the export.")
    database: Text | None = optional(
        "The address of the database where the table lies, such as postgres://host/campaign."
    )
    engine: EngineId | None = optional(
        "Who reads tables; by default DuckDB reads large ones. Results are the same."
    )

    @field_validator("database", mode="after")
    @classmethod
    def _of_a_server(cls, value: str | None) -> str | None:
        if value is not None and not is_server(value):
            raise Unfit(NO_SERVER, WRITE_SERVER)
        return value


class TableOfDatabase(TypedDict):
    """A table as an export."""

    database: Annotated[str, Field(description="The file of a DuckDB or SQLite database, or an address.")]
    table: Annotated[str, Field(description="The table or view in it that is the export.")]


class Guidelines(Task, ReadOptions):
    """One version of the guidelines, or a round of one, and what was annotated by it."""

    model_config = ConfigDict(json_schema_extra=without_inherited_defaults)

    version: VersionName = Field(description="The version, in quotes.")
    date: Day | None = optional("When it came into use, such as 2009-06-01.")
    was: Annotated[
        Unique[VersionName],
        BeforeValidator(one_or_more, json_schema_input_type=VersionName | Listed[VersionName]),
    ] = Field(
        default=(),
        description="What the version was called earlier, one name or several: their addresses lead here.",
    )
    released: Day | None = optional(
        "When its report was released, such as 2026-11-25; by default the day of SOURCE_DATE_EPOCH."
    )
    again: str = Field(
        default="",
        description="Why it was released again with other labels; `reportgen bundle --again` writes it.",
    )
    exports: Annotated[
        Listed[str],
        BeforeValidator(one_or_more, json_schema_input_type=str | TableOfDatabase | Listed[str]),
    ] = Field(
        default_factory=tuple,
        validate_default=True,
        description="A folder, a file, or a list of them and of globs; by default exports/<version>. A table "
        'of a database is { table = "labels", database = "campaign.duckdb" }.',
    )
    document: FileName | None = optional("The file of the guidelines themselves.")
    changes: str = Field(default="", description="What changed since the version before, in Markdown.")
    merged: dict[
        Label,
        Annotated[Listed[Label], BeforeValidator(one_or_more, json_schema_input_type=Label | Listed[Label])],
    ] = Field(
        default_factory=dict,
        description="Categories of earlier versions and what became of them in this one: another name, the "
        "name of one that several became, or the list of those that one was split into.",
    )
    adjudication: Annotated[
        Listed[FileName], BeforeValidator(one_or_more, json_schema_input_type=FileName | Listed[FileName])
    ] = Field(
        default=(),
        description="A filled adjudication sheet, CSV or Excel, or several: decisions become a reference.",
    )
    unit_sets: dict[str, UnitSetOverride] = Field(
        default_factory=dict, description="Unit sets by id whose size is another in this version."
    )
    distances: dict[str, DistanceOverride] = Field(
        default_factory=dict, description="Distances by id whose table is another in this version."
    )

    @model_validator(mode="before")
    @classmethod
    def _of_database(cls, data: object) -> object:
        # { table, database } is a file as the export, or an address and no file, and the table to take of it.
        exports = data.get("exports") if isinstance(data, Mapping) else None
        if isinstance(data, Mapping) and isinstance(exports, Mapping) and exports.keys() == OF_DATABASE:
            database, table = exports["database"], exports["table"]
            if isinstance(database, str) and is_address(database):
                if not is_server(database):
                    return data
                return {**data, "exports": [], "database": database, "table": table}
            return {**data, "exports": [database], "table": table}
        return data

    @field_validator("exports", mode="before")
    @classmethod
    def _exports_of_version(cls, value: object, info: ValidationInfo) -> object:
        # The default is an empty tuple, which no TOML file can have: there it is a list.
        if isinstance(value, Mapping):
            if value.keys() == OF_DATABASE:
                raise Unfit(NO_SERVER, WRITE_SERVER)
            remedy = 'Write exports = { table = "labels", database = "campaign.duckdb" }.'
            raise Unfit("is a table of other keys than table and database.", remedy)
        version = info.data.get("version")
        return [f"exports/{version}"] if value == () and version else value

    @field_validator("exports", mode="after")
    @classmethod
    def _exports_that_exist(cls, value: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        if not value and "version" in info.data and not info.data.get("database"):
            raise Unfit("is an empty list; exports were expected.", 'Write exports = "exports/1.0".')
        if isinstance(info.context, Path):
            export_files(info.context, value)
        return value


class CampaignToml(Table):
    """What a campaign.toml says: the campaign, its units and distances, and its guidelines versions."""

    schema_: Annotated[Literal[1], Field(alias="schema")] = Field(
        default=1,
        description="The format of this file; a version of reportgen that does not know it says so.",
    )
    title: Text = Field(description="The campaign's title.")
    language: Languages = Field(default=("en",), description="The report's language or languages.")
    source: AnnotationSource | None = optional("Where people annotate: `reportgen pull` fetches from there.")
    corpus: Corpus = Field(default_factory=Corpus, description="What is annotated and released.")
    authors: Listed[Author] = Field(default=(), description="Who signs the report.")
    protocol: Protocol = Field(default_factory=Protocol, description="How it was annotated.")
    references: Listed[Reference] = Field(default=(), description="Works that the report cites.")
    privacy: Privacy = Field(default_factory=Privacy, description="What may be shown.")
    task: Task = Field(default_factory=Task, description="What annotators decided about each unit.")
    layers: Listed[Layer] = Field(default=(), description="Several things labelled; without any, one: main.")
    annotators: dict[Name, Annotator] = Field(
        default_factory=dict, description="Who the annotators are, by their names in the exports."
    )
    controls: Controls | None = optional("Control items.")
    replacement: ReplacementRule | None = optional("What it takes for a model to take an annotator's place.")
    unit_sets: Listed[UnitSet] = Field(default=(), description="What counts as a unit; by default, items.")
    distances: Listed[Distance] = Field(default=(), description="A-priori distances between categories.")
    unitizing: Unitizing = Field(default_factory=Unitizing, description="Whether gamma is computed, and how.")
    guidelines: Annotated[Listed[Guidelines], Field(min_length=1), BeforeValidator(few_versions)] = Field(
        description="The guidelines versions, the oldest first."
    )
    gate: dict[str, Floors] = Field(
        default_factory=dict,
        description="What `reportgen check` demands of the newest version, by figure, one table or several: "
        'krippendorff_alpha, cohen_kappa, "f_measure[strict]", …',
    )
