"""`morenashi audit verify`: whether the log of memory's calls is whole. Exit codes: 0 it is, 1 it is not."""

import argparse

from morenashi.indexer.config import Config
from morenashi.indexer.terminal import DIFFERENT, DONE, notice, show
from morenashi.server.memory.audit_log import verify

from .opening import open_stored_index


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Follow the chain from its beginning, and print its length and last hash: kept elsewhere, they prove more."""
    with open_stored_index(config) as connection:
        verdict = verify(connection, arguments.expect)
    if verdict.problem is not None:
        show(f"row {verdict.number}: {verdict.problem}")
        return DIFFERENT
    show(f"{verdict.rows} rows, {verdict.hash}")
    if arguments.expect and not verdict.is_known:
        notice("no row has the hash that was expected: the log was written anew, or cut")
        return DIFFERENT
    return DONE
