"""Runs commands of the `openstack` client, one process for all of them, because importing it takes a second.

Reads the arguments of one command a line, as a JSON array, and answers each with {"code": n, "stdout": "...",
"stderr": "..."}. Each command gets a shell of its own, as `openstack ARGS` would.
"""
import contextlib
import io
import json
import logging
import sys

from openstackclient import shell


def run(args):
    out, err = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = shell.main(args)
            except SystemExit as end:
                code = end.code
    finally:
        # Each shell adds handlers that write to its own stderr.
        for handler in list(logging.getLogger().handlers):
            logging.getLogger().removeHandler(handler)
    return {"code": code or 0, "stdout": out.getvalue(), "stderr": err.getvalue()}


for line in sys.stdin:
    sys.stdout.write(json.dumps(run(json.loads(line))) + "\n")
    sys.stdout.flush()
