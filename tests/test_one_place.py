"""One thing, one place: what is true of a measure is in its entry, and nobody else lists ids of measures.

For ids of another kind, such as those of findings, add a line to KINDS: the ids, and the folder that declares
them, where they may be listed.
"""

import ast
from collections.abc import Iterator, Mapping

import pytest

from reportgen.catalogue import BY_ID, base_id
from tests.conftest import CHECKOUT

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
