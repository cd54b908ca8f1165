"""What documents say of other places, what those places are called, and where that leads."""
