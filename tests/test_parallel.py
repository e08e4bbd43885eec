"""Several copies of the process work at once, and nothing tells from what comes out."""

import errno
import os
import signal
import time
from contextlib import suppress
from pathlib import Path

import pytest

from reportgen.base import progress
from reportgen.base.errors import BadInput, Problem
from reportgen.base.progress import at_once, processors
from reportgen.pipeline import targets
from reportgen.pipeline.build import build_site
from tests.campaigns import GENE_RENAMING
from tests.commands import files


@pytest.mark.parametrize("workers", [1, 2, 3, 8])
def test_results_stand_in_the_order_of_the_items(workers: int) -> None:
    assert at_once(lambda each: each * each, list(range(7)), workers) == [0, 1, 4, 9, 16, 25, 36]
    assert at_once(str, [], workers) == []


def test_other_processes_do_it() -> None:
    if processors() == 1:
        pytest.skip("NOT TESTED: one processor, or a system that copies no process")

    def number(_: int) -> int:
        time.sleep(0.2)  # so that one of them does not take all
        return os.getpid()

    numbers = set(at_once(number, [1, 2, 3], 2))
    assert len(numbers) == 2
    assert os.getpid() not in numbers
    assert at_once(lambda _: os.getpid(), [1, 2], 1) == [os.getpid()] * 2


@pytest.mark.parametrize("workers", [1, 2])
def test_what_is_raised_there_is_raised_here(workers: int) -> None:
    def work(item: int) -> int:
        if item:
            raise BadInput([Problem("a.csv", item, message="is bad.", remedy="Mend it.")])
        return item

    with pytest.raises(BadInput) as caught:
        at_once(work, [0, 1, 2, 3], workers)
    assert str(caught.value) == "a.csv:1: is bad. Mend it."
    assert caught.value.problems[0].line == 1


def test_a_copy_that_is_killed_is_told() -> None:
    if processors() == 1:
        pytest.skip("NOT TESTED: one processor, or a system that copies no process")
    with pytest.raises(ChildProcessError, match="ended by the system"):
        at_once(lambda _: os.kill(os.getpid(), signal.SIGKILL), [1, 2], 2)


def children() -> set[str]:
    """The processes that this one has started and not yet seen end; a browser may be among them."""
    tasks = Path("/proc/self/task")
    if not tasks.is_dir():
        pytest.skip("NOT TESTED: this system does not tell a process's children")
    found: set[str] = set()
    for task in tasks.iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread may end while it is read
            found.update((task / "children").read_text(encoding="ascii").split())
    return found


def never_done(_: int) -> None:
    while True:
        signal.pause()


def test_copies_end_with_who_waits_for_them() -> None:
    if processors() == 1:
        pytest.skip("NOT TESTED: one processor, or a system that copies no process")

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    others = children()
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    with pytest.raises(KeyboardInterrupt):
        at_once(never_done, [1, 2], 2)
    signal.signal(signal.SIGALRM, before)
    assert children() == others


def test_copies_end_where_another_can_not_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    if processors() == 1:
        pytest.skip("NOT TESTED: one processor, or a system that copies no process")
    fork, made = os.fork, list[int]()

    def only_once() -> int:
        if made:
            raise BlockingIOError(errno.EAGAIN, "no more processes")
        made.append(child := fork())
        return child

    others = children()
    monkeypatch.setattr(os, "fork", only_once)
    with pytest.raises(BlockingIOError):
        at_once(never_done, [1, 2], 2)
    assert children() == others


@pytest.mark.slow
def test_a_site_is_the_same_however_many_made_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = GENE_RENAMING.parent / "gene-renaming-in-texts"
    for workers in (1, 3):
        monkeypatch.setattr(targets, "MUCH", 0)
        monkeypatch.setattr(progress, "processors", lambda workers=workers: workers)
        build_site([campaign], tmp_path / str(workers))
    assert files(tmp_path / "1") == files(tmp_path / "3")
