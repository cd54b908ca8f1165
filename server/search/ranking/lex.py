"""LEX: the lexical score of a passage for a question. Pure.

BM25 over the question's features: pairs of characters (with one hiragana at half weight, of
hiragana alone at 0.3), whole script runs, single kanji at 0.3, Latin words exact and stemmed.
A Latin word has no pairs beside its run: it weighs what the pair and the run of 償却 do together, a lone letter or
digit what the run of a lone kanji does.
Pairs of hiragana, and words such as "how" and "with" beside others, order what the others find and say nothing of what
is covered; a term of nothing else is a feature as a whole, and weighs as much as a Latin word.
Weights and k1, b were chosen on questions kept apart from those measured (docs/architecture.md).
Lucene's idf, log(1 + (N - n + .5) / (n + .5)), which is never negative.
"""

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Literal

from morenashi.indexer.tokens import is_kanji, latin_words, runs, squeeze, stem
from morenashi.server.search.question.stop_words import NO_TERMS

FeatureKind = Literal["pair", "word", "kanji", "phrase"]
FeatureKey = tuple[FeatureKind, str]
_Weighed = Sequence[tuple[str, float]]

K1_JAPANESE, _K1_LATIN = 0.4, 1.0
_B = 0.75
_MIXED_PAIR, _KANA_PAIR, _KANJI, _LATIN_WORD, _EXACT_SHARE, _PHRASE, _NOUN = 0.5, 0.3, 0.3, 2.0, 0.5, 2.0, 0.7
_STOP_WORD = 0.2

# What may be a part of a Latin word or name: deprecat, or webhook of onwebhookevent.
_PART = re.compile("[a-z]{4,}")
# Words that stand apart, of company's and don't without their ends: v-if and `for` are names of things.
_APART = re.compile("(?<![^ ])([a-z]+?)(?:'(?:s|d|m|ll|re|ve)|n't)?(?=[,.?!:;]*(?: |$))")
_JAPANESE = re.compile("[\u3041-\u30ff\u3400-\u9fff]")
# Of text with a blank behind each character nearly half is blanks; of Japanese with Latin words in it a tenth.
_SPREAD_SHARE = 0.3
_SPREAD = re.compile("(?<=[\u3001-\u30ff\u3400-\u9fff]) (?=[\u3001-\u30ff\u3400-\u9fff])")


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


@dataclass(frozen=True, slots=True)
class Corpus:
    """What BM25 needs to know: passages, their mean length in characters, passages a feature is in."""

    passages: int
    mean_length: float
    counts: Mapping[FeatureKey, int]

    def idf(self, feature: Feature) -> float:
        return self._idf(min(self.counts.get(feature.key, 0), self.passages))

    def phrase_idf(self, phrase: str) -> float:
        """That of its rarest pair."""
        return self._idf(self.most_with(phrase))

    def rarity(self, term: str) -> float:
        """The idf of a normalised term: of one in Latin letters, whose pairs are in every text, that of the rarest of
        its words that were counted.
        """
        words: list[FeatureKey] = [("word", stem(word)) for word in latin_words(term)] if term.isascii() else []
        counts = [count for word in words if (count := self.counts.get(word)) is not None]
        return self._idf(min(*counts, self.passages)) if counts else self.phrase_idf(term)

    def most_with(self, phrase: str, unknown: int = 1) -> int:
        """In how many passages it can stand: as many as have its rarest pair, `unknown` where one has no count. Of a
        single character half of all.
        """
        counts = (self.counts.get(("pair", left + right), unknown) for left, right in pairwise(squeeze(phrase)))
        return min(counts, default=self.passages // 2)

    def _idf(self, count: int) -> float:
        return math.log(1 + (self.passages - count + 0.5) / (count + 0.5))


def extract_features(text: str) -> list[Feature]:
    """The features of a normalised question, each once."""
    features: dict[FeatureKey, Feature] = {}
    for left, right in pairwise(text):
        scripts = _script(left), _script(right)
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


def part_of_words(term: str, features: Iterable[Feature], corpus: Corpus) -> Feature | None:
    """A feature for a normalised term that is a Latin word of the question which no text of any manual has as a word,
    as it counts where longer words have it.
    """
    if not _PART.fullmatch(term):
        return None
    root = stem(term)
    is_unknown = any(f.kind == "word" and f.token == root and not corpus.counts.get(f.key) for f in features)
    return Feature("phrase", term, _PHRASE) if is_unknown else None


class Scorer:
    """Scores passages for one question."""

    def __init__(self, text: str, features: list[Feature], corpus: Corpus) -> None:
        self._mean_length = max(corpus.mean_length, 1.0)
        weighed = [(feature, feature.weight * corpus.idf(feature)) for feature in features]
        self._most = sum(weight for feature, weight in weighed if not feature.only_orders)
        present = [(feature, weight) for feature, weight in weighed if corpus.counts.get(feature.key, 0)]
        self._substrings = [(f.token, weight) for f, weight in present if f.kind != "word" and not f.only_orders]
        in_order = [(f.token, weight) for f, weight in present if f.kind != "word" and f.only_orders]
        self._counted = self._substrings + in_order
        words = [(f.token, weight) for f, weight in present if f.kind == "word"]
        self._runs = [(run, weight) for run, weight in words if not run[0].isascii()]
        self._stems = {token: weight for token, weight in words if token[0].isascii()}
        stop_words = {f.token for f, _ in present if f.kind == "word" and f.only_orders}
        self._telling = {token: weight for token, weight in self._stems.items() if token not in stop_words}
        self._words_of_stems = _words_that_may_stem_to(self._stems)
        self._exact = {word: self._stems[stem(word)] for word in latin_words(text) if stem(word) in self._stems}
        # Of each part of the question, in the order of `frequencies`.
        japanese = [weight for _, weight in (*self._counted, *self._runs)]
        exact = [_EXACT_SHARE * weight for weight in self._exact.values()]
        stemmed = [(1 - _EXACT_SHARE) * weight for weight in self._stems.values()]
        self._weights = japanese + exact + stemmed
        self._saturations = [K1_JAPANESE] * len(japanese) + [_K1_LATIN] * len(exact + stemmed)

    def score(self, text: str) -> float:
        """The score of a normalised passage text; 0 if it shares nothing with the question."""
        text = close_up(text)
        return self.combine(self.frequencies(text), len(text))

    def length_share(self, characters: float) -> float:
        """BM25's share of the length of a text of so many characters: 1 for one of mean length."""
        return 1 - _B + _B * characters / self._mean_length

    def frequencies(self, text: str) -> list[int]:
        """How often each part of the question stands in a normalised text, for `combine`: one that `close_up` gave, as
        its length is that of what is counted.
        """
        found = [text.count(token) for token, _ in self._counted]
        found += [_count_whole_runs(text, run) for run, _ in self._runs]
        if not self._stems:
            return found
        words, stems = self._words_and_stems_in(text)
        if not words:
            return found + [0] * (len(self._exact) + len(self._stems))
        return found + [words[word] for word in self._exact] + [stems[token] for token in self._stems]

    def combine(self, frequencies: Iterable[float], characters: float) -> float:
        """The score of such frequencies in a text of so many characters.

        They may be those of several texts, weighted: then they add up before they saturate, which is BM25F
        (Robertson, Zaragoza and Taylor, 2004).
        """
        return bm25(self._weights, self._saturations, frequencies, self.length_share(characters))

    def share(self, frequencies: Iterable[float]) -> float:
        """The share (0..1) of the weight of the question's parts that such frequencies have at all."""
        most = sum(self._weights)
        present = sum(weight for weight, frequency in zip(self._weights, frequencies, strict=True) if frequency)
        return present / most if most else 0.0

    def coverage(self, text: str) -> float:
        """The share (0..1) of the question's weight whose features stand in the text at all."""
        present = self._weight_in(close_up(text), self._substrings, self._runs, self._telling)
        return present / self._most if self._most else 0.0

    def best_line(self, text: str, among: Collection[int] = ()) -> int:
        """The line (0-based) of these, or of all, that covers most of the question beside the first line, which is the
        title of what follows; the first of equals.
        """
        lines = text.split("\n")
        title = close_up(next(filter(str.strip, lines), ""))
        said = self._stems_in(title)
        unsaid = (
            [(token, weight) for token, weight in self._substrings if token not in title],
            [(run, weight) for run, weight in self._runs if not _count_whole_runs(title, run)],
            {token: weight for token, weight in self._telling.items() if token not in said},
        )
        return max(
            among or range(len(lines)),
            key=lambda line: (self._weight_in(close_up(lines[line]), *unsaid), -line),
        )

    def _weight_in(self, text: str, substrings: _Weighed, runs: _Weighed, stems: Mapping[str, float]) -> float:
        """The summed weight of those of the features that stand in the text."""
        weight = sum([weight for token, weight in substrings if token in text])
        weight += sum([weight for run, weight in runs if _count_whole_runs(text, run)])
        if stems:
            present = self._stems_in(text)
            weight += sum([weight for token, weight in stems.items() if token in present])
        return weight

    def _stems_in(self, text: str) -> set[str]:
        """Stems of the question that words of the text have; and others that begin alike."""
        return {stem(word) for words in self._words_of_stems for word in words.findall(text)}

    def _words_and_stems_in(self, text: str) -> tuple[Counter[str], Counter[str]]:
        """How often the words that may have a stem of the question stand in the text, and how often their stems."""
        words = Counter(chain.from_iterable(words.findall(text) for words in self._words_of_stems))
        stems: Counter[str] = Counter()
        for word, frequency in words.items():
            stems[stem(word)] += frequency
        return words, stems


def bm25(
    weights: Iterable[float], saturations: Iterable[float], frequencies: Iterable[float], length_share: float
) -> float:
    """The summed score of terms by how often each stands in a text; `saturations` are their k1, `length_share` as in
    `Scorer`.
    """
    score = 0.0
    for weight, k1, frequency in zip(weights, saturations, frequencies, strict=True):
        if frequency:
            score += weight * frequency * (k1 + 1) / (frequency + k1 * length_share)
    return score


def close_up(text: str) -> str:
    """A text without the blanks between its Japanese characters if it is mostly such blanks, as some converters of PDF
    write it (補 助 金): its words would share nothing with those of a question.
    """
    if text.count(" ") < _SPREAD_SHARE * len(text):
        return text
    return _SPREAD.sub("", text)


def _words_that_may_stem_to(stems: Iterable[str]) -> list[re.Pattern[str]]:
    """Words with the beginning of one of the stems; a stem may differ from its words in its last letter.

    A pattern for each first letter, which stands before what is looked back at: `re` can search for that quickly.
    """
    beginnings: defaultdict[str, set[str]] = defaultdict(set)
    for token in stems:
        beginning = token[: max(2, len(token) - 1)]
        beginnings[beginning[0]].add(re.escape(beginning[1:]))
    return [
        re.compile(f"{first}(?<![a-z0-9]{first})(?:{'|'.join(sorted(rests))})[a-z0-9]*")
        for first, rests in beginnings.items()
    ]


def _count_whole_runs(text: str, run: str) -> int:
    """How often a kanji or katakana run stands by itself, not inside a longer run of its script."""
    count, script = 0, _script(run[0])
    start = text.find(run)
    while start >= 0:
        end = start + len(run)
        before = start and _script(text[start - 1]) == script
        if not before and not (end < len(text) and _script(text[end]) == script):
            count += 1
        start = text.find(run, end)
    return count


def _run_weight(run: str) -> float:
    return _LATIN_WORD if run.isascii() and len(run) > 1 else 1.0


def _pair_weight(left: str, right: str) -> float:
    if " " in (left, right) or left == right == "latin":
        return 0.0
    return _MIXED_PAIR if "hiragana" in (left, right) else 1.0


def _script(character: str) -> str:
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
