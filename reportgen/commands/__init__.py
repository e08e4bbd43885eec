"""Commands of the command line that take more than a few lines, and what all commands have in common."""
