"""The user's own dictionaries: those that keep a server from starting, and what in them does nothing."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from morenashi.indexer.config import ConfigError
from morenashi.indexer.dictionaries import find_idle_lines
from morenashi.indexer.exception_entries import ExceptionKind
from morenashi.indexer.presence import is_file, is_folder

from .findings import Finding, counted, listed

_EXPECTED = {
    "exceptions.txt": (
        f"a kind is one of {', '.join(get_args(ExceptionKind))}, in brackets; an expression has its braces closed"
    ),
    "synonyms.txt": "a group is two words or more, with commas between",
    "okurigana.txt": "what may be left out stands in parentheses (取(り)消(し)), or spellings with commas between",
    "verbs.txt": "a verb, a comma, and the nouns that say the same",
}


def dictionary_findings(own: Path) -> Iterator[Finding]:
    """What is wrong with the dictionaries in a folder, which need not exist."""
    try:
        idle = find_idle_lines(own)
    except ConfigError as error:
        yield Finding(
            "dictionary_unreadable",
            "error",
            str(error),
            "no server starts with a dictionary that it cannot read",
            "save it as UTF-8, let the user who runs the server read it, or move it away",
        )
        return
    for name, lines in idle.items():
        yield Finding(
            "dictionary_idle",
            "warning",
            f"{own.name}/{name}: {counted(len(lines), 'line')} not as expected: {listed(list(map(str, lines)))}",
            _EXPECTED[name],
            "mend it, or take it out; docs/completeness.md says how entries are written",
        )
    if os.path.lexists(own) and not is_folder(own):
        yield _passed_over(f"{own} is no folder", "make it a folder with the dictionaries in it, or move it away")
    for name in _EXPECTED:
        if os.path.lexists(own / name) and not is_file(own / name):
            yield _passed_over(f"{own.name}/{name} is no file", "put a text file there, or move it away")
    if others := sorted(path.name for path in own.glob("*.txt") if path.name not in _EXPECTED):
        yield Finding(
            "dictionary_unknown",
            "warning",
            f"{own.name}/: {counted(len(others), 'file')} of another name: {listed(others)}",
            f"only {', '.join(_EXPECTED)} are read",
            "give it the name of one of these, or move it away",
        )


def _passed_over(what: str, advice: str) -> Finding:
    return Finding("dictionary_passed_over", "warning", what, "the server starts without what it was to hold", advice)
