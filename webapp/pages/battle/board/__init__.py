"""The board: the chart with all that lies on it, what a look at it shows, pointing and measuring."""
