"""The OpenAPI description is valid, complete, and true of real answers."""

from __future__ import annotations

import json
import re
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator, validate

from kit.players import Player
from webapp.api.openapi import CALLS, description
from webapp.storage.journal.store import all_systems


def test_the_description_is_valid(client: FlaskClient) -> None:
    served = client.get("/api/v1/openapi.json").json
    assert served["openapi"] == "3.1.0"
    validate(served, cls=OpenAPIV31SpecValidator)


def test_the_description_of_the_real_systems_is_valid() -> None:
    from tactical.kernel.record import encode

    written: Any = json.loads(encode(description(all_systems(), CALLS)))
    validate(written, cls=OpenAPIV31SpecValidator)
    schemas = written["components"]["schemas"]
    assert "galley.Ram" in schemas
    damage = schemas["galley.Ship"]["properties"]["damage"]
    assert (damage["minimum"], damage["maximum"]) == (0, 999), "the bounds of a number stand in its type"


def test_every_route_of_the_api_is_described(app: Flask) -> None:
    routes = {
        (method.lower(), re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule))
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/v1/")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    served = app.test_client().get("/api/v1/openapi.json").json
    described = {(method, path) for path, methods in served["paths"].items() for method in methods}
    assert described == routes
    own = {(call.method, f"/api/v1{call.path}") for call in CALLS}
    assert own <= routes, "nothing is described that is not served"


def test_real_answers_are_as_described(game: Player, physical: Player) -> None:
    written = game.client.get("/api/v1/openapi.json").json

    def check(name: str, value: Any) -> None:
        schema = {"$ref": f"#/components/schemas/{name}", "components": written["components"]}
        Draft202012Validator(schema).validate(value)

    check("Created", game.created)
    check("Submitted", game.give("red", 0, "plot", side="red", number=2).json)
    check("Submitted", physical.give("red", 0, "shoot", side="red").json)
    check("GameShown", game.get("red").json)
    check("GameShown", physical.get("blue").json)
    check("TakenBack", game.post("umpire", "undo", seen=1).json)
    check("JournalShown", game.get("red", "/journal").json)
    check("Problem", game.give("red", 0, "shoot", side="red").json)
    check("Saved", game.get("umpire", "/export").json)
    check("SystemsShown", game.client.get("/api/v1/systems").json)
    check("toy-state", game.get("umpire").json["state"])
    check("toy-command", {"type": "plot", "side": "red", "number": 3})
