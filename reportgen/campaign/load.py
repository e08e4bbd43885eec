"""From a campaign's folder to its Campaign, or to everything that is wrong with it."""

import os
import re
import tomllib
import types
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from reportgen.base.errors import (
    MOST_TOLD,
    BadInput,
    Problem,
    alternatives,
    escaped,
    for_each,
    nearest,
    quoted,
    refused,
)
from reportgen.base.files import decode, read_bytes
from reportgen.campaign.checks import check
from reportgen.campaign.guidelines import FILE, Campaign
from reportgen.campaign.toml_lines import locate, statement_starts
from reportgen.campaign.toml_tables import CampaignToml
from reportgen.campaign.values import (
    IDENTIFIER,
    PATTERNS,
    Complaint,
    KeyPath,
    Unfit,
    described,
    not_taken,
    why_unreadable,
)

# The text of a campaign.toml as data, or what is malformed in it.

AT_LINE = re.compile(r" \(at line (\d+), column \d+\)$")
AT_END = " (at end of document)"

# What looks like a date and is none: the parser reads a number of it, and finds more behind.
LIKE_A_DATE = re.compile(r"=\s*\d+([-./])\d+\1\d+\s*(#|$)")
YEAR_FIRST = "Write it year first, such as 2009-06-01."
# How each message of the parser begins, what it means, and how to remedy it. The first that fits counts.
MEANINGS = (
    (
        "Invalid value",
        "what follows = is not a value.",
        'Write texts in quotes, such as title = "…", decimals with a point, and true or false in lower case.',
    ),
    (
        "Invalid statement",
        "this line is neither a key with a value nor a [table].",
        'Write key = "value", with # before comments; put a key with blanks or accents in quotes.',
    ),
    (
        "Invalid initial character for a key",
        "a key was expected here.",
        'Write key = "value"; put a key with blanks or accents in quotes.',
    ),
    ("Expected '=' after a key", "a key without = was found.", 'Write key = "value".'),
    (
        "Expected newline or end of document",
        "something follows the end of the value.",
        "Keep one key on a line, and write texts with all their words inside the quotes.",
    ),
    ("Cannot overwrite a value", "this key has a value already.", "Keep one of the two."),
    ("Duplicate inline table key", "this key has a value already.", "Keep one of the two."),
    (
        "Cannot declare",
        "this table was opened before.",
        "Put its keys together under one [table]; a list of tables has two brackets, such as [[guidelines]].",
    ),
    (
        "Cannot mutate immutable namespace",
        "this adds to a table or list that was closed where it was first written.",
        "Write all of it in one place.",
    ),
    ("Expected ']", "a bracket of a table's name is not closed.", "Write [table] or [[table]]."),
    ("Unclosed array", "a list is not closed.", 'Write it as ["one", "two"].'),
    (
        "Unclosed inline table",
        "a table in braces is not closed.",
        'Write it as { key = "value" }, on one line.',
    ),
    (
        "Unescaped '\\' in a string",
        "a text in double quotes has a single backslash.",
        "Write the text in single quotes, or double the backslash.",
    ),
    ("Unterminated string", "a text is not closed by a quote.", "Add the quote at its end."),
    (
        "Illegal character '\\n'",
        "a text is not closed by a quote on its line.",
        'Add the quote at its end; write a text of several lines between """ and """.',
    ),
    ("Invalid date", "no such date exists.", YEAR_FIRST),
)
OTHERWISE = ("this is not TOML", "Compare it with https://toml.io.")
NOT_CLOSED = ("what begins here is not closed.", "Close its quotes, brackets or braces.")
TOO_DEEP = ("lists or tables are nested too deeply.", "Remove some of the brackets.")
DEEPEST = 50
TOO_LARGE = ("a number has too many digits.", "Write a smaller one.")
# A campaign.toml that people write has some kilobytes; to read one of many megabytes takes minutes.
MOST_BYTES = 4 * 1024**2


def parse(text: str, file: str) -> dict[str, Any]:
    """Return what a TOML text holds; raise BadInput, naming `file` and the line, where it is malformed."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line, message, remedy = _explained(text, str(error))
    except RecursionError:
        line, (message, remedy) = _unfinished(text), TOO_DEEP
    except ValueError:  # raised by Python itself for integers of more than 4300 digits
        line, (message, remedy) = _unfinished(text), TOO_LARGE
    else:
        if _is_deep(content):
            raise refused(file, message=TOO_DEEP[0], remedy="Write keys of fewer parts, and fewer brackets.")
        return content
    shown = text.replace("\r\n", "\n").split("\n")[line - 1].strip()
    if remedy != YEAR_FIRST and LIKE_A_DATE.search(shown):
        message, remedy = "this is not a date.", YEAR_FIRST
    raise refused(file, line, message=f"{message} The line reads {quoted(shown)}.", remedy=remedy)


def _is_deep(content: dict[str, Any]) -> bool:
    """Tell whether tables and lists are within each other more often than any campaign needs."""
    inner: list[Any] = [content]
    for _ in range(DEEPEST):
        within = (value.values() if isinstance(value, dict) else value for value in inner)
        inner = [value for values in within for value in values if isinstance(value, dict | list)]
    return bool(inner)


def _explained(text: str, complaint: str) -> tuple[int, str, str]:
    position = AT_LINE.search(complaint)
    what = complaint[: position.start()] if position else complaint.removesuffix(AT_END)
    meaning = next(((message, remedy) for start, message, remedy in MEANINGS if what.startswith(start)), None)
    if position:
        message, remedy = meaning or (f"{OTHERWISE[0]}: {what}.", OTHERWISE[1])
        return int(position[1]), message, remedy
    return _unfinished(text), *(meaning or NOT_CLOSED)


def _unfinished(text: str) -> int:
    """Return the line, counted from 1, at which the statement starts that never ends."""
    return statement_starts(text)[-1] + 1


# What pydantic found wrong, said in plain English for a linguist.

Sentences = tuple[str, str]

# What each type is called, and what a value of it looks like.
TYPES = {
    "string_type": ("a text in quotes", '"…"'),
    "int_type": ("a whole number", "10"),
    "float_type": ("a number", "0.7"),
    "finite_number": ("a number", "0.7"),
    "bool_type": ("true or false", "true"),
    "date_type": ("a date, year first,", "2009-06-01"),
    "tuple_type": ("a list", '["…", "…"]'),
}
LIMITS = {
    "greater_than": ("above", "gt"),
    "greater_than_equal": ("not below", "ge"),
    "less_than": ("below", "lt"),
    "less_than_equal": ("not above", "le"),
}


def _faults(error: ValidationError) -> list[ErrorDetails]:
    """Return what the models found wrong."""
    # A list whose elements are wrong is too short as well for pydantic, which counts the good ones.
    found = error.errors(include_url=False)
    return [details for details in found if details["type"] != "too_short" or not details["input"]]


def complaints(error: ValidationError, data: Mapping[str, object]) -> Iterator[Complaint]:
    """Yield one complaint for each error that the models found in `data`."""
    for details in _faults(error):
        message, remedy = SENTENCES.get(details["type"], _of_type)(details)
        yield Complaint(_written(details["loc"], data), message, remedy)


def _key(details: ErrorDetails) -> str:
    """Return the name of the key that the error is about, which list positions are behind."""
    return escaped(next((part for part in reversed(details["loc"]) if isinstance(part, str)), ""))


def _unfit(details: ErrorDetails) -> Sentences:
    reason = details["ctx"]["error"]
    return (reason.message, reason.remedy) if isinstance(reason, Unfit) else (f"{reason}.", "")


def _missing(details: ErrorDetails) -> Sentences:
    key = _key(details)
    shape = _bare(_shape(details["loc"]))
    if get_origin(shape) is tuple and _is_table(get_args(shape)[0]):
        return "is missing; at least one was expected.", f"Open one with [[{key}]]."
    expected = f"; {alternatives(get_args(shape))} was expected" if get_origin(shape) is Literal else ""
    return f"is missing{expected}.", f'Write {key} = "…".'


def _unknown(details: ErrorDetails) -> Sentences:
    key, keys = _key(details), _keys(_shape(details["loc"][:-1]))
    # Where else a key belongs: a line under the wrong [table] is easily written.
    tables = [name for name, field in CampaignToml.model_fields.items() if key in _keys(field.annotation)]
    if key in _keys(CampaignToml):
        remedy = "It is a key of the whole file: move it to the top, before the first [table]."
    elif tables:
        remedy = f"Move it under [{tables[0]}]."
    else:
        remedy = nearest(key, keys) or f"Its keys are {alternatives(keys, 'and')}."
    return "is not a valid key of this table.", remedy


def _literal(details: ErrorDetails) -> Sentences:
    allowed = get_args(_bare(_shape(details["loc"])))
    message = f"is {described(details['input'])}; {alternatives(allowed)} was expected."
    near = nearest(details["input"], allowed) if isinstance(details["input"], str) else ""
    return message, near or "Write one of them, in quotes."


def _limit(details: ErrorDetails) -> Sentences:
    relation, name = LIMITS[details["type"]]
    bound = f"{details['ctx'][name]:,}".removesuffix(".0")
    message = f"is {described(details['input'])}; a number {relation} {bound} was expected."
    return message, "Correct the number."


def _pattern(details: ErrorDetails) -> Sentences:
    expected, example = PATTERNS[details["ctx"]["pattern"]]
    return f"is {described(details['input'])}; {expected} was expected.", f"Write for example {example}."


def _table(details: ErrorDetails) -> Sentences:
    key = _key(details)
    one_too_many = isinstance(details["input"], list)
    remedy = f"Write [{key}], with one bracket." if one_too_many else f'Write {key} = {{ … = "…" }}.'
    return f"is {described(details['input'])}; a table was expected.", remedy


def _of_type(details: ErrorDetails) -> Sentences:
    value, key = details["input"], _key(details)
    expected, example = TYPES.get(details["type"], ("something else", "…"))
    message = f"is {described(value)}; {expected} was expected."
    if details["type"] == "tuple_type" and isinstance(value, dict):
        return message, f"Write [[{key}]], with two brackets."
    if details["type"] == "string_type" and described(value).startswith("the number"):
        example = f'"{value}"'
    in_list = isinstance(details["loc"][-1], int)
    return message, f"Write {'it as' if in_list else f'{key} ='} {example}."


SENTENCES: Mapping[str, Callable[[ErrorDetails], Sentences]] = {
    "value_error": _unfit,
    "missing": _missing,
    "extra_forbidden": _unknown,
    "literal_error": _literal,
    **dict.fromkeys(LIMITS, _limit),
    "string_pattern_mismatch": _pattern,
    "string_too_short": lambda _: (
        "is an empty text.",
        "Write something between the quotes, or take it away.",
    ),
    "too_short": lambda details: (
        "is an empty list; at least one was expected.",
        f"Add one to {_key(details)}.",
    ),
    "model_type": _table,
    "dict_type": _table,
}


def _written(path: KeyPath, data: object) -> KeyPath:
    """Return the path as the file has it: no position where one element is without its list."""
    written: list[str | int] = []
    for part in path:
        if isinstance(part, int) and not isinstance(data, list):
            continue
        written.append(part)
        if isinstance(data, Mapping):
            data = data.get(part)
        elif isinstance(data, list) and isinstance(part, int):
            data = data[part]
    return tuple(written)


def _shape(path: KeyPath) -> Any:  # noqa: ANN401 - an annotation may be a type, a generic alias or a union
    """Return the annotation of what is under a path of campaign.toml."""
    shape: Any = CampaignToml
    for part in path:
        shape = _bare(shape)
        if _is_table(shape):
            fields = {field.alias or name: field for name, field in shape.model_fields.items()}
            shape = fields[str(part)].annotation
        else:
            arguments = get_args(shape)
            shape = arguments[0] if get_origin(shape) is tuple else arguments[-1]
    return _bare(shape)


def _bare(shape: Any) -> Any:  # noqa: ANN401 - as above
    """Return an annotation without metadata and without "or nothing"."""
    if get_origin(shape) in {Annotated, Union, types.UnionType}:
        return _bare(get_args(shape)[0])
    return shape


def _is_table(shape: object) -> bool:
    return isinstance(shape, type) and issubclass(shape, BaseModel)


def _keys(shape: Any) -> list[str]:  # noqa: ANN401 - as above
    return [field.alias or name for name, field in shape.model_fields.items()] if _is_table(shape) else []


# From a campaign's folder to its Campaign, or to everything that is wrong with it.


def load(folder: Path, name: str | None = None) -> Campaign:
    """Return the campaign that a folder holds.

    `name` is what errors call the folder, by default `folder` itself. Raises BadInput with every
    problem of the folder, its campaign.toml, its distance tables, sizes, terms and control items at once; of
    more mistakes in campaign.toml than anybody reads, with the first and the number of all.
    """
    shown = str(folder) if name is None else name
    declared = _declared(folder, shown, folder)
    campaign = Campaign.model_construct(
        declared.model_fields_set, id=_id(folder), folder=folder.resolve(), name=shown, **dict(declared)
    )
    _check_tables(campaign)
    return campaign


def load_before_exports(folder: Path) -> CampaignToml:
    """Return what campaign.toml says where files that it names, such as exports, need not be there yet.

    Raises BadInput with everything else that is wrong in it.
    """
    return _declared(folder, str(folder), None)


def _id(folder: Path) -> str:
    return Path(os.path.abspath(folder)).name  # noqa: PTH100 - Path.resolve would follow a link


def _declared(folder: Path, shown: str, context: Path | None) -> CampaignToml:
    """Return what campaign.toml says; with the folder as `context`, what it names has to be there.

    Raises BadInput with all that is wrong.
    """
    identity = _id(folder)
    _require_file(folder, shown)
    file = (Path(shown) / FILE).as_posix()
    text = _read(folder / FILE, file)
    data = parse(text, file)
    mistakes, declared = list(check(data)), None
    number = len(mistakes)
    try:
        declared = CampaignToml.model_validate(data, context=context)
    except ValidationError as error:
        number += len(_faults(error))
        mistakes += islice(complaints(error, data), MOST_TOLD)
    mistakes = mistakes[: MOST_TOLD - (number > MOST_TOLD)]
    lines = locate(text, [mistake.path for mistake in mistakes]) if mistakes else {}
    problems = [
        *_bad_name(identity, shown),
        *(mistake.problem(file, lines[mistake.path]) for mistake in mistakes),
    ]
    if number > MOST_TOLD:
        message = f"has {number:,} mistakes, of which {len(mistakes)} are listed."
        problems.append(Problem(file, message=message, remedy="Mend these first.", others=number - MOST_TOLD))
    if problems or declared is None:
        raise BadInput(problems)
    return declared


def _read(path: Path, file: str) -> str:
    """Return the text of a campaign.toml; raise BadInput where it is too long to be one, or no text."""
    content = read_bytes(path, file)
    if len(content) > MOST_BYTES:
        message = f"has {len(content):,} bytes; {MOST_BYTES:,} are read at most."
        raise refused(file, message=message, remedy="Put long lists into files of their own.")
    return decode(content, file)


def _require_file(folder: Path, shown: str) -> None:
    """Raise BadInput where there is no such folder, it can't be read or has no campaign.toml."""
    try:
        names = [path.name for path in folder.iterdir()]
    except FileNotFoundError:
        message, remedy = "there is no such folder.", "Check the name."
    except NotADirectoryError:
        message, remedy = "is a file; a campaign's folder was expected.", "Name the folder."
    except (OSError, ValueError) as error:
        message, remedy = f"can't be read: {why_unreadable(error)}.", "Check that you may read the folder."
    else:
        if FILE in names:
            return
        message = f"has no {FILE}."
        write = f"Write one from the exports in it: reportgen init {shown}."
        remedy = nearest(FILE, names) or (
            write if names else "Name a campaign's folder, which has a campaign.toml."
        )
    raise refused(shown, message=message, remedy=remedy)


def _bad_name(identity: str, shown: str) -> Iterator[Problem]:
    try:
        not_taken(identity)
    except Unfit as reason:
        yield Problem(shown, message=f"the folder's name {reason.message}", remedy="Rename the folder.")
    if not re.fullmatch(IDENTIFIER, identity):
        message = (
            f"the folder's name {quoted(identity)} is the campaign's id, which takes "
            'letters, digits, ".", "_" and "-" only, a letter or digit first.'
        )
        yield Problem(shown, message=message, remedy="Rename the folder.")


def _check_tables(campaign: Campaign) -> None:
    """Raise BadInput with all that is wrong in the tables and lists of any guidelines version."""
    readings: list[Callable[[], object]] = []
    for version in map(campaign.version, campaign.versions):
        readings += [version.distance_tables, version.control_items]
        readings += [partial(version.sizes, unit_set) for unit_set in version.unit_sets]
        readings += [partial(version.terms, unit_set) for unit_set in version.unit_sets]
    for_each(readings, lambda reading: reading())
