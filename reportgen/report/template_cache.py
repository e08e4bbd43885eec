"""Templates compiled once, by Jinja's own cache beside them, into code that hangs on nothing but their text.

Jinja folds what it can compute when it compiles, and so writes a language and a filter of ours into the code.
That is turned off here: one compiled template serves all languages, and is the same whenever it is made.
"""

import sys
from contextlib import suppress
from importlib import metadata

from jinja2 import Environment, FileSystemBytecodeCache, nodes
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame

from reportgen.base.files import templates

FOLDER = "__pycache__"


class Faithful(CodeGenerator):
    """Compiles without computing: what a template calls is called when a page is rendered."""

    def _output_child_to_const(
        self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo
    ) -> str:
        if not isinstance(node, nodes.TemplateData):
            raise nodes.Impossible
        return super()._output_child_to_const(node, frame, finalize)


class Compiled(FileSystemBytecodeCache):
    """Jinja's cache, where it can be written and Python was not told to write no compiled code."""

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give a template its code, where a file has it that is not damaged."""
        # pickle raises anything for what is damaged.
        with suppress(Exception):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template's code."""
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                super().dump_bytecode(bucket)


def keep(environment: Environment, kind: str) -> None:
    """Have an environment keep what it compiles, and compute nothing when it compiles.

    `kind` tells environments apart that compile the same text in another way.
    """
    folder = templates() / FOLDER
    with suppress(OSError):
        folder.mkdir(exist_ok=True)
    # Jinja's own check sees another text and another Python, but neither another Jinja nor another `kind`.
    made_by = f"{kind}-{metadata.version('jinja2')}.{sys.implementation.cache_tag}"
    environment.code_generator_class = Faithful
    environment.optimized = False
    environment.bytecode_cache = Compiled(str(folder), f"%s-{made_by}.pyc")
