"""`manual_read` of places: lines of several documents in one answer, named as answers name what was found."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ..server.library import GUIDE, SETTINGS
from ..server.serving import Serve, Serving
from ..workspaces import WorkspaceFolder

MD, JSON = "手引き/guide.md", "手引き/config/settings.json"
REF = {"target": "manual", "manual_id": "手引き", "path": "guide.md"}


def read(serving: Serving, *places: str, **arguments: Any) -> dict[str, Any]:
    return serving.call("manual_read", places=list(places), **arguments)


def numbered(text: str, first: int, last: int) -> str:
    lines = text.splitlines(keepends=True)[first - 1 : last]
    joined = "".join(f"{number}\t{line}" for number, line in enumerate(lines, first))
    return joined if joined.endswith("\n") else joined + "\n"


def test_lines_of_several_documents_are_read_in_one_call(library: Serving) -> None:
    body = read(library, f"{MD}:9-10", f"{JSON}:2", f"{MD}:1-3")
    assert body["text"] == (
        f"{MD}:9-10\n{numbered(GUIDE, 9, 10)}{JSON}:2-2\n{numbered(SETTINGS, 2, 2)}{MD}:1-3\n{numbered(GUIDE, 1, 3)}"
    )
    assert (body["truncated"], body["source"], body["next_cursor"]) == (False, None, None)
    assert "next_places" not in body


def test_a_place_goes_to_the_end_of_its_file_at_most(library: Serving) -> None:
    last = GUIDE.count("\n")
    assert read(library, f"{MD}:{last}-999")["text"] == f"{MD}:{last}-{last}\n{numbered(GUIDE, last, last)}"


def test_what_the_limit_has_no_room_for_is_left_to_the_next_call(library: Serving) -> None:
    body = read(library, f"{MD}:1-3", f"{MD}:9-10", limits={"max_chars": 12})
    assert body["text"].startswith(f"{MD}:1-")
    assert body["truncated"] is True
    seen, left = body["text"], body["next_places"]
    while left:
        body = read(library, *left, limits={"max_chars": 12})
        seen += body["text"]
        left = body.get("next_places")
    lines = [line for line in seen.splitlines() if "\t" in line]
    assert [int(line.split("\t")[0].removesuffix("…")) for line in lines] == [1, 2, 3, 9, 10]


def test_a_line_that_is_longer_than_the_limit_is_cut_and_that_is_said(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", f"{'長' * 100}\n次の行\n")
    manuals = serve()
    body = read(manuals, "m/x.md:1-2", limits={"max_chars": 25})
    assert (body["text"], body["next_places"]) == (f"m/x.md:1-1\n1…\t{'長' * 10}\n", ["m/x.md:2-2"])
    body = read(manuals, "m/x.md:1", limits={"max_chars": 25})
    assert (body["truncated"], "next_places" in body) == (True, False)


def test_a_path_may_have_colons(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/10:30-11.md", "会議\n")
    assert read(serve(), "m/10:30-11.md:1")["text"] == "m/10:30-11.md:1-1\n1\t会議\n"


def test_of_an_empty_file_there_is_one_line_with_nothing(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "")
    assert read(serve(), "m/x.md:1-9")["text"] == "m/x.md:1-1\n\n"


def test_what_was_read_counts_as_delivered(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "一\n二\n三\n")
    manuals = serve()
    read(manuals, "m/x.md:1-2")
    cited = [{"start_line": 1, "end_line": 3}]
    covered = manuals.call("vault_coverage", path="manuals/m/x.md", cited_ranges=cited)
    assert covered["undelivered_ranges"] == [{"start_line": 3, "end_line": 3}]


@pytest.mark.parametrize(
    "place", ["", "guide.md", f"{MD}:0", f"{MD}:3-2", f"{MD}:x", f"{MD}:1-", "guide.md:3", f"{MD}:{10**10}"]
)
def test_what_is_no_place_is_refused(library: Serving, place: str) -> None:
    error = library.refuse("manual_read", places=[f"{MD}:1", place])
    assert (error["code"], error["details"]["parameter"]) == ("invalid_parameter", "places.1")
    assert "manual/path.md:12-40" in error["message"]


@pytest.mark.parametrize("place", [f"{MD}:999", "手引き/none.md:1", "none/guide.md:1"])
def test_a_place_that_is_not_there_is_refused(library: Serving, place: str) -> None:
    error = library.refuse("manual_read", places=[place])
    assert (error["code"], error["details"]["parameter"]) == ("not_found", "places")


def test_a_place_that_is_not_there_is_named_beside_those_that_are(library: Serving) -> None:
    body = read(library, "手引き/none.md:1", f"{MD}:9-10", f"{MD}:999")
    assert body["text"] == (
        f"手引き/none.md:1-1, not_found\n{MD}:9-10\n{numbered(GUIDE, 9, 10)}{MD}:999-999, not_found\n"
    )


def test_places_that_are_not_there_count_against_the_limit_and_hide_none_that_is(library: Serving) -> None:
    places = [*(f"手引き/none{n}.md:1" for n in range(9)), f"{MD}:9-10"]
    texts = []
    while places:
        body = read(library, *places, limits={"max_chars": 100})
        texts.append(body["text"])
        places = body.get("next_places", [])
    assert max(map(len, texts)) <= 100
    assert "".join(texts).endswith(f"none8.md:1-1, not_found\n{MD}:9-10\n{numbered(GUIDE, 9, 10)}")


@pytest.fixture
def manual(workspace: WorkspaceFolder, serve: Serve) -> Serving:
    workspace.write("m/a.md", "".join(f"行{number}\n" for number in range(1, 13)))
    return serve()


def test_lines_that_the_session_has_had_are_left_out_if_asked_for(manual: Serving) -> None:
    read(manual, "m/a.md:3-4", "m/a.md:6")
    body = read(manual, "m/a.md:2-7", "m/a.md:3", only_new=True)
    assert body["text"] == ("m/a.md:2-2\n2\t行2\nm/a.md:5-5\n5\t行5\nm/a.md:7-7\n7\t行7\nm/a.md:3-3, given before\n")
    again = read(manual, "m/a.md:2-7", "m/a.md:4-99", only_new=True)
    assert again["text"].startswith("m/a.md:2-7, given before\nm/a.md:8-12\n")
    assert read(manual, "m/a.md:4-99", only_new=True)["text"] == "m/a.md:4-99, given before\n"


def test_a_place_that_is_not_there_hides_none_that_was_given_before(manual: Serving) -> None:
    read(manual, "m/a.md:3-4")
    body = read(manual, "m/none.md:1", "m/a.md:3", only_new=True)
    assert body["text"] == "m/none.md:1-1, not_found\nm/a.md:3-3, given before\n"


def test_new_lines_are_read_on_where_the_limit_cut_them(manual: Serving) -> None:
    read(manual, "m/a.md:3")
    places, lines = ["m/a.md:1-9999"], list[str]()
    while places:
        body = read(manual, *places, only_new=True, limits={"max_chars": 25})
        lines += re.findall(r"^\d+\t(.*)$", body["text"], re.M)
        places = body.get("next_places", [])
    assert lines == [f"行{number}" for number in range(1, 13) if number != 3]


@pytest.mark.parametrize(
    "others",
    [
        {"ref": REF},
        {"offset": 1},
        {"hits": [0]},
        {"scope": "section"},
        {"expand": {"after_chars": 3}},
        {"cursor": {"char_offset": 3}},
    ],
)
def test_what_does_not_go_with_places_is_refused(library: Serving, others: dict[str, Any]) -> None:
    error = library.refuse("manual_read", places=[f"{MD}:1"], **others)
    assert (error["code"], error["details"]["parameter"]) == ("invalid_parameter", *others)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 12), st.integers(0, 5)), min_size=1, max_size=4),
    st.integers(1, 200),
)
def test_reading_on_gives_every_line_once_and_in_order_and_no_more_than_was_asked_for(
    library: Serving, spans: list[tuple[int, int]], most: int
) -> None:
    total = GUIDE.count("\n")
    wanted = [(first, first + more) for first, more in spans if first <= total]
    left: list[str] | None = [f"{MD}:{first}-{last}" for first, last in wanted]
    seen: list[int] = []
    while left:
        body = read(library, *left, limits={"max_chars": most})
        seen += [int(line.split("\t")[0].removesuffix("…")) for line in body["text"].splitlines() if "\t" in line]
        left = body.get("next_places")
        assert len(body["text"]) <= max(most, len(f"{MD}:99-99\n99…\t字\n"))
    assert seen == [line for first, last in wanted for line in range(first, min(last, total) + 1)]


def test_a_place_may_be_named_as_audits_name_it(library: Serving) -> None:
    assert read(library, f"manuals/{MD}:9-10") == read(library, f"{MD}:9-10")


def test_what_is_in_a_manual_of_this_name_is_read_of_it(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("manuals/m/x.md", "その中の行\n")
    workspace.write("m/x.md", "別の行\n")
    assert "その中の行" in read(serve(), "manuals/m/x.md:1")["text"]


def test_the_files_that_may_have_been_meant_are_named_as_places_are(library: Serving) -> None:
    error = library.refuse("manual_read", places=["手引き/guides.md:1-3"])
    assert error["details"]["nearest"][0] == MD
