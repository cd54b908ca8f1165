"""The work folder of a run: corpora, workspaces over them, and the peers' indexes. Each is made once."""

import json
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import gold
from .corpus import replicate
from .peers import Bigrams, Peer, Tantivy, cut_into_units


@dataclass(frozen=True, slots=True)
class Sizes:
    """Corpus sizes in MB (10^6 bytes), how many graded rows and saves are used at most, how long a load lasts."""

    main: float
    small: float
    searched: float
    growth: tuple[float, float]
    questions: int
    rows: int
    saves: int
    loaded: float
    find_seconds: float
    load_seconds: float


FULL = Sizes(
    main=65,
    small=1.3,
    searched=100,
    growth=(13, 130),
    questions=2_000,
    rows=10_000,
    saves=40,
    loaded=13,
    find_seconds=20,
    load_seconds=600,
)
QUICK = Sizes(
    main=6.5,
    small=1.3,
    searched=10,
    growth=(1.3, 13),
    questions=150,
    rows=30,
    saves=8,
    loaded=1.3,
    find_seconds=4,
    load_seconds=15,
)


@dataclass(frozen=True, slots=True)
class Corpus:
    """A workspace with manuals of a known size."""

    root: Path
    size_bytes: int
    files: int

    @property
    def manuals(self) -> Path:
        return self.root / "manuals"

    @property
    def database(self) -> Path:
        return self.root / "data" / "morenashi.db"


@dataclass(frozen=True, slots=True)
class BuiltPeer:
    """A peer's index of a corpus: seconds to read the files and index them, bytes on disk after it."""

    peer: Peer
    build_seconds: float
    size_bytes: int


class Lab:
    """Makes what the measurements need, below one folder."""

    def __init__(self, folder: Path, sizes: Sizes) -> None:
        self.sizes = sizes
        self._folder = folder
        self._peers: dict[float, list[BuiltPeer]] = {}
        folder.mkdir(parents=True, exist_ok=True)

    def corpus(self, megabytes: float) -> Corpus:
        """Replicated manuals, not indexed yet. One that an earlier run left in the same folder is taken."""
        root = self._folder / f"corpus-{megabytes:g}"
        label = root / "made-of.json"
        made_of = {"source": str(gold.manuals()), "megabytes": megabytes}
        if not label.exists() or json.loads(label.read_text("utf-8")) != made_of:
            shutil.rmtree(root, ignore_errors=True)
            replicate(gold.manuals(), root / "manuals", megabytes)
            label.write_text(json.dumps(made_of), "utf-8")
        sizes = [path.stat().st_size for path in (root / "manuals").rglob("*") if path.is_file()]
        return Corpus(root, sum(sizes), len(sizes))

    def indexed(self, megabytes: float) -> Corpus:
        """The same with an up-to-date index."""
        corpus = self.corpus(megabytes)
        reindex(corpus.root)
        return corpus

    def workspace(self, name: str) -> Path:
        """The root of an empty workspace of this name."""
        root = self._folder / name
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir(parents=True)
        return root

    def kept_workspace(self, name: str) -> Path:
        """The same with what an earlier run left in it, if the folder was kept."""
        root = self._folder / name
        root.mkdir(parents=True, exist_ok=True)
        return root

    def workspace_over(self, name: str, manuals: Path) -> Path:
        """The root of an indexed workspace over manuals that lie elsewhere and are not copied."""
        root = self.workspace(name)
        (root / "manuals").symlink_to(manuals.resolve(), target_is_directory=True)
        reindex(root)
        return root

    def peers(self, megabytes: float) -> list[BuiltPeer]:
        """Plain FTS5 and tantivy over the corpus of this size, on disk."""
        if megabytes not in self._peers:
            corpus = self.corpus(megabytes)
            home = self.workspace(f"peers-{megabytes:g}")
            database, folder = home / "bigrams.db", home / "tantivy"
            self._peers[megabytes] = [
                _built(Bigrams(database), corpus, database),
                _built(Tantivy(folder), corpus, folder),
            ]
        return self._peers[megabytes]

    def log(self, name: str) -> Path:
        """Where a server that was started for a measurement may write its log."""
        return self._folder / f"{name}.log"


def reindex(root: Path, *options: str) -> dict[str, Any]:
    """Run `morenashi reindex` in a process of its own; returns the summary that it prints."""
    command = [sys.executable, "-m", "morenashi", "reindex", "--workspace", str(root), "--json", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"reindex ended with {done.returncode}: {done.stderr.strip()}")
    summary: dict[str, Any] = json.loads(done.stdout)
    return summary


def size_on_disk(path: Path) -> int:
    """The bytes of a file with what SQLite keeps beside it, or of all files in a folder."""
    if path.is_dir():
        return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    return sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*"))


def _built(peer: Peer, corpus: Corpus, place: Path) -> BuiltPeer:
    started = time.perf_counter()
    peer.add(cut_into_units(corpus.manuals))
    return BuiltPeer(peer, time.perf_counter() - started, size_on_disk(place))
