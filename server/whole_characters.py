"""Texts of whole characters. JSON can hold half of a surrogate pair, which UTF-8 has no bytes for: it can be searched,
stored and answered nowhere.
"""

EXPECTED = "valid Unicode: no half of a surrogate pair"
"""Of a text that has one. Clients are told so wherever it stands."""


def as_shown(text: str) -> str:
    """The text as it can be answered: with a question mark for each half."""
    return text.encode("utf-8", "replace").decode("utf-8")
