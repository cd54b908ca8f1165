"""`artifact_audit`: whether what was made of a source rests on it (seed 000 §4; contract §3, §4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from morenashi.server.artifacts.faults import Fault, find_faults
from morenashi.server.artifacts.json_graph import NoJsonError
from morenashi.server.artifacts.model import Artifact
from morenashi.server.artifacts.reading import read_artifact
from morenashi.server.calls import vault_inputs
from morenashi.server.deadline import Deadline
from morenashi.server.delivery.delivered import Delivered
from morenashi.server.errors import ToolError
from morenashi.server.ranges import Range, subtract
from morenashi.server.search.actions import Action
from morenashi.server.workspace import Workspace

from .actions import as_objects, propose_coverage, propose_scan, propose_stop, undelivered
from .cited import Cover, cover, judge_citations, marginal_gain
from .sources import SourceFile, is_file_beside, is_lost_file, is_other_file, read_part, read_source

_MOST_FINDINGS = 100
_MOST_NAME = 120
_MOST_UNREAD = 20


@dataclass(frozen=True, slots=True)
class _Audit:
    """What was found, before it is said. `elsewhere` counts the lines that elements name of other files; `copied` is
    what those of the source said when they were copied, as far as that is known.
    """

    faults: list[Fault]
    cited: list[Range]
    copied: Mapping[Range, Sequence[str]]
    elsewhere: int
    found: Cover
    delivered: Delivered
    gain: float | None

    def count(self, kind: str) -> int:
        return sum(fault.kind == kind for fault in self.faults)


def artifact_audit(workspace: Workspace, call: vault_inputs.ArtifactAudit, deadline: Deadline) -> dict[str, Any]:
    """Find elements without ground, branches that hang in the air, references without return; and what is uncovered."""
    file = read_source(workspace, call.artifact_path, "artifact_path")
    source = read_part(workspace, call.source_path, "source_path")
    deadline.stop_if_cancelled()
    artifact = _read(file)
    deadline.stop_if_cancelled()
    audit = _audit(workspace, call, artifact, file, source, deadline)
    citations = judge_citations(
        workspace, file.shown, source, audit.cited, deadline, renew=bool(call.renew), copied=audit.copied
    )
    citations["elsewhere"] = audit.elsewhere
    return {
        "artifact_path": file.shown,
        "source_path": source.asked,
        "elements": sum(len(s.elements) for s in artifact.structures if s.kind != "sections"),
        "rootless_nodes": audit.count("rootless_node"),
        "orphan_branches": audit.count("orphan_branch"),
        "one_way_refs": audit.count("one_way_ref"),
        "coverage_ratio": audit.found.ratio,
        "uncovered_ranges_count": len(audit.found.uncovered),
        "marginal_gain": audit.gain,
        "needs_forced_full_scan": _needs_full_scan(workspace, audit),
        "undelivered_ranges": as_objects(undelivered(source, audit.delivered, audit.found.cited)),
        "citations": citations,
        "unread_lines": [line for s in artifact.structures for line in s.unread_lines][:_MOST_UNREAD],
        "next_actions": _next_actions(workspace, source, audit),
        "findings": _findings(audit.faults[:_MOST_FINDINGS]),
    }


def _read(file: SourceFile) -> Artifact:
    try:
        return read_artifact(file.path, file.text)
    except NoJsonError as error:
        message = f"artifact_path: {error}"
        raise ToolError("invalid_parameter", message, parameter="artifact_path", line=error.line) from None


def _audit(
    workspace: Workspace,
    call: vault_inputs.ArtifactAudit,
    artifact: Artifact,
    file: SourceFile,
    source: SourceFile,
    deadline: Deadline,
) -> _Audit:
    def is_file(name: str) -> bool:
        deadline.stop_if_cancelled()
        return is_file_beside(workspace, name, file, source)

    def is_elsewhere(name: str) -> bool:
        deadline.stop_if_cancelled()
        return is_other_file(workspace, name, source, file)

    def is_lost(name: str) -> bool:
        deadline.stop_if_cancelled()
        return is_lost_file(workspace, name, source)

    named = {span.file for span in artifact.sources if span.file}
    elsewhere = set(filter(is_elsewhere, named))
    lost = set(filter(is_lost, named - elsewhere))
    faults = find_faults(artifact, source.cited.total, is_file, elsewhere, lost)
    if call.cited_ranges is not None:
        cited = [(span.start_line, span.end_line) for span in call.cited_ranges]
        copied = {}
    else:
        not_of_source = elsewhere | lost
        stated = (span for span in artifact.sources if span.file not in not_of_source)
        cited = [(span.first, span.last) for span in stated if 1 <= span.first <= span.last]
        copies = artifact.copied.items()
        copied = {(span.first, span.last): lines for span, lines in copies if span.file not in not_of_source}
    others = sum(span.file in elsewhere for span in artifact.sources)
    delivered = workspace.delivered.find(source.root, source.path, source.cited.digests, source.version)
    return _Audit(faults, cited, copied, others, cover(source, cited), delivered, marginal_gain(delivered, cited))


def _needs_full_scan(workspace: Workspace, audit: _Audit) -> bool:
    """As seed 000 has it: too little is covered, or there are faults, or going on still pays."""
    config = workspace.config
    still_pays = audit.gain is not None and audit.gain >= config.marginal_gain_min and bool(audit.found.uncovered)
    return audit.found.ratio < config.coverage_min_ratio or bool(audit.faults) or still_pays


def _next_actions(workspace: Workspace, source: SourceFile, audit: _Audit) -> list[Action]:
    """First what was never delivered, of that what is not cited; then a look at what is not cited; then an end.

    What was never delivered and follows is read with it, be it cited or not: all of it is to be read in the end, and
    each look at what is left would cost an audit.
    """
    if _needs_full_scan(workspace, audit):
        for ranges in (audit.found.uncovered, audit.found.cited):
            if unread := undelivered(source, audit.delivered, ranges):
                following = subtract([(unread[0][0], source.asked_lines[1])], audit.delivered.lines)
                return [propose_scan(workspace, source, audit.delivered, following, 0.9)]
        if audit.found.ratio < workspace.config.coverage_min_ratio:
            return [propose_coverage(source, audit.found.covered)]
    return [propose_stop(audit.found.ratio / (1 + len(audit.faults)))]


def _findings(faults: Sequence[Fault]) -> list[dict[str, Any]]:
    """What to do is said once, with the first fault of those about which the same is to be done."""
    found, said = [], set()
    for fault in faults:
        advice = "" if fault.advice in said else f"; {fault.advice}"
        said.add(fault.advice)
        finding = {
            "kind": fault.kind,
            "message": f"line {fault.line}: {fault.problem}{advice}",
            "node_id": fault.node_id[:_MOST_NAME],
            "line": fault.line,
            "target": fault.target[:_MOST_NAME] if fault.target is not None else None,
        }
        found.append(finding)
    return found
