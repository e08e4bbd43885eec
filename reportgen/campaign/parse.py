"""The text of a campaign.toml as data, or what is malformed in it."""

import re
import tomllib
from typing import Any

from reportgen.campaign.locate import statement_starts
from reportgen.campaign.wording import quoted
from reportgen.errors import BadInput, Problem

AT_LINE = re.compile(r" \(at line (\d+), column \d+\)$")
AT_END = " (at end of document)"

# How each message of the parser begins, what it means, and how to mend it. The first that fits counts.
MEANINGS = (
    (
        "Invalid value",
        "what stands after = is no value.",
        'Write texts in quotes, such as title = "…", decimals with a point, and true or false in lower case.',
    ),
    (
        "Invalid statement",
        "this line is neither a key with a value nor a [table].",
        'Write key = "value", with # before comments; a key with blanks or accents stands in quotes.',
    ),
    (
        "Invalid initial character for a key",
        "a key was expected here.",
        'Write key = "value"; a key with blanks or accents stands in quotes.',
    ),
    ("Expected '=' after a key", "a key without = was found.", 'Write key = "value".'),
    (
        "Expected newline or end of document",
        "something stands after the end of the value.",
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
        "a backslash stands in a text in double quotes.",
        "Write the text in single quotes, or double the backslash.",
    ),
    ("Unterminated string", "a text is not closed by a quote.", "Add the quote at its end."),
    (
        "Illegal character '\\n'",
        "a text is not closed by a quote on its line.",
        'Add the quote at its end; a text of several lines stands between """ and """.',
    ),
    ("Invalid date", "no such date exists.", "Write it year first, such as 2009-06-01."),
)
OTHERWISE = ("this is not TOML", "Compare it with https://toml.io.")
NOT_CLOSED = ("what begins here is not closed.", "Close its quotes, brackets or braces.")
TOO_DEEP = ("lists or tables are nested too deeply.", "Take some of the brackets away.")
TOO_LARGE = ("a number has too many digits.", "Write a smaller one.")


def parse(text: str, file: str) -> dict[str, Any]:
    """Return what a TOML text holds; raise BadInput, naming `file` and the line, where it is malformed."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line, message, mend = _explained(text, str(error))
    except RecursionError:
        line, (message, mend) = _unfinished(text), TOO_DEEP
    except ValueError:  # raised by Python itself for integers of more than 4300 digits
        line, (message, mend) = _unfinished(text), TOO_LARGE
    shown = text.replace("\r\n", "\n").split("\n")[line - 1].strip()
    raise BadInput([Problem(file, line, message=f"{message} The line reads {quoted(shown)}.", mend=mend)])


def _explained(text: str, complaint: str) -> tuple[int, str, str]:
    place = AT_LINE.search(complaint)
    what = complaint[: place.start()] if place else complaint.removesuffix(AT_END)
    known = next(((message, mend) for start, message, mend in MEANINGS if what.startswith(start)), None)
    if place:
        message, mend = known or (f"{OTHERWISE[0]}: {what}.", OTHERWISE[1])
        return int(place[1]), message, mend
    return _unfinished(text), *(known or NOT_CLOSED)


def _unfinished(text: str) -> int:
    """Return the line, counted from 1, at which the statement starts that never ends."""
    return statement_starts(text)[-1] + 1
