"""What every page and the API share of HTTP: seats, limits, errors, streams, forms, certificates."""
