"""The vault: the notes that agents and people write. Files, their safety, and the tools over them."""
