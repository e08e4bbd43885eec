"""What tests/released/ keeps of this version, for all later ones to read: `python -m tests.keep_release`.

A campaign.toml with every key, and a small bundle: results.json, counts, labels, exports. Run it for each
release, and again for as long as that is not published.
"""

import io
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path

from reportgen.base import __version__
from tests.bundles import campaign
from tests.commands import edit, files, run

FOLDER = Path(__file__).parent / "released"
WHOLE = Path(__file__).parent / "campaign" / "whole.toml"


def kept() -> dict[str, bytes]:
    """Return the files that are kept of this version."""
    with tempfile.TemporaryDirectory() as place:
        folder, out = campaign(Path(place) / "genes"), Path(place) / "bundle"
        # One language is half as much.
        edit(folder / "campaign.toml", 'language = ["en", "fr"]', "")
        done = run("bundle", folder, "1.0", "--with-exports", "--with-texts", "--out", out)
        assert done.exit_code == 0, done.output
        bundle = {f"bundle/{name}": content for name, content in files(out).items()}
        return {"campaign.toml": WHOLE.read_bytes(), **bundle}


def archive(content: Mapping[str, bytes]) -> bytes:
    """Return files as a tar archive without dates and owners."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz", preset=9) as tar:
        for name, each in sorted(content.items()):
            info = tarfile.TarInfo(name)
            info.size = len(each)
            tar.addfile(info, io.BytesIO(each))
    return packed.getvalue()


if __name__ == "__main__":
    at = FOLDER / f"{__version__}.tar.xz"
    at.write_bytes(archive(kept()))
    print(f"Written: {at} ({at.stat().st_size:,} bytes)")
