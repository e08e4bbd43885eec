"""How far a long command is: told to whoever wants to know, from every copy of the process."""

import multiprocessing
import os
import time
from pathlib import Path

import pytest
from rich.progress import Progress as Shown
from rich.progress import TaskID

from reportgen.base import progress
from reportgen.base.errors import BadInput, Problem
from reportgen.base.progress import Progress, advance, at_once, expect, meanwhile, telling
from reportgen.cli.common import Bars, _take, bars
from reportgen.pipeline.build import build_site
from tests.campaigns import GENE_RENAMING


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

    with telling(Bars(writing)) as whom:
        expect("pages", 3)
        whom("é" * 1000)
        assert at_once(work, [1, 2], 2) == [1, 2]
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as lines:
        heard = sorted(lines.read().splitlines())
    assert heard[:3] == ['["advance", "pages", 1]', '["advance", "pages", 2]', '["expect", "pages", 3]']
    assert len(heard) == 4


@pytest.mark.parametrize("number", [1, 2])
def test_something_is_done_meanwhile_by_a_copy_where_there_are_two_processors(
    monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setattr(progress, "processors", lambda: number)
    with meanwhile(os.getpid) as done:
        assert (done() == os.getpid()) == (number == 1)


def test_a_copy_makes_no_copies_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "processors", lambda: 2)

    def in_a_copy() -> tuple[int, int]:
        with meanwhile(os.getpid) as done:
            return os.getpid(), done()

    with meanwhile(in_a_copy) as done:
        here, there = done()
    assert here == there != os.getpid()


@pytest.mark.parametrize("number", [1, 2])
def test_what_a_copy_raises_is_raised_where_it_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setattr(progress, "processors", lambda: number)

    def refused() -> None:
        raise BadInput([Problem("a.csv", message="is empty")])

    with meanwhile(refused) as done, pytest.raises(BadInput, match="is empty"):
        done()


def test_a_copy_ends_with_whoever_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "processors", lambda: 2)
    with pytest.raises(ZeroDivisionError), meanwhile(lambda: time.sleep(600)):
        _ = 1 / 0
    assert not multiprocessing.active_children()


def test_a_bar_never_runs_past_its_end() -> None:
    shown, known = Shown(), dict[str, TaskID]()
    for line in (["advance", "pages", 1], ["expect", "pages", 2], ["advance", "pages", 5], ["nonsense"]):
        _take(shown, known, line)
    (task,) = shown.tasks
    assert (task.completed, task.total) == (2, 2)


def test_nobody_is_told_where_nobody_is_looking() -> None:
    with bars() as whom:
        assert type(whom) is Progress
