"""What pydantic found wrong, said in plain English for a linguist."""

import types
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from reportgen.campaign.tables import CampaignToml
from reportgen.campaign.values import PATTERNS
from reportgen.campaign.wording import Complaint, KeyPath, Unfit, alternatives, did_you_mean, found, printable

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


def complaints(error: ValidationError, data: Mapping[str, object]) -> Iterator[Complaint]:
    """Yield one complaint for each error that the models found in `data`."""
    for details in error.errors(include_url=False):
        # A list whose elements are wrong is too short as well for pydantic, which counts the good ones.
        if details["type"] == "too_short" and details["input"]:
            continue
        message, mend = _sentences(details)
        yield Complaint(_written(details["loc"], data), message, mend)


def _sentences(details: ErrorDetails) -> Sentences:
    return SENTENCES.get(details["type"], _of_type)(details)


def _context(details: ErrorDetails) -> Mapping[str, Any]:
    return details.get("ctx", {})


def _key(details: ErrorDetails) -> str:
    """Return the name of the key that the error is about, which list positions stand behind."""
    return printable(next((part for part in reversed(details["loc"]) if isinstance(part, str)), ""))


def _unfit(details: ErrorDetails) -> Sentences:
    reason = _context(details)["error"]
    return (reason.message, reason.mend) if isinstance(reason, Unfit) else (f"{reason}.", "")


def _missing(details: ErrorDetails) -> Sentences:
    key = _key(details)
    shape = _bare(_shape(details["loc"]))
    if get_origin(shape) is tuple and _is_table(get_args(shape)[0]):
        return "is missing; at least one was expected.", f"Open one with [[{key}]]."
    expected = f"; {alternatives(get_args(shape))} was expected" if get_origin(shape) is Literal else ""
    return f"is missing{expected}.", f'Write {key} = "…".'


def _unknown(details: ErrorDetails) -> Sentences:
    path = details["loc"]
    known = _keys(_shape(path[:-1]))
    mend = _elsewhere(_key(details)) or did_you_mean(_key(details), known)
    return "is no key of this table.", mend or f"Its keys are {alternatives(known, 'and')}."


def _elsewhere(key: str) -> str:
    """Return where else in campaign.toml a key belongs: a line under the wrong [table] is easily written."""
    if key in _keys(CampaignToml):
        return "It is a key of the whole file: move it to the top, before the first [table]."
    tables = [name for name, field in CampaignToml.model_fields.items() if key in _keys(field.annotation)]
    return f"Move it under [{tables[0]}]." if tables else ""


def _literal(details: ErrorDetails) -> Sentences:
    allowed = get_args(_bare(_shape(details["loc"])))
    message = f"is {found(details['input'])}; {alternatives(allowed)} was expected."
    near = did_you_mean(details["input"], allowed) if isinstance(details["input"], str) else ""
    return message, near or "Write one of them, in quotes."


def _limit(details: ErrorDetails) -> Sentences:
    relation, name = LIMITS[details["type"]]
    bound = f"{_context(details)[name]:,}".removesuffix(".0")
    return f"is {found(details['input'])}; a number {relation} {bound} was expected.", "Correct the number."


def _pattern(details: ErrorDetails) -> Sentences:
    expected, example = PATTERNS[_context(details)["pattern"]]
    return f"is {found(details['input'])}; {expected} was expected.", f"Write for example {example}."


def _blank(_details: ErrorDetails) -> Sentences:
    return "is an empty text.", "Write something between the quotes, or take it away."


def _too_few(details: ErrorDetails) -> Sentences:
    return "is an empty list; at least one was expected.", f"Add one to {_key(details)}."


def _table(details: ErrorDetails) -> Sentences:
    key = _key(details)
    one_too_many = isinstance(details["input"], list)
    mend = f"Write [{key}], with one bracket." if one_too_many else f'Write {key} = {{ … = "…" }}.'
    return f"is {found(details['input'])}; a table was expected.", mend


def _of_type(details: ErrorDetails) -> Sentences:
    value, key = details["input"], _key(details)
    expected, example = TYPES.get(details["type"], ("something else", "…"))
    message = f"is {found(value)}; {expected} was expected."
    if details["type"] == "tuple_type" and isinstance(value, dict):
        return message, f"Write [[{key}]], with two brackets."
    if details["type"] == "string_type" and found(value).startswith("the number"):
        example = f'"{value}"'
    return message, f"Write {'it as' if _in_list(details) else f'{key} ='} {example}."


def _in_list(details: ErrorDetails) -> bool:
    return isinstance(details["loc"][-1], int)


SENTENCES: Mapping[str, Callable[[ErrorDetails], Sentences]] = {
    "value_error": _unfit,
    "missing": _missing,
    "extra_forbidden": _unknown,
    "literal_error": _literal,
    "greater_than": _limit,
    "greater_than_equal": _limit,
    "less_than": _limit,
    "less_than_equal": _limit,
    "string_pattern_mismatch": _pattern,
    "string_too_short": _blank,
    "too_short": _too_few,
    "model_type": _table,
    "dict_type": _table,
}


def _written(path: KeyPath, data: object) -> KeyPath:
    """Return the path as the file has it: no position where one element stands without its list."""
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
    """Return the annotation of what stands under a path of campaign.toml."""
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
