#!/usr/bin/env python3
"""A throw-away PostgreSQL for one command: postgres.py COMMAND [ARGUMENT…]

Starts a server in a temporary folder on a free port of the loopback, as an unprivileged user, runs the
command with its URL in DBT_CONTRACTS_TEST_POSTGRES, stops the server and deletes the folder. The exit
code is the command's. Where the variable is set already, that server is used. PostgreSQL is the newest
that the machine has installed, else that of the package pgserver in this Python's environment; where
there is none, a line says so, and the command runs without the variable.
"""

import contextlib
import importlib.util
import os
import pathlib
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

VARIABLE = "DBT_CONTRACTS_TEST_POSTGRES"
USER = "tester"
PACKAGE = "pgserver"


def programs():
    """The folder of `initdb` and `pg_ctl`; None where there is none."""
    debian = pathlib.Path("/usr/lib/postgresql").glob("*/bin")
    version = lambda folder: int(re.sub(r"\D", "", folder.parent.name) or 0)
    folders = sorted(debian, key=version, reverse=True)
    if found := shutil.which("initdb"):
        folders.append(pathlib.Path(found).parent)
    if package := importlib.util.find_spec(PACKAGE):
        folders.append(pathlib.Path(package.origin).parent / "pginstall/bin")
    complete = (folder for folder in folders if (folder / "initdb").exists() and (folder / "pg_ctl").exists())
    return next(complete, None)


def unprivileged():
    """The user to run as: PostgreSQL refuses root."""
    if os.getuid() != 0:
        return pwd.getpwuid(os.getuid())
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    sys.exit("PostgreSQL needs a user other than root, such as `postgres` or `nobody`")


def run(user, folder, *command):
    """One of PostgreSQL's programs, whose output matters only when it fails."""
    as_user = {} if user.pw_uid == os.getuid() else {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    # A server that inherits a pipe would hold it open.
    log = folder / "programs.log"
    with log.open("a+") as output:
        done = subprocess.run(
            [str(part) for part in command], cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            env={**os.environ, "HOME": str(folder), "LC_ALL": "C"}, check=False, **as_user,
        )
    if done.returncode:
        texts = [file.read_text() for file in (log, folder / "server.log") if file.exists()]
        sys.exit(f"`{command[0]}` failed\n" + "\n".join(texts))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def server(binaries):
    """The URL of a server that lives as long as the block."""
    user = unprivileged()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="pg"))
    if binaries.parent.name == "pginstall":
        # The environment may stand where the other user cannot go. The libraries lie beside the package.
        package = binaries.parent.parent
        for part in (package, package.with_name(f"{PACKAGE}.libs")):
            if part.exists():
                shutil.copytree(part, folder / part.name, symlinks=True)
        binaries = folder / PACKAGE / "pginstall/bin"
    os.chown(folder, user.pw_uid, user.pw_gid)
    data, port = folder / "data", free_port()
    try:
        run(user, folder, binaries / "initdb", "-D", data, "-U", USER, "--auth=trust", "--encoding=UTF8", "--no-sync")
        options = f"-h 127.0.0.1 -p {port} -k {folder} -c fsync=off"
        run(user, folder, binaries / "pg_ctl", "-D", data, "-l", folder / "server.log", "-o", options, "-w", "start")
        try:
            yield f"postgresql://{USER}@127.0.0.1:{port}/postgres"
        finally:
            run(user, folder, binaries / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder)


def main():
    command = sys.argv[1:]
    if not command:
        sys.exit(__doc__)
    # Ended from outside, it stops the server too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    binaries = programs()
    if os.environ.get(VARIABLE):
        return subprocess.run(command, check=False).returncode
    if binaries is None:
        print("PostgreSQL is not installed: what needs it is left out", flush=True)
        return subprocess.run(command, check=False).returncode
    with server(binaries) as url:
        return subprocess.run(command, env={**os.environ, VARIABLE: url}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
