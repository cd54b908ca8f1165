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

_OF_WORDS = re.compile("[a-z]{2,}(?:-[a-z]{2,})+")


def find_latin_names(text: str) -> list[str]:
    """The names in a normalised text, if it is more than Latin letters: e-mail alone is one anyway."""
    return [] if text.isascii() else _NAME.findall(text)


def without_latin_names(text: str) -> str:
    """The text without them, blanks in their place."""
    return text if text.isascii() else _NAME.sub(" ", text)


def words_of_latin_name(name: str) -> list[str]:
    """What a name of words between dashes is known by where no line holds it: try-catch; nothing of any other."""
    return name.split("-") if _OF_WORDS.fullmatch(name) else []
