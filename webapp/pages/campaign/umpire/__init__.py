"""What the umpire sets by hand."""
