"""A question to the terms whose every occurrence is asked for. Pure.

A *term* is what the exhaustiveness of an answer is about: a word the user set apart by blanks or
quotes, or, in a sentence, each run of kanji, katakana or Latin letters, and words in hiragana that stand apart.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise

from morenashi.indexer.text import normalise

from .asked import without_denial, without_request
from .spellings import Spellings
from .stop_words import NO_TERMS
from .terms import Synonyms, Term, make_term
from .verbs import Verbs, nouns_of_verbs, runs_of_verbs
from .words import read_words, without_stop_words

_NO_VERBS: Verbs = {}


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed question: its normalised text, its terms, and what to look for as well if these say little.

    `phrases` has, for those of its terms that are phrases, what each means where no line holds it as it stands:
    休憩 for 休憩は何分か, 第9条 for 第9条第2項. `apart` are the phrases that were replaced so already. `nouns` say
    what its verbs say, and order what is found. `own_name` is that of the manual that is asked in, if it says nothing
    there.
    """

    text: str
    terms: tuple[Term, ...]
    fallback: tuple[Term, ...]
    phrases: Mapping[str, tuple[Term, ...]] = field(default_factory=dict)
    apart: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()
    own_name: str = ""

    @property
    def wording(self) -> str:
        """What passages are scored for. A request (について全部教えて) is in no text that answers, and would make any
        set look incomplete; nor is what asks for exceptions with a verb (を受けられない人).
        """
        told = without_denial(without_request(self.text) or self.text)
        return re.sub(rf"(?<![a-z0-9]){re.escape(self.own_name)}(?![a-z0-9])", " ", told) if self.own_name else told

    def taken_apart(self, phrases: Collection[str]) -> "Query":
        """The same with some of its phrases, by their texts, replaced by what they mean."""
        apart = tuple(term.text for term in self.terms if term.text in phrases and term.text in self.phrases)
        parts = (self.phrases[term.text] if term.text in apart else (term,) for term in self.terms)
        terms = {term.text: term for term in chain.from_iterable(parts)}
        kept = {text: words for text, words in self.phrases.items() if text not in apart}
        fallback = tuple(term for term in self.fallback if term.text not in terms)
        return replace(self, terms=tuple(terms.values()), fallback=fallback, phrases=kept, apart=self.apart + apart)


def normal_text(question: str) -> str:
    """The normalised question on one line: what makes two of them the same."""
    return normalise(question).replace("\n", " ").strip()


def parse_query(question: str, synonyms: Synonyms, spellings: Spellings, verbs: Verbs = _NO_VERBS) -> Query:
    """Parse a question. All map normalised words, or beginnings of them, to normalised words."""
    text = normal_text(question)
    said = read_words(text, spellings)
    parts_of_words = [part for word in said.words for part in said.phrases.get(word, [word])]
    together = _synonyms_of_phrases(parts_of_words, synonyms)

    def make_terms(words: Iterable[str]) -> tuple[Term, ...]:
        return tuple(make_term(word, synonyms, spellings, together.get(word, ())) for word in words)

    no_terms = NO_TERMS | runs_of_verbs(text, verbs)
    terms = without_stop_words([word for word in dict.fromkeys(said.words) if word], no_terms)
    inner = [part for part in dict.fromkeys(said.inner) if part not in terms and part not in no_terms]
    return Query(
        text,
        make_terms(terms),
        tuple(make_term(word, synonyms, spellings) for word in inner),
        {
            phrase: make_terms(without_stop_words(parts, no_terms))
            for phrase, parts in said.phrases.items()
            if phrase in terms
        },
        nouns=tuple(nouns_of_verbs(text, verbs)),
    )


def _synonyms_of_phrases(words: list[str], synonyms: Synonyms) -> dict[str, Sequence[str]]:
    """Synonyms of what two words say side by side, by the first of them: of log in, login is one of log."""
    phrases = ((first, f"{first} {second}") for first, second in pairwise(words))
    return {first: synonyms[phrase] for first, phrase in phrases if phrase in synonyms}
