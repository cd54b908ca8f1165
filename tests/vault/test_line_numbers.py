"""Texts with the numbers of their lines, so that whoever cites them need not count."""

import re

from hypothesis import given
from hypothesis import strategies as st

from morenashi.server.line_numbers import number_lines

from ..server.serving import Serve
from ..workspaces import WorkspaceFolder
from .notes import Vault


@given(st.text(alphabet="規a\n\r\t\u2028", max_size=40), st.integers(1, 1_000))
def test_without_the_numbers_it_is_the_text(text: str, first: int) -> None:
    numbered = number_lines(text, first)
    numbers = [int(number) for number in re.findall(r"(?:\A|(?<=\n)|(?<=\r)(?!\n))([0-9]+)\t", numbered)]
    assert numbers == list(range(first, first + len(numbers)))
    assert re.sub(r"(?:\A|(?<=\n)|(?<=\r)(?!\n))[0-9]+\t", "", numbered) == text


def test_a_scan_can_number_its_lines_and_goes_on_so(vault: Vault) -> None:
    vault.put("note.md", "一\r\n二\r\n\r\n四")
    first = vault.call("scan", path="note.md", chunk_lines=2, line_numbers=True)
    assert (first["text"], first["applied_range"]) == ("1\t一\r\n2\t二\r\n", {"start_line": 1, "end_line": 2})
    (action,) = first["next_actions"]
    assert vault.call("scan", **action["params"])["text"] == "3\t\r\n4\t四"


def test_a_piece_of_a_line_has_its_number(vault: Vault) -> None:
    vault.put("note.md", "一\n二三四五\n")
    first = vault.call("scan", path="note.md", limits={"max_chars": 4}, line_numbers=True)
    rest = vault.call("scan", path="note.md", cursor=first["next_cursor"], line_numbers=True)
    assert (first["text"], rest["text"]) == ("1\t一\n2\t二三", "2\t四五\n")


def test_a_note_is_read_with_numbers_or_as_it_is(vault: Vault) -> None:
    vault.put("note.md", "一\n二\n三\n")
    span = {"start_line": 2, "end_line": 3}
    assert vault.call("read", path="note.md", range=span, line_numbers=True)["text"] == "2\t二\n3\t三\n"
    assert vault.call("read", path="note.md", range=span)["text"] == "二\n三\n"


def test_a_section_of_a_manual_is_read_with_numbers(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# 題\n\n本文\n\n## 節\n\n続き\n")
    manuals = serve()
    body = manuals.read(manuals.ref("m", "x.md", 5), scope="section", line_numbers=True)
    assert (body["text"], body["source"]["start_line"]) == ("5\t## 節\n6\t\n7\t続き\n", 5)
