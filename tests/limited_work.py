"""Work that is ended when it takes as much processor time as only more than linear work can need.

Each piece of work has a process of its own. One that has imported what is looked at forks them all: to import that
takes longer than most of the work.
"""

import contextlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from .workspaces import clean_environment

RunWithin = Callable[..., None]
"""`run_within(cpu_seconds, program, *arguments)`: run a program in a process of its own, with these arguments in
`sys.argv[1:]`. It has to end in that time, not counting the imports that are done here."""

_REPOSITORY = Path(__file__).resolve().parents[1]
_IMPORTED = (
    "morenashi.indexer.dictionaries",
    "morenashi.indexer.documents",
    "morenashi.indexer.exceptions",
    "morenashi.indexer.references.named_documents",
    "morenashi.server.artifacts.faults",
    "morenashi.server.artifacts.reading",
    "morenashi.server.delivery.citations",
    "morenashi.server.edge.shim.shim",
    "morenashi.server.manuals.read",
    "morenashi.server.memory.redaction",
    "morenashi.server.ranges",
    "morenashi.server.search.find",
    "morenashi.server.search.question.asked",
    "tests.indexer.excepting",
)
# For each line of stdin one of stdout: the exit code of the work, or the signal that ended it as a negative number.
_FORK = """
import gc, importlib, json, os, resource, sys, traceback
from morenashi.server.entry import COLLECT_AT
for module in sys.argv[1:]:
    importlib.import_module(module)
# As the program has it.
gc.freeze()
gc.set_threshold(*COLLECT_AT)
for line in sys.stdin:
    cpu_seconds, program, arguments = json.loads(line)
    work = os.fork()
    if not work:
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
        sys.argv[1:] = arguments
        try:
            exec(program, {"__name__": "__main__"})
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(work, 0)[1]), flush=True)
"""


@contextlib.contextmanager
def limited_work() -> Iterator[RunWithin]:
    """What runs a program within a limit. The process that forks is started when it is first used."""
    with contextlib.ExitStack() as stack:
        errors = stack.enter_context(tempfile.TemporaryFile())
        started: list[subprocess.Popen[str]] = []

        def run_within(cpu_seconds: int, program: str, *arguments: str) -> None:
            if not started:
                started.append(stack.enter_context(_forking_process(errors.fileno())))
            stdin, stdout = started[0].stdin, started[0].stdout
            assert stdin
            assert stdout
            errors.seek(0)
            errors.truncate()
            stdin.write(json.dumps([cpu_seconds, program, arguments]) + "\n")
            stdin.flush()
            code = stdout.readline()
            errors.seek(0)
            assert code == "0\n", (code, errors.read().decode("utf-8", "replace"))

        yield run_within


def _forking_process(errors: int) -> "subprocess.Popen[str]":
    """It ends when its stdin is closed, as leaving its context does."""
    return subprocess.Popen(
        [sys.executable, "-c", _FORK, *_IMPORTED],
        env=clean_environment(),
        cwd=_REPOSITORY,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
    )
