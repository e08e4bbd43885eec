"""The campaign.toml that follows from what a folder of exports holds."""

from reportgen.scaffold.plan import Plan, plan_of
from reportgen.scaffold.steps import command, next_steps
from reportgen.scaffold.text import render
from reportgen.scaffold.write import write

__all__ = ["Plan", "command", "next_steps", "plan_of", "render", "write"]
