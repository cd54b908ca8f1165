"""The completeness certificate (contract §4), recomputed from the files by code of its own.

Knows nothing of the product but what a client sees: the answer of a search, its lists, and the ranges
that anybody reads with SQLite. It reads, decodes, normalises and cuts the files by itself.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LARGEST_BYTES = 64 * 1024 * 1024
_LINE_END = re.compile(r"\r\n|\r|\n")
_HEADING = re.compile(r"#{1,6} ")
_HYPHENS = re.compile("[‐‑‒–—―−]")
_ACCENTS = re.compile("[\u0300-\u036f]")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_LISTED_WHOLE = ("unreadable", "encoding", "too_large", "changed_since_index")

Range = tuple[str, str, int, int]
"""(reason, path, first line, last line)"""


@dataclass(frozen=True)
class Evidence:
    """What a client has after a search of one manual: the summary, and the lists behind it."""

    query: str
    summary: dict[str, Any]
    candidates: Sequence[tuple[str, int]]
    unscanned: Sequence[tuple[str, str, int]]
    ranges: Sequence[Range]


@dataclass(frozen=True)
class File:
    """A document as this script reads it. `lines` are `None` where nobody can, for the reason `problem`."""

    lines: list[str] | None
    problem: str | None = None


def read_files(manual: Path) -> dict[str, File]:
    """The documents of a manual by their path."""
    paths = sorted(path for path in manual.rglob("*") if path.suffix in (".md", ".json"))
    return {path.relative_to(manual).as_posix(): _read(path) for path in paths if path.is_file()}


def objections(evidence: Evidence, files: dict[str, File]) -> list[str]:
    """What is wrong with the certificate; nothing, if it holds."""
    return [*_sums(evidence, files), *_lists(evidence), *_reasons(evidence, files), *_reach(evidence, files)]


def holds(query: str, line: str) -> bool:
    """Whether a line contains a term of a query: of words set apart by blanks, a sign or more each."""
    return any(term in normalise(line) for term in normalise(query).split())


def normalise(text: str) -> str:
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    text = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text)))
    return _HYPHENS.sub("-", _INVISIBLE.sub("", text))


def _read(path: Path) -> File:
    try:
        if path.stat().st_size > LARGEST_BYTES:
            return File(None, "too_large")
        data = path.read_bytes()
    except OSError:
        return File(None, "unreadable")
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        lines = _LINE_END.split(data.decode(encoding))
    except UnicodeDecodeError:
        return File(None, "encoding")
    return File(lines[:-1] if lines[-1] == "" else lines)


def _sums(evidence: Evidence, files: dict[str, File]) -> Iterator[str]:
    lines = evidence.summary["completeness"]["lines"]
    if lines["examined"] + lines["unexamined"] != lines["total"]:
        yield f"{lines['examined']} examined and {lines['unexamined']} unexamined lines are not {lines['total']}"
    listed = sum(last - first + 1 for _, _, first, last in evidence.ranges)
    if listed != lines["unexamined"]:
        yield f"{lines['unexamined']} lines are unexamined, {listed} are listed"
    # How many lines a file has that cannot be read, or is not what was indexed, nobody can say from the disk.
    whole = {(path, last - first + 1) for reason, path, first, last in evidence.ranges if reason in _LISTED_WHOLE}
    counted = sum(len(f.lines) for path, f in files.items() if f.lines is not None and path not in dict(whole))
    if counted + sum(count for _, count in whole) != lines["total"]:
        yield f"the files have {counted} lines beside {len(whole)} that are listed whole, not {lines['total']}"


def _lists(evidence: Evidence) -> Iterator[str]:
    summary = evidence.summary
    if summary["candidates"] != len(evidence.candidates):
        yield f"{summary['candidates']} candidates are counted, {len(evidence.candidates)} are listed"
    if summary["unscanned_sections_count"] != len(evidence.unscanned):
        yield f"{summary['unscanned_sections_count']} unscanned places are counted, {len(evidence.unscanned)} listed"
    if sorted(evidence.unscanned) != sorted((reason, path, first) for reason, path, first, _ in evidence.ranges):
        yield "the unscanned places of the list are not those of the ranges"


def _reasons(evidence: Evidence, files: dict[str, File]) -> Iterator[str]:
    listed: dict[str, set[str]] = {}
    for reason, path, _, _ in evidence.ranges:
        listed.setdefault(path, set()).add(reason)
    for path, file in files.items():
        if file.problem and not listed.get(path, set()) & {file.problem, "changed_since_index"}:
            yield f"{path} is {file.problem}, and listed as {listed.get(path)}"


def _reach(evidence: Evidence, files: dict[str, File]) -> Iterator[str]:
    matching = [
        (path, number, file)
        for path, file in files.items()
        for number, line in enumerate(file.lines or (), 1)
        if holds(evidence.query, line)
    ]
    for path, number, file in matching:
        if not _is_reached(evidence, path, number, file):
            yield f"{path}:{number} holds a term, and is neither in a candidate's section nor unscanned"
    status = evidence.summary["completeness"]["status"]
    if status == "absent" and (matching or evidence.ranges or any(file.problem for file in files.values())):
        yield f"absent, with {len(matching)} matching lines and {len(evidence.ranges)} places not examined"


def _is_reached(evidence: Evidence, path: str, number: int, file: File) -> bool:
    for reason, found, first, last in evidence.ranges:
        # A file that is listed whole is so with all lines that it may have by now.
        if found == path and (reason in _LISTED_WHOLE or first <= number <= last):
            return True
    return any(
        found == path and (path.endswith(".json") or _section(file, line) == _section(file, number))
        for found, line in evidence.candidates
    )


def _section(file: File, number: int) -> int:
    """The line of the heading above a line; 0 above all headings. These files have headings with # alone."""
    lines = (file.lines or [])[:number]
    return next((line for line in range(len(lines), 0, -1) if _HEADING.match(lines[line - 1])), 0)
