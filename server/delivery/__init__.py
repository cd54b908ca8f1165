"""What was delivered to whom, what was cited of it, and whether that still says the same (contract §4)."""
