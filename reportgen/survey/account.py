"""What was found, as plain values: for whoever reads it, and as JSON."""

from typing import Any

from reportgen.formats.survey import LayerFound
from reportgen.survey.folder import Survey
from reportgen.survey.versions import VersionFound


def account(survey: Survey) -> dict[str, Any]:
    """Return all that a survey found."""
    return {
        "campaign": survey.id,
        "aside": list(survey.aside),
        "versions": [_version(version) for version in survey.versions],
    }


def _version(version: VersionFound) -> dict[str, Any]:
    found = version.found
    columns = found.columns
    return {
        "version": version.id,
        "exports": list(version.exports),
        "format": version.reader.name,
        "title": version.reader.title,
        "tool": version.reader.tool,
        "files_read": len(version.read),
        "files_unread": list(version.unread),
        "other_formats": {name: list(files) for name, files in version.others.items()},
        "annotators": list(found.annotators),
        "roles": dict(found.roles),
        "documents": found.documents,
        "units": found.units,
        "unmarked": found.unmarked,
        "in_texts": found.in_texts,
        "marks": found.whole.marks,
        "labels": dict(found.whole.labels),
        "layers": [_layer(layer) for layer in found.layers],
        "sources": list(found.sources),
        "set_separator": found.set_separator,
        "columns": dict(columns.roles) if columns else {},
        "columns_to_choose_from": list(columns.names) if columns and found.to_choose else [],
        "choose_columns": found.to_choose,
    }


def _layer(layer: LayerFound) -> dict[str, Any]:
    return {"source": layer.source, "kind": layer.kind, "labels": dict(layer.labels)}
