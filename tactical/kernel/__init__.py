"""What every engine shares; it knows nothing of galleys, provinces or pages."""
