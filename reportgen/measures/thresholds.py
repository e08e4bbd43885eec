"""Every threshold of this room, with its reason."""

MOST_ANNOTATORS = 50
