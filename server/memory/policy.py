"""A policy: which classes of claims may go where, what is masked, how long a scope lives, how search weighs.

The YAML of seed 002 §2.6, parsed once and trusted afterwards. What is left out has the seed's defaults, but a class
that is not named is denied (fail closed).
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Literal, Self, TypeVar, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails

from morenashi.indexer.claim_index import CLASSES, BoundaryClass, ClaimScope
from morenashi.indexer.config import USE_FORM
from morenashi.indexer.expected import describe_expected

from .invariants import MAX_RULE_CHARS, parse_rule
from .patterns import MAX_PATTERN_CHARS, compile_pattern
from .policy_parts import names_at

ClaimKind = Literal["fact", "preference", "task", "policy_hint"]
PersonalKind = Literal["email", "phone", "postal_code", "my_number", "credit_card", "name"]

N = TypeVar("N", "Invariant", "RedactRule")

ALLOW_ALL = "*"
"""The tag that stands for every use, also for none."""

_YEAR_DAYS = 365
_UNITS = {"s": timedelta(seconds=1), "m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}
_UNITS |= {"w": timedelta(weeks=1), "y": timedelta(days=_YEAR_DAYS)}
_LONGEST = timedelta(days=100 * _YEAR_DAYS)
_VERSION = re.compile(r"(0|[1-9][0-9]{0,8})(?:\.(0|[1-9][0-9]{0,8}))?(?:\.(0|[1-9][0-9]{0,8}))?(-[0-9A-Za-z.-]{1,64})?")


class PolicyError(ValueError):
    """A text that is no policy. The message is its first problem: where, and what was expected there."""

    def __init__(self, problems: "tuple[Problem, ...]") -> None:
        super().__init__(str(problems[0]))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong at a place. `path` has dots, as in `boundary_classes.pii.allow.0`; empty for the whole text.

    `line` is where that stands, or what it is missing in; counted from 1.
    """

    path: str
    expected: str
    line: int | None = None

    def __str__(self) -> str:
        place = f"{self.path} (line {self.line})" if self.path and self.line else self.path
        return f"{place}: {self.expected}" if place else self.expected


def parse_version(text: str) -> str:
    """A version in full: `0.1` is `0.1.0` (semver.org, without build metadata). Raises `ValueError`."""
    match = _VERSION.fullmatch(text)
    if match is None:
        raise ValueError("expected a version like 0.1 or 1.2.3")
    return f"{match[1]}.{match[2] or 0}.{match[3] or 0}{match[4] or ''}"


def parse_duration(text: str) -> timedelta | None:
    """`90s`, `15m`, `12h`, `7d`, `2w`, `1y`; `inf` is `None`. Raises `ValueError`."""
    if text == "inf":
        return None
    match = re.fullmatch(r"([1-9][0-9]{0,9})([smhdwy])", text)
    if match is None:
        raise ValueError("expected a duration like 7d, 12h, 2w, or inf")
    if int(match[1]) * _UNITS[match[2]].total_seconds() > _LONGEST.total_seconds():
        raise ValueError("expected a hundred years at most, or inf")
    return int(match[1]) * _UNITS[match[2]]


def _taken_by(parse: Callable[[str], object]) -> AfterValidator:
    """The text as it stands, if it can be parsed; `parse` raises `ValueError` if not."""

    def check(text: str) -> str:
        parse(text)
        return text

    return AfterValidator(check)


Version = Annotated[str, AfterValidator(parse_version)]
Duration = Annotated[str, _taken_by(parse_duration)]
Tag = Annotated[str, StringConstraints(pattern=USE_FORM)]
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$")]
RuleText = Annotated[str, StringConstraints(min_length=1, max_length=MAX_RULE_CHARS), _taken_by(parse_rule)]
Pattern = Annotated[str, StringConstraints(min_length=1, max_length=MAX_PATTERN_CHARS), _taken_by(compile_pattern)]
Candidates = Annotated[int, Field(ge=1, le=1_000)]
Days = Annotated[float, Field(gt=0, le=100 * _YEAR_DAYS)]


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True)


class ScopeRule(_Part):
    """How long what is kept in a scope lives, and how much of it goes into a context."""

    ttl: Duration
    max_tokens: Annotated[int, Field(ge=1, le=10_000_000)] | None = None

    @property
    def lifetime(self) -> timedelta | None:
        """`None`: for ever."""
        return parse_duration(self.ttl)


class Scopes(_Part):
    """The layers, the quickest first."""

    session: ScopeRule = ScopeRule(ttl="7d", max_tokens=20_000)
    project: ScopeRule = ScopeRule(ttl="120d", max_tokens=50_000)
    principle: ScopeRule = ScopeRule(ttl="inf", max_tokens=100_000)


class ClassRule(_Part):
    """Where claims of a class may go. Deny is stronger than redact, redact than allow."""

    allow: tuple[Tag, ...] = ()
    redact: tuple[Name, ...] = ()
    """Kinds of personal data, `redact_policies` or single rules of these, to be masked before it goes."""
    escalation: Literal["deny", "human_review"] | None = None
    """`deny`: never, whatever `allow` says."""


class BoundaryClasses(_Part):
    """A class that is not named is denied. No policy shows what is secret."""

    public: ClassRule | None = None
    internal: ClassRule | None = None
    pii: ClassRule | None = None
    secret: ClassRule | None = None

    @field_validator("secret")
    @classmethod
    def _is_denied(cls, rule: ClassRule | None) -> ClassRule | None:
        if rule is not None and rule.allow and rule.escalation != "deny":
            raise ValueError("expected allow: [] or escalation: deny, as what is secret is shown to nobody")
        return rule


class Invariant(_Part):
    """What has to hold of everything that is kept or sent in some scopes."""

    name: Name
    applies_to: Annotated[tuple[Literal["*", ClaimScope], ...], Field(min_length=1)] = ("*",)
    rule: RuleText


class RedactRule(_Part):
    """A pattern (RE2) and the text that replaces what it finds, as it stands."""

    name: Name
    find: Pattern
    replace: Annotated[str, StringConstraints(max_length=200)]


def _expect_letters(name: str) -> None:
    # A start without a policy needs nothing that redacts.
    from .detectors.people import letters_of

    if not letters_of(name):
        raise ValueError("expected a name that has letters: another one would stand everywhere")


def _each_name_once(named: tuple[N, ...]) -> tuple[N, ...]:
    """Changes, and what a policy refuses, are told by names."""
    counts = Counter(one.name for one in named)
    if twice := [name for name, count in counts.items() if count > 1]:
        raise ValueError(f"expected each name once; {twice[0]} stands twice")
    return named


class RedactPolicy(_Part):
    """Patterns, the first ones first, and names of people to look for."""

    rules: Annotated[tuple[RedactRule, ...], Field(max_length=100), AfterValidator(_each_name_once)] = ()
    names: Annotated[
        tuple[Annotated[str, StringConstraints(min_length=2, max_length=100), _taken_by(_expect_letters)], ...],
        Field(max_length=2_000),
    ] = ()


class Hybrid(_Part):
    """How many candidates each side gives, and what weight the vectors have."""

    alpha: Annotated[float, Field(ge=0.3, le=0.9)] = 0.65
    k_txt: Candidates = 48
    k_vec: Candidates = 96
    k_final: Candidates = 12


class HalfLives(_Part):
    """Days after which a claim of a kind counts half."""

    fact: Days = 120
    task: Days = 14
    preference: Days = 90
    policy_hint: Days = 365


class Recency(_Part):
    """Recency by kind."""

    half_life_days_by_kind: HalfLives = HalfLives()


class Rerank(_Part):
    """What the second look weighs."""

    use_quality: bool = False
    recency_half_life_days: Days = 30
    """For what has no kind."""
    recency: Recency = Recency()


class Retrieval(_Part):
    """How search and activation rank."""

    hybrid: Hybrid = Hybrid()
    rerank: Rerank = Rerank()


class Policy(_Part):
    """A whole policy. `version` is in full: `0.1` has become `0.1.0`."""

    version: Version
    meta: dict[str, JsonValue] = Field(default_factory=dict)
    scopes: Scopes = Scopes()
    boundary_classes: BoundaryClasses
    invariants: Annotated[tuple[Invariant, ...], Field(max_length=100), AfterValidator(_each_name_once)] = ()
    redact_policies: Annotated[dict[Name, RedactPolicy], Field(max_length=50)] = Field(default_factory=dict)
    retrieval: Retrieval = Retrieval()

    @model_validator(mode="after")
    def _names_what_it_redacts(self) -> Self:
        for place, name in self._redacted_names():
            if name not in self.redactable:
                known = ", ".join(sorted(self.redactable))
                raise ValueError(f"{place}: cannot be redacted; known are {known}")
        return self

    @property
    def redactable(self) -> frozenset[str]:
        """What `redact` of a class may name."""
        rules = {rule.name for policy in self.redact_policies.values() for rule in policy.rules}
        return frozenset({*get_args(PersonalKind), *self.redact_policies, *rules})

    def rule_of(self, boundary_class: BoundaryClass) -> ClassRule | None:
        """What the policy says of a class; `None`, which denies, if nothing."""
        rule: ClassRule | None = getattr(self.boundary_classes, boundary_class)
        return rule

    def _redacted_names(self) -> Iterator[tuple[str, str]]:
        for boundary_class in CLASSES:
            rule = self.rule_of(boundary_class)
            for position, name in enumerate(rule.redact if rule else ()):
                yield f"boundary_classes.{boundary_class}.redact.{position}", name


def parse_policy(yaml_text: str) -> Policy:
    """Parse and check a policy (seed 002 §2.6). Raises `PolicyError`."""
    # A start without a policy needs no YAML.
    from .full_width import find_full_width
    from .policy_yaml import Lines, YamlError, read_yaml

    lines: Lines = {}
    try:
        value = read_yaml(yaml_text, lines)
    except YamlError as error:
        raise PolicyError((Problem("", find_full_width(yaml_text) or str(error)),)) from None
    try:
        # As JSON, whose arrays a strict tuple takes.
        return Policy.model_validate_json(json.dumps(value))
    except ValidationError as error:
        problems = tuple(_problem(one, lines) for one in error.errors(include_url=False, include_input=False))
        wide = find_full_width(yaml_text)
        raise PolicyError(((Problem("", wide),) if wide else ()) + problems) from None


def _problem(error: ErrorDetails, lines: Mapping[tuple[str, ...], int]) -> Problem:
    place = tuple(str(part) for part in error["loc"])
    line = next((lines[place[:end]] for end in range(len(place), 0, -1) if place[:end] in lines), None)
    return Problem(".".join(place), _expected(error), line)


def _expected(error: ErrorDetails) -> str:
    if error["type"] == "extra_forbidden":
        return f"not a part of a policy; expected one of {', '.join(names_at(Policy, error['loc'][:-1]))}"
    if error["type"] == "value_error":
        # The check over the whole policy names the place itself.
        return str(error["ctx"]["error"])
    return f"expected {describe_expected(error)}"
