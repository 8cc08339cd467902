"""Runs commands of the `openstack` client, each in a fork of this process, because importing it takes a second.

Reads the arguments of one command a line, as a JSON array, and answers each with {"code": n, "stdout": "...",
"stderr": "..."}. The client keeps state in its modules, so that only a fork is as good as a process of its own.
"""
import json
import os
import sys
import tempfile

import openstack.connection  # noqa: F401  what every command would import after the fork
import watcherclient.osc.plugin  # noqa: F401
import watcherclient.v1.client  # noqa: F401
from openstackclient import shell


def child(args, out, err):
    code = 1
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        code = shell.main(args)
    except SystemExit as end:
        code = end.code
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 0 if code is None else 1)


def run(args):
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        pid = os.fork()
        if pid == 0:
            child(args, out, err)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode())
        return {"code": code, "stdout": texts[0], "stderr": texts[1]}


while line := sys.stdin.readline():
    sys.stdout.write(json.dumps(run(json.loads(line))) + "\n")
    sys.stdout.flush()
