"""From a plan to the text of a campaign.toml."""

from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from reportgen.files import templates
from reportgen.scaffold.plan import Plan
from reportgen.scaffold.toml import Written, to_note, to_notes, to_toml

TEMPLATE = "campaign.toml.j2"
TO_CHOOSE = "# columns = "


def render(plan: Plan) -> str:
    """Return the text of a campaign.toml."""
    return _environment().get_template(TEMPLATE).render(plan=plan)


def to_do(text: str) -> list[int]:
    """Return the lines of a rendered campaign.toml on which columns have to be chosen, one a version."""
    return [number for number, line in enumerate(text.split("\n"), 1) if line.startswith(TO_CHOOSE)]


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(templates(), encoding="utf-8"),
        autoescape=False,  # noqa: S701 - TOML: `finalize` lets nothing through that no filter has written
        finalize=_written,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"toml": to_toml, "note": to_note, "notes": to_notes}
    return environment


def _written(value: object) -> Written:
    if not isinstance(value, Written):
        message = f"{value!r} stands in {TEMPLATE} without a filter."
        raise TypeError(message)
    return value
