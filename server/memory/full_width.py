"""Full-width signs where YAML has its own: `version： 1` is a text to YAML, and what it says of that leads nowhere."""

import re

from morenashi.indexer.claim_index import CLASSES

from .policy import Policy, PolicyError, Problem

# No text begins behind a stroke: of one that does not end, each of its \" would be tried as another beginning.
_QUOTED_OR_REMARK = re.compile(r"'(?:[^'\n]|'')*'|(?<!\\)\"(?:[^\"\\\n]|\\.)*\"|(?:^|(?<=\s))#[^\n]*", re.MULTILINE)
_SIGNS = (
    (":", re.compile(r"(?:^[ \t]*(?:-[ \t]+)?|[{,，][ \t]*)(?:[A-Za-z_][A-Za-z0-9_.-]*|'')[ \t]*(：)", re.MULTILINE)),
    (",", re.compile(r"[A-Za-z0-9_'*\]}][ \t]*([，、])[ \t]*[A-Za-z_'*\[{]")),
    ("a blank", re.compile("(\u3000)")),
)


_IN_TAGS = re.compile("[：，、]")


def refuse_wide_tags(policy: Policy) -> None:
    """Raise `PolicyError` for `answer:task、tool:*`: to YAML it is one tag, and nobody has it."""
    problems = tuple(
        Problem(f"boundary_classes.{one}.allow.{position}", "expected : and , and not the full-width ones in a tag")
        for one in CLASSES
        if (rule := policy.rule_of(one)) is not None
        for position, tag in enumerate(rule.allow)
        if _IN_TAGS.search(tag)
    )
    if problems:
        raise PolicyError(problems)


def find_full_width(text: str) -> str | None:
    """What was expected in place of the first one, and in which line; texts in quotes and remarks may have any."""
    bare = _QUOTED_OR_REMARK.sub(lambda match: "''" if match[0][0] in "'\"" else "", text)
    found = [(match.start(1), match[1], sign) for sign, form in _SIGNS if (match := form.search(bare))]
    if not found:
        return None
    place, wide, sign = min(found)
    line = bare.count("\n", 0, place) + 1
    return f"line {line}: expected {sign} and not the full-width {wide if wide.strip() else 'one'}"
