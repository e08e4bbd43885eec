"""The layers of one guidelines version: what is in dispute in each, and what the campaign's sheets decide."""

from collections.abc import Iterator, Sequence

from reportgen.adjudication.decisions import read_decisions
from reportgen.adjudication.names import REFERENCE
from reportgen.adjudication.units import Adjudication, SheetUnits, units_of
from reportgen.campaign import Campaign, Version, placed
from reportgen.errors import BadInput, Problem
from reportgen.formats import Annotations, ReadOptions, clean
from reportgen.study import Request


def adjudicate(
    campaign: Campaign,
    version: Version,
    annotations: Sequence[Annotations],
    requests: Sequence[Request],
    options: ReadOptions,
) -> list[Adjudication]:
    """Return for each layer what is in dispute, and what was decided of it.

    Raises BadInput with all that is wrong in the sheets, and where somebody else is called as the reference
    that they become.
    """
    found: list[SheetUnits] = []
    problems = list(_taken(campaign, version, annotations))
    for request, each in zip(requests, annotations, strict=True):
        try:
            found.append(units_of(each, request))
        except BadInput as error:
            problems += [placed(campaign, each, version.id, request.layer) for each in error.problems]
    if problems:
        raise BadInput(problems)
    if not version.adjudication:
        return [Adjudication(each) for each in found]
    files = [(campaign.folder / name, version.shown(name)) for name in version.adjudication]
    return read_decisions(files, found, lambda label: clean([label], options)[0])


def _taken(campaign: Campaign, version: Version, annotations: Sequence[Annotations]) -> Iterator[Problem]:
    """Yield a problem for each name in exports or campaign.toml that the reference needs for itself."""
    if not version.adjudication:
        return
    names = dict.fromkeys(name for each in annotations for name in each.content.annotators)
    first_passes = [each.same_as for each in campaign.annotators.values() if each.same_as]
    known = [*names, *campaign.annotators, *first_passes]
    taken = dict.fromkeys(name for name in known if name.casefold() == REFERENCE)
    key = f"guidelines.{campaign.place(version.id) + 1}.adjudication"
    for name in taken:
        message = f'makes a reference called "{REFERENCE}" of the sheet, and an annotator is called "{name}".'
        mend = "Rename the annotator, or give the export's own reference its role without a sheet."
        yield placed(campaign, Problem("", key=key, message=message, mend=mend), version.id)
