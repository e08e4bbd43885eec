"""What two annotators' table shows."""
