"""These tests share one application with all its pages; none of them leaves a trace in it."""

from kit.real_house import shared_app, shared_store

__all__ = ["shared_app", "shared_store"]
