"""Where a flow starts. Pure."""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace

from .joints import ways_of
from .model import Branch, Element


def find_starts(elements: Sequence[Element], branches: Sequence[Branch]) -> frozenset[str]:
    """The elements that are declared as starts; without any, the one where the flow seems to begin.

    That is the first element, if nothing leads to it or only what comes of itself (loops back); otherwise the
    first that leads on and to which nothing leads.
    """
    declared = {element.id for element in elements if element.is_start}
    if declared or not elements:
        return frozenset(declared)
    first = elements[0].id
    leading = {branch.origin for branch in branches if branch.target.name == first}
    if leading <= reach([first], branches):
        return frozenset({first})
    onward = [branch for branch in branches if branch.target.name != branch.origin]
    leading_on = {branch.origin for branch in onward} - {branch.target.name for branch in onward}
    return frozenset({next((element.id for element in elements if element.id in leading_on), first)})


def find_entries(starts: frozenset[str], branches: Sequence[Branch]) -> frozenset[str]:
    """What leads on and to which nothing leads, where it hangs together with what starts: further inputs."""
    onward = [branch for branch in branches if branch.target.kind == "element" and branch.target.name != branch.origin]
    both_ways = [replace(branch, is_two_way=True) for branch in onward]
    led_to = {branch.target.name for branch in onward} | {branch.origin for branch in onward if branch.is_two_way}
    return frozenset(({branch.origin for branch in onward} - led_to) & reach(starts, both_ways))


def find_roots(elements: Sequence[Element], branches: Sequence[Branch]) -> frozenset[str]:
    """Where a flow starts of which each element says what comes before it: at those that say nothing; at the first if
    all are led to.
    """
    led_to = {branch.target.name for branch in branches}
    return frozenset([element.id for element in elements if element.id not in led_to] or [e.id for e in elements[:1]])


def reach(starts: Iterable[str], branches: Sequence[Branch]) -> set[str]:
    """All elements to which a path of branches leads, the starts among them."""
    links = [(branch.origin, branch.target.name) for branch in branches if branch.target.kind == "element"]
    links += [(branch.target.name, branch.origin) for branch in branches if branch.is_two_way]
    ways = ways_of(links)
    reached = set(starts)
    waiting = deque(reached)
    while waiting:
        for id in ways.get(waiting.popleft(), ()):
            if id not in reached:
                reached.add(id)
                waiting.append(id)
    return reached
