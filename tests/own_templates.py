"""Pages made from a copy of the templates, which tests may change without harm."""

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from reportgen.base.files import templates
from reportgen.pipeline import build_cache
from reportgen.report.page import forget

# Every module that asks where templates are.
ASKING = (
    "pipeline.build_cache",
    "pipeline.scaffold",
    "cli.serving",
    "words.language",
    "report.page",
    "report.paper",
)


@contextlib.contextmanager
def own_templates(folder: Path) -> Iterator[Path]:
    """Yield a copy of the templates, below a folder, that pages are made from meanwhile."""
    copy = folder / "templates"
    shutil.copytree(templates(), copy, ignore=shutil.ignore_patterns("__pycache__"))
    with pytest.MonkeyPatch.context() as patch:
        for module in ASKING:
            patch.setattr(f"reportgen.{module}.templates", lambda: copy)
        read_again()
        yield copy
    read_again()


def read_again() -> None:
    """Have templates and catalogues that changed read again."""
    forget()
    build_cache.forget()
