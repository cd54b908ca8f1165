"""Something that is wrong, or worth knowing: what it is, why it matters, what to do."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

Severity = Literal["error", "warning", "note"]
"""`error`: something does not work. `warning`: something is left out or about to fail. `note`: nothing is wrong."""

_MOST_NAMES = 5


@dataclass(frozen=True, slots=True)
class Finding:
    """`code` names the kind of finding for scripts.

    `repair` mends it without losing anything that cannot be made again, and says what it did. It raises
    `WorkspaceBusyError` where another process has to be asked to end first.
    """

    code: str
    severity: Severity
    what: str
    why: str
    advice: str
    repair: Callable[[], str] | None = None

    def as_json(self) -> dict[str, Any]:
        """All but the repair, of which only whether there is one."""
        return {
            "code": self.code,
            "severity": self.severity,
            "what": self.what,
            "why": self.why,
            "advice": self.advice,
            "repairable": self.repair is not None,
        }


def listed(names: Sequence[str]) -> str:
    """Names for a message, the first few of many."""
    shown = ", ".join(names[:_MOST_NAMES])
    return shown if len(names) <= _MOST_NAMES else f"{shown} and {len(names) - _MOST_NAMES} more"


def counted(number: int, what: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {what}" + ("" if number == 1 else "s")


def remove(*paths: Path) -> str:
    """A repair: what it deleted."""
    for path in paths:
        path.unlink(missing_ok=True)
    return f"removed {listed([path.name for path in paths])}"
