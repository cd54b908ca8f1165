"""The order of what was found: scores of passages, their titles and headings; candidates, and the cap on them."""
