"""The one table of hostile paths, and the tools' parameters that name a place in a folder."""

import os
import socket
import stat
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from ..workspaces import WorkspaceFolder
from .attacked import TOOL_NAMES
from .schemas import parameters

Kind = Literal["document", "note", "folder", "target", "manual"]
"""What a parameter names: a file of a manual, a file of the vault to read, a folder of it, a file of it to write, a
manual by its folder."""

SECRET = "門外不出"

PARAMETERS: dict[Kind, dict[tuple[str, str], dict[str, Any]]] = {
    "document": {
        ("manual_read", "ref.path"): {"ref": {"target": "manual", "manual_id": "m"}},
        ("manual_read", "places.*"): {},
        ("bridge_copy_section", "from_ref.path"): {
            "from_ref": {"target": "manual", "manual_id": "m"},
            "to_path": "copied.md",
            "mode": "append",
        },
        ("bridge_copy_file", "from_path"): {
            "manual_id": "m",
            "to_path": "copied.md",
            "mode": "append",
            "limits": {"allow_file": True},
        },
    },
    "note": {
        ("vault_read", "path"): {"full": True},
        ("vault_scan", "path"): {},
        ("vault_coverage", "path"): {"cited_ranges": []},
        ("artifact_audit", "artifact_path"): {"source_path": "x.md"},
        ("artifact_audit", "source_path"): {"artifact_path": "x.md"},
    },
    "folder": {
        ("vault_ls", "path"): {},
        ("vault_ls", "relative_dir"): {},
        ("vault_search", "relative_dir"): {"query": "題", "mode": "plain"},
        ("vault_find", "scope.relative_dir"): {"query": "題"},
    },
    "target": {
        ("vault_create", "path"): {"content": "新"},
        ("vault_write", "path"): {"content": "新", "mode": "append"},
        ("vault_replace", "path"): {"find": "公開", "replace": "新"},
        ("bridge_copy_section", "to_path"): {
            "from_ref": {"target": "manual", "manual_id": "m", "path": "x.md"},
            "mode": "append",
        },
        ("bridge_copy_file", "to_path"): {
            "manual_id": "m",
            "from_path": "x.md",
            "mode": "overwrite",
            "limits": {"allow_file": True},
        },
    },
    "manual": {
        ("manual_find", "manual_id"): {"query": "題"},
        ("manual_read", "ref.manual_id"): {"ref": {"target": "manual", "path": "secret.md"}},
        ("manual_ls", "manual_id"): {},
        ("manual_toc", "manual_id"): {},
        ("manual_excepts", "manual_id"): {},
        ("bridge_copy_section", "from_ref.manual_id"): {
            "from_ref": {"target": "manual", "path": "secret.md"},
            "to_path": "copied.md",
            "mode": "append",
        },
        ("bridge_copy_file", "manual_id"): {
            "from_path": "secret.md",
            "to_path": "copied.md",
            "mode": "append",
            "limits": {"allow_file": True},
        },
    },
}
NO_PATHS = frozenset(
    """
    query q only_unscanned_from_trace_id trace_id json_path title signals.* content if_hash find replace version
    allow.* cursor text id name canonical_key type src_id dst_id evidence_claim_id content_hash at actor commit repo
    url files.* note claim_id replaces.* payload yaml expected_version signature approver glob node_id
    """.split()
)
"""Texts by the last of the names that lead to them. A `glob` is compared with names that were listed, a `node_id` with
ids in the index, `files` of a commit are kept as they are said: none is ever opened."""


OUT, BAD, GONE = "out_of_scope", "invalid_path", "not_found"
Codes = frozenset[str | None]


def only(*codes: str | None) -> Codes:
    return frozenset(codes)


# What may be written there, by the tool that writes.
FREE = {
    "vault_create": only(None, "conflict"),
    "vault_write": only(None, "conflict"),
    "vault_replace": only(None, GONE),
}
TAKEN = {"vault_create": only("conflict")}
BEHIND_A_LINK = {"vault_create": only("conflict", OUT)}
UNDER_A_FILE = {"vault_replace": only(GONE)}


@dataclass(frozen=True)
class Row:
    """Paths that are all dealt with in one way: the code by kind (`None`: it is done), and of some tools by name."""

    paths: tuple[str, ...]
    codes: dict[Kind, Codes]
    by_tool: dict[str, Codes] = field(default_factory=dict)

    def expected(self, kind: Kind, tool: str) -> Codes:
        return self.by_tool.get(tool, self.codes[kind])


def refused(code: str, *paths: str) -> Row:
    """Paths that every tool refuses in the same words."""
    return Row(paths, {kind: only(code) for kind in PARAMETERS})


def row(
    paths: tuple[str, ...],
    document: Codes,
    note: Codes,
    folder: Codes,
    target: Codes,
    manual: Codes,
    by_tool: dict[str, Codes] | None = None,
) -> Row:
    codes: dict[Kind, Codes] = {
        "document": document, "note": note, "folder": folder, "target": target, "manual": manual,
    }  # fmt: skip
    return Row(paths, codes, by_tool or {})


NO_DOCUMENT = only(BAD, GONE)
"""Of a name that no document has: by its ending, or because there is none; a manual's has no slash."""

TABLE = (
    refused(
        BAD,
        "..", "../", "../outside.md", "../outside/secret.md", "../../../../../../etc/passwd", "./../outside.md",
        "a/../../outside.md", "folder/..", "folder/../x.md", "folder/../../outside/secret.md", "x.md/..",
        "..\\outside.md",
        "folder\\..\\..\\outside.md", "manuals/m/../../x.md", "manuals/../x.md", "x.md/../../../outside.md",
        "/etc/passwd", "/outside.md", "//etc/passwd", "///x.md", "//server/share/x.md", "\\etc\\passwd", "/dev/zero",
        "\\\\server\\share\\x.md", "\\\\?\\C:\\x.md", "\\\\.\\pipe\\x", "C:\\x.md", "C:/x.md", "C:x.md", "c:",
        "folder\\y.md",
        "x.md\x00", "x.md\x00.txt", "\x00", "x\n.md", "x\r.md", "x\t.md", "x\x1b[2J.md", "x\x7f.md", "x\x85.md",
        "CON", "con.md", "folder/AUX.txt", "NUL.tar.md", "com1.md", "LPT¹.md", "nul .md", "CONIN$", "PRN:",
        "x.md.", "x.md...", "folder./x.md", "x.md ", "folder /x.md", "x.md\u3000", " ", "\u3000", "...", "....//x.md",
        "x.md:stream", "x.md::$DATA", "none.md:x", "folder:x/y.md", "会議10:30.md", "file:///etc/passwd", "x.md:",
        "./", "/", "/proc/self/environ", "/proc/self/fd/0", "a/" * 65 + "x.md", "a/" * 1_500 + "x.md",
    ),
    refused("invalid_parameter", "", "a" * 4_001, "a/" * 2_500 + "x.md", "\ud800.md"),
    # Long beyond what a file's name may be; a manual of that name is none.
    row(
        ("a" * 300 + ".md", "あ" * 100 + ".md", "folder/" + "a" * 300 + ".md"),
        only(BAD), only(BAD), only(BAD), only(BAD), NO_DOCUMENT,
    ),
    # Names like any other, taken as they are written: nothing is expanded, decoded or folded into another name.
    row(
        (
            "~x", "~/outside.md", "~root/x.md", "$HOME/outside.md", "${HOME}/x.md", "`id`.md", "$(id).md", "-rf.md",
            "*.md",
            "%2e%2e/outside.md", "..%2foutside.md", "%2e%2e%2foutside.md", "..%c0%afoutside.md", "%00.md",
            "．．/outside.md",
            "‥/outside.md", "\u2024\u2024/outside.md", "..\u2215outside.md", "..／outside.md", "x\u202egnp.md", "ｘ.md",
            "X.MD", "x．md", "x\u200b.md", "x\U000e0041.md", " x.md", "none.md", "none/x.md", "dev/null", "etc/passwd",
            ".hidden.md", ".trash/x.md", "manuals/m/none.md",
        ),
        NO_DOCUMENT, only(GONE), only(GONE), only(None), NO_DOCUMENT, FREE,
    ),
    # The same file, written otherwise.
    row(
        ("./x.md", "folder//y.md", "folder/./y.md"),
        only(None), only(None), only(GONE), only(None), NO_DOCUMENT, TAKEN,
    ),
    # Read as if it were one; whoever writes may have meant a folder.
    row(
        ("folder/y.md/", "x.md/", "x.md/."),
        only(None), only(None), only(GONE), only(BAD), NO_DOCUMENT,
    ),
    row((".",), only(BAD), only(BAD), only(None), only(BAD), only(BAD)),
    row(
        ("folder", "folder.md"),
        only(BAD, "forbidden"), only("forbidden"), only(None), only("conflict"), only(GONE),
    ),
    row(("folder/",), only(BAD, "forbidden"), only("forbidden"), only(None), only(BAD), only(GONE)),
    row(
        ("x.md/y.md", "fifo.md/y.md", "socket.md/y.md"),
        only(GONE), only(GONE), only(GONE), only("conflict"), only(BAD), UNDER_A_FILE,
    ),
    # Links, wherever they lead: the folder's own files, too.
    row(
        (
            "link.md", "link-inside.md", "link-up.md", "link-to-link.md", "loop.md", "dangling.md", "zero.md",
            "stdin.md",
            "link-folder/secret.md", "link-folder/deep/secret.md", "link-folder/ガイド.md", "link-here/x.md",
            "link-here/link-here/x.md", "loop.md/x.md", "link-folder/none/x.md",
        ),
        only(OUT), only(OUT), only(OUT), only(OUT), NO_DOCUMENT, BEHIND_A_LINK,
    ),
    row(("link-folder", "link-here"), only(BAD), only(OUT), only(OUT), only(OUT), only(GONE), BEHIND_A_LINK),
    row(("link",), only(BAD), only(GONE), only(GONE), only(None), only(GONE), FREE),
    # What is no regular file is not waited for.
    row(("fifo.md", "device.md"), only("forbidden"), only("forbidden"), only(GONE), only("conflict"), only(GONE)),
    row(
        ("socket.md",), only(GONE), only(GONE), only(GONE), only("conflict"), only(GONE), {"vault_replace": only(GONE)},
    ),
    # Another name of a file is a file; one that is written becomes a file of its own.
    row(("hard.md",), only(None), only(None), only(GONE), only(None), only(GONE), TAKEN),
    # The server's own.
    row(
        (".system/write.lock", ".SYSTEM/x.md", ".system", "．system/x.md"),
        NO_DOCUMENT, only(None, GONE, "forbidden"), only(None, GONE, "forbidden"), only("forbidden"), NO_DOCUMENT,
    ),
    # Other programs'.
    row(
        (".git/x.md", "folder/.GIT", ".obsidian/plugins/x/main.js"),
        NO_DOCUMENT, only(GONE), only(GONE), only("forbidden"), NO_DOCUMENT,
    ),
    row((".morenashi.tmp", "folder/.morenashi.tmp"), only(BAD), only(GONE), only(GONE), only("forbidden"), NO_DOCUMENT),
    # A manual by way of the tools that take both.
    row(
        ("manuals/link/secret.md", "manuals/m/link.md", "manuals/m/link-folder/secret.md"),
        only(GONE), only(GONE, OUT), only(GONE), only(None), only(BAD), FREE,
    ),
    row(("manuals/m/fifo.md",), only(GONE), only(GONE, "forbidden"), only(GONE), only(None), only(BAD), FREE),
)  # fmt: skip


def text_parameters() -> Iterator[tuple[str, str]]:
    """(tool, names with dots between) of every text that a tool takes."""
    for tool in TOOL_NAMES:
        for names, _ in parameters(tool, "string"):
            yield tool, ".".join(names)


def make_traps(folder: WorkspaceFolder) -> Path:
    """Fill the manual `m` and the vault with what should not be opened, and return the folder that it leads to."""
    outside = folder.root / "outside"
    (outside / "deep").mkdir(parents=True)
    for path in ("secret.md", "deep/secret.md", "x.md"):
        (outside / path).write_text(f"# 題\n\n{SECRET}\n", "utf-8")
    (outside / "shared.md").write_text("# 題\n\n公開\n", "utf-8")
    # Found by a server that looks for another spelling of a name behind a link.
    (outside / unicodedata.normalize("NFD", "ガイド.md")).write_text(SECRET, "utf-8")
    (folder.root / "outside.md").write_text(SECRET, "utf-8")
    (folder.manuals / "link").symlink_to(outside)
    for root in (folder.manuals / "m", folder.root / "vault"):
        (root / "folder").mkdir(parents=True)
        (root / "folder.md").mkdir()
        (root / "x.md").write_text("# 題\n\n公開\n", "utf-8")
        (root / "folder" / "y.md").write_text("# 題\n\n公開\n", "utf-8")
        (root / "link.md").symlink_to(outside / "secret.md")
        (root / "link-inside.md").symlink_to("x.md")
        (root / "link-up.md").symlink_to("../../outside.md")
        (root / "link-folder").symlink_to(outside)
        (root / "link-here").symlink_to(".")
        (root / "link-to-link.md").symlink_to("link.md")
        (root / "loop.md").symlink_to("loop.md")
        (root / "dangling.md").symlink_to(outside / "none.md")
        (root / "zero.md").symlink_to("/dev/zero")
        (root / "stdin.md").symlink_to("/proc/self/fd/0")
        (root / "hard.md").hardlink_to(outside / "shared.md")
        os.mkfifo(root / "fifo.md")
        make_socket(root / "socket.md")
        make_device(root / "device.md")
    return outside


def make_device(path: Path) -> None:
    """`/dev/zero` by another name, where this user may make one; otherwise a pipe."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 5))
    except PermissionError:
        os.mkfifo(path)


def make_socket(path: Path) -> None:
    """A socket of this name. Its path may be longer than an address can be: it is bound in its folder."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(f"/proc/self/fd/{folder}/{path.name}")
    finally:
        os.close(folder)
