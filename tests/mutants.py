"""Change rules one at a time, and list the changes that the quick tests of their room don't notice.

`make mutants` draws 300 places of five rooms at random, and one change for each, which Cosmic Ray makes. Its
own sessions take every sign for every other and one command for all; here a change has its room's tests.
"""

import ast
import difflib
import os
import queue
import random
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import parso
from cosmic_ray.ast import ast_nodes
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator
from cosmic_ray.testing import run_tests
from cosmic_ray.work_item import TestOutcome
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
# A change may make a loop endless.
SECONDS = 900
# In its own copy of the checkout, as processes are that a test starts.
IN_FOLDER = 'cd "$0" && export PYTHONPATH="$PWD" && exec "$@"'
PYTEST = ("-m", "pytest", "-qx", "-n0", "-p", "no:cacheprovider", "-m", "not slow and not elsewhere")

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

# Arguments that guard against mistakes of ours: without them nothing is another.
GUARDS = frozenset(("eq", "frozen", "order", "slots", "strict"))

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


def survivors(mutants: list[Mutant], processes: int) -> Iterator[Mutant]:
    """Yield the mutants that no quick test of their room notices.

    Raises SystemExit where tests of a room fail without any change.
    """
    copies = list(_copies(processes))
    failing = [
        room for room in {mutant.room: 0 for mutant in mutants} if not _pass(copies[0], [f"tests/{room}"])
    ]
    if failing:
        sys.exit(f"Quick tests fail without any change: {', '.join(failing)}.")
    free: queue.SimpleQueue[Path] = queue.SimpleQueue()
    for copy in copies:
        free.put(copy)

    def survives(mutant: Mutant) -> bool:
        copy = free.get()
        module = copy / mutant.path
        module.write_text(mutant.changed, encoding="utf-8")
        try:
            nearest = _tests_that_name(module.stem, copy / "tests" / mutant.room)
            return all(_pass(copy, chosen) for chosen in (nearest, [f"tests/{mutant.room}"]) if chosen)
        finally:
            # With its time, by which Python knows the code that it compiled of it.
            shutil.copy2(CHECKOUT / mutant.path, module)
            free.put(copy)

    with ThreadPoolExecutor(processes) as executor:
        for mutant, alive in zip(mutants, executor.map(survives, mutants), strict=True):
            if alive:
                yield mutant


def _copies(number: int) -> Iterator[Path]:
    """Yield copies of the checkout, one for each process: a change never touches the checkout itself."""
    shutil.rmtree(SCRATCH, ignore_errors=True)
    for each in range(number):
        copy = SCRATCH / str(each + 1)
        copy.mkdir(parents=True)
        for name in ("reportgen", "tests", "templates"):
            shutil.copytree(CHECKOUT / name, copy / name)
        for entry in CHECKOUT.iterdir():
            if not (copy / entry.name).exists() and entry.name not in {".git", ".venv"}:
                (copy / entry.name).symlink_to(entry)
        yield copy


def _tests_that_name(module: str, room: Path) -> list[str]:
    """Return the files of a room's tests that name a module: they are the first to notice a change of it."""
    name = re.compile(rf"\b{re.escape(module)}\b")
    return sorted(
        str(file) for file in room.glob("test_*.py") if name.search(file.read_text(encoding="utf-8"))
    )


def _pass(copy: Path, tests: list[str]) -> bool:
    """Tell whether quick tests pass in a copy of the checkout."""
    command = shlex.join(("sh", "-c", IN_FOLDER, str(copy), sys.executable, *PYTEST, *tests))
    outcome, _ = run_tests(command, SECONDS)
    return bool(outcome is TestOutcome.SURVIVED)


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
