"""Latin names of which letters or signs are parts: v-if, C++, 3.10, max_retries, package.json, /etc/hosts, --force,
mail addresses and those of the web. Pure, on normalised text.

Their runs say something else, or nothing: if of v-if is on lines about anything, and so is json of package.json.
"""

import re

_WORDS = "[a-z0-9]++(?:[._-]{1,2}[a-z0-9]++)*+"
_FILE = "[a-z0-9_-]++(?:[.][a-z0-9_-]++)++"
_NAME = re.compile(
    "(?<![a-z0-9_.+#/@~-])(?:"
    "https?://[!-&*-~]{3,300}(?<![,.:;)])"
    rf"|{_WORDS}@{_WORDS}"
    rf"|(?:~|\.{{1,2}})?(?:/\.?{_WORDS}){{2,20}}+|(?:{_WORDS}/){{1,20}}+{_FILE}"
    rf"|--[a-z]{_WORDS}|\.[a-z]{_WORDS}"
    r"|[a-z](?:[+]{2}|#)"
    r"|(?<![0-9],)v?[0-9]{1,5}(?:[.][0-9]{1,5}){1,5}(?![.][a-z0-9])"
    r"|[a-z][a-z0-9]*+(?:(?:[._-]{1,2}|::)[a-z0-9]++)++"
    ")(?![a-z0-9_+#-])"
)

_VERSION = re.compile("v([0-9.]+)")
# Of an address these say nothing: https://www.example.co.jp.
_PART = re.compile(r"(?<![a-z0-9_-])(?!(?:https?|www|com?|jp|org|net)\b)[_-]*+([a-z0-9]+(?:[_-]+[a-z0-9]+)*)")
_OF_WORDS = re.compile("[a-z]{2,}(?:[_-]+[a-z]{2,})+")


def find_latin_names(text: str) -> list[str]:
    """The names in a normalised text, if it is more than Latin letters: e-mail alone is one anyway."""
    return [] if text.isascii() else _NAME.findall(text)


def without_latin_names(text: str) -> str:
    """The text without them, blanks in their place."""
    return text if text.isascii() else _NAME.sub(" ", text)


def words_of_latin_name(name: str) -> list[str]:
    """What a name is known by where no line holds it: package and json, ssh and authorized_keys, try and catch, 2.0 of
    v2.0; nothing of v-if, C++, 3.10 or what is no such name.
    """
    if not _NAME.fullmatch(name):
        return []
    if _OF_WORDS.fullmatch(name):
        return re.split("[_-]+", name)
    if version := _VERSION.fullmatch(name):
        return [version[1]]
    parts = [part for part in _PART.findall(name) if len(part) > 1 and not part.isdecimal()]
    return [part for part in dict.fromkeys(parts) if part != name]
