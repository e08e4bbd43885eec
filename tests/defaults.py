"""What functions and classes take where nobody says anything: nothing, but for what a room's test lists."""

import ast
from collections.abc import Iterator
from pathlib import Path

import reportgen


def taken(*modules: str) -> dict[str, object]:
    """Return the defaults of modules that are numbers or truths, and not 0 or False, by module and name."""
    return {
        f"{path.stem}.{name}": value
        for pattern in modules
        for path in sorted(Path(reportgen.__file__).parent.glob(pattern))
        for name, value in _defaults(ast.parse(path.read_text(encoding="utf-8")))
        if value
    }


def _defaults(module: ast.Module) -> Iterator[tuple[str, float]]:
    for node in ast.walk(module):
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            continue
        given: list[tuple[str, ast.expr | None]]
        if isinstance(node, ast.FunctionDef):
            named, only = [*node.args.posonlyargs, *node.args.args], node.args.kwonlyargs
            last = named[len(named) - len(node.args.defaults) :]
            given = [(each.arg, default) for each, default in zip(last, node.args.defaults, strict=True)]
            given += [(each.arg, default) for each, default in zip(only, node.args.kw_defaults, strict=True)]
        else:
            fields = (each for each in node.body if isinstance(each, ast.AnnAssign))
            given = [(ast.unparse(each.target), each.value) for each in fields]
        for name, default in given:
            try:
                value = ast.literal_eval(default) if default else None
            except ValueError:
                continue
            if isinstance(value, int | float):
                yield f"{node.name}.{name}", value
