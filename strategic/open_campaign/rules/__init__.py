"""The chapters of the open campaign."""
