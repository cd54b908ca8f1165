"""Searches of the sample manuals, for pages that show what the program answers."""

import contextlib
import shutil
import tempfile
from pathlib import Path

from morenashi.indexer import database
from morenashi.indexer.config import read_config
from morenashi.indexer.dictionaries import load_dictionaries
from morenashi.indexer.sync import Synchroniser
from morenashi.server.asking import make_request
from morenashi.server.deadline import Deadline
from morenashi.server.search.find import Search
from morenashi.server.search.question.query import Query
from morenashi.server.search.scope import ScopeCache
from morenashi.server.search.traces import Trace

_SAMPLES = Path(__file__).resolve().parent.parent / "data" / "manuals"


def search_samples(question: str, manual_id: str | None) -> tuple[Query, Trace]:
    """The question, parsed, and the trace of its search in one sample manual or in all."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        shutil.copytree(_SAMPLES, root / "manuals")
        config = read_config({"WORKSPACE_ROOT": str(root)})
        dictionaries = load_dictionaries(config.dictionaries)
        config.database.parent.mkdir()
        writer, _ = database.open_writer(config.database)
        with contextlib.closing(writer):
            Synchroniser(config, writer, dictionaries).synchronise()
            request = make_request(question, manual_id, config, dictionaries)
            outcome = Search(writer, ScopeCache(), frozenset()).run(request, Deadline(60_000))
            return request.query, outcome.complete()
