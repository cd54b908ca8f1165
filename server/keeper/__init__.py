"""The one writer of an index: what it is asked, what it finds on disk, what others read while it keeps the index."""
