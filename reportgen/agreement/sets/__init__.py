"""Labels that are sets."""
