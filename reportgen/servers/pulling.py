"""`reportgen pull`: a project as it is now becomes the exports of a version, whole or not at all."""

import datetime as dt
from collections.abc import Callable, Mapping
from pathlib import Path

from reportgen.base import site_folder
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import did_you_mean, quoted, refused
from reportgen.campaign import AnnotationSource, by_age, load_before_exports
from reportgen.servers.argilla import fetch_argilla
from reportgen.servers.doccano import fetch_doccano
from reportgen.servers.folders import fetch_dataset, fetch_potato
from reportgen.servers.inception import fetch_inception
from reportgen.servers.label_studio import fetch_label_studio
from reportgen.servers.pull_request import PullRequest
from reportgen.servers.snapshot import ProjectSize, Snapshot, Tell, checksums, snapshot_in, stranger_in

FILE, EXPORTS = "campaign.toml", "exports"
# The version that `--watch` keeps fresh.
LIVE = "live"
WRITE_SOURCE = (
    'Say where people annotate: [source] with tool = "label-studio", url = "https://…" and project = 1; '
    "`reportgen schema campaign` describes its keys."
)
FETCH: Mapping[str, Callable[[PullRequest], ProjectSize]] = {
    "label-studio": fetch_label_studio,
    "doccano": fetch_doccano,
    "argilla": fetch_argilla,
    "inception": fetch_inception,
    "potato": fetch_potato,
    "datasets": fetch_dataset,
}


@dataclass(frozen=True)
class Pulled:
    """What was pulled: the snapshot, where it is, and whether it differs from what was there before."""

    version: str
    folder: Path
    snapshot: Snapshot
    changed: bool


def pull(folder: Path, version: str = "", *, live: bool = False, tell: Tell = lambda _: None) -> Pulled:
    """Fetch the exports of a version from where people annotate; by default of the newest.

    With `live` it is the version of this name, where there is one. Raises BadInput with what is wrong; then
    the exports are as they were.
    """
    place, source, version = _asked(folder, version, live=live)
    target = folder / EXPORTS / version
    if target.is_dir() and (stranger := stranger_in(target)):
        message = f"contains {quoted(stranger)}, which no pull wrote, or which was changed since."
        remedy = "Pull into another version, or move the file away."
        raise refused(str(target), message=message, remedy=remedy)
    before = snapshot_in(target)
    with site_folder.replacing(
        target, strangers=stranger_in, remedy=f"Move away what is in {target}."
    ) as out:
        request = PullRequest(place, folder, source, target, out, tell)
        counts = FETCH[source.tool](request)
        where = source.url or source.folder or ""
        at = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
        files = checksums(out)
        snapshot = Snapshot(
            source.tool, where, request.project, counts.title, counts.number, counts.of, at, files
        )
        snapshot.write(out)
    return Pulled(version, target, snapshot, before is None or before.files != files)


def _asked(folder: Path, version: str, *, live: bool) -> tuple[str, AnnotationSource, str]:
    """Return what campaign.toml is called, where people annotate, and which version is asked for."""
    declared, place = load_before_exports(folder), (folder / FILE).as_posix()
    if declared.source is None:
        raise refused(place, 0, "source", "is missing.", WRITE_SOURCE)
    versions = {guidelines.version: guidelines for guidelines in by_age(declared.guidelines)}
    newest = LIVE if live and LIVE in versions else list(versions)[-1]
    version = version or newest
    if version not in versions:
        message = f"has no guidelines version {quoted(version)}."
        remedy = did_you_mean(version, list(versions))
        raise refused(
            place, message=message, remedy=f'{remedy} Or declare it: [[guidelines]] version = "{LIVE}".'
        )
    if versions[version].exports != (default := (f"{EXPORTS}/{version}",)):
        message = f"of version {quoted(version)} are elsewhere than in {default[0]}, where pull writes."
        raise refused(place, 0, EXPORTS, message, "Take `exports` away, or pull into another version.")
    return place, declared.source, version
