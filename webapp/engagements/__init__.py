"""Who opens a campaign's battles and enters their outcomes; called inside each command's transaction."""
