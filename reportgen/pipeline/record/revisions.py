"""From what was compared of two guidelines versions to the model of comparison.json."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reportgen.campaign import Campaign, Version
from reportgen.measures import BY_ID, CATALOGUE, EstimateDifference, Permuted, base_id
from reportgen.pipeline.record.comparisons import change, span_revision, system_revisions
from reportgen.results import Tool, rounded
from reportgen.results.comparison import GuidelinesCompared, Passage, VersionComparison
from reportgen.results.unit_sets import noun_of
from reportgen.versions.confusions import Flipped
from reportgen.versions.figures import TestedChange
from reportgen.versions.guidelines import compare_guidelines
from reportgen.versions.marks import SpanRevised
from reportgen.versions.sides import Key
from reportgen.versions.system_comparison import SystemRevised
from reportgen.versions.unit_sets import UnitSample, UnitSetRevised

SPECIFIC = "specific_agreement"


@dataclass(frozen=True, eq=False)
class Revised:
    """All that was compared of two versions of one campaign.

    `coefficients` are the primary ones by layer; `guidelines` are the documents compared, or None and
    `uncompared` says why; `missing` has the unit sets that one version alone has.
    """

    campaign: Campaign
    first: Version
    second: Version
    coefficients: Mapping[str, str]
    unit_sets: Sequence[UnitSetRevised]
    spans: Sequence[SpanRevised] = ()
    systems: Sequence[SystemRevised] = ()
    guidelines: GuidelinesCompared | None = None
    uncompared: str | None = None
    missing: tuple[Sequence[Key], Sequence[Key]] = ((), ())


def record_revision(found: Revised) -> VersionComparison:
    """Return the comparison of two versions, without findings."""
    spans = [span_revision(each) for each in found.spans]
    systems = system_revisions(found.systems)
    unit_sets = [unit_set_revision(each) for each in found.unit_sets]
    used = _used([*unit_sets, *spans, *systems]) | {base_id(each) for each in found.coefficients.values()}
    content: dict[str, Any] = {
        "schema": 1,
        "campaign": {"id": found.campaign.id, "title": found.campaign.title},
        "first": _version(found.first),
        "second": _version(found.second),
        "coefficients": dict(found.coefficients),
        "unit_sets": unit_sets,
        "spans": spans,
        "systems": systems,
        "guidelines": found.guidelines and found.guidelines.model_dump(),
        "guidelines_uncompared": found.uncompared,
        "missing": {
            side: [f"{layer}/{name}" for layer, name in keys]
            for side, keys in zip(("first", "second"), found.missing, strict=True)
        },
        "names": {each: BY_ID[each].name for each in sorted(used) if each in BY_ID},
        "places": {each.id: place for place, each in enumerate(CATALOGUE) if each.id in used},
        "margin": _margin(found.campaign, next(iter(found.coefficients.items()), None)),
        "tool": Tool.here(),
    }
    return VersionComparison.model_validate(rounded(content))


def _margin(campaign: Campaign, primary: tuple[str, str] | None) -> float | None:
    """Return the smallest margin that [gate] has for the first layer's coefficient, None without any."""
    if primary is None:
        return None
    layer, figure = primary
    floors = (
        each
        for each in campaign.gate.get(figure, ())
        if each.layer in {None, layer} and not (each.category or each.unit_set or each.annotators)
    )
    return min((each.margin for each in floors if each.margin is not None), default=None)


def _version(version: Version) -> dict[str, Any]:
    return {
        "guidelines": version.id,
        "date": version.date and version.date.isoformat(),
        "changes": version.changes,
    }


def _used(found: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the ids of the measures of what was compared."""
    names = {base_id(name) for each in found for name in each["measures"]}
    return names | {SPECIFIC}


def unit_set_revision(found: UnitSetRevised) -> dict[str, Any]:
    """Return one unit set under both versions, as a UnitSetRevision of the results."""
    layer, name = found.key
    by_unit = found.first.by_unit and found.second.by_unit
    return {
        "layer": layer,
        "unit_set": name,
        "primary": found.second.units.primary,
        "scale": found.second.units.scale,
        "figure": found.figure,
        "basis": found.basis,
        "clusters": "unit" if by_unit else "document",
        "noun": _noun(found),
        "first": _sample(found.samples[0]),
        "second": _sample(found.samples[1]),
        "overlap": _overlap(found),
        "categories": vars(found.matching),
        "non_annotated": found.second.units.non_annotated_name,
        "measures": _measures(found),
        "specific_agreement": {category: change(each) for category, each in found.specific.items()},
        "pairs": [
            {"annotators": names, "measures": {figure: change(each) for figure, each in measures.items()}}
            for names, measures in found.pairs.items()
        ],
        "disagreement": found.disagreement and _disagreement(found),
        "flips": found.flipped and _flips(found.flipped),
    }


def _noun(found: UnitSetRevised) -> str:
    """Return what the units are, where they are the same under both versions."""
    sides = (found.first.units, found.second.units)
    nouns = {
        noun_of(each.kind, each.base, kept=each.candidates is None or each.candidates.keep_marked)
        for each in sides
    }
    return nouns.pop() if len(nouns) == 1 else "units"


def _sample(found: UnitSample) -> dict[str, Any]:
    return dict(vars(found))


def _overlap(found: UnitSetRevised) -> dict[str, Any]:
    ours, theirs = (each.annotators for each in found.samples)
    return {
        "documents": found.shared.real,
        "units": found.flipped and found.flipped.units,
        "annotators": [name for name in theirs if name in ours],
        "edited": found.edited,
    }


def _measures(found: UnitSetRevised) -> dict[str, Any]:
    return {name: change(each) | _permuted(found.permuted.get(name)) for name, each in found.measures.items()}


def _permuted(found: Permuted | None) -> dict[str, Any]:
    if found is None:
        return {}
    return {"permutation": {"p": found.p, "samples": found.samples, "exact": found.exact}}


def _confusion_test(found: TestedChange | None) -> dict[str, Any]:
    if found is None or not isinstance(found.tested, EstimateDifference):
        return {}
    return {"p": found.tested.p, "adjusted": found.adjusted}


def _disagreement(revised: UnitSetRevised) -> dict[str, Any] | None:
    """Return the confusions; only here, on the way out, do exact fractions become numbers."""
    found, tests = revised.disagreement, revised.confused
    if found is None:
        return None
    return {
        "first": float(found.first.value),
        "second": float(found.second.value),
        "change": float(found.change),
        "denominators": (found.first.denominator, found.second.denominator),
        "confusions": [
            {
                "categories": each.names,
                "first": each.first,
                "second": each.second,
                "contribution": float(each.contribution),
                **_confusion_test(tests.get(each.names)),
            }
            for each in found.confusions
        ],
        "sets": revised.second.units.sets is not None,
    }


def _flips(found: Flipped) -> dict[str, Any]:
    parts = {"mended": found.mended, "broken": found.broken, "disputed": found.disputed}
    counts = {name: len(rows.first) for name, rows in parts.items()}
    told = {"alike": found.alike, "clusters": found.clusters, "p": found.p}
    return {"agreed": found.agreed, **counts, **told}


# The guidelines documents of two versions, compared and recorded; or why they were not.

# Beyond this a document is no text that somebody wrote for annotators.
MOST_BYTES = 2_000_000

NONE_NAMED = "campaign.toml names no guidelines document for {version}"
NO_TEXT = "the guidelines document of {version} is no text file"
MISSING = "the guidelines document of {version} is not there"
TOO_LONG = "the guidelines document of {version} is too long to compare"


@dataclass(frozen=True)
class GuidelinesDocument:
    """A version's guidelines document: its name, its text, or why there is none."""

    version: str
    name: str = ""
    text: str | None = None
    missing: str = ""


def guidelines_document(folder: Path, version: str, name: str | None) -> GuidelinesDocument:
    """Read the guidelines document of a version; `name` is its path in the campaign's folder."""
    if not name:
        return _without(version, "", NONE_NAMED)
    path = folder / name
    try:
        if path.stat().st_size > MOST_BYTES:
            return _without(version, name, TOO_LONG)
        content = path.read_bytes()
        text = content.decode("utf-8-sig")
    except OSError:
        return _without(version, name, MISSING)
    except UnicodeDecodeError:
        return _without(version, name, NO_TEXT)
    return GuidelinesDocument(version, name, text) if "\0" not in text else _without(version, name, NO_TEXT)


def _without(version: str, name: str, reason: str) -> GuidelinesDocument:
    return GuidelinesDocument(version, name, missing=reason.format(version=version))


def guidelines_compared(
    first: GuidelinesDocument, second: GuidelinesDocument, categories: Sequence[str]
) -> tuple[GuidelinesCompared | None, str | None]:
    """Return two documents compared; or None with the reason why they are not."""
    if first.text is None or second.text is None:
        return None, first.missing or second.missing
    found = compare_guidelines(first.text, second.text, categories)
    passages = tuple(Passage(kind=each.kind, text=each.text, categories=each.categories) for each in found)
    return GuidelinesCompared(first=first.name, second=second.name, passages=passages), None
