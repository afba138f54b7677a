"""The pages, the API and the command line: the only floor that knows of HTTP, SQLite and the clock."""
