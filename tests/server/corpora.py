"""Generated manuals, and what is true of them by reading the files: the oracle of the exhaustiveness tests."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from morenashi.indexer.text import normalise

from ..workspaces import WorkspaceFolder
from .serving import Found, Serving

Place = tuple[str, str, int]
"""(manual, path, line)"""

_LINE_END = re.compile(r"\r\n|\r|\n")
_WORDS = (
    "申請 申請書 届出 期限 第３条 第三条 第Ⅲ条 第12条 サーバー サーバ ｻｰﾊﾞｰ ログイン 利用規約 利用・規約 規約 税 税法 "
    "消費税 の を する 人々 𠮷野家 が\u3099く がく １０％ 10% （注） 「注」 A−1 a-1 WebHook webhook web_hook C++ "
    "config.yml rm -rf don't “引用” ﬁle ① ㍿ é e\u0301 ß 🎌 👨\u200d👩\u200d👧 x y z 7 ー ・ 〜 ～ — ‐"
).split(" ")
_ENDINGS = ["\n", "\n", "\n", "\r\n", "\r"]
_ENCODINGS = ["utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16"]


@dataclass(frozen=True)
class Corpus:
    """A workspace's documents as lines of text, by manual and path."""

    lines: dict[tuple[str, str], list[str]]

    @property
    def total(self) -> int:
        return sum(map(len, self.lines.values()))

    def lines_with(self, needle: str) -> set[Place]:
        """The places whose normalised line contains the normalised needle."""
        wanted = normalise(needle).strip()
        return {
            (*key, number)
            for key, lines in self.lines.items()
            for number, line in enumerate(lines, 1)
            if wanted in normalise(line)
        }


def split_lines(text: str) -> list[str]:
    """Lines as an editor shows them; a line end at the end of the file starts no further line."""
    lines = _LINE_END.split(text)
    return lines[:-1] if lines[-1] == "" else lines


def read_corpus(folder: WorkspaceFolder, encodings: dict[str, str] | None = None) -> Corpus:
    """The documents of a workspace from disk. All UTF-8, except where `encodings` says otherwise."""
    lines = {}
    for path in sorted(folder.manuals.rglob("*")):
        if path.is_file():
            name = path.relative_to(folder.manuals).as_posix()
            manual_id, _, inner = name.partition("/")
            text = path.read_bytes().decode((encodings or {}).get(name, "utf-8"))
            lines[manual_id, inner] = split_lines(text)
    return Corpus(lines)


def write_corpus(folder: WorkspaceFolder, chosen: random.Random) -> Corpus:
    """Write a few manuals of random Markdown and JSON in several encodings; return what they say."""
    encodings = {}
    for number in range(chosen.randint(2, 6)):
        name = f"{chosen.choice('ab')}/{chosen.choice(['', 'deep/'])}{number}.{chosen.choice(['md', 'md', 'json'])}"
        text = _json(chosen) if name.endswith("json") else _markdown(chosen)
        encodings[name] = chosen.choice(_ENCODINGS)
        folder.write(name, text.encode(encodings[name]))
    return read_corpus(folder, {name: "utf-16" if e == "utf-16" else "utf-8-sig" for name, e in encodings.items()})


class Reach:
    """Tells which places an answer reaches: own sections of its candidates, and ranges it did not scan."""

    def __init__(self, manuals: Serving, corpus: Corpus) -> None:
        self._starts: dict[tuple[str, str], list[int]] = {}
        for manual_id in {key[0] for key in corpus.lines}:
            for path, start in _section_starts(manuals, manual_id):
                self._starts.setdefault((manual_id, path), []).append(start)

    def missed(self, found: Found, places: set[Place]) -> list[Place]:
        """Those of the places that the answer does not reach."""
        spans: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for item in found.hits():
            key = (item["ref"]["manual_id"], item["path"])
            spans.setdefault(key, []).append(self._own_section(key, item["start_line"]))
        for _, manual_id, path, first, last in found.unscanned():
            spans.setdefault((manual_id, path), []).append((first, last))
        reached = (any(first <= p[2] <= last for first, last in spans.get(p[:2], ())) for p in sorted(places))
        return [place for place, is_reached in zip(sorted(places), reached, strict=True) if not is_reached]

    def _own_section(self, key: tuple[str, str], line: int) -> tuple[int, int]:
        starts = self._starts[key]
        return max(s for s in starts if s <= line), min((s for s in starts if s > line), default=10**9) - 1


def _section_starts(manuals: Serving, manual_id: str) -> Iterator[tuple[str, int]]:
    offset, total = 0, 1
    while offset < total:
        page = manuals.call("manual_toc", manual_id=manual_id, offset=offset, limit=500)
        yield from ((item["path"], item["line_start"]) for item in page["items"])
        offset, total = offset + 500, page["total"]


def random_terms(corpus: Corpus, chosen: random.Random, number: int) -> list[str]:
    """Strings of one to six characters that stand in the text, also once it is normalised."""
    lines = [line for lines in corpus.lines.values() for line in lines if normalise(line).strip()]
    terms: list[str] = []
    while lines and len(terms) < number:
        line = chosen.choice(lines)
        start = chosen.randrange(len(line))
        term = line[start : start + chosen.randint(1, 6)]
        # Half of a voiced kana stands in the file, but not in what it reads as.
        if normalise(term).strip() in normalise(line) and normalise(term).strip() and '"' not in normalise(term):
            terms.append(term)
    return terms


def _sentence(chosen: random.Random) -> str:
    between = ["", "", "", " ", "、", "。", "・", "　"]
    return "".join(chosen.choice(_WORDS) + chosen.choice(between) for _ in range(chosen.randint(1, 9)))


def _markdown(chosen: random.Random) -> str:
    lines: list[str] = []
    for _ in range(chosen.randint(1, 40)):
        kind = chosen.random()
        if kind < 0.2:
            lines.append("#" * chosen.randint(1, 4) + " " + _sentence(chosen))
        elif kind < 0.35:
            lines.append("")
        elif kind < 0.4:
            lines.extend(["```", "# " + _sentence(chosen), "```"])
        elif kind < 0.45:
            lines.append("- " + _sentence(chosen) * 60)
        else:
            lines.append(_sentence(chosen))
    ending = chosen.choice(_ENDINGS)
    return ending.join(lines) + chosen.choice(["", ending])


def _json(chosen: random.Random) -> str:
    rows = [f'  "{n}": "{_sentence(chosen)}"' for n in range(chosen.randint(0, 12))]
    return "{\n" + ",\n".join(rows).replace("\\", "") + "\n}\n"
