"""What the bundle's host runs: the installed program."""

import sys

from morenashi.server.cli import main

sys.exit(main())
