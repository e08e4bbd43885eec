"""Work on several things at once: by copies of this process, where the system makes them.

What comes out is the same, and in the same order, whatever the number of processors.
"""

import contextlib
import os
import pickle
import signal
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def processors() -> int:
    """Return how many copies of this process may work at once; 1 where the system makes none."""
    if not hasattr(os, "fork") or sys.platform == "darwin":  # its libraries don't survive being copied
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def at_once(work: Callable[[Item], Result], items: Sequence[Item], workers: int) -> list[Result]:
    """Return what `work` makes of each item; each of some copies of this process takes every so-manieth.

    What `work` raises is raised here, that of the earliest item. Results and errors have to be such as pickle
    takes. With one worker this process does it all.
    """
    number = min(workers, len(items))
    if number < 2:  # noqa: PLR2004 - a copy of this process alone gains nothing
        return [work(each) for each in items]
    started: list[tuple[int, int]] = []
    try:
        started.extend(_started(work, items[first::number]) for first in range(number))
        told = [_heard(*each) for each in started]
    except BaseException:
        _end(child for child, _ in started)
        raise
    found: list[Any] = [None] * len(items)
    for first, outcomes in enumerate(told):
        found[first::number] = outcomes + [None] * (len(found[first::number]) - len(outcomes))
    return [_unwrapped(each) for each in found if each is not None]


def _started(work: Callable[[Item], Result], items: Sequence[Item]) -> tuple[int, int]:
    """Start a copy of this process on some items; return its number and where its outcomes are read."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # Python warns of threads, which are those of numpy's BLAS: it is not used here, and copes with it.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    status = 1
    try:
        os.close(reading)
        content = pickle.dumps(_outcomes(work, items))
        with os.fdopen(writing, "wb") as file:
            file.write(content)
        status = 0
    finally:
        os._exit(status)  # nothing of the process that was copied is to be ended twice
    raise AssertionError  # never reached


def _end(children: Iterable[int]) -> None:
    """End copies that nobody waits for any more, before what they write is taken away."""
    for child in children:
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def _outcomes(work: Callable[[Item], Result], items: Sequence[Item]) -> list[tuple[bool, Any]]:
    """Return for each item whether it was done and its result, else what was raised, which ends the work."""
    outcomes: list[tuple[bool, Any]] = []
    for each in items:
        try:
            outcomes.append((True, work(each)))
        except BaseException as error:  # noqa: BLE001 - it is raised again by whoever waits
            outcomes.append((False, error))
            break
    return outcomes


def _heard(child: int, reading: int) -> list[tuple[bool, Any]]:
    """Return the outcomes of a copy when it has ended."""
    with os.fdopen(reading, "rb") as file:
        content = file.read()
    os.waitpid(child, 0)
    if not content:
        return [(False, ChildProcessError("a process that made pages was ended by the system"))]
    outcomes: list[tuple[bool, Any]] = pickle.loads(content)  # noqa: S301 - our own copy wrote it
    return outcomes


def _unwrapped(outcome: tuple[bool, Any]) -> Any:  # noqa: ANN401 - what `work` returns
    done, found = outcome
    if not done:
        raise found
    return found
