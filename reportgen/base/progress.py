"""What a long command tells of its work: what is done at the moment, and how much of how many."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal

# Export files are read, folders of versions and comparisons are computed, pages are written.
Stage = Literal["files", "folders", "pages"]
# Whoever wants to know only what is done at the moment.
Steps = Callable[[str], None]


class Progress:
    """Somebody who is told; this one passes on what is done at the moment, and lets numbers go by."""

    def __init__(self, steps: Steps = lambda _: None) -> None:
        """Pass steps on."""
        self._steps = steps

    def __call__(self, step: str) -> None:
        """Hear what is done at the moment."""
        self._steps(step)

    def expect(self, stage: Stage, number: int) -> None:
        """Hear that so many more of something are to be done."""

    def advance(self, stage: Stage, number: int = 1) -> None:
        """Hear that so many more of something are done."""


_NOBODY = Progress()
_TOLD: ContextVar[Progress] = ContextVar("told", default=_NOBODY)


@contextmanager
def telling(whom: Steps) -> Iterator[Progress]:
    """Have somebody told of all that is done; copies of this process tell them too."""
    progress = whom if isinstance(whom, Progress) else Progress(whom)
    token = _TOLD.set(progress)
    try:
        yield progress
    finally:
        _TOLD.reset(token)


def expect(stage: Stage, number: int) -> None:
    """Tell that so many more of something are to be done."""
    _TOLD.get().expect(stage, number)


def advance(stage: Stage, number: int = 1) -> None:
    """Tell that so many more of something are done."""
    _TOLD.get().advance(stage, number)
