"""Judges documents by the package `jsonschema`.

The argument is a file with schemas by name. Each line of standard input is a name, a tab and a document; each line of
standard output is `true` or `false`.
"""

import json
import sys

from jsonschema.validators import validator_for

VALIDATORS = {}
with open(sys.argv[1], encoding="utf-8") as file:
    for name, schema in json.load(file).items():
        VALIDATORS[name] = validator_for(schema, default=None)(schema)

for line in sys.stdin:
    name, document = line.rstrip("\n").split("\t", 1)
    print(json.dumps(VALIDATORS[name].is_valid(json.loads(document))))
