"""Who is a reference by name: what is called so holds no annotator's own labels."""

from collections.abc import Iterable, Mapping

REFERENCES = frozenset(
    (
        *("gold", "gold_standard", "goldstandard", "gold_label", "gold_labels", "reference", "ground_truth"),
        *("groundtruth", "adjudicated", "adjudication", "adjudicator", "consensus", "curation", "curator"),
        *("curation_user", "key"),
    )
)
REFERENCE, ANNOTATOR = "reference", "annotator"
PAIR = 2


def is_reference(name: str) -> bool:
    """Say whether somebody is called as references are, however it is written."""
    return "_".join(name.casefold().replace("-", " ").replace("_", " ").split()) in REFERENCES


def references_among(names: Iterable[str], roles: Mapping[str, str]) -> tuple[str, ...]:
    """Return who is a reference by name alone, none where two annotators would not be left.

    `roles` are those that are known otherwise.
    """
    everyone = list(dict.fromkeys(names))
    called = tuple(name for name in everyone if name not in roles and is_reference(name))
    others = [name for name in everyone if name not in called and roles.get(name, ANNOTATOR) == ANNOTATOR]
    return called if len(others) >= PAIR else ()
