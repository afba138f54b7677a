"""The replay: the board as it stood after each entry, and the moments that decided."""
