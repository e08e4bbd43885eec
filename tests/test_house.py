"""The house: which modules there are, who imports whom, what is listed where, and our dataclasses."""

import ast
import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from graphlib import TopologicalSorter
from typing import Any

import grimp
import pytest

from reportgen.base.dataclass import dataclass
from reportgen.catalogue import BY_ID, base_id
from tests.conftest import CHECKOUT

# Models of campaign.toml and of results.json whose names are those of published schemas.
IN_BOTH_SCHEMAS = {"Author", "Controls", "Reference", "UnitSet", "Unitizing"}


def test_no_module_comes_back_to_itself_by_its_imports() -> None:
    """Imports for types and imports in functions count too."""
    graph = grimp.build_graph("reportgen", cache_dir=None)
    TopologicalSorter(
        {each: graph.find_modules_directly_imported_by(each) for each in graph.modules}
    ).prepare()


def test_a_class_name_occurs_once() -> None:
    names = Counter(
        node.name
        for path in (CHECKOUT / "reportgen").rglob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
    )
    assert {name for name, times in names.items() if times > 1} == IN_BOTH_SCHEMAS


def test_nothing_lies_at_the_top_but_the_front_doors() -> None:
    top = {path.name for path in (CHECKOUT / "reportgen").glob("*.py")}
    assert top == {"__init__.py", "__main__.py", "agreement.py"}


KINDS: Mapping[str, tuple[frozenset[str], str]] = {
    "measures": (frozenset(BY_ID), "reportgen/catalogue/"),
}
SEVERAL = 2


def collections(code: str, ids: frozenset[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the line of each collection that has several of some ids, in brackets or not, and which.

    `__all__` lists functions, which are called like measures.
    """
    tree = ast.parse(code)
    assigned = [node for node in tree.body if isinstance(node, ast.Assign)]
    public = [node.value for node in assigned if ast.unparse(node.targets[0]) == "__all__"]
    for node in ast.walk(tree):
        if node in public:
            continue
        match node:
            case ast.Tuple() | ast.List() | ast.Set():
                parts = node.elts
            case ast.Dict():
                parts = [*filter(None, node.keys), *node.values]
            case ast.MatchOr():
                parts = [each.value for each in node.patterns if isinstance(each, ast.MatchValue)]
            case _:
                continue
        texts = [
            part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)
        ]
        found = [text for text in texts if base_id(text) in ids]
        if len(found) >= SEVERAL:
            yield node.lineno, found


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_ids_are_listed_where_they_are_declared_alone(kind: str) -> None:
    ids, home = KINDS[kind]
    listed = [
        f"{name}:{line}: {', '.join(found)}"
        for path in sorted((CHECKOUT / "reportgen").rglob("*.py"))
        for name in (path.relative_to(CHECKOUT).as_posix(),)
        if not name.startswith(home)
        for line, found in collections(path.read_text(encoding="utf-8"), ids)
    ]
    assert listed == [], "\n".join(["Say it in the entries instead, and ask there (ids_with):", *listed])


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('SHOWN = ("cohen_kappa", "scott_pi")', ["cohen_kappa", "scott_pi"]),
        ('x = {"cohen_kappa": 1, "weighted_kappa[linear]": 2}', ["cohen_kappa", "weighted_kappa[linear]"]),
        ('x = y in {"cohen_kappa", "scott_pi"}', ["cohen_kappa", "scott_pi"]),
        ('match x:\n    case "recall" | "precision": pass', ["recall", "precision"]),
        ('x = ("cohen_kappa", y, "no measure")', None),
        ('__all__ = ["cohen_kappa", "scott_pi"]', None),
        ('x = "cohen_kappa" if y else "scott_pi"', None),
    ],
)
def test_a_list_is_one_of_several_ids(code: str, found: list[str] | None) -> None:
    assert [names for _line, names in collections(code, frozenset(BY_ID))] == ([found] if found else [])


def made_by(kind: Callable[..., Any], **choices: bool) -> list[Any]:
    """Return a class of two fields, one of one, and one that is a child of the first."""

    @kind(frozen=True, **choices)
    class Two:
        name: str
        seen: int = dataclasses.field(default=0, compare=False, repr=False)
        rest: tuple[int, ...] = ()

    @kind(frozen=True, **choices)
    class One:
        name: str

    @kind(frozen=True, **choices)
    class Child(Two):
        last: int = 1

        def __repr__(self) -> str:
            return "a child"

    return [Two, One, Child]


OURS, PYTHONS = made_by(dataclass), made_by(dataclasses.dataclass)


@pytest.mark.parametrize("number", range(3))
def test_they_are_written_compared_and_hashed_as_pythons_own(number: int) -> None:
    ours, pythons = ([kind("a"), kind("a"), kind("b")] for kind in (OURS[number], PYTHONS[number]))
    assert list(map(hash, ours)) == list(map(hash, pythons))
    written = [[repr(each).rpartition(".")[2] for each in some] for some in (ours, pythons)]
    assert written[0] == written[1]
    assert ours[0] == ours[1] != ours[2]
    assert ours[0] != pythons[0]
    assert OURS[0]("a", 1) == OURS[0]("a", 2)
    # One in the order of its fields is Python's own.
    ordered = made_by(dataclass, order=True)[number]
    assert ordered("a") < ordered("b")
    with pytest.raises(dataclasses.FrozenInstanceError):
        ordered("a").name = "b"


def test_what_a_class_says_of_itself_stays() -> None:
    @dataclass(frozen=True)
    class Own:  # noqa: PLW1641 - the decorator adds it
        name: str

        def __eq__(self, other: object) -> bool:
            return other == "own"

    assert Own("a") == "own"
    assert hash(Own("a")) == hash(("a",))
    with_identity = made_by(dataclass, eq=False)[0]
    assert with_identity("a") != with_identity("a")
