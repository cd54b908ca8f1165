"""The tools over the vault."""

from typing import Any

from morenashi.server.calls import vault_inputs
from morenashi.server.deadline import Deadline
from morenashi.server.vault import coverage, find, listing, reading, search, writes
from morenashi.server.workspace import Workspace

from . import vault_outputs
from .tool import Guidance, Tool, without_deadline

_FIND_LOGGED = (
    "trace_id",
    "candidates",
    "integrated_candidates",
    "file_bias_ratio",
    "gap_ranges_count",
    "sufficiency_score",
    "integration_status",
    "cutoff_reason",
    "next_actions",
)


def _audit(workspace: Workspace, call: vault_inputs.ArtifactAudit, deadline: Deadline) -> dict[str, Any]:
    # The parsers of artifacts are imported by the first call: every start of a server would wait for them.
    from morenashi.server.vault.audit import artifact_audit

    return artifact_audit(workspace, call, deadline)


VAULT_TOOLS = (
    Tool(
        "vault_find",
        "Find in the vault",
        "Find everything the vault's notes say about a subject. Returns counts, what was not examined "
        "and the next calls to make (send them unchanged); never text.",
        vault_inputs.VaultFind,
        vault_outputs.VaultFindOutput,
        find.vault_find,
        logged=_FIND_LOGGED,
        guidance=Guidance(
            "To search the notes for a subject.",
            ("explore", "audit"),
            errors=(("not_found", "the trace has expired: find again"),),
        ),
    ),
    Tool(
        "vault_search",
        "Search text in the vault",
        "List the lines of the vault that match, as grep does.",
        vault_inputs.VaultSearch,
        vault_outputs.VaultSearchOutput,
        search.vault_search,
        logged=("mode", "truncated", "unsearched_count"),
        guidance=Guidance(
            "To find lines by their text, before changing them.",
            ("explore", "revise"),
            defaults={"mode": "plain", "limit": 50},
            errors=(("invalid_parameter", "use mode plain, or mend the expression"),),
        ),
    ),
    Tool(
        "vault_scan",
        "Scan a file of the vault",
        "Read a file of the vault from its start, chunk by chunk, exactly: send next_actions unchanged until eof.",
        vault_inputs.VaultScan,
        vault_outputs.VaultScanOutput,
        without_deadline(reading.vault_scan),
        logged=("path", "applied_range", "eof", "truncated_reason"),
        guidance=Guidance(
            "To read a whole file, chunk by chunk.",
            ("explore", "audit"),
            defaults={"chunk_lines": 80},
            errors=(("conflict", "the file changed: scan from its start"),),
        ),
    ),
    Tool(
        "vault_read",
        "Read from the vault",
        "Read lines of a file of the vault (range) or all of it (full=true), or the hits of a vault_find (trace_id).",
        vault_inputs.VaultRead,
        vault_outputs.VaultReadOutput,
        without_deadline(reading.vault_read),
        logged=("path", "truncated"),
        guidance=Guidance(
            "To read some lines.",
            ("explore", "revise"),
            defaults={"full": True},
            errors=(("invalid_parameter", "give range, or full=true"),),
        ),
    ),
    Tool(
        "vault_ls",
        "List a folder of the vault",
        "List a folder of the vault, its folders first.",
        vault_inputs.VaultLs,
        vault_outputs.VaultLsOutput,
        without_deadline(listing.vault_ls),
        guidance=Guidance(
            "To see the files of a folder.",
            ("explore",),
            errors=(("not_found", "list the folder above"), ("invalid_path", "for the top, leave path out")),
        ),
    ),
    Tool(
        "vault_create",
        "Create a file",
        "Create a file in the vault. A daily note is daily/YYYY-MM-DD.md.",
        vault_inputs.VaultCreate,
        vault_outputs.WrittenOutput,
        without_deadline(writes.vault_create),
        writes=True,
        logged=("path", "written_bytes"),
        guidance=Guidance(
            "To make a new file.",
            ("produce",),
            errors=(("conflict", "it exists: use vault_write"), ("forbidden", "name daily notes daily/YYYY-MM-DD.md")),
        ),
    ),
    Tool(
        "vault_write",
        "Write a file",
        "Append to a file of the vault that is there, or overwrite it. Daily notes: append only.",
        vault_inputs.VaultWrite,
        vault_outputs.WrittenOutput,
        without_deadline(writes.vault_write),
        writes=True,
        destroys=True,
        logged=("path", "mode", "written_bytes"),
        guidance=Guidance(
            "To add to a file, or write it anew.",
            ("produce", "revise"),
            defaults={"mode": "append"},
            errors=(
                ("conflict", "no such file: vault_create; or read it again"),
                ("forbidden", "daily notes: append only"),
            ),
        ),
    ),
    Tool(
        "vault_replace",
        "Replace text",
        "Replace a literal text in a file of the vault. Refused, with the lines, if it stands in more places than "
        "max_replacements.",
        vault_inputs.VaultReplace,
        vault_outputs.VaultReplaceOutput,
        without_deadline(writes.vault_replace),
        writes=True,
        destroys=True,
        logged=("path", "replacements"),
        guidance=Guidance(
            "To change a text in a file.",
            ("revise",),
            defaults={"max_replacements": 1},
            errors=(("conflict", "make find longer, or allow more"), ("forbidden", "daily notes: append only")),
        ),
    ),
    Tool(
        "vault_coverage",
        "Check what is covered",
        "How much of a file (of the vault, or manuals/<id>/...; path:12-40 is a part) the cited lines cover; which "
        "were never delivered, and which moved, changed or are gone.",
        vault_inputs.VaultCoverage,
        vault_outputs.VaultCoverageOutput,
        coverage.vault_coverage,
        logged=("path", "coverage_ratio", "covered_ranges", "uncovered_ranges"),
        guidance=Guidance(
            "To see which lines of a source are not cited yet.",
            ("audit",),
            errors=(("not_found", "name the source: a note, or manuals/<id>/..."),),
        ),
    ),
    Tool(
        "artifact_audit",
        "Audit an artifact",
        "Check a Mermaid flowchart, step table, nested list or JSON graph against its source: elements without "
        "source_lines (in Mermaid a comment, %% ID: source_lines: 5-9), branches to nowhere or never reached, one-way "
        "references, coverage.",
        vault_inputs.ArtifactAudit,
        vault_outputs.ArtifactAuditOutput,
        _audit,
        logged=("artifact_path", "source_path", "rootless_nodes", "orphan_branches", "one_way_refs"),
        guidance=Guidance(
            "To check a flowchart, table or list against its source, and what it cites for what has moved or changed.",
            ("revise", "audit"),
            errors=(("not_found", "name the source: a note, or manuals/<id>/..."),),
        ),
    ),
)
