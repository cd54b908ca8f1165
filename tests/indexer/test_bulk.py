"""Large runs: in worker processes, their counts made at the end."""

import multiprocessing
import os
import signal

import pytest

from morenashi.indexer import term_counts
from morenashi.indexer.sync import BULK_BYTES, Observer

from ..workspaces import WorkspaceFolder
from .indexes import assert_full_text_is_sound, content, index, open_index, rebuilt


def write_much(workspace: WorkspaceFolder) -> int:
    """More than a small run, of few different pairs, so that it is read quickly; how many documents."""
    for number in range(30):
        body = f"# 第{number}章 settings{number}\n\n" + "旅費規程の宿泊料。\n" * 20
        workspace.write(f"a/{number:02}.md", body + "\n" + "ーｰ " * (BULK_BYTES // 200))
    return 30


class Once(Observer):
    """Does something when the first documents have been committed."""

    def __init__(self) -> None:
        self.happened = False

    def committed(self, keys: list[tuple[str, str]], size_bytes: int) -> None:
        if not self.happened:
            self.happened = True
            self.happen()

    def happen(self) -> None:
        raise NotImplementedError


def test_a_large_run_gives_the_same_index_as_small_ones(workspace: WorkspaceFolder) -> None:
    write_much(workspace)
    large = rebuilt(workspace)
    with open_index(workspace) as opened:
        files = opened.synchroniser.difference().new
        assert sum(file.size_bytes for file in files) > BULK_BYTES
        for start in range(0, len(files), 7):
            opened.synchroniser.apply(files[start : start + 7], [], Observer())
        opened.synchronise()
        assert_full_text_is_sound(opened)
        assert content(opened) == large


def test_a_large_run_leaves_no_setting_for_later_ones(workspace: WorkspaceFolder) -> None:
    write_much(workspace)
    with open_index(workspace) as opened:
        opened.synchronise()
        for table in ("pairs", "words"):
            assert opened.value(f"SELECT v FROM {table}_config WHERE k = 'hashsize'") == 1024 * 1024  # noqa: S608


def test_counts_are_complete_after_a_large_run(workspace: WorkspaceFolder) -> None:
    documents = write_much(workspace)
    with open_index(workspace) as opened:
        opened.synchronise()
        counts = dict(opened.rows("SELECT term, passages FROM term_counts WHERE kind = 'pair'"))
        held = dict(opened.rows("SELECT term, doc FROM pairs_vocabulary"))
        words = dict(opened.rows("SELECT term, passages FROM term_counts WHERE kind = 'word'"))
        frequent = dict(opened.rows("SELECT term, doc FROM words_vocabulary WHERE doc >= ?", term_counts.FREQUENT))
    assert counts == held
    assert words == frequent
    assert counts["旅費"] == documents


def test_counts_are_made_after_an_interruption(workspace: WorkspaceFolder) -> None:
    class Interruption(Once):
        def happen(self) -> None:
            raise KeyboardInterrupt

    documents = write_much(workspace)
    with pytest.raises(KeyboardInterrupt):
        index(workspace, observer=Interruption())
    with open_index(workspace) as opened:
        opened.synchronise()
        assert not term_counts.is_stale(opened.connection)
        query = "SELECT passages FROM term_counts WHERE kind = 'pair' AND term = '旅費'"
        assert opened.rows(query) == [(documents,)]


def test_a_worker_that_is_killed_loses_no_document(workspace: WorkspaceFolder) -> None:
    class Kill(Once):
        def happen(self) -> None:
            for worker in multiprocessing.active_children():
                os.kill(worker.pid or 0, signal.SIGKILL)

    documents = write_much(workspace)
    with open_index(workspace) as opened:
        observer = Kill()
        summary = opened.synchronise(observer=observer)
        assert observer.happened
        assert_full_text_is_sound(opened)
        assert opened.value("SELECT count(*) FROM documents WHERE status = 'indexed'") == documents
    assert summary.warnings == []
