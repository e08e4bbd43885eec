"""Who is called what, as a campaign's own folder keeps it: a pseudonym that was once given never moves.

`pseudonyms.csv` says who is who. So it stays with the exports, is committed with them, and goes into no site
and no bundle.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import astuple
from pathlib import Path

from reportgen.base.errors import BadInput, Problem, refused
from reportgen.base.files import decode, read_bytes
from reportgen.base.site_folder import HISTORY, PSEUDONYMS, alone, write_file
from reportgen.campaign import Campaign
from reportgen.units import Pseudonyms, pseudonyms_csv, read_pseudonyms
from reportgen.units.pseudonymising import number_in

# Why the table could not be written, and that it is not there.
NOT_KEPT = (
    "Who is called what is not kept: numbers may move when somebody is added. Let reportgen write there."
)
LOST = (
    "is not there, though the site has pseudonyms of this campaign: they were numbered by the exports again, "
    "and A01 may be somebody else now."
)
TAKE_BACK = "Restore it from a copy of the campaign, if it has one, and build again."


def kept_pseudonyms(campaign: Campaign) -> Pseudonyms:
    """Return what a campaign's folder keeps; raises BadInput where that can't be read or understood."""
    content = kept_table(campaign.folder, _shown(campaign))
    return read_pseudonyms(decode(content, _shown(campaign)), _shown(campaign)) if content else Pseudonyms()


def kept_table(folder: Path, shown: str = PSEUDONYMS) -> bytes:
    """Return the bytes of the table, none where there is no table; raises BadInput where it can't be read."""
    path = folder / PSEUDONYMS
    return read_bytes(path, shown) if path.exists() else b""


def _shown(campaign: Campaign) -> str:
    return (Path(campaign.name) / PSEUDONYMS).as_posix()


def table_with(campaign: Campaign, names: Pseudonyms) -> bytes:
    """Return the table with more pseudonyms in it, as it is where it has all of them."""
    kept = kept_pseudonyms(campaign)
    if kept | names == kept:
        return kept_table(campaign.folder)
    return _as_table(kept | names)


def _by_number(names: Mapping[str, str]) -> dict[str, str]:
    """Return names in the order of their numbers, so that whoever is new is at the end."""
    return dict(sorted(names.items(), key=lambda pair: (len(pair[1]), pair[1])))


def keep_table(campaign: Campaign, table: bytes) -> Iterator[Problem]:
    """Write the table where it is another one; yield what to tell where the system does not let it be.

    What another command added meanwhile stays. Raises BadInput where that gave a pseudonym to somebody else:
    this is asked before anything is published.
    """
    path, fit = campaign.folder / PSEUDONYMS, True
    if table == kept_table(campaign.folder):
        return
    try:
        with alone(path):
            both = _both(kept_pseudonyms(campaign), table)
            fit = both is not None
            if both is not None:
                write_file(path, table if both == _read(table) else _as_table(both), remedy=NOT_KEPT)
    except BadInput as error:
        yield from (
            Problem(_shown(campaign), message=problem.message, remedy=NOT_KEPT) for problem in error.problems
        )
    if not fit:
        message = "was written by another command meanwhile, which gave somebody else a pseudonym given here."
        raise refused(_shown(campaign), message=message, remedy="Run this command again.")


def _both(kept: Pseudonyms, table: bytes) -> Pseudonyms | None:
    """Return the pseudonyms of what is kept and of a table, None where one is given to two, or two to one."""
    try:
        own = _read(table)
    except BadInput:
        return None
    both = kept | own
    once = all(len({*names.values()}) == len(names) for names in astuple(both))
    return both if once and own | kept == both else None


def _read(table: bytes) -> Pseudonyms:
    return read_pseudonyms(decode(table, PSEUDONYMS), PSEUDONYMS) if table else Pseudonyms()


def _as_table(names: Pseudonyms) -> bytes:
    return pseudonyms_csv(Pseudonyms(*map(_by_number, astuple(names)))).encode()


def lost_table(campaign: Campaign, old: Path) -> Iterator[Problem]:
    """Yield what to tell where pages of the old site have pseudonyms, and no table says whose they are."""
    hides = campaign.privacy.annotators == "pseudonyms"
    if hides and not kept_table(campaign.folder) and any(map(_is_pseudonym, _published(old / HISTORY))):
        yield Problem(_shown(campaign), message=LOST, remedy=TAKE_BACK)


def _is_pseudonym(name: str) -> bool:
    return number_in(name, "annotator") > 0


def _published(history: Path) -> list[str]:
    """Return what a campaign's page calls its annotators, as far as that can be read."""
    try:
        content = json.loads(history.read_bytes())
        groups = content["coverage"]["annotators"]
        # An earlier reportgen wrote an entry for each.
        return [str(name) for own in groups for name in own.get("annotators") or [own["annotator"]]]
    except (OSError, ValueError, KeyError, TypeError):
        return []
