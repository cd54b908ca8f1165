"""Words as a morphological analyser sees them, counted beside what LEX counts: an extra, `morenashi[ja]`.

Pairs and runs know no inflection and no spelling: 届出 and 届け出 share little. A content word of the question counts
in a passage in its normalised form there (Sudachi, short units), with LEX's BM25 and weight 0.7. Only passages that are
scored in full are analysed, and each once: the index knows nothing of it, so that another dictionary asks for no new
index.
"""

import threading
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from importlib.metadata import version
from typing import TYPE_CHECKING, NamedTuple

from morenashi.indexer.config import Config
from morenashi.server.search.question.terms import Term

from .features import Feature
from .lex import K1_JAPANESE, Corpus, Scorer, bm25

if TYPE_CHECKING:
    from sudachipy import Morpheme, Tokenizer

# Of these parts of speech, those that say something by themselves.
_CONTENT = frozenset(("名詞", "動詞", "形容詞", "形状詞", "副詞"))
_DEPENDENT = "非自立可能"
_ANALYSED_KEPT = 1_024
# Most of what a word says its pairs have said. Of .5, .7 and 1 (docs/decisions/0016).
_WEIGHT = 0.7


class Word(NamedTuple):
    """A content word: its normalised form, and as it stands in the text."""

    form: str
    surface: str


Forms = Callable[[str], Mapping[str, int]]
"""Counts the content words of a text by their normalised form."""


class Analyser:
    """Sudachi with the dictionary that is installed. Any thread may use it."""

    def __init__(self) -> None:
        from sudachipy import Dictionary, SplitMode

        self.name = f"sudachi {version('sudachipy')}, core {version('sudachidict_core')}"
        self._dictionary = Dictionary(dict="core")
        self._mode = SplitMode.A
        self._of_thread = threading.local()
        self.forms = lru_cache(_ANALYSED_KEPT)(self._count_forms)

    def words(self, text: str) -> list[Word]:
        """The content words of a text, in order."""
        return [
            Word(morpheme.normalized_form(), morpheme.surface())
            for morpheme in self._tokenizer().tokenize(text)
            if _is_content(morpheme)
        ]

    def _count_forms(self, text: str) -> Mapping[str, int]:
        """How often each content word stands in a text, by its normalised form."""
        return Counter(form for form, _ in self.words(text))

    def _tokenizer(self) -> "Tokenizer":
        """One of this thread: they hold what they last analysed."""
        known: Tokenizer | None = getattr(self._of_thread, "tokenizer", None)
        if known is None:
            known = self._of_thread.tokenizer = self._dictionary.tokenizer(mode=self._mode)
        return known


class WordScorer(Scorer):
    """LEX, and the content words of the question besides."""

    def __init__(self, text: str, features: list[Feature], corpus: Corpus, words: list[Word], forms: Forms) -> None:
        """`forms` counts the words of a text; `corpus` has to know the pairs of `words`."""
        super().__init__(text, features, corpus)
        self._words = {form: corpus.phrase_idf(surface) for form, surface in words}
        self._forms = forms

    def score(self, text: str) -> float:
        """The score of a normalised passage text; 0 if it shares nothing with the question."""
        held = self._forms(text)
        frequencies = [held.get(form, 0) for form in self._words]
        saturations = [K1_JAPANESE] * len(frequencies)
        words = bm25(self._words.values(), saturations, frequencies, self.length_share(len(text)))
        return super().score(text) + _WEIGHT * words


def as_terms(words: list[Word]) -> list[Term]:
    """For `Index.corpus`, which then counts how many passages may hold them."""
    return [Term(surface, (surface,), ()) for _, surface in words]


def analyser_of(config: Config) -> Analyser | None:
    """The analyser, if the configuration asks for one."""
    return _the_analyser() if config.morphology else None


@cache
def _the_analyser() -> Analyser:
    return Analyser()


def _is_content(morpheme: "Morpheme") -> bool:
    part, detail, *_ = morpheme.part_of_speech()
    return part in _CONTENT and detail != _DEPENDENT
