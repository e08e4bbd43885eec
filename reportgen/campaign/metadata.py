"""The tables of campaign.toml about people, corpus and publication, which no figure depends on."""

import re
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from reportgen.campaign.values import (
    Amount,
    Coefficient,
    Count,
    Currency,
    Day,
    Doi,
    FileName,
    Identifier,
    Label,
    LanguageTag,
    Level,
    Listed,
    Margin,
    Names,
    Orcid,
    Price,
    ProjectName,
    Role,
    Score,
    ServerAddress,
    Share,
    Text,
    Unique,
    WebAddress,
    one_or_more,
    optional,
)


class Table(BaseModel):
    """A table of campaign.toml: no key but the declared ones, no value taken for another type."""

    # Built when a campaign is loaded: importing this room must cost little.
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)


class Corpus(Table):
    """What is annotated and released."""

    name: Text | None = optional("The corpus, as it is cited.")
    version: Text | None = optional("Its version, in quotes.")
    url: WebAddress | None = optional("Its web page.")
    doi: Doi | None = optional("Its DOI, such as 10.1000/182.")
    language: LanguageTag | None = optional("The language of its texts, as a BCP 47 tag such as en or de-AT.")
    licence: Text | None = optional("Its licence, best as an SPDX identifier.")
    documents: Count | None = optional("Documents in the whole corpus.")
    tokens: Count | None = optional("Tokens in the whole corpus.")
    sampled: Text | None = optional(
        "How the documents that were annotated twice were chosen, such as random."
    )
    # What a data sheet asks of the texts; a report has it on its page of checklists.
    purpose: Text | None = optional("For which purpose it was made, and why of these texts.")
    creators: Text | None = optional("Who made it, and for which institution.")
    funding: Text | None = optional("Who paid for it, with the grant, and conflicts of interest.")
    contents: Text | None = optional(
        "What a document is: kinds of text, domains, topics, and how documents relate to each other."
    )
    source: Text | None = optional(
        "Where the texts come from: data sets, web pages, people; with their own documentation."
    )
    collection: Text | None = optional("How the texts were collected, by whom, and what these were paid.")
    collection_type: Text | None = optional("Its kind in Croissant's words, such as Web Scraping.")
    collected: Text | None = optional("When the texts were collected, such as 2008-01/2009-06.")
    varieties: Text | None = optional("Languages and varieties in words, such as English of Irish nurses.")
    speakers: Text | None = optional("Who wrote or spoke the texts: how many, ages, first languages.")
    situation: Text | None = optional(
        "In which situation texts were produced: when, where, for whom, spoken or written, edited or not."
    )
    preprocessing: Text | None = optional("What was done to the texts before they were annotated.")
    raw: Text | None = optional("Whether the texts are kept as they were collected, and where.")
    quality: Text | None = optional("Errors, noise and repetitions in the texts, and quality of recordings.")
    missing: Text | None = optional("What is missing from the texts, and why.")
    splits: Text | None = optional("Parts for training, development and test, and why these.")
    personal: Text | None = optional("Personal, sensitive or confidential data in the texts.")
    anonymised: Text | None = optional("How personal data were looked for, and what was done to them.")
    offensive: Text | None = optional("What in the texts may offend or frighten.")
    consent: Text | None = optional(
        "Whether those whose texts these are were asked, what they agreed to, and how they can withdraw."
    )
    impact: Text | None = optional("Which effects the data may have on people, and how that was examined.")
    limitations: Text | None = optional("What the corpus is not good for, beside what figures show.")
    biases: Text | None = optional("Biases of the texts or of their choice, beside what figures show.")
    uses: Text | None = optional("What it was used for, and for what else it is meant.")
    misuses: Text | None = optional("What it should not be used for.")
    distribution: Text | None = optional(
        "To whom it is given, how and when, and what of it lies elsewhere and may vanish."
    )
    restrictions: Text | None = optional("Rights of others, terms of sources, export controls.")
    maintenance: Text | None = optional(
        "Who maintains it and until when, what becomes of old versions, and how others can contribute."
    )
    contact: Text | None = optional("How to reach those who maintain it.")
    errata: Text | None = optional("Where errors are listed.")
    comments: Text | None = optional("What else readers should know.")


class AnnotationSource(Table):
    """Where people annotate, from where `reportgen pull` fetches exports."""

    tool: Literal["label-studio", "doccano", "argilla", "inception", "potato", "datasets"] = Field(
        description="The tool: a server, or a folder that Potato or Hugging Face's datasets wrote."
    )
    url: ServerAddress | None = optional("The address of the server, without user and password.")
    project: ProjectName | None = optional(
        "The project there: its number, as in the address of its page; INCEpTION: its number or name; "
        "Argilla: the name of the dataset, or workspace/name where several workspaces have one."
    )
    approved: bool = Field(
        default=False, description="doccano: documents alone that an annotator has marked as finished."
    )
    folder: Text | None = optional(
        "The folder of Potato's answers, or of a saved dataset, from the campaign's."
    )


class Author(Table):
    """Somebody who signs the report."""

    name: Text = Field(description="The name as it is cited.")
    orcid: Orcid | None = optional("The ORCID, such as 0000-0002-1825-0097.")
    affiliation: Text | None = optional("Institution.")


class Protocol(Table):
    """How it was annotated."""

    tool: Text | None = optional("The annotation tool.")
    independent: bool | None = optional("Whether annotators worked without seeing each other's marks.")
    pre_annotated_by: Text | None = optional("What marked the texts before the annotators saw them.")
    training: Text | None = optional("How the annotators were trained.")
    recruitment: Text | None = optional("How they were found.")
    pay: Text | None = optional("What they were paid.")
    adjudication: Text | None = optional("How disagreements were settled.")
    language_proficiency: Text | None = optional("How well annotators know the language of the texts.")
    expertise: Text | None = optional("What annotators knew of the subject, and of annotating.")
    demographics: Text | None = optional(
        "Who the annotators are, as they reported it and as no group becomes too small: age, gender, country."
    )
    instructions: Text | None = optional("What annotators were told beside the guidelines, or where that is.")
    instructions_version: Text | None = optional("The version of these instructions, in quotes.")
    risks: Text | None = optional("Which risks annotators were warned of, and how they were protected.")
    pay_amount: Amount | None = optional("What they were paid, as a number.")
    pay_currency: Currency | None = optional("Its currency, such as EUR.")
    pay_per: Text | None = optional("What the amount was paid for, such as hour or document.")
    pay_minimum: Amount | None = optional("The local minimum wage for as much, in the same currency.")
    consent: Text | None = optional("Whether annotators agreed, and what they knew of the use of their work.")
    ethics: Text | None = optional("Which ethics board approved or exempted it, with the number.")
    began: Day | None = optional("When annotation began, such as 2009-06-01.")
    ended: Day | None = optional("When it ended.")
    software: Text | None = optional(
        "Other programs that processed or labelled the texts, with versions and where they are."
    )
    assistants: Text | None = optional("What AI assistants were used for.")
    in_order: bool | None = optional(
        "Whether exports list documents, or units without one, in the order in which they were labelled."
    )
    minutes_per_document: float | None = Field(
        default=None, gt=0, allow_inf_nan=False, description="Mean annotation time of a document."
    )


class Reference(Table):
    """A work that the report cites."""

    title: Text = Field(description="The work's title.")
    authors: Names = Field(default=(), description="Its authors, one text or a list of them.")
    year: int | None = Field(default=None, ge=1000, le=9999, description="The year of publication.")
    doi: Doi | None = optional("Its DOI, such as 10.1000/182.")


ADDRESS = re.compile(r"[^\s@]+@[^\s@]+\.\w{2,}")


class Privacy(Table):
    """What the report may show of people and texts."""

    annotators: Literal["pseudonyms", "names"] = Field(
        default="pseudonyms",
        description="Whether annotators appear as A01, A02, … or under their names, addresses never.",
    )
    systems: Literal["pseudonyms", "names"] = Field(
        default="names", description="Whether systems and models, which are not persons, have their names."
    )
    documents: Literal["pseudonyms", "names"] | None = optional(
        "Whether documents, and units that a table names, appear as D0001, U00001, … or under "
        "their names; by default under their names on the site, not in a bundle."
    )
    texts: Literal["show", "withhold"] = Field(
        default="show", description="Whether pages show the annotated texts."
    )
    smallest: Count = Field(
        default=3,
        description="Tables of people join labels that somebody gave to fewer units than this, and groups of "
        "fewer annotators are shown nowhere; 1 joins none.",
    )
    labels: Literal["show", "withhold"] = Field(
        default="show",
        description="Whether bundles and `reportgen labels` have the table of who gave which label to what.",
    )
    times: Literal["days", "show", "withhold"] = Field(
        default="days",
        description="Whether that table has the day of each label, the second (show), or nothing of times; "
        "results name no day then.",
    )

    def hides(self, annotator: str, role: str = "annotator") -> bool:
        """Say whether somebody of a role has a pseudonym: an e-mail address is shown to nobody."""
        who = self.systems if role in {"system", "model"} else self.annotators
        return who == "pseudonyms" or ADDRESS.search(annotator) is not None


# What the attribute is called where there is but one, which has no name.
GROUP = "group"


def _by_attribute(value: object) -> object:
    return {GROUP: value} if isinstance(value, str) else value


Groups = Annotated[
    dict[Text, Text], BeforeValidator(_by_attribute, json_schema_input_type=Text | dict[Text, Text])
]


class Annotator(Table):
    """Who stands behind one annotator's name in the exports."""

    system: Text | None = optional("The system whose release this is.")
    release: Text | None = optional("The system's release, in quotes.")
    role: Role = Field(
        default_factory=lambda data: "system" if data.get("system") else "annotator",
        description="annotator (the default), reference (gold or adjudicated), system or model.",
    )
    same_as: Label | None = optional("The annotator whose second pass this is, by name in the exports.")
    model: Text | None = optional("The model, as its provider calls it.")
    provider: Text | None = optional("Who offers the model, or where it ran.")
    version: Text | None = optional("The model's version, in quotes.")
    prompt: FileName | None = optional("The file of the prompt: its guideline.")
    temperature: float | None = Field(
        default=None, ge=0, allow_inf_nan=False, description="The temperature of sampling."
    )
    seed: int | None = Field(default=None, ge=0, description="Where its random numbers began.")
    date: Day | None = optional("When it labelled, such as 2025-06-01.")
    group: Groups = Field(
        default_factory=dict,
        description='To which group a person belongs, such as "students", or to which by several attributes: '
        '{ age = "18-29", L1 = "Breton" }. Groups of fewer people than [privacy] smallest are nowhere told.',
    )
    examples: int | None = Field(default=None, ge=0, description="How many labelled examples the prompt has.")


class Controls(Table):
    """Control items, whose right label is known."""

    file: FileName = Field(
        description="A CSV file with the columns unit and label; document and layer may be beside."
    )
    reject_below: Share | None = optional(
        "Annotators are rejected whose share of right labels is below this (upper Wilson end)."
    )
    minimum: Count = Field(default=10, description="Control items that somebody must have labelled first.")


class ReplacementRule(Table):
    """What it takes for a model to take an annotator's place: Calderon, Reichart and Dror (2025), ACL."""

    epsilon: Price | None = optional(
        "The price of a person: by how much more often a human may be nearer to the others than "
        "the model. The authors advise 0.2 for experts, 0.15 for trained annotators and 0.1 for crowds; "
        "without it there is no verdict."
    )
    why: str = Field(default="", description="Why this price: the argument, in Markdown.")
    score: Score | None = optional(
        'How near a label is to others: "accuracy" (nominal scales), "neg_rmse" (numbers and '
        'ranks), "similarity" or "similarity[masi]" (a distance; sets), "f_measure" (marks in texts, by '
        "document)."
    )
    q: Level = Field(default=0.05, description="The false discovery rate over the humans of a model.")
    minimum_humans: int = Field(
        default=2, ge=2, description="How many humans must have labelled a unit for it to count."
    )
    minimum_instances: Count = Field(
        default=30, description="Units that a human must have labelled to be tested; below 30 by ranks."
    )
    expert: Label | None = optional(
        "Who is trusted, by name in the exports: is the model nearer to this one than the others are?"
    )


class VersionDemands(Table):
    """What a rule of [gate] may demand of a figure of the newest version, each key by itself."""

    value: Coefficient | None = optional("The figure must not be below this.")
    low: Coefficient | None = optional("The lower end of its interval must not be below this.")
    half_width: Margin | None = optional("Its interval must not reach farther than this, half its width.")
    winning_rate: Share | None = optional(
        "Of replacement alone: the share of annotators that the model must beat, units being clustered by "
        "document where documents are known."
    )


class ChangeDemands(Table):
    """What a rule of [gate] may demand of how a figure moved since the version before."""

    fall: Literal["significant"] | None = optional(
        '"significant": it must not have fallen significantly since the version before.'
    )
    margin: Margin | None = optional(
        "It must be shown not to have fallen by so much or more since the version before; where "
        "data are too few for that, the rule is broken."
    )


class Floor(ChangeDemands, VersionDemands):
    """What the gate demands of one figure of the newest version."""

    at: Level = Field(
        default=0.05,
        description="How often fall and margin may err, one-sided; over all rules with fall after Holm.",
    )
    model: Label | None = optional("Of replacement alone: the model that is meant, by its name in exports.")
    category: Label | None = optional("The category whose figure is meant.")
    layer: Identifier | None = optional("The layer; without it, every layer that has the figure.")
    unit_set: Identifier | None = optional("The unit set; without it, the primary one.")
    annotators: Unique[Label] = Field(
        default=(),
        description="The two whose figure is meant, annotators, references or systems, by their names in the "
        "exports; without it, all annotators.",
    )


Floors = Annotated[Listed[Floor], BeforeValidator(one_or_more, json_schema_input_type=Floor | Listed[Floor])]
