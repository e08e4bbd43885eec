"""The notebook of the documentation: run, with its outputs written into it and into a page.

`python -m tests.notebook` runs docs/notebook.ipynb again after its cells, or what they print, have changed.
"""

import ast
import base64
import contextlib
import io
import json
from collections.abc import Iterator
from typing import Any

from tests.conftest import CHECKOUT

NOTEBOOK, PAGE = CHECKOUT / "docs/notebook.ipynb", CHECKOUT / "docs/notebook.md"
IMAGE, HTML, TEXT = "image/png", "text/html", "text/plain"
DPI = 110
# Frames of pandas are read as well as text; their HTML comes with a style sheet.
FRAME = 'class="dataframe"'


def cells() -> list[dict[str, Any]]:
    """Return the notebook's cells as they are written."""
    found: list[dict[str, Any]] = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    return found


def run() -> list[dict[str, Any]]:
    """Return the cells with what they print now."""
    from matplotlib import pyplot as plt

    plt.switch_backend("agg")
    known: dict[str, Any] = {}
    done = []
    for cell in cells():
        if cell["cell_type"] == "code":
            cell |= {"outputs": list(_outputs("".join(cell["source"]), known)), "execution_count": None}
        done.append(cell)
    return done


def _outputs(code: str, known: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what a cell prints, its last value as a notebook shows it, and its figures."""
    from matplotlib import pyplot as plt
    from matplotlib.axes import Axes

    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), known)  # noqa: S102 - it is ours
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), known) if last else None  # type: ignore[attr-defined]  # noqa: S307
    if printed.getvalue():
        yield {"output_type": "stream", "name": "stdout", "text": _lines(printed.getvalue())}
    if value is not None and not isinstance(value, Axes):
        yield _shown("execute_result", {TEXT: _lines(repr(value))} | _html(value)) | {"execution_count": None}
    for number in plt.get_fignums():
        file = io.BytesIO()
        plt.figure(number).savefig(file, dpi=DPI, metadata={"Software": None}, bbox_inches="tight")
        yield _shown("display_data", {IMAGE: base64.b64encode(file.getvalue()).decode()})
    plt.close("all")


def _shown(kind: str, data: dict[str, Any]) -> dict[str, Any]:
    return {"output_type": kind, "metadata": {}, "data": data}


def _html(value: Any) -> dict[str, Any]:  # noqa: ANN401 - whatever a cell ends with
    return {HTML: _lines(value._repr_html_())} if hasattr(value, "_repr_html_") else {}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def page(written: list[dict[str, Any]]) -> tuple[str, dict[str, bytes]]:
    """Return the notebook as Markdown, and its pictures by the names that they have there."""
    head = "*This page is a notebook: [notebook.ipynb](notebook.ipynb) opens in Jupyter and VS Code.*"
    parts, pictures = list[str](), dict[str, bytes]()
    for cell in written:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if IMAGE in data:
                name = f"notebook-{len(pictures) + 1}.png"
                pictures[name] = base64.b64decode(data[IMAGE])
                parts.append(f"![The figure that the cell above draws]({name})")
            elif HTML in data and FRAME not in "".join(data[HTML]):
                parts.append("".join(data[HTML]))
            else:
                text = "".join(output.get("text") or data[TEXT]).rstrip("\n")
                parts.append(f"```text\n{text}\n```")
    return "\n\n".join([parts[0], head, *parts[1:]]) + "\n", pictures


def main() -> None:
    """Run the notebook, and write it and its page."""
    book = json.loads(NOTEBOOK.read_text(encoding="utf-8")) | {"cells": run()}
    NOTEBOOK.write_text(json.dumps(book, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    text, pictures = page(book["cells"])
    PAGE.write_text(text, encoding="utf-8")
    for name, content in pictures.items():
        (PAGE.parent / name).write_bytes(content)


if __name__ == "__main__":
    main()
