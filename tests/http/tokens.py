"""The tokens of the shared server; `conftest.py` says what each grants."""

ALL = "all-0123456789abcdef"
READER = "reader-0123456789abcdef"
NOTES = "notes-0123456789abcdef"
NARROW = "narrow-0123456789abcdef"
USELESS = "useless-0123456789abcdef"
WRONG = "wrong-0123456789abcdef"
EVERY = (ALL, READER, NOTES, NARROW, USELESS, WRONG)
