"""`reportgen serve`: the site on this computer alone, built anew as campaigns and templates change."""

from reportgen.serving.serve import serve

__all__ = ["serve"]
