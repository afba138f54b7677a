"""The figures of a soak, added up and told at its end: what `record_property` notes of counts."""

from collections import Counter


def pytest_terminal_summary(terminalreporter):
    counted: Counter[str] = Counter()
    seconds: Counter[str] = Counter()
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties:
            if report.when == "call" and isinstance(value, int):
                counted[name] += value
                seconds[name] += report.duration
    if counted:
        terminalreporter.section("counted")
    for name, total in counted.items():
        terminalreporter.write_line(f"{name}: {total:,} ({seconds[name]:,.0f} s)")
