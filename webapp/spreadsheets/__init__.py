"""Spreadsheets as clubs have them, in and out: CSV, ODS and XLSX."""
