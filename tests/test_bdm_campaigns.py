"""BDM from campaign.toml to the pages: in weighted kappa and alpha, which GATE never had, and in F."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput, Problem
from reportgen.campaign import load
from reportgen.campaign.taxonomies import BalancedDistance, read_taxonomy
from reportgen.pipeline.reading import read_campaign
from reportgen.results import Results
from tests.campaigns import compute_campaign, results, results_of, written
from tests.rendered import files_of, rows_of

TAXONOMY = "child,parent\nObject,Entity\nTime,Entity\nPlace,Object\nPerson,Object\nCity,Place\nCapital,City\n"
DECLARED = '[[distances]]\nid = "bdm"\ntaxonomy = "taxonomy.csv"\nwhy = "Close is *nearly* right."\n'
SCORES = DECLARED.replace('taxonomy = "taxonomy.csv"', 'file = "scores.txt"')
LABELS = [
    ("City", "Capital"),
    ("City", "City"),
    ("Person", "Person"),
    ("Place", "City"),
    ("Time", "Person"),
] * 3
RATINGS = "item,anna,ben\n" + "".join(f"{n},{a},{b}\n" for n, (a, b) in enumerate(LABELS))
TEXT = "London and Leeds and Anna\n"
MARKS = {
    "anna": ["Capital 0 6\tLondon", "City 11 16\tLeeds", "Person 21 25\tAnna"],
    "ben": ["City 0 6\tLondon", "Place 11 15\tLeed", "Person 21 25\tAnna"],
}


def closeness(folder: Path) -> dict[frozenset[str], float]:
    (folder / "t.csv").write_text(TAXONOMY, encoding="utf-8")
    metric = BalancedDistance(read_taxonomy(folder / "t.csv", "t"))
    names = ["Object", "Time", "Place", "Person", "City", "Capital"]
    return {frozenset((each.key, each.response)): each.bdm for each in metric.between(names)}


def gate_scores(folder: Path) -> str:
    scores = closeness(folder).items()
    lines = (
        f"key={one}, response={other}, bdm={bdm!r}, cp=1"
        for (one, other), bdm in ((sorted(p), b) for p, b in scores)
    )
    return "##About the ontology.\n" + "\n".join(lines) + "\n"


def marked(folder: Path, toml: str = DECLARED, files: Mapping[str, str] | None = None) -> Path:
    exports = {
        f"exports/1.0/{who}/d{n}.{end}": text
        for who, lines in MARKS.items()
        for n in range(3)
        for end, text in (
            ("txt", TEXT),
            ("ann", "".join(f"T{k}\t{line}\n" for k, line in enumerate(lines[: 3 - n % 2], 1))),
        )
    }
    task = '[task]\nnon_annotated = "none"\n'
    return written(folder / "campaign", task + toml, {"taxonomy.csv": TAXONOMY, **exports, **(files or {})})


def by_hand(found: Mapping[frozenset[str], float]) -> tuple[float, float]:
    """Return weighted kappa and alpha, 1 - BDM being the distances."""

    def apart(one: str, other: str) -> float:
        return 0.0 if one == other else 1 - found[frozenset((one, other))]

    first, second = zip(*LABELS, strict=True)
    n = len(LABELS)
    observed = sum(apart(*pair) for pair in LABELS) / n
    own = sum(apart(a, b) for a in first for b in second) / n**2
    both = (*first, *second)
    pooled = sum(apart(a, b) for a in both for b in both) / (2 * n * (2 * n - 1))
    return 1 - observed / own, 1 - observed / pooled


def figures(found: Results) -> tuple[float | None, float | None]:
    measures = found.primary.measures
    return measures["weighted_kappa[bdm]"].value, measures["krippendorff_alpha[bdm]"].value


def test_weighted_kappa_and_alpha_take_the_distances_of_a_taxonomy(tmp_path: Path) -> None:
    found = results(tmp_path, DECLARED, RATINGS, {"taxonomy.csv": TAXONOMY})
    assert figures(found) == pytest.approx(by_hand(closeness(tmp_path)))
    nominal = found.primary.measures["cohen_kappa"].value
    assert nominal is not None
    assert (figures(found)[0] or 0) > nominal


def test_the_scores_that_gate_wrote_give_the_same_figures(tmp_path: Path) -> None:
    found = results(tmp_path, SCORES, RATINGS, {"scores.txt": gate_scores(tmp_path)})
    assert figures(found) == pytest.approx(by_hand(closeness(tmp_path)))


def test_the_table_has_the_categories_in_use_and_says_where_it_comes_from(tmp_path: Path) -> None:
    found = results_of(marked(tmp_path))
    (table,) = found.distances
    assert set(table.categories) == {"Capital", "City", "Person", "Place", "none"}
    assert table.between("none", "City") == 1
    assert table.origin is not None
    assert (table.origin.kind, table.origin.file, table.origin.concepts) == ("taxonomy", "taxonomy.csv", 7)
    assert (table.origin.roots, table.origin.unplaced) == (1, ("none",))
    assert table.origin.chain == pytest.approx(7 / 3)
    assert "taxonomy.csv" in [each.file for each in found.inputs]


def test_the_parameters_of_every_two_categories_stand_in_a_table(tmp_path: Path) -> None:
    files = files_of(marked(tmp_path))
    rows = {frozenset((row["key"], row["response"])): row for row in rows_of(files["tables/bdm-bdm.csv"])}
    assert len(rows) == 6
    row = rows[frozenset(("Capital", "City"))]
    assert (row["msca"], row["cp"]) == ("City", "3")
    assert float(row["bdm"]) == pytest.approx(closeness(tmp_path)[frozenset(("Capital", "City"))])


def test_hostile_names_of_concepts_are_escaped_everywhere(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    taxonomy = TAXONOMY.replace("Object", evil)
    files = files_of(marked(tmp_path, files={"taxonomy.csv": taxonomy}))
    assert evil not in files["index.html"] + files["report.html"]
    assert evil in files["tables/bdm-bdm.csv"]


def refused(folder: Path) -> tuple[Problem, ...]:
    with pytest.raises(BadInput) as raised:
        read_campaign(load(folder, "c"))
    return raised.value.problems


def test_a_category_that_the_taxonomy_does_not_know_is_told(tmp_path: Path) -> None:
    folder = marked(tmp_path, files={"taxonomy.csv": TAXONOMY.replace("Capital,", "Capitol,")})
    (problem,) = refused(folder)
    assert (problem.file, problem.message) == (
        "c/taxonomy.csv",
        'does not know the category "Capital" of the campaign.',
    )
    assert problem.remedy == 'Did you mean "Capitol"?'


def test_a_version_may_have_another_taxonomy(tmp_path: Path) -> None:
    folder = marked(tmp_path, files={"second.csv": TAXONOMY.replace("City,Place", "City,Object")})
    toml = (folder / "campaign.toml").read_text(encoding="utf-8")
    second = '\n[[guidelines]]\nversion = "2.0"\nexports = "exports/1.0"\n'
    second += 'distances = { bdm = { taxonomy = "second.csv" } }\n'
    (folder / "campaign.toml").write_text(toml + second, encoding="utf-8")
    campaign = load(folder)
    reports = compute_campaign(campaign, read_campaign(campaign))
    files = [report.results.distances[0].origin for report in reports]
    assert [each.file for each in files if each] == ["taxonomy.csv", "second.csv"]
    (folder / "campaign.toml").write_text(
        toml + second.replace('{ taxonomy = "second.csv" }', "{}"), encoding="utf-8"
    )
    (problem,) = refused(folder)
    assert problem.key == "guidelines.2.distances.bdm"
