"""Marks in texts, compared as spans: precision, recall and F-measure."""
