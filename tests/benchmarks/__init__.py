"""What the figures of a measurement rest on."""
