"""The subcommands of `navarch`, one a module."""
