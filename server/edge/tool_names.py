"""Tools by the names that clients know. The standard library alone."""


def listed_name(name: str) -> str:
    """The name under which a tool is listed. The names of seed 002, which many clients cannot list, have dots."""
    return name.replace(".", "_") if name.startswith("pce.memory.") else name
