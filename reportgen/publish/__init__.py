"""What is attached to a release, and how a stranger checks it."""
