"""The addresses under /g/<game>, for every system."""
