"""The dictionaries: exception terms, synonyms, spellings and verbs, ours and the user's additions.

Format: one entry a line, `#` starts a comment. What an exception term may look like says `exception_entries`; a
group of synonyms is one line, its members separated by commas (the Solr synonym format); a word with several spellings
has in parentheses what may be left out, as Japanese style guides write it (取(り)消(し)), or they stand side by side
with commas between (漏洩, 漏えい); a verb stands before the nouns that say the same, with commas between.
"""

import hashlib
import itertools
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources
from pathlib import Path

from .dictionary_files import DictionaryFile, read_dictionary
from .exception_entries import ExceptionEntry, is_well_formed, read_entries
from .presence import is_folder
from .text import normalise


@dataclass(frozen=True, slots=True)
class Dictionaries:
    """All entries. `digest` names the exception terms, which are part of the index; `fingerprint` all that a search in
    documents depends on, so that it can be repeated.

    `spellings` has all other spellings of a word, by each of them. `recall` has what a search in agent memory goes by:
    all of these and, beside them, the words of software work in two languages and the irregular forms of English words.
    `verbs` has the nouns for a verb, by each of the beginnings of its forms; for an English one by itself. `remarks`
    say which of the user's own were not taken as they may have been meant.
    """

    exceptions: tuple[ExceptionEntry, ...]
    synonyms: dict[str, tuple[str, ...]]
    spellings: dict[str, tuple[str, ...]]
    digest: str
    recall: dict[str, tuple[str, ...]]
    verbs: dict[str, tuple[str, ...]]
    fingerprint: str
    remarks: tuple[str, ...] = ()


def load_dictionaries(own: Path) -> Dictionaries:
    """Read the shipped dictionaries and, if they exist, those in `own`: `exceptions.txt`, `synonyms.txt`,
    `okurigana.txt`, `verbs.txt`.

    Raises `ConfigError` for one that may not be read.
    """
    files = read_own(own)
    remarks = [f"{own.name}/{name}: {remark}" for name, file in files.items() for remark in file.remarks]
    if os.path.lexists(own) and not is_folder(own):
        remarks.append(f"{own.name}: it is no folder, and passed over")
    compiled = _compile(*(file.text for file in files.values()))
    return replace(compiled, remarks=tuple(remarks)) if remarks else compiled


def read_own(own: Path) -> dict[str, DictionaryFile]:
    """The dictionaries in `own` as they stand there, by the names that they can have.

    Raises `ConfigError` for one that may not be read.
    """
    return {name: read_dictionary(own / name) for name in _SAYS_SOMETHING}


def find_idle_lines(files: dict[str, DictionaryFile]) -> dict[str, list[int]]:
    """Lines of one's own dictionaries that say nothing, or not what was meant: their numbers from 1 on, by the name of
    the file, for files that have some.
    """
    found: dict[str, list[int]] = {}
    for name, says_something in _SAYS_SOMETHING.items():
        for number, line in enumerate(files[name].text.split("\n"), 1):
            if (entry := _without_comment(line)) and not says_something(entry):
                found.setdefault(name, []).append(number)
    return found


# Most workspaces of a process have none of their own, or the same.
@lru_cache(maxsize=2)
def _compile(own_exceptions: str, own_synonyms: str, own_spellings: str, own_verbs: str) -> Dictionaries:
    shipped = read_entries(_shipped_lines("exceptions.txt"), is_own=False)
    exceptions = (*shipped, *read_entries(_lines(own_exceptions), is_own=True))
    digest = _digest(exceptions)
    groups = _normalised(_shipped_lines("synonyms.txt") + _shipped_lines("english.txt") + _lines(own_synonyms))
    more = _normalised(_shipped_lines("software.txt") + _shipped_lines("irregular.txt"))
    words = _normalised(_shipped_lines("okurigana.txt") + _shipped_lines("spellings.txt") + _lines(own_spellings))
    verbs = _normalised(_shipped_lines("verbs.txt") + _lines(own_verbs))
    fingerprint = _digest((digest, groups, words, verbs))
    spellings, nouns = _spell(words), _conjugate(verbs)
    recall = _joined(_group(groups + more), spellings, nouns)
    return Dictionaries(exceptions, _group(groups), spellings, digest, recall, nouns, fingerprint)


def _joined(*dictionaries: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """All entries; a word of several has what each of them says of it."""
    joined: dict[str, tuple[str, ...]] = {}
    for word, others in itertools.chain.from_iterable(one.items() for one in dictionaries):
        joined[word] = tuple(dict.fromkeys(joined.get(word, ()) + others))
    return joined


def _digest(entries: object) -> str:
    return hashlib.sha256(repr(entries).encode()).hexdigest()[:16]


def _shipped_lines(name: str) -> list[str]:
    return _lines((resources.files("morenashi") / "dictionaries" / name).read_text("utf-8"))


def _lines(text: str) -> list[str]:
    return [entry for line in text.split("\n") if (entry := _without_comment(line))]


def _without_comment(line: str) -> str:
    return line.partition("#")[0].strip()


def _normalised(lines: list[str]) -> list[str]:
    """All at once: what normalising costs, it costs once a text."""
    return normalise("\n".join(lines).replace("、", ",")).split("\n")


def _group(lines: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Each word to its synonyms, itself excluded; a word of two groups has the synonyms of both."""
    synonyms: dict[str, dict[str, None]] = {}
    for line in lines:
        members = [member for member in dict.fromkeys(map(str.strip, line.split(","))) if member]
        for member in members:
            synonyms.setdefault(member, {}).update(dict.fromkeys(m for m in members if m != member))
    return {word: tuple(others) for word, others in synonyms.items()}


def _spell(entries: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Each spelling of a word to the others, the fullest first; one of two words has those of both."""
    spellings: dict[str, tuple[str, ...]] = {}
    for entry in entries:
        written = list(dict.fromkeys(itertools.chain.from_iterable(map(_written, map(str.strip, entry.split(","))))))
        for word in filter(None, written):
            others = tuple([other for other in written if other != word])
            spellings[word] = tuple(dict.fromkeys(spellings[word] + others)) if word in spellings else others
    return spellings


def _written(word: str) -> list[str]:
    """With all that may be left out, with some of it, without; nothing, if that is no word's spelling."""
    parts = _PARTS.split(word)
    if len(parts) // 2 > _MOST_LEFT_OUT:
        return []
    # Every second part stood in parentheses.
    choices = [("", part) if position % 2 else (part,) for position, part in enumerate(parts)]
    return ["".join(chosen) for chosen in itertools.product(*choices)][::-1]


def _conjugate(lines: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The nouns of each line by what the forms of its verb begin with."""
    nouns: dict[str, tuple[str, ...]] = {}
    for line in lines:
        verb, *others = map(str.strip, line.split(","))
        for beginning in _beginnings(verb):
            nouns[beginning] = nouns.get(beginning, ()) + tuple(filter(None, others))
    return nouns


def _beginnings(verb: str) -> list[str]:
    """What the forms of a verb begin with, if that is two characters: 消さ, 消し, ... of 消す, 続け of 続ける. Other
    words stay what they are.
    """
    stem, last = verb[:-1], verb[-1:]
    if _ICHIDAN.search(verb):
        beginnings = [stem]
    else:
        # Of 見る and 切る the spelling does not say which of the two kinds they are.
        endings = _GODAN.get(last, last) + (_ICHIDAN_ENDINGS if verb == f"{stem[:1]}る" else "")
        beginnings = [stem + ending for ending in endings]
    return [beginning for beginning in beginnings if len(beginning) > 1]


_ICHIDAN = re.compile("[いきぎしじちにひびみりえけげせぜてでねへべめれ]る$")
_ICHIDAN_ENDINGS = "たてなまよ"
_GODAN = {
    "う": "わいうえおっ",
    "く": "かきくけこい",
    "ぐ": "がぎぐげごい",
    "す": "さしすせそ",
    "つ": "たちつてとっ",
    "ぬ": "なにぬねのん",
    "ぶ": "ばびぶべぼん",
    "む": "まみむめもん",
    "る": "らりるれろっ",
}

_PARTS = re.compile(r"\(([^()]*)\)")
# Each makes twice as many spellings; ours have three.
_MOST_LEFT_OUT = 6

_SAYS_SOMETHING: dict[str, Callable[[str], bool]] = {
    "exceptions.txt": is_well_formed,
    "synonyms.txt": lambda line: len(_group(_normalised([line]))) > 1,
    "okurigana.txt": lambda line: len(_spell(_normalised([line]))) > 1,
    "verbs.txt": lambda line: any(_conjugate(_normalised([line])).values()),
}
