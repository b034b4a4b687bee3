"""The example project in the real dbt: example.py DBT_CONTRACTS DBT

Generates dbt files for a copy of contracts-example and proves that
  * a second run writes nothing, and a run without the lock adopts every byte;
  * what `diff --force` shows of edited files is byte for byte what `sync --force` writes;
  * dbt parses the project without a warning or deprecation;
  * every YAML file is valid under the JSON Schema that dbt ships, also with groups;
  * `dbt build` is green on the good seeds, on a fresh database with 4 threads;
  * on the bad seeds exactly the tests of example_failures.tsv fail, with as many failures.
`example.py … --accept` writes example_failures.tsv anew, to be read before it is committed.
"""

import csv
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from harness import Suite, artifact, check_properties, run

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLE = HERE.parents[1] / "contracts-example"
EXPECTED = HERE / "example_failures.tsv"


def tree(project):
    """Every file below models, macros and contracts with its bytes."""
    folders = [project / name for name in ("models", "macros", "tests", "contracts")]
    files = [file for folder in folders if folder.is_dir() for file in folder.rglob("*") if file.is_file()]
    return {str(file.relative_to(project)): file.read_bytes() for file in files}


def models(project):
    """The files of models, without the lock, which a patch does not have."""
    return {path: text for path, text in tree(project).items() if path.startswith("models/")}


def results(project):
    """(name, failures) of every test that did not pass, from the last run."""
    done = artifact(project, "run_results.json")
    return sorted(
        (result["unique_id"].split(".")[2], str(result["failures"]))
        for result in done["results"]
        if result["unique_id"].startswith("test.") and result["status"] != "pass"
    )


def grouped(suite, tool, dbt, project):
    """What products make of groups and access."""
    config = project / "contracts" / "config.yaml"
    config.write_text(f"{config.read_text()}access: product\n")
    code, out = run([tool, "sync"], project)
    suite.check("sync with groups", code == 0, out)
    suite.check("there are groups", any("groups:" in file.read_text() for file in (project / "models").rglob("*.yml")))
    check_properties(suite, "the example with groups", dbt, project)
    code, out = run([dbt, "--warn-error", "parse", "--show-all-deprecations", "--profiles-dir", project], project)
    suite.check("dbt parse with groups", code == 0, out)


def main():
    tool, dbt = (pathlib.Path(argument).absolute() for argument in sys.argv[1:3])
    suite = Suite()
    project = pathlib.Path(tempfile.mkdtemp()) / "shop"
    shutil.copytree(EXAMPLE, project, ignore=shutil.ignore_patterns("target", "logs", "*.duckdb", "dbt-contracts.lock"))
    for folder in ("models/contracts", "macros/dbt_contracts", "tests/dbt_contracts"):
        shutil.rmtree(project / folder, ignore_errors=True)

    code, out = run([tool, "validate", "--deny-warnings"], project)
    suite.check("validate is clean", code == 0, out)
    code, out = run([tool, "generate"], project)
    suite.check("generate", code == 0, out)
    written = tree(project)
    code, out = run([tool, "generate", "--format", "json"], project)
    states = {file["status"] for file in json.loads(out)["files"]}
    suite.check("a second run writes nothing", code == 0 and states == {"unchanged"} and tree(project) == written, out)
    code, out = run([tool, "diff"], project)
    suite.check("diff after generate is empty", code == 0, out)
    (project / "contracts" / "dbt-contracts.lock").unlink()
    code, out = run([tool, "sync"], project)
    suite.check("without a lock every byte is adopted", code == 0 and tree(project) == written, out)

    # What people do to generated files: add to one, shorten one, delete one.
    edited = sorted(path for path in written if path.startswith("models/"))
    (project / edited[0]).write_bytes(written[edited[0]] + b"# mine\n")
    (project / edited[1]).write_bytes(written[edited[1]][:40])
    (project / edited[2]).unlink()
    patched = project.parent / "patched"
    shutil.copytree(project, patched)
    code, patch = run([tool, "diff", "--force", "-q"], project)
    suite.check("diff --force finds the edits", code == 1 and patch.count("+++ ") == 3, patch)
    subprocess.run(["git", "apply", "-"], cwd=patched, input=patch, text=True, check=False)
    code, out = run([tool, "sync", "--force"], project)
    suite.check("diff --force is what sync --force writes", code == 0 and models(patched) == models(project), out)
    restored = {path: text for path, text in written.items() if path.startswith("models/")}
    suite.check("sync --force restores every byte", models(project) == restored)

    check_properties(suite, "the example", dbt, project)
    strict = ["--warn-error", "--profiles-dir", project, "--project-dir", project]
    code, out = run([dbt, "parse", "--no-partial-parse", "--show-all-deprecations", *strict], project)
    suite.check("dbt parse without warnings", code == 0, out)
    code, out = run([dbt, "seed", *strict], project)
    suite.check("dbt seed", code == 0, out)
    code, out = run([dbt, "build", "--exclude", "resource_type:seed", "--threads", "4", *strict], project)
    suite.check("dbt build is green", code == 0, out)

    (project / "shop.duckdb").unlink()
    code, out = run([dbt, "seed", *strict], project, SHOP_SEEDS="seeds_bad")
    suite.check("dbt seed of the bad rows", code == 0, out)
    code, out = run([dbt, "run", *strict], project, SHOP_SEEDS="seeds_bad")
    suite.check("dbt run on the bad rows", code == 0, out)
    run([dbt, "test", *strict], project, SHOP_SEEDS="seeds_bad")
    failures = results(project)
    if "--accept" in sys.argv:
        with EXPECTED.open("w", newline="") as file:
            csv.writer(file, delimiter="\t", lineterminator="\n").writerows([("test", "failures"), *failures])
    with EXPECTED.open(newline="") as file:
        expected = [tuple(row) for row in csv.reader(file, delimiter="\t")][1:]
    missing = sorted(set(expected) - set(failures))
    surplus = sorted(set(failures) - set(expected))
    suite.check("the bad rows fail exactly the expected tests", failures == expected, f"missing {missing}\nsurplus {surplus}")

    grouped(suite, tool, dbt, project)
    shutil.rmtree(project.parent)
    suite.done()


if __name__ == "__main__":
    main()
