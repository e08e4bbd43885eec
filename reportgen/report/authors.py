"""Who signs a report: people, and institutions or groups that sign as one."""

from typing import Literal

from reportgen.results import Author


def is_group(name: str) -> bool:
    """Tell whether a name is that of several people or of an institution, as far as its words show it."""
    family, comma, given = (part.strip() for part in name.partition(","))
    if comma:
        return not (family and given and "," not in given)
    words = name.split()
    return len(words) == 1 or words[:1] == ["The"] or bool({"and", "&"} & {*words})


def kind(author: Author) -> Literal["Person", "Organization"]:
    """Return what an author is in the words of schema.org; who has an ORCID or an affiliation is a person."""
    person = author.orcid or author.affiliation or not is_group(author.name)
    return "Person" if person else "Organization"
