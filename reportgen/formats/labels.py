"""Labels as they are counted: normalised, sets in one order, declared missing values gone."""

from collections.abc import Iterable

from reportgen.formats.reader import ReadOptions

EMPTY_SET = "{}"
SEPARATOR = "|"


def clean(labels: Iterable[str], options: ReadOptions) -> list[str]:
    """Return each label as it is counted, empty where it stands for a missing rating.

    Nothing is reinterpreted: "NA", "None", "1.0" and "007" stay as they are unless the options say
    otherwise. A label of nothing but spaces is missing.
    """
    return [_clean(label, options) for label in labels]


def _clean(label: str, options: ReadOptions) -> str:
    changed = label.lower() if "lowercase" in options.normalise else label
    changed = changed.strip() if "strip" in options.normalise else changed
    if not changed.strip() or label in options.missing or changed in options.missing:
        return ""
    return _as_set(changed, options.set_separator) if options.set_separator else changed


def _as_set(label: str, separator: str) -> str:
    """Return the set's members in one order, so that {a, b} and {b, a} are the same label."""
    members = {member.strip() for member in label.split(separator)} - {""}
    return separator.join(sorted(members)) or EMPTY_SET


def joined(members: Iterable[str], options: ReadOptions) -> str:
    """Return several labels that were given together as one, the members sorted and taken once."""
    return (options.set_separator or SEPARATOR).join(sorted(set(members)))
