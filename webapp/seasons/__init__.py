"""O10 A club's season on this server: its calls, the battles that it opens, and what these send home."""
