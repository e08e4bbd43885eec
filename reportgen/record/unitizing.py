"""From unitizing figures to what results.json says of them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from reportgen.agreement import Gamma, UnitizingAgreement, UnitizingPair
from reportgen.record.figures import by_name


def with_unitizing(
    spans: dict[str, Any] | None, agreements: Sequence[UnitizingAgreement]
) -> dict[str, Any] | None:
    """Return the part `spans` of results.json with unitizing in it; None where there is no such part."""
    return spans and spans | {"unitizing": [_layer(each) for each in agreements]}


def unitizing_ids(agreements: Sequence[UnitizingAgreement]) -> set[str]:
    """Return the ids of the measures that are used."""
    used = {name for each in agreements for name in each.measures}
    return used | {name for each in agreements for own in each.by_category.values() for name in own}


def _layer(found: UnitizingAgreement) -> dict[str, Any]:
    spans, continua = found.spans, found.continua
    return {
        "layer": spans.layer,
        "annotators": spans.annotators,
        "documents": len(continua.documents),
        "documents_alone": continua.alone,
        "characters": sum(continua.lengths.tolist()),
        "characters_read": continua.read,
        "units": len(continua.line),
        "joined": continua.joined,
        "empty": continua.empty,
        "several": found.several,
        "measures": by_name(found.measures),
        "by_category": {name: by_name(own) for name, own in found.by_category.items()},
        "categories": list(found.by_category),
        "pairs": [_pair(spans.people, each) for each in found.pairs],
        "gamma": _gamma(found.gamma),
    }


def _pair(people: Sequence[str], pair: UnitizingPair) -> dict[str, Any]:
    return {
        "annotators": (people[pair.first], people[pair.second]),
        "documents": pair.documents,
        "measures": by_name(pair.measures),
    }


def _gamma(found: Gamma | None) -> Mapping[str, Any] | None:
    if found is None:
        return None
    known = {"documents": found.documents, "left_out": found.left_out, "solver": found.solver}
    return {**known, "deterministic": False, "libraries": dict(found.libraries), **asdict(found.setting)}
