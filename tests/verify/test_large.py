"""`reportgen verify` of small bundles that name what no machine could hold: they are refused, in words.

Whoever made them has mended all checksums.
"""

import json
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from reportgen.base.errors import BadInput
from reportgen.campaign import load
from reportgen.pipeline.reading import read_version
from reportgen.publish.verify import check_alone
from reportgen.publish.verify.differences import CheckOutcome, merge_outcomes
from reportgen.publish.verify.file_tree import Tree
from reportgen.publish.verify.folders import check_bundle
from reportgen.publish.verify.recomputing import refuse_too_large, too_large
from reportgen.results import Results
from tests.bundles import mended, small
from tests.campaigns import written
from tests.commands import on_disk
from tests.slowly import slow_but

RESULTS, COUNTS, RATINGS = "report/results.json", "report/counts/counts.json", "report/counts/ratings.csv"
MEMORY, SECONDS = 1 << 30, 60
COMPUTING = "computing figures from counts"

Files = dict[str, bytes]


def names(sign: str, number: int = 4000) -> list[str]:
    return [f"{sign}{place:04}" for place in range(number)]


def changed(file: str, change: Callable[[Any], None]) -> Files:
    """Return the small bundle with another JSON file in it."""
    files = dict(small(texts=False, exports=False))
    content = json.loads(files[file])
    change(content)
    files[file] = (json.dumps(content, sort_keys=True, ensure_ascii=False, indent=1) + "\n").encode()
    return files


def unit_sets(content: Any) -> Iterator[Any]:  # noqa: ANN401 - counts.json or results.json
    for layer in content.get("layers", [content]):
        yield from layer["unit_sets"]
        yield from (each["units"] for each in layer.get("everybody", []))


def more_categories(content: Any) -> None:  # noqa: ANN401 - counts.json or results.json
    for each in unit_sets(content):
        each["categories"] = [*names("c"), *each["categories"]]


def more_types(content: Any) -> None:  # noqa: ANN401 - counts.json
    content["layers"][0]["spans"]["types"] += names("c")


def more_annotators(content: Any, number: int = 4000) -> None:  # noqa: ANN401 - counts.json
    content["layers"][0]["annotators"] += names("B", number)
    for each in unit_sets(content):
        each["annotators"] += names("B", number)


def more_unit_sets(content: Any) -> None:  # noqa: ANN401 - counts.json
    layer = content["layers"][0]
    layer["unit_sets"] += [{**layer["unit_sets"][-1], "id": name} for name in names("s")]


def rows_of_all(rows: int, number: int) -> Files:
    """Return the small bundle with so many more annotators, each of whom labelled the units of some rows."""
    files = changed(COUNTS, lambda content: more_annotators(content, number))
    head, row, *rest = files[RATINGS].decode().split("\n")
    cells = row.split(",")
    label = cells[3].split("|")[0].partition(":")[2]
    cells[3] = "|".join([cells[3], *(f"{name}:{label}" for name in names("B", number))])
    files[RATINGS] = "\n".join([head, *[",".join(cells)] * rows, *rest]).encode()
    return files


HOSTILE: Mapping[str, Callable[[], Files]] = {
    "categories": lambda: changed(COUNTS, more_categories),
    "types of marks": lambda: changed(COUNTS, more_types),
    "unit sets": lambda: changed(COUNTS, more_unit_sets),
    "categories of results": lambda: changed(RESULTS, more_categories),
}


def checked(files: Mapping[str, bytes]) -> tuple[CheckOutcome, list[str]]:
    """Return what comes of a bundle, and the steps that were taken."""
    steps: list[str] = []
    return merge_outcomes(check_bundle(Tree(mended(files)), steps.append)), steps


@pytest.mark.parametrize("what", HOSTILE)
def test_what_is_too_large_for_its_bytes_is_refused_before_anything_is_computed(what: str) -> None:
    outcome, steps = checked(HOSTILE[what]())
    assert COMPUTING not in steps
    # That the file is in another form is told too.
    (refused,) = (each for each in outcome.differences if each.check == "figures")
    assert "too many for a report of" in refused.what
    assert refused.file == (RESULTS if what.endswith("results") else COUNTS)
    assert [each.why for each in outcome.unchecked] == ["there is too much to compute"]


def test_many_who_labelled_the_same_units_are_unchecked_where_their_pairs_are_too_much() -> None:
    """Honest reports are so too; of more than 1,000,000 pairs of annotators none is computed."""
    outcome, steps = checked(rows_of_all(6, 1400))
    assert COMPUTING not in steps
    assert [each for each in outcome.differences if each.check == "figures"] == []
    assert [each.why for each in outcome.unchecked] == ["there is too much to compute"]
    assert COMPUTING in checked(rows_of_all(1, 1400))[1]


def test_a_version_of_a_site_is_refused_likewise() -> None:
    steps: list[str] = []
    report = Tree(HOSTILE["categories"]()).below("report/")
    found = merge_outcomes(check_alone(report, "version", steps.append)).differences
    assert COMPUTING not in steps
    assert any("too many for a report of" in each.what for each in found)


@pytest.mark.parametrize(
    ("made", "said"),
    slow_but(
        [
            (HOSTILE["categories"], "too many for a report of"),
            (lambda: rows_of_all(1, 4000), "than ratings.csv makes them"),
        ]
    ),
)
def test_a_hostile_bundle_takes_no_memory_and_no_time(
    made: Callable[[], Files], said: str, tmp_path: Path
) -> None:
    folder = on_disk(tmp_path / "bundle", mended(made()))
    # Threads of BLAS, of which nothing is used, ask for memory each.
    environment = {"PYTHONPATH": str(Path(__file__).parents[2]), "OPENBLAS_NUM_THREADS": "1"}

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))

    done = subprocess.run(
        [sys.executable, "-m", "reportgen", "verify", str(folder)],
        capture_output=True,
        encoding="utf-8",
        check=False,
        preexec_fn=limit,
        env=environment,
    )
    assert done.returncode == 1, done.stderr
    assert said in " ".join(done.stdout.split())


@pytest.mark.slow
def test_named_but_idle_annotators_and_documents_are_no_burden() -> None:
    def more_documents(content: Any) -> None:  # noqa: ANN401 - counts.json
        content["layers"][0]["documents"] += names("E")

    for change in (more_annotators, more_documents):
        outcome, steps = checked(changed(COUNTS, change))
        assert COMPUTING in steps
        assert outcome.differences


def test_a_report_as_it_is_written_is_not_too_large() -> None:
    files = Tree(small(texts=False, exports=False))
    results = Results.model_validate_json(files[RESULTS])
    assert too_large(results, files.below("report/"), "report/") == []


def test_exports_are_refused_by_what_was_read_of_them(tmp_path: Path) -> None:
    rows = "".join(f"{number},ann,c{number}\n{number},bea,c{number}\n" for number in range(1500))
    folder = written(tmp_path / "many", "", {"exports/1.0/e.csv": f"item,annotator,label\n{rows}"})
    campaign = load(folder)
    read = read_version(campaign, campaign.version("1.0"))
    refuse_too_large(campaign, read, 1_000_000)
    with pytest.raises(BadInput, match="2,271,000 cells, too many for a report of 1,000 bytes"):
        refuse_too_large(campaign, read, 1_000)
