"""Beside the alternative annotator test: alpha with the model, categories, distributions, marks, `agree`."""

import json
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import jensenshannon
from scipy.stats import entropy
from scipy.stats import t as student

from benchmarks.annotators import Design, coverage
from benchmarks.replacement import EQUAL, WORSE, Panel, at_the_price, shares
from reportgen import agreement
from reportgen.measures import ConfidenceInterval
from reportgen.results.annotators import ModelReplacement, Replacement
from tests.campaigns import results_of, written
from tests.commands import run
from tests.measures.annotators.test_calderon_2025 import MODEL, by_definition, only, simulated, table
from tests.present import present


def made(seed: int = 1, humans: int = 4, units: int = 90, missing: float = 0.1) -> list[list[object]]:
    return simulated(seed, humans, units, 3, missing)


def found_in(rows: list[list[object]], **asked: object) -> ModelReplacement:
    frame = table(rows, len(rows[0]) - 1)
    asked = {"scale": "nominal", **asked}
    return only(agreement.replacement(frame, [MODEL], **asked))  # type: ignore[arg-type]  # any keyword


# Agreement with the model as one more annotator


def test_alpha_is_that_of_the_humans_and_of_all_on_the_same_units() -> None:
    rows = made()
    model = found_in(rows)
    kept = [row for row in rows if row[-1] is not None and sum(each is not None for each in row[:-1]) >= 2]
    assert model.agreement is not None
    assert model.coefficient == "krippendorff_alpha"
    for found, columns in ((model.agreement.first, slice(0, -1)), (model.agreement.second, slice(None))):
        frame = pd.DataFrame([row[columns] for row in kept])
        own = agreement.krippendorff_alpha(frame)
        assert found.value == pytest.approx(own.value)
        assert found.units == own.units
        assert isinstance(own.interval, ConfidenceInterval)
        assert (present(found.interval).low, present(found.interval).high) == pytest.approx(
            (own.interval.low, own.interval.high)
        )
    test = present(model.agreement.test)
    assert test.method == "paired"
    assert (present(model.agreement.interval).low or 0) < (model.agreement.difference or 0)


@pytest.mark.parametrize(
    ("scale", "score", "name"),
    [
        ("interval", None, "krippendorff_alpha[interval]"),
        ("ordinal", None, "krippendorff_alpha[ordinal]"),
        ("interval", "accuracy", "krippendorff_alpha"),
        # What kappas are weighted by is no distance of alpha.
        ("interval", "similarity[linear]", None),
    ],
)
def test_alpha_has_the_distance_of_the_score(scale: str, score: str | None, name: str | None) -> None:
    asked = {"scale": scale, **({"categories": ["0", "1", "2"]} if scale == "ordinal" else {})}
    model = found_in(made(), **asked, **({"score": score} if score else {}))
    assert model.coefficient == name
    assert (model.agreement is None) == (name is None)


# Where the model and humans part


def test_categories_by_hand() -> None:
    """Of 40 units humans say aa on 20, ab on 10, bb on 10; the model a on the first 15 and the last 5.

    Of 50 labels a, 40 are met by another a: .8. The model says a beside 30 of them, and a label of ab never.
    """
    rows = [*15 * ["aaa"], *5 * ["aab"], *10 * ["abb"], *5 * ["bbb"], *5 * ["bba"]]
    first, second = found_in([list(row) for row in rows]).categories
    assert (first.category, first.human_labels, first.model_labels) == ("a", 50, 20)
    assert (first.among_humans, first.with_model) == pytest.approx((40 / 50, 30 / 50))
    assert first.difference.value == pytest.approx(-10 / 50)
    assert (second.category, second.human_labels, second.model_labels) == ("b", 30, 20)
    assert (second.among_humans, second.with_model) == pytest.approx((20 / 30, 20 / 30))
    # A - D B is -10 / 50 away from what each unit adds: units of aaa add 0 + .4, aab -2 + .4, abb 0 + .2.
    moved = np.array([*15 * [0.4], *5 * [-1.6], *10 * [0.2], *5 * [0.0], *5 * [0.0]]) / (50 / 40)
    assert first.difference.standard_error == pytest.approx(math.sqrt((moved**2).sum() * 40 / 39) / 40)
    assert first.adjusted_p == pytest.approx(min(1.0, 2 * present(first.p)))


def test_categories_and_distributions_against_the_definition() -> None:
    rows = made(4, 6, 120)
    model = found_in(rows)
    kept = [row for row in rows if row[-1] is not None and sum(each is not None for each in row[:-1]) >= 2]
    for each in model.categories:
        own = its = total = 0.0
        for *humans, said in kept:
            given = [str(label) for label in humans if label is not None]
            for place, label in enumerate(given):
                if label == each.category:
                    others = given[:place] + given[place + 1 :]
                    total += 1
                    own += others.count(label) / len(others)
                    its += str(said) == label
        assert (each.human_labels, each.among_humans, each.with_model) == pytest.approx(
            (total, own / total, its / total)
        )
    shares, its_labels, distances = np.zeros(3), np.zeros(3), []
    entropies = []
    for *humans, said in kept:
        codes = [int(str(label)) for label in humans if label is not None]
        shares += np.bincount(codes, minlength=3) / len(codes) / len(kept)
        its_labels[int(str(said))] += 1 / len(kept)
        if len(codes) >= 5:
            entropies.append(entropy(list(Counter(codes).values()), base=2))
            for place, code in enumerate(codes):
                rest = np.bincount(codes[:place] + codes[place + 1 :], minlength=3)
                person, machine = (
                    jensenshannon(rest / rest.sum(), np.eye(3)[each], base=2)
                    for each in (code, int(str(said)))
                )
                distances.append((len(codes), person, machine))
    found = present(model.distribution)
    assert (found.human_entropy, found.model_entropy) == pytest.approx(
        (entropy(shares, base=2), entropy(its_labels, base=2))
    )
    assert found.distance == pytest.approx(jensenshannon(shares, its_labels, base=2))
    assert found.many == len(entropies)
    assert found.unit_entropy == pytest.approx(np.mean(entropies))
    weights = [1 / size for size, *_ in distances]
    assert found.human == pytest.approx(np.average([each[1] for each in distances], weights=weights))
    assert found.model == pytest.approx(np.average([each[2] for each in distances], weights=weights))
    assert present(found.difference).value == pytest.approx((found.model or 0) - (found.human or 0))


# Marks in texts


LABELS = ("PER", "LOC")


def marked(folder: Path, documents: int = 40, roles: str = "") -> Replacement:
    """Return models of a campaign in brat: three people, one as good as they are, one that marks nothing."""
    draw = np.random.default_rng(3)
    text = "one two three four five six seven eight nine ten\n"
    words = [(match, match + len(word)) for word in text.split() for match in [text.index(word)]]
    files: dict[str, str] = {}
    for document in range(documents):
        truth = [(place, LABELS[draw.integers(0, 2)]) for place in draw.choice(10, 3, replace=False)]
        for who in ("anna", "ben", "cleo", "gpt", "dumb"):
            kept = [each for each in truth if draw.random() < 0.7] if who != "dumb" else []
            lines = [
                f"T{number}\t{label} {words[place][0]} {words[place][1]}\t{text[slice(*words[place])]}\n"
                for number, (place, label) in enumerate(kept, 1)
            ]
            files[f"exports/1.0/{who}/d{document:02}.ann"] = "".join(lines)
            files[f"exports/1.0/{who}/d{document:02}.txt"] = text
    toml = (
        '[privacy]\nannotators = "names"\n'
        '[annotators.gpt]\nrole = "model"\n[annotators.dumb]\nrole = "model"\n'
        f"[replacement]\nepsilon = 0.2\n{roles}"
    )
    (found,) = results_of(written(folder / "c", toml, files)).replacement or ()
    return found


def f_of(one: set[tuple[str, ...]], other: set[tuple[str, ...]]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 1.0


def test_marks_are_compared_by_document(tmp_path: Path) -> None:
    """By the definition, with F of every two people in a document as the score, unit by unit."""
    found = marked(tmp_path)
    assert (found.unit_set, found.score) == (None, "f_measure")
    good, dumb = found.models
    assert (good.model, dumb.model, good.instances) == ("gpt", "dumb", 40)
    people = ("anna", "ben", "cleo")
    exports = tmp_path / "c/exports/1.0"
    for model in found.models:
        rows = [
            [
                frozenset(
                    tuple(line.split("\t")[1].split())
                    for line in (exports / who / f"d{document:02}.ann")
                    .read_text(encoding="utf-8")
                    .splitlines()
                )
                for who in (*people, model.model)
            ]
            for document in range(40)
        ]
        p, rate, advantage = by_definition(
            rows, lambda mine, others: float(np.mean([f_of(mine, each) for each in others])), 0.2
        )
        tests = [each.independent for each in model.humans]
        assert [each.p for each in tests if each] == pytest.approx(p)
        assert (present(model.independent).value, model.advantage.value) == pytest.approx((rate, advantage))
        # A document is an instance: there is nothing to cluster, and no single label to compare.
        assert (model.clustered, model.cross_replication, model.agreement, model.categories) == (
            None,
        ) * 3 + ((),)


def test_another_score_compares_units(tmp_path: Path) -> None:
    found = marked(tmp_path, roles='score = "accuracy"\n')
    assert (found.unit_set, found.score) == ("tokens", "accuracy")


# ρ for any humans


def test_the_second_interval_of_rho_covers_the_choice_of_humans_by_hand() -> None:
    """V = V_units + V_humans - V_cells, and Satterthwaite's degrees of freedom; nothing below five humans."""
    rows = simulated(9, 8, 150, 4, 0.0)
    for row in rows:
        # Half of the humans guess more: they differ in how often the model is no worse.
        row[:4] = [label if place % 2 else row[-1] for place, label in enumerate(row[:4])]
    model = found_in(rows)
    rho, ends = model.advantage.value or 0.0, model.for_any_humans
    assert ends is not None
    wins = np.empty((150, 8))
    for unit, (*humans, said) in enumerate(rows):
        for who, label in enumerate(humans):
            others = [each for place, each in enumerate(humans) if place != who]
            wins[unit, who] = others.count(said) >= others.count(label)
    assert rho == pytest.approx(wins.mean())
    of_units = wins.mean(axis=1).var(ddof=1) / 150
    of_humans = wins.mean(axis=0).var(ddof=1) / 8
    cells = ((wins - wins.mean(axis=0)) ** 2).sum() / (150 * 8) ** 2
    variance = of_units + of_humans - cells
    degrees = variance**2 / (of_units**2 / 149 + of_humans**2 / 7)
    half = float(student.ppf(0.975, degrees)) * math.sqrt(variance) / (rho * (1 - rho))
    low = 1 / (1 + (1 - rho) / rho * math.exp(half))
    assert present(ends.low) == pytest.approx(low, abs=1e-9)
    assert present(ends.low) < (present(model.advantage.interval).low or 0.0)
    assert found_in(simulated(9, 4, 150, 4, 0.0)).for_any_humans is None


CAMPAIGNS = 60


def test_the_test_errs_as_often_as_it_says_where_units_are_independent() -> None:
    found = at_the_price(Panel(80, 1, 0.0, 3, WORSE), CAMPAIGNS)
    assert found.rejected["independent"] == found.rejected["clustered"] <= 0.12


def test_where_documents_matter_only_the_clustered_one_errs_as_seldom() -> None:
    found = at_the_price(Panel(20, 20, 0.3, 3, WORSE), CAMPAIGNS)
    assert found.rejected["independent"] > 0.15
    assert found.rejected["clustered"] < 0.13


def test_a_model_as_good_as_people_passes_the_sooner_the_more_a_person_costs() -> None:
    cheap, dear = shares(Panel(100, 1, 0.0, 3, EQUAL), (0.05, 0.25), CAMPAIGNS)
    assert cheap.passed["independent"] < 0.3
    assert dear.passed["independent"] > 0.9


@pytest.mark.slow
def test_where_annotators_differ_only_the_interval_over_them_too_contains_the_true_difference() -> None:
    over_documents, over_both, *_ = coverage(Design(8, 0.2), CAMPAIGNS)["difference"]
    assert over_documents < 0.9 <= over_both


THREE_LABELS = "abc"
NAMES = ("anna", "ben", "cleo", "gpt", "llama")


@pytest.fixture
def ratings(tmp_path: Path) -> Path:
    """Return a table of three humans, a good model and a bad one, in documents of four units."""
    draw = np.random.default_rng(2)
    skill = (0.8, 0.8, 0.7, 0.95, 0.2)
    rows = ["item,document," + ",".join(NAMES)]
    for item in range(120):
        truth, *guesses = (
            THREE_LABELS[place] for place in draw.integers(0, len(THREE_LABELS), 1 + len(skill))
        )
        sure = draw.random(len(skill)) < skill
        labels = [truth if known else guess for known, guess in zip(sure, guesses, strict=True)]
        rows.append(",".join([str(item), f"d{item // 4}", *labels]))
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


MODELS = ("--model", "gpt", "--model", "llama")


def test_models_stand_beside_the_figures_of_the_humans(ratings: Path) -> None:
    answer = json.loads(run("agree", ratings, *MODELS, "--epsilon", "0.1", "--json").stdout)
    alone = json.loads(run("agree", ratings, "--annotators", "anna,ben,cleo", "--json").stdout)
    assert answer["annotators"] == ["anna", "ben", "cleo"]
    assert answer["measures"] == alone["measures"]
    found = answer["replacement"]
    assert (found["layer"], found["unit_set"], found["score"]) == ("main", "ratings", "accuracy")
    good, bad = found["models"]
    assert (good["model"], bad["model"]) == ("gpt", "llama")
    assert (good["documents"], good["instances"]) == (30, 120)
    assert (good["independent"]["passes"], bad["independent"]["passes"]) == (True, False)
    assert (good["clustered"]["passes"], bad["clustered"]["passes"]) == (True, False)
    assert [each["annotator"] for each in good["humans"]] == ["anna", "ben", "cleo"]
    assert found["behind"][0]["model"] == "llama"
    assert found["behind"][0]["difference"]["value"] < 0


def test_the_verdict_is_a_sentence(ratings: Path) -> None:
    answer = run("agree", ratings, *MODELS, "--epsilon", "0.1")
    assert (answer.exit_code, answer.stderr) == (0, "")
    words = " ".join(answer.stdout.split())
    assert "gpt may take a human's place at ε = 0.1: it beat 3 of 3, and half is needed." in words
    assert "llama may not take a human's place at ε = 0.1: it beat 0 of 3, and half is needed." in words
    assert "It does not say that labels are right" in words


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--model", "gtp"], '--model: "gtp" labelled nothing. Did you mean "gpt"?'),
        (
            ["--model", "gpt", "--epsilon", "1"],
            "--epsilon: is the number 1.0; a number below 1 was expected.",
        ),
        (["--epsilon", "0.1"], "--epsilon: says what it takes to take a human's place, but nobody is named"),
        (["--model", "gpt", "--score", "neg_rmse"], '--score: is "neg_rmse", a score that a nominal scale'),
        (["--model", "gpt", "--score", "f1"], '--score: is the text "f1"'),
        (["--model", "gpt", "--expert", "gpt"], '--expert: is "gpt", which is a model'),
        (["--model", "gpt", "--expert", "zoe"], '--expert: is "zoe", who labelled nothing.'),
        (
            ["--model", "gpt", "--annotators", "anna", "--epsilon", "0.1"],
            '--model: there is one human, "anna"',
        ),
        ([part for name in NAMES for part in ("--model", name)], "--model: there is no human"),
    ],
)
def test_agree_says_which_option_is_wrong(ratings: Path, options: list[str], said: str) -> None:
    answer = run("agree", ratings, *options)
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert said in answer.stderr


def test_a_model_that_is_called_like_a_reference_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "gold.csv"
    path.write_text(
        "item,a,b,c,gold\n" + "".join(f"{n},x,{'xy'[n % 2]},x,x\n" for n in range(40)), encoding="utf-8"
    )
    answer = run("agree", path, "--model", "gold")
    assert answer.exit_code == 2
    assert '--model: "gold" is called like a reference' in answer.stderr
    # Beside a model, it is a reference as ever, and nobody to be replaced.
    found = json.loads(run("agree", path, "--model", "c", "--json").stdout)
    assert found["replacement"]["annotators"] == ["a", "b"]


# One human: nobody whose place a model could take, but somebody to check it by.


@pytest.fixture
def checked(tmp_path: Path) -> Path:
    """Return a table of a human who labelled 40 units, and of a model that labelled these and 60 more."""
    of_both = [("yes", "yes")] * 9 + [("no", "yes")] * 6 + [("yes", "no")] + [("no", "no")] * 24
    alone = [("", "yes")] * 24 + [("", "no")] * 36
    path = tmp_path / "checked.csv"
    rows = (f"{number},{human},{model}" for number, (human, model) in enumerate(of_both + alone))
    path.write_text("\n".join(["item,anna,gpt", *rows]) + "\n", encoding="utf-8")
    return path


def test_one_human_checks_a_model(checked: Path) -> None:
    answer = json.loads(run("agree", checked, "--model", "gpt", "--json").stdout)
    assert answer["annotators"] == ["anna"]
    (beside,) = answer["comparisons"]
    assert (beside["key"], beside["other"], beside["units"]) == ("anna", "gpt", 40)
    # Observed 33 of 40; by chance (10 · 15 + 30 · 25) / 1600 = .5625.
    assert beside["measures"]["cohen_kappa"]["value"] == pytest.approx((0.825 - 0.5625) / 0.4375)
    (judge,) = answer["judges"]
    assert (judge["model"], judge["human"], judge["units"], judge["alone"]) == ("gpt", "anna", 40, 60)
    found = judge["categories"]["yes"]
    assert (found["sensitivity"]["value"], found["specificity"]["value"]) == (0.9, 0.8)
    assert (found["human_share"]["value"], found["reported_share"]["value"]) == (0.25, 0.39)
    assert found["rogan_gladen"] == pytest.approx((0.39 - 0.2) / 0.7)
    # λ = (9/40 - 1/4 · 3/8) / ((1 + 40/60) · 3/8 · 5/8) moves 1/4 by how much 24/60 is above 15/40.
    weight = (0.225 - 0.25 * 0.375) / ((1 + 40 / 60) * 0.375 * 0.625)
    corrected = found["corrected_share"]
    assert corrected["value"] == pytest.approx(0.25 + weight * (0.4 - 0.375))
    assert corrected["interval"]["low"] < 0.25 < corrected["interval"]["high"] < 0.4


def test_a_reference_comes_before_the_one_annotator(tmp_path: Path) -> None:
    path = tmp_path / "gold.csv"
    rows = (f"{number},{'xy'[number % 2]},{'xy'[number % 3 > 0]},x" for number in range(40))
    path.write_text("\n".join(["item,gold,anna,gpt", *rows]) + "\n", encoding="utf-8")
    answer = json.loads(run("agree", path, "--model", "gpt", "--json").stdout)
    assert [judge["human"] for judge in answer["judges"]] == ["gold"]
