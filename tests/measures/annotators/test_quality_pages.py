"""What the report says of annotators and items, and what it keeps to itself."""

import random
from pathlib import Path

import pytest

from reportgen.pipeline.build import build_site
from tests.campaigns import results, written
from tests.present import present

LABELS = ("yes", "no", "maybe")


def export(people: int = 4, documents: int = 12, size: int = 6, wild: int = 3) -> str:
    """Annotators who mostly agree, but for one, `wild`, who labels at random."""
    chance = random.Random(7)  # noqa: S311 - made-up labels, no secret
    rows = ["document,unit,annotator,label"]
    for place in range(documents * size):
        truth = chance.choice(LABELS)
        for who in range(people):
            said = truth if who != wild and chance.random() < 0.9 else chance.choice(LABELS)
            rows.append(f"d{place // size:02},u{place},p{who:03},{said}")
    return "\n".join(rows) + "\n"


def folder(at: Path, toml: str, table: str) -> Path:
    return written(at / "campaign", toml, {"exports/1.0/e.csv": table})


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    at = tmp_path_factory.mktemp("quality")
    build_site([folder(at, "[protocol]\nin_order = true\n", export())], at / "site")
    return at / "site" / "campaign" / "1.0"


def test_hard_units_have_their_names_from_texts_json_alone(site: Path) -> None:
    page = (site / "quality/index.html").read_text(encoding="utf-8")
    hardest = page[page.index('id="table-hardest"') :]
    assert ">u" in hardest[: hardest.index("</table>")]
    found = (site / "results.json").read_text(encoding="utf-8")
    assert '"u0"' not in found


@pytest.mark.slow
def test_withheld_texts_withhold_the_names_of_units(tmp_path: Path) -> None:
    made = folder(tmp_path, '[privacy]\ntexts = "withhold"\n', export())
    build_site([made], tmp_path / "site")
    here = tmp_path / "site" / "campaign" / "1.0"
    page = (here / "quality/index.html").read_text(encoding="utf-8")
    hardest = page[page.index('id="table-hardest"') :]
    assert ">u" not in hardest[: hardest.index("</table>")]
    assert "u1" not in (here / "tables" / "hardest.main.csv").read_text(encoding="utf-8")


def test_a_model_that_did_not_settle_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reportgen.measures.annotators.dawid_skene.MOST_ITERATIONS", 2)
    found = results(tmp_path, "", export())
    assert "had not settled" in str(present(found.quality)[0].dawid_skene.undefined)
    assert not present(found.quality)[0].dawid_skene.annotators


def test_two_annotators_are_not_told_apart(tmp_path: Path) -> None:
    found = results(tmp_path, "", export(people=2, wild=9))
    own = present(found.quality)[0]
    assert own.annotators == ()
    assert (
        own.dawid_skene.undefined
        == "it takes three annotators with labels of their own to tell their errors from the truth"
    )
    assert own.difficulty is not None


@pytest.mark.parametrize(
    ("toml", "reason"),
    [
        ('[task]\nscale = "set"\n', "it is a model of single categories without distances"),
        ('[task]\nscale = "interval"\n', "it is a model of single categories without distances"),
    ],
)
def test_the_model_is_not_fitted_to_sets_and_numbers(tmp_path: Path, toml: str, reason: str) -> None:
    table = "item,a,b,c\nu1,1,1,2\nu2,2,2,2\n"
    found = results(tmp_path, toml, table)
    assert present(found.quality)[0].dawid_skene.undefined == reason


def test_one_category_leaves_nothing_to_err_about(tmp_path: Path) -> None:
    found = results(tmp_path, "", "item,a,b,c\nu1,x,x,x\nu2,x,x,x\n")
    assert str(present(found.quality)[0].dawid_skene.undefined).startswith("only one category")


def test_units_that_one_rated_say_nothing(tmp_path: Path) -> None:
    found = results(tmp_path, "", "item,a,b,c\nu1,x,,\nu2,,y,\nu3,,,x\n")
    assert present(found.quality)[0].difficulty is None
    assert present(found.quality)[0].dawid_skene.undefined == "no unit was rated by two annotators"
