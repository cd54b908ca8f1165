"""Following: the share (0..1) of citing articles whose search lists the article they cite, as a reference.

The query is the citing article's caption. For comparison, the share that is listed for any reason.
"""

from . import gold
from .calls import open_calls
from .corpus import DEVSET
from .lab import Lab
from .report import Figure, Report, at_least

NAME = "following"
_LEAST = 0.99


def measure(lab: Lab, report: Report) -> None:
    """Ask for every citing article, within its manual."""
    rows = gold.read_reference_searches()[: lab.sizes.rows]
    root = lab.workspace_over("references", DEVSET / "manuals")
    followed = listed = 0
    report.rows[NAME] = []
    with open_calls(root) as calls:
        for manual_id, query, target in rows:
            candidates = calls.trace(calls.find(query, manual_id)).candidates
            signals = [c.signals for c in candidates if (c.manual_id, c.path, c.section_line) == (manual_id, *target)]
            is_followed = any("reference" in found for found in signals)
            followed += is_followed
            listed += bool(signals)
            report.rows[NAME].append({"query": query, "target": target, "followed": is_followed})
    what = f"{len(rows)} citing articles: the cited one"
    report.add(Figure(f"{what} listed as a reference", followed / len(rows), "", at_least(_LEAST)))
    report.add(Figure(f"{what} listed at all", listed / len(rows)))
