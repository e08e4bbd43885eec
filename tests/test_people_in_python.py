"""Users of Python name whom to compare, give two columns as scikit-learn takes them, and spans."""

import pandas as pd
import pytest

from reportgen import agreement
from reportgen.agreement import RatingsAgreement
from reportgen.base.errors import BadInput

PEOPLE = {"anna": list("abab" * 9 + "aaab"), "ben": list("abaa" * 10), "cy": list("abbb" * 10)}
FRAME = pd.DataFrame(
    {
        "item": range(40),
        "opening": [f"text {number}" for number in range(40)],
        **PEOPLE,
        "gpt-4o": list("aabb" * 10),
        "best": list("abab" * 10),
        "seconds": range(40),
    }
)


def alpha(found: RatingsAgreement) -> float | None:
    return found.measures["krippendorff_alpha"].value


def test_people_who_are_named_are_compared_and_models_and_references_are_not() -> None:
    of_people = agreement.of(pd.DataFrame(PEOPLE))
    found = agreement.of(FRAME, annotators=["anna", "ben", "cy"], models=["gpt-4o"], reference="best")
    assert found.annotators == ("anna", "ben", "cy")
    assert alpha(found) == alpha(of_people)
    long = FRAME.melt("item", [*PEOPLE, "gpt-4o", "best"], "annotator", "label")
    assert alpha(agreement.of(long, models=["gpt-4o"], reference="best")) == alpha(of_people)
    two = agreement.of(long, annotators=["anna", "ben"])
    assert two.annotators == ("anna", "ben")
    assert alpha(two) == alpha(agreement.of(FRAME[["anna", "ben"]]))


def test_models_and_references_are_known_by_their_names_and_that_is_said() -> None:
    named = FRAME[[*PEOPLE, "gpt-4o"]].assign(gold=FRAME["best"])
    with pytest.warns(UserWarning, match="by its name") as warned:
        found = agreement.of(named)
    assert [str(each.message).partition(",")[0] for each in warned] == [
        '"gold" was taken for a reference', '"gpt-4o" was taken for a model'
    ]  # fmt: skip
    assert all(each.filename == __file__ for each in warned)
    assert alpha(found) == alpha(agreement.of(pd.DataFrame(PEOPLE)))
    everybody = agreement.of(named, annotators=[*named.columns])
    assert len(everybody.annotators) == 5


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"models": ["gpt-4"]}, 'models: "gpt-4" labelled nothing. Did you mean "gpt-4o"?'),
        ({"annotators": ["anna", "ben"], "models": ["ben"]}, 'annotators: "ben" is named twice.'),
        ({"annotators": "anna"}, 'annotators: is the text "anna"; a list was expected.'),
    ],
)
def test_wrong_names_are_refused_in_words(how: dict[str, object], said: str) -> None:
    with pytest.raises(BadInput) as error:
        agreement.of(FRAME[[*PEOPLE, "gpt-4o"]], **how)  # type: ignore[arg-type]
    assert said in str(error.value)


def test_one_person_beside_models_is_asked_about() -> None:
    with pytest.raises(
        BadInput, match="from one person, anna, and from models, as names suggest: gpt-4o, qwen"
    ):
        agreement.of(FRAME[["anna", "gpt-4o"]].assign(qwen=FRAME["best"]))


def test_two_columns_are_two_annotators_as_scikit_learn_has_them() -> None:
    from sklearn.metrics import cohen_kappa_score

    one, other = FRAME["anna"], FRAME["ben"]
    found = agreement.cohen_kappa(one, other)
    assert found.value == pytest.approx(cohen_kappa_score(one, other))
    assert found == agreement.cohen_kappa([*zip(one, other, strict=True)])
    assert (
        agreement.scott_pi([1, 2, 2], [1, 2, 1]).value == agreement.scott_pi([[1, 1], [2, 2], [2, 1]]).value
    )
    with pytest.raises(BadInput, match="are 2 labels of one annotator and 1 of the other"):
        agreement.cohen_kappa([1, 2], [1])


def test_a_figure_of_two_says_where_that_of_pairs_is() -> None:
    found = agreement.of(pd.DataFrame(PEOPLE))
    with pytest.raises(KeyError, match=r'is of two annotators: take pairs\["…", "…"\].measures'):
        found.measures["cohen_kappa"]
    assert found.pairs["ben", "anna"].measures["cohen_kappa"].value is not None
    with pytest.raises(KeyError, match="Did you mean"):
        found.measures["krippendorf_alpha"]


# Spans

TEXTS = {"d": "Anna met Ben", "e": "Rom is nice"}
SPANS = [("d", "Ann", 0, 4, "P"), ("d", "Ben", 0, 4, "P"), ("d", "Ann", 9, 12, "P"), ("e", "Ben", 0, 3, "L")]


def test_spans_in_memory_have_f_measures_and_figures_by_token() -> None:
    found = agreement.of_spans(SPANS, texts=TEXTS)
    pair = found.pairs["Ben", "Ann"]
    assert (pair.counts.match, pair.counts.only_first, pair.counts.only_second) == (1, 1, 1)
    assert pair.strict["f_measure"].value == 0.5
    by_token = agreement.of([["P", "P"], ["", ""], ["P", ""], ["", "L"], ["", ""], ["", ""]])
    assert found.tokens.measures["krippendorff_alpha"].value == pytest.approx(alpha(by_token))
    assert repr(found) == "<agreement of 2 annotators on spans: f_measure[strict] 0.500>"


def test_who_marked_nothing_is_there_too() -> None:
    found = agreement.of_spans(SPANS, texts=TEXTS, annotators=["Cy"])
    assert [*found.pairs] == [("Ann", "Ben"), ("Ann", "Cy"), ("Ben", "Cy")]
    assert found.tokens.annotators == ("Ann", "Ben", "Cy")


def test_wrong_spans_are_refused_all_at_once() -> None:
    wrong = [("d", "Ann", 0, "x", "P"), ("f", "Ben", 0, 4, "P"), 3]
    with pytest.raises(BadInput) as error:
        agreement.of_spans(wrong, texts=TEXTS)
    said = str(error.value)
    assert "the spans:1: goes from 0 to 'x'" in said
    assert 'the spans:2: is in a document without a text, "f".' in said
    assert "the spans:3: is 3; (document, annotator, start, end, label) was expected." in said
    with pytest.raises(BadInput, match="a mark from 9 to 99 does not lie within the text"):
        agreement.of_spans([("d", "Ann", 9, 99, "P")], texts=TEXTS)


def test_replacement_takes_nobody_for_a_human_who_is_called_a_reference_or_a_model() -> None:
    names = ("anna", "ben", "cleo")
    people = {who: [1 + (n + shift) % 5 for n in range(40)] for shift, who in enumerate(names)}
    frame = {**people, "gpt-4": people["anna"], "gold": people["anna"], "qwen2": people["ben"]}
    with pytest.warns(UserWarning, match="was taken for a") as said:
        found = agreement.replacement(frame, models=["gpt-4"], epsilon=0.1)
    assert {str(warning.message).split('"')[1] for warning in said} == {"gold", "qwen2"}
    assert "humans: anna, ben, cleo\n" in repr(found)
    # The scale is found, as in `of`.
    assert found.score == "neg_rmse"
    mixed = [*people["anna"][:20], *people["ben"][20:]]
    assert agreement.replacement(people | {"m": mixed}, ["m"], scale="nominal").score == "accuracy"


def test_spans_of_nobody_or_of_one_are_refused_and_none_at_all_are_printed() -> None:
    for spans in ([], [("d", "Ann", 0, 4, "P")]):
        with pytest.raises(BadInput, match="agreement needs two annotators"):
            agreement.of_spans(spans, texts=TEXTS)
    found = agreement.of_spans([], texts=TEXTS, annotators=["Ann", "Ben"])
    assert "undefined, as nobody marked anything" in repr(found)


def test_a_named_reference_hides_no_counts() -> None:
    counts = pd.DataFrame(
        {
            "item": range(15),
            "x": [5, 0, 0, 3, 1] * 3,
            "y": [0, 5, 0, 1, 3] * 3,
            "z": [0, 0, 5, 1, 1] * 3,
            "best": [5, 5, 5, 3, 3] * 3,
        }
    )
    with pytest.raises(BadInput, match="whose sum is 5 in each row"):
        agreement.of(counts, reference="best")
    assert agreement.of(counts, annotators=["x", "y", "z"], reference="best").annotators == ("x", "y", "z")
