"""Where vectors come from: an HTTP endpoint that speaks OpenAI's embedding schema, or a model in a local folder.

HTTP (Ollama, LM Studio, vLLM and others): `POST {url}/embeddings` with `{"model", "input": [...]}` is answered by
`{"data": [{"index", "embedding"}]}`. A folder holds a static model as Model2Vec saves it: `tokenizer.json`, and in
`model.safetensors` the tensor `embeddings`, a row a token; a text is the mean of its tokens' rows.
"""

import json
import math
import struct
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from morenashi.indexer.config import Config, ConfigError

Vector: TypeAlias = "array[float]"
"""Of length 1: cosines are dot products."""

_TIMEOUT_SECONDS = 5.0
# 400, 413 and 422: what is wrong is in the request. Others say so of the key, the address or the moment.
_REFUSALS = frozenset({400, 413, 422})
_MOST_BYTES = 64 << 20


class EmbeddingError(Exception):
    """The provider gave no vectors. The message names no text."""


class RefusedTextError(EmbeddingError):
    """The provider works, and does not take what it was sent: a text that is too long for it, say."""


class Provider(Protocol):
    """Makes vectors of texts, all of one length."""

    @property
    def model(self) -> str:
        """Names the model, and with it the vectors that go together."""

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """A vector a text. Raises `EmbeddingError`."""


def make_provider(config: Config) -> Provider | None:
    """The provider that the configuration names, if any. Raises `ConfigError`."""
    if config.memory_model_folder is not None:
        return StaticModel(config.root / config.memory_model_folder)
    if config.memory_embedding_url is None:
        return None
    if config.memory_embedding_model is None:
        raise ConfigError("MEMORY_EMBEDDING_MODEL: name the model that MEMORY_EMBEDDING_URL is to be asked for")
    key = config.memory_embedding_key.get_secret_value() if config.memory_embedding_key else None
    return HttpProvider(config.memory_embedding_url, config.memory_embedding_model, key)


class HttpProvider:
    """An endpoint. It is sent what has been redacted, and nothing else."""

    def __init__(self, url: str, model: str, key: str | None) -> None:
        if not url.startswith(("http://", "https://")):
            raise ConfigError("MEMORY_EMBEDDING_URL: expected a URL like http://127.0.0.1:11434/v1")
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


def _post(url: str, body: bytes, headers: dict[str, str]) -> bytes:
    """What is answered at this address. Redirects are not followed: they would take the key and the texts elsewhere."""
    import urllib.request as http  # With HTTP and TLS: longer than the rest of the package.

    opener = http.OpenerDirector()
    for handler in (http.ProxyHandler(), http.HTTPHandler(), http.HTTPSHandler(), http.HTTPErrorProcessor()):
        opener.add_handler(handler)
    opener.add_handler(http.HTTPDefaultErrorHandler())
    with opener.open(http.Request(url, body, headers), timeout=_TIMEOUT_SECONDS) as answer:
        received: bytes = answer.read(_MOST_BYTES)
    return received


class StaticModel:
    """A static model in a folder. Needs the package `tokenizers`."""

    def __init__(self, folder: Path) -> None:
        try:
            from tokenizers import Tokenizer

            self._tokenizer: Any = Tokenizer.from_file(str(folder / "tokenizer.json"))
            self._rows, self._width = _read_embeddings(folder / "model.safetensors")
        except ImportError:
            raise ConfigError("MEMORY_MODEL_FOLDER: install the package tokenizers to use a local model") from None
        except Exception as error:  # noqa: BLE001 - tokenizers raises nothing more special
            reason = str(error) or type(error).__name__
            raise ConfigError(f"MEMORY_MODEL_FOLDER: no Model2Vec model can be read in {folder}: {reason}") from None
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self.model = folder.resolve().name

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """A vector a text: the mean of its tokens' rows. Raises `RefusedTextError` for a token without one, as of a
        model whose tokens share rows.
        """
        encodings = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [self._mean(encoding.ids) for encoding in encodings]

    def _mean(self, ids: Sequence[int]) -> Vector:
        width = self._width
        rows = [self._rows[number * width : (number + 1) * width] for number in ids]
        if not all(map(len, rows)):
            raise RefusedTextError("the model in the folder has no row for a token")
        return unit([sum(column) for column in zip(*rows, strict=True)] if rows else [0.0] * width)


def _read_embeddings(path: Path) -> tuple[Vector, int]:
    """The tensor `embeddings` (safetensors: the header's length, 8 bytes; the header, JSON; the data)."""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    about = json.loads(data[8 : 8 + length])["embeddings"]
    if about["dtype"] != "F32":
        raise ValueError("expected 32-bit floats")
    start, end = (8 + length + offset for offset in about["data_offsets"])
    return array("f", data[start:end]), int(about["shape"][1])


def unit(values: Sequence[float]) -> Vector:
    """The same direction, of length 1; zeros stay zeros. Raises `ValueError` for what is not finite."""
    numbers = [float(value) for value in values]
    length = math.sqrt(sum(number * number for number in numbers))
    if not math.isfinite(length):
        raise ValueError("expected finite numbers")
    return array("f", [number / length if length else 0.0 for number in numbers])
