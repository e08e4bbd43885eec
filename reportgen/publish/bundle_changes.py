"""What differs between two bundles, or between a bundle and its campaign as it is now."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from reportgen import campaign as asked
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import alternatives, reason, refused
from reportgen.base.progress import Steps
from reportgen.pipeline.releases import Labelled, as_named, difference_in_words, labelled
from reportgen.pipeline.version_reports import labels_now
from reportgen.publish.bundle_files import REPORT, RESULTS
from reportgen.publish.verify import differences, file_tree
from reportgen.results import Results
from reportgen.results.history import ReleaseState
from reportgen.versions.released import different_figures, different_labels

DAMAGED = "`reportgen verify` says what is wrong with it."


@dataclass(frozen=True)
class ReadBundle:
    """A bundle as it is called, and what it can be compared by."""

    name: str
    results: Results
    labelled: Labelled

    def __str__(self) -> str:
        """Return of what it is, and when it came out."""
        revision = self.results.revision
        released = f", released on {revision.released}" if revision.released else ""
        again = f', again because: "{revision.again}"' if revision.again else ""
        return f"{self.name}: {self.results.campaign.id} {self.results.guidelines}{released}{again}"


def read_bundle(path: Path) -> ReadBundle:
    """Return what a bundle can be compared by; raises BadInput where it is not one, or is damaged."""
    try:
        is_folder = path.is_dir()
        content = b"" if is_folder else path.read_bytes()
    except (OSError, ValueError) as error:
        message = f"can't be read: {reason(error)}."
        raise refused(str(path), message=message, remedy="Check the name.") from None
    files, faults = file_tree.walk(path) if is_folder else file_tree.read_archive(content, path.name)
    if file_tree.kind_of(files) != "bundle":
        raise refused(str(path), message="is not a bundle.", remedy="Name a bundle, zipped or unpacked.")
    if faults or differences.together(file_tree.check_checksums(files)).differences:
        raise refused(str(path), message="is damaged, or was changed.", remedy=DAMAGED)
    try:
        results, report = differences.read_part(Results, files, RESULTS), files.below(REPORT)
        tables = {name: report[name].decode() for name in report if name.endswith(".csv")}
        return ReadBundle(str(path), results, labelled(results, tables))
    except (differences.Unusable, ValueError, KeyError):
        message = "was written by another version of reportgen: it can't be compared."
        raise refused(str(path), message=message, remedy=DAMAGED) from None


def compare_bundles(old: ReadBundle, new: ReadBundle) -> ReleaseState:
    """Return what differs in the new bundle; raises BadInput where the two are of different campaigns."""
    if old.results.campaign.id != new.results.campaign.id:
        message = f"is of the campaign {new.results.campaign.id}, and the other of {old.results.campaign.id}."
        raise refused(new.name, message=message, remedy="Name two bundles of one campaign.")
    return _state(old, new.labelled)


def _state(old: ReadBundle, now: Labelled) -> ReleaseState:
    before = old.labelled
    return ReleaseState(
        released=old.results.revision.released,
        documents=different_labels(before.documents, now.documents, to_the_last=before.tool == now.tool),
        figures=different_figures(before.figures, now.figures),
    )


def changes_against(old: ReadBundle, folder: Path, progress: Steps) -> ReleaseState:
    """Return what is another in a campaign than in a bundle of it, with the real names of documents.

    Raises BadInput where it is another campaign, or where it has no such version any more.
    """
    campaign = asked.load(folder)
    if campaign.id != old.results.campaign.id:
        message = f"is the campaign {campaign.id}, and the bundle is of {old.results.campaign.id}."
        raise refused(str(folder), message=message, remedy="Name the folder of the bundle's campaign.")
    called = {
        name: version for version in campaign.versions for name in (version, *campaign.earlier_names(version))
    }
    released = old.results.guidelines
    if released not in called:
        remedy = f'It has {alternatives(campaign.versions, "and")}; was = "{released}" says which it became.'
        raise refused(campaign.file, message=f"has no guidelines version {released}.", remedy=remedy)
    now, names = labels_now(campaign, [called[released]], progress)[called[released]]
    hidden = replace(old.labelled, documents=as_named(old.labelled.documents, names))
    return _state(replace(old, labelled=hidden), now)


# What differs, in lines for people and as JSON for programs.

SAME, DIFFERENT, PLAIN = "same", "different", ""


def as_text(state: ReleaseState) -> Iterator[tuple[str, str]]:
    """Yield lines, each with the state that it tells of: first all in one, then each document."""
    if not state.differs:
        yield SAME, "same: labels and primary figures are the same."
        return
    yield DIFFERENT, f"different: {difference_in_words(state)}."
    for name, labels in state.documents.items():
        if name:
            yield PLAIN, f"  {name}: at least {labels:,} label{'s' if labels > 1 else ''}"


def account(state: ReleaseState) -> dict[str, Any]:
    """Return what differs, for JSON."""
    return {
        "same": not state.differs,
        "documents": dict(state.documents),
        "labels": state.labels,
        "figures": [figure.model_dump() for figure in state.figures],
    }


def described(bundle: ReadBundle) -> dict[str, Any]:
    """Return of what a bundle is, for JSON."""
    revision = bundle.results.revision
    return {
        "path": bundle.name,
        "campaign": bundle.results.campaign.id,
        "version": bundle.results.guidelines,
        "released": revision.released,
        "again": revision.again or None,
    }
