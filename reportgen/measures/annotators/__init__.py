"""Who is good, and what is hard? Quality, and what was decided of disagreements."""
