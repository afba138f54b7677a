"""Games and their journals: rows, the one write path, undo, transfer, verification."""
