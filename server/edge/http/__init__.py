"""MCP over Streamable HTTP: who may ask, how much, and what is served."""
