"""Games, journals and backups in SQLite: rows, one write path, undo, transfer, verification; no Flask."""
