"""What an explanation consists of: what was seen, step after step, and what follows from it. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

C = TypeVar("C", bound=str)


@dataclass(frozen=True, slots=True)
class Step(Generic[C]):
    """What was seen. One with a conclusion ends the matter; `facts` are its numbers."""

    seen: str
    conclusion: C | None = None
    facts: dict[str, Any] = field(default_factory=dict)


def until_concluded(steps: Iterable[Step[C]]) -> list[Step[C]]:
    """The steps up to the first with a conclusion; what comes behind it is not looked at."""
    seen: list[Step[C]] = []
    for step in steps:
        seen.append(step)
        if step.conclusion is not None:
            break
    return seen


def report(about: dict[str, str], steps: Sequence[Step[C]]) -> dict[str, Any]:
    """What is explained, the conclusion, and the steps, for JSON."""
    last = steps[-1]
    return about | {
        "conclusion": last.conclusion,
        "says": last.seen,
        "facts": last.facts,
        "steps": [{"seen": step.seen, "facts": step.facts} for step in steps],
    }


def describe(told: dict[str, Any]) -> str:
    """A report in lines: the conclusion first."""
    steps = [f"{number:>3}. {step['seen']}" for number, step in enumerate(told["steps"], 1)]
    return "\n".join([f"{told['conclusion']}: {told['says']}", *steps])
