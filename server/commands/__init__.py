"""The commands beside `serve` and `reindex`; `morenashi.server.cli` finds them."""
