"""`python -m navarch` is the command `navarch`."""

import sys

from navarch import main

sys.exit(main())
