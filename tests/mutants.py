"""Change rules one at a time, and list the changes that the quick tests of their room don't notice.

`make mutants` draws 300 places of five rooms at random, and one change for each, which Cosmic Ray makes. Its
own sessions take every sign for every other and one command for all; here a change has its room's tests.
"""

import ast
import contextlib
import difflib
import importlib
import json
import math
import multiprocessing
import os
import queue
import random
import resource
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from types import FrameType
from typing import Protocol

import parso
import pytest
from cosmic_ray.ast import ast_nodes
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator
from parso.tree import BaseNode, Leaf, NodeOrLeaf

CHECKOUT = Path(__file__).resolve().parent.parent
SCRATCH = CHECKOUT / ".venv" / "mutants"
# The quick tests of a room are in the folder of `tests/` that has its name.
ROOMS = {
    "measures": ("reportgen/measures/**/*.py",),
    "units": ("reportgen/units/*.py",),
    "findings": ("reportgen/findings/*.py",),
    "gate": ("reportgen/versions/gate*.py", "reportgen/cli/gate_check.py"),
    "verify": ("reportgen/publish/verify/*.py",),
}
USUAL = {"ROOMS": " ".join(ROOMS), "MUTANTS": "300", "SEED": "0", "PROCESSES": "2"}
LEAST_NOTICED = 0.9
# A change may make a loop endless, which may fill memory: seconds of the processor beside twice what its
# tests take, and for a room. Whoever only waits has so many times as long, since it is shared.
SECONDS = 30
# Of a change that nobody notices all tests are run that may: 300 changes take an hour of one core.
MOST_SECONDS = 60
ROOM_SECONDS = 1800
PATIENCE = 10
MEMORY = 8 * 2**30
PYTEST = ("-qx", "-n0", "-p", "no:cacheprovider", "-m", "not slow and not elsewhere")
# What takes longest to import: once for all changes.
LIBRARIES = (
    "jinja2",
    "jsonschema",
    "lxml.html",
    "matplotlib.pyplot",
    "numpy",
    "pandas",
    "playwright.sync_api",
    "pyarrow.parquet",
    "pydantic",
    "scipy.stats",
    "sklearn.metrics",
)

# Cosmic Ray's operators that are used, by the beginning of their names.
REPLACED = {
    "ReplaceComparisonOperator": "Lt_LtE LtE_Lt Gt_GtE GtE_Gt Eq_NotEq NotEq_Eq Is_IsNot IsNot_Is",
    "ReplaceBinaryOperator": "Add_Sub Sub_Add Mul_Div Div_Mul FloorDiv_Div BitOr_BitAnd BitAnd_BitOr",
    "ReplaceUnaryOperator_Delete": "Not USub",
    "Replace": "TrueWithFalse FalseWithTrue AndWithOr OrWithAnd BreakWithContinue ContinueWithBreak",
}
OPERATORS = (
    *(
        f"core/{kind}{'_' * ('Operator' in kind)}{each}"
        for kind, some in REPLACED.items()
        for each in some.split()
    ),
    *("core/AddNot", "core/ZeroIterationForLoop"),
)
# Names of functions, and what is called instead.
CALLED_INSTEAD = {
    "sorted": "(lambda unsorted, **_: list(unsorted))",
    "max": "min",
    "min": "max",
    "any": "all",
    "all": "any",
}

# Arguments that guard against mistakes of ours, or say how many answers are kept: they change none.
GUARDS = frozenset(("eq", "frozen", "kw_only", "maxsize", "order", "slots", "strict"))

Place = tuple[int, int]


class Operator(Protocol):
    """What Cosmic Ray asks of an operator, its own and ours."""

    def mutation_positions(self, node: NodeOrLeaf) -> Iterator[tuple[Place, Place]]:
        """Yield where a node begins and ends, once for each change of it."""

    def mutate(self, node: NodeOrLeaf, index: int) -> NodeOrLeaf:
        """Return what takes a node's place."""


class OwnOperator:
    """What Cosmic Ray does not change: thresholds moved a little, a condition less, things unsorted."""

    def mutation_positions(self, node: NodeOrLeaf) -> Iterator[tuple[Place, Place]]:
        """Yield where a node begins and ends, once for each change of it."""
        for _ in _changed(node):
            yield node.start_pos, node.end_pos

    def mutate(self, node: NodeOrLeaf, index: int) -> NodeOrLeaf:
        """Return what takes a node's place."""
        before = node.get_first_leaf()
        changed: BaseNode = parso.parse(f"{before.prefix if before else ''}{_changed(node)[index]}")
        return changed


def _changed(node: NodeOrLeaf) -> list[str]:
    """Return the code of each change of a node."""
    if isinstance(node, Leaf):
        if node.type == "number":
            number = ast.literal_eval(node.value)
            moved = (
                (number * 2, number / 2) if number and isinstance(number, float) else (number + 1, number - 1)
            )
            return [repr(each) for each in moved]
        after = node.get_next_sibling()
        called = node.type == "name" and after is not None and after.get_code().startswith("(")
        return [CALLED_INSTEAD[node.value]] if called and node.value in CALLED_INSTEAD else []
    assert isinstance(node, BaseNode)
    if node.type in {"and_test", "or_test"}:
        sign = node.children[1].get_code().strip()
        conditions = [condition.get_code().strip() for condition in node.children[::2]]
        return [
            f" {sign} ".join(conditions[:each] + conditions[each + 1 :]) for each in range(len(conditions))
        ]
    return ["if True"] if node.type == "comp_if" else []


@dataclass(frozen=True)
class Mutant:
    """A module with one change."""

    room: str
    path: str
    line: int
    source: str
    changed: str

    def __str__(self) -> str:
        """Return its place, and below it the change."""
        lines = difflib.unified_diff(self.source.splitlines(), self.changed.splitlines(), n=0, lineterm="")
        return "\n".join((f"{self.path}:{self.line}", *(f"    {line}" for line in list(lines)[3:])))


def changes(source: str) -> dict[Place, list[tuple[Operator, int]]]:
    """Return the places of a module that can be changed; for each, operators and which change of theirs."""
    nodes = list(ast_nodes(parso.parse(source)))
    # A star that gives or takes several arguments multiplies nothing.
    no_rules = {
        node.start_pos
        for node in nodes
        if node.type == "operator" and node.value in {"*", "**"} and node.parent.type not in {"term", "power"}
    }
    no_rules |= {
        node.children[2].start_pos
        for node in nodes
        if node.type == "argument" and node.children[0].get_code().strip() in GUARDS
    }
    annotated = _annotations(source)
    found: dict[Place, list[tuple[Operator, int]]] = {}
    for operator in (*(get_operator(name)() for name in OPERATORS), OwnOperator()):
        positions = [position for node in nodes for position in operator.mutation_positions(node)]
        for index, (start, _) in enumerate(positions):
            if start not in no_rules and not any(first <= start < last for first, last in annotated):
                found.setdefault(start, []).append((operator, index))
    return found


def _annotations(source: str) -> list[tuple[Place, Place]]:
    """Return where types are named, which are no rules."""
    named = [
        node.returns if isinstance(node, ast.FunctionDef) else node.annotation
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.arg | ast.AnnAssign)
    ]
    return [
        ((each.lineno, each.col_offset), (each.end_lineno or 0, each.end_col_offset or 0))
        for each in named
        if each is not None
    ]


def drawn(rooms: list[str], number: int, seed: int) -> list[Mutant]:
    """Return mutants of that many places of rooms, drawn at random: the same ones by the same seed."""
    sources = {
        (room, path.relative_to(CHECKOUT).as_posix()): path.read_text(encoding="utf-8")
        for room in rooms
        for pattern in ROOMS[room]
        for path in sorted(CHECKOUT.glob(pattern))
    }
    places = [
        (room, path, line, how)
        for (room, path), source in sources.items()
        for (line, _), how in sorted(changes(source).items())
    ]
    draw = random.Random(seed)  # noqa: S311 - nothing is kept secret
    mutants = []
    for room, path, line, how in draw.sample(places, min(number, len(places))):
        operator, index = draw.choice(how)
        source = sources[room, path]
        mutants.append(Mutant(room, path, line, source, mutate_code(source, operator, index)))
    return mutants


@dataclass(frozen=True)
class Reach:
    """Where the quick tests of a room come, without any change."""

    seconds: dict[str, float]
    # For each module the tests that run something of it, and the first lines of the functions that each runs.
    ran: dict[str, dict[str, list[int]]]

    def chosen(self, mutant: Mutant) -> list[str]:
        """Return the tests that may notice a change, the quickest first, as long as they take MOST_SECONDS.

        A function's change shows where the function runs: a process for each mutant keeps no answers of
        another test. What is done while a module is imported may show in any test that runs something of it.
        """
        of_module = self.ran.get(mutant.path, {})
        function = _function_around(mutant)
        running = [
            test
            for test, lines in of_module.items()
            if function is None or any(line in function for line in lines)
        ]
        chosen = sorted(running or of_module or self.seconds, key=self.seconds.__getitem__)
        ends = accumulate(self.seconds[test] for test in chosen)
        return [test for test, end in zip(chosen, ends, strict=True) if end < MOST_SECONDS] or chosen[:1]


def _function_around(mutant: Mutant) -> range | None:
    """Return the lines of the innermost function whose body a mutant changes, None for none."""
    around = [
        range(
            min([node.lineno, *(each.lineno for each in node.decorator_list)]),
            (node.end_lineno or node.lineno) + 1,
        )
        for node in ast.walk(ast.parse(mutant.source))
        if isinstance(node, ast.FunctionDef)
        and node.body[0].lineno <= mutant.line <= (node.end_lineno or node.lineno)
    ]
    return min(around, key=len, default=None)


class Watching:
    """A plugin of pytest that writes down where each test comes."""

    def __init__(self, copy: Path) -> None:
        """Watch tests in a copy of the checkout."""
        self.inside = f"{copy}/"
        self.reach = Reach({}, {})
        self.called: set[tuple[str, int]] = set()
        # What is made once for several tests, by the folder or file and the name of its fixture.
        self.called_for: dict[tuple[str, str], set[tuple[str, int]]] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Iterator[None]:
        """Make what tests share, and see which functions are called for it."""
        before, self.called = self.called, set()
        try:
            return (yield)
        finally:
            self.called_for.setdefault((fixturedef.baseid, fixturedef.argname), set()).update(self.called)
            self.called |= before

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Run a test, and see which functions are called, for what it shares with earlier ones too."""
        self.called = set()

        def see(frame: FrameType, _event: str, _value: object) -> None:
            self.called.add((frame.f_code.co_filename, frame.f_code.co_firstlineno))

        began = time.process_time()
        sys.settrace(see)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            self.reach.seconds[item.nodeid] = time.process_time() - began
            asked = set(getattr(item, "fixturenames", ()))
            shared = (
                called
                for (base, name), called in self.called_for.items()
                if name in asked and item.nodeid.startswith(base)
            )
            for name, line in self.called.union(*shared):
                if name.startswith(self.inside):
                    of_module = self.reach.ran.setdefault(name.removeprefix(self.inside), {})
                    of_module.setdefault(item.nodeid, []).append(line)


class Choosing:
    """A plugin of pytest that runs some tests, in their order."""

    def __init__(self, tests: list[str]) -> None:
        """Run these tests."""
        self.places = {test: place for place, test in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out all others."""
        items[:] = sorted(
            (item for item in items if item.nodeid in self.places), key=lambda item: self.places[item.nodeid]
        )


def survivors(mutants: list[Mutant], processes: int) -> Iterator[Mutant]:
    """Yield the mutants that no quick test of their room notices.

    Raises SystemExit where tests of a room fail without any change.
    """
    for name in LIBRARIES:
        importlib.import_module(name)
    shutil.rmtree(SCRATCH, ignore_errors=True)
    first = _checkout()
    reaches = {room: _reach(first, room) for room in {mutant.room: 0 for mutant in mutants}}
    if failing := [room for room, reach in reaches.items() if reach is None]:
        sys.exit(f"Quick tests fail without any change: {', '.join(failing)}.")
    # The others with the code that Python compiled for the first.
    others = (shutil.copytree(first, SCRATCH / str(each), symlinks=True) for each in range(2, processes + 1))
    copies = [first, *others]
    free: queue.SimpleQueue[Path] = queue.SimpleQueue()
    for copy in copies:
        free.put(copy)

    def survives(mutant: Mutant) -> bool:
        copy = free.get()
        module = copy / mutant.path
        module.write_text(mutant.changed, encoding="utf-8")
        reach = reaches[mutant.room]
        assert reach is not None
        chosen = reach.chosen(mutant)
        files = sorted({test.split("::")[0] for test in chosen})
        seconds = SECONDS + 2 * sum(reach.seconds[test] for test in chosen)
        try:
            return _pass(copy, files, Choosing(chosen), seconds)
        finally:
            # With its time, by which Python knows the code that it compiled of it.
            shutil.copy2(CHECKOUT / mutant.path, module)
            free.put(copy)

    with ThreadPoolExecutor(processes) as executor:
        for mutant, alive in zip(mutants, executor.map(survives, mutants), strict=True):
            if alive:
                yield mutant


def _checkout() -> Path:
    """Return a copy of the checkout: a change never touches the checkout itself."""
    copy = SCRATCH / "1"
    copy.mkdir(parents=True)
    for name in ("reportgen", "tests", "templates"):
        shutil.copytree(CHECKOUT / name, copy / name)
    for entry in CHECKOUT.iterdir():
        if not (copy / entry.name).exists() and entry.name not in {".git", ".venv"}:
            (copy / entry.name).symlink_to(entry)
    return copy


def _reach(copy: Path, room: str) -> Reach | None:
    """Return where the quick tests of a room come; None where one fails."""
    watching = Watching(copy)
    written = copy / f"{room}.json"

    def write() -> None:
        written.write_text(json.dumps((watching.reach.seconds, watching.reach.ran)), encoding="utf-8")

    if not _pass(copy, [f"tests/{room}"], watching, ROOM_SECONDS, write):
        return None
    return Reach(*json.loads(written.read_text(encoding="utf-8")))


def _pass(
    copy: Path, files: list[str], plugin: object, seconds: float, then: Callable[[], None] | None = None
) -> bool:
    """Tell whether quick tests pass in a copy of the checkout, and do something after them.

    A process of their own has this one's libraries, which take longer to import than most tests to run.
    """

    def run() -> None:
        os.setsid()
        os.chdir(copy)
        os.environ["PYTHONPATH"] = str(copy)
        # A change may be made in the second in which another was, and leave a module's size as it is.
        sys.dont_write_bytecode = then is None
        if sys.dont_write_bytecode:
            os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds)))
        sys.path[:] = [str(copy), *(each for each in sys.path if each not in {"", str(CHECKOUT)})]
        for name in [name for name in sys.modules if name.split(".")[0] in {"reportgen", "tests"}]:
            del sys.modules[name]
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        outcome = pytest.main([*PYTEST, *files], plugins=[plugin])
        if then is not None:
            then()
        # Without waiting for what a changed rule left behind.
        os._exit(outcome not in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED})

    process = multiprocessing.get_context("fork").Process(target=run)
    process.start()
    process.join(PATIENCE * seconds)
    if process.is_alive():
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid or 0, signal.SIGKILL)
        process.join()
    return process.exitcode == 0


def main() -> None:
    """Try as many mutants as MUTANTS says, of ROOMS, drawn by SEED; exit with 1 where too many survive."""
    said = {name: os.environ.get(name) or usual for name, usual in USUAL.items()}
    rooms = said["ROOMS"].split()
    mutants = drawn(rooms, int(said["MUTANTS"]), int(said["SEED"]))
    os.environ.setdefault("REPORTGEN_SHARED", str(CHECKOUT.parent / "shared"))
    alive = []
    for mutant in survivors(mutants, int(said["PROCESSES"])):
        alive.append(mutant)
        print(mutant, flush=True)
    for room in rooms:
        tried, kept = (sum(mutant.room == room for mutant in some) for some in (mutants, alive))
        print(f"{room}: {tried - kept} of {tried} changes are noticed.")
    noticed = len(mutants) - len(alive)
    print(f"The quick tests of their room notice {noticed} of {len(mutants)} changes.")
    sys.exit(noticed < LEAST_NOTICED * len(mutants))


if __name__ == "__main__":
    main()
