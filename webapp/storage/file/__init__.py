"""The SQLite file itself: connection, migrations, anchors, faults, who is elected."""
