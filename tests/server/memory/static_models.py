"""Static models in folders, as Model2Vec saves them."""

import json
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

CODES = {"F16": "e", "F32": "f", "F64": "d", "I8": "b", "I32": "i", "I64": "q"}
"""The types of numbers that safetensors names, for `struct`."""

Tensor = tuple[str, Sequence[Sequence[float]]]
"""A type and the rows."""


def write_model(
    folder: Path, letters: Sequence[str], tensors: Mapping[str, Tensor], *, is_unigram: bool = False
) -> None:
    """A model whose tokens are single characters: 0 for an unknown one, then these from 1 on."""
    tokenizers = pytest.importorskip("tokenizers")
    vocabulary = {letter: number for number, letter in enumerate(("[UNK]", *letters))}
    if is_unigram:
        model = tokenizers.models.Unigram([(letter, -1.0) for letter in vocabulary], unk_id=0)
    else:
        model = tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]")
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Split("", "isolated")
    folder.mkdir()
    tokenizer.save(str(folder / "tokenizer.json"))
    about, data = {}, b""
    for name, (dtype, rows) in tensors.items():
        packed = b"".join(struct.pack(f"<{len(row)}{CODES[dtype]}", *row) for row in rows)
        shape = [len(rows), len(rows[0])]
        about[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(packed)]}
        data += packed
    header = json.dumps(about).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + data)
