"""What a bundle is to hide: names of people, documents and units, texts, and where it was made."""

import os
import platform
import tempfile
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from reportgen.campaign import Campaign
from reportgen.files import templates
from reportgen.formats import Annotations, TextMarks
from reportgen.release.readable import UNSPACED_SIGN, folded, words
from reportgen.study import Pseudonyms, document_names, unit_names

SHORTEST, SHORTEST_UNSPACED = 4, 2
# No count and no year has so many digits.
LONG_NUMBER = 8
# Why a name is not looked for.
SHORT, NUMBER = "are shorter than four letters", "are short numbers"
CATEGORY, PSEUDONYM, OURS = "are categories too", "look like pseudonyms", "are words of every report"
# What reports count, so that numbers stand beside it.
COUNTED = {"annotator", "annotators", "document", "documents", "unit", "units", "token", "tokens", "version"}
# What machines and their users are called everywhere.
USUAL = {"root", "user", "users", "home", "admin", "runner", "guest", "build", "ubuntu", "localhost", "work"}


@dataclass(frozen=True)
class Secrets:
    """What a bundle is to hide.

    - `names`: annotators, documents and units, each with what it is; `passed_over` counts, by the reason,
      those that can't be told from other words.
    - `shown`: who is meant to be named, though hidden names may be among the words: authors.
    - `texts`: what annotators read. `machine`: where the bundle is made, each with what it is.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    passed_over: Mapping[str, int] = field(default_factory=dict)
    shown: Sequence[str] = ()
    texts: Collection[str] = ()
    machine: Mapping[str, str] = field(default_factory=dict)


def secrets(campaign: Campaign, exports: Iterable[Annotations], names: Pseudonyms) -> Secrets:
    """Return what the bundle of a campaign hides; its privacy is the bundle's, `names` its pseudonyms."""
    exports = tuple(exports)
    labels = {folded(label) for each in exports for label in each.content.labels}
    labels |= {folded(label) for task in (campaign.task, *campaign.layers) for label in task.categories}
    false = {
        folded(each) for kind in (names.annotators, names.documents, names.units) for each in kind.values()
    }
    # What a system is declared to be called is public.
    systems = ((each.system, each.release) for each in campaign.annotators.values())
    public = {folded(name) for each in systems for name in each if name}
    known = {name: what for name, what in _names(campaign, exports, names) if folded(name) not in public}
    reasons = {name: _reason(folded(name), labels, false) for name in known}
    withheld = campaign.privacy.texts == "withhold"
    return Secrets(
        names={name: what for name, what in known.items() if not reasons[name]},
        passed_over=Counter(reason for reason in reasons.values() if reason),
        shown=tuple(_shown(campaign)),
        texts=dict.fromkeys(_texts(exports)) if withheld else (),
        machine=dict(_machine(campaign)),
    )


def _names(
    campaign: Campaign, exports: Sequence[Annotations], names: Pseudonyms
) -> Iterator[tuple[str, str]]:
    """Yield what is hidden; who is both is rather a person than a document, and rather that than a unit."""
    if campaign.privacy.documents == "pseudonyms":
        yield from ((name, "unit") for each in exports for name in unit_names(each) if name)
        yield from ((name, "document") for each in exports for name in document_names(each) if name)
        yield from ((name, "document") for name in names.documents)
    if campaign.privacy.annotators == "pseudonyms":
        yield from ((name, "annotator") for name in campaign.annotators)
        for each in exports:
            there = (name for name in each.content.annotators if name not in each.derived)
            yield from ((name, "annotator") for name in there)
            yield from ((lost.annotator, "annotator") for lost in each.left_out if lost.annotator)


def _reason(name: str, labels: Collection[str], false: Collection[str]) -> str:
    """Return why a name, folded, can't be looked for, empty where it can."""
    said = words(name)
    letters = "".join(said)
    shortest = SHORTEST_UNSPACED if UNSPACED_SIGN.search(name) else SHORTEST
    if len(letters) < shortest:
        return SHORT
    if letters.isnumeric() and len(letters) < LONG_NUMBER:
        return NUMBER
    if name in false:
        return PSEUDONYM
    if name in labels:
        return CATEGORY
    return OURS if _is_like_ours(said) else ""


def _is_like_ours(said: Sequence[str]) -> bool:
    """Tell whether any page may have a name, or its word beside its number: "annotator-2" is in many."""
    own = [word for word in said if not word.isnumeric()]
    return len(own) == 1 and own[0] in (_own_words() if len(said) == 1 else COUNTED)


@cache
def _own_words() -> frozenset[str]:
    """Return the words that stand in templates and catalogues: any page may have them."""
    files = (path for path in templates().rglob("*") if path.suffix in {".j2", ".js", ".css", ".mo", ".bib"})
    return frozenset(
        word for path in files for word in words(folded(path.read_bytes().decode(errors="replace")))
    )


def _shown(campaign: Campaign) -> Iterator[str]:
    yield from (each.name for each in campaign.authors)
    yield from (author for each in campaign.references for author in each.authors)


def _texts(exports: Iterable[Annotations]) -> Iterator[str]:
    for each in exports:
        if isinstance(each.content, TextMarks):
            yield from each.content.texts


def _machine(campaign: Campaign) -> Iterator[tuple[str, str]]:
    """Yield folders of this machine, its name and that of its user; what is called so everywhere is none."""
    folders = {
        str(campaign.folder): "the campaign's folder",
        str(campaign.folder.parent): "the folder of campaigns",
        str(Path.cwd()): "the folder where this was called",
        str(templates().parent): "the folder of this program",
        os.path.expanduser("~"): "the home folder",  # noqa: PTH111 - Path.home() fails without one
        tempfile.gettempdir(): "the temporary folder",
    }
    yield from ((folder, what) for folder, what in folders.items() if len(Path(folder).parts) > 1)
    names = {os.environ.get("USER", ""): "the user's name", platform.node(): "the machine's name"}
    for name, what in names.items():
        if len(name) >= SHORTEST and name.casefold() not in USUAL | _own_words():
            yield name, what
