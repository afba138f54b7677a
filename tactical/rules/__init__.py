"""The galley rules, one file a chapter. `why_not_x` says what forbids a command; `x` carries it out."""
