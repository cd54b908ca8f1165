"""FTS5's own integrity-check after every operation: documents, notes and claims come, change, move and go."""

import contextlib
import random
import sqlite3
from collections.abc import Callable, Iterator

from morenashi.indexer.check import check_index
from morenashi.indexer.claim_index import CLASSES, SCOPES, add_claim, layer_of, remove_claim
from morenashi.indexer.collections import CollectionKind, collection_of
from morenashi.indexer.database import open_writer, transaction
from morenashi.indexer.dictionaries import load_dictionaries
from morenashi.indexer.sync import Observer, Synchroniser
from morenashi.indexer.writer_lock import hold_writer_lock

from ..examples import Rounds
from ..workspaces import WorkspaceFolder

OPERATIONS = 60, 10_000
TABLES = ("pairs", "words", "title_pairs", "claim_tokens")
NAMES = {
    "manuals": ("a/x.md", "a/y.md", "a/sub/z.json", "b/x.md", "b/y.md"),
    "vault": ("x.md", "y.txt", "deep/er/z.md", "daily/2026-01-02.md"),
}
PIECES = (
    "# 第一章 総則",
    "## 第三条（旅費）",
    "前条による。ただし、第五条の場合を除く。",
    "ｶﾞｷﾞ ガギ サーバー・server",
    "plain words, some-times joined",
    "",
    "```",
    "😀 𠀋 ﷺ e\u0301",
    "あ",
)


class Collection:
    """Manuals or notes and their open index."""

    def __init__(self, folder: WorkspaceFolder, kind: CollectionKind, connection: sqlite3.Connection) -> None:
        self._config = config = folder.config()
        self.connection = connection
        self.rebuilt: Callable[[], None] = lambda: None
        self._kind: CollectionKind = kind
        self._place = collection_of(config, kind)
        self._synchroniser = Synchroniser(config, connection, load_dictionaries(config.dictionaries), kind)

    def operate(self, chance: random.Random) -> None:
        """Change one file and tell the index of it, or have everything compared, or rebuilt now and then."""
        name = chance.choice(NAMES[self._kind])
        path = self._place.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        what = chance.choice(("rewrite", "rewrite", "insert", "delete", "remove", "rename"))
        lines = path.read_text("utf-8").split("\n") if path.exists() else []
        touched = [name]
        if what == "rename" and lines:
            touched.append(chance.choice(NAMES[self._kind]))
            target = self._place.root / touched[1]
            target.parent.mkdir(parents=True, exist_ok=True)
            path.replace(target)
        elif what == "remove":
            path.unlink(missing_ok=True)
        else:
            path.write_text("\n".join(_edited(lines, what, chance)), "utf-8")
        self._index(touched, chance.random())

    def _index(self, names: list[str], dice: float) -> None:
        if dice < 0.02:
            self._synchroniser.synchronise(full=True)
            self.rebuilt()
        elif dice < 0.3:
            self._synchroniser.synchronise()
        else:
            keys = [key for name in dict.fromkeys(names) if (key := self._place.key(tuple(name.split("/"))))]
            found = {key: self._place.list_one(key) for key in keys}
            gone = [key for key, file in found.items() if file is None]
            self._synchroniser.apply([file for file in found.values() if file], gone, Observer())

    def assert_sound(self) -> None:
        for table in TABLES:
            self.connection.execute(f"INSERT INTO {table} ({table}) VALUES ('integrity-check')")  # noqa: S608 - our own

    def assert_equals_the_disk(self) -> None:
        self._synchroniser.synchronise()
        assert check_index(self._config, self._kind).is_clean


class Claims:
    """The full-text rows of claims, added and removed."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._kept: dict[int, tuple[str, str]] = {}
        self._number = 0

    def forget(self) -> None:
        """A rebuild fills the rows from the table of claims, which is empty here."""
        self._kept = {}

    def remove_all(self) -> None:
        """The index as it was without these rows, which no table of claims has."""
        with transaction(self._connection):
            while self._kept:
                number, (layer, text) = self._kept.popitem()
                remove_claim(self._connection, number, layer, text)

    def operate(self, chance: random.Random) -> None:
        """Add a claim, or remove one."""
        with transaction(self._connection):
            if self._kept and chance.random() < 0.4:
                number = chance.choice(sorted(self._kept))
                remove_claim(self._connection, number, *self._kept.pop(number))
            else:
                self._number += 1
                layer = layer_of(chance.choice(SCOPES), chance.choice(CLASSES))
                text = " ".join(chance.choices(PIECES, k=chance.randrange(1, 4)))
                add_claim(self._connection, self._number, layer, text)
                self._kept[self._number] = layer, text


@contextlib.contextmanager
def opened(folder: WorkspaceFolder, kind: CollectionKind) -> Iterator[Collection]:
    place = collection_of(folder.config(), kind)
    with hold_writer_lock(place.database):
        connection, _ = open_writer(place.database)
        with contextlib.closing(connection):
            yield Collection(folder, kind, connection)


def _edited(lines: list[str], what: str, chance: random.Random) -> list[str]:
    new = chance.choices(PIECES, k=chance.randrange(1, 9))
    if what == "rewrite":
        return new
    at = chance.randrange(len(lines) + 1)
    return lines[:at] + (new if what == "insert" else []) + lines[at + (what == "delete") :]


def test_the_full_text_tables_are_sound_after_every_operation(workspace: WorkspaceFolder, rounds: Rounds) -> None:
    chance = random.Random(4)
    (workspace.root / "vault").mkdir()
    with opened(workspace, "manuals") as manuals, opened(workspace, "vault") as vault:
        claims = Claims(manuals.connection)
        manuals.rebuilt = claims.forget
        for _ in range(rounds(*OPERATIONS)):
            one = chance.choice((manuals, vault, claims))
            one.operate(chance)
            (vault if one is vault else manuals).assert_sound()
        claims.remove_all()
        manuals.assert_equals_the_disk()
        vault.assert_equals_the_disk()
