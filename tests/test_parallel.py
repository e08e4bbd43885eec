"""Several copies of the process work at once, and how far they are is told."""

import errno
import os
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from rich.progress import Progress as Shown
from rich.progress import TaskID

from reportgen.base.errors import BadInput, Problem
from reportgen.base.progress import Progress, advance, at_once, expect, processors, reporting_progress
from reportgen.cli.common import Bars, _take, bars
from reportgen.pipeline import build, targets
from reportgen.pipeline.build import build_site
from tests.campaigns import GENE_RENAMING, written
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


def small(top: Path, name: str, labels: Sequence[str]) -> Path:
    """A campaign of one version, in which two annotators label units."""
    rows = [f"u{number},{label},{'ab'[number % 2]}\n" for number, label in enumerate(labels)]
    return written(top / name, "", {"exports/1.0/labels.csv": f"item,Anna,Ben\n{''.join(rows)}"})


@pytest.mark.slow
@pytest.mark.parametrize("shared_out", [1, 9], ids=["campaigns", "folders"])
def test_a_site_is_the_same_however_many_made_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared_out: int
) -> None:
    campaigns = [small(tmp_path, name, "abba" * 5) for name in ("one", "other", "third")]
    monkeypatch.setattr(targets, "MUCH", 0)
    monkeypatch.setattr(build, "SHARED_OUT", shared_out)
    for workers in (1, 3):
        for module in (build, targets):
            monkeypatch.setattr(module, "processors", lambda workers=workers: workers)
        build_site(campaigns, tmp_path / f"site{workers}")
    assert files(tmp_path / "site1") == files(tmp_path / "site3")


@pytest.mark.parametrize("workers", [1, 2])
def test_all_that_is_wrong_in_campaigns_built_at_once_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    faulty = {"exports/1.0/labels.csv": "item,Anna,Ben\n1,a\n"}
    campaigns = [written(tmp_path / name, "", faulty) for name in ("d", "b", "a", "c")]
    monkeypatch.setattr(build, "processors", lambda: workers)
    with pytest.raises(BadInput) as caught:
        build_site(campaigns, tmp_path / "site")
    files_told = [problem.file for problem in caught.value.problems]
    assert files_told == [(tmp_path / name / "exports/1.0/labels.csv").as_posix() for name in "abcd"]
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize(
    ("sizes", "workers"),
    [([1, 2, 3, 4], 2), ([1, 2, 3], 1), ([1, 1, 1, 9], 1)],
    ids=["enough for two", "too few", "one is most of the work"],
)
def test_campaigns_are_shared_out_where_there_are_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sizes: Sequence[int], workers: int
) -> None:
    campaigns = [small(tmp_path, f"c{number}", "ab" * 500 * size) for number, size in enumerate(sizes)]
    monkeypatch.setattr(build, "processors", lambda: 2)
    asked: list[tuple[list[str], int]] = []

    def not_built(_: object, sources: Sequence[build._Source], workers: int) -> list[BadInput]:
        asked.append(([source.id for source in sources], workers))
        return [BadInput([])]

    monkeypatch.setattr(build, "at_once", not_built)
    with pytest.raises(BadInput):
        build_site(campaigns if workers > 1 else campaigns[::-1], tmp_path / "site")
    ((order, number),) = asked
    assert number == workers
    assert order == [f"c{place}" for place in reversed(range(len(sizes)))]


def test_a_copy_makes_no_copies() -> None:
    if processors() == 1:
        pytest.skip("NOT TESTED: one processor, or a system that copies no process")
    assert at_once(lambda _: processors(), [1, 2], 2) == [1, 1]


class Counted(Progress):
    """Counts what is expected and done."""

    def __init__(self) -> None:
        super().__init__()
        self.expected: dict[str, int] = {}
        self.done: dict[str, int] = {}

    def expect(self, stage: str, number: int) -> None:
        self.expected[stage] = self.expected.get(stage, 0) + number

    def advance(self, stage: str, number: int = 1) -> None:
        self.done[stage] = self.done.get(stage, 0) + number


@pytest.mark.slow
def test_files_folders_and_pages_are_counted(tmp_path: Path) -> None:
    counted = Counted()
    build_site([GENE_RENAMING], tmp_path / "site", counted)
    assert counted.done["files"] == counted.expected["files"] == 1
    assert counted.done["folders"] == counted.expected["folders"] == 2
    assert counted.done["pages"] >= counted.expected["pages"] > 0
    again = Counted()
    build_site([GENE_RENAMING], tmp_path / "site", again)
    assert again.done == {}


def test_copies_of_this_process_are_heard() -> None:
    reading, writing = os.pipe()

    def work(number: int) -> int:
        advance("pages", number)
        return number

    with reporting_progress(Bars(writing)) as whom:
        expect("pages", 3)
        whom("é" * 1000)
        assert at_once(work, [1, 2], 2) == [1, 2]
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as lines:
        heard = sorted(lines.read().splitlines())
    assert heard[:3] == ['["advance", "pages", 1]', '["advance", "pages", 2]', '["expect", "pages", 3]']
    assert len(heard) == 4


def test_a_bar_never_runs_past_its_end() -> None:
    shown, known = Shown(), dict[str, TaskID]()
    for line in (["advance", "pages", 1], ["expect", "pages", 2], ["advance", "pages", 5], ["nonsense"]):
        _take(shown, known, line)
    (task,) = shown.tasks
    assert (task.completed, task.total) == (2, 2)


def test_nobody_is_told_where_nobody_is_looking() -> None:
    with bars() as whom:
        assert type(whom) is Progress
