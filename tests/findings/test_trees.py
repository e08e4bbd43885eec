"""Which relation or part of speech stands out in dependency trees: edges of the rules, on made results."""

from typing import Any

import pytest

from reportgen.findings import marks
from reportgen.results import Finding
from reportgen.results.marks import DifferingHeads, RelationConfusion, TreeAgreement
from tests.findings.made_results import told


def attached(*, layer: str = "main", words: int = 1000, differing: int = 40, **parts: Any) -> dict[str, Any]:  # noqa: ANN401 - of the model
    own = TreeAgreement(
        layer=layer,
        words=words,
        differing=differing,
        pairs=(),
        relations_confused=parts.get("confused", ()),
        by_relation=parts.get("relations", ()),
        by_part_of_speech=parts.get("speech", ()),
        documents=(),
    )
    return {"trees": (own,)}


def part(name: str, words: int, differing: int, p: float | None = 0.001) -> DifferingHeads:
    return DifferingHeads(name=name, words=words, differing=differing, p=p)


def named(*relations: DifferingHeads, **changes: Any) -> str | None:  # noqa: ANN401 - of `attached`
    """Return the relation that is named."""
    found = told(marks.heads, **attached(relations=relations, **changes))
    return str(found[0].values["relation"]) if found else None


def test_a_relation_is_named_that_has_a_quarter_of_all_differing_heads_more_than_its_words_would() -> None:
    """Of the other 500 words 15 have differing heads: 25 are ten more than that."""
    (found,) = told(marks.heads, **attached(relations=(part("obl", 500, 25),)))
    assert found.claim == marks.OF_RELATION.claim
    assert found.values == {
        "relation": "obl",
        "difference_share": 0.625,
        "differing": 40,
        "words": 25,
        "all": 500,
    }
    assert found.cases == 25
    assert named(part("obl", 500, 24)) is None
    # Rates are of the words without the part, never of all.
    assert (named(part("obl", 100, 14)), named(part("obl", 100, 12))) == ("obl", None)
    assert named(part("obl", 1000, 40)) is None


@pytest.mark.parametrize(("differing", "speaks"), [(10, True), (9, False)])
def test_of_few_differing_heads_nothing_is_named(differing: int, *, speaks: bool) -> None:
    relation = part("obl", 100, differing)
    assert bool(named(relation, differing=differing)) is speaks


def test_what_stands_out_is_no_chance_among_all_that_were_tested() -> None:
    untested, other = part("det", 100, 0, None), part("det", 100, 0, 1.0)
    assert named(part("obl", 500, 30, 0.0499), untested) == "obl"
    assert named(part("obl", 500, 30, 0.05), untested) is None
    assert named(part("obl", 500, 30, 0.0249), other) == "obl"
    assert named(part("obl", 500, 30, 0.025), other) is None
    assert named(part("obl", 500, 30, None)) is None
    assert named(part("obl", 500, 30, 0.0)) == "obl"


def test_of_two_that_are_nearly_alike_the_one_on_more_words_is_named() -> None:
    """The first has 20 heads too many; nine tenths of these are 18."""
    assert named(part("obl", 200, 24), part("nmod", 500, 29)) == "nmod"
    assert named(part("obl", 200, 24), part("nmod", 500, 28)) == "obl"
    assert named(part("nmod", 500, 28), part("obl", 200, 24)) == "obl"


def test_a_part_of_speech_is_named_where_no_relation_is() -> None:
    speech = (part("ADP", 500, 30),)
    (found,) = told(marks.heads, **attached(relations=(part("obl", 500, 24),), speech=speech))
    assert (found.claim, found.values["speech"]) == (marks.OF_SPEECH.claim, "ADP")
    (both,) = told(marks.heads, **attached(relations=(part("obl", 500, 25),), speech=speech))
    assert both.claim == marks.OF_RELATION.claim


def confused(*words: int, **changes: Any) -> list[Finding]:  # noqa: ANN401 - of `attached`
    pairs = tuple(
        RelationConfusion(first=f"a{place}", second=f"b{place}", words=number)
        for place, number in enumerate(words)
    )
    return told(marks.confused, **attached(confused=pairs, **changes))


def test_two_relations_are_confused_where_half_of_all_confusions_are_theirs() -> None:
    (found,) = confused(5, 3, 2)
    assert found.values == {"first": "a0", "second": "b0", "words": 5, "all": 10}
    assert found.cases == 5
    assert confused(5, 5)[0].values["words"] == 5
    assert confused(5, 4) == confused(4, 3, 3) == confused(10) == confused() == []


def test_another_layers_trees_say_nothing_of_this_one() -> None:
    assert told(marks.heads, **attached(layer="other", relations=(part("obl", 500, 30),))) == []
    assert confused(9, 9, layer="other") == []
    assert told(marks.heads) == told(marks.confused) == []
