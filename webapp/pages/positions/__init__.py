"""Positions by hand: fleets put on the board by tapping, kept as scenario files that others load."""
