"""Labels of sets: each has an agreement of its own, chosen or not, whatever stands beside it."""

from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from reportgen.counts import ContingencyTable
from reportgen.measures import Estimate, ScaleSetting
from reportgen.measures.comparisons import macro_agreement
from reportgen.pipeline.build import build_site
from reportgen.readers import Codes
from reportgen.results import Results
from tests.campaigns import results_of, written
from tests.slowly import slow_but

SETS = '[task]\nscale = "set"\n'
SEPARATED = 'set_separator = "|"\n'

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


@pytest.mark.parametrize("people", [2, 3])
def test_each_label_by_definition(tmp_path: Path, people: int) -> None:
    rows = drawn(people)
    # Declared labels stand first, and unused ones are there.
    unit_set = of(tmp_path, rows, SETS + 'categories = ["c", "a", "never"]\n').primary
    assert unit_set.sets is not None
    assert unit_set.sets.names == ("c", "a", "never", "b")
    assert unit_set.specific_agreement["never"].undefined
    for label in "abc":
        specific, observed, chosen = by_definition(rows, label)
        rest = unit_set.against_rest[label]
        assert unit_set.specific_agreement[label].value == pytest.approx(float(specific))
        assert rest["observed_agreement"].value == pytest.approx(float(observed))
        assert rest["krippendorff_alpha"].value == pytest.approx(alpha(rows, label))
        assert unit_set.sets.labels[label].chosen == chosen
    for pair in unit_set.pairs:
        places = [unit_set.annotators.index(name) + 1 for name in pair.annotators]
        shared: list[Row] = [(row[0], *(row[place] for place in places)) for row in rows]  # type: ignore[misc]
        both_rated = [row for row in shared if None not in row]
        for label in "abc":
            specific, observed, _ = by_definition(both_rated, label)
            rest, counts = pair.against_rest[label], pair.labels[label]
            assert pair.specific_agreement[label].value == pytest.approx(float(specific))
            assert rest["cohen_kappa"].value == pytest.approx(float(kappa(both_rated, label)))
            assert rest["observed_agreement"].value == pytest.approx(float(observed))
            chose = [[label in members(str(each)) for each in row[1:]] for row in both_rated]
            assert (counts.both, counts.first, counts.second) == (
                sum(map(all, chose)),
                *map(sum, zip(*chose, strict=True)),
            )


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


def divided_by(sign: str) -> list[Row]:
    both = f"x{sign}y"
    told = ((both, "x"), (both, f"y{sign}x"), ("x", both), ("y", "x"), (both, both))
    return [(f"d{unit % 6}", *told[unit % 5]) for unit in range(12)]


@pytest.mark.parametrize("sign", slow_but([";", ",", "|"], ";"))
def test_a_separator_that_never_occurs_is_said_with_the_one_that_does(tmp_path: Path, sign: str) -> None:
    other = "|" if sign != "|" else ";"
    rows = [(row[0], *(f'"{each}"' for each in row[1:])) for row in divided_by(sign)]
    made = campaign(tmp_path, rows, version=f'set_separator = "{other}"\n')  # type: ignore[arg-type]
    assert several_signs(results_of(made)) == [("warning", sign)]
    (notice,) = build_site([made], tmp_path / "site").notices
    assert notice.key.endswith("set_separator")
    assert notice.line
    assert f'write set_separator = "{sign}"' in str(notice)
    page = (tmp_path / "site/campaign/1.0/index.html").read_text(encoding="utf-8")
    assert "equal the nominal ones" in page
    toml = (made / "campaign.toml").read_text(encoding="utf-8")
    (made / "campaign.toml").write_text(toml.replace(f'"{other}"', f'"{sign}"'), encoding="utf-8")
    assert several_signs(results_of(made)) == []
    assert not build_site([made], tmp_path / "other").notices


def several_signs(found: Results) -> list[tuple[str, object]]:
    return [
        (each.severity, each.values.get("sign")) for each in found.findings if each.id == "sets-not-divided"
    ]


def test_a_reference_is_met_label_by_label(tmp_path: Path) -> None:
    rows = drawn(3)
    comparisons = of(tmp_path, rows, f'{SETS}[annotators.Cyd]\nrole = "reference"\n').comparisons
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
    assert found.measures["specific_agreement[macro]"].value == pytest.approx(sum(scores) / 3)


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
