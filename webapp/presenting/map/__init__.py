"""The map as drawn: what never changes, laid out once, and what changes upon it."""
