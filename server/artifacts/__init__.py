"""Artifacts: what a flowchart, a step table, a nested list or a graph in JSON says, and what is wrong with it.

A parser a file, one model for all (`model.py`), faults in `faults.py`. Pure: texts in, values out.
"""
