#!/usr/bin/env python3
"""Run the generic tests that dbt-contracts ships on real rows, with the real dbt.

In:  the path of a dbt executable, cases.yml (models, cases, measures), project/, templates/tests
Out: one line per case whose result differs from the expected one, then `N passed, M failed`

    run.py path/to/dbt [--profiles-dir DIR --adapter postgres] [--keep DIR]
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
TEMPLATES = HERE.parents[2] / "templates" / "tests"

# operator -> (thresholds that hold, thresholds that break the promise) for a measured value v
OPERATORS = {
    "must_be": lambda v: ([v], [v + 1, v - 1]),
    "must_not_be": lambda v: ([v + 1], [v]),
    "must_be_greater_than": lambda v: ([v - 1], [v, v + 1]),
    "must_be_greater_or_equal_to": lambda v: ([v, v - 1], [v + 1]),
    "must_be_less_than": lambda v: ([v + 1], [v, v - 1]),
    "must_be_less_or_equal_to": lambda v: ([v, v + 1], [v - 1]),
    "must_be_between": lambda v: ([[v, v + 1], [v - 1, v], [v + 1, v - 1]], [[v + 1, v + 2], [v - 2, v - 1]]),
    "must_not_be_between": lambda v: ([[v + 1, v + 2], [v - 2, v - 1]], [[v, v + 1], [v - 1, v]]),
}


def expand(measure):
    """Cases for one measured number: every operator, both units, at and around the value."""
    common = {key: measure[key] for key in ("model", "column", "adapters", "config") if key in measure}
    for unit, value in (("rows", measure["rows"]), ("percent", measure["percent"])):
        for operator, thresholds in OPERATORS.items():
            for failures, chosen in enumerate(thresholds(value)):
                for number, threshold in enumerate(chosen):
                    verdict = "broken" if failures else "kept"
                    yield common | {
                        "id": f"{measure['id']}_{unit}_{operator}_{verdict}_{number}",
                        "test": "contract_metric",
                        "arguments": measure.get("arguments", {})
                        | {"metric": measure["metric"], "operator": operator, "threshold": threshold, "unit": unit},
                        "failures": failures,
                    }


def escape(text):
    """The text such that dbt's Jinja renders it back to itself."""
    return re.sub(r"\{[{%#]", lambda opener: "{{ '" + opener.group() + "' }}", text)


def as_data(value):
    """Contract text as dbt-contracts writes it: dbt must not read it as Jinja."""
    if isinstance(value, dict):
        # `to` is the one argument that is code
        return {key: item if key == "to" else as_data(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_data(item) for item in value]
    if not isinstance(value, str):
        return value
    if re.match(r"\s*(env_var|ref|var|source|doc)\s*\(.+\)\s*$", value):
        return '{{ "' + value + '" }}'
    return escape(value)


def properties(cases):
    """schema.yml: the cases as data tests on their models and columns."""
    models = {}
    for case in cases:
        entry = {"name": case["id"]}
        if case.get("arguments"):
            entry["arguments"] = as_data(case["arguments"])
        if case.get("config"):
            entry["config"] = case["config"]
        model = models.setdefault(case["model"], {"tests": [], "columns": {}})
        column = case.get("column")
        target = model["columns"].setdefault(column, []) if column else model["tests"]
        target.append({case["test"]: entry})
    return {"models": [model_properties(name, model) for name, model in models.items()]}


def model_properties(name, model):
    entry = {"name": name}
    if model["tests"]:
        entry["data_tests"] = model["tests"]
    if model["columns"]:
        entry["columns"] = [column_properties(*column) for column in model["columns"].items()]
    return entry


def column_properties(name, tests):
    quote = {} if re.fullmatch(r"[a-z_][a-z0-9_]*", name) else {"quote": True}
    return {"name": name} | quote | {"data_tests": tests}


def dbt(executable, project, profiles, *command):
    """One dbt command; its output, with warnings and deprecations unfolded."""
    process = subprocess.run(
        [executable, "--no-use-colors", *command, "--project-dir", project, "--profiles-dir", profiles],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    return process.stdout + process.stderr


def complaints(output):
    """What dbt has to say about the files themselves; each such line is a failure."""
    return [line for line in output.splitlines() if re.search(r"Encountered an error|\[WARNING\]|deprecat", line, re.I)]


def difference(case, result):
    """What is wrong with a result, or None."""
    if result is None:
        return "was not run"
    if "error" in case:
        if result["status"] == "error" and case["error"] in result["message"]:
            return None
        return f"expected the error `{case['error']}`, got {result['status']}: {result['message']}"
    if result["status"] not in ("pass", "warn") or result["failures"] != case["failures"]:
        return f"expected {case['failures']} failures, got {result['status']} {result['failures']}: {result['message']}"
    return None


def build(directory, document, cases):
    """The scratch project: fixed files, the shipped macros, generated models and tests."""
    project = Path(directory) / "project"
    shutil.copytree(HERE / "project", project)
    shutil.copytree(TEMPLATES, project / "macros" / "dbt_contracts")
    models = project / "models"
    models.mkdir()
    for name in {case["model"] for case in cases} | set(document["referenced"]):
        (models / f"{name}.sql").write_text(escape(document["models"][name]), encoding="utf-8")
    (models / "schema.yml").write_text(
        yaml.safe_dump(properties(cases), sort_keys=False, allow_unicode=True), encoding="utf-8"
    )
    (models / "sources.yml").write_text(yaml.safe_dump(document["sources"], sort_keys=False), encoding="utf-8")
    return project


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dbt")
    parser.add_argument("--profiles-dir", help="another warehouse than the DuckDB file of the project")
    parser.add_argument("--adapter", default="duckdb", help="leaves out the cases that do not name it")
    parser.add_argument("--keep", help="build the project in this new directory and leave it there")
    options = parser.parse_args()

    # dbt runs inside the project, where a path from here would mean another place.
    options.dbt = shutil.which(options.dbt) and Path(shutil.which(options.dbt)).absolute()
    if not options.dbt:
        parser.error("DBT must be the path or name of an executable")

    document = yaml.safe_load((HERE / "cases.yml").read_text(encoding="utf-8"))
    cases = document["cases"] + [case for measure in document["measures"] for case in expand(measure)]
    cases = [case for case in cases if options.adapter in case.get("adapters", [options.adapter])]
    assert len({case["id"] for case in cases}) == len(cases), "case ids must be unique"

    with tempfile.TemporaryDirectory() as scratch:
        project = build(options.keep or scratch, document, cases)
        profiles = options.profiles_dir or project
        # While only models run, nothing may warn: neither about the macros' documentation nor the YAML.
        outputs = [dbt(options.dbt, project, profiles, *command) for command in (["--warn-error", "run"], ["test"])]
        results_file = project / "target" / "run_results.json"
        results = json.loads(results_file.read_text(encoding="utf-8"))["results"] if results_file.exists() else []

    if not results:
        print(*outputs, "0 passed, no case was run", sep="\n")
        return 1

    by_name = {result["unique_id"].split(".")[2]: result for result in results}
    failed = 0
    for case in cases:
        if wrong := difference(case, by_name.get(case["id"])):
            failed += 1
            print(f"{case['id']}: {wrong}")
    for line in [line for output in outputs for line in complaints(output)]:
        failed += 1
        print(f"dbt: {line}")
    print(f"{len(cases) - min(failed, len(cases))} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
