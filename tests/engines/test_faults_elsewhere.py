"""A worker of Spark's that is killed, and a connection that is cut: the same bytes, or an end in words."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from reportgen.base.errors import BadInput
from reportgen.readers import Engine
from reportgen.readers.engine.queries import IbisSource, LaidSheet, TableSizes
from tests.engines.tables import shape, write_csv, write_parquet
from tests.engines.test_elsewhere import counted, on_postgres


def in_the_middle(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], None]) -> None:
    """Have something happen after the first query."""
    own = IbisSource.sizes

    def sizes(self: IbisSource, sheet: LaidSheet) -> TableSizes:
        known = own(self, sheet)
        happens()
        return known

    monkeypatch.setattr(IbisSource, "sizes", sizes)


def workers() -> list[int]:
    """Return the processes in which Spark's workers run."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            command = (folder / "cmdline").read_bytes() if folder.name.isdigit() else b""
        except OSError:  # it has ended
            continue
        if b"CoarseGrainedExecutorBackend" in command:
            found.append(int(folder.name))
    return sorted(found)


@pytest.mark.elsewhere
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_spark_counts_the_same_without_a_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table, killed = shape("long, documents"), list[int]()

    def kill() -> None:
        killed.append(workers()[0])
        os.kill(killed[0], signal.SIGKILL)

    in_the_middle(monkeypatch, kill)
    expected = counted(
        table, tmp_path / "here", [write_csv(table, tmp_path / "a.csv")], engine=Engine("memory")
    )
    parquet = [write_parquet(table, tmp_path / "a.parquet")]
    assert counted(table, tmp_path / "out", parquet, engine=Engine("spark")) == expected
    assert len(killed) == 1


@pytest.mark.elsewhere
def test_a_connection_that_is_cut_ends_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import psycopg

    def cut() -> None:
        with psycopg.connect(os.environ["REPORTGEN_POSTGRES"]) as connection:
            connection.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity "
                "where pid <> pg_backend_pid() and datname = current_database()"
            )

    in_the_middle(monkeypatch, cut)
    with pytest.raises(BadInput, match=r"labels: the connection was lost while it was counted"):
        on_postgres(shape("long, documents"), tmp_path)
    assert not (tmp_path / "out").exists()
