"""The model of what results.json says of dependency trees: attachment, and where it differs."""

from pydantic import Field

from reportgen.results.parts import Figure, Part, optional


class TreePair(Part):
    """How two people attach the same words; the first is the key."""

    annotators: tuple[str, str]
    roles: tuple[str, str]
    words: int = Field(description="words that both attached, and whose heads are words of both")
    words_left_out: int = Field(description="words that only one has, or whose head is not a word of both")
    unlabelled: Figure = Field(description="UAS: the share of words with the same head")
    labelled: Figure = Field(description="LAS: the share of words with the same head and the same relation")
    relations: Figure = Field(description="the share of words with the same relation, whatever their head")
    unlabelled_beyond_chance: Figure = Field(
        description="pi of heads: (UAS - A_e) / (1 - A_e), A_e by how far away heads are in both"
    )
    labelled_beyond_chance: Figure = Field(description="the same of head and relation together")


class RelationConfusion(Part):
    """Two relations that annotators gave to words with the same head."""

    first: str
    second: str
    words: int


class DifferingHeads(Part):
    """Words with a relation, or a part of speech, by one of two at least, and on how many heads differ."""

    name: str
    words: int
    differing: int
    p: float | None = optional("that they differ more often than the other words, by documents")


class TreeDocument(Part):
    """Attachment in one document, over all pairs of annotators."""

    document: str
    words: int
    same_head: int
    same_head_and_relation: int


class TreeAgreement(Part):
    """Agreement on the dependency trees of a layer; confusions and documents are of all annotators."""

    layer: str
    words: int = Field(description="words compared, once for each pair of annotators")
    differing: int = Field(description="those whose heads differ")
    pairs: tuple[TreePair, ...]
    relations_confused: tuple[RelationConfusion, ...]
    by_relation: tuple[DifferingHeads, ...]
    by_part_of_speech: tuple[DifferingHeads, ...]
    documents: tuple[TreeDocument, ...] = Field(description="the worst first, at most 100")
