"""How is it said? The language of an edition, numbers as they are written, and names of figures."""
