"""Ship cards and tables to print."""
