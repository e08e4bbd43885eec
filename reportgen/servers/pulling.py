"""`reportgen pull`: a project as it is now becomes the exports of a version, whole or not at all."""

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from reportgen.base import site_folder
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import Problem, did_you_mean, quoted, refused
from reportgen.campaign import AnnotationSource, by_age, load_before_exports
from reportgen.servers.argilla import fetch_argilla
from reportgen.servers.doccano import fetch_doccano
from reportgen.servers.folders import fetch_dataset, fetch_potato
from reportgen.servers.inception import fetch_inception
from reportgen.servers.label_studio import fetch_label_studio
from reportgen.servers.pull_request import PullRequest
from reportgen.servers.requests import NotAllowed, unencrypted
from reportgen.servers.snapshot import ProjectSize, Snapshot, Tell, checksums, snapshot_in, stranger_in

FILE, EXPORTS = "campaign.toml", "exports"
# The version that `--watch` keeps fresh.
LIVE = "live"
BUSY = "is being pulled by another command."
# Hears what is to be known before anybody is asked.
Warn = Callable[[Iterable[Problem]], None]
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


def pull(  # noqa: PLR0913 - each is one choice
    folder: Path,
    version: str = "",
    *,
    live: bool = False,
    force: bool = False,
    tell: Tell = lambda _: None,
    warn: Warn = lambda _: None,
) -> Pulled:
    """Fetch the exports of a version from where people annotate; by default of the newest.

    With `live` it is the version of this name, where there is one. Raises BadInput with what is wrong, also
    where half of what was there is gone unless `force` lets it; then the exports are as they were. `warn`
    hears what is to be known before anybody is asked.
    """
    place, source, version = _asked(folder, version, live=live)
    target = folder / EXPORTS / version
    if target.is_dir() and (stranger := stranger_in(target)):
        message = f"contains {quoted(stranger)}, which no pull wrote, or which was changed since."
        remedy = "Pull into another version, or move the file away."
        raise refused(str(target), message=message, remedy=remedy)
    warn(unencrypted(place, source.url or ""))
    remedy = f"Move away what is in {target}."
    with site_folder.alone(target, BUSY, remedy):
        before = snapshot_in(target)
        with site_folder.replacing(target, strangers=stranger_in, remedy=remedy) as out:
            request = PullRequest(place, folder, source, target, out, tell)
            request.forget(own=False)
            try:
                counts = FETCH[source.tool](request)
            except NotAllowed:
                # Who may not see a project keeps no part of it.
                request.forget(own=True)
                raise
            where = source.url or source.folder or ""
            at = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
            files = checksums(out)
            snapshot = Snapshot(
                source.tool, where, request.project, counts.title, counts.number, counts.of, at, files
            )
            if before and not force:
                _require_most(before, snapshot, place)
            snapshot.write(out)
        request.forget(own=True)
    return Pulled(version, target, snapshot, before is None or before.files != snapshot.files)


def _require_most(before: Snapshot, now: Snapshot, place: str) -> None:
    """Raise BadInput where half of what was pulled before, or more, is not there any more."""
    for old, new, of in (
        (before.number, now.number, now.of),
        (len(before.files), len(now.files), "files"),
    ):
        if 2 * new <= old:
            message = f"has {new:,} of {old:,} {of} left since the last pull, {before.at}."
            remedy = "Check that it is the right project; where it is, pull with --force."
            raise refused(place, 0, "source", message, remedy)


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
