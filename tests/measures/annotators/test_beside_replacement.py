"""Beside the alternative annotator test: alpha with the model, categories, distributions, marks."""

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import jensenshannon
from scipy.stats import entropy
from scipy.stats import t as student

from reportgen import agreement
from reportgen.measures import ConfidenceInterval
from reportgen.results.annotators import ModelReplacement, Replacement
from tests.campaigns import results_of, written
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
