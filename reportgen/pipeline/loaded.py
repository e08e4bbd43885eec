"""A campaign in Python, from `reportgen.load(folder)`: its reports, its results, its versions compared."""

from collections.abc import Mapping
from functools import cached_property
from html import escape
from pathlib import Path

from reportgen import campaign as asked
from reportgen.base.errors import for_each, refused
from reportgen.figures import Plots
from reportgen.pipeline.build import build_site
from reportgen.pipeline.notices import notices
from reportgen.pipeline.ratings_agreement import sentences
from reportgen.pipeline.reading import Read, read_campaign
from reportgen.pipeline.version_reports import Sides, compare_versions, compute, names_by_version
from reportgen.results import Results
from reportgen.results.comparison import VersionComparison
from reportgen.units import Pseudonyms


class LoadedCampaign:
    """A campaign whose campaign.toml is right; exports are read, and figures computed, when asked for.

    Annotators are called as on the site: by pseudonyms, unless the campaign shows their names.
    """

    def __init__(self, folder: Path) -> None:
        """Load campaign.toml; raise BadInput with all that is wrong in it."""
        self.folder = folder
        self.campaign = asked.load(folder)
        # What comparisons compute of one version alone serves the next.
        self._sides = Sides()

    @property
    def versions(self) -> tuple[str, ...]:
        """Return the guidelines versions, the oldest first."""
        return tuple(self.campaign.versions)

    @cached_property
    def results(self) -> Mapping[str, Results]:
        """Return what results.json has of every version, by its name.

        Raises BadInput with all that is wrong in the exports.
        """
        return {
            name: compute(self.campaign, read, self._names[name]).results for name, read in self._read.items()
        }

    @property
    def newest(self) -> Results:
        """Return the results of the newest version."""
        return self.results[self.versions[-1]]

    @property
    def findings(self) -> tuple[str, ...]:
        """Return what the newest version's figures mean and what to do about it, the gravest first."""
        return sentences(self.newest.findings)

    @cached_property
    def notices(self) -> tuple[str, ...]:
        """Return what looks like an oversight in campaign.toml or the exports, a sentence or two for each."""
        return tuple(str(notice) for notice in notices(self.campaign, list(self._read.values())))

    @property
    def plot(self) -> Plots:
        """Return the figures of the newest version; `plot_of` has those of others."""
        return Plots(self.newest)

    def plot_of(self, version: str, layer: str | None = None) -> Plots:
        """Return the figures of a version, of its first layer unless another is named."""
        self.campaign.version(version)
        return Plots(self.results[version], layer)

    def compare(self, first: str, second: str) -> VersionComparison:
        """Return what comparison.json has of two versions; differences are the later less the earlier.

        Raises BadInput where there is no such version, where both are one, and for bad exports.
        """
        for_each(dict.fromkeys((first, second)), self.campaign.version)
        if first == second:
            message = f"{first} and {second} are one guidelines version."
            remedy = f"Name two of {', '.join(self.versions)}."
            raise refused(self.campaign.file, message=message, remedy=remedy)
        earlier, later = sorted((first, second), key=self.versions.index)
        names = self._names[earlier] | self._names[later]
        output = compare_versions(self.campaign, self._read[earlier], self._read[later], names, self._sides)
        return output.comparison

    def changes(self, first: str, second: str) -> tuple[str, ...]:
        """Return what moved between two versions and what to do about it, in sentences."""
        return sentences(self.compare(first, second).findings)

    def build(self, out: str | Path = "site") -> Path:
        """Build the campaign's reports as `reportgen build FOLDER` does; return the page to open.

        `out` then holds this campaign and nothing else. Raises BadInput with all that is wrong; then nothing
        is written.
        """
        build_site([self.folder], Path(out))
        return Path(out) / self.campaign.id / "index.html"

    @cached_property
    def _read(self) -> dict[str, Read]:
        return {read.version.id: read for read in read_campaign(self.campaign)}

    @cached_property
    def _names(self) -> dict[str, Pseudonyms]:
        return names_by_version(self.campaign, list(self._read.values()))

    def __repr__(self) -> str:
        """Return the campaign's id and its versions."""
        return f"<campaign {self.campaign.id}: versions {', '.join(self.versions)}>"

    def _repr_html_(self) -> str:
        """Return the primary figure of every layer and version as a table, for notebooks."""
        rows = "".join(
            f"<tr><td>{escape(version)}</td><td>{escape(layer)}</td><td>{escape(results.name_of(figure))}</td>"
            f"<td>{_short(results, layer)}</td></tr>"
            for version, results in self.results.items()
            for layer, figure in results.coefficients.items()
        )
        return f"<table><caption>{escape(self.campaign.title)}</caption>{rows}</table>"


def _short(results: Results, layer: str) -> str:
    """Return a layer's primary figure to three places, or why there is none."""
    figure = results.primary_of(layer).measures[results.coefficients[layer]]
    return escape(str(figure.undefined)) if figure.value is None else f"{figure.value:.3f}"
