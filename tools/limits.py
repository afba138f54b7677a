"""Writes the table of what is counted (`webapp/storage/services/archive.py`) into docs/threats.md."""

from pathlib import Path

from webapp.storage.services.archive import with_table

PAGE = Path(__file__).parents[1] / "docs/threats.md"

if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text()))
