"""Names as ids: of the letters that an id may have, and different by more than case."""

import re
import unicodedata
from collections.abc import Iterable

from reportgen.campaign.values import TAKEN_BESIDE_VERSIONS

LONGEST = 40


def slug(name: str, otherwise: str = "x") -> str:
    """Return a name in the letters of an id."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    fitting = re.sub(r"\.{2,}", ".", re.sub(r"[^A-Za-z0-9._-]+", "-", plain))
    return fitting.strip("._-")[:LONGEST].rstrip("._-") or otherwise


def different(names: Iterable[str], otherwise: str = "x") -> list[str]:
    """Return an id for each name; those that are alike are numbered."""
    seen = set(TAKEN_BESIDE_VERSIONS)
    ids: list[str] = []
    for name in names:
        first = identity = slug(name, otherwise)
        number = 1
        while identity.casefold() in seen:
            number += 1
            identity = f"{first}-{number}"
        seen.add(identity.casefold())
        ids.append(identity)
    return ids
