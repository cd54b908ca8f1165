"""A page of what was ranked, as its caller may see it now."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .calls import Call
from .claims import Claim
from .contexts import Context, Item, make_cursor
from .policies import AppliedPolicy
from .present import (
    Say,
    add_details,
    read_outdated,
    read_provenance,
    show_item,
    show_provenance,
    show_text,
    show_words,
)
from .tags import Tags
from .visible import View, read_visible


@dataclass(frozen=True, slots=True)
class Sight:
    """A call under the policy in force: what it may see, and for which uses."""

    call: Call
    applied: AppliedPolicy
    tags: Tags
    view: View
    _texts: dict[Claim, str | None] = field(default_factory=dict)

    def show(self, claim: Claim) -> str | None:
        """The text of a claim as it may be shown, or `None`. Raises `TimeoutError`: fifty texts may be long ones."""
        if claim not in self._texts:
            self._texts[claim] = self._judge(claim)
        return self._texts[claim]

    def _judge(self, claim: Claim) -> str | None:
        judged, policy = self.call.memory.judged, self.applied.policy
        if judged.is_as_kept(claim, policy, self.tags):
            return claim.text
        self.call.deadline.stop_if_over()
        text = show_text(claim, policy, self.tags)
        if text == claim.text:
            judged.note_as_kept(claim, policy, self.tags)
        return text


class Page:
    """The claims of a context from an offset on that may be shown now: the boundary is asked for every page."""

    def __init__(self, sight: Sight, context: Context, offset: int, count: int) -> None:
        self._sight = sight
        self._call = sight.call
        self._context = context
        self._end = offset + count
        self._shown: list[tuple[Claim, str, Item]] = []
        items = context.items[offset : self._end]
        numbers = [item.number for item in items]
        claims = self._call.ask(lambda connection: read_visible(connection, sight.view, numbers))
        for item in items:
            claim = claims.get(item.number)
            text = sight.show(claim) if claim else None
            if claim is not None and text is not None:
                self._shown.append((claim, text, item))

    @property
    def has_more(self) -> bool:
        """Whether the context goes on after it."""
        return self._end < len(self._context.items)

    @property
    def ids(self) -> tuple[str, ...]:
        """The claims that are shown, in their order."""
        return tuple(claim.id for claim, _, _ in self._shown)

    def rest(self) -> dict[str, Any]:
        """What an answer says of the pages after it."""
        if not self.has_more:
            return {"has_more": False}
        return {"next_cursor": make_cursor(self._context, self._end), "has_more": True}

    def items(self, *, include_meta: bool) -> list[dict[str, Any]]:
        """The claims as `scored_item`s (seed 002, definitions)."""
        outdated = self._call.ask(lambda connection: read_outdated(connection, [one[0].number for one in self._shown]))
        successors = self._successors()
        shown = [
            show_item(claim, text, item, _warnings(claim, outdated, successors)) for claim, text, item in self._shown
        ]
        if include_meta:
            self._call.ask(lambda connection: self._add_details(connection, shown))
        return shown

    def provenance(self) -> list[dict[str, Any]]:
        """Where each claim is from that is shown as it stands, in their order."""
        claims = {claim.number: claim for claim, text, _ in self._shown if text == claim.text}
        found = self._call.ask(lambda connection: read_provenance(connection, claims))
        return [show_provenance(found[number], self._say(claim)) for number, claim in claims.items() if number in found]

    def _successors(self) -> dict[int, Claim]:
        """Those that came in the place of what is shown, as far as the caller may see them."""
        numbers = {claim.replaced_by for claim, _, _ in self._shown if claim.replaced_by is not None}
        if not numbers:
            return {}
        return self._call.ask(lambda connection: read_visible(connection, self._sight.view, numbers))

    def _add_details(self, connection: sqlite3.Connection, shown: list[dict[str, Any]]) -> None:
        for one, (claim, text, item) in zip(shown, self._shown, strict=True):
            add_details(connection, one, claim, item, self._say(claim), masked=text != claim.text)

    def _say(self, claim: Claim) -> Say:
        """Raises `TimeoutError`: a claim may come with thousands of words, and each is judged by itself."""
        policy, tags = self._sight.applied.policy, self._sight.tags

        def say(words: str) -> str | None:
            self._call.deadline.stop_if_over()
            return show_words(words, claim, policy, tags)

        return say


def _warnings(claim: Claim, outdated: frozenset[int], successors: Mapping[int, Claim]) -> list[str]:
    """What speaks against relying on it."""
    successor = successors.get(claim.replaced_by or 0)
    signs = {
        f"replaced by {successor.id}" if successor else "replaced": claim.replaced_at is not None,
        "stale": claim.stale_since is not None,
        "outdated": claim.number in outdated,
    }
    return [name for name, is_one in signs.items() if is_one]
