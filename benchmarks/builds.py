"""What building gene-renaming costs: CPU after all imports, and whole processes."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

CHECKOUT = Path(__file__).resolve().parent.parent
CAMPAIGN = CHECKOUT / "campaigns" / "gene-renaming"
REPEATS = 5
AS_USERS = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
# Builds once for the list of what is imported, which the timed process imports before the clock starts: all
# of it and nothing else. Compiled code is kept by the first build, templates' as Python's own.
IMPORTED = """
import sys
from pathlib import Path
from reportgen.pipeline.build import build_site
build_site([Path(sys.argv[1])], Path(sys.argv[2]), fresh=True)
print(*sorted(sys.modules), sep="\\n")
"""
TIMED = """
import contextlib, gc, importlib, sys, time
from pathlib import Path
gc.set_threshold(100_000, 50, 50)
for name in Path(sys.argv[3]).read_text("utf-8").split():
    with contextlib.suppress(ImportError):
        importlib.import_module(name)
from reportgen.pipeline.build import build_site
start = time.process_time()
build_site([Path(sys.argv[1])], Path(sys.argv[2]), fresh=True)
print(time.process_time() - start)
"""


def run() -> str:
    """Return a table of CPU seconds, medians of several processes."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        campaign = shutil.copytree(CAMPAIGN, here / CAMPAIGN.name)
        text = (campaign / "campaign.toml").read_text(encoding="utf-8")
        lines = (line for line in text.splitlines(keepends=True) if not line.startswith("language"))
        (campaign / "campaign.toml").write_text("".join(lines), encoding="utf-8")
        rows = list(_rows(campaign, here))
    return "\n".join(["gene-renaming in one language, CPU seconds:", *rows])


def _rows(campaign: Path, here: Path) -> Iterator[str]:
    modules = here / "modules"
    modules.write_text(_python(IMPORTED, campaign, here / "first"), encoding="utf-8")
    after = [float(_python(TIMED, campaign, here / f"site{turn}", modules)) for turn in range(REPEATS)]
    yield f"  full build, after imports           {median(after):6.2f}"
    whole = [_command(campaign, here / f"whole{turn}") for turn in range(REPEATS)]
    yield f"  full build, the whole process       {median(whole):6.2f}"
    again = [_command(campaign, here / "whole0") for _ in range(REPEATS)]
    yield f"  nothing changed, the whole process  {median(again):6.2f}"


def _python(code: str, *arguments: Path) -> str:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(
        command, cwd=CHECKOUT, check=True, capture_output=True, encoding="utf-8", env=AS_USERS
    )
    return done.stdout


def _command(campaign: Path, out: Path) -> float:
    """Return the CPU seconds of the command."""
    before = os.times()
    command = [sys.executable, "-m", "reportgen", "build", str(campaign), "--out", str(out)]
    subprocess.run(command, cwd=CHECKOUT, check=True, capture_output=True, env=AS_USERS)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system
