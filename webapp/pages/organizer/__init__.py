"""The organizer's pages: all games of this server, imports and backups."""
