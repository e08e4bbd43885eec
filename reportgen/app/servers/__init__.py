"""Where people annotate: exports are pulled from there, whole or not at all, decisions are pushed."""
