"""Lines that match, whatever the blocks in which a file is read."""

import itertools
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morenashi.server.deadline import Deadline
from morenashi.server.linear import compile_linear
from morenashi.server.vault import line_search
from morenashi.server.vault.line_search import LinePattern, _whole_lines
from morenashi.server.vault.literals import needs_of_expression
from morenashi.server.vault.widened import widen


@given(
    st.lists(st.text("ab_(あ", max_size=6), max_size=12),
    st.sampled_from(["a.*_", r"_+\(", "b$", "^a", "x*", "あ_", "^$", r"\b_?a", "(a|_)b", "_.?_"]),
    st.booleans(),
    st.integers(1, 30),
)
def test_a_line_is_listed_exactly_if_it_matches(lines: list[str], expression: str, ends: bool, span_bytes: int) -> None:
    text = "\n".join(lines) + ("\n" if ends and lines else "")
    pattern = LinePattern(
        compile_linear(f"(?m){widen(expression)}", within_lines=True), needs_of_expression(expression).ascii
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(line_search, "_SPAN_BYTES", span_bytes)
        found = line_search.matching_lines(iter([text.encode()] if text else []), pattern, 100, Deadline(60_000))
    shown = text.removesuffix("\n").split("\n") if text else []
    matches = [number for number, line in enumerate(shown, 1) if compile_linear(expression).search(line.encode())]
    assert [line.line for line in found] == matches


@given(st.text("a\r\n", max_size=40), st.lists(st.integers(0, 40), max_size=6))
def test_blocks_end_where_lines_end_and_lose_nothing(text: str, cuts: list[int]) -> None:
    data = text.encode()
    places = [0, *sorted(cuts), len(data)]
    blocks = list(_whole_lines(data[start:end] for start, end in itertools.pairwise(places)))
    assert b"".join(blocks) == data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    assert all(block.endswith(b"\n") for block in blocks[:-1])


@pytest.mark.parametrize("size_bytes", [0, 3, 9, 100])
@pytest.mark.parametrize("encoding", [None, "utf-8"])
def test_a_file_that_changes_its_length_after_it_was_listed_is_read_whole(
    tmp_path: Path, size_bytes: int, encoding: str | None
) -> None:
    path = tmp_path / "note.md"
    path.write_bytes("免責\nx\n".encode())
    descriptor = os.open(path, os.O_RDONLY)
    try:
        blocks = line_search.read_blocks(descriptor, size_bytes, encoding, b"x", Deadline(1000))
        assert b"".join(blocks) == path.read_bytes()
    finally:
        os.close(descriptor)
