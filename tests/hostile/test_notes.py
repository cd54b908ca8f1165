"""Hostile notes beside harmless twins: every tool answers the same of both, in all fields but those of text."""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from morenashi.server.edge.registry import TOOLS

from ..examples import Rounds
from ..server.memory.policies import EXAMPLE
from ..server.serving import Serving, serving_indexed
from ..workspaces import WorkspaceFolder, eventually, make_workspace
from .attacked import Attacked, assert_quiet
from .comparing import OF_FINDINGS, OF_THE_RUN, OF_THE_SERVER, TEXT, equal_part, fields_of_text
from .notes import KINDS, Note, harmless, make_notes

Said = list[tuple[str, Any]]
"""The calls of a session: the tool, and what has to be equal of the answer."""

QUERIES = ("申請", "期限 三十日", "install administrator", "題", "住民票と印鑑は必要か", "存在しない言葉")
BASE = "# 基本\n\n申請は窓口で行う。\n\n| ID | 内容 | 次 | source_lines |\n| - | - | - | - |\n| a | 申請 | b | 1-3 |\n"


def test_a_twin_is_as_long_as_its_note_and_says_something_else() -> None:
    for piece in KINDS.values():
        twin = harmless(piece)
        assert twin != piece
        assert len(twin) == len(piece)
        assert [len(line.encode()) for line in twin.split("\n")] == [len(line.encode()) for line in piece.split("\n")]


def test_every_field_of_text_is_known() -> None:
    """A new one has to be put into one of the lists, by somebody who has looked whose text it holds."""
    assert set(fields_of_text()) - TEXT - OF_FINDINGS - OF_THE_RUN - OF_THE_SERVER == set()


def write(root: Path, files: dict[str, str]) -> WorkspaceFolder:
    """The same files as a manual and as notes."""
    folder = make_workspace(root)
    for path, text in {"base.md": BASE, **files}.items():
        folder.write(f"m/{path}", text)
        note = folder.root / "vault" / "notes" / path
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_bytes(text.encode())
    return folder


class Session:
    """Calls to one of the two servers, and what was said; what comes from an answer goes into the next call."""

    def __init__(self, server: Attacked, paths: dict[str, str]) -> None:
        self.server = server
        self.paths = paths
        self.said: Said = []

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        body = self.server.send(tool, arguments)
        self.said.append((tool, equal_part(body, self.paths)))
        return body

    def search(self) -> None:
        """All that searches and lists, over all notes together."""
        for tool, arguments in (
            ("get_tooling_guide", {}),
            ("manual_list", {}),
            ("manual_ls", {"limit": 500}),
            ("manual_toc", {"manual_id": "m", "limit": 500}),
            ("manual_excepts", {"manual_id": "m", "limit": 500}),
            ("vault_ls", {"path": "notes"}),
        ):
            self.call(tool, **arguments)
        for query in QUERIES:
            for find in ("manual_find", "vault_find"):
                found = self.call(find, query=query, budget={"max_candidates": 1_000})
                for kind in ("candidates", "integrated_top", "unscanned", "conflicts", "gaps"):
                    self.call("manual_hits", trace_id=found["trace_id"], kind=kind, limit=500)
            for mode in ("plain", "regex", "loose"):
                self.call("vault_search", query=query, mode=mode, limit=500)

    def read(self, path: str) -> None:
        """All that reads, copies and checks one note."""
        ref = {"target": "manual", "manual_id": "m", "path": path}
        note, cited = f"notes/{path}", [{"start_line": 1, "end_line": 2}]
        for scope in ("snippet", "section", "sections", "file"):
            self.call("manual_read", ref={**ref, "start_line": 3}, scope=scope, limits={"allow_file": True})
        self.call("vault_read", path=note, full=True)
        self.call("vault_read", path=note, range={"start_line": 2, "end_line": 3})
        self.call("vault_scan", path=note, chunk_lines=3)
        self.call("vault_coverage", path=note, cited_ranges=cited)
        self.call("artifact_audit", artifact_path=note, source_path="notes/base.md", cited_ranges=cited)
        self.call("artifact_audit", artifact_path="notes/base.md", source_path=f"manuals/m/{path}")
        self.call("bridge_copy_section", from_ref=ref, to_path=f"copies/{path}", mode="append")
        self.call(
            "bridge_copy_file", manual_id="m", from_path=path, to_path=f"files/{path}", mode="append",
            limits={"allow_file": True},
        )  # fmt: skip

    def write(self, path: str, text: str) -> None:
        """All that writes; the text comes from the caller."""
        self.call("vault_create", path=f"written/{path}", content=text)
        self.call("vault_write", path=f"written/{path}", content=text, mode="append")
        self.call("vault_replace", path=f"written/{path}", find="題", replace=text, max_replacements=100)

    def remember(self, text: str) -> None:
        """All of memory, with a claim of this text."""
        kept = self.call("pce_memory_upsert", text=text, provenance={"at": "2026-01-02T03:04:05Z", "note": text})
        if "data" in kept:
            self.call("pce_memory_feedback", claim_id=kept["data"]["id"], signal="helpful")
        self.call("pce_memory_boundary_validate", payload=text)
        self.call("pce_memory_policy_apply", yaml=f"{EXAMPLE}\nmeta: {{note: {json.dumps(text)}}}\n", dry_run=True)

    def recall(self) -> None:
        for query in QUERIES:
            self.call("pce_memory_search", query=query, include_meta=True, top_k=50)
            self.call("pce_memory_activate", q=query, include_meta=True, top_k=50)


@contextlib.contextmanager
def session(root: Path, files: dict[str, str], paths: dict[str, str]) -> Iterator[Session]:
    with serving_indexed(write(root, files), ALLOW_FILE_SCOPE="true", ADAPTIVE_TUNING="false") as serving:
        serving.call("pce_memory_policy_apply", yaml=EXAMPLE)
        assert eventually(lambda: is_indexed(serving))
        yield Session(Attacked(serving, {}), paths)


def is_indexed(serving: Serving) -> bool:
    """Whether the notes are; the manuals have been before."""
    return bool(serving.call("vault_find", query="題")["summary"]["completeness"]["pending_files"] == 0)


def hold(opened: Session, notes: list[tuple[str, str, str]]) -> Said:
    """The whole session over notes, each (path, text, piece of text)."""
    opened.search()
    for path, text, _ in notes:
        opened.read(path)
        # Names of every kind are copied to; written they are only once.
        if len(path) == len("000-note.md"):
            opened.write(path, text)
    for piece in dict.fromkeys(piece for *_, piece in notes):
        opened.remember(f"申請は窓口で行う。 {piece[:2_000]}")
    opened.recall()
    return opened.said


def test_what_notes_say_changes_nothing_but_text(
    tmp_path: Path, rounds: Rounds, capfd: pytest.CaptureFixture[str]
) -> None:
    notes: list[Note] = make_notes(rounds(6, 300))
    twins = {note.twin_path: note.path for note in notes}
    with session(tmp_path / "hostile", {note.path: note.text for note in notes}, {}) as opened:
        of_notes = hold(opened, [(note.path, note.text, KINDS[note.kind]) for note in notes])
        folder = opened.server.serving.folder
    log = capfd.readouterr().err
    with session(tmp_path / "twins", {note.twin_path: note.twin_text for note in notes}, twins) as opened:
        of_twins = hold(opened, [(note.twin_path, note.twin_text, harmless(KINDS[note.kind])) for note in notes])
    assert {tool for tool, _ in of_notes} == set(TOOLS)
    assert len(of_notes) == len(of_twins)
    for said, of_twin in zip(of_notes, of_twins, strict=True):
        assert said == of_twin
    assert_quiet(folder, log)
    assert [kind for kind, piece in KINDS.items() if piece[:40] in log.replace("\\", "")] == []
