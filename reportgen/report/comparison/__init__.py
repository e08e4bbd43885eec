"""Two versions side by side: what the page of a comparison shows."""
