"""In what order? Campaigns are read, counted, computed, recorded, judged and rendered."""
