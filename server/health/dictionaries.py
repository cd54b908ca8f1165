"""The user's own dictionaries: those that keep a server from starting, what of them is passed over or does nothing."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from morenashi.indexer.config import ConfigError
from morenashi.indexer.dictionaries import find_idle_lines, read_own
from morenashi.indexer.dictionary_files import DictionaryFile
from morenashi.indexer.exception_entries import ExceptionKind
from morenashi.indexer.presence import is_folder

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
        files = read_own(own)
    except ConfigError as error:
        yield Finding(
            "dictionary_unreadable",
            "error",
            str(error),
            "no server starts with a dictionary that it may not read",
            "let the user who runs the server read it, or move it away",
        )
        return
    for name, file in files.items():
        yield from _encoding_findings(f"{own.name}/{name}", file)
    for name, lines in find_idle_lines(files).items():
        yield Finding(
            "dictionary_idle",
            "warning",
            f"{own.name}/{name}: {counted(len(lines), 'line')} not as expected: {listed(list(map(str, lines)))}",
            _EXPECTED[name],
            "mend it, or take it out; docs/completeness.md says how entries are written",
        )
    if os.path.lexists(own) and not is_folder(own):
        yield _passed_over(f"{own} is no folder", "make it a folder with the dictionaries in it, or move it away")
    for name, file in files.items():
        if file.is_no_file:
            yield _passed_over(f"{own.name}/{name} is no file", "put a text file there, or move it away")
    if others := sorted(path.name for path in own.glob("*.txt") if path.name not in _EXPECTED):
        yield Finding(
            "dictionary_unknown",
            "warning",
            f"{own.name}/: {counted(len(others), 'file')} of another name: {listed(others)}",
            f"only {', '.join(_EXPECTED)} are read",
            "give it the name of one of these, or move it away",
        )


def _encoding_findings(name: str, file: DictionaryFile) -> Iterator[Finding]:
    if file.unreadable:
        numbers = listed(list(map(str, file.unreadable)))
        yield Finding(
            "dictionary_broken",
            "warning",
            f"{name}: {counted(len(file.unreadable), 'line')} cannot be read: {numbers}",
            f"read as {file.codec}, the bytes there are no text; the server starts without these lines",
            "write them anew, and save it as UTF-8",
        )
    if file.codec != "utf-8":
        yield Finding(
            "dictionary_encoding",
            "note",
            f"{name} is read as {file.codec}",
            "it is not UTF-8, and its encoding is told by what it says",
            "nothing if its words are found; or save it as UTF-8",
        )


def _passed_over(what: str, advice: str) -> Finding:
    return Finding("dictionary_passed_over", "warning", what, "the server starts without what it was to hold", advice)
