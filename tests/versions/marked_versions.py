"""Campaigns of several guidelines versions with systems and references, made up in a line."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from reportgen.results.parts import SystemRevision
from reportgen.results.versions import VersionComparison
from tests.campaigns import report_of
from tests.versions import made

# A row for each unit: document, unit, and a label by each of the people.
Rows = Sequence[Sequence[str]]

GOLD = '[annotators.gold]\nrole = "reference"\n'


def system(name: str, release: str | None = None, of: str = "tagger") -> str:
    """Return the table of a system, or of a release of one."""
    known = f'system = "{of}"\nrelease = "{release}"\n' if release else ""
    return f'[annotators.{name}]\nrole = "system"\n{known}'


def written(folder: Path, toml: str, versions: Mapping[str, Mapping[str, str]], keys: str = "") -> Path:
    """Write a campaign whose versions have these files; `keys` are added to the last version."""
    parts = [f'title = "A campaign"\n[privacy]\nannotators = "names"\n{toml}']
    for version, files in versions.items():
        parts.append(f'[[guidelines]]\nversion = "{version}"\nexports = "exports/{version}"\n')
        for name, text in files.items():
            path = folder / "exports" / version / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    (folder / "campaign.toml").write_text("\n".join(parts) + keys, encoding="utf-8")
    return folder


def ratings(people: Sequence[str], rows: Rows) -> dict[str, str]:
    """Return the export of a table of ratings."""
    lines = [("document", "unit", *people), *rows]
    return {"e.csv": "".join(",".join(line) + "\n" for line in lines)}


def compared(folder: Path) -> VersionComparison:
    """Return the comparison of the first two versions."""
    return made.compared(folder, 0, 1).comparison


def releases(folder: Path) -> tuple[SystemRevision, ...]:
    """Return the releases under the last version."""
    return report_of(folder).results.releases or ()
