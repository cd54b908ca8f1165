"""`vault_search`: the lines of the vault that match, as grep lists them (seed 000 §4).

What is searched is the files themselves. The index only rules out files that cannot match; those that it does not
know as they are now are all read.
"""

import re
from dataclasses import dataclass
from typing import Any

from morenashi.indexer.listing import RootMissingError
from morenashi.indexer.text import normalise
from morenashi.server.calls import vault_inputs
from morenashi.server.calls.vault_inputs import SearchMode
from morenashi.server.deadline import Deadline
from morenashi.server.errors import ToolError
from morenashi.server.linear import PatternError, compile_linear, escape
from morenashi.server.workspace import Workspace

from .line_search import LinePattern, TimeIsOverError
from .literals import Needs, needs_of_expression, needs_of_literal
from .loose_search import search_loosely
from .pattern_search import search_pattern
from .scope import note_scope
from .searched_files import list_searched_files
from .widened import widen

DEFAULT_LIMIT = 50
_SECONDS = 10.0
_MOST_UNSEARCHED = 20
# What a machine that backtracks would take, and RE2's own limits: to search these as plain text would mislead.
_NOT_FOR_RE2 = re.compile(r"\(\?(?:[=!>]|<[=!]|P=)|\\[1-9]")
_TOO_LARGE = re.compile("repetition size|too large|nested too deeply")


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A pattern, in which mode it is meant, and what lines must hold to match it."""

    pattern: LinePattern
    mode: SearchMode
    needs: Needs


def vault_search(workspace: Workspace, call: vault_inputs.VaultSearch, deadline: Deadline) -> dict[str, Any]:
    """List matching lines by path and line. What is no regular expression is searched as it is written."""
    scope = note_scope(workspace, call.relative_dir, call.glob)
    limit = call.limit or DEFAULT_LIMIT
    own_deadline = Deadline(1000 * _SECONDS, deadline)
    mode: SearchMode = call.mode or "regex"
    if mode == "loose" and not normalise(call.query).strip():
        raise ToolError("invalid_parameter", "query: expected a visible character", parameter="query")
    wanted = None if mode == "loose" else _parse(call.query, mode)
    try:
        files = list_searched_files(workspace, scope, wanted.needs if wanted else Needs())
        if wanted:
            results = search_pattern(workspace.config.vault, wanted.pattern, files, limit + 1, own_deadline)
        else:
            results = search_loosely(workspace, call.query, files, limit + 1, own_deadline)
    except RootMissingError:
        raise ToolError("forbidden", "the vault cannot be listed") from None
    except TimeIsOverError:
        message = f"query: the search took longer than {_SECONDS:g} seconds; narrow it by glob or relative_dir"
        raise ToolError("invalid_parameter", message, parameter="query", seconds=_SECONDS) from None
    return {
        "results": [
            {"path": path, "line": found.line, "snippet": f"{found.line}: {found.text}"}
            for path, found in results.lines[:limit]
        ],
        "mode": wanted.mode if wanted else mode,
        "truncated": len(results.lines) > limit,
        "unsearched": [{"path": path, "reason": reason} for path, reason in results.unsearched[:_MOST_UNSEARCHED]],
        "unsearched_count": len(results.unsearched),
        "files_in_scope": files.in_scope,
    }


def _parse(query: str, mode: SearchMode) -> _Wanted:
    """Raises `invalid_parameter` for what only a machine that backtracks can match, and for what no line does."""
    if mode == "regex":
        try:
            return _expression(query)
        except PatternError as error:
            if _NOT_FOR_RE2.search(query) or _TOO_LARGE.search(str(error)):
                message = f"query: expected a regular expression of RE2, without lookaround and backreferences: {error}"
                raise ToolError("invalid_parameter", message, parameter="query", expected="RE2 syntax") from None
    text = query.replace("\r\n", "\n").replace("\r", "\n")
    expression, needs = compile_linear(escape(text)), needs_of_literal(text)
    pattern = LinePattern(expression, is_within_lines=False) if "\n" in text else LinePattern(expression, needs.ascii)
    return _Wanted(pattern, "plain", needs)


def _expression(query: str) -> _Wanted:
    """Raises `PatternError`, and `invalid_parameter` for what no line holds."""
    compile_linear(query)
    expression, needs = compile_linear(f"(?m){widen(query)}", within_lines=True), needs_of_expression(query)
    if b"\n" in needs.ascii or b"\r" in needs.ascii:
        message = "query: an expression matches within one line; look for one of the lines, or use mode plain"
        raise ToolError("invalid_parameter", message, parameter="query", expected="what one line holds")
    return _Wanted(LinePattern(expression, needs.ascii), "regex", needs)
