"""What one layer of an export holds: its content, what was left out of it, and who saw what."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from reportgen.base.files import InputFile
from reportgen.readers.annotations import Codes, Compared, ExcludedMarks, Ratings, Regions, TextMarks
from reportgen.readers.counted import CountedLayer


@dataclass(frozen=True, eq=False)
class Annotations:
    """One layer of the exports of one guidelines version, with what was left out and the files read.

    `content` is what annotators did: they labelled units, or marked texts; or what was counted of it.
    `marks_read` counts every mark that the files hold: those of `content` (by weight) and those of
    `left_out` add up to it.
    `format` is the reader's name, `reading` one sentence on how the files were understood, `choice` one on
    what was chosen in them for this layer, empty where there was nothing to choose, `unread` the
    files that no reader knows. `roles` are those that the tool itself gives to some annotators.
    `attendance` (documents, annotators of `content`) is UNSEEN, SKIPPED, EMPTY or MARKED: what each did with
    each document, or with each unit that is one; None where the export is a table, which does not tell.
    `compared` says what the layer consists of: marks, whose label is their type or the feature that holds
    the category; "attributes" of marks whose category is their type; or relations, whose stretches are those
    of their arguments. `candidates` are the places that layers of candidates mark, in documents of `content`,
    by the key of campaign.toml that asks for them.
    `derived` are annotators of `content` whose marks were made from those of others and stand in no file:
    they are neither read nor left out.
    `called_references` are those of `roles` who are references because of their names alone.
    `missing` counts the cells of a table that could hold a label and hold none: empty ones, or declared so.
    """

    content: Ratings | TextMarks | CountedLayer
    format: str
    reading: str
    marks_read: int
    left_out: tuple[ExcludedMarks, ...] = ()
    sources: tuple[InputFile, ...] = ()
    unread: tuple[str, ...] = ()
    roles: Mapping[str, str] = field(default_factory=dict)
    attendance: Codes | None = None
    choice: str = ""
    compared: Compared = "marks"
    candidates: Mapping[str, Regions] = field(default_factory=dict)
    derived: tuple[str, ...] = ()
    called_references: tuple[str, ...] = ()
    missing: int = 0

    @property
    def is_counted(self) -> bool:
        """Say whether only counts are known, and not which unit is which."""
        if isinstance(self.content, Ratings):
            return self.content.counted
        return not isinstance(self.content, TextMarks)

    @property
    def ratings(self) -> Ratings:
        """Return the labels of units; there have to be such."""
        if not isinstance(self.content, Ratings):
            message = "an export that holds no labels of units"
            raise TypeError(message)
        return self.content
