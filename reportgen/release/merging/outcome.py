"""What becomes of a publisher's file, and what of it is left alone."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Kind = Literal["dataset card", "Croissant", "CITATION.cff"]


@dataclass(frozen=True)
class Offered:
    """What a bundle has for publishers: a card's blocks, fields of Croissant, a reference.

    `campaign` and `version` are whose; `link` is where the report stands, as seen from a card's folder, None
    where that is not known, and `name` how the bundle is called.
    """

    campaign: str
    version: str
    name: str
    blocks: dict[str, str]
    fields: dict[str, str | list[str]]
    conforms: tuple[str, ...]
    reference: dict[str, Any]


@dataclass
class Merged:
    """A publisher's file with what a bundle has for it; `kept` says what was left as it was, and why."""

    text: str
    kept: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Target:
    """A publisher's file as it was read: `head` is its byte order mark, if it has one."""

    path: Path
    kind: Kind
    content: bytes
    text: str
    head: bytes = b""


@dataclass(frozen=True)
class Outcome:
    """A target, and the bytes that it gets."""

    target: Target
    content: bytes
    kept: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Tell whether there is anything to write."""
        return self.content != self.target.content
