"""The house: which modules there are, what they are called, and who imports whom."""

import ast
from collections import Counter
from graphlib import TopologicalSorter

import grimp

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
