"""The fixtures of this folder; what tests import by name stands in `kit.by_post`."""

from kit.by_mail import club
from kit.by_post import app, box, group, postman
from kit.push_service import service

__all__ = ["app", "box", "club", "group", "postman", "service"]
