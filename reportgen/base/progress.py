"""Long work: its progress, and several things done at once."""

import os
import signal
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal, TypeVar

from reportgen.base import system

# Export files are read, folders of versions and comparisons are computed, pages are written.
Stage = Literal["files", "folders", "pages"]
# Is told only what is done at the moment.
Steps = Callable[[str], None]


class Progress:
    """Somebody who follows the work; this one passes on what is done at the moment, without numbers."""

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
def reporting_progress(whom: Steps) -> Iterator[Progress]:
    """Have somebody told of all that is done; copies of this process tell them too."""
    progress = whom if isinstance(whom, Progress) else Progress(whom)
    token = _TOLD.set(progress)
    try:
        yield progress
    finally:
        _TOLD.reset(token)


def tell(step: str) -> None:
    """Tell what is done at the moment."""
    _TOLD.get()(step)


def expect(stage: Stage, number: int) -> None:
    """Tell that so many more of something are to be done."""
    _TOLD.get().expect(stage, number)


def advance(stage: Stage, number: int = 1) -> None:
    """Tell that so many more of something are done."""
    _TOLD.get().advance(stage, number)


# Several things at once, by copies of this process.

Item = TypeVar("Item")
Result = TypeVar("Result")
# What a copy of this process does, and to what: it has both from this one, and nothing need be picklable.
_task: tuple[Callable[[Any], Any], Sequence[Any]] | None = None


def processors() -> int:
    """Return how many copies of this process may work at once; 1 in a copy, and where none is made."""
    return 1 if _task is not None else system.processors()


def at_once(work: Callable[[Item], Result], items: Sequence[Item], workers: int) -> list[Result]:
    """Return what `work` makes of each item; copies of this process take one after the other.

    What `work` raises is raised here, that of the earliest item. Results and errors have to be such as pickle
    takes. With one worker this process does it all.
    """
    number = min(workers, len(items))
    if number < 2:  # a copy of this process alone gains nothing
        return [work(item) for item in items]
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    fork = multiprocessing.get_context(system.COPYING)
    with ProcessPoolExecutor(number, fork, _begin, (work, items)) as pool, warnings.catch_warnings():
        # Python warns of threads, which are those of numpy's BLAS: it is not used here, and copes with it.
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            return list(pool.map(_done, range(len(items))))
        except BrokenProcessPool:
            raise ChildProcessError("a process that shared the work was ended by the system") from None
        except BaseException:
            # Nobody waits for what they write any more.
            for child in multiprocessing.active_children():
                child.kill()
                child.join()
            raise


def _begin(work: Callable[[Item], Any], items: Sequence[Item]) -> None:
    """Begin a copy of this process, which is interrupted by nobody but this one, and ends with it."""
    global _task  # noqa: PLW0603 - a copy does one thing only
    _task = work, items
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when the one that it is a copy of does: its lock on the site goes with it."""
    import multiprocessing

    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)


def _done(index: int) -> Any:  # noqa: ANN401 - what `work` returns
    if _task is None:  # nobody began
        raise RuntimeError
    work, items = _task
    return work(items[index])
