"""The tables of campaign.toml about people, corpus and publication, which no figure depends on."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from reportgen.campaign.values import (
    Coefficient,
    Count,
    Doi,
    FileName,
    Identifier,
    Label,
    Level,
    Listed,
    Margin,
    Names,
    Orcid,
    Role,
    Share,
    Text,
    Unique,
    WebAddress,
    one_or_more,
)


class Table(BaseModel):
    """A table of campaign.toml: no key but the declared ones, no value taken for another type."""

    # Built when a campaign is loaded: importing this room must cost little.
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)


class Corpus(Table):
    """What is annotated and released."""

    name: Text | None = Field(default=None, description="The corpus, as it is cited.")
    version: Text | None = Field(default=None, description="Its version, in quotes.")
    url: WebAddress | None = Field(default=None, description="Its web page.")
    doi: Doi | None = Field(default=None, description="Its DOI, such as 10.1000/182.")
    licence: Text | None = Field(default=None, description="Its licence, best as an SPDX identifier.")
    documents: Count | None = Field(default=None, description="Documents in the whole corpus.")
    tokens: Count | None = Field(default=None, description="Tokens in the whole corpus.")
    sampled: Text | None = Field(
        default=None, description="How the documents that were annotated twice were chosen, such as random."
    )


class Author(Table):
    """Somebody who signs the report."""

    name: Text = Field(description="The name as it is cited.")
    orcid: Orcid | None = Field(default=None, description="The ORCID, such as 0000-0002-1825-0097.")
    affiliation: Text | None = Field(default=None, description="Institution.")


class Protocol(Table):
    """How it was annotated."""

    tool: Text | None = Field(default=None, description="The annotation tool.")
    independent: bool | None = Field(
        default=None, description="Whether annotators worked without seeing each other's marks."
    )
    pre_annotated_by: Text | None = Field(
        default=None, description="What marked the texts before the annotators saw them."
    )
    training: Text | None = Field(default=None, description="How the annotators were trained.")
    recruitment: Text | None = Field(default=None, description="How they were found.")
    pay: Text | None = Field(default=None, description="What they were paid.")
    adjudication: Text | None = Field(default=None, description="How disagreements were settled.")
    minutes_per_document: float | None = Field(
        default=None, gt=0, allow_inf_nan=False, description="Mean annotation time of a document."
    )


class Reference(Table):
    """A work that the report cites."""

    title: Text = Field(description="The work's title.")
    authors: Names = Field(default=(), description="Its authors, one text or a list of them.")
    year: int | None = Field(default=None, ge=1000, le=9999, description="The year of publication.")
    doi: Doi | None = Field(default=None, description="Its DOI, such as 10.1000/182.")


class Privacy(Table):
    """What the report may show of people and texts."""

    annotators: Literal["pseudonyms", "names"] = Field(
        default="pseudonyms", description="Whether annotators appear as A01, A02, … or under their names."
    )
    documents: Literal["pseudonyms", "names"] | None = Field(
        default=None,
        description="Whether documents, and units that a table names, appear as D0001, U00001, … or under "
        "their names; by default under their names on the site, not in a bundle.",
    )
    texts: Literal["show", "withhold"] = Field(
        default="show", description="Whether pages show the annotated texts."
    )


class Annotator(Table):
    """Who stands behind one annotator's name in the exports."""

    system: Text | None = Field(default=None, description="The system whose release this is.")
    release: Text | None = Field(default=None, description="The system's release, in quotes.")
    role: Role = Field(
        default_factory=lambda data: "system" if data.get("system") else "annotator",
        description="annotator (the default), reference (gold or adjudicated), system or model.",
    )
    same_as: Label | None = Field(
        default=None, description="The annotator whose second pass this is, by name in the exports."
    )


class Controls(Table):
    """Control items, whose right label is known."""

    file: FileName = Field(
        description="A CSV file with the columns unit and label; document and layer may stand beside."
    )
    reject_below: Share | None = Field(
        default=None,
        description="Annotators are rejected whose share of right labels is below this (upper Wilson end).",
    )
    minimum: Count = Field(default=10, description="Control items that somebody must have labelled first.")


class Floor(Table):
    """What one figure of the newest version is held to."""

    value: Coefficient | None = Field(default=None, description="The figure must not be below this.")
    low: Coefficient | None = Field(
        default=None, description="The lower end of its interval must not be below this."
    )
    fall: Literal["significant"] | None = Field(
        default=None,
        description='"significant": it must not have fallen significantly since the version before.',
    )
    margin: Margin | None = Field(
        default=None,
        description="It must be shown not to have fallen by so much or more since the version before; where "
        "data are too few for that, the rule is broken.",
    )
    at: Level = Field(
        default=0.05,
        description="How often fall and margin may err, one-sided; over all rules with fall after Holm.",
    )
    category: Label | None = Field(default=None, description="The category whose figure is meant.")
    layer: Identifier | None = Field(
        default=None, description="The layer; without it, every layer that has the figure."
    )
    unit_set: Identifier | None = Field(
        default=None, description="The unit set; without it, the primary one."
    )
    annotators: Unique[Label] = Field(
        default=(),
        description="The two whose figure is meant, annotators, references or systems, by their names in the "
        "exports; without it, all annotators.",
    )


Floors = Annotated[Listed[Floor], BeforeValidator(one_or_more, json_schema_input_type=Floor | Listed[Floor])]
