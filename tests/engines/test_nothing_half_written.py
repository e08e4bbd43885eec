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
from reportgen.readers.counted import COUNT_FILES
from reportgen.readers.engine import places, queries
from tests.commands import SEEING, run, run_alone
from tests.engines.tables import shape, write_csv, write_duckdb, write_parquet, write_sqlite
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


def tree(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in sorted(folder.iterdir())} if folder.is_dir() else {}


def counted(source: Path, out: Path, engine: Engine | None = None) -> None:
    count_table(CountRequest([source], ReaderOptions(engine=engine or Engine())), out)


def beside(out: Path) -> list[Path]:
    return [each for each in out.parent.iterdir() if each.name != out.name and each.name.startswith(".")]


@pytest.mark.slow
def test_killed_at_any_moment_it_leaves_what_was_there(large: Path, tmp_path: Path) -> None:
    out = tmp_path / "counts"
    counted(write_csv(shape("long"), tmp_path / "small.csv"), out)
    old = tree(out)
    for moment in (EARLIER, LATER):
        process = begun(large, out)
        time.sleep(moment)
        process.kill()
        process.wait()
        assert tree(out) == old
    counted(write_csv(shape("wide"), tmp_path / "small.csv"), out)
    assert beside(out) == []


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
def test_a_table_that_changes_while_it_is_counted_is_an_error(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_a_full_disk_is_said_in_words_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write_csv(shape("long"), tmp_path / "labels.csv")

    def full(path: Path, *_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(BadInput, match=r"no space left on device. Make room there."):
        counted(source, tmp_path / "counts")
    assert not (tmp_path / "counts").exists()
    assert beside(tmp_path / "counts") == []


@pytest.mark.slow
def test_what_is_wrong_is_said_with_what_was_expected(tmp_path: Path) -> None:
    table = shape("long")
    csv, database = write_csv(table, tmp_path / "a.csv"), write_duckdb(table, tmp_path / "a.duckdb", "votes")
    lite, parquet = write_sqlite(table, tmp_path / "a.sqlite"), write_parquet(table, tmp_path / "a.parquet")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and no more")
    (tmp_path / "broken.sqlite").write_bytes(b"SQLite format 3\0and no more")
    (tmp_path / "no-text.sqlite").write_bytes(lite.read_bytes().replace(b"CREATE TABLE", b"CREATE TABL\xff"))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    cases: list[tuple[list[str | Path], str]] = [
        (["none.csv"], "there is no such file. CSV, TSV, Parquet"),
        (["*.none"], "there is no such file"),
        ([csv, "--columns", "label=vote"], 'there is no column "vote"'),
        ([csv, "--columns", "label"], "Write unit=item,annotator=worker."),
        ([parquet, "--columns", "annotator=none"], 'there is no column "none"'),
        ([database, "--table", "vote"], 'has no table "vote". Did you mean "votes"?'),
        ([lite, "--table", "votes"], 'has no table "votes"'),
        ([csv, "--memory", "much"], "a size of at least 32MB was expected. Write for example 2GB."),
        ([csv, "--annotators", "nobody"], '"nobody" is not in the export'),
        ([csv, parquet], "is of format"),
        ([tmp_path / "broken.parquet"], "broken.parquet: can't be read"),
        ([tmp_path / "broken.sqlite"], "broken.sqlite: can't be read"),
        ([tmp_path / "no-text.sqlite"], "no-text.sqlite: can't be read"),
    ]
    for arguments, said in cases:
        result = run("count", *arguments, "--out", tmp_path / "counts")
        assert (result.exit_code, said in result.stderr) == (2, True), (said, result.stderr)
        assert not (tmp_path / "counts").exists()
    result = run("count", csv, "--out", tmp_path / "mine")
    assert "contains notes.txt, which reportgen did not write" in result.stderr


def test_it_says_what_it_counted(tmp_path: Path) -> None:
    source = write_csv(shape("faulty"), tmp_path / "labels.csv")
    result = run(
        "count", source, "--out", tmp_path / "counts", "--categories", "yes,no,maybe", "--missing", "n/a"
    )
    assert result.exit_code == 0
    assert "96 labels read, 90 used, 6 left out.\n3 cells without a label." in result.stdout
    assert "3: a label without a unit" in result.stdout
    assert result.stderr == ""
    assert {each.name for each in (tmp_path / "counts").iterdir()} <= COUNT_FILES


@pytest.mark.slow
def test_duckdb_ends_without_a_word(tmp_path: Path) -> None:
    """A process that ends before its objects do makes DuckDB's bindings complain of leaks."""
    source = tmp_path / "labels.csv"
    source.write_text("unit,annotator,label\nu1,Ann,a\nu1,Bob,b\nu2,Ann,a\nu2,Bob,a\n", encoding="utf-8")
    found = run_alone("count", source, "--out", tmp_path / "counts", cwd=tmp_path)
    assert (found.returncode, "nanobind" in found.stderr) == (0, False), found.stderr
