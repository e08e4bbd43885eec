"""From a campaign's folder to its Campaign, or to everything that is wrong with it."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from reportgen.campaign.checks import check
from reportgen.campaign.complaints import complaints
from reportgen.campaign.locate import locate
from reportgen.campaign.model import FILE, Campaign
from reportgen.campaign.parse import parse
from reportgen.campaign.tables import CampaignToml
from reportgen.campaign.values import IDENTIFIER, not_taken
from reportgen.campaign.wording import Complaint, Unfit, did_you_mean, dotted, quoted
from reportgen.errors import BadInput, Problem, for_each
from reportgen.files import read_text


def load(folder: Path, name: str | None = None) -> Campaign:
    """Return the campaign that a folder holds.

    `name` is what errors call the folder, by default `folder` itself. Raises BadInput with every
    problem of the folder, its campaign.toml, its distance tables, sizes, terms and control items at once.
    """
    shown = str(folder) if name is None else name
    identity = Path(os.path.abspath(folder)).name  # noqa: PTH100 - Path.resolve would follow a link
    _check_folder(folder, shown)
    file = (Path(shown) / FILE).as_posix()
    text = read_text(folder / FILE, file)
    data = parse(text, file)
    declared, found = _declared(data, folder)
    problems = [*_bad_name(identity, shown), *_problems(found, text, file)]
    if problems or declared is None:
        raise BadInput(problems)
    campaign = Campaign.model_construct(
        declared.model_fields_set, id=identity, folder=folder.resolve(), name=shown, **dict(declared)
    )
    _check_tables(campaign)
    return campaign


def _check_folder(folder: Path, shown: str) -> None:
    """Raise BadInput where there is no such folder, it can't be read or has no campaign.toml."""
    try:
        names = [path.name for path in folder.iterdir()]
    except FileNotFoundError:
        problem = Problem(shown, message="there is no such folder.", mend="Check the name.")
    except NotADirectoryError:
        problem = Problem(
            shown, message="is a file; a campaign's folder was expected.", mend="Name the folder."
        )
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        problem = Problem(
            shown, message=f"can't be read: {reason}.", mend="Check that you may read the folder."
        )
    else:
        if FILE in names:
            return
        mend = did_you_mean(FILE, names) or "Name a campaign's folder, which holds a campaign.toml."
        problem = Problem(shown, message=f"has no {FILE}.", mend=mend)
    raise BadInput([problem])


def _declared(data: dict[str, Any], folder: Path) -> tuple[CampaignToml | None, list[Complaint]]:
    found = list(check(data))
    try:
        return CampaignToml.model_validate(data, context=folder), found
    except ValidationError as error:
        return None, [*complaints(error, data), *found]


def _problems(found: Iterable[Complaint], text: str, file: str) -> Iterator[Problem]:
    found = list(found)
    lines = locate(text, [complaint.path for complaint in found]) if found else {}
    for complaint in found:
        key = dotted(complaint.path)
        yield Problem(file, lines[complaint.path], key, complaint.message, complaint.mend)


def _bad_name(identity: str, shown: str) -> Iterator[Problem]:
    try:
        not_taken(identity)
    except Unfit as reason:
        yield Problem(shown, message=f"the folder's name {reason.message}", mend="Rename the folder.")
    if not re.fullmatch(IDENTIFIER, identity):
        message = (
            f"the folder's name {quoted(identity)} is the campaign's id, which takes "
            'letters, digits, ".", "_" and "-" only, a letter or digit first.'
        )
        yield Problem(shown, message=message, mend="Rename the folder.")


def _check_tables(campaign: Campaign) -> None:
    """Raise BadInput with all that is wrong in the tables and lists of any guidelines version."""
    readings: list[Callable[[], object]] = []
    for version in map(campaign.version, campaign.versions):
        readings += [version.distance_tables, version.control_items]
        readings += [partial(version.sizes, unit_set) for unit_set in version.unit_sets]
        readings += [partial(version.terms, unit_set) for unit_set in version.unit_sets]
    for_each(readings, lambda reading: reading())
