"""Names in the rules of a policy, and what they are compared with: a mistyped name would count as false, a mistyped
scope be that of nothing, and the rule hold of all or of nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from morenashi.indexer.claim_index import CLASSES, SCOPES

from .invariants import Facts, Rule, RuleError, parse_rule
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

_VALUES: Mapping[str, Sequence[str]] = {"scope": SCOPES, "boundary_class": CLASSES}
_CHARS = (0, 1_000, 1_000_000)
_NEAR = 80
"""Of a hundred: scopes, allowed and prompt.contain_pii are meant for one that there is, dataset.origin is not."""


def refuse_mistyped(policy: Policy) -> None:
    """Raise `PolicyError` for names that are meant for one that there is, and are none, for scopes and classes that
    there are not, and for a rule of known names that has no answer for any text: it would refuse all.

    Other names count as false, as the contract has it: a policy may be shared with programs that know more.
    """
    problems = tuple(
        Problem(f"invariants.{position}.rule", expected)
        for position, invariant in enumerate(policy.invariants)
        for expected in _problems_of(parse_rule(invariant.rule))
    )
    if problems:
        raise PolicyError(problems)


def describe_unknown(old: Policy | None, new: Policy) -> list[str]:
    """A line for each name that counts as false, of the rules that `old` does not have."""
    before = {(invariant.name, invariant.rule) for invariant in old.invariants} if old else set()
    return [
        f"invariants.{invariant.name}.rule: {name} is not known here and counts as false"
        for invariant in new.invariants
        if (invariant.name, invariant.rule) not in before
        for name in _unknown(parse_rule(invariant.rule))
    ]


def _problems_of(rule: Rule) -> list[str]:
    """What was expected in place of a rule."""
    mistyped = [*_mistyped_names(rule), *_mistyped_values(rule)]
    if mistyped or any(_unknown(rule)) or _has_an_answer(rule):
        return mistyped
    return ["expected a rule that is true or false of some text; this one never is"]


def _mistyped_names(rule: Rule) -> Iterator[str]:
    for name in _unknown(rule):
        if _is_meant_for_ours(name):
            yield f"{name} is no name; expected one of {', '.join(FACT_NAMES)}"


def _mistyped_values(rule: Rule) -> Iterator[str]:
    for name, value in rule.compared:
        if name in _VALUES and value not in _VALUES[name]:
            yield f"{name} is never '{value}'; expected one of {', '.join(_VALUES[name])}"


def _has_an_answer(rule: Rule) -> bool:
    """Whether it has one for some of the texts that there may be: `prompt.chars < '9'` has none."""
    for scope, one, has_pii, has_secret, chars in product((False, *SCOPES), CLASSES, *[(False, True)] * 2, _CHARS):
        facts: Facts = {
            "scope": scope,
            "boundary_class": one,
            "allow": frozenset({"answer:task"}),
            "prompt.contains_pii": has_pii,
            "prompt.contains_secret": has_secret,
            "prompt.chars": chars,
        }
        try:
            rule.holds(facts)
        except RuleError:
            continue
        return True
    return False


def _unknown(rule: Rule) -> Iterator[str]:
    return (name for name in rule.names if name not in FACT_NAMES)


def _is_meant_for_ours(name: str) -> bool:
    """Whether it resembles one of ours, or begins as one."""
    # Loaded where it is needed: a policy is seldom applied.
    from rapidfuzz import process

    beginnings = {ours.partition(".")[0] for ours in FACT_NAMES}
    near = process.extractOne(name, FACT_NAMES, processor=str.casefold, score_cutoff=_NEAR)
    return near is not None or name.partition(".")[0] in beginnings
