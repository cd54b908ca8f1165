"""Building: MB of manuals indexed a second by `morenashi reindex --full`, and bytes of index a byte of manuals.

The speed is the command's own figure, in a process of its own; the peers' includes reading and
cutting the files. All three indexes hold the texts.
"""

import shutil

from .lab import Lab, reindex, size_on_disk
from .report import Figure, Report, at_least, at_most

NAME = "building"
_LEAST_MB_A_SECOND, _MOST_BYTES_A_BYTE = 5, 2.6


def measure(lab: Lab, report: Report) -> None:
    """Build from nothing, then once more over what is there."""
    corpus = lab.corpus(lab.sizes.main)
    shutil.rmtree(corpus.database.parent, ignore_errors=True)
    first = reindex(corpus.root, "--full")
    size = size_on_disk(corpus.database) / corpus.size_bytes
    again = reindex(corpus.root, "--full")
    size_again = size_on_disk(corpus.database) / corpus.size_bytes
    built = lab.peers(lab.sizes.main)
    speeds = {peer.peer.name: corpus.size_bytes / peer.build_seconds / 1e6 for peer in built}
    sizes = {peer.peer.name: peer.size_bytes / corpus.size_bytes for peer in built}
    what = f"reindex --full, {corpus.size_bytes / 1e6:.3g} MB in {corpus.files:,} files"
    speed, speed_again = (summary["bytes_per_second"] / 1e6 for summary in (first, again))
    report.add(Figure(f"{what}: speed", speed, "MB/s", at_least(_LEAST_MB_A_SECOND), speeds, has_ratio=True))
    report.add(Figure(f"{what}: size / manuals", size, "x", at_most(_MOST_BYTES_A_BYTE), sizes, has_ratio=True))
    report.add(Figure(f"{what}: speed, over an index", speed_again, "MB/s"))
    report.add(Figure(f"{what}: size / manuals, over an index", size_again, "x"))
    report.rows[NAME] = [{"run": name, **summary} for name, summary in (("first", first), ("again", again))]
