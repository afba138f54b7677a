"""Compiles the catalogues into what is built, so that an installed program speaks every language it has.

Everything else about the package stands in pyproject.toml; Babel's command is the one that `make` uses, too.
"""

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithCatalogues(build_py):
    """`build_py`, after `compile_catalog` of Babel."""

    def run(self) -> None:
        self.run_command("compile_catalog")
        self.data_files = self._get_data_files()  # was looked up before there were catalogues
        super().run()


setup(
    cmdclass={"build_py": BuildWithCatalogues},
    options={"compile_catalog": {"directory": "webapp/translations", "domain": "messages"}},
)
