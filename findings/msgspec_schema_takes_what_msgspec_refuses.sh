#!/usr/bin/env bash
# msgspec 0.22.0 beside jsonschema 4.26.0: a whole number that a program writes as 4.0.
#
# Guessed: what fits the JSON Schema that msgspec makes of a type is what msgspec takes for that type.
# Seen: the schema says {"type": "integer"}, and JSON Schema counts 4.0 as an integer, so that a validator takes it;
#   msgspec refuses the same document: "Expected `int`, got `float`". It takes it with strict=False only, which at the
#   same time takes "4" and, for a bool, 1.
# Means: a service whose description is that schema refuses documents that are right by it. Languages with one kind of
#   number (Lua, some spreadsheets) write them so.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check msgspec==0.22.0 jsonschema==4.26.0 2>/dev/null
cat > "$folder/seen.py" <<'PY'
import json

import jsonschema
import msgspec


class Plot(msgspec.Struct):
    speed: int


document = '{"speed": 4.0}'
schema = msgspec.json.schema(Plot)
print("schema:", schema["$defs"]["Plot"]["properties"]["speed"])
jsonschema.validate(json.loads(document), schema)
print("jsonschema: takes it")


def tried(name, read):
    try:
        print(f"{name}:", read())
    except msgspec.ValidationError as fault:
        print(f"{name}:", fault)


tried("decode", lambda: msgspec.json.decode(document, type=Plot))
tried("decode, strict=False", lambda: msgspec.json.decode(document, type=Plot, strict=False))
tried("convert, strict=False", lambda: msgspec.convert(json.loads(document), Plot, strict=False))
PY
"$folder/env/bin/python" "$folder/seen.py" | tee "$folder/out"
diff "$folder/out" - <<'END'
schema: {'type': 'integer'}
jsonschema: takes it
decode: Expected `int`, got `float` - at `$.speed`
decode, strict=False: Plot(speed=4)
convert, strict=False: Plot(speed=4)
END
