"""Documents, and the code that generates those that follow from the program."""
