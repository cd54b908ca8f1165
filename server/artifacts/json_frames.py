"""Nodes of a JSON graph that frame others, as a subgraph does: groups of JSON Canvas, parents of React Flow and of
Cytoscape. Pure.

What leads to one leads to its nodes that nothing inside leads to, what leaves one leaves all of them. A group is no
element, and another frame is one only if it is linked itself or names lines.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from . import json_fields as fields
from .joints import Joints, entries_of, ways_of
from .json_fields import Object
from .model import Branch

# Nobody draws more; what is deeper or beyond lies in no frame.
_MOST_GROUPS = 200
_MOST_LEVELS = 20

Frames = Mapping[str, Sequence[str]]
"""The nodes in each frame, those of frames inside it too."""


class _Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def holds(self, other: "_Box") -> bool:
        """Whether the middle of another lies in it."""
        x, y = (other.left + other.right) / 2, (other.top + other.bottom) / 2
        return self.left <= x <= self.right and self.top <= y <= self.bottom


def find_frames(bodies: Sequence[tuple[str, Object]]) -> Frames:
    """The frames among nodes, given as ids and bodies: by what nodes say they lie in, and by where groups are drawn."""
    around = {id: str(above) for id, body in bodies if fields.is_name(above := fields.value_of(body, fields.FRAMES))}
    drawn = {id: box for id, body in bodies if fields.is_group(body) and (box := _box(body))}
    named = {str(fields.value_of(body, fields.FRAMES[:1])) for _, body in bodies}
    frames: dict[str, list[str]] = {id: [] for id, body in bodies if id in named or fields.is_group(body)}
    for id, body in bodies:
        if id in frames:
            continue
        above = set(_chain(id, around))
        if not above and len(drawn) <= _MOST_GROUPS and (box := _box(body)):
            above = {frame for frame, area in drawn.items() if area.holds(box)}
        for frame in above & frames.keys():
            frames[frame].append(id)
    return frames


def open_frames(branches: Sequence[Branch], frames: Frames, kept: Collection[str]) -> list[Branch]:
    """The branches, where some are to or from frames, between the nodes in them, and the frames that are `kept`."""
    ways = ways_of((branch.origin, branch.target.name) for branch in branches)
    entries = {frame: entries_of(members, ways) for frame, members in frames.items()}
    joints = Joints()
    opened: list[Branch] = []
    for branch in branches:
        out, into = branch.origin, branch.target.name
        origins, targets = _opened(out, frames, kept), _opened(into, entries, kept)
        if branch.target.kind == "element":
            opened += joints.lead(branch.line, out, origins, into, targets)
        else:
            opened += [replace(branch, origin=origin) for origin in origins[-1:]]
    return opened


def _opened(id: str, frames: Frames, kept: Collection[str]) -> list[str]:
    return [*frames.get(id, ()), *([id] if id in kept or id not in frames else [])]


def _chain(id: str, around: Mapping[str, str]) -> list[str]:
    """The frames around a node, inmost first."""
    chain: list[str] = []
    while len(chain) < _MOST_LEVELS and (above := around.get(id)):
        chain.append(above)
        id = above
    return chain


def _box(body: Object) -> _Box | None:
    sides = [part for key in ("x", "y", "width", "height") if isinstance(part := body.get(key), (int, float))]
    if len(sides) < 4:
        return None
    x, y, width, height = sides
    return _Box(x, y, x + width, y + height)
