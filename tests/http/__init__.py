"""Streamable HTTP: a real server process, real clients, and requests that no client sends."""
