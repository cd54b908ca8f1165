"""Which paths a pattern means: sets of characters, alternatives, any folders."""

import pytest

from morenashi.server.search.globs import GlobError, compile_glob


@pytest.mark.parametrize(
    ("pattern", "meant", "others"),
    [
        ("plan-[0-9].md", ["plan-1.md", "a/plan-2.md"], ["plan-a.md", "plan-12.md", "plan-.md"]),
        ("[!a-c]*.md", ["d.md", "項.md"], ["a.md", "c1.md"]),
        ("[^a]x", ["bx"], ["ax", "/x"]),
        ("[]a]x", ["]x", "ax"], ["bx"]),
        ("[!]].md", ["a.md"], ["].md"]),
        ("x[a-]y", ["x-y", "xay"], ["xby"]),
        ("x[!-a]y", ["xby", "x1y", "xAy"], ["x-y", "xay", "x/y"]),
        ("x[!a-]y", ["xby", "x1y"], ["x-y", "xay", "x/y"]),
        ("[a.]z", ["az", ".z"], ["bz"]),
        ("[あ-う].md", ["い.md"], ["え.md"]),
        ("a/[!b]c", ["a/dc"], ["a/bc", "a//c"]),
        ("plan-?.md", ["plan-x.md"], ["plan-.md", "plan-xy.md"]),
        ("{a,b*}/*.txt", ["a/x.txt", "bc/x.txt"], ["c/x.txt", "a/b/x.txt"]),
        ("projects/**/x.md", ["projects/x.md", "projects/a/b/x.md"], ["x.md", "other/x.md"]),
        ("!reports/**", ["a.md", "a/reports/x.md"], ["reports/x.md", "reports/a/y.md"]),
        ("!./*.{txt,tsv}", ["a.md", "txt"], ["a.txt", "b/c.tsv"]),
        ("[!!]*", ["a"], ["!a"]),
        ("projects/", ["projects/x.md", "projects/a/b.md"], ["projects", "a/projects/x.md"]),
    ],
)
def test_a_pattern_means_these_paths_and_not_those(pattern: str, meant: list[str], others: list[str]) -> None:
    assert list(filter(compile_glob(pattern).holds, meant + others)) == meant


@pytest.mark.parametrize("pattern", ["", "!", "!/x", "/x", "../x", "a\\b", "{a,{b,c}}", "[z-a]"])
def test_what_is_no_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(GlobError):
        compile_glob(pattern)
