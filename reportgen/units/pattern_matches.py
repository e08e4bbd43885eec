r"""What a campaign's regular expression finds in texts: in a process of its own, bounded in time and memory.

Nobody sees from an expression how long it takes: `(\w+\s?)+!` takes twice as long for every further letter,
and a bundle brings the expressions of strangers. `re` cannot be stopped from within; a process can. This one
runs this file alone, without reportgen and its libraries, and so begins within hundredths of a second.
"""

import pickle
import re
import runpy
import sys
from array import array
from collections.abc import Sequence
from pathlib import Path

# An expression without such repetitions takes a tenth of a second for a million characters.
SECONDS, CHARACTERS_A_SECOND = 10, 500_000
MEMORY, BYTES_A_CHARACTER = 2**30, 40
# What of this system limits a process; the package is not imported there.
SYSTEM = str(Path(__file__).parents[1] / "base" / "system.py")


def seconds_for(texts: Sequence[str]) -> int:
    """Return how long an expression may take for these texts."""
    return SECONDS + sum(map(len, texts)) // CHARACTERS_A_SECOND


def matches(pattern: str, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
    """Return where the expression matches in each text, without empty matches.

    Raises TimeoutError where that takes longer than `seconds_for` says, and MemoryError.
    """
    import subprocess

    from reportgen.base import system

    seconds = seconds_for(texts)
    memory = MEMORY + BYTES_A_CHARACTER * sum(map(len, texts))
    try:
        process = subprocess.run(  # noqa: S603 - Python and this file
            [sys.executable, "-I", "-S", __file__],
            input=pickle.dumps((pattern, list(texts), seconds, memory)),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise TimeoutError from None
    if process.returncode in system.ENDED_BY_TIME:
        raise TimeoutError
    if process.returncode:
        raise MemoryError
    ends = array("q", process.stdout)
    found, position = [], 0
    for _ in texts:
        begin, position = position + 1, position + 1 + 2 * ends[position]
        found.append(list(zip(ends[begin:position:2], ends[begin + 1 : position : 2], strict=True)))
    return found


def _match() -> None:
    """Read an expression and texts; write for each text how many matches there are, and their ends."""
    pattern, texts, seconds, memory = pickle.load(sys.stdin.buffer)  # noqa: S301 - `matches` wrote it
    # It ends where nobody waits for it any more.
    runpy.run_path(SYSTEM)["limit"](memory, seconds)
    expression = re.compile(pattern)
    for text in texts:
        ends = array("q")
        for match in expression.finditer(text):
            if match.end() > match.start():
                ends.extend(match.span())
        sys.stdout.buffer.write(array("q", [len(ends) // 2]).tobytes() + ends.tobytes())


if __name__ == "__main__":
    _match()
