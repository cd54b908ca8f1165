"""Traces and their differences as people read them. Pure."""

from collections.abc import Iterator
from typing import Any

from morenashi.indexer.collections import display_name
from morenashi.server.search.canonical import as_canonical
from morenashi.server.search.traces import Trace

_MOST_ROWS = 20
_MOST_SPANS = 5
_SHOWN_APART = ("intent", "manual_id")


def describe_list(rows: list[dict[str, Any]]) -> str:
    """One line a trace."""
    if not rows:
        return "no traces are stored"
    return "\n".join(
        f"{row['trace_id']}  {row['created_at'][:19]}  {row['tool']:<11}  {row['candidates']:>4} candidates, "
        f"{row['completeness']}  {' '.join(row['query'].split())}"
        for row in rows
    )


def describe_trace(trace: Trace, *, has_expired: bool) -> str:
    """A trace with all its lists; long ones are cut, and say so."""
    return "\n".join([*_head(trace, has_expired=has_expired), *_candidates(trace), *_rest(trace)])


def describe_difference(report: dict[str, Any]) -> str:
    """What `trace diff` found, files first."""
    lines = [*_files(report["files"]), *report["remarks"]]
    lines += [f"{name}: {_was(change)}" for name, change in report["conditions"].items()]
    lines += [f"{name}: {_was(change)}" for name, change in report["summary"].items()]
    lines += _changed_candidates(report["candidates"])
    for kind in ("gaps", "conflicts"):
        lines += _cut([f"{kind[:-1]} {how}: {_words(item)}" for how, items in report[kind].items() for item in items])
    for reason, numbers in report["unscanned"].items():
        lines.append(f"unscanned, {reason}: places {_was(numbers['places'])}, lines {_was(numbers['lines'])}")
    lines += [f"{part}: not the same" for part in report["others"]]
    return "\n".join([*lines, "nothing differs"] if report["identical"] else lines)


def _head(trace: Trace, *, has_expired: bool) -> list[str]:
    summary = trace.summary
    counts = summary["completeness"]["lines"]
    rows = [
        ("trace", f"{trace.id}, {trace.created_at}{', expired' if has_expired else ''}"),
        ("question", trace.question),
        ("manual", "none: the vault" if trace.tool == "vault_find" else trace.manual_id or "all"),
        ("intent", f"{trace.intent} ({trace.intent_source})"),
        ("asked with", _words({name: value for name, value in trace.call.items() if name not in _SHOWN_APART})),
        ("in force", _words(trace.in_force)),
        ("widened", f"{'yes' if summary['scope_expanded'] else 'no'} {_words(trace.escalation_reasons)}".strip()),
        ("status", f"{summary['completeness']['status']}, {summary['integration_status']}"),
        ("sufficiency", str(summary["sufficiency_score"])),
        ("lines", _words(counts)),
        ("files", f"{summary['scanned_files']} searched, {summary['completeness']['pending_files']} not indexed yet"),
        ("cut by", summary.get("cutoff_reason", "")),
        ("index", f"generation {trace.index_generation}, {trace.elapsed_ms} ms"),
    ]
    return [f"{name:<12}{value}" for name, value in rows if value]


def _candidates(trace: Trace) -> Iterator[str]:
    yield f"\ncandidates: {len(trace.candidates)}"
    for position, candidate in enumerate(trace.candidates, 1):
        place = f"{display_name((candidate.manual_id, candidate.path))}:{candidate.line}"
        yield f"{position:>4}. {candidate.score:.4f}  {place}  {', '.join(candidate.signals)}"
        yield from (f"{'':14}{line}" for line in _why(candidate.why))


def _why(why: dict[str, Any]) -> Iterator[str]:
    for name in ("score", "terms"):
        if name in why:
            yield f"{name}: {_words(why[name])}"
    for name in ("via", "exceptions"):
        if name in why:
            links = [f"{manual_id}/{path}:{line} {kind}" for manual_id, path, line, kind in why[name]]
            yield f"{name}: {', '.join(links)}"


def _rest(trace: Trace) -> Iterator[str]:
    stored = as_canonical(trace)
    for kind in ("gaps", "conflicts"):
        yield f"\n{kind}: {len(stored[kind])}"
        yield from (f"  {_words(item)}" for item in stored[kind])
    yield f"\nunscanned: {sum(item['places'] for item in stored['unscanned'])} places"
    for item in stored["unscanned"]:
        yield f"  {item['reason']}: {item['places']} places, {item['lines']} lines"
        yield from _cut(
            [f"    {display_name((manual_id, path))} {_spans(spans)}" for manual_id, path, spans in item["documents"]]
        )
    yield "\nnext actions"
    yield from (f"  {action['type']} {_words(action['params'] or {})}".rstrip() for action in stored["next_actions"])


def _files(files: dict[str, list[str]] | None) -> list[str]:
    return [f"{how}: {name}" for how, names in (files or {}).items() for name in names]


def _changed_candidates(candidates: dict[str, list[dict[str, Any]]]) -> Iterator[str]:
    for how, items in candidates.items():
        yield from _cut([f"candidate {how}: {_place(item)}, {_movement(how, item)}" for item in items])


def _place(candidate: dict[str, Any]) -> str:
    return f"{candidate['manual_id']}/{candidate['path']}:{candidate['line']}"


def _movement(how: str, candidate: dict[str, Any]) -> str:
    if how != "changed":
        return f"position {candidate['position']}, score {candidate['score']}"
    differs = candidate["differs"]
    plain = [f"{name} {_was(change)}" for name, change in differs.items() if name != "why"]
    return ", ".join([*plain, "why it is there"] if "why" in differs else plain)


def _was(change: list[Any]) -> str:
    then, now = map(_words, change)
    return f"{then or 'nothing'} -> {now or 'nothing'}"


def _spans(spans: list[list[int]]) -> str:
    shown = ", ".join(f"{first}-{last}" for first, last in spans[:_MOST_SPANS])
    return f"{shown}, and {len(spans) - _MOST_SPANS} more" if len(spans) > _MOST_SPANS else shown


def _cut(lines: list[str]) -> list[str]:
    if len(lines) <= _MOST_ROWS:
        return lines
    return [*lines[:_MOST_ROWS], f"    and {len(lines) - _MOST_ROWS} more (--json shows all)"]


def _words(value: Any) -> str:
    """JSON values without its signs."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {_words(part)}" for name, part in value.items() if part is not None)
    if isinstance(value, (list, tuple)):
        return " ".join(map(_words, value))
    return "" if value is None else str(value)
