"""The MCP server: what a client asks, answered from the index. Writes it through the keeper alone."""
