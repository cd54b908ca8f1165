"""Expressions for the full-text tables, all of quoted tokens: no syntax comes from the user. Pure."""

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from morenashi.indexer.tokens import quote, squeeze, stem
from morenashi.server.search.question.english_forms import stems_of
from morenashi.server.search.ranking.features import Feature
from morenashi.server.search.ranking.lex import Corpus

PAIRS_ASKED = 4
# Where even the rarest pair is frequent, as in Latin words, asking for more of them is cheaper than reading more.
_PAIRS_ASKED_OF_FREQUENT, FREQUENT_FROM = 8, 1_000


def of_spelling(squeezed: str, corpus: Corpus) -> str | None:
    """An expression that no passage with this spelling fails; `None` if the index cannot answer."""
    if not squeezed:
        return None
    if len(squeezed) == 1:
        return beginning_with(squeezed)
    return all_of(rarest_pairs(squeezed, corpus))


def of_words(phrase: str) -> str:
    """An expression for `words` that no passage with these Latin words fails, in whatever form, apart or joined."""
    apart = f"({' AND '.join(map(_of_word, stems_of(phrase)))})"
    return apart if squeeze(phrase) == phrase else f"({apart} OR {_of_word(stem(squeeze(phrase)))})"


def _of_word(word: str) -> str:
    # The last number of a date may have a time behind it: 2023-04-01T10:00.
    return f"({quote(word)} OR {quote(word + 't')}*)" if word.isdigit() else quote(word)


def of_feature(feature: Feature, corpus: Corpus) -> tuple[str, str]:
    """The full-text table that has a feature, and the expression for it."""
    if feature.kind == "phrase":
        return "pairs", all_of(rarest_pairs(squeeze(feature.token), corpus))
    return "pairs" if feature.kind == "pair" else "words", quote(feature.token)


def rarest_pairs(squeezed: str, corpus: Corpus) -> list[str]:
    """Those of its pairs to ask for, the rarest first."""
    counted = sorted((corpus.counts.get(("pair", pair), 0), pair) for pair in pairs_of(squeezed))
    asked = _PAIRS_ASKED_OF_FREQUENT if counted[0][0] >= FREQUENT_FROM else PAIRS_ASKED
    return [pair for _, pair in counted[:asked]]


def all_of(pairs: Sequence[str]) -> str:
    """Passages with all of these pairs."""
    return "(" + " AND ".join(map(quote, pairs)) + ")"


def one_of_each(sets: Iterable[Collection[str]]) -> str:
    """Passages with a pair of each of the sets; empty without any."""
    return " AND ".join("(" + " OR ".join(map(quote, sorted(pairs))) + ")" for pairs in sets)


def beginning_with(character: str) -> str:
    """Passages with a pair that begins with a character."""
    return quote(character) + "*"


def pairs_of(squeezed: str) -> list[str]:
    """Every two adjacent characters of a text without separators, each pair once."""
    return list(dict.fromkeys(left + right for left, right in pairwise(squeezed)))
