"""Vectors from a static model in a folder, in the forms in which Model2Vec saves one."""

import json
import math
from pathlib import Path

import pytest

from morenashi.indexer.config import ConfigError
from morenashi.server.memory.embedding import RefusedTextError, unit
from morenashi.server.memory.static_model import StaticModel

from .static_models import write_model

LETTERS = ("犬", "猫", "株")
ROWS = [[9, 9, 9], [8, 2, 0], [4, 4, 1], [0, 1, 8]]
"""The first is that of what is unknown."""


@pytest.mark.parametrize("dtype", ["F16", "F32", "F64", "I8"])
def test_a_text_is_the_mean_of_its_tokens_in_any_type_of_numbers(tmp_path: Path, dtype: str) -> None:
    write_model(tmp_path / "model", LETTERS, {"embeddings": (dtype, ROWS)})
    (vector,) = StaticModel(tmp_path / "model").embed(["犬株"])
    assert vector == unit([8.0, 3.0, 8.0])


@pytest.mark.parametrize("is_unigram", [False, True])
def test_what_is_unknown_says_nothing(tmp_path: Path, is_unigram: bool) -> None:
    write_model(tmp_path / "model", LETTERS, {"embeddings": ("F32", ROWS)}, is_unigram=is_unigram)
    dog, with_riddle, riddle = StaticModel(tmp_path / "model").embed(["犬", "犬謎", "謎"])
    assert dog == with_riddle == unit(ROWS[1])
    assert list(riddle) == [0.0, 0.0, 0.0]


def test_tokens_of_a_quantised_vocabulary_share_rows_and_count_by_their_weights(tmp_path: Path) -> None:
    tensors: dict[str, tuple[str, list[list[float]]]] = {
        "embeddings": ("F16", [[1.0, 0.0], [0.0, 1.0]]),
        "mapping": ("I64", [[1], [0], [0], [1]]),
        "weights": ("F32", [[7.0], [3.0], [0.5], [2.0]]),
    }
    write_model(tmp_path / "model", LETTERS, tensors)
    assert StaticModel(tmp_path / "model").embed(["犬", "犬猫株"]) == [unit([1.0, 0.0]), unit([3.5, 2.0])]


@pytest.mark.parametrize("number", [math.inf, math.nan])
def test_a_text_that_the_model_has_no_numbers_for_is_refused_alone(tmp_path: Path, number: float) -> None:
    write_model(tmp_path / "model", LETTERS, {"embeddings": ("F16", [*ROWS[:3], [number, 0, 0]])})
    model = StaticModel(tmp_path / "model")
    assert model.embed(["犬"]) == [unit(ROWS[1])]
    with pytest.raises(RefusedTextError):
        model.embed(["株"])


def test_a_file_of_another_kind_is_refused_with_its_reason(tmp_path: Path) -> None:
    write_model(tmp_path / "model", LETTERS, {"embedding.weight": ("F32", ROWS)})
    with pytest.raises(ConfigError, match="no tensor `embeddings`"):
        StaticModel(tmp_path / "model")


@pytest.mark.parametrize(
    ("about", "reason"),
    [({"dtype": "BF16"}, "F16, F32, F64"), ({"shape": [5, 3]}, "not as long as its shape says")],
)
def test_tensors_that_cannot_be_read_are_refused(tmp_path: Path, about: dict[str, object], reason: str) -> None:
    write_model(tmp_path / "model", LETTERS, {"embeddings": ("F32", ROWS)})
    file = tmp_path / "model" / "model.safetensors"
    length = int.from_bytes(file.read_bytes()[:8], "little")
    header = json.loads(file.read_bytes()[8 : 8 + length])
    header["embeddings"] |= about
    changed = json.dumps(header).encode()
    file.write_bytes(len(changed).to_bytes(8, "little") + changed + file.read_bytes()[8 + length :])
    with pytest.raises(ConfigError, match=reason):
        StaticModel(tmp_path / "model")
