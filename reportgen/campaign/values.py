"""The kinds of value that a campaign.toml holds, and what is checked of each one alone."""

import re
import warnings
from collections.abc import Collection
from datetime import date
from pathlib import Path
from typing import Annotated, Literal, TypeVar, get_args

from pydantic import AfterValidator, BeforeValidator, Field, Strict, ValidationInfo

from reportgen.campaign.paths import existing_file
from reportgen.campaign.wording import Unfit, alternatives, did_you_mean, found, quoted

Item = TypeVar("Item")

NOT_BLANK = r"\S"
IDENTIFIER = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
DOI = r"^10\.[0-9]{4,9}/\S+$"
ORCID = r"^[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X]$"
WEB_ADDRESS = r"^https?://\S+$"
SCORE = r"^(accuracy|neg_rmse|similarity|similarity\[[A-Za-z0-9][A-Za-z0-9._-]*\])$"
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
    SCORE: (
        'a score, "accuracy", "neg_rmse", "similarity" or that with a distance in brackets,',
        '"similarity[masi]"',
    ),
}

Language = Literal["en", "fr"]
# The site gives these names to pages and files of its own.
TAKEN = ("compare", "index.html", "history.json")
# In a campaign's folder, where its versions stand, there are more; a test holds the list against a site.
TAKEN_BESIDE_VERSIONS = (
    *(*TAKEN, "history.md", "badge.svg", "badge.json", "feed.xml"),
    *("figures", "tables", "sha256sums"),
    *get_args(Language),
)
# Brackets behind a measure's name hold these already.
MEASURE_DISTANCES = (
    "nominal", "ordinal", "interval", "ratio", "circular", "linear", "quadratic", "radical", "bipolar",
    "masi", "jaccard", "dice", "computed", "two-way", "strict", "lenient", "average",
)  # fmt: skip
PLACES_IN_PATH = ("annotator", "document", "layer", "pass")


def not_taken(value: str, taken: Collection[str] = TAKEN) -> str:
    """Return an id; raise Unfit where the site needs it for itself."""
    if value.casefold() in taken:
        raise Unfit(f"is {quoted(value)}, which the site uses for itself.", "Choose another name.")
    return value


def version_name(value: str) -> str:
    """Return a version; raise Unfit where the site has something else of this name, or could not tell.

    Three dots stand between two versions in the name of their comparison.
    """
    if ".." in value:
        message = f"is {quoted(value)}, which has dots in a row: they stand between two versions."
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
    repeated = list(dict.fromkeys(str(value) for value in values if values.count(value) > 1))
    if repeated:
        raise Unfit(f"holds {alternatives(repeated, 'and')} more than once.", "Keep each of them once.")
    return values


def one_or_more(value: object) -> object:
    """Return a list, also where one element was given without brackets."""
    return value if isinstance(value, list | tuple) else [value]


def day(value: object) -> object:
    """Return the date that a text holds, for whoever writes it in quotes; anything else unchanged."""
    if not isinstance(value, str):
        return value
    try:
        if ISO_DATE.fullmatch(value):
            return date.fromisoformat(value)
    except ValueError:
        pass
    message = f"is {found(value)}; a date, year first, was expected."
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
        message = f"is {found(value)}; a whole number above 0, or the name of a CSV file, was expected."
        raise Unfit(message, 'Write size = 1000, or size = "sizes.csv" with columns document and size.')
    return value


def regular_expression(value: str) -> str:
    """Return a regular expression; raise Unfit where it is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a doubtful pattern is the author's business
            re.compile(value)
    except (re.error, RecursionError, OverflowError) as error:
        message = f"is {quoted(value)}, which is no regular expression: {error}."
        raise Unfit(message, r"Correct it; '\w+' in single quotes matches words.") from None
    return value


def places_in_path(value: str) -> str:
    """Return the pattern of export paths; raise Unfit where it names other places or none."""
    places = PLACEHOLDER.findall(value)
    unknown = [place for place in places if place not in PLACES_IN_PATH]
    if unknown or not places:
        shown = alternatives([f"{{{place}}}" for place in PLACES_IN_PATH])
        message = f"is {quoted(value)}; places named {shown} were expected in it."
        mend = did_you_mean(unknown[0], PLACES_IN_PATH) if unknown else ""
        raise Unfit(message, mend or 'Write for example path = "{annotator}/{document}".')
    return value


Listed = Annotated[tuple[Item, ...], Strict(strict=False)]
Unique = Annotated[Listed[Item], AfterValidator(without_repetition)]

Text = Annotated[str, Field(pattern=NOT_BLANK)]
Label = Annotated[str, Field(min_length=1)]
Identifier = Annotated[str, Field(pattern=IDENTIFIER), AfterValidator(not_taken)]
VersionName = Annotated[str, Field(pattern=IDENTIFIER), AfterValidator(version_name)]
Doi = Annotated[str, Field(pattern=DOI)]
Orcid = Annotated[str, Field(pattern=ORCID)]
WebAddress = Annotated[str, Field(pattern=WEB_ADDRESS)]
Day = Annotated[date, BeforeValidator(day)]
Count = Annotated[int, Field(gt=0, le=LARGEST_COUNT)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Weight = Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)]
Coefficient = Annotated[float, Field(ge=-1, le=1, allow_inf_nan=False)]
Level = Annotated[float, Field(gt=0, lt=0.5, allow_inf_nan=False)]
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
Names = Annotated[Listed[Text], BeforeValidator(one_or_more, json_schema_input_type=Text | Listed[Text])]
