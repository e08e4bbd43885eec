"""Writes copies as ELAN documents, as the EAF schema 3.0 describes them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from reportgen.readers import DocumentCopy, ExportFile
from tests.readers.given_files import written

HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<ANNOTATION_DOCUMENT AUTHOR="" DATE="2026-01-01T00:00:00+00:00" '
    'FORMAT="3.0" VERSION="3.0">\n<HEADER MEDIA_FILE="" TIME_UNITS="milliseconds">\n'
    '<MEDIA_DESCRIPTOR MEDIA_URL={} MIME_TYPE="audio/x-wav"/>\n</HEADER>\n'
)
TYPES = (
    '<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="default-lt" TIME_ALIGNABLE="true"/>\n'
    '<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="divided" CONSTRAINTS="Symbolic_Subdivision"/>\n'
    "</ANNOTATION_DOCUMENT>\n"
)


def document(times: Mapping[str, int | None], tiers: Sequence[str], media: str = "file:///d1.wav") -> str:
    """Return a document of time slots, None for one without a value, and tiers."""
    slots = "".join(
        f'<TIME_SLOT TIME_SLOT_ID="{name}"{"" if time is None else f" TIME_VALUE={quoteattr(str(time))}"}/>\n'
        for name, time in times.items()
    )
    order = f"<TIME_ORDER>\n{slots}</TIME_ORDER>\n"
    return HEAD.format(quoteattr(media)) + order + "".join(tiers) + TYPES


def tier(name: str, annotations: Sequence[str], **attributes: str) -> str:
    """Return a tier with further attributes, such as ANNOTATOR and PARENT_REF."""
    more = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
    around = "".join(f"<ANNOTATION>\n{each}</ANNOTATION>\n" for each in annotations)
    return f'<TIER LINGUISTIC_TYPE_REF="default-lt" TIER_ID={quoteattr(name)}{more}>\n{around}</TIER>\n'


def aligned(identity: str, first: str, second: str, value: str) -> str:
    """Return an annotation between two time slots."""
    return (
        f'<ALIGNABLE_ANNOTATION ANNOTATION_ID="{identity}" TIME_SLOT_REF1="{first}" '
        f'TIME_SLOT_REF2="{second}">\n'
        f"<ANNOTATION_VALUE>{escape(value)}</ANNOTATION_VALUE>\n</ALIGNABLE_ANNOTATION>\n"
    )


def referring(identity: str, parent: str, value: str, previous: str = "") -> str:
    """Return an annotation of a parent, after another one of the same parent."""
    before = f' PREVIOUS_ANNOTATION="{previous}"' if previous else ""
    return (
        f'<REF_ANNOTATION ANNOTATION_ID="{identity}" ANNOTATION_REF="{parent}"{before}>\n'
        f"<ANNOTATION_VALUE>{escape(value)}</ANNOTATION_VALUE>\n</REF_ANNOTATION>\n"
    )


def write(copies: Sequence[DocumentCopy], folder: Path) -> list[ExportFile]:
    """Write a file for each copy, a tier for each type of mark, and a slot at the end of the recording.

    ELAN can't carry discontinuous marks, further features, and documents not seen.
    """
    files: dict[str, str] = {}
    for copy in copies:
        times: dict[str, int | None] = {"end": copy.length}
        tiers: dict[str, list[str]] = {name: [] for name in sorted(copy.asked or ())}
        for number, mark in enumerate(copy.marks):
            (begin, end), label = mark.spans[0], mark.features[mark.type]
            times |= {f"ts{number}a": begin, f"ts{number}b": end}
            tiers[mark.type].append(aligned(f"a{number}", f"ts{number}a", f"ts{number}b", label))
        own = [tier(name, annotations) for name, annotations in tiers.items()]
        files[f"{copy.annotator}/{copy.document}.eaf"] = document(times, own, copy.document)
    return written(folder, files)
