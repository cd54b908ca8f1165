"""The features of a question: what is counted in passages, and how much each weighs. Pure.

Pairs of characters (with one hiragana at half weight, of hiragana alone at 0.3), whole script runs, single kanji at
0.3, Latin words. A Latin word has no pairs beside its run: it weighs what the pair and the run of 償却 do together, a
lone letter or digit what the run of a lone kanji does.
Pairs of hiragana, and words such as "how" and "with" beside others, order what the others find and say nothing of what
is covered; a term of nothing else is a feature as a whole, and weighs as much as a Latin word.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from morenashi.indexer.tokens import is_kanji, runs, squeeze, stem
from morenashi.server.search.question.stop_words import NO_TERMS

FeatureKind = Literal["pair", "word", "kanji", "phrase"]
FeatureKey = tuple[FeatureKind, str]

_MIXED_PAIR, _KANA_PAIR, _KANJI, _LATIN_WORD, _PHRASE, _NOUN = 0.5, 0.3, 0.3, 2.0, 2.0, 0.7
_STOP_WORD = 0.2

# What may be a part of a Latin word or name: deprecat, or webhook of onwebhookevent.
_PART = re.compile("[a-z]{4,}")
# Words that stand apart, of company's and don't without their ends: v-if and `for` are names of things.
_APART = re.compile("(?<![^ ])([a-z]+?)(?:'(?:s|d|m|ll|re|ve)|n't)?(?=[,.?!:;]*(?: |$))")
_JAPANESE = re.compile("[\u3041-\u30ff\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Feature:
    """Something of the question to count in a passage. `token` is its spelling in the index.

    `only_orders` if it says too little to look for passages by it, or to call them covered.
    """

    kind: FeatureKind
    token: str
    weight: float
    only_orders: bool = False

    @property
    def key(self) -> FeatureKey:
        return self.kind, self.token


def extract_features(text: str) -> list[Feature]:
    """The features of a normalised question, each once."""
    features: dict[FeatureKey, Feature] = {}
    for left, right in pairwise(text):
        scripts = script_of(left), script_of(right)
        if scripts == ("hiragana", "hiragana"):
            features["pair", left + right] = Feature("pair", left + right, _KANA_PAIR, only_orders=True)
        elif weight := _pair_weight(*scripts):
            features["pair", left + right] = Feature("pair", left + right, weight)
    words = _APART.sub(r"\1", text)
    telling = set(runs(_APART.sub(_unless_stop_word, words)))
    # A stop word beside others says as little as the particles between them.
    has_others = bool(telling) or not all(pair.only_orders for pair in features.values())
    for run in runs(words):
        is_stop_word = has_others and run not in telling
        weight = _run_weight(run) * (_STOP_WORD if is_stop_word else 1)
        feature = Feature("word", stem(run), weight, only_orders=is_stop_word)
        if not is_stop_word or feature.key not in features:
            features[feature.key] = feature
    for character in text:
        if is_kanji(character):
            features["kanji", character] = Feature("kanji", character, _KANJI)
    return list(features.values())


def _unless_stop_word(word: re.Match[str]) -> str:
    return " " if word[1] in NO_TERMS and not _stands_among_japanese(word) else word[0]


def _stands_among_japanese(word: re.Match[str]) -> bool:
    """Whether a Latin word has no other beside it, but Japanese: there it is a name, as in `is 属性`."""
    before = word.string[max(word.start() - 2, 0) : word.start()].strip()[-1:]
    after = word.string[word.end() : word.end() + 2].strip()[:1]
    beside = [character for character in (before, after) if character]
    return bool(beside) and all(map(_JAPANESE.match, beside))


def noun_features(nouns: Iterable[str]) -> list[Feature]:
    """The pairs of nouns that say what the verbs of a question say; they order what is found."""
    pairs = (left + right for noun in nouns for left, right in pairwise(noun))
    return [Feature("pair", pair, _NOUN, only_orders=True) for pair in dict.fromkeys(pairs)]


def phrase_features(terms: Iterable[str]) -> list[Feature]:
    """A feature for each of these normalised terms of which nothing else is looked for: hiragana or signs alone."""
    unknown = (term for term in terms if all(feature.only_orders for feature in extract_features(term)))
    return [Feature("phrase", term, _PHRASE, only_orders=len(squeeze(term)) < 2) for term in unknown]


def part_of_words(term: str, features: Iterable[Feature], counts: Mapping[FeatureKey, int]) -> Feature | None:
    """A feature for a normalised term that is a Latin word of the question which no text of any manual has as a word,
    as it counts where longer words have it.
    """
    if not _PART.fullmatch(term):
        return None
    root = stem(term)
    is_unknown = any(f.kind == "word" and f.token == root and not counts.get(f.key) for f in features)
    return Feature("phrase", term, _PHRASE) if is_unknown else None


def _run_weight(run: str) -> float:
    return _LATIN_WORD if run.isascii() and len(run) > 1 else 1.0


def _pair_weight(left: str, right: str) -> float:
    if " " in (left, right) or left == right == "latin":
        return 0.0
    return _MIXED_PAIR if "hiragana" in (left, right) else 1.0


def script_of(character: str) -> str:
    """The script of a character; a blank of what separates."""
    if "\u3041" <= character <= "\u309f":
        return "hiragana"
    if "\u30a1" <= character <= "\u30ff":
        return "katakana"
    if is_kanji(character):
        return "kanji"
    if character.isascii():
        return "latin" if character.isalnum() else " "
    # Vowels of Indic scripts and of Thai are marks beside their letters.
    return "other" if character.isalnum() or unicodedata.category(character)[0] == "M" else " "
