"""Captions: a short line of its own right below a heading, before the text. Pure.

It says what the section is about as the heading does. Statutes whose headings are bare numbers (第三条) have the title
of the article there, in brackets; other texts a subtitle or a keyword.
"""

import re

_CAPTION = re.compile(
    r"#{1,6} [^\n]*\n\n?"
    r"(?![-*+|>!<#]|[0-9]+[.)] )([^\n。]{1,40}(?<![.,:;!?、]))\n\n"
)


def weigh_caption(text: str) -> str:
    """The text of a passage with its caption a second time, so that its words count twice."""
    caption = _CAPTION.match(text)
    return f"{text}\n{caption[1]}" if caption else text


def article_title(text: str) -> str:
    """The caption of a passage if it stands in brackets, with them; otherwise nothing."""
    caption = _CAPTION.match(text)
    return caption[1] if caption and caption[1].startswith("(") and caption[1].endswith(")") else ""
