"""What works beside the journals: archive, copies, clocks, letters, limits, calls."""
