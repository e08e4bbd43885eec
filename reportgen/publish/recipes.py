"""A main figure computed again from a bundle's counts, without reportgen: ten lines of Python.

The code is written into the bundle's README: what it prints is the figure of the report.
"""

import string
from collections.abc import Mapping

from reportgen.base.dataclass import dataclass
from reportgen.results import Results, SubjectFigure, UnitSet

# Python, with its standard library alone.
ALPHA = """\
import csv, json, re

def distance(a, b):
$distance

layer, unit_set = $layer, $unit_set
report = json.load(open("report/results.json", encoding="utf-8"))
own = next(s for s in report["unit_sets"] if (s["layer"], s["id"]) == (layer, unit_set))
units, totals = [], {}
for row in csv.DictReader(open("report/counts/profiles.csv", encoding="utf-8", newline="")):
    found = re.findall(r"((?:[^\\\\|:]|\\\\.)*):(\\d+)", row["profile"])
    labels = {re.sub(r"\\\\(.)", r"\\1", label): int(times) for label, times in found}
    if (row["layer"], row["unit_set"]) == (layer, unit_set) and sum(labels.values()) > 1:
        units.append((int(row["n"]), labels))
        for label, times in labels.items():
            totals[label] = totals.get(label, 0) + int(row["n"]) * times

def apart(labels):
    return sum(n * m * distance(a, b) for a, n in labels.items() for b, m in labels.items())

observed = sum(n * apart(labels) / (sum(labels.values()) - 1) for n, labels in units)
expected = apart(totals) / (sum(totals.values()) - 1)
print(1 - observed / expected)
"""
DISTANCES: Mapping[str, str] = {
    "": "    return a != b",
    "interval": "    return (float(a) - float(b)) ** 2",
    "ordinal": (
        '    low, high = sorted(map(own["categories"].index, (a, b)))\n'
        '    between = sum(totals.get(label, 0) for label in own["categories"][low:high + 1])\n'
        "    return (between - (totals[a] + totals[b]) / 2) ** 2 if a != b else 0"
    ),
    "jaccard": (
        '    first, second = (set(own["sets"]["members"][label]) for label in (a, b))\n'
        "    return 1 - len(first & second) / len(first | second) if first | second else 0"
    ),
    "masi": (
        '    first, second = (set(own["sets"]["members"][label]) for label in (a, b))\n'
        "    alike = len(first & second) / len(first | second) if first | second else 1\n"
        "    part = 1 if first == second else 2 / 3 if first <= second or second <= first else 1 / 3\n"
        "    return 1 - alike * (part if first & second or first == second else 0)"
    ),
}
KAPPA = """\
import csv

rows = [
    row for row in csv.DictReader(open("report/counts/$file", encoding="utf-8", newline=""))
    if (row["layer"], row["unit_set"]$keys) == ($layer, $unit_set$names)
]
units = sum(int(row["n"]) for row in rows)
alike = sum(int(row["n"]) for row in rows if row["first_label"] == row["second_label"])
first, second = {}, {}
for row in rows:
    first[row["first_label"]] = first.get(row["first_label"], 0) + int(row["n"])
    second[row["second_label"]] = second.get(row["second_label"], 0) + int(row["n"])
chance = sum(first[label] * second.get(label, 0) for label in first)
print((alike / units - chance / units**2) / (1 - chance / units**2))
"""
F_OF_MARKS = """\
import csv

times = {}
for row in csv.DictReader(open("report/counts/spans.csv", encoding="utf-8", newline="")):
    if (row["layer"], row["first"], row["second"]) == ($layer, $first, $second):
        times[row["outcome"]] = times.get(row["outcome"], 0) + int(row["n"])
match, key, other = times.get("match", 0), times.get("only_first", 0), times.get("only_second", 0)
print(2 * match / (2 * match + 2 * times.get("overlap", 0) + key + other))
"""
ALPHA_ID = "krippendorff_alpha"
KAPPA_ID = "cohen_kappa"


@dataclass(frozen=True)
class CountsRecipe:
    """Code that prints a figure: its id and value, and the code."""

    figure: str
    value: float
    python: str


def counts_recipe(results: Results) -> CountsRecipe | None:
    """Return how the first layer's main figure follows from the counts; None where ten lines can't say it.

    That is the figure which the verdict is about, of a crowd what one label is worth.
    """
    unit_set = results.primary
    answer = results.answer_of(unit_set.layer)
    subject = results.subject_of(unit_set.layer)
    if answer and subject in {"systems", "judge"}:
        return _of_answer(results, unit_set, answer)
    if answer and subject != "crowd":
        return None
    figure = results.coefficients[unit_set.layer]
    known = unit_set.measures.get(figure)
    if known is None or known.value is None:
        return None
    name, _bracket, within = figure.rstrip("]").partition("[")
    places = {"layer": _quoted(unit_set.layer), "unit_set": _quoted(unit_set.id)}
    if name == ALPHA_ID and within in DISTANCES and unit_set.pair_groups is None:
        return CountsRecipe(figure, known.value, _filled(ALPHA, places | {"distance": DISTANCES[within]}))
    if figure == KAPPA_ID and unit_set.only_pair:
        more = {"file": "pairs.csv", "keys": "", "names": ""}
        return CountsRecipe(figure, known.value, _filled(KAPPA, places | more))
    return None


def _of_answer(results: Results, unit_set: UnitSet, answer: SubjectFigure) -> CountsRecipe | None:
    """Return how a system's F, or a model's kappa, follows from the counts."""
    figure, value, who = answer.figure, answer.value.value, answer.who
    pairs = results.comparisons.pairs if results.comparisons else ()
    names = {pair.shown_name: pair for pair in pairs}
    pair = names.get(who or "") or next((pair for pair in pairs if pair.other == who), None)
    if value is None or pair is None:
        return None
    first, second = _quoted(pair.key), _quoted(pair.other)
    places = {"layer": _quoted(unit_set.layer), "unit_set": _quoted(unit_set.id)}
    if pair.unit_set is None:
        places |= {"first": first, "second": second}
        return CountsRecipe(figure, value, _filled(F_OF_MARKS, places))
    if figure != KAPPA_ID:
        return None
    places |= {
        "file": "comparisons.csv",
        "keys": ', row["first"], row["second"]',
        "names": f", {first}, {second}",
    }
    return CountsRecipe(figure, value, _filled(KAPPA, places))


def _filled(code: str, places: Mapping[str, str]) -> str:
    return string.Template(code).substitute(places)


def _quoted(name: str) -> str:
    """Return a name as a string of Python, in ASCII: no text of a campaign ends the code."""
    letters = (
        letter
        if " " <= letter <= "~" and letter not in '"\\`'
        else f"\\u{ord(letter):04x}"
        if ord(letter) < 1 << 16
        else f"\\U{ord(letter):08x}"
        for letter in name
    )
    return f'"{"".join(letters)}"'
