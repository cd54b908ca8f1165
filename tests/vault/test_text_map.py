"""Parts of a file are the parts of its text, in all encodings and with all line ends."""

import os
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from morenashi.indexer.encodings import UndecodableError, decode, decode_blocks, find_encoding
from morenashi.server.reading import FileText
from morenashi.server.vault import text_map
from morenashi.server.vault.text_map import TextFile, open_text

CODECS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp932", "euc_jp", "iso2022_jp"]
PIECES = ["\n", "\r\n", "\r", "\f", "\u2028", "a", "ア", "第三条", "申請は、書面による。", "x" * 30, "\n\n", "漢字"]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=60).map("".join)


def encoded(text: str, codec: str) -> bytes:
    return text.encode(codec, errors="ignore")


def blocks_of(data: bytes, size: int) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


@given(text=TEXTS, codec=st.sampled_from(CODECS), size=st.integers(1, 40))
def test_the_encoding_of_blocks_is_that_of_the_whole(text: str, codec: str, size: int) -> None:
    data = encoded(text, codec)
    _same_as_decoded(data, size)


@given(data=st.binary(max_size=60), size=st.integers(1, 20))
def test_any_bytes_are_read_in_blocks_as_they_are_whole(data: bytes, size: int) -> None:
    _same_as_decoded(data, size)


@given(
    data=st.lists(st.sampled_from([b"\x1b$B", b"\x1b(B", b'$"', b"\r", b"\n", b"a", b"\x1b(J", b"0\0"])).map(b"".join),
    size=st.integers(1, 9),
)
@example(data=b"0\0\x1b$B", size=1)
def test_escape_sequences_are_read_in_blocks_as_they_are_whole(data: bytes, size: int) -> None:
    _same_as_decoded(data, size)


def _same_as_decoded(data: bytes, size: int) -> None:
    try:
        whole = decode(data)
    except UndecodableError:
        with pytest.raises(UndecodableError):
            find_encoding(lambda: blocks_of(data, size))
        return
    encoding = find_encoding(lambda: blocks_of(data, size))
    assert "".join(decode_blocks(blocks_of(data, size), encoding)) == whole.text


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("texts") / "note.md"


def opened(path: Path, data: bytes) -> tuple[TextFile, int]:
    path.unlink(missing_ok=True)
    path.write_bytes(data)
    descriptor = os.open(path, os.O_RDONLY)
    return open_text(descriptor), descriptor


@given(text=TEXTS, codec=st.sampled_from(CODECS), block_bytes=st.integers(1, 50), data=st.data())
def test_any_part_and_any_line_is_where_the_text_has_it(
    file: Path, text: str, codec: str, block_bytes: int, data: st.DataObject
) -> None:
    written = encoded(text, codec)
    try:
        text = decode(written).text
    except UndecodableError:
        return
    expected = FileText(text, "md")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_map, "_BLOCK_BYTES", block_bytes)
        found, descriptor = opened(file, written)
        try:
            assert (found.map.characters, found.map.lines) == (len(text), expected.lines)
            assert found.map.version == expected.version
            start, end = sorted(data.draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
            assert found.part(start, end) == text[start:end]
            assert "".join(found.slices(start, end)) == text[start:end]
            line = data.draw(st.integers(1, expected.lines + 1))
            assert found.start_of(line) == expected.start_of(line)
            # Between the two characters of a line break is still the line before it.
            inside = text[start - 1 : start + 1] == "\r\n" if start else False
            assert found.line_of(start) == (expected.line_of(start - 1) if inside else expected.line_of(start))
        finally:
            os.close(descriptor)


@pytest.mark.parametrize(
    ("text", "line_end"), [("a\nb\n", "\n"), ("a\r\nb", "\r\n"), ("a\rb", "\r"), ("a\nb\r\n", None), ("a", None)]
)
def test_a_line_end_is_known_where_it_is_the_only_one(file: Path, text: str, line_end: str | None) -> None:
    found, descriptor = opened(file, text.encode())
    os.close(descriptor)
    assert found.map.line_end == line_end


def test_a_part_of_a_hundred_megabytes_needs_no_hundred_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    block = ("申請は、所定の書面によって行うものとする。\n" * 20_000).encode()
    with path.open("wb") as large:
        for _ in range(100_000_000 // len(block) + 1):
            large.write(block)
    descriptor = os.open(path, os.O_RDONLY)
    tracemalloc.start()
    try:
        found = open_text(descriptor)
        assert found.part(found.map.characters - 30, found.map.characters).endswith("ものとする。\n")
        assert found.start_of(found.map.lines) == found.map.characters - 22
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        os.close(descriptor)
    assert peak_bytes < 8_000_000


def test_what_was_read_in_the_tick_of_a_save_is_read_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the reading took: another save in that tick may have left the same time stamps."""
    file = tmp_path / "a.md"
    file.write_text("一\n", "utf-8")
    now_ns = [file.stat().st_mtime_ns + 1]
    make_map, made = text_map._make_map, []

    def make_slowly(descriptor: int, size: int) -> text_map.TextMap | None:
        now_ns[0] += 10_000_000_000
        made.append(size)
        return make_map(descriptor, size)

    monkeypatch.setattr("time.time_ns", lambda: now_ns[0])
    monkeypatch.setattr(text_map, "_make_map", make_slowly)
    with open(file, "rb") as opened:
        for _ in range(3):
            open_text(opened.fileno())
    # After ten seconds the tick is over.
    assert len(made) == 2
