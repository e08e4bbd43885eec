"""`make mutants`: what is changed of a module, and how a change is shown."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cosmic_ray.mutating import mutate_code

from tests.mutants import CHECKOUT, MOST_SECONDS, ROOMS, Mutant, Reach, changes, drawn


def changed(source: str) -> set[str]:
    """Every change of a module."""
    return {
        mutate_code(source, operator, index) for how in changes(source).values() for operator, index in how
    }


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("LEAST = 0.1", {"LEAST = 0.2", "LEAST = 0.05"}),
        ("LEAST = 2", {"LEAST = 3", "LEAST = 1"}),
        ("LEAST = 0.0", {"LEAST = 1.0", "LEAST = -1.0"}),
        ("a < b", {"a <= b"}),
        ("a >= b", {"a > b"}),
        ("a and b", {"a or b", "a", "b"}),
        ("a or b or c", {"a and b or c", "a or b and c", "b or c", "a or c", "a or b"}),
        ("[a for a in b if c(a)]", {"[a for a in b if True]"}),
        ("sorted(a, key=b)", {"(lambda unsorted, **_: list(unsorted))(a, key=b)"}),
        ("max(a)", {"min(a)"}),
        ("a = max", set()),
        ("a: int | None = b", set()),
        ("zip(a, b, strict=True)", set()),
        ("@dataclass(kw_only=True)\nclass A:\n    pass", set()),
        ("@lru_cache(maxsize=65536)\ndef f(a):\n    return a", set()),
        ("f(g=True)", {"f(g=False)"}),
        ("def f(a, *, b, **c):\n    g(*a, **c)", set()),
    ],
)
def test_a_rule_is_changed_a_little(source: str, expected: set[str]) -> None:
    assert changed(source) == expected


@pytest.mark.slow
def test_the_same_seed_draws_the_same_mutants_which_are_python() -> None:
    mutants = drawn(["gate"], 40, 7)
    assert mutants == drawn(["gate"], 40, 7)
    for mutant in mutants:
        assert ast.dump(ast.parse(mutant.source)) != ast.dump(ast.parse(mutant.changed))


def test_a_survivor_is_listed_with_its_line_and_its_change() -> None:
    mutant = Mutant(
        "gate", "reportgen/versions/gate.py", 2, "a = b\nif a < 2:\n    c()\n", "a = b\nif a <= 2:\n    c()\n"
    )
    assert str(mutant) == "reportgen/versions/gate.py:2\n    -if a < 2:\n    +if a <= 2:"


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_has_rules_and_tests(room: str) -> None:
    assert all(list(CHECKOUT.glob(pattern)) for pattern in ROOMS[room])
    assert list((CHECKOUT / "tests" / room).glob("test_*.py"))


def test_a_change_has_the_tests_that_run_its_function_or_else_its_module() -> None:
    source = "LEAST = 2\n\n\n@cache\ndef rule(a):\n    return a < LEAST\n\n\ndef other():\n    return 1\n"
    seconds = {"slow": 2.0, "quick": 1.0, "beside": 0.1, "elsewhere": 0.2}
    reach = Reach(seconds, {"rules.py": {"slow": [4, 9], "quick": [4], "beside": [9]}})
    in_function, at_import = (Mutant("gate", "rules.py", line, source, source) for line in (6, 1))
    assert reach.chosen(in_function) == ["quick", "slow"]
    assert reach.chosen(at_import) == ["beside", "quick", "slow"]
    of_unknown = Mutant("gate", "unknown.py", 6, source, source)
    assert reach.chosen(of_unknown) == ["beside", "elsewhere", "quick", "slow"]
    long = Reach(seconds | {"quick": MOST_SECONDS - 0.1}, reach.ran)
    assert long.chosen(in_function) == ["slow"]
    assert long.chosen(at_import) == ["beside", "slow"], "the others take too long"


@pytest.mark.slow
def test_what_tests_share_is_run_by_each_of_them(tmp_path: Path) -> None:
    """A fixture of the file is made for the first test alone, and a change shows in the others too."""
    (tmp_path / "rules.py").write_text("def rule():\n    return 1\n", encoding="utf-8")
    (tmp_path / "test_rules.py").write_text(
        "import pytest, rules\n"
        "@pytest.fixture(scope='module')\ndef value():\n    return rules.rule()\n"
        "def test_first(value):\n    assert value\n"
        "def test_second(value):\n    assert value == 1\n"
        "def test_other():\n    pass\n",
        encoding="utf-8",
    )
    watched = (
        "import json, pathlib, pytest\nfrom tests.mutants import Watching\n"
        "watching = Watching(pathlib.Path.cwd())\n"
        "pytest.main(['-q', '-n0', '--rootdir=.', 'test_rules.py'], plugins=[watching])\n"
        "pathlib.Path('ran.json').write_text(json.dumps(watching.reach.ran['rules.py']))\n"
    )
    environment = {**os.environ, "PYTHONPATH": f"{CHECKOUT}{os.pathsep}{tmp_path}"}
    subprocess.run(
        [sys.executable, "-c", watched], cwd=tmp_path, env=environment, check=True, stdout=subprocess.DEVNULL
    )
    ran = json.loads((tmp_path / "ran.json").read_text(encoding="utf-8"))
    assert ran == {"test_rules.py::test_first": [1], "test_rules.py::test_second": [1]}
