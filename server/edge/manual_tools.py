"""The tools over manuals."""

from morenashi.server.calls import inputs
from morenashi.server.errors import ErrorCode
from morenashi.server.manuals import tools
from morenashi.server.manuals.read import manual_read

from . import outputs
from .tool import Guidance, Tool, without_deadline

_FIND_LOGGED = (
    "trace_id",
    "scanned_files",
    "scanned_nodes",
    "candidates",
    "warnings",
    "max_stage_applied",
    "scope_expanded",
    "cutoff_reason",
    "unscanned_sections_count",
    "integrated_nodes",
    "file_bias_ratio",
    "conflict_count",
    "gap_count",
    "sufficiency_score",
    "integration_status",
    "next_actions",
)

_NOT_INDEXED: tuple[ErrorCode, str] = ("conflict", "its files are being indexed: ask again in a moment")

MANUAL_TOOLS = (
    Tool(
        "manual_find",
        "Find in manuals",
        "Find everything the manuals say about a subject. Returns counts, what was not examined and the "
        "next calls to make (send them unchanged); never text. Read what it found with manual_read.",
        inputs.ManualFind,
        outputs.ManualFindOutput,
        tools.manual_find,
        logged=_FIND_LOGGED,
        guidance=Guidance(
            "To search the manuals for a subject.",
            ("explore",),
            defaults={"intent": "unknown"},
            errors=(("not_found", "take the manual_id from manual_list"), _NOT_INDEXED),
        ),
    ),
    Tool(
        "manual_hits",
        "Page the hits of a search",
        "Page a list of a trace: candidates (default), integrated_top (best first), "
        "unscanned (not examined, and why), gaps, conflicts.",
        inputs.ManualHits,
        outputs.ManualHitsOutput,
        without_deadline(tools.manual_hits),
        guidance=Guidance(
            "To page what a find has found, or left out.",
            ("explore",),
            defaults={"kind": "integrated_top", "limit": 20},
            errors=(("not_found", "the trace has expired: find again"),),
        ),
    ),
    Tool(
        "manual_read",
        "Read from a manual",
        "Read what manual_find found, by trace_id: the best sections, of the others the lines that match (snippet: "
        "lines alone; hits: only these, with only_new to their end: no line you have had), then next_offset as offset. "
        "Or places, as manual/path:12-40. Or at a ref a snippet (the paragraph, default for .md, or what stands at a "
        "json_path), the section with its subsections, several, or the file (default for .json; .md if the server "
        "allows it). With a next_cursor, send it as cursor, the rest unchanged.",
        inputs.ManualRead,
        outputs.ManualReadOutput,
        without_deadline(manual_read),
        guidance=Guidance(
            "To read what a find found, by its trace_id, then the hits that matter whole. Or the text at a ref.",
            ("explore",),
            defaults={"limits": {"max_chars": 8000}},
            errors=(
                ("forbidden", "read section by section, not the whole .md"),
                ("not_found", "find again: the text has moved"),
            ),
        ),
    ),
    Tool(
        "manual_list",
        "List manuals",
        "Name the manuals, by their manual_id.",
        inputs.ManualList,
        outputs.ManualListOutput,
        without_deadline(tools.manual_list),
        guidance=Guidance("To see which manuals there are.", ("explore",)),
    ),
    Tool(
        "manual_ls",
        "List files",
        "List the files of one manual or of all, a page at a time.",
        inputs.ManualLs,
        outputs.ManualLsOutput,
        without_deadline(tools.manual_ls),
        guidance=Guidance(
            "To see the files of manuals.",
            ("explore",),
            defaults={"limit": 100},
            errors=(("not_found", "take the manual_id from manual_list"), _NOT_INDEXED),
        ),
    ),
    Tool(
        "manual_toc",
        "Table of contents",
        "List the headings of a manual, or of a node of it (node_id: as this gives it, or a path), with their lines; a "
        "JSON file is one entry.",
        inputs.ManualToc,
        outputs.ManualTocOutput,
        without_deadline(tools.manual_toc),
        guidance=Guidance(
            "To see the headings of a manual.",
            ("explore",),
            defaults={"limit": 100},
            errors=(("not_found", "take the manual_id from manual_list"), _NOT_INDEXED),
        ),
    ),
    Tool(
        "manual_excepts",
        "List exceptions",
        "List the lines of a manual, or of a node of it (as in manual_toc), that say except, only if, not in this "
        "case: provisos, exclusions, conditions, cautions.",
        inputs.ManualExcepts,
        outputs.ManualExceptsOutput,
        without_deadline(tools.manual_excepts),
        guidance=Guidance(
            "To see every exception that a manual states.",
            ("explore",),
            defaults={"limit": 100},
            errors=(("not_found", "take the node_id from manual_toc"), _NOT_INDEXED),
        ),
    ),
)
