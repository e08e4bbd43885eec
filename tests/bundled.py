"""A small campaign with all that a bundle can hold, bundled as the command line does it."""

import functools
import tempfile
from pathlib import Path

from reportgen.campaign import load
from reportgen.publish.bundle import Bundled, BundleOptions, bundled
from tests.campaigns import marked
from tests.commands import on_disk

TEXTS = {
    f"notes-{number}": f"The gene ab{number} was renamed cd{number} after the screen of Bordeaux."
    for number in range(1, 6)
}
PILOT, LATER = ("notes-1", "notes-2"), tuple(TEXTS)
TOML = """\
title = "Renaming <b>genes</b> | a *pilot*"
language = ["en", "fr"]

[corpus]
name = "Notes"
licence = "CC-BY-4.0"

[[authors]]
name = "Wilhelmina Ostrander"

[task]
categories = ["Former", "New"]
non_annotated = "None"

[annotators.Zoltan]
role = "reference"

[[unit_sets]]
id = "tokens"
units = "tokens"
why = "Every word was read."

[[distances]]
id = "expert"
file = "tables/far.csv"
why = "As far as they are."

[[guidelines]]
version = "0.9"
exports = "in/0.9"

[[guidelines]]
version = "1.0"
date = 2026-03-01
released = 2026-05-18
exports = "in/1.0"
document = "rules/Second Draft.md"
"""
FAR = ",Former,New,None\nFormer,0,1,2\nNew,1,0,2\nNone,2,2,0\n"
RULES = "# Rules\r\n\r\nMark both names.\r\n".encode("utf-8-sig")


def campaign(folder: Path, toml: str = TOML) -> Path:
    """Write the campaign and return its folder."""
    files = {
        **_exports("in/0.9", PILOT, ("Anneliese",)),
        **_exports("in/1.0", LATER, ("Balthasar", "Zoltan")),
    }
    own: dict[str, str | bytes] = {
        "campaign.toml": toml,
        "tables/far.csv": FAR,
        "rules/Second Draft.md": RULES,
    }
    return on_disk(folder, {**files, **own})


def _exports(place: str, names: tuple[str, ...], others: tuple[str, ...]) -> dict[str, str]:
    """Return brat's files of some texts: Melisande marks all there is, others every second time the half."""
    whole = {name: [("Former", 9, 12), ("New", 25, 28)] for name in names}
    less = {name: marks[: 1 + place % 2] for place, (name, marks) in enumerate(whole.items())}
    found = marked({name: TEXTS[name] for name in names}, {"Melisande": whole} | dict.fromkeys(others, less))
    return {f"{place}/{name}": text for name, text in found.items()}


def of(choice: BundleOptions, version: str = "1.0", toml: str = TOML) -> Bundled:
    """Return a bundle of the campaign."""
    with tempfile.TemporaryDirectory() as folder:
        return bundled(load(campaign(Path(folder) / "renaming", toml)), version, choice)


@functools.cache
def kept(choice: BundleOptions) -> Bundled:
    """Return such a bundle, made once for all that read it."""
    return of(choice)
