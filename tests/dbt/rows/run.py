"""What each rule of a contract makes of rows, in the real dbt: run.py DBT_CONTRACTS DBT [CASE…]

Every case of cases/*.yml becomes a contract in one project, which `generate` writes for. The same tables
are then empty, hold good rows, and hold bad ones, and each time `dbt test` must fail exactly the tests
that the case names, with as many failures. On DuckDB, and on PostgreSQL too where
DBT_CONTRACTS_TEST_POSTGRES names one. How a case is written is said in cases.py.
"""

import json
import pathlib
import re
import shutil
import sys
import tempfile

import yaml

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

import cases as table
import warehouse
import warehouses
from harness import Suite, artifact, check_properties, run, write

STATES = ["no rows", "good rows", "bad rows"]


def state_name(state):
    return STATES[state] if state < len(STATES) else f"further rows {state - len(STATES) + 1}"


def key(case, node, stand_for):
    """What a case calls a test: the name of its rule, else its kind and column."""
    named = next((rule for rule in case.rules if re.search(f"(^|_){rule}(_[0-9]+)?$", node["name"])), None)
    kind = node.get("test_metadata")
    if named or not kind:
        return named or "sql"
    name = f"{kind['namespace']}.{kind['name']}" if kind.get("namespace") else kind["name"]
    name = stand_for.get(name, name)
    column = (node.get("column_name") or "").strip('"')
    return name if case.one_column or not column else f"{name}({column})"


def tests_of(manifest, cases, stand_for):
    """Every test of dbt by its id, with its case and what that calls it. The case is the folder, also
    of what it is made of."""
    by_id = {case.id: case for case in cases}
    found = {}
    for name, node in manifest["nodes"].items():
        if node["resource_type"] == "test":
            folder = pathlib.Path(node["original_file_path"]).parts[-2]
            case = by_id.get(folder) or by_id.get(re.sub("(_other)?(_raw)?$", "", folder))
            found[name] = (case.id, key(case, node, stand_for)) if case else (folder, node["name"])
    return found


def outcome(result):
    """What came of a test, as cases write it."""
    match result["status"]:
        case "pass":
            return 0
        case "fail":
            return result["failures"]
        case "warn":
            return f"warn {result['failures']}"
        case _:
            return "error"


def judge(suite, cases, state, outcomes, packages):
    """Compares one state of cases with what came of it."""
    for case in cases:
        expected, found = case.states[state], outcomes.get(case.id, {})
        if packages:
            found = packages.as_ours(expected, found)
        suite.check(f"{case.id} on {state_name(state)}", found == expected, f"expected {expected}\nfound    {found}")


def generate(suite, tool, project, cases):
    """Writes dbt files and compares what is said of each contract."""
    code, out = run([tool, "generate", "--format", "json"], project)
    report = json.loads(out)
    said = {}
    for finding in report.get("diagnostics", []):
        said.setdefault(finding.get("contract"), []).append(finding)
    errors = [finding["message"] for finding in report.get("diagnostics", []) if finding["severity"] == "error"]
    suite.check("generate", code == 0, "\n".join(errors) or out[:2000])
    for case in cases:
        codes = [finding["code"] for finding in said.get(case.id, [])]
        found = sorted(code for code in codes if code.startswith("mapping/") or code in case.findings)
        detail = "\n".join(finding["message"] for finding in said.get(case.id, []))
        suite.check(f"{case.id}: findings", found == case.findings, f"expected {case.findings}\nfound    {found}\n{detail}")


def freshness(suite, dbt, project, cases, state, order):
    """What `dbt source freshness` says of the tables."""
    chosen = [case for case in cases if case.freshness]
    if not chosen:
        return
    select = [f"source:{case.id}" for case in chosen]
    _, out = run([*dbt("source", "freshness"), "--select", *select], project)
    try:
        results = artifact(project, "sources.json")["results"]
    except FileNotFoundError:
        suite.check("dbt source freshness", False, out)
        return
    found = {result["unique_id"].split(".")[2]: result["status"] for result in results}
    for case in chosen:
        expected = case.freshness[order]
        suite.check(f"{case.id}: freshness on {state_name(state)}", found.get(case.id) == expected, f"expected {expected}, found {found.get(case.id)}")


def builds(suite, dbt, project, cases, store):
    """What `dbt build` makes of models whose sources have good rows, and then one row more."""
    cases = [case for case in cases if case.builds]
    store.execute(*warehouse.fill([each for case in cases for each in case.tables], 0))
    for number in range(max((len(case.builds) for case in cases), default=0)):
        chosen = [case for case in cases if number < len(case.builds)]
        store.execute(*warehouse.fill([each for case in chosen for each in case.tables], len(STATES) + number))
        _, out = run([*dbt("build"), "--select", *(f"+path:models/contracts/{case.id}" for case in chosen)], project)
        nodes = artifact(project, "manifest.json")["nodes"]
        folder = lambda result: pathlib.Path(nodes[result["unique_id"]]["original_file_path"]).parts[-2]
        made = [each for each in artifact(project, "run_results.json")["results"] if each["unique_id"].startswith("model.")]
        results = {folder(result): result for result in made}
        for case in chosen:
            found, expected = results.get(case.id, {"status": "nothing", "message": out[-2000:]}), case.builds[number]
            by_constraint = found["status"] != "error" or re.search("constraint", found["message"], re.I)
            holds = found["status"] == expected and by_constraint
            suite.check(f"{case.id}: build {number}", holds, f"expected {expected}, found {found['status']}\n{found['message']}")


def selection(cases, chosen):
    """The arguments that choose the tests of cases. dbt takes its time for each criterion, so the few are named."""
    rest = [case for case in cases if case not in chosen]
    flag, few = ("--exclude", rest) if len(rest) < len(chosen) else ("--select", chosen)
    criteria = [f"path:{place}/{case.id}" for case in few for place in ("models/contracts", "tests/dbt_contracts")]
    return [flag, *criteria] if criteria else []


def prove(suite, tool, executable, kind, folder, words, packages=None):
    """All cases, or those with one of the words in their id, in one warehouse. With `packages`, their tests
    are taken wherever they can be; it says where they are, and which of ours each of their tests stands for."""
    project = folder / kind.adapter
    project.mkdir()
    store = kind(project)
    server = yaml.safe_load(f"{{{kind.server}}}")
    cases = [case for case in table.read(server) if not words or any(word in case.id for word in words)]
    cases = [case for case in cases if not packages or case.id not in packages.left_out]
    write(project, {f"contracts/{path}": text for case in cases for path, text in case.documents.items()})
    output = yaml.safe_load(f"{{{kind.profile}}}") | {"threads": 4}
    profile = {"rows": {"target": "dev", "outputs": {"dev": output}}}
    write(project, {
        "dbt_project.yml": 'name: rows\nversion: "1.0.0"\nprofile: rows\n',
        "profiles.yml": yaml.safe_dump(profile),
        "contracts/config.yaml": f"dbt: {{adapter: {kind.adapter}}}\nrules: [{{code: lineage/no-port, level: off}}]\n",
    })
    def dbt(*command):
        flags = ["--no-use-colors", "--log-level-file", "none"]
        return [executable, *flags, *command, "--project-dir", project, "--profiles-dir", project]

    if packages:
        packages.install(project)
        code, out = run(dbt("deps"), project)
        suite.check("dbt deps", code == 0, out[-3000:])
    generate(suite, tool, project, cases)
    check_properties(suite, kind.adapter, executable, project)
    store.execute(*warehouse.create([each for case in cases for each in case.tables]))
    # What packages are told for is not ours.
    strict = [] if packages else ["--warn-error"]
    code, out = run(dbt(*strict, "parse", "--show-all-deprecations"), project)
    suite.check("dbt parse without warnings", code == 0, out[-3000:])
    if any(case.is_model for case in cases):
        code, out = run(dbt("run"), project)
        suite.check("dbt run", code == 0, out[-3000:])
    tests = tests_of(artifact(project, "manifest.json"), cases, packages.stand_for if packages else {})
    for state in range(max(len(case.states) for case in cases)):
        chosen = [case for case in cases if state < len(case.states) and case.states[state] is not None]
        store.execute(*warehouse.fill([each for case in chosen for each in case.tables], state))
        run([*dbt("test"), *selection(cases, chosen)], project)
        outcomes = {}
        for result in artifact(project, "run_results.json")["results"]:
            case, name = tests[result["unique_id"]]
            outcomes.setdefault(case, {}).setdefault(name, []).append(outcome(result))
        for known in outcomes.values():
            known.update({name: found[0] if len(found) == 1 else sorted(found) for name, found in known.items()})
        strangers = sorted(set(outcomes) - {case.id for case in cases})
        suite.check(f"every test on {state_name(state)} is of a case", not strangers, strangers)
        judge(suite, chosen, state, outcomes, packages)
        if state < len(STATES):
            freshness(suite, dbt, project, cases, state, [2, 0, 1][state])
    builds(suite, dbt, project, cases, store)
    print(f"{kind.adapter}: {len(cases)} cases with {len(tests)} tests", flush=True)


def main():
    tool, executable = (pathlib.Path(argument).absolute() for argument in sys.argv[1:3])
    suite = Suite()
    folder = pathlib.Path(tempfile.mkdtemp())
    for kind in warehouses.available():
        prove(suite, tool, executable, kind, folder, sys.argv[3:])
    if suite.failed:
        print(f"the projects are left in {folder}")
    else:
        shutil.rmtree(folder)
    suite.done()


if __name__ == "__main__":
    main()
