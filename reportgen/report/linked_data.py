"""A report as machines read it: who signs it, under which licence, and schema.org for search engines."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Literal, NamedTuple
from urllib.parse import quote

from markupsafe import Markup

from reportgen.report.material import report_title, scope
from reportgen.results import Author, Figure, Results
from reportgen.words import numbers
from reportgen.words.language import N_, _, edition, say, say_either
from reportgen.words.names import figure_name

# Who signs a report: people, and institutions or groups that sign as one.


def is_group(name: str) -> bool:
    """Tell whether a name is that of several people or of an institution, as far as its words show it."""
    family, comma, given_name = (part.strip() for part in name.partition(","))
    if comma:
        return not (family and given_name and "," not in given_name)
    words = name.split()
    return len(words) == 1 or words[:1] == ["The"] or bool({"and", "&"} & {*words})


def kind(author: Author) -> Literal["Person", "Organization"]:
    """Return what an author is in the words of schema.org; who has an ORCID or an affiliation is a person."""
    person = author.orcid or author.affiliation or not is_group(author.name)
    return "Person" if person else "Organization"


# Licences by their identifiers in the SPDX list, as far as corpora and tools are released under them.

CREATIVE_COMMONS = ("BY", "BY-SA", "BY-NC", "BY-NC-SA", "BY-ND", "BY-NC-ND")
VERSIONS = ("1.0", "2.0", "2.5", "3.0", "4.0")
OTHERS = (
    *("AGPL-3.0-only", "AGPL-3.0-or-later", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause"),
    *("CC0-1.0", "CDLA-Permissive-1.0", "CDLA-Permissive-2.0", "CDLA-Sharing-1.0"),
    *("DL-DE-BY-2.0", "DL-DE-ZERO-2.0", "EUPL-1.2", "GFDL-1.3-only", "GFDL-1.3-or-later"),
    *("GPL-2.0-only", "GPL-2.0-or-later", "GPL-3.0-only", "GPL-3.0-or-later"),
    *("LGPL-2.1-only", "LGPL-2.1-or-later", "LGPL-3.0-only", "LGPL-3.0-or-later", "LGPLLR"),
    *("MIT", "MPL-2.0", "ODbL-1.0", "ODC-By-1.0", "OGL-UK-3.0", "PDDL-1.0", "Unlicense"),
    *("etalab-2.0",),
)
KNOWN = {
    licence.casefold(): licence
    for licence in (*OTHERS, *(f"CC-{kind}-{version}" for kind in CREATIVE_COMMONS for version in VERSIONS))
}


def spdx(licence: object) -> str | None:
    """Return the SPDX identifier that a campaign means by its licence, such as "CC BY 4.0"; None without."""
    return KNOWN.get(re.sub(r"\s+", "-", str(licence).strip()).casefold())


def address(identifier: str) -> str:
    """Return the address that identifies a licence of the SPDX list."""
    return f"https://spdx.org/licenses/{identifier}"


# What search engines read of a report: schema.org in JSON-LD, in a page's own language. Nothing in it runs:
# a script of this type is data, and no text in it can end the element.

Entity = dict[str, Any]

OBSERVED = "observed_agreement"
F_MEASURE, STRICT = "f_measure", "strict"
# What may are in an address as it is; all else is escaped in it.
IN_PATHS = "/:@!$&'()*+,;="
IN_ADDRESSES = f"{IN_PATHS}?#[]%"
# What could end the element or start a comment in it, what separates lines in scripts, what HTML forbids, and
# what turns the direction of a line.
UNSAFE = re.compile(
    "[<>&\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufdd0-\ufdef"
    + "".join(chr(plane * 0x10000 + last) for plane in range(17) for last in (0xFFFE, 0xFFFF))
    + "]"
)


class Measured(NamedTuple):
    """A figure of all annotators together, and where it comes from: a unit set, or marks in texts."""

    layer: str
    unit_set: str | None
    id: str
    figure: Figure
    mean: bool = False


def measured(results: Results) -> Iterator[Measured]:
    """Yield the figures that a report is about, those of most weight first.

    They are the primary coefficients of primary unit sets, then of the others; the F-measure of marks in
    texts; the observed agreement of each unit set.
    """
    ordered = sorted(results.unit_sets, key=lambda unit_set: not unit_set.primary)
    primary = [(unit_set, results.coefficients[unit_set.layer]) for unit_set in ordered]
    observed = [(unit_set, OBSERVED) for unit_set, name in primary if name != OBSERVED]
    of_primary, of_observed = (
        [
            Measured(unit_set.layer, unit_set.id, name, unit_set.measures[name])
            for unit_set, name in figures_wanted
            if name in unit_set.measures
        ]
        for figures_wanted in (primary, observed)
    )
    yield from of_primary
    # The strict F-measure of each layer: of its only pair of annotators, else the mean over pairs.
    pairs = results.spans.pairs if results.spans else ()
    for layer, mean in (results.spans.mean_over_pairs if results.spans else {}).items():
        f_measure = mean.overall.get(STRICT, {}).get(F_MEASURE)
        if f_measure is not None:
            of_layer = (pair for pair in pairs if pair.layer == layer and {*pair.roles} == {"annotator"})
            pair = next(of_layer, None) if f_measure.pairs == 1 else None
            figure = pair.strict[F_MEASURE] if pair else Figure(value=f_measure.value)
            yield Measured(layer, None, f"{F_MEASURE}[{STRICT}]", figure, mean=pair is None)
    yield from of_observed


def property_value(results: Results, measured_figure: Measured) -> Entity:
    """Return a figure as a PropertyValue, its interval in minValue and maxValue."""
    # The figure's formula, what it is a mean over, and how its interval was made.
    definition = results.catalogue.get(measured_figure.id.partition("[")[0])
    parts = [_(definition.formula) if definition else ""]
    if measured_figure.mean:
        parts.append(_("mean over pairs of annotators"))
    interval = measured_figure.figure.interval
    if interval and interval.level is not None and interval.method is not None:
        level = numbers.percentage(f"{100 * interval.level:g}")
        method = numbers.message(interval.method, {})
        parts.append(say("{level} interval: {method}", level=level, method=method))
    return present(
        {
            "@type": "PropertyValue",
            "name": _name(results, measured_figure),
            "propertyID": measured_figure.id,
            "measurementTechnique": "; ".join(filter(None, parts)),
            **_numbers(measured_figure.figure),
        }
    )


def _numbers(figure: Figure) -> Entity:
    if figure.value is None:
        return {"description": numbers.message(figure.undefined or "", {})}
    ends = {"minValue": figure.interval.low, "maxValue": figure.interval.high} if figure.interval else {}
    return {"value": figure.value, **ends}


def _name(results: Results, measured_figure: Measured) -> str:
    of_marks, of_units = (
        N_("{figure}{, layer {layer}|}, marks in texts"),
        N_("{figure}{, layer {layer}|}, unit set {unit_set}"),
    )
    return say_either(
        len(results.coefficients) > 1,
        of_marks if measured_figure.unit_set is None else of_units,
        figure=figure_name(results, measured_figure.id),
        layer=measured_figure.layer,
        unit_set=measured_figure.unit_set or "",
    )


def present(entity: Mapping[str, Any]) -> Entity:
    """Return an entity without what is unknown; a list of one becomes that one."""
    present_values = {
        key: value for key, value in entity.items() if value is not None and value not in ("", [], {})
    }
    return {
        key: value[0] if isinstance(value, list) and len(value) == 1 else value
        for key, value in present_values.items()
    }


def orcid(author: Author) -> str | None:
    """Return the address that identifies a person, None without an ORCID."""
    return f"https://orcid.org/{author.orcid}" if author.orcid else None


def doi(identifier: object) -> str | None:
    """Return the address that identifies a work, None without a DOI."""
    return f"https://doi.org/{quote(str(identifier), safe=IN_PATHS)}" if identifier else None


def corpus(results: Results) -> Entity:
    """Return the corpus that the report is about, as far as the campaign tells; empty where it doesn't."""
    declared = results.campaign.corpus
    licence, url = declared.get("licence"), declared.get("url")
    identifier = spdx(licence)
    dataset = present(
        {
            "@id": doi(declared.get("doi")) or (quote(str(url), safe=IN_ADDRESSES) if url else None),
            "name": declared.get("name"),
            "version": declared.get("version"),
            "inLanguage": declared.get("language"),
            "url": url,
            "license": address(identifier) if identifier else str(licence or ""),
        }
    )
    return {"@type": "Dataset", **dataset} if dataset else {}


def report(results: Results, *, alone: bool) -> Entity:
    """Return the report as search engines read it; `alone` leaves out the files beside the page."""
    return present(
        {
            "@context": "https://schema.org",
            "@type": ["Report", "Dataset"],
            "name": report_title(results),
            "description": scope(results),
            "inLanguage": edition().language,
            "version": results.guidelines,
            "datePublished": results.revision.released,
            "author": list(map(_author, results.campaign.authors)),
            "about": corpus(results),
            "mentions": {
                "@type": "SoftwareApplication",
                "name": results.tool.name,
                "softwareVersion": results.tool.version,
            },
            "distribution": None
            if alone
            else {
                "@type": "DataDownload",
                "encodingFormat": "application/json",
                "contentUrl": f"{edition().data}results.json",
            },
        }
    )


def _author(author: Author) -> Entity:
    affiliation = author.affiliation and {"@type": "Organization", "name": author.affiliation}
    return present(
        {"@type": kind(author), "@id": orcid(author), "name": author.name, "affiliation": affiliation}
    )


def linked_data(results: Results, *, alone: bool) -> Markup:
    """Return the JSON-LD of a page: the report, and the figure that it is about most."""
    figures = [property_value(results, figure) for figure in islice(measured(results), 1)]
    entity = present({**report(results, alone=alone), "variableMeasured": figures})
    return Markup(_json(entity))  # noqa: S704 - what markup is made of is escaped as JSON


def _json(entity: Entity) -> str:
    text = json.dumps(entity, ensure_ascii=False, sort_keys=True, allow_nan=False, separators=(",", ":"))
    return UNSAFE.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    """Return a sign as JSON escapes it: in two halves where it is beyond the first plane."""
    halves: Iterable[bytes] = (match[0].encode("utf-16-be")[start : start + 2] for start in (0, 2))
    return "".join(f"\\u{half.hex()}" for half in halves if half)
