"""A trace as JSON that is the same whenever the same is asked of the same files. Pure.

Left out is what belongs to one run alone: the id, the time, how long it took, the generation of the index.
"""

import json
from typing import Any

from .ranking.candidates import Candidate
from .traces import Trace


def as_canonical(trace: Trace) -> dict[str, Any]:
    """The trace as plain JSON values. Lines are 1-based; scores lie in 0..1."""
    return {
        "question": trace.question,
        "manual_id": trace.manual_id,
        "intent": trace.intent,
        "intent_source": trace.intent_source,
        "parameters": trace.parameters,
        "summary": _without_generation(trace.summary),
        "next_actions": _without_id(trace.next_actions, trace.id),
        "escalation_reasons": list(trace.escalation_reasons),
        "candidates": [_candidate(candidate) for candidate in trace.candidates],
        "unscanned": [
            {"reason": item.reason, "places": item.places, "lines": item.lines, "documents": json.loads(item.documents)}
            for item in trace.unscanned
        ],
        "leads": [lead._asdict() for lead in trace.leads],
        "gaps": [gap._asdict() for gap in trace.gaps],
        "conflicts": [conflict._asdict() for conflict in trace.conflicts],
    }


def to_line(value: Any) -> str:
    """One line of JSON, keys sorted."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _candidate(candidate: Candidate) -> dict[str, Any]:
    # A score has four digits; a database may give it back with a last bit that differs.
    return {**candidate._asdict(), "score": round(candidate.score, 4)}


def _without_generation(summary: dict[str, Any]) -> dict[str, Any]:
    completeness = {name: value for name, value in summary["completeness"].items() if name != "index_generation"}
    return {**summary, "completeness": completeness}


def _without_id(value: Any, trace_id: str) -> Any:
    """The same with `null` where the trace speaks of itself."""
    if isinstance(value, dict):
        return {name: _without_id(part, trace_id) for name, part in value.items()}
    if isinstance(value, list):
        return [_without_id(part, trace_id) for part in value]
    return None if value == trace_id else value
