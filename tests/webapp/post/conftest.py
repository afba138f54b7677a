"""The fixtures of this folder; what tests import by name stands in `by_post`."""

from by_post import app, box, group, postman
from push_service import service

__all__ = ["app", "box", "group", "postman", "service"]
