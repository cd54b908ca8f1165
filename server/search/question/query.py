"""A question to the terms whose every occurrence is asked for. Pure.

A *term* is what the exhaustiveness of an answer is about: a word the user set apart by blanks or
quotes, or, in a sentence, each run of kanji, katakana or Latin letters, and words in hiragana that stand apart.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from .articles import typed_articles, with_ordinals
from .asked import without_courtesy, without_denial, without_request
from .english_forms import singulars_of_acronyms
from .markdown_marks import without_marks
from .near import Near, near_text, take_near
from .pieces import normal_text
from .spellings import Spellings
from .stop_words import NO_TERMS
from .terms import Synonyms, Term, make_term, synonyms_of
from .together import PARTICLES, find_phrases
from .verbs import AskedVerb, Verbs, find_verbs, nouns_of_verbs, runs_of_verbs
from .words import Known, Said, read_words, without_stop_words

_NO_VERBS: Verbs = {}


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed question: its normalised text, its terms, and what to look for as well if these say little.

    `phrases` has, for those of its terms that are phrases, what each means where no line holds it as it stands:
    休憩 for 休憩は何分か, 第9条 for 第9条第2項. `apart` are the phrases that were replaced so already. `sentences` are
    those of which a line may have another form: ファイルを削除します for ファイルを削除する. `nouns` say
    what its verbs say, and order what is found; `verbs` are these verbs, whose nouns are looked for where the scope
    has them not. `own_name` is that of the manual that is asked in, if it says nothing there. `looks_inside`: the
    words inside its terms were looked for, too.
    """

    text: str
    terms: tuple[Term, ...]
    fallback: tuple[Term, ...]
    phrases: Mapping[str, tuple[Term, ...]] = field(default_factory=dict)
    apart: tuple[str, ...] = ()
    sentences: frozenset[str] = frozenset()
    nouns: tuple[str, ...] = ()
    verbs: tuple[AskedVerb, ...] = ()
    own_name: str = ""
    looks_inside: bool = False

    @property
    def wording(self) -> str:
        """What passages are scored for. A request (について全部教えて) is in no text that answers, and would make any
        set look incomplete; nor is what asks for exceptions with a verb (を受けられない人).
        """
        text = without_courtesy(self.text)
        told = without_denial(without_request(text) or text)
        return re.sub(rf"(?<![a-z0-9]){re.escape(self.own_name)}(?![a-z0-9])", " ", told) if self.own_name else told

    def taken_apart(self, phrases: Collection[str]) -> "Query":
        """The same with some of its phrases, by their texts, replaced by what they mean."""
        apart = tuple(term.text for term in self.terms if term.text in phrases and term.text in self.phrases)
        parts = (self.phrases[term.text] if term.text in apart else (term,) for term in self.terms)
        terms = {term.text: term for term in chain.from_iterable(parts)}
        kept = {text: words for text, words in self.phrases.items() if text not in apart}
        fallback = tuple(term for term in self.fallback if term.text not in terms)
        return replace(self, terms=tuple(terms.values()), fallback=fallback, phrases=kept, apart=self.apart + apart)


def asked_text(question: str) -> str:
    """The text that a question is known by: normalised, on one line, as it is read."""
    return _as_read(without_marks(question))


def _as_read(question: str) -> str:
    return with_ordinals(normal_text(question))


def parse_query(question: str, synonyms: Synonyms, spellings: Spellings, verbs: Verbs = _NO_VERBS) -> Query:
    """Parse a question. All map normalised words, or beginnings of them, to normalised words."""
    question = without_marks(question)
    rest, near = take_near(question)
    told = without_courtesy(_as_read(rest))
    asked_near = {one.text: one for one in near}
    # The verb of a request, 教えて, says nothing of what is asked about.
    unrequested = without_request(told)
    said = read_words(told, Known(synonyms, spellings))
    _join_verbs(said, verbs)
    parts_of_words = [part for word in said.words for part in said.phrases.get(word, [word])]
    phrases = [parts_of_words[start:end] for start, end in _known_phrases(parts_of_words, synonyms)]
    others = singulars_of_acronyms(question) | typed_articles(normal_text(question))
    together = {word: " ".join(phrase) for phrase in phrases for word in phrase}

    def make_terms(words: Iterable[str]) -> tuple[Term, ...]:
        return tuple(
            _near_term(asked_near[word], synonyms, spellings)
            if word in asked_near
            else _term_of(word, together.get(word, ""), others.get(word, ""), synonyms, spellings)
            for word in words
        )

    no_terms = NO_TERMS | said.asking | runs_of_verbs(told, verbs) | (PARTICLES & together.keys())
    words = dict.fromkeys([*said.words, *asked_near])
    terms = without_stop_words([word for word in words if word], no_terms)
    asked = {*terms, *chain.from_iterable(said.phrases.values())}
    inner = [part for part in dict.fromkeys(said.inner) if part not in terms and part not in no_terms]
    return Query(
        _as_read(question),
        make_terms(terms),
        tuple(make_term(word, synonyms, spellings) for word in inner),
        {
            phrase: make_terms(without_stop_words(parts, no_terms))
            for phrase, parts in said.phrases.items()
            if phrase in asked
        },
        sentences=frozenset(said.sentences),
        nouns=tuple(nouns_of_verbs(unrequested, verbs)),
        verbs=tuple(find_verbs(unrequested, terms, verbs, lambda noun: make_term(noun, synonyms, spellings))),
    )


def _known_phrases(words: Sequence[str], dictionary: Synonyms | Verbs) -> list[tuple[int, int]]:
    return list(find_phrases(words, lambda phrase: bool(synonyms_of(phrase, dictionary))))


def _join_verbs(said: Said, verbs: Verbs) -> None:
    """Make one word of those that are a verb together: get, rid and of say nothing by themselves."""
    for start, end in reversed(_known_phrases(said.words, verbs)):
        said.words[start:end] = [" ".join(said.words[start:end])]


def _near_term(near: Near, synonyms: Synonyms, spellings: Spellings) -> Term:
    return near_term([[make_term(word, synonyms, spellings) for word in words] for words in near.sides])


def near_term(sides: Sequence[Sequence[Term]]) -> Term:
    """A word of each of these sides near one of every other, as a question asks for that."""
    text = near_text([[word.text for word in words] for words in sides])
    return Term(text, (), (), sides=tuple(map(tuple, sides)))


def _term_of(word: str, phrase: str, other: str, synonyms: Synonyms, spellings: Spellings) -> Term:
    """A word as a term; as part of a phrase that has synonyms it has those: of log in, login is one of log. What is
    found as the `other`, too: an acronym in the plural in the singular, an article as it was typed.
    """
    if not phrase:
        return make_term(word, synonyms, spellings, (other,) if other else ())
    return make_term(word, {}, spellings, synonyms_of(phrase, synonyms), phrase)
