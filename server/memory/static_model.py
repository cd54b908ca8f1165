"""Vectors from a static model in a folder, as Model2Vec saves it, in this process.

`tokenizer.json`, and `model.safetensors` with the tensor `embeddings`, a row a token; a text is the mean of its tokens'
rows, without those of the token for what is unknown. Of a model whose vocabulary is quantised several tokens share a
row: `mapping` has the row of each, `weights` what that counts
(https://github.com/MinishLab/model2vec, `persistence.py` and `model.py`).
"""

import json
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from morenashi.indexer.config import ConfigError

from .embedding import RefusedTextError, Vector, unit

# The types of numbers that safetensors names, for `struct`.
_CODES = {"F16": "e", "F32": "f", "F64": "d", "I8": "b", "I32": "i", "I64": "q"}


class StaticModel:
    """A static model in a folder. Needs the package `tokenizers`."""

    def __init__(self, folder: Path) -> None:
        try:
            from tokenizers import Tokenizer

            self._tokenizer: Any = Tokenizer.from_file(str(folder / "tokenizer.json"))
            self._unknown = _find_unknown(self._tokenizer, folder / "tokenizer.json")
            tensors = _read_tensors(folder / "model.safetensors")
            if "embeddings" not in tensors:
                raise ValueError("model.safetensors has no tensor `embeddings`")
        except ImportError:
            raise ConfigError("MEMORY_MODEL_FOLDER: install the package tokenizers to use a local model") from None
        except Exception as error:  # noqa: BLE001 - tokenizers raises nothing more special
            reason = str(error) or type(error).__name__
            raise ConfigError(f"MEMORY_MODEL_FOLDER: no Model2Vec model can be read in {folder}: {reason}") from None
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._embeddings = tensors["embeddings"]
        self._mapping, self._weights = tensors.get("mapping"), tensors.get("weights")
        self.model = folder.resolve().name

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """A vector a text. Raises `RefusedTextError` for a token that the model has no row for, or none of numbers."""
        encodings = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [self._mean(encoding.ids) for encoding in encodings]

    def _mean(self, tokens: Sequence[int]) -> Vector:
        rows = [self._row(token) for token in tokens if token != self._unknown]
        try:
            return unit([sum(column) for column in zip(*rows, strict=True)] if rows else [0.0] * self._embeddings.width)
        except ValueError:
            raise RefusedTextError("the model in the folder has no finite numbers for a token") from None

    def _row(self, token: int) -> Sequence[float]:
        row = self._embeddings.row(token if self._mapping is None else int(self._mapping.row(token)[0]))
        if self._weights is None:
            return row
        (weight,) = self._weights.row(token)
        return [weight * value for value in row]


class _Tensor:
    """A tensor of one dimension or two, read a row at a time: a model is as large in memory as on disk."""

    def __init__(self, data: memoryview, dtype: str, shape: Sequence[int]) -> None:
        if dtype not in _CODES:
            raise ValueError(f"expected numbers of one of the types {', '.join(_CODES)}")
        rows, *widths = shape
        (self.width,) = widths or [1]
        self._format = struct.Struct(f"<{self.width}{_CODES[dtype]}")
        if len(data) != rows * self._format.size:
            raise ValueError("a tensor is not as long as its shape says")
        self._data, self._rows = data, rows

    def row(self, number: int) -> Sequence[float]:
        """The numbers of a row. Raises `RefusedTextError` if there is none."""
        if not 0 <= number < self._rows:
            raise RefusedTextError("the model in the folder has no row for a token")
        return self._format.unpack_from(self._data, number * self._format.size)


def _find_unknown(tokenizer: Any, path: Path) -> int | None:
    """The id of the token for what is unknown, if there is one. Of a Unigram model its file alone tells it."""
    if hasattr(tokenizer.model, "unk_token"):
        name = tokenizer.model.unk_token
        return None if name is None else tokenizer.token_to_id(name)
    unknown: int | None = json.loads(path.read_bytes())["model"].get("unk_id")
    return unknown


def _read_tensors(path: Path) -> dict[str, _Tensor]:
    """The tensors of a file (safetensors: the header's length, 8 bytes; the header, JSON; the data), by name."""
    data = memoryview(path.read_bytes())
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(bytes(data[8 : 8 + length]))
    values = data[8 + length :]
    return {
        name: _Tensor(values[slice(*about["data_offsets"])], about["dtype"], about["shape"])
        for name, about in header.items()
        if name != "__metadata__"
    }
