"""The manuals: their files, and the tools over them."""
