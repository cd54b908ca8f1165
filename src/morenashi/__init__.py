"""Morenashi (漏れなし): exhaustive search over manuals for agents, served over MCP."""

__version__ = "0.1.0"
