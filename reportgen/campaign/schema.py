"""The JSON Schema of campaign.toml, from which editors complete and check it."""

from typing import Any

from reportgen.campaign.tables import CampaignToml


def campaign_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of campaign.toml, always the same.

    It accepts whatever `load` accepts; what several keys say together, and whether files exist, only
    `load` checks.
    """
    schema = CampaignToml.model_json_schema()
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": dialect, **schema, "title": "campaign.toml"}
