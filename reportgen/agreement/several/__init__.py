"""What any number of annotators' labels show together, ratings missing or not."""
