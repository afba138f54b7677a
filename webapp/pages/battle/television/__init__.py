"""The television: what a spectator may see, with nothing to tap."""
