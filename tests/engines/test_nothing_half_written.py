"""`reportgen count` writes all or nothing: killed, interrupted, refused, or with a table that changes."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import duckdb
import pytest

from reportgen.base.errors import BadInput
from reportgen.pipeline.counting import CountRequest, count_table
from reportgen.readers import Engine, ReaderOptions
from reportgen.readers.engine import places, queries
from tests.commands import SEEING
from tests.engines.tables import shape, write_csv, write_parquet
from tests.slowly import slow_but

ROWS = 3_000_000
EARLIER, LATER = 0.6, 1.2


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Labels that take seconds to count."""
    path = tmp_path_factory.mktemp("large") / "labels.parquet"
    with duckdb.connect() as connection:
        connection.execute(
            "copy (select 'u' || i // 3 as unit, 'a' || i % 3 as annotator, 'c' || hash(i) % 5 as label, "
            f"'d' || i // 30 as document from range({ROWS}) rows (i)) to '{path}' (format parquet)"
        )
    return path


def begun(source: Path, out: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "reportgen", "count", str(source), "--out", str(out), "--threads", "1"]
    environment = {**SEEING, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(  # whoever runs the tests may have Ctrl-C ignored
        command,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=_hearing,  # noqa: PLW1509 - no thread of ours is at work
    )


def _hearing() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def counted(source: Path, out: Path, engine: Engine | None = None) -> None:
    count_table(CountRequest([source], ReaderOptions(engine=engine or Engine())), out)


def beside(out: Path) -> list[Path]:
    return [each for each in out.parent.iterdir() if each.name != out.name and each.name.startswith(".")]


@pytest.mark.parametrize("sign", slow_but([signal.SIGINT, signal.SIGTERM]))
def test_whoever_ends_it_finds_nothing_left(sign: signal.Signals, large: Path, tmp_path: Path) -> None:
    out = tmp_path / "below" / "counts"
    process = begun(large, out)
    for _ in range(200):
        if out.parent.is_dir() and any(out.parent.iterdir()):
            break
        time.sleep(0.05)
    time.sleep(EARLIER)
    process.send_signal(sign)
    assert process.wait() != 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["labels.csv", "labels.parquet"])
def test_a_table_that_changes_is_an_error(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = write_csv if name.endswith("csv") else write_parquet
    source = write(shape("long"), tmp_path / name)
    lay = queries.lay_marks

    def changing(*given: Any) -> None:  # noqa: ANN401 - whatever it is given
        os.utime(source, ns=(1, 1))
        lay(*given)

    monkeypatch.setattr("reportgen.readers.engine.lay_marks", changing)
    with pytest.raises(BadInput, match=f"{name}: changed while it was read"):
        counted(source, tmp_path / "counts", engine=Engine("duckdb"))
    assert not (tmp_path / "counts").exists()
    assert beside(tmp_path / "counts") == []


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            duckdb.OutOfMemoryException("Out of Memory Error: failed to offload data block"),
            "the disk is full",
        ),
        (duckdb.IOException("IO Error: Could not write: No space left on device"), "the disk is full"),
        (duckdb.OutOfMemoryException("Out of Memory Error: could not allocate"), "does not fit into 64 MB"),
        (duckdb.IOException("IO Error: No magic bytes"), "can't be read: it is damaged, or of another kind."),
    ],
)
def test_what_duckdb_refuses_is_said_in_words(error: duckdb.Error, said: str) -> None:
    with pytest.raises(BadInput, match=said), places.opened(Engine(memory="64MB"), "labels.parquet"):
        raise error


def test_a_full_disk_is_said_and_nothing_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write_csv(shape("long"), tmp_path / "labels.csv")

    def full(path: Path, *_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(BadInput, match=r"no space left on device. Make room there."):
        counted(source, tmp_path / "counts")
    assert not (tmp_path / "counts").exists()
    assert beside(tmp_path / "counts") == []
