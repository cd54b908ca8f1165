"""The process that a client launches, which connects it with the daemon. The standard library alone."""
