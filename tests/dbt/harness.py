"""What the suites that run the real dbt share: counting what holds, running commands, writing files, and
holding properties files against the JSON Schema that dbt ships."""

import json
import os
import pathlib
import subprocess
import sys

import jsonschema
import yaml


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


def check_properties(suite, what, dbt, project):
    """Whether every properties file of a project is valid for dbt, which itself looks at its schema on few adapters only."""
    schema = next(pathlib.Path(dbt).parent.parent.glob("lib/python*/site-packages/dbt/jsonschemas/resources/latest.json"))
    validator = jsonschema.Draft7Validator(json.loads(schema.read_text(encoding="utf-8")))
    files = [file for folder in ("models", "macros") for file in sorted((project / folder).rglob("*.yml"))]
    suite.check(f"{what}: there are properties files", bool(files))
    for file in files:
        document = alone(yaml.safe_load(file.read_text(encoding="utf-8")))
        errors = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)]
        suite.check(f"{what}: {file.relative_to(project)} is valid for dbt", not errors, "\n".join(errors))


def alone(document):
    """A properties file whose versions of models have their columns as models do; dbt reads them, and its schema has none."""
    for model in list(document.get("models", [])):
        for version in model.get("versions", []):
            document["models"].append({"name": model["name"], "columns": version.pop("columns", [])})
    return document
