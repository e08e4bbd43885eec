"""What all rooms use: errors in words, files, exchange of folders, progress."""
