"""Sections: how high the section stands that a link text, a definition or a caption is about.

MRR@10 and recall@10, 0..1, one manual at a time. A third of the link texts name their target in
other words. The peers index the same sections, each by its own lines.
"""

from collections.abc import Sequence
from pathlib import Path

from . import gold
from .calls import Answer, SectionLines, open_calls
from .corpus import DEVSET
from .gold import SectionRow
from .lab import Lab
from .peers import Bigrams, Peer, Tantivy
from .ranking import DEPTH, Rank, mean_reciprocal_rank, rank_of, recall
from .report import Figure, Report, at_least

NAME = "sections"
_LEAST_MRR, _LEAST_RECALL = 0.80, 0.95


def measure(lab: Lab, report: Report) -> None:
    """Ask every row, of the manuals as they are and of the wider set."""
    report.rows[NAME] = []
    for label, folder, rows in (
        ("sections", DEVSET / "manuals", gold.read_sections()),
        ("wide sections", DEVSET / "wide" / "manuals", gold.read_wide_sections()),
    ):
        _measure_set(lab, report, label, folder, rows[: lab.sizes.rows])


def _measure_set(lab: Lab, report: Report, label: str, manuals: Path, rows: Sequence[SectionRow]) -> None:
    root = lab.workspace_over(label.replace(" ", "-"), manuals)
    sections = SectionLines(root / "data" / "morenashi.db")
    ours = _ask_ours(root, sections, rows)
    theirs: dict[str, list[Rank]] = {Bigrams.name: [None] * len(rows), Tantivy.name: [None] * len(rows)}
    for manual_id in sorted({row.manual_id for row in rows}):
        units = _units(manuals, sections, manual_id)
        for peer in (Bigrams(), Tantivy()):
            _ask_peer(peer, units, manual_id, rows, theirs[peer.name])
    for row, *ranks in zip(rows, ours, *theirs.values(), strict=True):
        result = {"set": label, "query": row.query, "manual_id": row.manual_id}
        report.rows[NAME].append(result | dict(zip(("ours", *theirs), ranks, strict=True)))
    for name, score, least in (("MRR@10", mean_reciprocal_rank, _LEAST_MRR), ("recall@10", recall, _LEAST_RECALL)):
        scores = {peer: score(ranks) for peer, ranks in theirs.items()}
        report.add(Figure(f"{len(rows)} {label}: {name}", score(ours), "", at_least(least), scores))


def _ask_ours(root: Path, sections: SectionLines, rows: Sequence[SectionRow]) -> list[Rank]:
    ranks = []
    with open_calls(root) as calls:
        for row in rows:
            refs = calls.best(calls.find(row.query, row.manual_id), DEPTH)
            ranks.append(rank_of(_answers(row, ref, sections) for ref in refs))
    return ranks


def _answers(row: SectionRow, ref: Answer, sections: SectionLines) -> bool:
    """Whether a ref leads to the section asked for; a widened search may lead to another manual."""
    if ref["manual_id"] != row.manual_id:
        return False
    return row.is_answered_by(ref["path"], sections.start_line(row.manual_id, ref["path"], ref["start_line"]))


def _ask_peer(
    peer: Peer,
    units: Sequence[tuple[str, int, str]],
    manual_id: str,
    rows: Sequence[SectionRow],
    ranks: list[Rank],
) -> None:
    """Fill in the ranks of the rows that ask this manual."""
    peer.add(text for _, _, text in units)
    for position, row in enumerate(rows):
        if row.manual_id == manual_id:
            found = (units[unit] for unit in peer.search(row.query, DEPTH))
            ranks[position] = rank_of(row.is_answered_by(path, line) for path, line, _ in found)


def _units(manuals: Path, sections: SectionLines, manual_id: str) -> list[tuple[str, int, str]]:
    """(path, first line, text) of every section of a manual."""
    units = []
    for (owner, path), spans in sections.spans.items():
        if owner != manual_id:
            continue
        lines = (manuals / manual_id / path).read_text("utf-8-sig", "replace").split("\n")
        units += [(path, first, "\n".join(lines[first - 1 : last])) for first, last in spans]
    return units
