"""Where games begin: the start page, the fleet builder, typed positions, and the links of the seats."""
