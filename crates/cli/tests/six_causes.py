"""An SDK with six defects, each of which fails many cases."""

import json
import sys

CAPABILITIES = ["round-trip", "events", "chat", "sessions", "unknown-members", "unknown-variants", "big-numbers"]


def lossy(members):
    """Defects 1 to 3: null is dropped, times are dropped, and large numbers are rounded."""
    kept = {name: value for name, value in members.items() if value is not None and name != "timestamp"}
    return {name: float(value) if type(value) is int and value > 2**53 else value for name, value in kept.items()}


def written(value):
    """Defects 4 to 6: space around texts and empty lists are lost, and a member has another name."""
    if isinstance(value, dict):
        names = {"toolCallId": "tool_call_id"}
        return {names.get(name, name): written(member) for name, member in value.items() if member != []}
    if isinstance(value, list):
        return [written(item) for item in value]
    return value.strip() if isinstance(value, str) else value


def answer(request):
    return json.dumps(written(json.loads(request["input"], object_hook=lossy)))


def main():
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if request["cmd"] == "stop":
            return
        if request["cmd"] == "start":
            sdk = {"name": "six-causes", "version": "1", "language": "python"}
            reply = {"protocol": 1, "implementation": sdk, "capabilities": CAPABILITIES}
        else:
            reply = {"seq": request["seq"]}
            try:
                reply["ok"] = answer(request)
            except ValueError as error:
                reply["rejected"] = {"class": "syntax", "message": str(error)}
        print(json.dumps(reply), flush=True)


main()
