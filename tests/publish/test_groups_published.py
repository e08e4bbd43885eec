"""A group of two people is nowhere published: not in a site, not in bundles, not by subtracting versions."""

import io
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path

import pytest

from reportgen.campaign import load
from reportgen.campaign.guidelines import settings
from reportgen.pipeline.reading import read_campaign
from reportgen.pipeline.version_reports import names_by_version
from reportgen.publish.bundle import BundleOptions, bundled
from reportgen.publish.label_table import label_table
from reportgen.publish.published_campaign import published
from tests.campaigns import HEAD
from tests.commands import run

# What annotators are, in the first version and in the second: of Basques there are three, then two.
FIRST = {f"w{number:02}": "French" for number in range(5)} | {
    f"w{number:02}": "Basque" for number in range(5, 8)
}
SECOND = {name: value for name, value in FIRST.items() if name != "w07"} | {"w08": "French"}
WHOLE = {"1.0": FIRST, "2.0": SECOND}
# The same with six others, so that who stays is a group.
MORE = {version: own | {f"x{number}": "German" for number in range(6)} for version, own in WHOLE.items()}


def campaign(folder: Path, versions: Mapping[str, Mapping[str, str]]) -> Path:
    """Write a campaign in which the first language is beside each label."""
    toml = HEAD
    for version, people in versions.items():
        rows = [
            f"d{unit % 4},u{unit:02},{name},{'abc'[(unit + (len(name) * unit + place) % 5 // 4) % 3]},{value}"
            for unit in range(24)
            for place, (name, value) in enumerate(people.items())
        ]
        exports = folder / "exports" / version
        exports.mkdir(parents=True)
        (exports / "e.csv").write_text(
            "\n".join(("document,item,worker,label,L1", *rows, "")), encoding="utf-8"
        )
        toml += f'[[guidelines]]\nversion = "{version}"\ncolumns = {{ group = "L1" }}\n'
    (folder / "campaign.toml").write_text(toml, encoding="utf-8")
    return folder


def every_text(files: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield all files, and what is in those that are archives."""
    for name, content in files.items():
        yield name, content
        if name.endswith((".zip", ".docx", ".xlsx")):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                yield from every_text(
                    {f"{name}/{inside}": archive.read(inside) for inside in archive.namelist()}
                )
        elif name.endswith(".gz"):
            yield name, zlib.decompress(content, 31)


def members(folder: Path) -> dict[str, dict[str, set[str]]]:
    """Return who is in which group, by the table of labels of each version."""
    known = load(folder)
    reads = read_campaign(known)
    names = names_by_version(known, reads)
    found: dict[str, dict[str, set[str]]] = {}
    for read in reads:
        table = label_table(read, names[read.version.id], known.privacy)
        assert table is not None
        columns = table.labels.columns
        own = found.setdefault(read.version.id, defaultdict(set))
        for group, name in zip(columns.get("group", ()), columns["annotator"], strict=False):
            own[group].add(name)
    return found


@pytest.mark.slow
def test_a_group_of_two_is_nowhere_in_a_site_or_a_bundle(tmp_path: Path) -> None:
    folder = campaign(tmp_path / "languages", WHOLE)
    site = tmp_path / "site"
    run("build", str(folder), "--out", str(site))
    files = {str(path): path.read_bytes() for path in site.rglob("*") if path.is_file()}
    for version in WHOLE:
        files |= bundled(load(folder), version, BundleOptions(texts=False, exports=False)).files
    run("labels", str(folder), "2.0", "--out", str(tmp_path / "labels.parquet"))
    files |= {path.name: path.read_bytes() for path in tmp_path.glob("labels*")}
    assert len(files) > 50
    assert [name for name, content in every_text(files) if b"Basque" in content] == []


def test_differences_of_versions_and_groups_are_of_nobody_or_of_three(tmp_path: Path) -> None:
    found = members(campaign(tmp_path / "languages", MORE))
    # Two Basques stay: with them go the French, who would else leave them.
    assert [{*groups} for groups in found.values()] == [{"", "L1=German"}] * 2
    sets = [own for groups in found.values() for group, own in groups.items() if group]
    for one, other in combinations(sets, 2):
        for left in (one - other, other - one, one & other):
            assert not left or len(left) >= 3


def test_the_published_campaign_names_no_groups(tmp_path: Path) -> None:
    folder = campaign(tmp_path / "languages", MORE)
    toml = (folder / "campaign.toml").read_text(encoding="utf-8")
    (folder / "campaign.toml").write_text(f'{toml}[annotators.w00]\ngroup = "Basque"\n', encoding="utf-8")
    known = load(folder)
    names = names_by_version(known, read_campaign(known))
    text = published(known, "1.0", names["1.0"])
    assert "group" not in text
    assert "Basque" not in text


@pytest.mark.parametrize("smallest", [1, 4])
def test_how_many_people_a_group_has_is_asked_for(tmp_path: Path, smallest: int) -> None:
    folder = campaign(tmp_path / "languages", {"1.0": MORE["1.0"]})
    toml = (folder / "campaign.toml").read_text(encoding="utf-8")
    (folder / "campaign.toml").write_text(
        toml.replace(HEAD, f"{HEAD}[privacy]\nsmallest = {smallest}\n"), encoding="utf-8"
    )
    told = {group: len(own) for group, own in members(folder)["1.0"].items() if group}
    assert told == ({"L1=Basque": 3, "L1=French": 5, "L1=German": 6} if smallest == 1 else {"L1=German": 6})


def test_a_digest_of_settings_does_not_tell_who_is_in_a_small_group(tmp_path: Path) -> None:
    digests = set()
    for declared in ("", '[annotators.w00]\ngroup = "Basque"\n', '[annotators.w00]\ngroup = "Catalan"\n'):
        folder = campaign(tmp_path / f"{len(declared)}" / "languages", {"1.0": FIRST})
        toml = (folder / "campaign.toml").read_text(encoding="utf-8")
        (folder / "campaign.toml").write_text(f"{toml}{declared}", encoding="utf-8")
        known = load(folder)
        digests.add(settings(known, known.version("1.0"), {}, [*FIRST]))
    assert len(digests) == 1
