"""What the tools are called with: one model a tool, parsed at the edge and trusted below it."""
