"""Measurements against peers in the same run. `python -m benchmarks` prints a table and writes JSON."""
