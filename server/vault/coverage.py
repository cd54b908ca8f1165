"""`vault_coverage`: how much of a file, or of a part of it, is cited, and what is left (seed 000 §4; contract §4)."""

from typing import Any

from morenashi.server.calls import vault_inputs
from morenashi.server.deadline import Deadline
from morenashi.server.delivery.delivered import Delivered
from morenashi.server.ranges import Range, count_lines
from morenashi.server.search.actions import Action
from morenashi.server.workspace import Workspace

from .actions import as_objects, propose_scan, propose_stop, undelivered
from .cited import Cover, cover, judge_citations, marginal_gain
from .sources import SourceFile, read_part


def vault_coverage(workspace: Workspace, call: vault_inputs.VaultCoverage, deadline: Deadline) -> dict[str, Any]:
    """Compare cited lines with the lines that there are, that were delivered, and that were cited before."""
    source = read_part(workspace, call.path, "path")
    cited = [(span.start_line, span.end_line) for span in call.cited_ranges]
    found = cover(source, cited)
    delivered = workspace.delivered.find(source.root, source.path, source.cited.digests, source.version)
    return {
        "path": source.asked,
        "total_lines": found.total,
        "covered_lines": count_lines(found.covered),
        "coverage_ratio": found.ratio,
        "covered_ranges": as_objects(found.covered),
        "uncovered_ranges": as_objects(found.uncovered),
        "meets_min_coverage": found.ratio >= workspace.config.coverage_min_ratio,
        "undelivered_ranges": as_objects(undelivered(source, delivered, found.cited)),
        "citations": judge_citations(workspace, "", source, cited, deadline, renew=bool(call.renew)),
        "next_actions": _next_actions(workspace, source, cited, found, delivered),
    }


def _next_actions(
    workspace: Workspace, source: SourceFile, cited: list[Range], found: Cover, delivered: Delivered
) -> list[Action]:
    """First what was never delivered. Then, while that still brings something, what is not cited; then an end."""
    unread = undelivered(source, delivered, found.uncovered)
    if unread:
        actions = [propose_scan(workspace, source, delivered, unread, 1 - found.ratio)]
        if found.ratio >= workspace.config.coverage_min_ratio:
            actions.append(propose_stop(found.ratio))
        return actions
    gain = marginal_gain(delivered, cited)
    if found.ratio < workspace.config.coverage_min_ratio and gain and gain >= workspace.config.marginal_gain_min:
        workspace.delivered.propose_again(source.root, source.path, found.uncovered)
        return [propose_scan(workspace, source, delivered, found.uncovered, 1 - found.ratio)]
    return [propose_stop(found.ratio)]
