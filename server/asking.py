"""A question and how it is asked, made into what a search takes."""

from typing import Any

from morenashi.indexer.config import Config
from morenashi.indexer.dictionaries import Dictionaries

from .errors import ToolError
from .search.question.intent import Intent
from .search.question.query import Query, parse_query
from .search.question.terms import parts_of
from .search.ranking.words import analyser_of
from .search.request import FindRequest
from .search.resuming import Rest
from .search.widening import BASE_THRESHOLDS, Thresholds

DEFAULT_CANDIDATES, DEFAULT_TIME_MS = 200, 60_000
MAX_TERMS = 128


def make_request(
    question: str,
    manual_id: str | None,
    config: Config,
    dictionaries: Dictionaries,
    *,
    intent: Intent | None = None,
    max_candidates: int | None = None,
    max_stage: int | None = None,
    thresholds: Thresholds = BASE_THRESHOLDS,
    resumed: Rest | None = None,
    parameters: dict[str, Any] | None = None,
) -> FindRequest:
    """A search with the defaults of `manual_find` for what is not given. Raises `invalid_parameter`."""
    return FindRequest(
        query=_parse_question(question, dictionaries),
        question=question,
        manual_id=manual_id,
        intent=intent,
        max_candidates=max_candidates or DEFAULT_CANDIDATES,
        max_stage=min(max_stage or config.default_max_stage, config.hard_max_stage),
        thresholds=thresholds,
        resumed=resumed,
        dictionaries=dictionaries.fingerprint,
        parameters=parameters,
        analyser=analyser_of(config),
    )


def _parse_question(question: str, dictionaries: Dictionaries) -> Query:
    """The terms of a question. Raises `invalid_parameter` if it has none or too many."""
    query = parse_query(question, dictionaries.synonyms, dictionaries.spellings, dictionaries.verbs)
    if not 1 <= len(parts_of(query.terms)) <= MAX_TERMS:
        expected = f"between 1 and {MAX_TERMS} visible words"
        raise ToolError("invalid_parameter", f"query: expected {expected}", parameter="query", expected=expected)
    return query
