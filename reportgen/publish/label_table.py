"""The label table: who gave what which label, a row for each, for readers of a corpus.

It has what the figures are computed from, under pseudonyms: labels of units, or marks in texts. Beside each
label is what most annotators said of that unit, with how many they were.
"""

import io
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from reportgen.annotators.adjudication_sheets import Span, covered, shown, without_controls
from reportgen.base import site_folder
from reportgen.base.errors import BadInput, Problem, refused
from reportgen.base.progress import Steps
from reportgen.campaign import Campaign
from reportgen.pipeline.pseudonym_memory import table_with
from reportgen.pipeline.reading import read_campaign
from reportgen.pipeline.version_reports import all_pseudonyms, names_by_version
from reportgen.publish.gold_files import in_the_way
from reportgen.readers import Annotations, Ratings, TextMarks
from reportgen.results.model import csv_text, rounded
from reportgen.units import Mask, Pseudonyms, Request, people

CSV, JSON_LINES, PARQUET = ".csv", ".jsonl", ".parquet"
OUT = "--out"
FORMS = "Name a file that ends in .csv, .jsonl or .parquet."
# The number of a pass under another name.
SECOND = 2
# The columns, and which are numbers; all else is text.
HEAD = ("layer", "document", "unit", "offsets", "text", "annotator", "role", "pass", "label")
MAJORITY = ("majority", "share", "votes")
NUMBERS = {"pass": int, "share": float, "votes": int}


@dataclass(frozen=True)
class PublishedLabels:
    """The rows of one guidelines version; `table` is what the campaign's folder is to keep of pseudonyms."""

    campaign: Campaign
    version: str
    rows: Sequence[dict[str, Any]]
    table: bytes

    @cached_property
    def columns(self) -> list[str]:
        """Return the columns that say something: those that are empty everywhere are left out."""
        optional = {"document", "unit", "offsets", "text", *MAJORITY}
        return [
            name
            for name in (*HEAD, *MAJORITY)
            if name not in optional or any(row[name] not in {"", None} for row in self.rows)
        ]

    @property
    def counts(self) -> dict[str, int]:
        """Return how many labels each layer has."""
        return dict(Counter(row["layer"] for row in self.rows))


def label_obstacles(out: Path, campaign: Campaign) -> list[Problem]:
    """Return why a label table can't go to `out`, or may not be written at all."""
    problems = []
    if out.suffix.lower() not in {CSV, JSON_LINES, PARQUET}:
        problems.append(Problem(str(out), message=f"ends in {out.suffix or 'nothing'}.", remedy=FORMS))
    else:
        ours = {CSV: "layer,", JSON_LINES: '{"layer": ', PARQUET: "PAR1"}[out.suffix.lower()]
        problems += site_folder.first_obstacle(
            out, lambda target: in_the_way(target, campaign, (ours,)), FORMS
        )
    # What withholds cells of tables by default is about tables of two people that others read.
    if "smallest" in campaign.privacy.model_fields_set and campaign.privacy.smallest > 1:
        message = "withholds small cells, and single labels would show them."
        remedy = "Remove it, if single labels may be shown under pseudonyms."
        problems.append(Problem(campaign.file, key="privacy.smallest", message=message, remedy=remedy))
    return problems


def label_table(campaign: Campaign, version: str, progress: Steps = lambda _: None) -> PublishedLabels:
    """Return the labels of a guidelines version, as its figures take them.

    Every version is read: pseudonyms are numbered from the first on. Raises BadInput with all that is wrong,
    and where the exports are counts, which have no single labels.
    """
    reads = read_campaign(campaign, progress)
    read = reads[campaign.versions.index(version)]
    progress(f"{campaign.id} {version}: writing labels")
    names = names_by_version(campaign, reads)[version]
    rows: list[dict[str, Any]] = []
    for annotations, request in zip(read.annotations, read.requests, strict=True):
        rows += _rows(annotations, request, names, texts=campaign.privacy.texts == "show")
    if not rows:
        message = f"version {version} has counts, not single labels."
        raise refused(campaign.file, message=message, remedy="Put exports there that say who labelled what.")
    return PublishedLabels(campaign, version, rows, table_with(campaign, all_pseudonyms(campaign, reads)))


def _rows(
    annotations: Annotations, request: Request, names: Pseudonyms, *, texts: bool
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a layer; none where it is counted."""
    content = annotations.content
    if not isinstance(content, Ratings | TextMarks) or (isinstance(content, Ratings) and content.counted):
        return
    participants = people(content.annotators, {**annotations.roles, **request.roles}, request.same_as)
    who = [names.annotator(content.annotators[code]) for code in participants.person.tolist()]
    own = participants.person == np.arange(len(who))
    if isinstance(content, Ratings):
        first = (participants.counts & own)[content.annotator] & (content.mark_pass == 0)
        places = _of_units(content, names, first, texts=texts)
    else:
        places = _of_marks(content, names, texts=texts)
    for code, number, place in places:
        annotator = int(content.annotator[code])
        yield {
            "layer": request.layer,
            **place,
            "annotator": who[annotator],
            "role": participants.roles[annotator],
            "pass": number if own[annotator] else SECOND,
            "label": str(content.labels[content.label[code]]),
        }


Place = tuple[int, int, dict[str, Any]]


def _of_units(ratings: Ratings, names: Pseudonyms, first: Mask, *, texts: bool) -> Iterator[Place]:
    """Yield each label of a unit: its number, the pass, and where it is, with what most said of the unit.

    `first` (marks,) are the first labels of annotators: those alone are votes.
    """
    votes: dict[int, Counter[int]] = {}
    for unit, label in zip(ratings.unit[first].tolist(), ratings.label[first].tolist(), strict=True):
        votes.setdefault(unit, Counter())[label] += 1
    for code, unit in enumerate(ratings.unit.tolist()):
        name, document = ratings.unit_names[unit], int(ratings.unit_document[unit])
        here = votes.get(unit, Counter())
        most = [label for label, times in here.items() if times == max(here.values())]
        every = sum(here.values())
        place = {
            "document": names.document(ratings.documents[document]) if document >= 0 else "",
            "unit": names.unit(name) if name else str(unit + 1),
            "offsets": (),
            "text": without_controls(ratings.unit_texts[unit]) if texts and ratings.unit_texts else "",
            "majority": str(ratings.labels[most[0]]) if len(most) == 1 else "",
            "share": rounded(here[int(ratings.label[code])] / every) if every else None,
            "votes": every,
        }
        yield code, int(ratings.mark_pass[code]) + 1, place


def _of_marks(marks: TextMarks, names: Pseudonyms, *, texts: bool) -> Iterator[Place]:
    """Yield each mark: its number, and where it is."""
    order = np.argsort(marks.span_mark, kind="stable")
    starts = np.searchsorted(marks.span_mark[order], np.arange(len(marks.label) + 1)).tolist()
    for code in range(len(marks.label)):
        own = order[starts[code] : starts[code + 1]]
        spans: tuple[Span, ...] = tuple(
            zip(marks.span_start[own].tolist(), marks.span_end[own].tolist(), strict=True)
        )
        document = int(marks.document[code])
        shown_text = covered(marks.texts[document], spans) if texts and marks.texts else ""
        yield (
            code,
            1,
            {
                "document": names.document(marks.documents[document]),
                "unit": "",
                "offsets": spans,
                "text": without_controls(shown_text),
                **dict.fromkeys(MAJORITY),
            },
        )


def write_labels(table: PublishedLabels, out: Path) -> None:
    """Write a label table by the ending of `out`. Raises BadInput; then nothing is written."""
    site_folder.write_file(out, FORM[out.suffix.lower()](table))


def _cells(table: PublishedLabels) -> Iterator[list[Any]]:
    """Yield the cells of each row, the places of a mark as text."""
    for row in table.rows:
        yield [shown(row[name]) if name == "offsets" else row[name] for name in table.columns]


def _csv(table: PublishedLabels) -> bytes:
    return csv_text(table.columns, _cells(table)).encode(errors="replace")


def _json_lines(table: PublishedLabels) -> bytes:
    rows = (dict(zip(table.columns, cells, strict=True)) for cells in _cells(table))
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows).encode(errors="replace")


def _parquet(table: PublishedLabels) -> bytes:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        message = "needs the package pyarrow, which is not installed."
        remedy = 'Install reportgen with the extra "parquet", or write .csv or .jsonl.'
        raise BadInput([Problem(OUT, message=message, remedy=remedy)]) from None

    types = {int: pa.int64(), float: pa.float64()}
    columns = list(zip(*_cells(table), strict=True))
    arrays = [
        pa.array(column, types[NUMBERS[name]] if name in NUMBERS else pa.string())
        for name, column in zip(table.columns, columns, strict=True)
    ]
    buffer = io.BytesIO()
    pq.write_table(pa.table(arrays, names=table.columns), buffer)
    return buffer.getvalue()


FORM = {CSV: _csv, JSON_LINES: _json_lines, PARQUET: _parquet}
