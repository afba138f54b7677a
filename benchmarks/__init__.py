"""Speed, measured beside an anchor and never asserted: `make bench`."""
