"""LEX: the lexical score of a passage for a question. Pure.

BM25 over the question's features (features.py), Latin words exact and stemmed. Weights and k1, b were chosen on
questions kept apart from those measured (docs/inside/search.md).
Lucene's idf, log(1 + (N - n + .5) / (n + .5)), which is never negative.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from morenashi.indexer.tokens import latin_words, squeeze, stem

from .features import Feature, FeatureKey, script_of

_Weighed = Sequence[tuple[str, float]]

K1_JAPANESE, _K1_LATIN = 0.4, 1.0
_B = 0.75
_EXACT_SHARE = 0.5
# Of text with a blank behind each character nearly half is blanks; of Japanese with Latin words in it a tenth.
_SPREAD_SHARE = 0.3
_SPREAD = re.compile("(?<=[\u3001-\u30ff\u3400-\u9fff]) (?=[\u3001-\u30ff\u3400-\u9fff])")


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
    count, script = 0, script_of(run[0])
    start = text.find(run)
    while start >= 0:
        end = start + len(run)
        before = start and script_of(text[start - 1]) == script
        if not before and not (end < len(text) and script_of(text[end]) == script):
            count += 1
        start = text.find(run, end)
    return count
