"""A document of the tests: what it cites, in short."""

from morenashi.indexer.documents import ParsedDocument, parse_document
from morenashi.indexer.exceptions import ExceptionFinder
from morenashi.indexer.references.reference import Reference

ARTICLES = "".join(f"## 第{n}条\n\n本文。\n\n" for n in range(1, 9))


def parse(text: str, path: str = "試験法.md") -> ParsedDocument:
    return parse_document(text.encode(), "md", ExceptionFinder(()), path)


def targets(line: str, path: str = "試験法.md", before: str = ARTICLES) -> list[str]:
    """What a line of article 20 cites, as `CALLED NAME+DETAIL-LAST`."""
    found = parse(f"{before}## 第二十条（見出し）\n\n{line}\n\n## 第二十一条\n\n", path).references
    return [shown(reference) for reference in found]


def shown(reference: Reference) -> str:
    """A reference as `CALLED NAME+DETAIL-LAST`."""
    _, _, _, _, _, called, name, detail, last, _ = reference
    return f"{called or ''} {name}{detail or ''}{'-' + last if last else ''}".strip()
