"""Licences by their identifiers in the SPDX list, as far as corpora and tools are released under them."""

import re

CREATIVE_COMMONS = ("BY", "BY-SA", "BY-NC", "BY-NC-SA", "BY-ND", "BY-NC-ND")
VERSIONS = ("1.0", "2.0", "2.5", "3.0", "4.0")
OTHERS = (
    "AGPL-3.0-only",
    "AGPL-3.0-or-later",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "CDLA-Permissive-1.0",
    "CDLA-Permissive-2.0",
    "CDLA-Sharing-1.0",
    "DL-DE-BY-2.0",
    "DL-DE-ZERO-2.0",
    "EUPL-1.2",
    "GFDL-1.3-only",
    "GFDL-1.3-or-later",
    "GPL-2.0-only",
    "GPL-2.0-or-later",
    "GPL-3.0-only",
    "GPL-3.0-or-later",
    "LGPL-2.1-only",
    "LGPL-2.1-or-later",
    "LGPL-3.0-only",
    "LGPL-3.0-or-later",
    "LGPLLR",
    "MIT",
    "MPL-2.0",
    "ODbL-1.0",
    "ODC-By-1.0",
    "OGL-UK-3.0",
    "PDDL-1.0",
    "Unlicense",
    "etalab-2.0",
)
KNOWN = {
    each.casefold(): each
    for each in (*OTHERS, *(f"CC-{kind}-{version}" for kind in CREATIVE_COMMONS for version in VERSIONS))
}


def spdx(licence: object) -> str | None:
    """Return the SPDX identifier that a campaign means by its licence, such as "CC BY 4.0"; None without."""
    return KNOWN.get(re.sub(r"\s+", "-", str(licence).strip()).casefold())


def address(identifier: str) -> str:
    """Return the address that stands for a licence of the SPDX list."""
    return f"https://spdx.org/licenses/{identifier}"
