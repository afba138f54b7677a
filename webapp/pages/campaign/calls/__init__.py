"""Where a seat is called when it is its turn."""
