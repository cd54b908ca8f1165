"""What the bundle's host runs: the installed program."""

import runpy

runpy.run_module("morenashi", run_name="__main__")
