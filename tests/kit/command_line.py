"""`navarch` as tests start it: `python -m kit.command_line`. Nothing is read ahead, and no memory swept while it is imported.

A server reads every template and draws every map five seconds after its start: four seconds of processor time in each of
its processes, for pages that a test does not ask for. `tests/webapp/test_cli_serving.py` tests that.
"""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "kit.command_line")
SURROUNDINGS = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"}

if __name__ == "__main__":
    gc.disable()
    from navarch import main
    from webapp.cli import serve

    gc.enable()
    serve.SEAS = ()
    sys.exit(main())
