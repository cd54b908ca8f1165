"""Lines over time as a small SVG, one panel a line."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

_WIDTH, _PANEL, _LEFT, _TOP = 720, 130, 70, 40
_GAP = 30


@dataclass(frozen=True, slots=True)
class Line:
    """What it shows, and its points: (seconds, value)."""

    label: str
    points: Sequence[tuple[float, float]]


def draw(title: str, lines: Sequence[Line]) -> str:
    """The SVG's text. Each panel begins at zero."""
    height = _TOP + len(lines) * (_PANEL + _GAP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
        'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{_LEFT}" y="20">{escape(title)}</text>',
    ]
    for place, line in enumerate(lines):
        parts += _panel(line, _TOP + place * (_PANEL + _GAP))
    return "\n".join([*parts, "</svg>\n"])


def _panel(line: Line, top: int) -> list[str]:
    most = max((value for _, value in line.points), default=0.0) or 1.0
    last = max((seconds for seconds, _ in line.points), default=0.0) or 1.0
    width = _WIDTH - _LEFT - 20
    places = " ".join(
        f"{_LEFT + seconds / last * width:.1f},{top + _PANEL - value / most * _PANEL:.1f}"
        for seconds, value in line.points
    )
    return [
        f'<rect x="{_LEFT}" y="{top}" width="{width}" height="{_PANEL}" fill="none" stroke="#ccc"/>',
        f'<polyline points="{places}" fill="none" stroke="#2060a0"/>',
        f'<text x="{_LEFT + 4}" y="{top + 14}">{escape(line.label)}</text>',
        f'<text x="{_LEFT - 6}" y="{top + 10}" text-anchor="end">{most:.4g}</text>',
        f'<text x="{_LEFT - 6}" y="{top + _PANEL}" text-anchor="end">0</text>',
        f'<text x="{_WIDTH - 20}" y="{top + _PANEL + 14}" text-anchor="end">{last:.0f} s</text>',
    ]
