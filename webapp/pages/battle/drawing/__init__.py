"""The board as SVG, made on the server: sea and coast, galleys seen from above, ghosts of the legal steps."""
