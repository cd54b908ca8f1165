"""The options of `morenashi serve` as every client gives them, read without `argparse`, which takes a megabyte.

What is read here means the same to `argparse` in cli.py; all else is left to that.
"""

from collections.abc import Sequence


class ServeOptions:
    """Which workspace, and what of its tools a client wants. `None`: not said."""

    def __init__(self) -> None:
        self.workspace: str | None = None
        self.toolsets: str | None = None
        self.read_only = False

    def as_arguments(self) -> list[str]:
        """The same for a command line, without the workspace."""
        toolsets = ["--toolsets", self.toolsets] if self.toolsets is not None else []
        return [*toolsets, *(["--read-only"] if self.read_only else [])]


def read_serve_options(arguments: Sequence[str]) -> ServeOptions | None:
    """The options; `None` if anything else is asked for."""
    options = ServeOptions()
    rest = iter(arguments)
    for argument in rest:
        name, equals, value = argument.partition("=")
        if name == "--read-only" and not equals:
            options.read_only = True
        elif name in ("--workspace", "--toolsets"):
            given = value if equals else next(rest, "-")
            # An empty workspace is refused there.
            if given.startswith("-") or (name == "--workspace" and not given):
                return None
            setattr(options, name.removeprefix("--"), given)
        else:
            return None
    return options
