"""Which version of reportgen this is; packages read it here too."""

__version__ = "0.1.0"
