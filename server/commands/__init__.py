"""The commands that read traces and explain searches; `morenashi.server.cli` finds them."""
