"""The protocol's edge: what comes in is parsed once here, what goes out gets its envelope."""
