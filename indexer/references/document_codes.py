"""What an office numbers its documents with: SOP-014, QM-DO-02, SOP-4.2-001. Pure."""

import re
from collections.abc import Set

from morenashi.indexer.text import normalise

CODE = r"[A-Z]{2,6}(?:-[A-Z]{1,6})?-[0-9]{1,5}(?:[.-][0-9]{1,5}){0,3}"
_SERIES = re.compile("[0-9].*")


def may_be_document(code: str, name: str, known: Set[str], titles: Set[str]) -> bool:
    """Whether SOP-014 before a place means a document: SHA-256 does not, where the document itself has the place.

    `name` is that of the place, `known` are those of the document's own, `titles` what itself is called: SOP-015.
    """
    series = _SERIES.sub("", normalise(code))
    return name not in known or any(title.startswith(series) for title in titles)
