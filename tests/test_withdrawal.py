"""Somebody withdraws from five released versions: nothing that is written after has their labels."""

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.commands import edit, files, run
from tests.test_incremental import ratings, write
from tests.test_releases import UNCHECKED

VERSIONS = ("0.1", "0.2", "0.3", "1.0", "1.1")
CAMPAIGN = "campaigns/votes"
# A label that nobody else gives, and what nobody else is called.
NAME, NUMBER, OWN = "zoe", "A03", "only-hers"
SHEET = "document,unit,label,by,why\n"


def exports(people: tuple[str, ...], turned: int) -> str:
    """Return labels of a version; Zoe has one of her own."""
    text = ratings(people, turned=turned)
    return text.replace("d1,u5,zoe,yes", f"d1,u5,zoe,{OWN}")


def unpacked(archive: str) -> Mapping[str, bytes]:
    with zipfile.ZipFile(archive) as file:
        return {name: file.read(name) for name in file.namelist()}


def traces(content: Mapping[str, bytes]) -> list[str]:
    """Return the files that have Zoe's name, number or own label in their text or in their name."""
    words = [word.encode() for word in (NAME, NUMBER, OWN)]
    return [
        name for name, text in content.items() if any(word in text or word in name.encode() for word in words)
    ]


@pytest.mark.slow
def test_of_five_released_versions_nothing_has_who_withdrew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    toml = 'title = "Votes"\n' + "".join(f'[[guidelines]]\nversion = "{each}"\n' for each in VERSIONS)
    people = ("ben", "cy", NAME)
    campaign = write(
        tmp_path / CAMPAIGN, toml, {each: exports(people, 5 + number) for number, each in enumerate(VERSIONS)}
    )
    assert run("build").exit_code == 0
    old = {each: f"old-{each}.zip" for each in VERSIONS}
    for each, out in old.items():
        assert run("bundle", CAMPAIGN, each, "--out", out).exit_code == 0
    assert traces(unpacked(old["1.0"]))
    assert traces(files(Path("site")))

    # docs/privacy.md, step by step.
    for number, each in enumerate(VERSIONS):
        (campaign / f"exports/{each}/ratings.csv").write_text(
            ratings(people[:2], turned=5 + number), encoding="utf-8"
        )
    edit(campaign / "pseudonyms.csv", f'"{NAME}"', '""')
    built = run("build")
    assert built.exit_code == 0, built.output
    assert built.stderr.count("the labels of 1 annotator were taken out") == len(VERSIONS)
    new = {each: f"new-{each}.zip" for each in VERSIONS}
    for each, out in new.items():
        done = run("bundle", CAMPAIGN, each, "--out", out, "--again", "An annotator withdrew consent.")
        assert done.exit_code == 0, done.output
    assert run("build").exit_code == 0

    # What is written after: the site, the bundles, the records. The table of pseudonyms keeps the number.
    site = files(Path("site"))
    assert traces(site) == []
    assert [name for out in new.values() for name in traces(unpacked(out))] == []
    assert traces(files(campaign)) == ["pseudonyms.csv"]
    assert NAME.encode() not in (campaign / "pseudonyms.csv").read_bytes()
    # It is said how many, and of nobody who.
    for each in VERSIONS:
        assert json.loads((campaign / f"released-{each}.json").read_bytes())["withdrawn"] == 1
    assert "An annotator withdrew consent." in Path("site/votes/index.html").read_text(encoding="utf-8")

    # History and all bundles verify, those from before too: they are what was published.
    assert run("verify", "site").exit_code == UNCHECKED
    assert [run("verify", out).exit_code for out in (*new.values(), *old.values())] == [UNCHECKED] * 10
