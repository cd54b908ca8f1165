"""What a caller or an artifact cites of a source: how much of it that covers, and whether it still says the same."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import Any

from morenashi.server.deadline import Deadline
from morenashi.server.delivery.citation_store import Citing
from morenashi.server.delivery.citations import Fingerprint, Verdict
from morenashi.server.delivery.corrections import corrected_ranges
from morenashi.server.delivery.delivered import Delivered
from morenashi.server.delivery.renamed import likest
from morenashi.server.ranges import Range, count_lines, merge, subtract
from morenashi.server.workspace import Workspace

from .actions import as_object
from .sources import SourceFile, is_present, shown_path

_MOST_LINES_KEPT = 1_000_000
"""Of the ranges that one call cites for the first time. A digest of every line of each is kept, overlapping or not."""


@dataclass(frozen=True, slots=True)
class Cover:
    """Cited lines against the lines that there are; merged ranges. `cited` are those of `covered` that were named."""

    total: int
    cited: list[Range]
    covered: list[Range]
    uncovered: list[Range]

    @property
    def ratio(self) -> float:
        """The share of the lines that is cited; 1.0 of a file without lines (seed 000)."""
        return count_lines(self.covered) / self.total if self.total else 1.0


def cover(source: SourceFile, cited: Sequence[Range]) -> Cover:
    """Which lines of a source, or of a part of it, are cited. What lies beyond covers nothing. Ranges with blank lines
    alone between them are adjacent (重複/隣接を正規化, seed 000), and so are the edges: there is nothing to cite.
    """
    first, last = source.asked_lines
    all_lines = [(first, last)] if first <= last else []
    within = ((max(begin, first), min(end, last)) for begin, end in cited)
    named = merge((begin, end) for begin, end in within if begin <= end)
    blank = [(begin, end) for begin, end in subtract(all_lines, named) if named and source.cited.is_blank((begin, end))]
    covered = merge([*named, *blank])
    return Cover(last - first + 1, named, covered, subtract(all_lines, covered))


def marginal_gain(delivered: Delivered, cited: Sequence[Range]) -> float | None:
    """Cited lines that the session's latest step brought for the first time, by the tokens that it brought
    (contract §3); `None` if nothing of the source was delivered."""
    if not delivered.latest_tokens:
        return None
    lines = count_lines(delivered.latest_lines) - count_lines(subtract(delivered.latest_lines, cited))
    return round(lines / delivered.latest_tokens, 4)


def judge_citations(
    workspace: Workspace,
    citer: str,
    source: SourceFile,
    cited: Sequence[Range],
    deadline: Deadline,
    *,
    renew: bool,
    copied: Mapping[Range, Sequence[str]] | None = None,
) -> dict[str, Any]:
    """What became of each cited range since it was first cited. New ones are kept as they are now, with `renew` all,
    and so are those that were corrected as the latest answer told; of new ones that were `copied` as they were then.

    Returns `same` and `new` as counts, `moved`, `changed`, `gone` and `outside` (beyond the end, and never seen
    within) as ranges. Raises `CallCancelledError`.
    """
    key = citer, source.root, source.path
    known = {} if renew else workspace.ask(lambda connection: workspace.citations.load(connection, key))
    spans = dict.fromkeys(cited)
    if citer and spans and not (known or renew):
        known = _known_by_other_name(workspace, key, spans.keys())
        workspace.citations.keep(key, known.values())
    if copied and not renew:
        known |= _rewritten_since(source, copied, spans.keys() - known.keys())
    verdict_on = cache(lambda span: source.cited.judge(known[span]))
    # Who corrects an artifact may have been told by `morenashi citations`, or before the server was started anew.
    of_artifact = {span: now for span in known if citer and (now := verdict_on(span).now)}
    told = of_artifact or {
        span: now
        for span, now in workspace.citations.told(key).items()
        # As far as it still holds.
        if span in known and verdict_on(span).now == now
    }
    kept = known.keys() - corrected_ranges(source.cited, told, spans)
    judged = {span: verdict_on(span) for span in _in_time(spans, deadline) if span in kept}
    unknown = spans.keys() - judged.keys()
    new = [span for span in spans if span in unknown and _is_within(span, source)]
    workspace.citations.keep(key, _fingerprints(source, new, deadline))
    workspace.citations.tell(key, told | {span: verdict.now for span, verdict in judged.items() if verdict.now})
    return _answer(judged, new=len(new), outside=unknown.difference(new))


def _known_by_other_name(workspace: Workspace, key: Citing, spans: Collection[Range]) -> dict[Range, Fingerprint]:
    """The citations of an artifact from before it, or the source, was renamed: of those whose artifact or source is not
    there any more. As new ones they would hold, whatever stands there now.
    """
    others = workspace.ask(lambda connection: workspace.citations.load_others(connection, key))
    left = {other: known for other, known in others.items() if _is_left_behind(workspace, other)}
    other = likest(key[0], spans, left, itemgetter(0))
    return {span: left[other][span] for span in spans if span in left[other]} if other else {}


def _is_left_behind(workspace: Workspace, citing: Citing) -> bool:
    artifact, root, path = citing
    return not (is_present(workspace, artifact) and is_present(workspace, shown_path(root, path)))


def _rewritten_since(
    source: SourceFile, copied: Mapping[Range, Sequence[str]], new: Collection[Range]
) -> dict[Range, Fingerprint]:
    """Citations of lines as they were when they were copied, of those that do not say so any more."""
    found = {}
    for span in new & copied.keys():
        if _is_within(span, source):
            was = source.cited.cite_copied(span, copied[span])
            if source.cited.judge(was).state != "same":
                found[span] = was
    return found


def _fingerprints(source: SourceFile, new: Collection[Range], deadline: Deadline) -> list[Fingerprint]:
    """Of ranges within a source, the shortest first, until they have as many lines as are kept. What is left over is
    new the next time, too. Raises `CallCancelledError`.
    """
    found: list[Fingerprint] = []
    lines = 0
    for span in sorted(new, key=lambda span: span[1] - span[0]):
        deadline.stop_if_cancelled()
        if lines >= _MOST_LINES_KEPT:
            break
        lines += count_lines([span])
        found.append(source.cited.cite(span))
    return found


def _in_time(spans: Collection[Range], deadline: Deadline) -> Iterator[Range]:
    """Each of them, telling how many are done. Raises `CallCancelledError`."""
    for done, span in enumerate(spans, start=1):
        deadline.stop_if_cancelled()
        yield span
        deadline.tell(done, len(spans))


def _answer(judged: dict[Range, Verdict], *, new: int, outside: set[Range]) -> dict[str, Any]:
    return {
        "same": sum(verdict.state == "same" for verdict in judged.values()),
        "new": new,
        "moved": [_moved(span, verdict) for span, verdict in sorted(judged.items()) if verdict.now],
        "changed": _of_state(judged, "changed"),
        "gone": _of_state(judged, "gone"),
        "outside": [as_object(span) for span in sorted(outside)],
    }


def _is_within(span: Range, source: SourceFile) -> bool:
    return span[0] <= span[1] <= source.cited.total


def _of_state(judged: dict[Range, Verdict], state: str) -> list[dict[str, int]]:
    return [as_object(span) for span, verdict in sorted(judged.items()) if verdict.state == state]


def _moved(span: Range, verdict: Verdict) -> dict[str, Any]:
    assert verdict.now is not None
    return as_object(span) | {"now": as_object(verdict.now)}
