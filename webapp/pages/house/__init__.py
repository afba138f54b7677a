"""A group's own values for a system, as pages."""
