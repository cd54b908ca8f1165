"""The certificate of a search holds for hundreds of small manuals, a thousand with --soak; some files spoil things."""

import codecs
import dataclasses
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ..examples import Rounds
from ..server.serving import Found, ask_database, serving_indexed
from ..workspaces import UNDECODABLE, WorkspaceFolder, eventually
from .certificate import Evidence, File, normalise, objections, read_files

MANUALS, TOGETHER, SEED = (200, 1_000), 50, 2_004
ENCODINGS = ["utf-8", "utf-8", "utf-8-sig", "utf-16"]
WORDS = (
    "申請 申請書 届出 期限 利用規約 規約 税 税法 消費税 ｻｰﾊﾞｰ サーバ サーバー ログイン がく が\u3099く 人々 𠮷野家 ６桁 "
    "a−1 A-1 WebHook webhook ＣＳＶ config.yml ﬁle ① Straße é e\u0301 の を する よって ― — … 「注」 （注） "
    "soft\u00adhyphen"
).split()
PLAIN_WORDS = "申請 届出 利用規約 税法 サーバ ログイン 人々 webhook csv 無い語 どこにもない".split()
ODD = [UNDECODABLE, b"\x81\xff\xff one\n\x81\xff\xff two\n"]
BUDGETS = [None, None, {"max_candidates": 1}, {"max_candidates": 2}, {"max_candidates": 3, "time_ms": 1}]


class Author:
    """Writes manuals, spoils some of their files, and asks for what stands in them, or might."""

    def __init__(self, folder: WorkspaceFolder, chosen: random.Random) -> None:
        self.folder = folder
        self.chosen = chosen

    def write(self, manual_id: str) -> None:
        chosen = self.chosen
        for number in range(chosen.randint(1, 4)):
            name = f"{manual_id}/{chosen.choice(['', 'deep/'])}{number}.{chosen.choice(['md', 'md', 'md', 'json'])}"
            end = chosen.choice(["\n", "\n", "\r\n", "\r"])
            text = end.join(self._line() for _ in range(chosen.randint(0, 12))) + chosen.choice(["", end])
            self.folder.write(name, text.encode(chosen.choice(ENCODINGS)))
        if chosen.random() < 0.15:
            self.folder.write(f"{manual_id}/odd.md", chosen.choice(ODD))
        if chosen.random() < 0.15:
            self.folder.write(f"{manual_id}/locked.md", self._line()).chmod(0)
        if chosen.random() < 0.05:
            with self.folder.write(f"{manual_id}/large.md", self._line()).open("r+b") as large:
                large.truncate(64 * 1024 * 1024 + 1)

    def change(self, manual_id: str) -> None:
        """What happens to a fifth of the manuals between indexing and the search."""
        chosen = self.chosen
        readable = [
            path for path in self._files(manual_id) if path.stat().st_mode & 0o400 and path.stat().st_size < 9e6
        ]
        if chosen.random() < 0.2:
            how = chosen.choice(["edit", "edit", "same size", "delete", "new"])
            path = chosen.choice(readable)
            if how == "edit":
                path.write_text(f"# {self._line()}\n{self._line()}\n", "utf-8")
            elif how == "same size":
                path.write_bytes(turned_round(path.read_bytes()))
            elif how == "delete":
                path.unlink()
            else:
                self.folder.write(f"{manual_id}/new.md", self._line())

    def query(self, manual_id: str) -> str:
        """One to four characters of a line, or of something that is nowhere; or two words."""
        chosen = self.chosen
        if chosen.random() < 0.25:
            return " ".join(chosen.sample(PLAIN_WORDS, 2))
        texts = [line for file in read_files(self.folder.manuals / manual_id).values() for line in file.lines or ()]
        text = chosen.choice([*texts, *chosen.sample(WORDS, 2)]).replace('"', "").strip() or "無い語"
        start = chosen.randrange(len(text))
        query = "".join(text[start : start + chosen.randint(1, 4)].split())
        return query if normalise(query) else "無い語"

    def _line(self) -> str:
        between = ["", "", "", " ", "、", "。", "・", "　"]
        words = "".join(
            self.chosen.choice(WORDS) + self.chosen.choice(between) for _ in range(self.chosen.randint(0, 5))
        )
        return self.chosen.choice(["", "", "", "# ", "### "]) + words

    def _files(self, manual_id: str) -> list[Path]:
        return sorted(path for path in (self.folder.manuals / manual_id).rglob("*") if path.is_file())


def turned_round(data: bytes) -> bytes:
    """As many bytes with another content. Of UTF-16 the mark stays in front: without it a detector may still read what
    the check of the certificate does not.
    """
    if data.startswith(codecs.BOM_UTF16_LE):
        units = [data[start : start + 2] for start in range(2, len(data), 2)]
        return data[:2] + b"".join(reversed(units))
    return data[::-1]


def gather(query: str, found: Found, ranges: list[tuple[str, str, int, int]]) -> Evidence:
    candidates = [(item["path"], item["start_line"]) for item in found.hits()]
    listed = [(item["reason"], item["path"], item["start_line"]) for item in found.hits("unscanned")]
    # What the stage cap left lies in other manuals: it is counted as places, not as lines of the scope.
    unscanned = [item for item in listed if item[0] != "stage_cap"]
    count = found.summary["unscanned_sections_count"] - (len(listed) - len(unscanned))
    summary = found.summary | {"unscanned_sections_count": count}
    return Evidence(query, summary, candidates, unscanned, [row for row in ranges if row[0] != "stage_cap"])


def all_ranges(folder: WorkspaceFolder, searches: list[Found]) -> dict[str, list[tuple[str, str, int, int]]]:
    """The unscanned ranges of all searches by trace, once they are committed."""
    wanted = {found.trace_id for found in searches}
    assert eventually(lambda: wanted <= {row[0] for row in ask_database(folder, "SELECT id FROM traces")})
    ranges: dict[str, list[Any]] = {}
    for trace_id, *row in ask_database(folder, _RANGES):
        ranges.setdefault(trace_id, []).append(tuple(row))
    return ranges


_RANGES = "SELECT trace_id, reason, path, first_line, last_line FROM trace_unscanned_ranges"


@pytest.fixture
def loaded(workspace: WorkspaceFolder) -> None:
    """Everything that Python loads when it is first needed: an ordinary user may not be able to."""
    for number, encoding in enumerate((*ENCODINGS, "utf-16-le", "utf-16-be", "cp932", "euc_jp", "iso2022_jp")):
        workspace.write(f"m/{number}.md", "# 題\n申請\n".encode(encoding))
    workspace.write("m/odd.md", ODD[1])
    with serving_indexed(workspace) as manuals:
        manuals.find("申請").hits()


def test_the_certificate_holds_for_hundreds_of_manuals(
    loaded: None, ordinary_workspace: WorkspaceFolder, rounds: Rounds
) -> None:
    manuals = rounds(*MANUALS)
    chosen = random.Random(SEED)
    wrong, statuses = {}, []
    for first in range(0, manuals, TOGETHER):
        folder = WorkspaceFolder(ordinary_workspace.root / f"w{first}")
        for name, said, status in certify(folder, chosen, [f"m{first + n}" for n in range(TOGETHER)]):
            statuses.append(status)
            if said:
                wrong[name] = said
    assert wrong == {}
    assert min(statuses.count(status) for status in ("found", "absent", "unknown")) > manuals // 20, "too much alike"


def certify(folder: WorkspaceFolder, chosen: random.Random, names: list[str]) -> Iterator[tuple[str, list[str], str]]:
    """Write and search some manuals in one workspace; for each, what its certificate is wrong about, and its status."""
    author = Author(folder, chosen)
    for name in names:
        author.write(name)
    searches: dict[tuple[str, str], Found] = {}
    with serving_indexed(folder) as manuals:
        for name in names:
            author.change(name)
            query, budget = author.query(name), author.chosen.choice(BUDGETS)
            searches[name, query] = manuals.find(query, manual_id=name, budget=budget, max_stage=3)
        ranges = all_ranges(folder, list(searches.values()))
        for (name, query), found in searches.items():
            evidence = gather(query, found, ranges.get(found.trace_id, []))
            yield name, list(objections(evidence, read_files(folder.manuals / name))), found.status


FILES = {"x.md": File(["# 題", "申請", "", "# 次", "届出"]), "odd.md": File(None, "encoding")}
LINES = {"total": 6, "examined": 5, "matched": 1, "unexamined": 1}
SUMMARY = {"candidates": 1, "unscanned_sections_count": 1, "completeness": {"status": "found", "lines": LINES}}
GOOD = Evidence("申請", SUMMARY, [("x.md", 2)], [("encoding", "odd.md", 1)], [("encoding", "odd.md", 1, 1)])


def with_lines(**lines: int) -> Evidence:
    completeness = {"status": "found", "lines": LINES | lines}
    return dataclasses.replace(GOOD, summary=SUMMARY | {"completeness": completeness})


def test_a_true_certificate_meets_no_objection() -> None:
    assert objections(GOOD, FILES) == []


@pytest.mark.parametrize(
    "forged",
    [
        with_lines(examined=6),
        with_lines(total=7, examined=6),
        with_lines(examined=6, unexamined=0),
        dataclasses.replace(GOOD, candidates=[("x.md", 5)]),
        dataclasses.replace(GOOD, candidates=[]),
        dataclasses.replace(GOOD, query="届出"),
        dataclasses.replace(GOOD, unscanned=[]),
        dataclasses.replace(GOOD, ranges=[("time_budget", "odd.md", 1, 1)]),
        dataclasses.replace(GOOD, summary=SUMMARY | {"completeness": {"status": "absent", "lines": LINES}}),
    ],
)
def test_a_forged_certificate_meets_objections(forged: Evidence) -> None:
    assert objections(forged, FILES) != []
