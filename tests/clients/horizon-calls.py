"""Makes the calls of Horizon's plugin with the client library that the plugin uses, over its token-and-endpoint transport.

Reads one call a line, as JSON: {"version": "1.0", "manager": "audit", "method": "list", "args": [], "kwargs": {}}; the
manager "http" sends a request as it is, for what Debian's library does not know yet: "method" is that of HTTP. Answers each with {"value": ...} or, when the library raises,
{"error": class name, "status": n, "message": "..."}.
"""
import json
import os
import sys

from watcherclient import client
from watcherclient.common.base import Resource


def connect(version):
    return client.get_client(
        "1",
        watcher_url=os.environ["WATCHER_URL"],
        os_auth_token=os.environ["WATCHER_TOKEN"],
        os_infra_optim_api_version=version,
    )


def plain(value):
    if isinstance(value, Resource):
        return value.to_dict()
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def call(request):
    connection = connect(request["version"])
    if request["manager"] == "http":
        return connection.http_client.json_request(request["method"], *request["args"], **request.get("kwargs", {}))[1]
    method = getattr(getattr(connection, request["manager"]), request["method"])
    return plain(method(*request.get("args", []), **request.get("kwargs", {})))


while line := sys.stdin.readline():
    try:
        answer = {"value": call(json.loads(line))}
    except Exception as error:  # what the plugin would show to its user
        answer = {
            "error": type(error).__name__,
            "status": getattr(error, "http_status", None) or getattr(error, "code", None),
            "message": str(error),
        }
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
