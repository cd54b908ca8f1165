"""From a question to what it is looked for by: features with their weights. Pure."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import pairwise

from morenashi.indexer.claim_tokens import LETTERS, is_pair, searchable
from morenashi.indexer.tokens import is_kanji, runs, stem
from morenashi.server.search.question.stop_words import STOP_WORDS
from morenashi.server.search.ranking.features import Feature

# Chosen on questions whose answers stand among 5,000 and 20,000 other lines. A Japanese word has several pairs
# beside its run, a Latin one nothing, so it weighs twice.
_MIXED, _HIRAGANA, _KANJI, _LATIN, _STOP_WORD, _SYNONYM = 0.5, 0.15, 0.3, 2.0, 0.2, 0.9
_MORE_STOP_WORDS = frozenset(
    "about after also am been before being but did does doing don had has have having he her here him his its just "
    "me more most no not off only other out over own same she so some such than them then these they those through "
    "too under until up very were whom would could might must shall us again s t re ve ll d m".split()
)
_STOP_WORDS = STOP_WORDS | _MORE_STOP_WORDS
_LATIN_RUN = re.compile("[a-z0-9]+")
# utf8, 25mb; of E1042, a code of three digits or more, the number alone stands by itself.
_WORD_AND_NUMBER = re.compile("([a-z]{2,})([0-9]+)|([0-9]+)([a-z]{2,})|[a-z]([0-9]{3,})")
# The same joined, and rollback; but not the "it" of two letters.
_JOINED = re.compile(f"{_WORD_AND_NUMBER.pattern}|[a-z]{{5,}}")
# What asks stands in no claim that answers: it would find those about teaching, telling and being in touch.
_ASKING = re.compile(
    r"(?:を|は|について|に関して)?(?:教えて|おしえて)(?:ください|下さい|くれる|くれ|ほしい|欲しい|頂戴)?\W*\Z"
)
_HIRAGANA_PAIR = re.compile("[\u3041-\u309f]{2}")
_ANY_HIRAGANA = re.compile("[\u3041-\u309f]")

Synonyms = Mapping[str, tuple[str, ...]]


def parse_question(question: str, synonyms: Synonyms) -> tuple[str, list[Feature]]:
    """The searchable text of a question, with its words joined or apart behind it, and its features, each once."""
    text = searchable(question)
    text = _ASKING.sub("", text) or text
    found = {feature.key: feature for feature in _features(text)}
    otherwise = dict(_joined_otherwise(text))
    for word, weight in otherwise.items():
        found.setdefault(("word", stem(word)), Feature("word", stem(word), weight))
    for word, other in _synonyms_in(text, synonyms):
        for feature in _features_of_synonym(other, word):
            found.setdefault(feature.key, feature)
    return " ".join([text, *otherwise]), list(found.values())


def token_of(feature: Feature) -> str:
    """How `claim_tokens` spells a feature, after the letter of a layer."""
    return LETTERS[feature.kind] + feature.token


def is_telling(feature: Feature) -> bool:
    """Whether a claim may be looked for by it: stop words stand in claims about anything."""
    return feature.kind != "word" or feature.weight > _LATIN * _STOP_WORD


def _features(text: str) -> Iterator[Feature]:
    for left, right in pairwise(text):
        if is_pair(left, right):
            yield Feature("pair", left + right, _pair_weight(left + right))
    for run in runs(text):
        yield Feature("word", stem(run), _word_weight(run))
    for character in text:
        if is_kanji(character):
            yield Feature("kanji", character, _KANJI)


def _joined_otherwise(text: str) -> Iterator[tuple[str, float]]:
    """A number and its word apart where they are joined, and joined where they are apart, as two words are: 25 and mb,
    utf8, rollback of roll back. Joined they weigh what they do together.
    """
    words = list(_LATIN_RUN.finditer(text))
    for word in words:
        if apart := _WORD_AND_NUMBER.fullmatch(word[0]):
            for part in filter(None, apart.groups()):
                yield part, _word_weight(word[0]) / 2
    for left, right in pairwise(words):
        joined = left[0] + right[0]
        says_something = not {left[0], right[0]} <= _STOP_WORDS
        if says_something and text[left.end() : right.start()] in (" ", "-") and _JOINED.fullmatch(joined):
            yield joined, _word_weight(left[0]) + _word_weight(right[0])


def _features_of_synonym(synonym: str, word: str) -> Iterator[Feature]:
    """Its pairs and words, which together weigh a little less than the word that is asked for. Else a long one says
    more than that, and so do its parts: レーション of 継続的インテグレーション more than CI.
    """
    features = [feature for feature in _features(searchable(synonym)) if feature.kind != "kanji"]
    total, most = (sum(feature.weight for feature in some) for some in (features, _features(searchable(word))))
    share = _SYNONYM * (most / total if total > most else 1.0)
    for feature in features:
        yield replace(feature, weight=share * feature.weight)


def _word_weight(run: str) -> float:
    if not run.isascii():
        return 1.0
    return _LATIN * (_STOP_WORD if run in _STOP_WORDS else 1.0)


def _pair_weight(pair: str) -> float:
    if _HIRAGANA_PAIR.match(pair):
        return _HIRAGANA
    return _MIXED if _ANY_HIRAGANA.search(pair) else 1.0


def _synonyms_in(text: str, synonyms: Synonyms) -> Iterator[tuple[str, str]]:
    """The words of a text, with what else each is called, in whatever form. Japanese ones may stand inside longer ones,
    but for those that have an entry themselves: the ログ of ログイン is none, nor the request of a pull request.

    A stop word is called nothing else: the stem of AED is that of an article.
    """
    stems = _stems(text)
    telling = {f" {stem(run)} " for run in runs(text) if run not in _STOP_WORDS}
    latin: defaultdict[str, list[str]] = defaultdict(list)
    for word in filter(str.isascii, synonyms):
        if _is_said(entry := _stems_of_entry(word), stems, telling):
            latin[entry].append(word)
    words = [word for entry in _longest(latin, stems) for word in latin[entry]]
    words += _longest((word for word in synonyms if not word.isascii() and len(word) > 1 and word in text), text)
    yield from ((word, other) for word in words for other in synonyms[word])


def _longest(entries: Iterable[str], text: str) -> Iterator[str]:
    """Those of the entries that stand in a text outside of longer ones."""
    for entry in sorted(entries, key=len, reverse=True):
        if entry in text:
            yield entry
            # Two blanks: what stands beside it keeps its own.
            text = text.replace(entry, "  ")


def _is_said(entry: str, stems: str, telling: Collection[str]) -> bool:
    """Whether an entry's words stand in a text, one by itself as a telling word."""
    return entry in stems if entry.count(" ") > _AROUND_ONE else entry in telling


def _stems(text: str) -> str:
    return f" {' '.join(map(stem, runs(text)))} "


_AROUND_ONE = 2
"""The blanks of one word alone, as `_stems` gives it."""


_stems_of_entry = cache(_stems)
