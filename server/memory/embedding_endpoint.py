"""Vectors from an HTTP endpoint that speaks OpenAI's embedding schema: Ollama, LM Studio, vLLM and others.

`POST {url}/embeddings` with `{"model", "input": [...]}` is answered by `{"data": [{"index", "embedding"}]}`.
"""

import json
import re
import time
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from morenashi.indexer.config import ConfigError

from .embedding import EmbeddingError, RefusedTextError, Vector, unit

_TIMEOUT_SECONDS = 5.0
_MOST_SECONDS = 10.0
"""For a whole answer: one that comes a byte at a time passes no timeout of a socket."""

# 400, 413 and 422: what is wrong is in the request. Others say so of the key, the address or the moment.
_REFUSALS = frozenset({400, 413, 422})
_MOST_BYTES, _PIECE_BYTES = 64 << 20, 1 << 16
_KEY = re.compile("[!-~]+")


class HttpProvider:
    """An endpoint. It is sent what has been redacted, and nothing else."""

    def __init__(self, url: str, model: str, key: str | None) -> None:
        if not _is_address(url):
            raise ConfigError(
                "MEMORY_EMBEDDING_URL: expected a URL like http://127.0.0.1:11434/v1, without user, query or fragment"
            )
        if key and not _KEY.fullmatch(key):
            raise ConfigError("MEMORY_EMBEDDING_KEY: expected ASCII without blanks: a header carries nothing else")
        self.model = model
        self._url = f"{url.rstrip('/')}/embeddings"
        self._headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """A vector a text. Raises `EmbeddingError`."""
        body = json.dumps({"model": self.model, "input": list(texts)}).encode()
        try:
            data = json.loads(_post(self._url, body, self._headers))["data"]
            rows = {one["index"]: one["embedding"] for one in data}
            vectors = [unit(rows[place]) for place in range(len(texts))]
        except Exception as error:  # noqa: BLE001 - it may answer anything, and be broken in any way
            if getattr(error, "code", None) in _REFUSALS:
                raise RefusedTextError("the embedding endpoint refused a text") from None
            raise EmbeddingError(f"the embedding endpoint gave no vectors: {type(error).__name__}") from None
        if len({len(vector) for vector in vectors}) > 1:
            raise EmbeddingError("the embedding endpoint gave vectors of several lengths")
        return vectors


def _is_address(url: str) -> bool:
    """Whether an endpoint can be below it: a host, perhaps a port and a path. What cannot be asked for would look
    like one that is down.
    """
    try:
        parts = urlsplit(url)
        is_port = parts.port != 0
    except ValueError:
        return False
    is_bare = parts.username is None and not (parts.query or parts.fragment)
    has_blank = " " in url or not url.isprintable()
    return parts.scheme in ("http", "https") and bool(parts.hostname) and is_port and is_bare and not has_blank


def _post(url: str, body: bytes, headers: dict[str, str]) -> bytes:
    """What is answered at this address. Redirects are not followed: they would take the key and the texts elsewhere."""
    # With HTTP and TLS: they take longer to load than the rest of the package.
    import urllib.request as http
    from urllib.error import HTTPError

    opener = http.OpenerDirector()
    for handler in (http.ProxyHandler(), http.HTTPHandler(), http.HTTPSHandler(), http.HTTPErrorProcessor()):
        opener.add_handler(handler)
    opener.add_handler(http.HTTPDefaultErrorHandler())
    until = time.monotonic() + _MOST_SECONDS
    try:
        with opener.open(http.Request(url, body, headers), timeout=_TIMEOUT_SECONDS) as answer:
            return _read(answer, until)
    except HTTPError as error:
        # It is the answer, too, with its connection.
        error.close()
        raise


def _read(answer: Any, until: float) -> bytes:
    """The body of an answer of HTTP. Raises `TimeoutError` if it goes on after that moment of the monotonic clock."""
    received = bytearray()
    while len(received) < _MOST_BYTES and (piece := answer.read1(_PIECE_BYTES)):
        received += piece
        if time.monotonic() > until:
            raise TimeoutError
    return bytes(received)
