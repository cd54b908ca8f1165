"""What a run found out: figures with their targets, the table that people read, the JSON that programs read."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Row = dict[str, Any]
_HEADINGS = ("what", "figure", "target", "reached", "peers in the same run")


@dataclass(frozen=True, slots=True)
class Target:
    """A bound, in the unit of the figure it is for."""

    kind: Literal["at least", "at most", "below"]
    bound: float

    def is_reached(self, value: float) -> bool:
        """Whether the unrounded figure keeps to the bound."""
        if self.kind == "at least":
            return value >= self.bound
        return value <= self.bound if self.kind == "at most" else value < self.bound

    def __str__(self) -> str:
        sign = {"at least": ">=", "at most": "<=", "below": "<"}[self.kind]
        return f"{sign} {self.bound:g}"


def at_least(bound: float) -> Target:
    """The figure has to be this or more."""
    return Target("at least", bound)


def at_most(bound: float) -> Target:
    """The figure has to be this or less."""
    return Target("at most", bound)


def below(bound: float) -> Target:
    """The figure has to be less than this."""
    return Target("below", bound)


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value. `peers` are the same thing in the same unit, measured in the same run.

    Without a target it is for information. With `has_ratio` the table adds ours / peer.
    """

    what: str
    value: float
    unit: str = ""
    target: Target | None = None
    peers: Mapping[str, float] = field(default_factory=dict)
    has_ratio: bool = False

    @property
    def is_reached(self) -> bool | None:
        """`None` where there is nothing to reach."""
        return self.target.is_reached(self.value) if self.target else None

    def as_json(self) -> Row:
        """All of it, unrounded."""
        peers: dict[str, Any] = {name: {"value": value} for name, value in self.peers.items()}
        for name, value in self.peers.items():
            if self.has_ratio and value:
                peers[name]["ours_to_peer"] = self.value / value
        return {
            "what": self.what,
            "value": self.value,
            "unit": self.unit,
            "target": str(self.target) if self.target else None,
            "reached": self.is_reached,
            "peers": peers,
        }

    def as_cells(self) -> tuple[str, ...]:
        """The table's cells, rounded."""
        reached = {None: "", True: "yes", False: "NO"}[self.is_reached]
        target = f"{self.target} {self.unit}".strip() if self.target else ""
        return self.what, _with_unit(self.value, self.unit), target, reached, self._peers_cell()

    def _peers_cell(self) -> str:
        parts = []
        for name, value in self.peers.items():
            ratio = f" (x{_rounded(self.value / value)})" if self.has_ratio and value else ""
            parts.append(f"{name} {_with_unit(value, self.unit)}{ratio}")
        return ", ".join(parts)


@dataclass(slots=True)
class Report:
    """Figures in the order they were measured, and the rows behind them, by the name of the measurement."""

    figures: list[Figure] = field(default_factory=list)
    rows: dict[str, list[Row]] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    used_by_others: dict[str, float] = field(default_factory=dict)
    """The share (0..1) of the cpus that processes besides this run used while a measurement ran."""
    elsewhere_seconds: float = 0.0
    """Cpu seconds of processes of this run that are not its children: the daemons that clients start."""
    pictures: dict[str, str] = field(default_factory=dict)
    """SVGs by name."""

    def add(self, figure: Figure) -> None:
        """Take up a figure."""
        self.figures.append(figure)

    def table(self) -> str:
        """One table for people, with what was left out below it."""
        lines = [_HEADINGS, *(figure.as_cells() for figure in self.figures)]
        widths = [max(len(line[column]) for line in lines) for column in range(len(_HEADINGS))]
        lines.insert(1, tuple("-" * width for width in widths))
        text = [_aligned(line, widths) for line in lines]
        missed = sum(figure.is_reached is False for figure in self.figures)
        targets = sum(figure.target is not None for figure in self.figures)
        text += ["", f"{targets - missed} of {targets} targets reached; (xN) is ours divided by the peer's"]
        return "\n".join([*text, *(f"left out: {reason}" for reason in self.left_out)])

    def write(self, folder: Path, stamp: str, about: Row) -> list[Path]:
        """Write the figures, in a second file the rows, and each picture in its own. Returns the paths."""
        folder.mkdir(parents=True, exist_ok=True)
        figures = [figure.as_json() for figure in self.figures]
        course = {"seconds": self.seconds, "used_by_others": self.used_by_others, "left_out": self.left_out}
        summary = about | course | {"figures": figures}
        paths = folder / f"{stamp}.json", folder / f"{stamp}-rows.json"
        for path, content in zip(paths, (summary, about | {"rows": self.rows}), strict=True):
            path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", "utf-8")
        pictures = {folder / f"{stamp}-{name}.svg": picture for name, picture in self.pictures.items()}
        for path, picture in pictures.items():
            path.write_text(picture, "utf-8")
        return [*paths, *pictures]


def percentile(values: Sequence[float], share: float) -> float:
    """The nearest-rank percentile: the smallest value that `share` (0..1) of the values do not exceed."""
    ordered = sorted(values)
    return ordered[max(math.ceil(share * len(ordered)) - 1, 0)]


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    what, figure, target, reached, peers = (
        cell.rjust(width) if column in (1, 2) else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return f"{what}  {figure}  {target}  {reached}  {peers}".rstrip()


def _with_unit(value: float, unit: str) -> str:
    return f"{_rounded(value)} {unit}".strip()


def _rounded(value: float) -> str:
    if value == int(value) and abs(value) < 1e9:
        return f"{value:,.0f}"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.3f}" if abs(value) < 1 else f"{value:.2f}"
