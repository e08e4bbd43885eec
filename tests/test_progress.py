"""How far a long command is: told to whoever wants to know, from every copy of the process."""

import os
from pathlib import Path

import pytest
from rich.progress import Progress as Shown
from rich.progress import TaskID

from reportgen.base.progress import Progress, advance, at_once, expect, reporting_progress
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
