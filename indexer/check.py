"""Does the index say what the disk says? Compares, repairs nothing."""

import contextlib
import sqlite3
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from . import audit, claim_index
from .collections import Collection, CollectionKind, collection_of, display_name
from .config import Config, ConfigError
from .database import damage_of, may_pass, open_reader
from .dictionaries import Dictionaries, load_dictionaries
from .files import DiskFile, content_hash
from .listing import Listing
from .prepare import Preparer
from .presence import is_there
from .references import resolve_references
from .salvage import describe
from .schema import dictionary, is_ours, refuse_newer
from .sync import find_difference

OWN_EXCEPTIONS = "dictionaries/exceptions.txt"


@dataclass(frozen=True, slots=True)
class CheckReport:
    """Paths are `manual_id/path`, in the vault `path`; the dictionary of exceptions, which manuals are indexed with, is
    `OWN_EXCEPTIONS`. `faults` are what SQLite, FTS5, scans of the texts, sampled files and a fresh resolution of the
    references say against the index, or that another version made it.
    """

    new: list[str]
    changed: list[str]
    gone: list[str]
    faults: list[str]

    @property
    def is_clean(self) -> bool:
        return not (self.new or self.changed or self.gone or self.faults)

    def as_json(self) -> dict[str, Any]:
        return {"clean": self.is_clean, **asdict(self)}


def check_index(config: Config, kind: CollectionKind = "manuals") -> CheckReport:
    """Compare the index with the disk by content and with its own texts, and run SQLite's and FTS5's checks.

    Raises `RootMissingError`, `DatabaseTooNewError`, or `sqlite3.OperationalError` if the database cannot be examined
    (`database.may_pass`: it is locked for long, the disk is full or fails): a rebuild would mend none of that.
    """
    collection = collection_of(config, kind)
    listing = collection.list()
    if not is_there(collection.database):
        return CheckReport([display_name(file.key) for file in listing.files], [], [], ["there is no database yet"])
    try:
        return _compare(collection, listing, _read_dictionaries(config))
    except sqlite3.DatabaseError as error:
        if may_pass(error):
            raise
        return CheckReport([], [], [], [f"the database cannot be read, it is malformed: {describe(error)}"])


def _compare(collection: Collection, listing: Listing, dictionaries: Dictionaries | None) -> CheckReport:
    database = collection.database
    with contextlib.closing(open_reader(database)) as reader:
        refuse_newer(reader)
        if not is_ours(reader):
            return CheckReport([], [], [], ["index_state: another version made the index; it has to be made anew"])
        difference = find_difference(reader, listing)
        changed = _changed_content(reader, listing, collection.root)
        faults = damage_of(reader)
        has_exceptions = collection.kind == "manuals"
        is_outdated = has_exceptions and dictionaries is not None and dictionaries.digest != dictionary(reader)
    faults += _full_text_faults(database)
    if not faults:
        # What SQLite calls damaged cannot be compared.
        unlike = {file.key for file in difference.new + changed}
        unchanged = [file for file in listing.files if file.key not in unlike]
        exceptions = dictionaries.exceptions if dictionaries else ()
        preparer = Preparer(collection.root, exceptions if has_exceptions else None)
        is_same_dictionary = dictionaries is not None and not is_outdated
        faults = _text_faults(database, preparer, unchanged, is_same_dictionary=is_same_dictionary)
    own = [OWN_EXCEPTIONS] if is_outdated else []
    return CheckReport(
        [display_name(file.key) for file in difference.new],
        [*own, *(display_name(file.key) for file in changed)],
        [display_name(key) for key in difference.gone],
        faults,
    )


def _read_dictionaries(config: Config) -> Dictionaries | None:
    """`None` if they cannot be read: nobody indexes with such, and nothing is said of what would come of it."""
    try:
        return load_dictionaries(config.dictionaries)
    except ConfigError:
        return None


def _changed_content(reader: sqlite3.Connection, listing: Listing, root: Path) -> list[DiskFile]:
    known = {(row[0], row[1]): (row[2], row[3]) for row in reader.execute(_HASHES)}
    changed = []
    for file in listing.files:
        status, sha256 = known.get(file.key, (None, None))
        if status is not None and status != "too_large" and content_hash(root, file) != sha256:
            changed.append(file)
    return changed


def _text_faults(
    database: Path, preparer: Preparer, unchanged: list[DiskFile], *, is_same_dictionary: bool
) -> list[str]:
    """What scans, files and a fresh resolution of the references say against the index, in one state of it."""
    with contextlib.closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
        connection.execute("BEGIN")
        return [
            *audit.index_faults(connection),
            *audit.document_faults(connection, preparer, unchanged, is_same_dictionary=is_same_dictionary),
            *claim_index.find_faults(connection),
            *resolve_references.find_faults(connection),
        ]


def _full_text_faults(database: Path) -> list[str]:
    """FTS5's integrity-check. It is asked by an INSERT, which writes nothing, so it needs a writer."""
    faults = []
    with contextlib.closing(sqlite3.connect(database, timeout=10, isolation_level=None)) as connection:
        for table in ("pairs", "words", "title_pairs", "claim_tokens"):
            try:
                connection.execute(_INTEGRITY_CHECK.format(table=table))
            except sqlite3.DatabaseError as error:
                if may_pass(error):
                    raise
                faults.append(f"{table}: {describe(error)}")
    return faults


_INTEGRITY_CHECK = "INSERT INTO {table} ({table}) VALUES ('integrity-check')"

_HASHES = "SELECT manual_id, path, status, sha256 FROM documents"
