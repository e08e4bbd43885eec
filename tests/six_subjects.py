"""A small campaign of each subject: what a report is about, as exports and campaign.toml have it."""

import random
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.campaigns import marked, written
from tests.readers.write_textgrid import grid

ROLES = (
    '[annotators.gold]\nrole = "reference"\n'
    '[annotators.t1]\nrole = "system"\nsystem = "tagger"\nrelease = "1.0"\n'
    '[annotators.t2]\nrole = "system"\nsystem = "tagger"\nrelease = "2.0"\n'
)
LABELS = ("fine", "harmful")


def _table(*rows: tuple[object, ...]) -> dict[str, str]:
    return {"exports/1.0/e.csv": "".join(f"{','.join(map(str, row))}\n" for row in rows)}


def systems() -> tuple[str, Mapping[str, str]]:
    """Return marks of a reference and of two releases of one tagger, in eight texts of sixty tokens."""
    draw = random.Random(1)  # noqa: S311 - made data
    text = " ".join(["river", "Paris", "anna"] * 20)
    places = [(place, place + 5) for place in range(6, 300, 16)]
    marks: dict[str, dict[str, list[tuple[str, int, int]]]] = {"gold": {}, "t1": {}, "t2": {}}
    for number in range(8):
        for who, found in (("gold", 1.0), ("t1", 0.5), ("t2", 0.85)):
            kept = [place for place in places if draw.random() < found]
            marks[who][f"d{number}"] = [("LOC", begin, end) for begin, end in kept]
    texts = {f"d{number}": text for number in range(8)}
    files = {f"exports/1.0/{name}": content for name, content in marked(texts, marks).items()}
    return ROLES, files


def judge() -> tuple[str, Mapping[str, str]]:
    """Return labels of one person and a model, which labelled more units."""
    draw = random.Random(2)  # noqa: S311 - made data
    rows: list[tuple[object, ...]] = [("unit", "Ada", "gpt")]
    for unit in range(120):
        said = LABELS[draw.random() < 0.3]
        model = said if draw.random() < 0.9 else LABELS[said == LABELS[0]]
        rows.append((unit, said if unit < 90 else "", model))
    return '[annotators.gpt]\nrole = "model"\n', _table(*rows)


def crowd(people: int = 20, units: int = 40, labels: int = 5) -> tuple[str, Mapping[str, str]]:
    """Return labels of many people, each of whom labelled some units."""
    draw = random.Random(3)  # noqa: S311 - made data
    rows: list[tuple[object, ...]] = [("unit", "worker", "label")]
    for unit in range(units):
        right = draw.choice("ab")
        rows.extend(
            (f"u{unit}", f"w{worker:02}", right if draw.random() < 0.7 else draw.choice("abc"))
            for worker in draw.sample(range(people), labels)
        )
    return "", _table(*rows)


def stability() -> tuple[str, Mapping[str, str]]:
    """Return labels of two people, each of whom labelled units of their own twice."""
    draw = random.Random(4)  # noqa: S311 - made data
    rows: list[tuple[object, ...]] = [("unit", "annotator", "label", "pass")]
    for unit in range(80):
        right, who = draw.choice("xyz"), "Ada" if unit < 40 else "Blaise"
        rows.extend(
            (f"u{unit}", who, right if draw.random() < 0.85 else draw.choice("xyz"), again)
            for again in (1, 2)
        )
    return "", _table(*rows)


def recordings(remarks: int = 0) -> tuple[str, Mapping[str, str]]:
    """Return what two people marked in six recordings; with so many `remarks` each wrote beside it."""
    draw = random.Random(5)  # noqa: S311 - made data
    files = {}
    for number in range(6):
        cuts = range(0, 60_000, 2_000)
        said = [draw.choice(("speech", "pause", "laugh")) for _ in cuts]
        for who in ("Ada", "Blaise"):
            ends = [0, *(cut + draw.randint(-80, 80) for cut in cuts[1:]), 60_000]
            own = [label if draw.random() < 0.95 else "pause" for label in said]
            tiers: dict[str, list[tuple[int, int, str]]] = {
                "events": list(zip(ends, ends[1:], own, strict=False))
            }
            if remarks:
                tiers["remarks"] = [
                    (10_000 * place, 10_000 * place + 9_000, f"{who} wonders about {draw.randrange(10**9)}")
                    for place in range(remarks)
                ]
            files[f"exports/1.0/{who}/r{number}.TextGrid"] = grid(60_000, tiers)
    return "", files


MADE: Mapping[str, Callable[[], tuple[str, Mapping[str, str]]]] = {
    "crowd": crowd,
    "systems": systems,
    "judge": judge,
    "recordings": recordings,
    "stability": stability,
}


def campaign(folder: Path, subject: str) -> Path:
    """Write the campaign of a subject and return its folder."""
    toml, files = MADE[subject]()
    return written(folder / subject, toml, files)
