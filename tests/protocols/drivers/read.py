"""Reads documents with generated packages and writes them again.

The arguments are subjects: `NAME=MODULE:TYPE`. Each line of standard input is a name, a tab and a document; each line
of standard output is a JSON object with the `text` that was written or the `rule` and the `message` of a rejection.
"""

import importlib
import json
import sys

TYPES = {}
for subject in sys.argv[1:]:
    name, place = subject.split("=")
    module, cls = place.split(":")
    TYPES[name] = getattr(importlib.import_module(module), cls)

for line in sys.stdin:
    name, document = line.rstrip("\n").split("\t", 1)
    cls = TYPES[name]
    rejection = sys.modules[cls.__module__.split(".")[0]].Rejection
    try:
        value = cls.from_json(document)
        value.validate()
        answer = {"text": value.to_json()}
    except rejection as error:
        answer = {"rule": error.rule, "message": str(error)}
    print(json.dumps(answer))
