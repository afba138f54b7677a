"""Speed, measured and never asserted: `make bench` prints a table, medians first."""
