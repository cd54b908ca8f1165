"""Work that is ended when it takes as much processor time as only more than linear work can need."""

import subprocess
import sys

from .workspaces import clean_environment


def run_within(cpu_seconds: int, program: str, *arguments: str) -> None:
    """Run a program in a process of its own, with these arguments in `sys.argv[1:]`. It has to end in that time."""
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_CPU, ({cpu_seconds}, {cpu_seconds}))"
    command = [sys.executable, "-c", f"{limit}\n{program}", *arguments]
    ended = subprocess.run(command, env=clean_environment(), capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
