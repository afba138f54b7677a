"""The chapters of The Sword of Rome."""
