"""What GATE's chapter on evaluation does beyond figures: features, adjudication, gold as GATE XML, roles."""

from itertools import pairwise
from pathlib import Path

import pytest

from reportgen.results import Results
from tests.campaigns import results_of, written

TEXT = "Ann met Bob and Carla and Dan."
WORDS = {"Ann": (0, 3), "Bob": (8, 11), "Carla": (16, 21), "Dan": (26, 29)}


def gate_xml(sets: dict[str, dict[str, dict[str, str]]]) -> str:
    """Return a GATE document: sets of persons, by name, with their features."""
    edges = sorted({edge for span in WORDS.values() for edge in span})
    cuts = [0, *edges, len(TEXT)]
    body = "".join(f'{TEXT[start:end]}<Node id="{end}" />' for start, end in pairwise(cuts) if end)
    parts = []
    for name, persons in sets.items():
        marks = "".join(
            f'<Annotation Id="{number}" Type="Person" '
            f'StartNode="{WORDS[word][0]}" EndNode="{WORDS[word][1]}">'
            + "".join(
                f'<Feature><Name className="java.lang.String">{key}</Name>'
                f'<Value className="java.lang.String">{value}</Value></Feature>'
                for key, value in features.items()
            )
            + "</Annotation>"
            for number, (word, features) in enumerate(persons.items())
        )
        parts.append(f'<AnnotationSet Name="{name}">{marks}</AnnotationSet>')
    # A node at the very beginning.
    return (
        '<?xml version="1.0" encoding="UTF-8"?><GateDocument>'
        f'<TextWithNodes><Node id="0" />{body}</TextWithNodes>{"".join(parts)}</GateDocument>'
    )


KEY = {
    "Ann": {"gender": "f", "kind": "name"},
    "Bob": {"gender": "m", "kind": "name"},
    "Carla": {"gender": "f", "kind": "name"},
    "Dan": {"gender": "m", "kind": "name"},
}
RESPONSE = {
    "Ann": {"gender": "f", "kind": "name"},
    "Bob": {"gender": "m", "kind": "other"},
    "Carla": {"gender": "m", "kind": "name"},
}


def strict(found: Results) -> dict[str, int]:
    assert found.spans is not None
    (pair,) = found.spans.pairs
    return pair.counts.model_dump()


# The whole text has 4 persons in the key, 3 in the response: with no feature all 3 match.
@pytest.mark.parametrize(
    ("features", "matches"), [("[]", 3), ('["gender"]', 2), ('["kind"]', 2), ('"*"', 1), ('["*"]', 1)]
)
def test_marks_are_compared_by_no_some_or_all_features(tmp_path: Path, features: str, matches: int) -> None:
    files = {"exports/1.0/a.xml": gate_xml({"Key": KEY, "Response": RESPONSE})}
    found = results_of(written(tmp_path / "campaign", f"[task]\nfeatures = {features}\n", files))
    assert strict(found) == {
        "match": matches,
        "overlap": 0,
        "only_first": 4 - matches,
        "only_second": 3 - matches,
    }
    assert found.spans is not None
    if "*" in features:
        assert found.spans.layers[0].features == ("gender", "kind")
