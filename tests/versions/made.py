"""Campaigns of two or more guidelines versions, made up in a few lines, and their comparisons."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from reportgen.campaign import load
from reportgen.pipeline.reading import read_campaign
from reportgen.pipeline.version_reports import ComparisonOutput, Sides, compare_versions
from reportgen.results.parts import Change
from reportgen.results.versions import UnitSetRevision, VersionComparison
from reportgen.units import Pseudonyms

Rows = Sequence[str]


def table(rows: Rows, documents: Sequence[str] = (), first: int = 0, names: Sequence[str] = ()) -> str:
    """A ratings table: a row of one-letter labels for each unit, "." where one is missing.

    Units are called u0, u1, … from `first` on, unless they have `names`.
    """
    annotators = ",".join(f"A{place}" for place in range(1, len(rows[0]) + 1))
    where = [f"{each}," for each in documents] or [""] * len(rows)
    called = names or [f"u{first + place}" for place in range(len(rows))]
    lines = [
        f"{name},{document}{','.join('' if label == '.' else label for label in row)}"
        for name, document, row in zip(called, where, rows, strict=True)
    ]
    return "\n".join([f"unit,{'document,' if documents else ''}{annotators}", *lines, ""])


def campaign_of(
    folder: Path,
    exports: Sequence[str],
    toml: str = "",
    versions: Sequence[str] = (),
    files: Mapping[str, str] | None = None,
) -> Path:
    """Write a campaign with a table for each version; `versions` has more keys of each."""
    text = f'title = "A campaign"\n{toml}\n'
    for place, more in enumerate(versions or [""] * len(exports), 1):
        text += f'[[guidelines]]\nversion = "{place}"\n{more}\n'
    written = {f"exports/{place}/e.csv": each for place, each in enumerate(exports, 1)} | dict(files or {})
    for name, content in {"campaign.toml": text, **written}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder


def compared(folder: Path, first: int = 0, second: int = -1, sides: Sides | None = None) -> ComparisonOutput:
    """Compare two versions of a written campaign."""
    campaign = load(folder)
    versions = read_campaign(campaign)
    return compare_versions(campaign, versions[first], versions[second], Pseudonyms(), sides)


def comparison(
    folder: Path,
    exports: Sequence[str],
    toml: str = "",
    versions: Sequence[str] = (),
    files: Mapping[str, str] | None = None,
) -> VersionComparison:
    """Write a campaign and compare its first version with its last."""
    return compared(campaign_of(folder, exports, toml, versions, files)).comparison


def on(found: VersionComparison, basis: str, unit_set: str = "items") -> UnitSetRevision:
    """The unit set on a basis."""
    return next(each for each in found.unit_sets if (each.basis, each.unit_set) == (basis, unit_set))


def bases(found: VersionComparison, unit_set: str = "items") -> list[str]:
    """The bases on which a unit set was compared."""
    return [each.basis for each in found.unit_sets if each.unit_set == unit_set]


def p(change: Change) -> float:
    """The p value of a change that has one."""
    assert change.test is not None, change.untested
    return change.test.p
