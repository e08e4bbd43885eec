"""Tables of ratings: what their columns are, and how their cells become marks."""
