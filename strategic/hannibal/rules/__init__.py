"""The chapters of Hannibal, one a file."""
