"""`reportgen push`: what was decided goes back to where people annotate; twice is the same as once."""

from collections.abc import Callable, Mapping

from reportgen.base.errors import alternatives, refused
from reportgen.campaign import Campaign
from reportgen.servers.decided import DecidedVersion, decided
from reportgen.servers.doccano_push import plan_doccano
from reportgen.servers.label_studio_push import plan_label_studio
from reportgen.servers.pulling import EXPORTS, WRITE_SOURCE, Warn
from reportgen.servers.push_request import PushPlan, PushRequest
from reportgen.servers.requests import unencrypted
from reportgen.servers.snapshot import Tell, snapshot_in

PLANS: Mapping[str, Callable[[PushRequest], PushPlan]] = {
    "label-studio": plan_label_studio,
    "doccano": plan_doccano,
}


def plan_push(  # noqa: PLR0913 - each is one choice
    campaign: Campaign,
    version: str,
    *,
    who: str = "",
    predictions: str = "",
    tell: Tell = lambda _: None,
    warn: Warn = lambda _: None,
) -> tuple[PushPlan, DecidedVersion]:
    """Return what is to be changed on the server, and what was decided.

    `warn` hears what is to be known before anybody is asked. Raises BadInput where the version was not pulled
    from there, or with what is wrong with either.
    """
    source = campaign.source
    if source is None:
        raise refused(campaign.file, 0, "source", "is missing.", WRITE_SOURCE)
    if source.tool not in PLANS:
        message = f"is of a tool that takes no decisions; {alternatives(PLANS, 'and')} do."
        raise refused(campaign.file, 0, "source.tool", message, "Write them with `reportgen gold`.")
    if predictions and source.tool != "label-studio":
        raise refused("--predictions", message="is of Label Studio alone.", remedy="Remove it.")
    exports = campaign.folder / EXPORTS / version
    snapshot = snapshot_in(exports)
    if snapshot is None or (snapshot.url, snapshot.project) != (source.url, source.project):
        message = f"of version {version} are not from {source.url}, project {source.project}."
        remedy = "Pull them first: decisions can go back only to where labels came from."
        raise refused(campaign.file, 0, EXPORTS, message, remedy)
    warn(unencrypted(campaign.file, source.url or ""))
    found = decided(campaign, version, tell)
    request = PushRequest(campaign, version, source, exports, found, who, predictions, tell)
    return PLANS[source.tool](request), found
