"""Thresholds that follow from what is read after a search (seed 001 §8.2)."""
