"""campaign.toml in its published form: one version, everybody under pseudonyms, loaded like any other."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from reportgen.campaign import Campaign, load
from reportgen.campaign.guidelines import choose
from reportgen.campaign.toml_tables import CampaignToml, Table, Task
from reportgen.pipeline.version_reports import as_in_bundle
from reportgen.publish.published_campaign import LEFT_OUT, published, published_files
from reportgen.units import Pseudonyms
from tests.campaign.conftest import Make, make, whole
from tests.commands import on_disk

__all__ = ("make", "whole")
Whole = tuple[str, Mapping[str, str]]
NAMES = Pseudonyms({"O'Brien": "A01", 'a "b"': "A02", "gold": "A03"})
TOML = """
title = "Two \\r versions of \\u0000"
language = ["fr", "en"]
[corpus]
name = "Corpus"
[[authors]]
name = "Ada"
[[references]]
title = "Work"
authors = "Ada"
[task]
categories = ["a", "b"]
non_annotated = "none"
[[layers]]
id = "one"
source = "Secret type->kind"
categories = []
[[layers]]
id = "two"
scale = "ordinal"
[annotators."O'Brien"]
same_as = 'a "b"'
[annotators.gold]
role = "reference"
[annotators.elsewhere]
system = "tagger"
[[unit_sets]]
id = "sized"
units = "declared"
size = "sizes of gold.csv"
primary = true
why = "Because."
[[unit_sets]]
id = "terms"
units = "candidates"
file = "terms.txt"
[[distances]]
id = "near"
file = "by gold.csv"
why = "Experts."
[[guidelines]]
version = "1.0"
exports = "exports/1.0"
date = 2020-01-02
document = "guide of O'Brien.md"
path = "{annotator}/{document}"
annotators = ["gold", "O'Brien"]
changes = "First."
[[guidelines]]
version = "2.0"
exports = "exports/1.0"
document = "guide.by gold"
scale = "interval"
categories = ["1", "2"]
merged = { a = "1" }
unit_sets = { sized = { size = 12 } }
distances = { near = { file = "other.csv" } }
[gate]
cohen_kappa = [
    { value = 0.5, annotators = ['a "b"', "O'Brien"] },
    { low = 0.5, annotators = ["gold", "elsewhere"] },
]
"""
TABLE = ",a,b\na,0,1\nb,1,0\n"


def campaign(folder: Path) -> Campaign:
    files = {
        "campaign.toml": TOML.replace("\\u0000", "names"),
        "sizes of gold.csv": "document,size\nx,10\n",
        "terms.txt": "x\n",
        "by gold.csv": TABLE,
        "other.csv": TABLE,
        "guide of O'Brien.md": "# Guide\n",
        "guide.by gold": "Guide",
        "exports/1.0/x.csv": "unit,O'Brien\n1,a\n",
    }
    return as_in_bundle(load(on_disk(folder, files)))


def read(folder: Path, version: str) -> dict[str, Any]:
    return tomllib.loads(published(campaign(folder), version, NAMES))


def test_one_version_is_published_with_what_holds_for_it(tmp_path: Path) -> None:
    first, second = read(tmp_path / "c", "1.0"), read(tmp_path / "c", "2.0")
    assert first["guidelines"][0] == {
        "version": "1.0",
        "changes": "First.",
        "document": "guidelines/1.0.md",
        "date": first["guidelines"][0]["date"],
        "exports": "report/counts",
        "format": "counts",
    }
    assert second["guidelines"] == [
        {"version": "2.0", "document": "guidelines/2.0", "exports": "report/counts", "format": "counts"}
    ]
    assert second["task"] == {"categories": ["1", "2"], "non_annotated": "none", "scale": "interval"}
    assert first["title"] == "Two \r versions of names"
    shown = dict.fromkeys(("annotators", "systems", "documents"), "names") | {"texts": "withhold"}
    assert first["privacy"] == {**shown, "smallest": 3}


def test_people_have_pseudonyms_and_others_are_left_out(tmp_path: Path) -> None:
    found = read(tmp_path / "c", "1.0")
    assert found["annotators"] == {"A03": {"role": "reference"}, "elsewhere": {"system": "tagger"}}
    # Systems are no persons.
    of_system = {"low": 0.5, "annotators": ["A03", "elsewhere"]}
    assert found["gate"] == {"cohen_kappa": [{"value": 0.5, "annotators": ["A02", "A01"]}, of_system]}
    text = published(campaign(tmp_path / "c"), "1.0", NAMES)
    assert [name for name in ("Brien", "gold", "Secret", "{annotator}") if name in text] == []


def test_unit_sets_are_published_without_the_files_they_were_made_from(tmp_path: Path) -> None:
    first, second = read(tmp_path / "c", "1.0"), read(tmp_path / "c", "2.0")
    sized = {"id": "sized", "units": "declared", "primary": True, "why": "Because."}
    assert first["unit_sets"] == [sized, {"id": "terms", "units": "candidates"}]
    assert second["unit_sets"][0] == {**sized, "size": 12}


def test_the_files_that_it_names_are_told(tmp_path: Path) -> None:
    known = campaign(tmp_path / "c")
    assert published_files(known, "1.0") == {
        "guidelines/1.0.md": "guide of O'Brien.md",
        "distances/near.csv": "by gold.csv",
    }
    assert published_files(known, "2.0") == {
        "guidelines/2.0": "guide.by gold",
        "distances/near.csv": "other.csv",
    }


def test_the_primary_coefficient_stays_what_all_versions_made_it(tmp_path: Path) -> None:
    known = campaign(tmp_path / "c")
    assert choose(known, "1.0", "one").coefficient == "krippendorff_alpha"
    for version in known.versions:
        again = republished(known, version, tmp_path / version)
        for layer in ("one", "two"):
            expected = choose(known, version, layer).coefficient
            assert choose(again, version, layer).coefficient == expected


def test_it_loads_and_published_again_stays_as_it_is(tmp_path: Path) -> None:
    known = campaign(tmp_path / "c")
    again = republished(known, "2.0", tmp_path / "d")
    assert again.versions == ("2.0",)
    assert [each.categories for each in again.version("2.0").layers] == [(), ("1", "2")]
    assert published(again, "2.0", Pseudonyms()) == published(known, "2.0", NAMES)


def republished(known: Campaign, version: str, folder: Path) -> Campaign:
    """Return the published form, loaded from a folder that holds what it names."""
    named = published_files(known, version).items()
    files = {name: (known.folder / file).read_bytes() for name, file in named}
    own = {"report/counts/counts.json": "{}", "campaign.toml": published(known, version, NAMES)}
    return load(on_disk(folder, {**files, **own}))


# No key of campaign.toml is forgotten: it is published, or left out for a reason.


def keys(of: object, place: str = "") -> Iterator[str]:
    """Yield every key of a table of campaign.toml, and of the tables in it, by its path without numbers."""
    if isinstance(of, type) and issubclass(of, Table):
        for name, field in of.model_fields.items():
            path = f"{place}.{field.alias or name}".strip(".")
            yield path
            yield from keys(field.annotation, path)
    for inner in get_args(of):
        yield from keys(inner, place)


def paths(value: object, place: str = "", *, named: bool = False) -> Iterator[str]:
    """Yield the paths of keys in a TOML file, without numbers, and the names in tables of some."""
    for each in value if isinstance(value, list) else ():
        yield from paths(each, place)
    for name, each in value.items() if isinstance(value, dict) else ():
        path = place if named else f"{place}.{name}".strip(".")
        yield path
        yield from paths(each, path, named=path in {"annotators", "gate"} and not named)


def test_no_key_of_campaign_toml_is_forgotten(whole: Whole, make: Make) -> None:
    known = as_in_bundle(load(make(*whole)))
    texts = [tomllib.loads(published(known, version, Pseudonyms())) for version in known.versions]
    found = {path for text in texts for path in paths(text)}
    left_out = {path for path in keys(CampaignToml) if path.startswith(tuple(LEFT_OUT))}
    # What holds for the version, each where it is not the default.
    found |= {f"{table}.{name}" for table in ("task", "layers") for name in Task.model_fields}
    # whole.toml has a table of distances and a list of terms in their places.
    absent = set(keys(CampaignToml)) - found - left_out - {"distances.taxonomy", "unit_sets.layer"}
    assert not absent, "neither published nor in LEFT_OUT, or not in tests/campaign/whole.toml"


def test_nobody_is_named_by_any_key(whole: Whole, make: Make) -> None:
    toml, files = whole
    toml = toml.replace('annotators = "names"', "").replace('"A1"', '"Zoë"').replace("s.A1]", 's."Zoë"]')
    known = as_in_bundle(load(make(toml, files)))
    for version in known.versions:
        found = published(known, version, Pseudonyms({"Zoë": "A07", "A2": "A08"}))
        assert "Zoë" not in found
        both = tomllib.loads(found)
        assert both["replacement"]["expert"] == "A07"
        assert both["gate"]["specific_agreement"][0]["annotators"] == ["A07", "A08"]
        alone = tomllib.loads(published(known, version, Pseudonyms({"A2": "A08"})))
        assert "expert" not in alone["replacement"]
        assert "specific_agreement" not in alone["gate"]


def test_what_is_declared_of_models_is_published_without_their_prompts(whole: Whole, make: Make) -> None:
    found = tomllib.loads(published(as_in_bundle(load(make(*whole))), "1.0", Pseudonyms()))
    assert found["annotators"]["M1"]["model"] == "a-model"
    assert "prompt" not in found["annotators"]["M1"]
    assert found["unitizing"]["gamma"]


def test_what_is_published_with_every_key_is_published_again_as_it_is(
    whole: Whole, make: Make, tmp_path: Path
) -> None:
    known = as_in_bundle(load(make(*whole)))
    again = republished(known, "1.0", tmp_path / "again")
    assert published(again, "1.0", Pseudonyms()) == published(known, "1.0", NAMES)
