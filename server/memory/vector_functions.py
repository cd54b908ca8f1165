"""sqlite-vec's functions on a connection, where this Python lets SQLite load extensions."""

import sqlite3


def has_vector_functions(connection: sqlite3.Connection) -> bool:
    """Whether `vec_distance_cosine` can be asked for. Loads sqlite-vec if it is installed, and lets nothing else in."""
    try:
        connection.execute("SELECT vec_version()")
        return True
    except sqlite3.OperationalError:
        return _load(connection)


def _load(connection: sqlite3.Connection) -> bool:
    # Many builds of Python leave loading out, and with it the method.
    if not hasattr(connection, "enable_load_extension"):
        return False
    try:
        import sqlite_vec
    except ImportError:
        return False
    connection.enable_load_extension(True)
    try:
        sqlite_vec.load(connection)
    except sqlite3.OperationalError:
        return False
    finally:
        connection.enable_load_extension(False)
    return True
