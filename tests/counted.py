"""Campaigns whose exports are the counts of another, and what results of the two have not in common."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import tomli_w

from reportgen.campaign import load
from reportgen.pipeline.reading import read_campaign
from reportgen.pipeline.version_reports import Report
from reportgen.publish.verify.differences import OF_EXPORTS, UNDETERMINED, WITHOUT_EXPORTS
from reportgen.results import Results
from tests.campaigns import compute_campaign

COUNTS = "counts/"
# What counts do not determine, or say of themselves: all else is the same.
OTHERWISE = {"findings", "unitizing", *UNDETERMINED[WITHOUT_EXPORTS], *UNDETERMINED[OF_EXPORTS]}
# Keys of campaign.toml that speak of exports, or of units by their names.
KEYS_OF_EXPORTS = (
    "columns",
    "format",
    "path",
    "annotators",
    "set_separator",
    "missing",
    "normalise",
    "adjudication",
)


def reports_of(folder: Path) -> dict[str, Report]:
    """Return the report of each version of a campaign."""
    campaign = load(folder)
    versions = read_campaign(campaign)
    return dict(zip(campaign.versions, compute_campaign(campaign, versions), strict=True))


def counts_in(report: Report) -> dict[str, str]:
    """Return the files of a report's folder of counts, by name."""
    return {
        name.removeprefix(COUNTS): text for name, text in report.beside.items() if name.startswith(COUNTS)
    }


def as_counts(
    folder: Path,
    target: Path,
    names: Mapping[str, str] | None = None,
    reports: Mapping[str, Report] | None = None,
) -> Path:
    """Write the campaign once more in `target`, with the counts of its reports as exports; return its folder.

    `names` are the pseudonyms of those whom campaign.toml names, `reports` what `reports_of` makes of it.
    """
    toml = tomllib.loads((folder / "campaign.toml").read_text(encoding="utf-8"))
    target = target / folder.name
    for version, report in (reports or reports_of(folder)).items():
        for name, text in counts_in(report).items():
            path = target / "counts" / version / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
    for name in _named_files(toml):
        if (folder / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).write_bytes((folder / name).read_bytes())
    (target / "campaign.toml").write_text(tomli_w.dumps(_published(toml, names or {})), encoding="utf-8")
    return target


def _named_files(toml: Mapping[str, Any]) -> Iterator[str]:
    for key in ("distances", "unit_sets", "guidelines"):
        for each in toml.get(key, ()):
            yield from (
                each[name] for name in ("file", "size", "document") if isinstance(each.get(name), str)
            )


def _published(toml: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    toml["privacy"] = {"annotators": "names", "texts": "withhold"}
    for key in ("controls", "gate", "reading"):
        toml.pop(key, None)
    for layer in toml.get("layers", ()):
        layer["source"] = layer["id"]
    for version in toml["guidelines"]:
        version["exports"] = f"counts/{version['version']}"
        for key in KEYS_OF_EXPORTS:
            version.pop(key, None)
    people = toml.pop("annotators", {})
    toml["annotators"] = {
        names.get(name, name): {key: names.get(value, value) for key, value in each.items()}
        for name, each in people.items()
    }
    return toml


def differences(first: Results, second: Results) -> list[str]:
    """Return the paths at which results from exports are not those from counts."""
    one, other = (each.model_dump(mode="json", by_alias=True) for each in (first, second))
    found = list(_differences(one, other, ""))
    known = [_without_place(each) for each in one["findings"]]
    claims = [
        each
        for each in other["findings"]
        if _without_place(each) not in known and each["id"] not in OF_OVERLAPS
    ]
    return found + [f"findings: {each['id']}" for each in claims]


def _without_place(finding: Mapping[str, Any]) -> dict[str, Any]:
    """Return a finding without the place of its cause: causes that only exports tell of stand before it."""
    return {key: value for key, value in finding.items() if key != "cause"}


def causes_in_other_order(first: Results, second: Results) -> list[tuple[int, int]]:
    """Return the places of the causes that both results name, where these are not in the same order."""
    one, other = (each.model_dump(mode="json", by_alias=True)["findings"] for each in (first, second))
    places = [
        (mine["cause"], yours["cause"])
        for mine in one
        for yours in other
        if "cause" in mine and "cause" in yours and _without_place(mine) == _without_place(yours)
    ]
    later = [place for _, place in sorted(places)]
    return [] if later == sorted(later) else sorted(places)


def _differences(one: Any, other: Any, path: str) -> Iterator[str]:  # noqa: ANN401 - any JSON
    if isinstance(one, dict) and isinstance(other, dict):
        if one.get("recomputable") is not False:
            for key in sorted({*one, *other} - OTHERWISE):
                yield from _differences(one.get(key), other.get(key), f"{path}.{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, pair in enumerate(zip(one, other, strict=True)):
            yield from _differences(*pair, f"{path}[{place}]")
    elif one != other and path != OVERLAPS and not _of_unitizing(path):
        yield path


# Which marks overlap is in no counts: a type that only one gave a token is not told from one of other ends.
OVERLAPS = ".spans.disagreements"
OF_OVERLAPS = frozenset(("confused",))


def _of_unitizing(path: str) -> bool:
    return path.startswith(".catalogue.") and path.split(".")[2] in UNITIZING


UNITIZING = frozenset(("alpha_u", "u_alpha", "u_alpha_binary", "cu_alpha", "ku_alpha", "gamma"))
