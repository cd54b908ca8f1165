"""Release notes: what each version of a program brought, and what once was so. Pure.

They say of most things in a few words that they came, were mended or went, so that who asks how a thing is would read
of ten old versions of it before the page that says so.
"""

import re
from functools import lru_cache

from morenashi.indexer.text import normalise

from .titles import normal_title

_NOTES = re.compile(
    "[0-9]-(?:history|changes|news|release)|change-?log|release-?note|what'?s-?new|(?:変更|更新|改訂|改版)履歴"
    "|リリース-?ノート"
)
# What other pages are called, too: of these the titles have to be versions.
_MAY_BE_NOTES = re.compile("(?:.*-)?(?:history|changes|news|releases?)")
_VERSION = r"[('\" ]*(?:(?:version|release) )?v?[0-9]+(?:\.[0-9]+){1,3}(?:[-.+]?[a-z][a-z0-9.-]*)?[)'\"]*"
_MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[.]?"
_DATE = (
    r"(?:[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{4}年[0-9]{1,2}月[0-9]{1,2}日"
    rf"|{_MONTH} [0-9]{{1,2}},? [0-9]{{4}}|[0-9]{{1,2}} {_MONTH} [0-9]{{4}}|unreleased)"
)
_IS_VERSION = re.compile(_VERSION)
_IS_DATED_VERSION = re.compile(rf"{_VERSION}[-/:,( ]{{1,4}}(?:released )?(?:on )?{_DATE}\)?")
# What may be answered by what a version brought, or by which.
_ASKS_FOR_RELEASE = re.compile(
    r"\b(?:changelogs?|release(?:s|d)?|history|news?|change[sd]?|changing|add(?:s|ed)?|remov(?:e[sd]?|al|ing)"
    r"|fix(?:e[sd]|ing)?|bugs?|introduc(?:e[sd]?|ing)|deprecat\w*|versions?|since|no longer|drop(?:s|ped)?"
    r"|(?:upgrad|updat|migrat)\w*|breaking)\b"
    r"|(?<![0-9a-z.])(?:[0-9]+\.|v)[0-9]|変更|追加|廃止|削除|非推奨|修正|履歴|リリース|バージョン|移行|いつから|[0-9]版"
)


def asks_for_release(question: str) -> bool:
    """Whether a normalised question may be for what a version brought."""
    return _ASKS_FOR_RELEASE.search(question) is not None


@lru_cache(4_096)
def is_release(path: str, title: str) -> bool:
    """Whether a section is of release notes, by the names of its file and the folders above it, or by its title as
    written: a version with its date.

    >>> is_release("CHANGELOG.md", "Fixed"), is_release("a.md", "[2.1.0] - 2024-05-01"), is_release("a.md", "2.1")
    (True, True, False)
    """
    names = [re.sub("[ _]", "-", name) for name in normalise(path).removesuffix(".md").split("/")]
    shown = normal_title(title).strip()
    return (
        any(_NOTES.search(name) for name in names)
        or _IS_DATED_VERSION.fullmatch(shown) is not None
        or (_IS_VERSION.fullmatch(shown) is not None and any(map(_MAY_BE_NOTES.fullmatch, names)))
    )
