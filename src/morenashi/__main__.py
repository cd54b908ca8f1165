"""`python -m morenashi` is the `morenashi` command."""

from morenashi.server.cli import main

raise SystemExit(main())
