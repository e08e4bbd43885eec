"""Templates compiled once: code that hangs on nothing but a template's text, kept as Python keeps its own.

Jinja folds what it can compute when it compiles, and so writes a language and a filter of ours into the code.
That is turned off here: one compiled template serves all languages, and is the same whenever it is made.
"""

import hashlib
import marshal
import os
import sys
from importlib import metadata
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from types import CodeType

from jinja2 import BytecodeCache, Environment, nodes
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame

from reportgen.base.files import templates

FOLDER = "__pycache__"
DIGEST = hashlib.sha256().digest_size
# Compiled templates of this process, by the digest of all that each was compiled from.
_KNOWN: dict[bytes, CodeType] = {}


class Faithful(CodeGenerator):
    """Compiles without computing: what a template calls is called when a page is rendered."""

    def _output_child_to_const(
        self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo
    ) -> str:
        if not isinstance(node, nodes.TemplateData):
            raise nodes.Impossible
        return super()._output_child_to_const(node, frame, finalize)


class Compiled(BytecodeCache):
    """Keeps what is compiled in this process, and beside the templates where that can be written.

    Nothing is written where Python was told to write no compiled code. `kind` tells environments apart that
    compile the same text in another way.
    """

    def __init__(self, environment: Environment, kind: str) -> None:
        """Keep what an environment compiles."""
        self._kind = kind
        about = (
            metadata.version("jinja2"),
            sys.implementation.cache_tag,
            environment.autoescape,
            (environment.trim_blocks, environment.lstrip_blocks, environment.keep_trailing_newline),
            (getattr(environment, "newstyle_gettext", None), sorted(environment.extensions)),
            sorted(environment.filters),
            sorted(environment.tests),
            sorted(environment.policies.items(), key=str),
        )
        self._about = MAGIC_NUMBER + repr(about).encode() + Path(__file__).read_bytes()

    def get_source_checksum(self, source: str) -> str:
        """Return the digest of all that a template's code hangs on."""
        return hashlib.sha256(self._about + b"\0" + source.encode()).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give a template its code, where it is known."""
        wanted = _digest(bucket)
        if wanted not in _KNOWN and (code := _read(self._file(bucket), wanted)):
            _KNOWN[wanted] = code
        bucket.code = _KNOWN.get(wanted)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template's code."""
        digest = _digest(bucket)
        if bucket.code is None:
            return
        _KNOWN[digest] = bucket.code
        if not sys.dont_write_bytecode:
            _write(self._file(bucket), digest, bucket.code)

    def get_cache_key(self, name: str, filename: str | None = None) -> str:  # noqa: ARG002 - Jinja's signature
        """Return what the file of a template's code is called."""
        return f"{name}-{self._kind}"

    def _file(self, bucket: Bucket) -> Path:
        return templates() / FOLDER / f"{bucket.key}.{sys.implementation.cache_tag}.pyc"


def keep(environment: Environment, kind: str) -> None:
    """Have an environment keep what it compiles, and compute nothing when it compiles."""
    environment.code_generator_class = Faithful
    environment.optimized = False
    environment.bytecode_cache = Compiled(environment, kind)


def _digest(bucket: Bucket) -> bytes:
    return hashlib.sha256(f"{bucket.key} {bucket.checksum}".encode()).digest()


def _read(path: Path, wanted: bytes) -> CodeType | None:
    """Return the code in a file, None where it is not that of what is wanted, or is damaged."""
    try:
        content = path.read_bytes()
        digest, sound, found = content[:DIGEST], content[DIGEST : 2 * DIGEST], content[2 * DIGEST :]
        if digest != wanted or hashlib.sha256(found).digest() != sound:
            return None
        code = marshal.loads(found)  # noqa: S302 - beside the program, as trusted as itself
    except (OSError, ValueError, EOFError, TypeError):
        return None
    return code if isinstance(code, CodeType) else None


def _write(path: Path, digest: bytes, code: CodeType) -> None:
    """Write code to a file, at once, so that nobody reads half of it; where that can't be, it is not kept."""
    content = marshal.dumps(code)
    part = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(exist_ok=True)
        part.write_bytes(digest + hashlib.sha256(content).digest() + content)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
