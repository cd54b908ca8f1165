"""The daemon that all clients of a workspace share: how it is found, asked and served by."""
