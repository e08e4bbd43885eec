"""The kinds of value in a campaign.toml: how each is checked and put into words, where its files are."""

import os
import re
import warnings
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from datetime import date, datetime, time
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypeVar, get_args
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, Strict, ValidationInfo

from reportgen.base import ENGINES, LANGUAGES
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import Problem, alternatives, escaped, nearest, quoted, reason
from reportgen.base.files import as_compared, nfc
from reportgen.base.site_folder import PSEUDONYMS, RELEASED
from reportgen.base.system import portable
from reportgen.catalogue import BRACKETS

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

if TYPE_CHECKING:
    Language = str
    EngineId = str
else:
    Language = Literal[tuple(LANGUAGES)]
    EngineId = Literal[tuple(ENGINES)]
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
