"""The label table of a version as files: the table, and beside it what most said of each unit."""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from reportgen.base import site_folder
from reportgen.base.dataclass import dataclass
from reportgen.base.errors import Problem, refused
from reportgen.base.progress import Steps
from reportgen.campaign import Campaign
from reportgen.pipeline.pseudonym_memory import table_with
from reportgen.pipeline.reading import read_campaign
from reportgen.pipeline.version_reports import all_pseudonyms, names_by_version
from reportgen.publish.gold_files import file_obstacles
from reportgen.publish.label_table import VersionLabelTable, label_table, rare_labels

CSV, JSON_LINES, PARQUET = ".csv", ".jsonl", ".parquet"
FORMS = "Name a file that ends in .parquet, .csv or .jsonl."
# Beginnings of the files that may be replaced.
OURS = ("layer,item,document,unit,", '{"layer": ', "PAR1")


@dataclass(frozen=True)
class VersionLabels:
    """The label table of a version; `memory` is what the campaign's folder is to keep of pseudonyms."""

    table: VersionLabelTable
    memory: bytes

    def rare(self, campaign: Campaign) -> Iterator[Problem]:
        """Yield the labels that were given so seldom that they may tell who or what is meant."""
        below = campaign.privacy.smallest
        for layer, rare in rare_labels(self.table.labels, below).items():
            named = ", ".join(f'"{label}" ({times})' for label, times in [*rare.items()][:MOST_RARE])
            more = f" and {len(rare) - MOST_RARE:,} more" if len(rare) > MOST_RARE else ""
            message = f"layer {layer}: given fewer than {below} times: {named}{more}."
            remedy = (
                "The table has them. Rename or join them in the exports if they tell who or what is meant."
            )
            yield Problem(campaign.file, message=message, remedy=remedy)


MOST_RARE = 10


def labels_of_version(campaign: Campaign, version: str, progress: Steps = lambda _: None) -> VersionLabels:
    """Return the label table of a guidelines version, with the privacy that campaign.toml asks for.

    Every version is read: pseudonyms are numbered from the first on. Raises BadInput with all that is wrong,
    where labels are withheld, and where the exports have counts only.
    """
    if campaign.privacy.labels == "withhold":
        message, remedy = 'is "withhold".', 'Write labels = "show" where labels may be passed on.'
        raise refused(campaign.file, 0, "privacy.labels", message, remedy)
    reads = read_campaign(campaign, progress)
    read = reads[campaign.versions.index(version)]
    names = names_by_version(campaign, reads)[version]
    table = label_table(read, names, campaign.privacy)
    if table is None:
        message = f"version {version} has counts, which do not say who gave a unit which label."
        remedy = "Put exports there that say which unit got which label."
        raise refused(campaign.file, message=message, remedy=remedy)
    return VersionLabels(table, table_with(campaign, all_pseudonyms(campaign, reads)))


def aggregated_beside(out: Path) -> Path:
    """Return the file beside the table that has what most said: labels-aggregated.csv."""
    return out.with_name(f"{out.stem}-aggregated{out.suffix}")


def write_labels(table: VersionLabelTable, out: Path) -> list[Path]:
    """Write both tables by the ending of `out`; return the files. Raises BadInput."""
    files, suffix = [out, aggregated_beside(out)], out.suffix.lower()
    content = [
        rows.as_parquet()
        if suffix == PARQUET
        else rows.as_json_lines()
        if suffix == JSON_LINES
        else rows.as_csv()
        for rows in (table.labels, table.aggregated)
    ]
    for path, data in zip(files, content, strict=True):
        site_folder.write_file(path, data)
    return files


def labels_obstacles(out: Path, campaign: Campaign) -> list[Problem]:
    """Return why a label table can't go to `out`: nothing where that is new, or a table of ours."""
    suffix = out.suffix.lower()
    if suffix not in (CSV, JSON_LINES, PARQUET):
        ending = f"ends in {suffix}, which is not written." if suffix else "has no ending."
        return [Problem(str(out), message=ending, remedy=FORMS)]
    if suffix == PARQUET and find_spec("pyarrow") is None:
        message = "needs the package pyarrow, which is not installed."
        return [Problem(str(out), message=message, remedy='Install reportgen with the extra "parquet".')]
    return [
        problem for file in (out, aggregated_beside(out)) for problem in file_obstacles(file, campaign, OURS)
    ]
