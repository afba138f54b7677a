"""The pages where a seat is asked for and given."""
