"""Finders of what may not leave a text. Each takes a folded text (`folding.py`) and gives spans of it.

All are linear in the text: patterns are bounded in length or run by RE2, and what is looked at around a match is a
window. A span is (start, end) in characters of the folded text, which knows where each of them stood.
"""
