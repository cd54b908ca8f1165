"""Tags name uses: `answer:task`, `tool:contact-lookup`. `tool:*` stands for every tag that begins so, `*` for every
tag. Pure.
"""

from collections.abc import Iterable

Tags = frozenset[str]


def common_tag(one: str, other: str) -> str | None:
    """The tags that both stand for, as one tag or glob; `None` if there are none."""
    wider, narrower = sorted((one, other), key=lambda tag: (not tag.endswith("*"), len(tag)))
    if wider.endswith("*"):
        return narrower if narrower.startswith(wider[:-1]) else None
    return one if one == other else None


def has_tag(tags: Iterable[str], tag: str) -> bool:
    """Whether one of the tags stands for a use that this one stands for, too."""
    return any(common_tag(one, tag) is not None for one in tags)
