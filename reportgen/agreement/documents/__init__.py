"""Figures document by document, and their means."""
