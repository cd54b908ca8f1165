"""The `morenashi` command. Each verb imports only what it needs: `import mcp` takes half a second."""

import argparse
import gc
import os
import sys

import morenashi
from morenashi.indexer.config import Config, ConfigError, read_config


def main(arguments: list[str] | None = None) -> int:
    """Run a verb and return the exit code."""
    parsed = _parser().parse_args(arguments)
    if parsed.workspace:
        os.environ["WORKSPACE_ROOT"] = parsed.workspace
    try:
        config = read_config()
    except ConfigError as error:
        sys.stderr.write(f"morenashi: {error}\n")
        return 2
    if parsed.verb == "reindex":
        from morenashi.indexer import cli

        return cli.run(parsed, config)
    return _serve(config)


def _serve(config: Config) -> int:
    # What is imported lives as long as the process: the garbage collector need not look at it, neither
    # while it grows nor in the middle of a search.
    gc.disable()
    from .edge import stdio

    gc.freeze()
    gc.enable()
    return stdio.run(config)


def _parser() -> argparse.ArgumentParser:
    from morenashi.indexer import cli

    parser = argparse.ArgumentParser(prog="morenashi", description="Exhaustive search over manuals, for agents.")
    parser.add_argument("--version", action="version", version=f"morenashi {morenashi.__version__}")
    verbs = parser.add_subparsers(dest="verb", required=True)
    serve = verbs.add_parser("serve", help="serve over MCP on stdin and stdout")
    reindex = verbs.add_parser("reindex", help="bring the index up to date with the files")
    for verb in (serve, reindex):
        verb.add_argument("--workspace", help="the workspace's folder (default: $WORKSPACE_ROOT, else here)")
    cli.add_arguments(reindex)
    return parser
