"""Branches from each of several elements to each of several: of a group to a group. Pure.

Of many, each pair would be a branch: these go over two joints, which are no elements, so that there are no more of them
than elements and links.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from .model import Branch, Target

_MOST_PAIRS = 50
# No id has a line break.
_JOINT = "\n"


Ways = Mapping[str, Sequence[str]]
"""Where each element leads, itself apart."""


def ways_of(links: Iterable[tuple[str, str]]) -> Ways:
    """The ways of links, as (origin, target)."""
    ways: defaultdict[str, list[str]] = defaultdict(list)
    for origin, target in links:
        if origin != target:
            ways[origin].append(target)
    return ways


def entries_of(members: Sequence[str], ways: Ways) -> Sequence[str]:
    """The elements of a group that nothing inside it leads to; the first, if all are led to."""
    led_to = {target for member in members for target in ways.get(member, ())}
    # Over the joint out of some of them, then that into others.
    for _ in range(2):
        led_to.update([end for joint in led_to if joint.startswith(_JOINT) for end in ways.get(joint, ())])
    return [member for member in members if member not in led_to] or members[:1]


class Joints:
    """The joints of one structure. Elements that are named alike by `out` or by `into` are led over the same one."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    def lead(self, line: int, out: str, origins: Sequence[str], into: str, targets: Sequence[str]) -> list[Branch]:
        """The branches; of a joint's own, those that were not there before."""
        pairs = self.pairs(out, origins, into, targets)
        return [Branch(origin, Target("element", target), line) for origin, target in pairs]

    def pairs(self, out: str, origins: Sequence[str], into: str, targets: Sequence[str]) -> list[tuple[str, str]]:
        """The same as (origin, target)."""
        if len(origins) * len(targets) <= _MOST_PAIRS:
            return [(origin, target) for origin in origins for target in targets]
        out, into = f"{_JOINT}out of {out}", f"{_JOINT}into {into}"
        pairs = [(out, into)]
        pairs += [(origin, out) for origin in origins if out not in self._known]
        pairs += [(into, target) for target in targets if into not in self._known]
        self._known |= {out, into}
        return pairs
