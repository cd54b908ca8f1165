"""May a text go where the tags say? As it is, masked, or not at all (seed 002 §2.5)."""

from dataclasses import dataclass

from morenashi.indexer.claim_index import BoundaryClass, ClaimScope

from .boundary import treatment
from .invariants import Facts, RuleError, parse_rule
from .patterns import PatternTimeoutError
from .policy import Policy
from .redaction import Redacted, redact, redact_as
from .tags import Tags

UNMARKED: BoundaryClass = "internal"
"""The class of a text in which nothing was found, and of which nobody said another: whoever may see nothing internal is
not shown it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a text may go. With `redacted`, that text may go in its place, whether the text itself may or not.

    `reason` names kinds, classes and rules, never words of the text.
    """

    allowed: bool
    reason: str
    redacted: str | None = None


def judge(policy: Policy, payload: str, tags: Tags, scope: ClaimScope | None) -> Verdict:
    """Judge a text. What cannot be judged is refused."""
    try:
        everything = redact(payload, policy)
    except PatternTimeoutError:
        return Verdict(False, "the rules of redact_policies took too long over this text")
    boundary_class = everything.boundary_class or UNMARKED
    found = _describe(everything, boundary_class)
    how = treatment(policy, boundary_class, tags)
    if how != "deny":
        sent = payload if how == "allow" else redact_as(payload, policy, boundary_class).text
        violated = _violated_by(policy, sent, tags, scope)
        if violated is None:
            return Verdict(True, found, None if sent == payload else sent)
        found = f"{found}; against the invariant {violated}"
    else:
        found = f"{found}: {_why_denied(policy, boundary_class)}"
    return Verdict(False, found, _without_findings(policy, everything, tags, scope))


def facts_of(text: Redacted, boundary_class: BoundaryClass, tags: Tags, scope: ClaimScope | None) -> Facts:
    """What the rules of a policy may ask of a text of this class, by `rule_names.FACT_NAMES`."""
    kinds = {finding.boundary_class for finding in text.findings}
    return {
        "scope": scope or False,
        "boundary_class": boundary_class,
        "allow": tags,
        "prompt.contains_pii": "pii" in kinds,
        "prompt.contains_secret": "secret" in kinds,
        "prompt.chars": text.original_chars,
    }


def violated_invariant(
    policy: Policy, text: Redacted, boundary_class: BoundaryClass, tags: Tags, scope: ClaimScope | None
) -> str | None:
    """The first rule that does not hold of a text of this class in the scope, or has no answer; without a scope, of all
    rules.
    """
    facts = facts_of(text, boundary_class, tags, scope)
    for invariant in policy.invariants:
        applies = scope is None or "*" in invariant.applies_to or scope in invariant.applies_to
        if applies and not _holds(invariant.rule, facts):
            return invariant.name
    return None


def _without_findings(policy: Policy, everything: Redacted, tags: Tags, scope: ClaimScope | None) -> str | None:
    """The text with all findings masked, if that may go."""
    if not everything.findings or treatment(policy, UNMARKED, tags) == "deny":
        return None
    return None if _violated_by(policy, everything.text, tags, scope) else everything.text


def _violated_by(policy: Policy, sent: str, tags: Tags, scope: ClaimScope | None) -> str | None:
    """What a text would be against of which nobody says a class: it is of that of what is found in it."""
    found = redact(sent, policy)
    return violated_invariant(policy, found, found.boundary_class or UNMARKED, tags, scope)


def _holds(rule: str, facts: Facts) -> bool:
    try:
        return parse_rule(rule).holds(facts)
    except RuleError:
        return False


def _describe(text: Redacted, boundary_class: BoundaryClass) -> str:
    kinds = ", ".join(sorted({finding.kind for finding in text.findings}))
    return f"{boundary_class} ({kinds})" if kinds else f"nothing found, so {boundary_class}"


def _why_denied(policy: Policy, boundary_class: BoundaryClass) -> str:
    rule = policy.rule_of(boundary_class)
    if rule is None:
        return "the policy does not name this class"
    if rule.escalation == "deny":
        return "never sent"
    review = "; a person has to review it" if rule.escalation == "human_review" else ""
    return f"not for these tags{review}"
