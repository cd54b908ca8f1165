"""Step tables: a row a step, with a column for its id and columns that name the next one. Pure.

A row without an id, or with that of a row before, goes on with that step. The first step is the start.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from .columns import Columns, find_columns, find_source_columns
from .mentions import find_references
from .model import Branch, Element, Reference, SourceLines, Structure, Target
from .source_lines import find_source_lines, parse_source_lines
from .starts import find_roots, find_starts
from .targets import NO_TABLES, Targets, has_arrow, split_id
from .words import is_mark, is_start_word, plain_id, says_nothing, word_key

_SEVERAL = re.compile(r"[,、，;]|<br\s*/?>")
_DECLARED = re.compile(r"(?:terminals?|ends?|終端|終了コード|終了)\s*[:：=]\s*(.+)", re.I)


@dataclass(frozen=True, slots=True)
class Row:
    """A row on its line of the file. A remark is a comment that stands in the row, apart from its cells."""

    line: int
    cells: tuple[str, ...]
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A heading with its rows, and the comments around them."""

    header: Row
    rows: tuple[Row, ...]
    comments: tuple[str, ...] = ()


@dataclass(slots=True)
class _Step:
    """What the rows of a step say together."""

    id: str
    line: int
    name: str = ""
    sources: list[SourceLines] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class StepTable:
    """A table whose rows are steps, before it is known where they lead."""

    columns: Columns
    steps: tuple[_Step, ...]
    elements: tuple[Element, ...]
    terminals: tuple[str, ...]


def read_steps(table: Table) -> StepTable | None:
    """The steps of a table; `None` if it is another table."""
    columns = find_columns(table.header.cells, [row.cells for row in table.rows])
    steps = _gather_steps(table.rows, columns) if columns else []
    if columns is None or not steps:
        return None
    return StepTable(columns, tuple(steps), tuple(map(_element, steps)), tuple(_declared_terminals(table.comments)))


def read_rows(table: Table) -> list[Element]:
    """The rows of a table of any kind, called by their first cells, which may be empty."""
    positions = find_source_columns(table.header.cells, [row.cells for row in table.rows])
    return [Element(plain_id(_cell(row, 0)), row.line, tuple(_sources(row, positions))) for row in table.rows]


def link_steps(table: StepTable, step_tables: Mapping[str, int] = NO_TABLES) -> Structure:
    """The structure of a step table. Its steps may lead to those of other tables of the file, `step_tables` as in
    `Targets`.
    """
    columns, elements = table.columns, table.elements
    targets = Targets(elements, table.terminals, step_tables)
    references = [reference for step in table.steps for reference in _references(step, columns, targets)]
    if not columns.next:
        # Then only the steps before say what leads where; without these, nothing does.
        branches = [branch for step in table.steps for branch in _branches_to(step, columns, targets)]
        starts = find_roots(elements, branches)
    else:
        following = [*(step.id for step in table.steps[1:]), None]
        steps = zip(table.steps, following, strict=True)
        branches = [branch for step, below in steps for branch in _branches(step, columns, targets, below)]
        starts = find_starts(elements, branches) if columns.has_ends else _first_and_declared(elements)
        if columns.previous:
            references += [Reference(b.origin, b.target, b.line) for b in branches if b.target.kind == "element"]
    return Structure("table", elements, tuple(branches), tuple(references), starts)


def _first_and_declared(elements: Sequence[Element]) -> frozenset[str]:
    return frozenset({element.id for element in elements if element.is_start} | {elements[0].id})


def count_tables(tables: Iterable[StepTable]) -> Counter[str]:
    """In how many of these tables each id is a step's, by the form in which ids are compared."""
    return Counter(key for table in tables for key in {word_key(element.id) for element in table.elements})


def _gather_steps(rows: Sequence[Row], columns: Columns) -> list[_Step]:
    steps: dict[str, _Step] = {}
    current: _Step | None = None
    for row in rows:
        written = plain_id(_cell(row, columns.id))
        if written and not says_nothing(written):
            current = steps.setdefault(written, _Step(written, row.line))
        if current is None:
            continue
        current.rows.append(row)
        current.name = current.name or (_cell(row, columns.name) if columns.name is not None else "")
        current.sources += _sources(row, columns.sources)
    return [*steps.values(), *_last_steps(rows, columns, steps)]


def _last_steps(rows: Sequence[Row], columns: Columns, steps: Collection[str]) -> list[_Step]:
    """Of a table whose rows are edges, the steps that edges lead to and none leaves: these rest on what leads there."""
    found: dict[str, _Step] = {}
    for row in rows if columns.has_ends else ():
        cells = [_cell(row, position) for position in columns.next]
        for end in (plain_id(part) for cell in cells for part in _SEVERAL.split(cell)):
            if end not in steps and not says_nothing(end):
                found.setdefault(end, _Step(end, row.line)).sources += _sources(row, columns.sources)
    return list(found.values())


def _sources(row: Row, positions: Sequence[int]) -> list[SourceLines]:
    """What the cells at these positions name, or else what any cell does in so many words."""
    stated = [span for position in positions for span in parse_source_lines(_cell(row, position))]
    if stated:
        return stated
    return [span for text in (*row.cells, row.remark) for span in find_source_lines(text)]


def _element(step: _Step) -> Element:
    said = (step.id, *split_id(step.id)[1:], step.name)
    return Element(
        step.id,
        step.line,
        tuple(step.sources),
        (step.name,) if step.name else (),
        is_start=any(map(is_start_word, said)),
        is_mark=any(map(is_mark, said)),
    )


def _branches(step: _Step, columns: Columns, targets: Targets, following: str | None) -> list[Branch]:
    found: list[Branch] = []
    for row in step.rows:
        cells = [_cell(row, position) for position in columns.next]
        if all(map(says_nothing, cells)):
            leading = _elsewhere_in_row(row, columns, targets)
        else:
            leading = [target for cell in cells for target in targets.find(cell, following)]
        found += [Branch(step.id, target, row.line) for target in leading]
    return found


def _elsewhere_in_row(row: Row, columns: Columns, targets: Targets) -> list[Target]:
    """The steps that arrows in other cells lead to, where the columns for that say nothing: 条件 可→M03、否→M04."""
    said = {columns.id, *columns.sources, *columns.previous, *columns.required, *columns.references}
    cells = [cell for position, cell in enumerate(row.cells) if position not in said and has_arrow(cell)]
    return [target for cell in cells for target in targets.find(cell) if target.kind == "element"]


def _branches_to(step: _Step, columns: Columns, targets: Targets) -> list[Branch]:
    """From the steps before that are there."""
    return [
        Branch(target.name, Target("element", step.id), row.line)
        for row in step.rows
        for position in columns.previous + columns.required
        for target in targets.find(_cell(row, position))
        if target.kind == "element"
    ]


def _references(step: _Step, columns: Columns, targets: Targets) -> list[Reference]:
    """What the columns for references and steps before name, and what the other cells refer to in words."""
    found: list[tuple[int, Target]] = []
    for row in step.rows:
        for position, cell in enumerate(row.cells):
            if position in columns.references or position in columns.previous:
                found += [(row.line, target) for target in targets.find(cell) if target.kind in ("element", "missing")]
            elif position in columns.required:
                found += [(row.line, target) for target in targets.find_mentions(cell) if target.kind == "missing"]
            elif position != columns.id and position not in columns.next and position not in columns.sources:
                found += [(row.line, target) for target in find_references(cell, targets)]
    return [Reference(step.id, target, line) for line, target in found]


def _declared_terminals(comments: Sequence[str]) -> list[str]:
    """What a comment says is an end: `# terminals: REJECT, ESCALATE`."""
    declared = [match[1] for comment in comments if (match := _DECLARED.search(comment))]
    return [word.strip() for text in declared for word in re.split(r"[,、\s]+", text) if word.strip()]


def _cell(row: Row, position: int) -> str:
    return row.cells[position].strip() if position < len(row.cells) else ""
