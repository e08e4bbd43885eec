"""Tables of any size: DuckDB reads and counts labels where they lie, and what it can't read memory does."""
