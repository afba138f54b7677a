"""A tablet in the hands of a test: it taps as soon as it sees, and confirms its dice itself."""

PATIENT = "window.navarch = { patience: 0, grace: 3600000 };"
