"""`python -m morenashi` is the `morenashi` command."""

from morenashi.server.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
