"""What figures were computed from, attached on request: the exports under real names, byte for byte.

`exports/` is a campaign's folder: campaign.toml as it was declared, reduced to one guidelines version, and
the files that it names. `pseudonyms.csv` says who and what is called what in the report, so that everything
can be computed anew.
"""

import csv
import io
import tomllib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import tomli_w

from reportgen.campaign import Campaign, Guidelines, Version
from reportgen.errors import BadInput, Problem
from reportgen.files import read_bytes, read_text, rows
from reportgen.release.names import CAMPAIGN, EXPORTS, PSEUDONYMS
from reportgen.results import Results
from reportgen.study import Pseudonyms

HEAD = ("kind", "name", "pseudonym")
OWN = PSEUDONYMS.removeprefix(EXPORTS)


def exported(
    campaign: Campaign, version: Version, names: Pseudonyms, people: Collection[str]
) -> dict[str, bytes]:
    """Return the exports of a version with all that is read beside them, by their paths in the bundle.

    Of `people`, those who stand in the version, campaign.toml has what is declared. Raises BadInput where a
    file can't be read, or its name can't stand in a bundle.
    """
    paths = named_files(campaign, version)
    if wrong := [each for name in sorted(paths) for each in _unfit(version, name)]:
        raise BadInput(wrong)
    files = {name: read_bytes(path, version.shown(name)) for name, path in sorted(paths.items())}
    files[CAMPAIGN] = tomli_w.dumps(_reduced(campaign, version, people)).encode()
    files[OWN] = pseudonyms_csv(names).encode()
    return {f"{EXPORTS}{name}": content for name, content in files.items()}


def named_files(campaign: Campaign, version: Version) -> dict[str, Path]:
    """Return the files that campaign.toml names: the exports, and what is read beside them."""
    sizes = [each.size for each in campaign.unit_sets if isinstance(each.size, str)]
    distances = [each.source for each in campaign.distances]
    beside = {name: campaign.folder / name for name in (*version.files, *sizes, *distances)}
    return {**beside, **{each.name: each.path for each in version.exports}}


def _unfit(version: Version, name: str) -> Iterator[Problem]:
    """Yield why a file's name can't stand in a bundle."""
    if name == OWN:
        yield Problem(version.shown(name), message="has a name that the bundle needs.", mend="Rename it.")
    if not name.isprintable():
        message = "has a name with signs that can't be printed, which lists of checksums can't hold."
        yield Problem(version.shown(name), message=message, mend="Rename it.")


def _reduced(campaign: Campaign, version: Version, people: Collection[str]) -> dict[str, Any]:
    """Return what campaign.toml says, as far as it holds for one version."""
    declared = tomllib.loads(read_text(campaign.folder / CAMPAIGN, campaign.file))
    declared["guidelines"] = [each for each in declared["guidelines"] if each["version"] == version.id]
    # It holds the newest version against others, and can name people who do not stand in this one.
    declared.pop("gate", None)
    if known := declared.pop("annotators", {}):
        kept = {*people, *(each.get("same_as", "") for name, each in known.items() if name in people)}
        declared["annotators"] = {name: each for name, each in known.items() if name in kept}
    return declared


def pseudonyms_csv(names: Pseudonyms) -> str:
    """Return the table of who and what is called what."""
    buffer = io.StringIO(newline="")
    # Versions of Python differ in what else has to be quoted.
    writer = csv.writer(buffer, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(HEAD)
    for kind, shown in _kinds(names).items():
        writer.writerows((kind, name, pseudonym) for name, pseudonym in shown.items())
    return buffer.getvalue()


def _kinds(names: Pseudonyms) -> dict[str, Mapping[str, str]]:
    return {"annotator": names.annotators, "document": names.documents, "unit": names.units}


def read_pseudonyms(text: str) -> Pseudonyms:
    """Return the pseudonyms of a table; raises BadInput where it is none of ours."""
    head, *lines = rows(text, ",") or [[]]
    found: dict[str, dict[str, str]] = {"annotator": {}, "document": {}, "unit": {}}
    if tuple(head) != HEAD or any(len(row) != len(HEAD) or row[0] not in found for row in lines):
        message = f"is no table of {', '.join(HEAD)}."
        raise BadInput([Problem(PSEUDONYMS, message=message, mend="Write the bundle anew.")])
    for kind, name, pseudonym in lines:
        found[kind][name] = pseudonym
    return Pseudonyms(found["annotator"], found["document"], found["unit"])


def as_chosen(campaign: Campaign, recorded: Results) -> Campaign:
    """Return the campaign of `exports/` with its own name, as its results were computed.

    What other guidelines versions say of the primary coefficient stands in the recorded results alone.
    """
    own = next((each for each in campaign.guidelines if each.version == recorded.guidelines), None)
    if own is None:
        return campaign
    reasons = [(layer, each.values) for layer, each in recorded.choice.items()]
    elsewhere = {
        str(values["version"]): {"coefficient": recorded.coefficients.get(layer)}
        for layer, values in reasons
        if "version" in values
    }
    others = [_other(own, name, said) for name, said in elsewhere.items()]
    differing = next((str(values["scales"]).split(", ") for _, values in reasons if "scales" in values), [])
    scale = own.scale if "scale" in own.model_fields_set else campaign.task.scale
    by_scale = [own if each == scale else _other(own, f"({each})", {"scale": each}) for each in differing]
    guidelines = tuple(by_scale or [own]) + tuple(others)
    return campaign.model_copy(update={"id": recorded.campaign.id, "guidelines": guidelines})


def _other(own: Guidelines, version: str, said: Mapping[str, Any]) -> Guidelines:
    """Return guidelines of which only what chooses a coefficient is known."""
    scale = {"scale": own.scale} if "scale" in own.model_fields_set else {}
    known = {"version": version, **scale, **said}
    return Guidelines.model_construct(set(known), **known)
