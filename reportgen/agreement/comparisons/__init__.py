"""Everybody against a reference, with human agreement on the same units."""
