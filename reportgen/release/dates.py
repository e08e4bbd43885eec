"""The date of a bundle: that of the release where somebody says it, else of the guidelines; never today's."""

import datetime as dt
from collections.abc import Mapping

from reportgen.errors import BadInput, Problem
from reportgen.memory import DATED


def released_on(guidelines: str | None, environment: Mapping[str, str]) -> str | None:
    """Return the day of SOURCE_DATE_EPOCH in UTC where it is set, else that of the guidelines, None without.

    Raises BadInput where what is set is no moment.
    """
    given = environment.get(DATED, "")
    if not given:
        return guidelines
    try:
        return dt.datetime.fromtimestamp(_seconds(given), dt.UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        message = f'is "{given}"; whole seconds since 1970 were expected.'
        mend = "Write it as date +%s does, or unset it."
        raise BadInput([Problem(DATED, message=message, mend=mend)]) from None


def _seconds(given: str) -> int:
    if not (given.isascii() and given.isdigit()):
        raise ValueError
    return int(given)
