"""What all rooms use: errors in words, files, exchange of folders, progress, and which version this is."""

# The package's own version is read here too.
__version__ = "0.2.0.dev0"
# The entry-point group of readers that other packages bring.
READERS = "reportgen.formats"
