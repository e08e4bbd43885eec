"""Where no server is asked: the folder of Potato's answers, and a saved dataset of Hugging Face."""

import json
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportgen.base.errors import quoted, reason, refused
from reportgen.servers.pull_request import PullRequest
from reportgen.servers.snapshot import ProjectSize

if TYPE_CHECKING:
    from pyarrow import Table

FOLDER = "source.folder"
ANSWERS = (".jsonl", ".json", ".csv", ".tsv", ".txt")
# How often it is looked whether answers were written meanwhile.
ROUNDS = 3


def fetch_potato(pull: PullRequest) -> ProjectSize:
    """Copy the answers of all annotators, such as they are at one moment."""
    folder = _folder(pull)
    for _round in range(ROUNDS):
        before = _answers(folder)
        if not before:
            message = f"is {quoted(str(pull.source.folder))}, which has no answers yet."
            raise refused(
                pull.place, 0, FOLDER, message, "Name the output folder, annotation_output in Potato."
            )
        for name in before:
            (pull.out / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(folder / name, pull.out / name)
        if _answers(folder) == before:
            return ProjectSize(folder.name, len(before), "files")
        for path in pull.out.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    message = "changes faster than it can be read."
    raise refused(pull.place, 0, FOLDER, message, "Try again when fewer people annotate.")


def _answers(folder: Path) -> dict[str, tuple[int, int]]:
    """Return the size and the moment of each file of answers, by its path below the folder."""
    paths = (path for path in sorted(folder.rglob("*")) if path.suffix.lower() in ANSWERS and path.is_file())
    here = (
        (path, path.relative_to(folder)) for path in paths if path.resolve().is_relative_to(folder.resolve())
    )
    return {
        name.as_posix(): (path.stat().st_size, path.stat().st_mtime_ns)
        for path, name in here
        if not any(part.startswith(".") for part in name.parts)
    }


def _folder(pull: PullRequest) -> Path:
    folder = pull.folder / (pull.source.folder or "")
    if not folder.is_dir():
        message = f"is {quoted(str(pull.source.folder))}; there is no such folder."
        raise refused(
            pull.place, 0, FOLDER, message, "Check the name, which is relative to the campaign's folder."
        )
    if pull.last.resolve().is_relative_to(folder.resolve()):
        message = "contains the exports that are written from it."
        raise refused(pull.place, 0, FOLDER, message, "Name the tool's own folder.")
    return folder


# Hugging Face's datasets: what `save_to_disk` wrote becomes Parquet, class labels by their names.

SPLITS, STATE = "dataset_dict.json", "state.json"


def fetch_dataset(pull: PullRequest) -> ProjectSize:
    """Write each split of a saved dataset as a Parquet table."""
    folder = _folder(pull)
    if find_spec("pyarrow") is None:
        message = "is a saved dataset, which needs the package pyarrow."
        raise refused(pull.place, 0, FOLDER, message, 'Install reportgen with the extra "parquet".')
    import pyarrow.parquet as pq
    from pyarrow import ArrowException

    rows = 0
    try:
        for name, part in _splits(folder):
            table = _named(_table(part))
            pq.write_table(table, pull.out / f"{name}.parquet")
            rows += table.num_rows
    except (OSError, ValueError, KeyError, TypeError, AttributeError, ArrowException) as error:
        why = (
            reason(error)
            if isinstance(error, OSError) and error.strerror
            else "a file in it is missing or damaged"
        )
        message = f"is {quoted(str(pull.source.folder))}, which is not a saved dataset: {why}."
        remedy = "Name a folder that save_to_disk() of Hugging Face's datasets wrote."
        raise refused(pull.place, 0, FOLDER, message, remedy) from None
    return ProjectSize(folder.name, rows, "rows")


def _splits(folder: Path) -> Iterator[tuple[str, Path]]:
    if not (folder / SPLITS).is_file():
        yield "data", folder
        return
    for name in json.loads((folder / SPLITS).read_text(encoding="utf-8"))["splits"]:
        if Path(name).name != name or name.startswith("."):
            raise ValueError(name)
        yield name, folder / name


def _table(folder: Path) -> "Table":
    """Return the rows of one split: all files that its state lists."""
    import pyarrow as pa

    state = json.loads((folder / STATE).read_text(encoding="utf-8"))
    tables: list[Table] = []
    for file in state["_data_files"]:
        name = file["filename"]
        if Path(name).name != name:
            raise ValueError(name)
        with pa.OSFile(str(folder / name)) as source, pa.ipc.open_stream(source) as stream:
            tables.append(stream.read_all())
    return pa.concat_tables(tables)


def _named(table: "Table") -> "Table":
    """Return a table with the names of class labels, which are numbers in the file."""
    import pyarrow as pa

    about = json.loads((table.schema.metadata or {}).get(b"huggingface", b"{}"))
    features: dict[str, Any] = about.get("info", {}).get("features", {})
    for place, column in enumerate(table.schema.names):
        feature = features.get(column)
        if isinstance(feature, dict) and feature.get("_type") == "ClassLabel":
            names = pa.array(feature["names"], pa.string())
            # -1 is a label that nobody gave.
            codes = [code if code is None or code >= 0 else None for code in table.column(place).to_pylist()]
            table = table.set_column(place, column, names.take(pa.array(codes, pa.int64())))
    return table.replace_schema_metadata()
