"""Latin names of which a letter or a sign is a part: v-if, e-mail, C++, C#; and versions: 3.10, v2.0. Pure, on
normalised text.

Their runs say something else, or nothing: if of v-if is on lines about anything, and so is 10 of 3.10.
"""

import re

_NAME = re.compile(
    "(?<![a-z0-9_.+#-])(?:[a-z](?:(?:-[a-z0-9]+)+|[+]{2}|#)|(?<![0-9],)v?[0-9]{1,5}(?:[.][0-9]{1,5}){1,5}(?![.][a-z0-9]))"
    "(?![a-z0-9_+#-])"
)


def find_latin_names(text: str) -> list[str]:
    """The names in a normalised text, if it is more than Latin letters: e-mail alone is one anyway."""
    return [] if text.isascii() else _NAME.findall(text)


def without_latin_names(text: str) -> str:
    """The text without them, blanks in their place."""
    return text if text.isascii() else _NAME.sub(" ", text)
