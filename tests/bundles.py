"""A small bundle for tests of what reads bundles: texts, exports, three annotators, two languages."""

import functools
import json
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from reportgen.campaign import load
from reportgen.publish.bundle import BundleOptions, bundled
from reportgen.publish.bundle_files import checksums
from reportgen.publish.verify.differences import CheckOutcome, merge_outcomes
from reportgen.publish.verify.file_tree import Tree
from reportgen.publish.verify.folders import check_bundle
from tests.campaigns import marked, written

TEXTS = {
    "first": "The gene yxaA was renamed to yxaB. No other name is in use.",
    "second": "Formerly called kinA, the gene spoK now stands in every list.",
    "third": "Nothing of the kind is said here, and nobody marks a word.",
}
MARKS = {
    "ann": {
        "first": [("Former", 9, 13), ("New", 29, 33)],
        "second": [("Former", 16, 20), ("New", 31, 35)],
        "third": [],
    },
    "bea": {"first": [("Former", 9, 13), ("New", 29, 33)], "second": [("New", 16, 20)], "third": []},
    "cyd": {
        "first": [("New", 9, 13), ("New", 29, 33)],
        "second": [("Former", 16, 20), ("New", 26, 35)],
        "third": [("New", 0, 7)],
    },
}
TOML = """
language = ["en", "fr"]
[task]
categories = ["Former", "New"]
non_annotated = "None"
[[unit_sets]]
id = "tokens"
units = "tokens"
primary = true
why = "Everything was read."
[[unit_sets]]
id = "both"
units = "annotated-by-all"
why = "Labels alone."
[[distances]]
id = "expert"
file = "distances/expert.csv"
why = "An expert says so."
"""
DISTANCES = ",Former,New,None\nFormer,0,0.5,1\nNew,0.5,0,1\nNone,1,1,0\n"


def campaign(folder: Path) -> Path:
    """Write the campaign and return its folder."""
    exports = {f"exports/1.0/{name}": text for name, text in marked(TEXTS, MARKS).items()}
    files = {
        "distances/expert.csv": DISTANCES,
        "guidelines/1.0.md": "# Guidelines\n\nMark *Former* and *New*.\n",
    }
    version = 'document = "guidelines/1.0.md"\ndate = 2026-03-01\nreleased = 2026-03-02\n'
    return written(folder, TOML, {**exports, **files}, version)


@functools.cache
def small(*, texts: bool = True, exports: bool = True) -> Mapping[str, bytes]:
    """Return the files of a small bundle."""
    with tempfile.TemporaryDirectory() as top:
        known = load(campaign(Path(top) / "genes"))
        return bundled(known, "1.0", BundleOptions(texts=texts, exports=exports)).files


def mended(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return a bundle with the checksums that its files have now, as somebody would who covers traces."""
    inside = {name.removeprefix("report/"): files[name] for name in files if name.startswith("report/")}
    inside.pop("SHA256SUMS", None)
    done = {**files, "report/SHA256SUMS": checksums(inside).encode()}
    done.pop("SHA256SUMS", None)
    return {**done, "SHA256SUMS": checksums(done).encode()}


def tree(files: Mapping[str, bytes], without: Iterable[str] = ()) -> Tree:
    """Return files as verify sees them, without some."""
    gone = set(without)
    return Tree({name: content for name, content in files.items() if name not in gone})


def verified(files: Mapping[str, bytes]) -> CheckOutcome:
    """Return what comes of every check of a bundle."""
    return merge_outcomes(check_bundle(Tree(files), lambda _: None))


def differences(outcome: CheckOutcome) -> str:
    """Return the differences that were found, a line each."""
    return "\n".join(f"{each.file}: {each.what}" for each in outcome.differences)


def dumped(value: Any) -> bytes:  # noqa: ANN401 - any JSON
    """Return JSON as a bundle's files have it."""
    return (json.dumps(value, sort_keys=True, ensure_ascii=False, indent=1) + "\n").encode()


def flipped(content: bytes, place: int = -1, bit: int = 0) -> bytes:
    """Return bytes of which one has another bit; an empty file gets a byte."""
    if not content:
        return b"x"
    place = len(content) // 2 if place < 0 else place
    return content[:place] + bytes([content[place] ^ (1 << bit)]) + content[place + 1 :]
