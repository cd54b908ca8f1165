"""Who may see which class: what a call asks for only narrows what its caller was granted.

Deny is stronger than redact, redact than allow; the stricter class wins (seed 002 §4, boundary first).
"""

from collections.abc import Iterable, Sequence
from typing import Literal

from morenashi.indexer.claim_index import CLASSES, BoundaryClass

from .policy import ALLOW_ALL, Policy
from .tags import Tags, common_tag, has_tag

Treatment = Literal["deny", "redact", "allow"]


def narrow(granted: Tags, asked: Sequence[str] | None) -> Tags:
    """The tags that hold for a call: all that were granted, or of those what the call asks for."""
    if asked is None:
        return granted
    return frozenset(common for one in granted for other in asked if (common := common_tag(one, other)) is not None)


def treatment(policy: Policy, boundary_class: BoundaryClass, tags: Tags) -> Treatment:
    """What happens to text of a class before it goes where the tags say."""
    rule = policy.rule_of(boundary_class)
    if rule is None or rule.escalation == "deny" or not _is_allowed(rule.allow, tags):
        return "deny"
    return "redact" if rule.redact else "allow"


def visible_classes(policy: Policy, tags: Tags) -> frozenset[BoundaryClass]:
    """The classes whose claims a call may see at all; SQL filters with them before anything is ranked."""
    return frozenset(one for one in CLASSES if treatment(policy, one, tags) != "deny")


def strictest(classes: Iterable[BoundaryClass]) -> BoundaryClass:
    """The class that holds for what has several."""
    return max(classes, key=CLASSES.index)


def _is_allowed(patterns: Sequence[str], tags: Tags) -> bool:
    return ALLOW_ALL in patterns or any(has_tag(tags, pattern) for pattern in patterns)
