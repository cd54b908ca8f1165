"""Staged search over the index: what `manual_find` does (seed 004 §3)."""
