"""The command line: it parses, calls and prints."""

from reportgen.cli.app import main

__all__ = ["main"]
