"""The compiled templates that tests share; and whatever event a test makes is one that its system has declared."""

import gc
import json
import os
import random
from functools import partial
from pathlib import Path
from typing import ClassVar
from zlib import crc32

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from flask import Flask
from jinja2 import FileSystemBytecodeCache
from werkzeug.routing import Map

from strategic import SYSTEMS
from tactical import GALLEY
from tactical.kernel.protocol import wrong_in
from webapp.storage.file import migrations
from webapp.storage.journal import store

pytest_plugins = ["kit.soak_counts"]  # here, since the process that gathers reports reads no other conftest
COMPILED = Path(__file__).parents[1] / ".pytest_cache" / "templates"
COMPILED.mkdir(parents=True, exist_ok=True)


class Templates(FileSystemBytecodeCache):
    """Thousands of tests make an app of their own: each template is compiled, and read, once for all of them."""

    read: ClassVar = {}

    def load_bytecode(self, bucket):
        """The compiled template, until its text changes."""
        bucket.code = self.read.get((bucket.key, bucket.checksum))
        if bucket.code is None:
            super().load_bytecode(bucket)
            self.read[bucket.key, bucket.checksum] = bucket.code


Flask.jinja_options = {**Flask.jinja_options, "bytecode_cache": Templates(str(COMPILED))}


def compile_catalogues():
    """Compile each catalogue that is newer than its .mo, as `make` does, so that a fresh clone speaks every language."""
    for written in (Path(__file__).parents[1] / "webapp" / "translations").glob("*/LC_MESSAGES/messages.po"):
        compiled = written.with_suffix(".mo")
        if not compiled.exists() or compiled.stat().st_mtime < written.stat().st_mtime:
            fresh = written.with_name(f"{os.getpid()}.mo")  # two workers may compile at the same time
            with written.open("rb") as source, fresh.open("wb") as target:
                write_mo(target, read_po(source))
            fresh.replace(compiled)


compile_catalogues()
gc.disable()  # until all tests are collected: nothing of theirs is garbage


class Addresses(Map):
    """The addresses of an app, worked out when they are first asked for; apps with the same routes share what is found.

    To work them out is nine tenths of the work of making an app.
    """

    found: ClassVar = {}

    def __init__(self, *given, **named):
        super().__init__(*given, **named)
        self.routes = []

    def add(self, rulefactory):
        """Take down a route."""
        self.routes.append(rulefactory)
        self._remap = True

    def update(self):
        """Work out the routes, once for all apps that have the same."""
        if not self._remap:
            return
        routes = (*map(all_of_it, self.routes), *self.converters.items())
        if routes not in self.found:
            made = self.found[routes] = Map()
            made.converters = self.converters
            for route in self.routes:
                made.add(route)
            made.update()
        made = self.found[routes]
        self._matcher, self._rules_by_endpoint = made._matcher, made._rules_by_endpoint
        self._remap = False


def all_of_it(route):
    """What a route was made from."""
    methods = frozenset(route.methods or ())
    return route.rule, route.endpoint, methods, repr(route.defaults), route.build_only, route.provide_automatic_options


Flask.url_map_class = Addresses
EMPTY = {}  # a file without games, by the steps that have made its tables


def migrated_once(file, migrate=store.migrate):
    """A store that begins takes a copy of the tables that the first store of these tests has made step by step."""
    is_new, made = not file.path.exists(), EMPTY.get(migrations.STEPS)
    if is_new and made is not None:
        file.path.touch(mode=0o600)
        file.path.write_bytes(made)
    migrate(file)
    if is_new and made is None:
        file.db.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        EMPTY[migrations.STEPS] = file.path.read_bytes()


store.migrate = migrated_once
store.CHANCE = DICE = random.Random()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """The servers of a test throw the same dice in every run: what goes well once is not a matter of chance."""
    DICE.seed(crc32(item.nodeid.encode()))


def pytest_collection_finish():
    """What stands now stands to the end: it is not looked through again with each collection of garbage."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)
    gc.enable()


def told(answer, system, *given, **more):
    """What the engine answers, with each of its events held to the declarations."""
    outcome = answer(*given, **more)
    wrong = [fault for event in outcome.events if (fault := wrong_in(system.events, event))]
    assert not wrong, f"{system.name}: {wrong}"
    return outcome


@pytest.fixture(autouse=True, scope="session")
def events_as_declared():
    """Every `apply` and `start` of a real system is looked at."""
    for system in (GALLEY, *SYSTEMS.values()):
        for name in ("apply", "start"):
            object.__setattr__(system, name, partial(told, getattr(system, name), system))


RETRIED = 3  # tests of a run that may pass only when they are tried again


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session, exitstatus):
    """A run in which too many tests had to be tried again has failed: races are what this program is about."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    retried = {report.nodeid for report in reporter.stats.get("rerun", ())} if reporter else set()
    if len(retried) > RETRIED and exitstatus == pytest.ExitCode.OK:
        reporter.section(f"{len(retried)} tests were tried again, and {RETRIED} may be", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter, config):
    """Tell what the tests took of the processor, with all that they started; of a whole run, write it down."""
    used = round(sum(os.times()[:4]))
    terminalreporter.write_line(f"processor time: {used} s")
    is_whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.keyword
    if is_whole and config.option.markexpr == "not soak":
        written = Path(".bench/tests.json")
        written.parent.mkdir(exist_ok=True)
        written.write_text(json.dumps({"processor": used}))
