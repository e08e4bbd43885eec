"""What the folder of `make app` starts: the door without a terminal, or any command."""

import runpy
import sys
from pathlib import Path

from reportgen.cli import main

if __name__ == "__main__":
    if sys.argv[1:3] == ["-I", "-S"]:  # as reportgen starts Python for a campaign's regular expressions
        runpy.run_path(sys.argv[3], run_name="__main__")
    else:
        # File managers start it with nothing, or with the whole paths of what was dropped on it.
        if all(Path(argument).is_absolute() for argument in sys.argv[1:]):
            sys.argv.insert(1, "open")
        main()
