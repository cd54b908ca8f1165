"""The dictionaries: exception terms and synonyms, ours and the user's additions.

Format: UTF-8, one entry a line, `#` starts a comment. An exception term is one expression a line; a
group of synonyms is one line, its members separated by commas (the Solr synonym format).
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from .text import normalise


@dataclass(frozen=True, slots=True)
class Dictionaries:
    """Normalised entries. `digest` names the exception terms, which are part of the index."""

    exceptions: tuple[str, ...]
    synonyms: dict[str, tuple[str, ...]]
    digest: str


def load_dictionaries(own: Path) -> Dictionaries:
    """Read the shipped dictionaries and, if they exist, `exceptions.txt` and `synonyms.txt` in `own`."""
    exceptions = tuple(dict.fromkeys(normalise(entry) for entry in _entries("exceptions.txt", own)))
    digest = hashlib.sha256("\n".join(exceptions).encode()).hexdigest()[:16]
    return Dictionaries(exceptions, _group(_entries("synonyms.txt", own)), digest)


def _entries(name: str, own: Path) -> list[str]:
    texts = [(resources.files("morenashi") / "dictionaries" / name).read_text("utf-8")]
    if (own / name).is_file():
        texts.append((own / name).read_text("utf-8-sig"))
    lines = (line.partition("#")[0].strip() for text in texts for line in text.split("\n"))
    return [line for line in lines if line]


def _group(lines: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Each word to its synonyms, itself excluded; a word of two groups has the synonyms of both."""
    synonyms: dict[str, dict[str, None]] = {}
    for line in lines:
        members = [normalise(member).strip() for member in line.replace("、", ",").split(",")]
        members = [member for member in dict.fromkeys(members) if member]
        for member in members:
            synonyms.setdefault(member, {}).update(dict.fromkeys(m for m in members if m != member))
    return {word: tuple(others) for word, others in synonyms.items()}
