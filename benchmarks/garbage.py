"""Garbage collected as the server collects it, so that a measurement inside this process is not slower than that."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from morenashi.server.entry import COLLECT_AT


@contextmanager
def collecting_as_the_server() -> Iterator[None]:
    """What was made before, the benchmark's own objects too, is not looked at; what is made now, seldom."""
    thresholds = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AT)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()
