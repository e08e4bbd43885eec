"""Key word in context, as pages of disagreements show it."""

from reportgen.results.context import AROUND, MORE, POINT, Context, in_context

__all__ = ["AROUND", "MORE", "POINT", "Context", "in_context"]
