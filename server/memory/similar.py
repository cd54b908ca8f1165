"""What is known that a new claim may come in the place of: whoever keeps it decides, and says so with `replaces`. What
contradicts it comes first, read off the texts as of two manuals.

Measured on 168 claims that an agent kept of 24 sessions (docs/decisions/0022): in 39 of the 46 pairs with such a share
the earlier claim was one of the 41 that it called out of date.
"""

from collections.abc import Iterable

from morenashi.indexer.claim_index import SCOPES
from morenashi.indexer.text import normalise
from morenashi.server.search.judgement.two_texts import contradicted_by

from .boundary import visible_classes
from .calls import Call
from .candidates import find_by_words
from .claims import Claim, Draft, content_hash
from .page import Sight
from .policies import AppliedPolicy
from .sameness import similarity
from .visible import make_view

_LEAST_SHARE = 0.25
_MOST, _MOST_CHARACTERS, _MOST_COMPARED = 3, 200, 1_000
_READ = 12


def find_similar(call: Call, applied: AppliedPolicy, draft: Draft) -> list[Claim]:
    """Claims that contradict the new one, or say much of the same, the most alike first, with the texts that are shown.

    Of higher scopes, too: a rule that the new claim contradicts holds beside it, and whoever keeps it should know.
    """
    tags = call.tags(None)
    view = make_view(applied.policy, SCOPES, visible_classes(applied.policy, tags), call.now, with_past=False)
    sight = Sight(call, applied, tags, view)
    found = call.ask(lambda connection: find_by_words(connection, view, draft.text, {}, _READ, show=sight.show))
    compare, contradicts = similarity(), contradicted_by(_compared(draft.text))
    digest = content_hash(draft.text)
    others = [found.claims[number] for number in found.scores]
    # Of many that are alike but for what they are about, most say what the new one says.
    likeness = {
        claim: (contradicts(_compared(claim.text)), compare(draft.text, claim.text))
        for claim in others
        if claim.content_hash != digest
    }
    told = (claim for claim, (is_contradicted, share) in likeness.items() if is_contradicted or share >= _LEAST_SHARE)
    return sorted(told, key=likeness.__getitem__, reverse=True)


def name_similar(similar: Iterable[Claim], replaced: Iterable[Claim]) -> list[dict[str, str]]:
    """The first of them as {id, text}; not what is replaced already."""
    gone = {claim.number for claim in replaced}
    named = [claim for claim in similar if claim.number not in gone]
    return [{"id": claim.id, "text": _shortened(claim.text)} for claim in named[:_MOST]]


def _compared(text: str) -> str:
    """As much of a text as is compared with another one: a claim is a statement, and values are compared two by two."""
    return normalise(text[:_MOST_COMPARED])


def _shortened(text: str) -> str:
    return text if len(text) <= _MOST_CHARACTERS else f"{text[: _MOST_CHARACTERS - 1]}…"
