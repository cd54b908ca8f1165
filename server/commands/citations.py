"""`morenashi citations`: which cited lines have moved, changed or gone since artifacts cited them.

What `artifact_audit` says of one artifact and one source, of all of them at once: of the citations that audits have
kept, and of what the bridge copied. Nothing is kept or renewed. Exit codes: 0 all hold, 1 some do not; the others as
`reindex`.
"""

import argparse
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from morenashi.indexer.collections import collection_of
from morenashi.indexer.config import Config
from morenashi.indexer.encodings import UndecodableError
from morenashi.indexer.terminal import DIFFERENT, DONE, notice, show
from morenashi.server.artifacts.json_graph import NoJsonError
from morenashi.server.artifacts.model import Artifact
from morenashi.server.artifacts.reading import read_artifact
from morenashi.server.delivery.citation_store import load_of_artifacts
from morenashi.server.delivery.citations import CitedFile, Fingerprint, State, Verdict
from morenashi.server.delivery.corrections import corrected_ranges
from morenashi.server.delivery.delivered import Root
from morenashi.server.delivery.renamed import likest
from morenashi.server.errors import ToolError
from morenashi.server.paths import parse_relative_path
from morenashi.server.ranges import Range
from morenashi.server.search.canonical import to_line
from morenashi.server.vault.actions import as_object
from morenashi.server.vault.sources import shown_path
from morenashi.server.whole_files import read_text, split_lines

from .opening import open_stored_index

_Source = tuple[Root, str]
_Kept = Mapping[_Source, Mapping[Range, Fingerprint]]


class _Cited(NamedTuple):
    """Lines that an artifact cites, and what has become of them."""

    artifact: str
    source: str
    span: Range
    verdict: Verdict


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Say what does not hold any more, the artifacts in order."""
    with open_stored_index(config) as connection:
        kept = load_of_artifacts(connection)
    cited = list(_Judge(config).judge_all(kept))
    differing = [one for one in cited if one.verdict.state != "same"]
    if arguments.json:
        show(to_line({"cited": len(cited), "differing": list(map(_as_object, differing))}))
    else:
        for one in differing:
            show(_as_text(one))
        notice(f"{len(cited)} cited ranges, of which {len(differing)} do not hold")
    return DIFFERENT if differing else DONE


class _Judge:
    """Judges citations by the files as they are now, each of which is read once for those that stand together."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._cited_file = lru_cache(8)(self._read_cited)

    def judge_all(self, kept: Mapping[str, _Kept]) -> Iterator[_Cited]:
        """What each artifact that is still there cites now, by what was kept of it."""
        notes = {file.path for file in collection_of(self._config, "vault").list().files}
        # A hidden file is no note, and may cite all the same.
        left = {path: kept[path] for path in sorted(kept.keys() - notes) if self._read("vault", path) is None}
        for path in sorted({*kept, *notes}):
            text = self._read("vault", path)
            # To read an artifact takes longer than its file.
            if text is not None and (path in kept or left or "source_sha256: " in text):
                artifact = _read_artifact(path, text)
                yield from self._judge(
                    path, artifact, kept[path] if path in kept else _of_other_name(path, artifact, left)
                )

    def _judge(self, path: str, artifact: Artifact | None, kept: _Kept) -> Iterator[_Cited]:
        named = None if artifact is None else {(span.first, span.last) for span in artifact.sources}
        files = {source: self._cited_file(*source) for source in kept}
        present = {span for source, file in files.items() if file for span in kept[source]}
        for source, fingerprints in kept.items():
            file = files[source]
            verdicts = {span: file.judge(cited) if file else Verdict("gone") for span, cited in fingerprints.items()}
            moved = {span: verdict.now for span, verdict in verdicts.items() if verdict.now}
            corrected = corrected_ranges(file, moved, named) if file and named else set()
            for span, verdict in verdicts.items():
                # What it does not name any more it does not cite, nor what it cites of the file by its new name.
                if (named is None or span in named) and (file or span not in present):
                    yield _Cited(path, shown_path(*source), span, Verdict("same") if span in corrected else verdict)
        yield from self._judge_copies(path, artifact, kept)

    def _judge_copies(self, path: str, artifact: Artifact | None, kept: _Kept) -> Iterator[_Cited]:
        """What was copied and never audited: it is cited from when it was copied."""
        for span, lines in (artifact.copied if artifact else {}).items():
            if span.file is None:
                continue
            cited = span.first, span.last
            source: _Source = "manual", span.file
            if cited in kept.get(source, {}):
                continue
            file = self._cited_file(*source)
            is_within = file is not None and span.last <= file.total
            verdict = file.judge(file.cite_copied(cited, lines)) if file and is_within else Verdict("gone")
            yield _Cited(path, shown_path(*source), cited, verdict)

    def _read_cited(self, root: Root, path: str) -> CitedFile | None:
        text = self._read(root, path)
        return None if text is None else CitedFile(split_lines(text))

    def _read(self, root: Root, path: str) -> str | None:
        """The text of a file; `None` if it cannot be read, or is not there any more."""
        folder = self._config.manuals if root == "manual" else self._config.vault
        try:
            return read_text(folder, parse_relative_path(path, "path", lambda _: True), "path")
        except (ToolError, OSError, UndecodableError):
            return None


def _of_other_name(path: str, artifact: Artifact | None, left: Mapping[str, _Kept]) -> _Kept:
    """The citations of an artifact from before it was renamed, or moved, as audits have it."""
    named = {(span.first, span.last) for span in artifact.sources} if artifact else set()
    other = likest(path, named, {one: set(chain.from_iterable(kept.values())) for one, kept in left.items()}, str)
    return left[other] if other else {}


def _read_artifact(path: str, text: str) -> Artifact | None:
    try:
        return read_artifact(path, text)
    except NoJsonError:
        return None


def _as_object(cited: _Cited) -> dict[str, object]:
    now = {"now": as_object(cited.verdict.now)} if cited.verdict.now else {}
    place = {"artifact_path": cited.artifact, "source_path": cited.source, **as_object(cited.span)}
    return place | {"state": cited.verdict.state} | now


def _as_text(cited: _Cited) -> str:
    where = f"{cited.source}:{_lines(cited.span)}"
    now = f" to {_lines(cited.verdict.now)}" if cited.verdict.now else ""
    return f"{cited.artifact}: {where} {_SAID[cited.verdict.state]}{now}"


def _lines(span: Range) -> str:
    first, last = span
    return f"{first}-{last}" if last > first else f"{first}"


_SAID: Mapping[State, str] = {"moved": "has moved", "changed": "has changed", "gone": "is gone"}
