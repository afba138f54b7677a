"""A ship's sheet: her two plans, every number with its sum, and the umpire's marks on it."""
