"""Which documents may hold what is looked for in files, told by the pairs of the index."""

from collections.abc import Collection, Iterable, Sequence

from .expressions import PAIRS_ASKED, one_of_each
from .id_lists import as_json
from .postings import Index

# Where a text stands in more than a third of many passages, reading the files themselves is as quick.
_WORTH_ASKING, _ALWAYS_ASKED = 3, 1_000
# To read a passage's text here takes as long as to search three passages in their file; and each further pair that
# is asked for leaves fewer.
_PAIRS_BEFORE_TEXT, _WORTH_READING = 6, 4


def find_documents(
    index: Index, alternatives: Iterable[Sequence[Collection[str]]], texts: Collection[str] | None = None
) -> frozenset[int] | None:
    """The documents with a passage that has, for one of the alternatives, of each of its sets at least one pair.

    If `texts` are given (normalised, of letters, digits, kanji and kana alone), the passage has one of them, too,
    as far as that is quicker to tell here than from the files. `None` if the index cannot tell, or would name so
    many that it is not worth asking.
    """
    if index.is_degraded:
        return None
    expressions = [_all_sets(index, sets, is_read_after=bool(texts)) for sets in alternatives]
    if not all(expressions):
        return None
    ids = index.find_ids("pairs", " OR ".join(f"({expression})" for expression in dict.fromkeys(expressions)))
    if texts and len(ids) <= max(index.passages // _WORTH_READING, _ALWAYS_ASKED):
        query, patterns = _DOCUMENTS + _with_one_of(texts), [f"*{text}*" for text in texts]
    else:
        query, patterns = _DOCUMENTS, []
    return frozenset(row[0] for row in index.connection.execute(query, (as_json(ids), *patterns)))


def _all_sets(index: Index, sets: Sequence[Collection[str]], *, is_read_after: bool) -> str:
    """An expression for one pair of each of the rarest sets; empty if all are too frequent to be asked for."""
    counts = index.count_terms([("pair", pair) for pairs in sets for pair in pairs])
    costs = {frozenset(pairs): sum(counts.get(("pair", pair), 0) for pair in pairs) for pairs in sets}
    cheapest = sorted(costs, key=lambda pairs: (costs[pairs], sorted(pairs)))
    if is_read_after:
        asked = cheapest[:_PAIRS_BEFORE_TEXT]
    else:
        most = max(index.passages // _WORTH_ASKING, _ALWAYS_ASKED)
        asked = [pairs for pairs in cheapest[:PAIRS_ASKED] if costs[pairs] <= most]
    return one_of_each(asked)


def _with_one_of(texts: Collection[str]) -> str:
    # GLOB looks for the first character as fast as memory is read, `instr` byte by byte.
    return _THEIR_TEXTS + "WHERE " + " OR ".join("passage_texts.text GLOB ?" for _ in texts)


_DOCUMENTS = """
SELECT DISTINCT passages.document_id
FROM json_each(?) AS asked
CROSS JOIN passages ON passages.id = asked.value
"""

_THEIR_TEXTS = "CROSS JOIN passage_texts ON passage_texts.id = passages.id\n"
