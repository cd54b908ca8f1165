"""Names in the rules of a policy: one that is mistyped would count as false, and the rule hold of all or of nothing."""

from collections.abc import Iterator

from .invariants import parse_rule
from .policy import Policy, PolicyError, Problem

FACT_NAMES = (
    "scope",
    "boundary_class",
    "allow",
    "prompt.contains_pii",
    "prompt.contains_secret",
    "prompt.chars",
)
"""What the rules of a policy may ask about a text that is to be sent or kept. Other names are false."""

_NEAR = 80
"""Of a hundred: scopes, allowed and prompt.contain_pii are meant for one that there is, dataset.origin is not."""


def refuse_mistyped(policy: Policy) -> None:
    """Raise `PolicyError` for names that are meant for one that there is, and are none.

    Others count as false, as the contract has it: a policy may be shared with programs that know more.
    """
    problems = []
    for position, invariant in enumerate(policy.invariants):
        for name in _unknown(invariant.rule):
            if _is_meant_for_ours(name):
                expected = f"{name} is no name; expected one of {', '.join(FACT_NAMES)}"
                problems.append(Problem(f"invariants.{position}.rule", expected))
    if problems:
        raise PolicyError(tuple(problems))


def describe_unknown(old: Policy | None, new: Policy) -> list[str]:
    """A line for each name that counts as false, of the rules that `old` does not have."""
    before = {(invariant.name, invariant.rule) for invariant in old.invariants} if old else set()
    return [
        f"invariants.{invariant.name}.rule: {name} is not known here and counts as false"
        for invariant in new.invariants
        if (invariant.name, invariant.rule) not in before
        for name in _unknown(invariant.rule)
    ]


def _unknown(rule: str) -> Iterator[str]:
    return (name for name in parse_rule(rule).names if name not in FACT_NAMES)


def _is_meant_for_ours(name: str) -> bool:
    """Whether it resembles one of ours, or begins as one."""
    # Loaded where it is needed: a policy is seldom applied.
    from rapidfuzz import process

    beginnings = {ours.partition(".")[0] for ours in FACT_NAMES}
    near = process.extractOne(name, FACT_NAMES, processor=str.casefold, score_cutoff=_NEAR)
    return near is not None or name.partition(".")[0] in beginnings
