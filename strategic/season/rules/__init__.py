"""O10 The rules of a season, one file for each chapter."""
