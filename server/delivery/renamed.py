"""Whose citations an artifact goes on with that was renamed, or whose source was. Pure."""

import posixpath
from collections.abc import Callable, Collection, Mapping
from typing import TypeVar

from morenashi.server.ranges import Range

_T = TypeVar("_T")


def likest(
    path: str, cited: Collection[Range], left: Mapping[_T, Collection[Range]], path_of: Callable[[_T], str]
) -> _T | None:
    """Of the citations that are left behind, those with most of the ranges that are cited now, if that is half of them
    or more; of several, those of a file of the same name, as its folder was moved.
    """
    name, common = posixpath.basename(path), {one: len(set(cited).intersection(left[one])) for one in left}
    found = max(left, key=lambda one: (common[one], posixpath.basename(path_of(one)) == name), default=None)
    return found if found is not None and common[found] and 2 * common[found] >= len(cited) else None
