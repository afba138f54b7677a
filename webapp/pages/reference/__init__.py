"""What a table looks up: rules, tables, odds, adjudication cases; also without a network."""
