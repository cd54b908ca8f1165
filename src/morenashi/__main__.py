"""`python -m morenashi` is the `morenashi` command."""

from morenashi.server.entry import main

if __name__ == "__main__":
    raise SystemExit(main())
