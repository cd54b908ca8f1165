"""The names of all steps, oldest first: what a database has to have been through.

A database that has been through a step not listed here was written by a newer version.
"""

SET = "morenashi"
STEPS = (
    "m0001_side_tables",
    "m0002_explained_traces",
    "m0003_adaptation",
    "m0004_document_versions",
    "m0005_trace_leads",
    "m0006_delivered_lines",
    "m0007_memory",
    "m0008_candidate_lists",
    "m0009_passage_vectors",
    "m0010_contexts_by_time",
    "m0011_versions_by_generation",
    "m0012_replaced_claims",
)
