"""Where distances between categories come from that were computed of a taxonomy, in words."""

from dataclasses import dataclass

from reportgen.report import numbers
from reportgen.report.language import _, listed, say, say_many
from reportgen.results import Results
from reportgen.results.credits import DistanceOrigin


@dataclass(frozen=True)
class OriginView:
    """A distance table, and where it comes from."""

    id: str
    said: str


def origins(results: Results) -> list[OriginView]:
    """Return where each distance table comes from that was not written by hand."""
    return [OriginView(each.id, _said(each.origin)) for each in results.distances if each.origin]


def _said(origin: DistanceOrigin) -> str:
    parts = [
        *(_of_taxonomy(origin) if origin.kind == "taxonomy" else [_of_scores(origin)]),
        _unplaced(origin),
    ]
    return " ".join(part for part in parts if part)


def _of_taxonomy(origin: DistanceOrigin) -> list[str]:
    computed = say(
        "1 − BDM, the balanced distance metric (Maynard, Peters and Li 2006), computed from the taxonomy "
        "{file} ({form}): {concepts}, {roots}, chains of {chain} steps on average.",
        file=origin.file,
        form=_(origin.form),
        concepts=numbers.counted(origin.concepts, "concept", "concepts"),
        roots=numbers.counted(origin.roots or 0, "root", "roots"),
        chain=numbers.figure(origin.chain),
    )
    several = (origin.roots or 0) > 1
    return [computed, say("Concepts below different roots have nothing in common.") if several else ""]


def _of_scores(origin: DistanceOrigin) -> str:
    return say(
        "1 − BDM, the balanced distance metric (Maynard, Peters and Li 2006), read from the scores in {file} "
        "that GATE computed: {concepts}.",
        file=origin.file,
        concepts=numbers.counted(origin.concepts, "concept", "concepts"),
    )


def _unplaced(origin: DistanceOrigin) -> str:
    if not origin.unplaced:
        return ""
    return say_many(
        "{names} is no concept and at distance 1 from all others.",
        "{names} are no concepts and at distance 1 from all others.",
        len(origin.unplaced),
        names=listed(origin.unplaced),
    )
