"""Labels of sets: each has an agreement of its own, chosen or not, whatever stands beside it."""

import csv
import json
import re
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from reportgen.catalogue import measure_of
from reportgen.counts import ContingencyTable
from reportgen.measures import Estimate, ScaleSetting
from reportgen.measures.comparisons import macro_agreement
from reportgen.pipeline.build import build_site
from reportgen.readers import Codes
from reportgen.results import Results
from tests.campaigns import results_of, written
from tests.commands import run
from tests.slowly import slow_but

SETS = '[task]\nscale = "set"\n'
SEPARATED = 'set_separator = "|"\n'
OTHERS = ("y", "z", "w")

Row = tuple[str, str | None, str | None, str | None] | tuple[str, str | None, str | None]


def campaign(folder: Path, rows: list[Row], task: str = SETS, version: str = SEPARATED) -> Path:
    names = ("Ann", "Bob", "Cyd")[: len(rows[0]) - 1]
    lines = [",".join(("document", "unit", *names))]
    lines += [
        ",".join((row[0], str(place), *(label or "" for label in row[1:]))) for place, row in enumerate(rows)
    ]
    made = written(folder / "campaign", task, {"exports/1.0/e.csv": "\n".join(lines) + "\n"})
    toml = made / "campaign.toml"
    columns = 'columns = { document = "document", unit = "unit" }\n'
    toml.write_text(toml.read_text(encoding="utf-8") + columns + version, encoding="utf-8")
    return made


def of(folder: Path, rows: list[Row], task: str = SETS) -> Results:
    return results_of(campaign(folder, rows, task))


def members(label: str) -> frozenset[str]:
    return frozenset() if label == "{}" else frozenset(label.split("|"))


def beside_others(units: int = 40, alone: int = 16) -> list[Row]:
    """Both chose x on every unit; on the first of them it is alone in both sets, elsewhere among others."""
    told: list[Row] = [(f"d{unit % 8}", "x", "x") for unit in range(alone)]
    for unit in range(alone, units):
        one, other = OTHERS[unit % 3], OTHERS[(unit + 1) % 3]
        told.append((f"d{unit % 8}", f"x|{one}", f"x|{other}"))
    return told


def drawn(people: int, units: int = 30, seed: int = 4) -> list[Row]:
    """Sets of up to three labels, a few ratings missing."""
    chance = np.random.default_rng(seed)
    found: list[Row] = []
    for unit in range(units):
        labels: list[str | None] = []
        for _ in range(people):
            chosen = "|".join(name for name in "abc" if chance.random() < 0.5) or "{}"
            labels.append(None if people > 2 and chance.random() < 0.1 else chosen)
        found.append((f"d{unit % 6}", *labels))  # type: ignore[arg-type]
    return found


def by_definition(rows: list[Row], label: str) -> tuple[Fraction, Fraction, int]:
    """Specific agreement, observed agreement and how often a label was chosen, counted naively."""
    both = possible = chosen = 0
    observed: list[Fraction] = []
    for row in rows:
        said = [label in members(each) for each in row[1:] if each is not None]
        chosen += sum(said)
        if len(said) > 1:
            both += sum(said) * (sum(said) - 1)
            possible += sum(said) * (len(said) - 1)
            pairs = list(combinations(said, 2))
            observed.append(Fraction(sum(one == other for one, other in pairs), len(pairs)))
    return Fraction(both, possible), sum(observed, Fraction()) / len(observed), chosen


def kappa(rows: list[Row], label: str) -> Fraction:
    """Cohen's kappa of a label against the rest, of two annotators."""
    said = [(label in members(str(row[1])), label in members(str(row[2]))) for row in rows]
    n = len(said)
    observed = Fraction(sum(one == other for one, other in said), n)
    first, second = Fraction(sum(one for one, _ in said), n), Fraction(sum(two for _, two in said), n)
    expected = first * second + (1 - first) * (1 - second)
    return (observed - expected) / (1 - expected)


def alpha(rows: list[Row], label: str) -> float:
    """Krippendorff's alpha of a label against the rest."""
    units = [[label in members(each) for each in row[1:] if each is not None] for row in rows]
    rated = [said for said in units if len(said) > 1]
    n, yes = sum(map(len, rated)), sum(map(sum, rated))
    apart = sum(2 * sum(said) * (len(said) - sum(said)) / (len(said) - 1) for said in rated)
    return 1 - (n - 1) * apart / (2 * yes * (n - yes))


def test_both_chose_x_on_all_40_units_among_other_labels(tmp_path: Path) -> None:
    found = of(tmp_path, beside_others())
    unit_set = found.primary
    x = unit_set.specific_agreement["x"]
    assert (x.value, x.units) == (1.0, 40)
    assert set(unit_set.specific_agreement) == {"x", "y", "z", "w"}
    assert unit_set.uses("x") == 80
    assert "x" not in {each.values.get("category") for each in found.findings if each.id == "weak-category"}


@pytest.mark.parametrize("people", [2, 3])
def test_each_label_by_definition(tmp_path: Path, people: int) -> None:
    rows = drawn(people)
    unit_set = of(tmp_path, rows).primary
    assert unit_set.sets is not None
    assert unit_set.sets.names == ("a", "b", "c")
    for label in unit_set.sets.names:
        specific, observed, chosen = by_definition(rows, label)
        assert unit_set.specific_agreement[label].value == pytest.approx(float(specific))
        assert unit_set.against_rest[label]["observed_agreement"].value == pytest.approx(float(observed))
        assert unit_set.against_rest[label]["krippendorff_alpha"].value == pytest.approx(alpha(rows, label))
        assert unit_set.sets.labels[label].chosen == chosen
    for pair in unit_set.pairs:
        places = [unit_set.annotators.index(name) + 1 for name in pair.annotators]
        shared = [(row[0], *(row[place] for place in places)) for row in rows]
        both_rated = [row for row in shared if None not in row]
        for label in unit_set.sets.names:
            specific, observed, _ = by_definition(both_rated, label)  # type: ignore[arg-type]
            assert pair.specific_agreement[label].value == pytest.approx(float(specific))
            assert pair.against_rest[label]["cohen_kappa"].value == pytest.approx(
                float(kappa(both_rated, label))  # type: ignore[arg-type]
            )
            assert pair.against_rest[label]["observed_agreement"].value == pytest.approx(float(observed))
            counts = pair.labels[label]
            assert counts.both == sum(
                label in members(str(row[1])) and label in members(str(row[2])) for row in both_rated
            )
            assert counts.first == sum(label in members(str(row[1])) for row in both_rated)
            assert counts.second == sum(label in members(str(row[2])) for row in both_rated)


def test_a_label_has_the_figures_of_its_own_yes_or_no_question(tmp_path: Path) -> None:
    """Values and intervals are those of a campaign in which only this label was asked for."""
    rows = drawn(2)
    sets = of(tmp_path / "sets", rows).primary
    asked: list[Row] = [
        (row[0], *("yes" if "a" in members(str(each)) else "no" for each in row[1:]))  # type: ignore[misc]
        for row in rows
    ]
    alone = of(tmp_path / "alone", asked, '[task]\nscale = "nominal"\n').primary
    assert sets.specific_agreement["a"] == alone.specific_agreement["yes"]
    assert sets.pairs[0].against_rest["a"]["cohen_kappa"] == alone.measures["cohen_kappa"]
    assert sets.pairs[0].against_rest["a"]["observed_agreement"] == alone.measures["observed_agreement"]


def test_declared_labels_stand_first_and_unused_ones_are_there(tmp_path: Path) -> None:
    task = SETS + 'categories = ["c", "a", "never"]\n'
    unit_set = of(tmp_path, drawn(2), task).primary
    assert unit_set.sets is not None
    assert unit_set.sets.names == ("c", "a", "never", "b")
    assert unit_set.specific_agreement["never"].undefined
    assert unit_set.sets.labels["never"].chosen == 0


def page(folder: Path, rows: list[Row], name: str, task: str = SETS) -> str:
    build_site([campaign(folder, rows, task)], folder / "site")
    return (folder / "site" / "campaign" / "1.0" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["index.html", "report.md"])
def test_the_table_on_the_page_tells_labels(tmp_path: Path, name: str) -> None:
    text = page(tmp_path, beside_others(), name)
    start = text.index('id="specific-agreement"' if name == "index.html" else "## Specific agreement")
    section = text[start : text.index(">Coefficients" if name == "index.html" else "## Coefficients", start)]
    for head in ("Label", "Chosen by A01", "Chosen by A02", "against the rest", "Observed agreement"):
        assert head in section
    assert "x|y" not in section
    with (tmp_path / "site/campaign/1.0/tables/specific-agreement.items.csv").open(encoding="utf-8") as lines:
        rows = {row["category"]: row for row in csv.DictReader(lines)}
    assert set(rows) == {"x", "y", "z", "w"}
    assert (rows["x"]["labels_A01"], rows["x"]["labels_A02"]) == ("40", "40")
    assert float(rows["x"]["specific_agreement"]) == 1
    assert {"observed_agreement", "cohen_kappa"} <= set(rows["x"])


def several(found: Results, name: str) -> dict[str, dict[str, object]]:
    """The values of each finding of an id, by the label that it speaks of."""
    return {str(each.values["category"]): dict(each.values) for each in found.findings if each.id == name}


def only_bob_adds_y() -> list[Row]:
    """Both choose x and z alike; Bob adds y at random, Ann never does."""
    chance = np.random.default_rng(1)
    rows: list[Row] = []
    for unit in range(60):
        known = "x" if unit % 2 else "x|z"
        rows.append((f"d{unit % 20}", known, f"{known}|y" if chance.random() < 0.5 else known))
    return rows


def test_findings_say_in_which_label_sets_differ(tmp_path: Path) -> None:
    rows = only_bob_adds_y()
    alone = sum("y" in members(str(row[2])) for row in rows)
    found = of(tmp_path, rows)
    assert several(found, "confused") == {
        "y": {
            "category": "y", "difference_share": 1.0, "units": alone,
            "first": "A01", "second": "A02", "first_only": 0, "second_only": alone,
        }
    }  # fmt: skip
    assert set(several(found, "weak-category")) == {"y"}
    assert several(found, "weak-category")["y"]["agreement_share"] == 0
    told = json.dumps([dict(each.values) for each in found.findings])
    assert "x|" not in told
    assert "|y" not in told


def test_of_three_annotators_the_share_of_all_differences_is_told(tmp_path: Path) -> None:
    rows = drawn(3)
    apart = {}
    for label in "abc":
        units = [[label in members(each) for each in row[1:] if each is not None] for row in rows]
        apart[label] = sum(
            sum(said) * (len(said) - sum(said)) / (len(said) - 1) for said in units if len(said) > 1
        )
    found = several(of(tmp_path, rows), "confused")
    assert {label: each["difference_share"] for label, each in found.items()} == {
        label: pytest.approx(apart[label] / sum(apart.values())) for label in "abc"
    }


def test_a_label_that_stands_in_sets_only_is_not_unused(tmp_path: Path) -> None:
    rows: list[Row] = [(f"d{unit}", "x|y", "x|y" if unit % 3 else "x") for unit in range(12)]
    task = SETS + 'categories = ["x", "y", "never"]\n'
    assert set(several(of(tmp_path, rows, task), "unused-category")) == {"never"}
    both = SETS + 'categories = ["x", "y", "never", "ever"]\n'
    (found,) = (each for each in of(tmp_path / "two", rows, both).findings if each.id == "unused-category")
    assert (found.values["count"], found.values["all"], found.values["names"]) == (2, 4, "never and ever")


def test_a_rare_label_is_not_called_weak(tmp_path: Path) -> None:
    rows: list[Row] = [(f"d{unit}", "x", "x|y" if unit == 3 else "x") for unit in range(40)]
    assert several(of(tmp_path, rows), "weak-category") == {}


def test_the_caveat_ranges_over_labels(tmp_path: Path) -> None:
    rows = only_bob_adds_y()
    caveat = of(tmp_path, rows).findings[1]
    assert (caveat.values["lowest_category"], caveat.values["lowest"]) == ("y", 0)
    assert caveat.values["highest"] == 1
    assert caveat.values["highest_category"] in {"x", "z"}


def test_the_gate_holds_a_label_to_its_own_agreement(tmp_path: Path) -> None:
    made = campaign(tmp_path, beside_others())
    toml = made / "campaign.toml"
    gate = '[gate]\nspecific_agreement = [{ category = "x", value = 0.99 }]\n'
    toml.write_text(toml.read_text(encoding="utf-8") + gate, encoding="utf-8")
    answer = run("check", made)
    assert answer.exit_code == 0, answer.output


def test_who_alone_uses_a_label_is_told_by_label(tmp_path: Path) -> None:
    text = page(tmp_path, only_bob_adds_y(), "clarify/index.html")
    assert "<b>y</b> (A02)" in text
    assert "<b>x|y</b> (A02)" not in text


def divided_by(sign: str) -> list[Row]:
    both = f"x{sign}y"
    told = ((both, "x"), (both, f"y{sign}x"), ("x", both), ("y", "x"), (both, both))
    return [(f"d{unit % 6}", *told[unit % 5]) for unit in range(12)]


@pytest.mark.parametrize("sign", slow_but([";", ",", "|"], ";"))
def test_a_separator_that_never_occurs_is_said_with_the_one_that_does(tmp_path: Path, sign: str) -> None:
    other = "|" if sign != "|" else ";"
    rows = [(row[0], *(f'"{each}"' for each in row[1:])) for row in divided_by(sign)]
    made = campaign(tmp_path, rows, version=f'set_separator = "{other}"\n')  # type: ignore[arg-type]
    found = several_signs(results_of(made))
    assert found == [("warning", sign)]
    (notice,) = build_site([made], tmp_path / "site").notices
    assert notice.key.endswith("set_separator")
    assert notice.line
    assert f'write set_separator = "{sign}"' in str(notice)
    text = (tmp_path / "site/campaign/1.0/index.html").read_text(encoding="utf-8")
    assert "equal the nominal ones" in text
    toml = (made / "campaign.toml").read_text(encoding="utf-8")
    (made / "campaign.toml").write_text(toml.replace(f'"{other}"', f'"{sign}"'), encoding="utf-8")
    assert several_signs(results_of(made)) == []
    assert not build_site([made], tmp_path / "other").notices


def several_signs(found: Results) -> list[tuple[str, object]]:
    return [
        (each.severity, each.values.get("sign")) for each in found.findings if each.id == "sets-not-divided"
    ]


def test_without_a_declared_separator_the_scale_is_where_to_look(tmp_path: Path) -> None:
    made = campaign(tmp_path, divided_by("|"), version="")
    (notice,) = build_site([made], tmp_path / "site").notices
    assert (notice.key, bool(notice.line)) == ("task.scale", True)
    assert several_signs(results_of(made)) == [("warning", "|")]


def test_single_labels_without_any_separator_are_the_nominal_figures(tmp_path: Path) -> None:
    rows: list[Row] = [(f"d{unit}", "x", "x" if unit % 3 else "y") for unit in range(12)]
    found = of(tmp_path, rows)
    assert several_signs(found) == [("warning", None)]
    measures = found.primary.measures
    assert measures["krippendorff_alpha[masi]"].value == measures["krippendorff_alpha"].value


@pytest.mark.parametrize("how", [(), ("--json",)])
def test_agree_says_so_too(tmp_path: Path, how: tuple[str, ...]) -> None:
    (tmp_path / "e.csv").write_text("unit,A,B\n1,x;y,y\n2,x;y,x;y\n3,x,y;x\n4,y,x\n", encoding="utf-8")
    answer = run("agree", tmp_path / "e.csv", "--scale", "set", *how)
    assert answer.exit_code == 0
    assert 'labels contain ";"' in answer.stderr
    assert 'Take them apart with --set-separator ";".' in answer.stderr
    assert "are the nominal ones" in answer.stderr
    divided = run("agree", tmp_path / "e.csv", "--scale", "set", "--set-separator", ";", *how)
    assert "nominal" not in divided.stderr


def dice(one: str, other: str) -> Fraction | None:
    """2|A ∩ B| / (|A| + |B|), None of two empty sets."""
    a, b = members(one), members(other)
    return Fraction(2 * len(a & b), len(a) + len(b)) if a | b else None


def mean(values: list[Fraction | None]) -> Fraction:
    known = [each for each in values if each is not None]
    return sum(known, Fraction()) / len(known)


def test_explicit_kappa_of_several_is_that_of_the_means_as_the_measures_say(tmp_path: Path) -> None:
    rows = drawn(3)
    unit_set = of(tmp_path, rows).primary
    observed, expected, kappas = [], [], []
    for first, second in combinations((1, 2, 3), 2):
        both = [(row[first], row[second]) for row in rows]
        shared = [(str(one), str(other)) for one, other in both if one and other]
        agreed = mean([dice(*pair) for pair in shared])
        chance = mean([dice(one, other) for one, _ in shared for _, other in shared])
        observed.append(agreed)
        expected.append(chance)
        kappas.append((agreed - chance) / (1 - chance))
    a, e = sum(observed) / 3, sum(expected) / 3
    assert unit_set.measures["explicit_kappa"].value == pytest.approx(float((a - e) / (1 - e)))
    assert unit_set.mean_over_pairs["explicit_kappa"].value == pytest.approx(float(sum(kappas) / 3))
    said = measure_of("explicit_kappa").missing
    assert said.endswith("over several annotators A and E are each the mean over pairs")


def test_q_is_the_number_of_different_sets_and_the_page_says_so(tmp_path: Path) -> None:
    rows = drawn(2)
    task = SETS + 'categories = ["a", "b", "c", "never"]\n'
    text = page(tmp_path, rows, "index.html", task)
    unit_set = of(tmp_path / "again", rows, task).primary
    used = {members(str(each)) for row in rows for each in row[1:]}
    q = len(used | {frozenset([each]) for each in ("a", "b", "c", "never")})
    observed = unit_set.measures["observed_agreement"].value
    assert observed is not None
    assert unit_set.measures["bennett_s"].value == pytest.approx((observed - 1 / q) / (1 - 1 / q))
    assert f"S counts {q} different sets in “items”, declared or used." in text
    assert "sets of 4 labels (a, b, c, never)" in text


@pytest.mark.parametrize("name", ["report.html", "report.md"])
def test_sets_as_wholes_are_named_so_with_what_differs(tmp_path: Path, name: str) -> None:
    text = page(tmp_path, only_bob_adds_y(), name)
    assert "Here sets count as wholes" in text
    plain = re.sub("<[^>]+>", "", text)
    assert "no further label or y (beside x)" in plain or "A01 no further label, A02 y (beside x)" in plain
    assert "exactly the set C1" in text
    assert "The diagonal is specific agreement." not in text
    assert "are confused on" not in text


def with_reference(folder: Path, rows: list[Row], task: str = SETS) -> Results:
    made = campaign(folder, rows, task)
    toml = made / "campaign.toml"
    role = '[annotators.Cyd]\nrole = "reference"\n'
    toml.write_text(toml.read_text(encoding="utf-8") + role, encoding="utf-8")
    return results_of(made)


def test_a_reference_is_met_label_by_label(tmp_path: Path) -> None:
    rows = drawn(3)
    comparisons = with_reference(tmp_path, rows).comparisons
    assert comparisons is not None
    found = next(each for each in comparisons.pairs if each.other == "A01")
    shared = [(members(row[1]), members(str(row[3]))) for row in rows if row[1] and row[3]]  # type: ignore[misc]
    assert set(found.by_category) == {"a", "b", "c"}
    scores = []
    for label, each in found.by_category.items():
        both = sum(label in one and label in key for one, key in shared)
        own, keys = (sum(label in pair[place] for pair in shared) for place in (0, 1))
        assert (each.both, each.other, each.key) == (both, own, keys)
        assert each.precision.value == pytest.approx(both / own)
        assert each.recall.value == pytest.approx(both / keys)
        scores.append(2 * both / (own + keys))
    macro = found.measures["specific_agreement[macro]"]
    assert macro.value == pytest.approx(sum(scores) / 3)


def test_the_macro_mean_over_labels_varies_as_its_derivative_says() -> None:
    chance = np.random.default_rng(7)
    sets = tuple(frozenset(each) for each in ("", "a", "b", "ab", "abc", "c"))
    row, column = (chance.integers(0, len(sets), 40) for _ in range(2))
    document, setting = np.arange(40) % 8, ScaleSetting("set", sets=sets)
    large, step = 10**9, 10**5

    def at(n: Codes) -> Estimate:
        return macro_agreement(ContingencyTable(0, 1, len(sets), document, row, column, n), setting)

    moved = np.zeros(8)
    for unit in range(40):
        more = np.full(40, large)
        more[unit] += step
        less = np.full(40, large)
        less[unit] -= step
        moved[document[unit]] += ((at(more).value or 0) - (at(less).value or 0)) / (2 * step) * large
    error = at(np.ones(40, dtype=np.int64)).standard_error
    assert error == pytest.approx(float(np.sqrt(8 / 7 * (moved**2).sum())), rel=1e-4)


@pytest.mark.slow
def test_a_comparison_of_versions_tells_labels(tmp_path: Path) -> None:
    made = campaign(tmp_path, only_bob_adds_y(), SETS + 'categories = ["x", "y", "z"]\n')
    toml = made / "campaign.toml"
    text = toml.read_text(encoding="utf-8")
    later = text[text.index("[[guidelines]]") :].replace("1.0", "2.0")
    toml.write_text(text + later, encoding="utf-8")
    rows = [(row[0], row[1], row[1]) for row in only_bob_adds_y()]
    other = campaign(tmp_path / "later", rows)  # type: ignore[arg-type]
    (made / "exports/2.0").mkdir()
    (made / "exports/2.0/e.csv").write_bytes((other / "exports/1.0/e.csv").read_bytes())
    build_site([made], tmp_path / "site")
    folder = tmp_path / "site" / "campaign" / "compare" / "1.0...2.0"
    found = json.loads((folder / "comparison.json").read_text(encoding="utf-8"))
    revision = found["unit_sets"][0]
    assert set(revision["specific_agreement"]) <= {"x", "y", "z"}
    assert revision["specific_agreement"]["x"]["first"]["value"] == 1
    assert revision["first"]["categories"] == ["x", "y", "z"]
    page_of_both = (folder / "index.html").read_text(encoding="utf-8")
    assert "Sets that differ in y alone are 100.0% rarer than under 1.0" in page_of_both
    assert "are confused on" not in page_of_both
    assert [each["categories"] for each in revision["disagreement"]["confusions"]] == [["y", ""]]
