"""What is wrong with an artifact (seed 000, contract §3): rootless nodes, orphan branches, one-way references. Pure.

Messages are the server's own words; what the artifact calls its elements stands in fields of its own.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Literal

from .model import Artifact, Structure
from .starts import reach

FaultKind = Literal["rootless_node", "orphan_branch", "one_way_ref"]

_ADD = {
    "flowchart": "add a comment %% ID: source_lines: 5-9",
    "table": "give them in a column source_lines, as 5-9",
    "list": "add (source_lines: 5-9)",
    "graph": 'add "source_lines": "5-9"',
}


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of one element, on its line of the artifact: what is wrong, and what to do about it. `target` is what it
    points to, if that is the fault."""

    kind: FaultKind
    node_id: str
    line: int
    problem: str
    advice: str
    target: str | None = None


def find_faults(
    artifact: Artifact,
    total_lines: int,
    is_file: Callable[[str], bool],
    elsewhere: Collection[str | None] = (),
    lost: Collection[str | None] = (),
) -> list[Fault]:
    """All faults, by line. `total_lines` are those of the source; `is_file` knows files that are pointed to; lines of
    the files `elsewhere` are none of the source's, and an element may rest on them alone; the files that are `lost`
    are not there.
    """
    found: list[Fault] = []
    for structure in artifact.structures:
        if structure.kind != "sections":
            found += _rootless_nodes(structure, total_lines, elsewhere, lost)
            found += _unreached_elements(structure)
        found += _dangling_branches(structure, is_file)
        found += _one_way_references(structure)
    return sorted(found, key=lambda fault: (fault.line, fault.kind))


def _rootless_nodes(
    structure: Structure, total_lines: int, elsewhere: Collection[str | None], lost: Collection[str | None]
) -> Iterator[Fault]:
    for element in structure.elements:
        if not element.sources:
            if not element.is_mark:
                advice = f"{_ADD[structure.kind]}, or take it out"
                yield Fault("rootless_node", element.id, element.line, "names no lines of the source", advice)
            continue
        if missing := next((span.file for span in element.sources if span.file in lost), None):
            problem, advice = "names lines of a file that is not there", "name the file that says it"
            yield Fault("rootless_node", element.id, element.line, problem, advice, missing)
            continue
        stated = (span for span in element.sources if span.file not in elsewhere)
        wrong = next((span for span in stated if not 1 <= span.first <= span.last <= total_lines), None)
        if wrong:
            first, last, _ = wrong
            is_backwards = first > last >= 1
            what = "is written backwards" if is_backwards else f"lies outside the source ({total_lines} lines)"
            problem = f"source_lines {first}-{last} {what}"
            yield Fault("rootless_node", element.id, element.line, problem, "name the lines that say it")


def _unreached_elements(structure: Structure) -> Iterator[Fault]:
    reached = reach(structure.starts, structure.branches)
    for element in structure.elements:
        if element.id not in reached:
            advice = "lead a branch to it, or mark it as a start"
            yield Fault("orphan_branch", element.id, element.line, "no path from a start leads here", advice)


def _dangling_branches(structure: Structure, is_file: Callable[[str], bool]) -> Iterator[Fault]:
    for branch in structure.branches:
        kind, name = branch.target.kind, branch.target.name
        if kind == "missing" and name == branch.origin:
            problem, advice = "a branch leads from an element that is not there", "correct its origin or add it"
        elif kind == "missing":
            problem, advice = "a branch leads to an element that is not there", "correct the target or add it"
        elif kind == "file" and not is_file(name):
            problem, advice = "a branch leads to a file that is not there", "correct its path or add the file"
        else:
            continue
        yield Fault("orphan_branch", branch.origin, branch.line, problem, advice, name)


def _one_way_references(structure: Structure) -> Iterator[Fault]:
    named = {(reference.origin, reference.target.name) for reference in structure.references}
    named |= {(branch.origin, branch.target.name) for branch in structure.branches} | structure.returns
    seen: set[tuple[str, str]] = set()
    for reference in structure.references:
        pair = reference.origin, reference.target.name
        if pair in seen:
            continue
        seen.add(pair)
        if reference.target.kind == "missing":
            problem, advice = "refers to what is not there", "correct the reference or add its target"
        elif (reference.target.name, reference.origin) not in named:
            problem, advice = "refers to what does not refer back", "add the way back, or take this one out"
        else:
            continue
        yield Fault("one_way_ref", reference.origin, reference.line, problem, advice, reference.target.name)
