"""The fleet: the strip, the roster of rows, the list with bearing and range."""
