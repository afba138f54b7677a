"""Files of strangers, read in child processes: the way to them, and the readers that run there."""
