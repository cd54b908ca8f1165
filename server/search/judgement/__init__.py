"""Stage 3.5: conflicts, gaps, sufficiency, from what the stages found (seed 004 §3)."""
