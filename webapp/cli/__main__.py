"""`python -m webapp.cli`: the same as `navarch`."""

import sys

from webapp.cli import main

sys.exit(main())
