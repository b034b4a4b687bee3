"""What the suites that run the real dbt share: counting what holds, running commands, writing files."""

import json
import os
import pathlib
import subprocess
import sys


class Suite:
    """Counts what holds and what does not."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, what, holds, detail=""):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {what}\n{detail}")

    def done(self):
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(1 if self.failed else 0)


def run(command, cwd, **environment):
    """The exit code of a command and all that it printed."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, "DBT_SEND_ANONYMOUS_USAGE_STATS": "false", **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def write(project, files):
    """Files by their paths in the project."""
    for path, text in files.items():
        file = pathlib.Path(project) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def artifact(project, name):
    """A JSON file that dbt left in `target/`."""
    return json.loads((pathlib.Path(project) / "target" / name).read_text(encoding="utf-8"))
