"""`python -m benchmarks.beside_peers NUMBER PYTHON`: damaged files, read by reportgen and by others.

PYTHON has the packages of others (`benchmarks/peer_readers.py`); of what it lacks that is said. Half of the
files are tables, half exports of Label Studio. What a damaged file says is read strictly here. Where it can't
be, because a label is none of the declared ones or a row has a cell too many, every figure but that of the
undamaged file is wrong unless the reader says a word of it.
"""

import csv
import io
import json
import math
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np

from reportgen.base.errors import BadInput
from reportgen.campaign import load
from reportgen.counts import count
from reportgen.measures.distances import nominal
from reportgen.measures.figures_of_sums import UnitsByLabels, coefficient
from reportgen.measures.formulas import krippendorff_alpha
from reportgen.measures.unit_profiles import paired_profiles
from reportgen.pipeline.reading import notices, read_campaign
from tests.campaigns import written
from tests.readers.mutations import DAMAGES

LABELS = ("yes", "no", "maybe")
PEOPLE = ("anna", "ben", "cleo")
HEAD = ("unit", *PEOPLE)
UNITS = 24
TOML = f"[task]\ncategories = {json.dumps(LABELS)}\n"
# irrCAC rounds to five places.
SAME = 1e-5
OUTCOMES = (
    *("what the file says", "refused, with a reason", "another figure, and a word on what is odd"),
    *("no figure", "another figure, without a word", "another exception"),
)
# How libraries say what is wrong with a file: the rest is what their code stumbled over.
REASONS = {"ValueError", "ParserError", "UnicodeDecodeError", "JSONDecodeError", "EmptyDataError", "Error"}
# Labels by annotator and unit.
Given = Mapping[tuple[str, str], str]


def given() -> Given:
    """Return the labels of three people, of whom the last left out some units."""
    draw = random.Random(36)  # noqa: S311 - made data
    found = {}
    for unit in range(1, UNITS + 1):
        right = draw.choice(LABELS)
        for who in PEOPLE:
            label = right if draw.random() < 0.8 else draw.choice(LABELS)
            if who != PEOPLE[-1] or unit % 4:
                found[who, str(unit)] = label
    return found


def as_table(labels: Given) -> bytes:
    """Return labels as a table with a column for each annotator."""
    rows = [
        [str(unit), *(labels.get((who, str(unit)), "") for who in PEOPLE)] for unit in range(1, UNITS + 1)
    ]
    return "".join(f"{','.join(row)}\n" for row in [HEAD, *rows]).encode()


def as_label_studio(labels: Given) -> bytes:
    """Return labels as Label Studio exports them, annotators by number."""
    return json.dumps([_task(unit, labels) for unit in range(1, UNITS + 1)], indent=1).encode()


def _task(unit: int, labels: Given) -> dict[str, Any]:
    annotations = [
        {
            "id": 10 * unit + place,
            "completed_by": place,
            "was_cancelled": False,
            "result": [
                {
                    "id": f"r{unit}",
                    "from_name": "vote",
                    "to_name": "text",
                    "type": "choices",
                    "value": {"choices": [labels[who, str(unit)]]},
                }
            ],
        }
        for place, who in enumerate(PEOPLE, 1)
        if (who, str(unit)) in labels
    ]
    return {"id": unit, "data": {"text": f"text {unit}"}, "annotations": annotations}


# What a damaged file says


def of_table(content: bytes) -> Given | None:
    """Return what a table says; None where it is not whole."""
    try:
        head, *rows = csv.reader(io.StringIO(content.decode(), newline=""), strict=True)
    except (UnicodeDecodeError, ValueError, csv.Error):
        return None
    units = [row[0] for row in rows if row]
    whole = tuple(head) == HEAD and all(len(row) == len(HEAD) for row in rows if row)
    if not whole or len(set(units)) < len(units) or not all(units):
        return None
    found = {
        (who, row[0]): label
        for row in rows
        if row
        for who, label in zip(PEOPLE, row[1:], strict=True)
        if label
    }
    return found if set(found.values()) <= set(LABELS) else None


def of_label_studio(content: bytes) -> Given | None:
    """Return what an export of Label Studio says; None where it is not whole."""
    found: dict[tuple[str, str], str] = {}
    try:
        for task in json.loads(content.decode()):
            for annotation in task["annotations"]:
                (result,) = annotation["result"]
                (label,) = result["value"]["choices"]
                key = (PEOPLE[{1: 0, 2: 1, 3: 2}[annotation["completed_by"]]], str(task["id"]))
                named = (result["from_name"], result["to_name"], result["type"], annotation["was_cancelled"])
                if key in found or label not in LABELS or named != ("vote", "text", "choices", False):
                    return None
                found[key] = label
    except (ValueError, KeyError, TypeError, AttributeError, IndexError):
        return None
    return found


def alpha(labels: Given) -> float:
    """Return Krippendorff's alpha of labels; not a number where there is none."""
    units = sorted({unit for _, unit in labels})
    counts = np.array(
        [[sum(labels.get((who, unit)) == label for who in PEOPLE) for label in LABELS] for unit in units]
    )
    if not units or (counts.sum(axis=1) > 1).sum() == 0 or (counts.sum(axis=0) > 0).sum() < 2:
        return math.nan
    return float(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))


# What readers make of it


def of_reportgen(path: Path) -> tuple[str, object]:
    """Return the figure, and whether anything is said to be left out or odd, or the refusal."""
    with tempfile.TemporaryDirectory() as folder:
        campaign = written(Path(folder) / "c", TOML, {})
        (campaign / "exports/1.0").mkdir(parents=True)
        (campaign / "exports/1.0" / path.name).write_bytes(path.read_bytes())
        try:
            loaded = load(campaign)
            (read,) = read_campaign(loaded)
        except BadInput as error:
            return "refused", str(error)[:200]
        except Exception as error:  # noqa: BLE001 - whatever comes is what is counted
            return type(error).__name__, str(error)[:200]
        units = read.studies[0].unit_sets[0]
        many = len(units.categories)
        profiles = paired_profiles(count(units).profiles, many)
        value = coefficient(krippendorff_alpha, UnitsByLabels(profiles, nominal(many))).value
        left_out = any(each.left_out or each.not_compared for each in read.annotations)
        said = left_out or any(notices(loaded, [read]))
        return "said" if said else "figure", math.nan if value is None else value


def outcome(found: tuple[str, Any], due: float | None, undamaged: float) -> str:
    """Return which of `OUTCOMES` it is; `due` is the file's figure, None where it is not whole."""
    kind, value = found
    if kind == "refused" or kind in REASONS:
        return OUTCOMES[1]
    if kind not in {"figure", "said"}:
        return OUTCOMES[5]
    if math.isnan(value):
        return OUTCOMES[3]
    expected = undamaged if due is None else due
    if math.isclose(value, expected, abs_tol=SAME):
        return OUTCOMES[0]
    return OUTCOMES[2] if kind == "said" else OUTCOMES[4]


def main(number: int, python: str) -> None:
    """Print a table of what became of the damaged files, and the figures of reportgen that are wrong."""
    labels = given()
    forms = ((".csv", as_table(labels), of_table), (".json", as_label_studio(labels), of_label_studio))
    undamaged = alpha(labels)
    due: dict[str, float | None] = {}
    with tempfile.TemporaryDirectory() as top:
        for each in range(number):
            chance = random.Random(each)  # noqa: S311 - to be repeated, not to be secret
            ending, content, says = forms[each % 2]
            damage = chance.choice([name for name in sorted(DAMAGES) if name != "other format"])
            path = Path(top) / f"{each:06}{ending}"
            path.write_bytes(DAMAGES[damage](content, chance))
            said = says(path.read_bytes())
            due[path.name] = None if said is None else alpha(said)
        paths = [Path(top) / name for name in due]
        found: dict[str, dict[str, Any]] = {"reportgen": {path.name: of_reportgen(path) for path in paths}}
        command = [python, str(Path(__file__).with_name("peer_readers.py")), top]
        found |= json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    rows = []
    for reader, of_files in found.items():
        for ending in (".csv", ".json"):
            own = {
                name: outcome(made, due[name], undamaged)
                for name, made in of_files.items()
                if name.endswith(ending)
            }
            if own:
                rows.append((reader, ending, Counter(own.values())))
            if reader == "reportgen":
                for name in sorted(each for each, what in own.items() if what in OUTCOMES[4:]):
                    sys.stderr.write(f"{name}: {own[name]}: {of_files[name]}, due {due[name]}\n")
    sys.stdout.write(as_markdown(rows))


def as_markdown(rows: Sequence[tuple[str, str, Counter[str]]]) -> str:
    """Return a table of readers and outcomes."""
    lines = [["reader", "files", *OUTCOMES], ["---"] * 2 + ["---:"] * len(OUTCOMES)]
    lines += [[reader, ending, *(f"{came[name]}" for name in OUTCOMES)] for reader, ending, came in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
