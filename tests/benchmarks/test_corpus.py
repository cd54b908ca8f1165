"""Corpora that are made of manuals: as large as asked for, the same every time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.corpus import replicate

from ..workspaces import clean_environment

_REPOSITORY = Path(__file__).parents[2]
_WORDS = [f"{first}{last}" for first in "申承提届変更確認" for last in "請認出書定日限者"]
_TEXTS = {
    "a/x.md": "# 休暇\n\n" + "は".join(_WORDS) + "\n\nApproval is required before submission\n",
    "b/y.json": '{"title": "保証 warranty", "text": "購入した日から一年間 \\u3042 repair without charge"}\n',
}
_MEGABYTES = 0.02


@pytest.fixture
def manuals(tmp_path: Path) -> Path:
    source = tmp_path / "source"
    for name, text in _TEXTS.items():
        (source / name).parent.mkdir(parents=True)
        (source / name).write_text(text, "utf-8")
    return source


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_corpus_has_the_size_that_was_asked_for_and_begins_with_the_manuals_as_they_are(
    manuals: Path, tmp_path: Path
) -> None:
    written = replicate(manuals, tmp_path / "corpus", _MEGABYTES)
    corpus = contents(tmp_path / "corpus")
    assert written == sum(map(len, corpus.values()))
    assert _MEGABYTES * 1e6 <= written < _MEGABYTES * 1e6 + max(len(text.encode()) for text in _TEXTS.values()) * 1.5
    assert {name: corpus[name.replace("/", "-00/", 1)].decode() for name in _TEXTS} == _TEXTS


def test_no_two_copies_of_a_manual_are_equal(manuals: Path, tmp_path: Path) -> None:
    replicate(manuals, tmp_path / "corpus", _MEGABYTES)
    copies = [text for name, text in contents(tmp_path / "corpus").items() if name.endswith("x.md")]
    assert len(set(copies)) == len(copies) > 3


def test_another_run_makes_the_same_corpus(manuals: Path, tmp_path: Path) -> None:
    """Also where sets have another order."""
    program = "import sys; from pathlib import Path; from benchmarks.corpus import replicate; "
    program += "replicate(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]))"
    for seed in ("1", "2"):
        arguments = [str(manuals), str(tmp_path / seed), str(_MEGABYTES)]
        environment = clean_environment() | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        subprocess.run([sys.executable, "-c", program, *arguments], cwd=_REPOSITORY, env=environment, check=True)
    assert contents(tmp_path / "1") == contents(tmp_path / "2")


def test_of_a_folder_without_manuals_no_corpus_is_made(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no manuals"):
        replicate(tmp_path / "nothing", tmp_path / "corpus", _MEGABYTES)
