"""reportgen: from a campaign of annotators' exports to a published agreement report."""

__all__ = [
    "__version__",
]


__version__ = "0.1.0"
