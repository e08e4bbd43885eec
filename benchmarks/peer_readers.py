"""What readers of others make of damaged files; run by a Python that has them (`benchmarks/beside_peers.py`).

A reader is what a user would write with the library's documentation: from a file to Krippendorff's alpha.
"""

import contextlib
import csv
import io
import json
import sys
import tempfile
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path

CONFIGURATION = (
    '<View><Text name="text" value="$text"/><Choices name="vote" toName="text">'
    '<Choice value="yes"/><Choice value="no"/><Choice value="maybe"/></Choices></View>'
)


def of_nltk(path: Path) -> float:
    """NLTK takes triples of annotator, item and label."""
    from nltk.metrics.agreement import AnnotationTask

    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    triples = [
        (who, row["unit"], label) for row in rows for who, label in row.items() if who != "unit" and label
    ]
    return float(AnnotationTask(data=triples).alpha())


def of_krippendorff(path: Path) -> float:
    """The package krippendorff takes an array of annotators and units."""
    import krippendorff
    import pandas as pd

    labels = pd.read_csv(path, index_col="unit").T.fillna("nan").to_numpy().astype(str)
    return float(krippendorff.alpha(labels, level_of_measurement="nominal"))


def of_irrcac(path: Path) -> float:
    """The package irrCAC takes a table of units and annotators."""
    import pandas as pd
    from irrCAC.raw import CAC

    return float(CAC(pd.read_csv(path, index_col="unit")).krippendorff()["est"]["coefficient_value"])


def of_label_studio(path: Path) -> float:
    """Label Studio's own converter writes a CSV with a row for each annotation."""
    import krippendorff
    import pandas as pd
    from label_studio_sdk.converter import Converter

    with tempfile.TemporaryDirectory() as out:
        converter = Converter(CONFIGURATION, project_dir=None, download_resources=False)
        converter.convert_to_csv(str(path), out, is_dir=False, sep=",", header=True)
        rows = pd.read_csv(Path(out) / "result.csv")
    table = rows.pivot(index="id", columns="annotator", values="vote")  # noqa: PD010 - raises for a label given twice
    labels = table.T.fillna("nan").to_numpy().astype(str)
    return float(krippendorff.alpha(labels, level_of_measurement="nominal"))


READERS: Mapping[str, tuple[str, Callable[[Path], float]]] = {
    "NLTK": (".csv", of_nltk),
    "krippendorff": (".csv", of_krippendorff),
    "irrCAC": (".csv", of_irrcac),
    "label-studio-sdk": (".json", of_label_studio),
}


def main(folder: Path) -> None:
    """Print for each file and reader the figure, or the exception, as JSON."""
    warnings.simplefilter("ignore")
    found: dict[str, dict[str, tuple[str, object]]] = {}
    for name, (ending, read) in READERS.items():
        found[name] = {}
        for path in sorted(folder.glob(f"*{ending}")):
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    found[name][path.name] = ("figure", read(path))
            except ModuleNotFoundError as error:
                found[name] = {}
                sys.stderr.write(f"NOT COMPARED with {name}: {error}\n")
                break
            except Exception as error:  # noqa: BLE001 - whatever comes is what is counted
                found[name][path.name] = (type(error).__name__, str(error)[:200])
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
