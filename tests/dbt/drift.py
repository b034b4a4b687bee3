"""The gate for sources in the real dbt: drift.py DBT_CONTRACTS DBT

A source in five shapes goes through a generated staging model into a trusted table that holds three
orders of 18500 cents. A load replaces the slice of one day: two orders of 14500 cents.

For each wiring of the gate, a test of the source under `dbt build` and a pre-hook under `dbt run`, the
table CASES says what comes of each shape: the exit code, what was loaded, what the slice is worth, the
recorded version of the schema and the reason in the log. After a rejection the trusted table is what
it was, byte for byte. Without the gate a permissive load ends well in all five and loses the money.
`drift` itself decides the same from what the gate's own run-operation and a query observe.
"""

import csv
import json
import pathlib
import shutil
import sys
import tempfile

import duckdb

from harness import Suite, run

DAY = "2026-03-18"
ROWS = [
    ("o-101", DAY, "web", 12000, "GBP"),
    ("o-102", DAY, "store", 2500, None),
    ("o-103", "2026-03-17", "web", 4000, None),
]
COLUMNS = {"order_id": "varchar", "order_date": "date", "channel": "varchar", "amount_cents": "bigint"}
MISSING, UNEXPECTED = "missing_or_changed", "unexpected_or_changed"

# shape: (its columns by name, exit code, rows loaded, cents of the permissive load, version, reason)
CASES = {
    "baseline": (COLUMNS, 0, 2, 14500, 1, "none"),
    "added": (COLUMNS | {"currency": "varchar"}, 0, 2, 14500, 2, "approved_nullable_addition"),
    "renamed": (
        {{"order_date": "sale_date"}.get(name, name): kind for name, kind in COLUMNS.items()},
        1, 0, 0, 1, f"{MISSING}:order_date, {UNEXPECTED}:sale_date",
    ),
    "retyped": (
        COLUMNS | {"amount_cents": "text"},
        1, 0, 0, 1, f"{MISSING}:amount_cents, {UNEXPECTED}:amount_cents",
    ),
    "removed": (
        {name: kind for name, kind in COLUMNS.items() if name != "channel"},
        1, 0, 0, 1, f"{MISSING}:channel",
    ),
}

FILES = {
    "dbt_project.yml": """
name: gate
version: "1.0"
profile: gate
flags: {send_anonymous_usage_stats: false}
vars: {slice: "2026-03-18"}
""",
    "profiles.yml": "gate: {target: dev, outputs: {dev: {type: duckdb, path: gate.duckdb}}}\n",
    "contracts/contracts/orders.odcs.yaml": """
apiVersion: v3.1.0
kind: DataContract
id: orders
name: shop
version: 2.0.0
status: active
customProperties: [{property: dbt.drift_policy, value: approved}]
servers: [{server: local, type: duckdb, database: gate.duckdb, schema: raw}]
schema:
  - name: orders
    properties:
      - {name: order_id, physicalType: VARCHAR, required: true}
      - {name: order_date, physicalType: DATE, required: true}
      - {name: channel, physicalType: VARCHAR, required: true}
      - {name: amount_cents, physicalType: BIGINT, required: true}
      - name: currency
        physicalType: VARCHAR
        customProperties: [{property: dbt.added_in_version, value: 2}]
""",
    "contracts/contracts/clean_orders.odcs.yaml": """
apiVersion: v3.1.0
kind: DataContract
id: clean-orders
version: 1.0.0
status: active
servers: [{server: local, type: duckdb, database: gate.duckdb, schema: main}]
schema:
  - name: orders
    properties:
      - {name: order_id, physicalType: VARCHAR}
      - {name: order_date, physicalType: DATE}
      - {name: channel, physicalType: VARCHAR}
      - {name: amount_cents, physicalType: BIGINT}
      - {name: currency, physicalType: VARCHAR}
""",
    "contracts/products/sales.odps.yaml": """
apiVersion: v1.0.0
kind: DataProduct
id: sales
status: active
inputPorts: [{name: orders, version: 2.0.0, contractId: orders}]
outputPorts: [{name: clean, version: 1.0.0, contractId: clean-orders}]
""",
    "models/trusted_orders.sql": """
{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key='order_date') }}
select *, '{{ invocation_id }}' as loaded_by from {{ ref('stg_orders') }}
{% if is_incremental() %} where order_date = date '{{ var("slice") }}' {% endif %}
""",
    "models/permissive.sql": """
{{ config(materialized='table', enabled=var('permissive', false)) }}
with loaded as (
    select null::varchar as order_id, null::date as order_date, null::varchar as channel, null::bigint as amount_cents
    where false
    union all by name
    select * from {{ source('shop', 'orders') }}
)
select order_date, channel, coalesce(try_cast(amount_cents as bigint), 0) as amount_cents from loaded
""",
}


def write(project, gate):
    for path, text in FILES.items():
        file = project / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.lstrip())
    (project / "contracts" / "config.yaml").write_text(f"drift: {{gate: {gate}, record: true}}\n")


def arrive(project, columns):
    """The source in a shape: every order with the columns that the shape has."""
    with duckdb.connect(str(project / "gate.duckdb")) as database:
        database.execute("create schema if not exists raw")
        database.execute("drop table if exists raw.orders cascade")
        database.execute(f"create table raw.orders ({', '.join(f'{name} {kind}' for name, kind in columns.items())})")
        for row in ROWS:
            values = dict(zip([*COLUMNS, "currency"], row))
            values["sale_date"] = values["order_date"]
            if columns.get("amount_cents") == "text":
                values["amount_cents"] = f"{values['amount_cents']}c"
            database.execute(
                f"insert into raw.orders values ({', '.join('?' for _ in columns)})", [values.get(name) for name in columns]
            )


def ask(project, query):
    with duckdb.connect(str(project / "gate.duckdb"), read_only=True) as database:
        return database.execute(query).fetchall()


def trusted(project):
    return ask(project, "select * from trusted_orders order by order_id")


def loads(project):
    return ask(project, "select contract_id, contract_version, schema_version, diff_reason from contract_loads order by loaded_at")


def wiring(suite, tool, dbt, folder, gate, command):
    """All shapes through one wiring of the gate."""
    project = folder / gate
    write(project, gate)
    code, out = run([tool, "generate"], project)
    suite.check(f"{gate}: generate", code == 0, out)
    code, out = run([tool, "diff"], project)
    suite.check(f"{gate}: nothing is left to generate", code == 0, out)
    arrive(project, COLUMNS)
    strict = ["--profiles-dir", project, "--project-dir", project]
    code, out = run([dbt, "parse", "--warn-error", "--show-all-deprecations", *strict], project)
    suite.check(f"{gate}: dbt parse without warnings", code == 0, out)
    code, out = run([dbt, *command, *strict], project)
    suite.check(f"{gate}: the first load", code == 0 and len(trusted(project)) == 3, out)
    before = project / "before.duckdb"
    shutil.copy(project / "gate.duckdb", before)
    known = trusted(project)
    for case, (columns, exit_code, rows, _, version, reason) in CASES.items():
        shutil.copy(before, project / "gate.duckdb")
        arrive(project, columns)
        code, out = run([dbt, *command, *strict], project)
        name = f"{gate}: {case}"
        suite.check(f"{name} exits with {exit_code}", code == exit_code, out)
        suite.check(f"{name} says why in the log", f": {reason}\n" in out, out)
        table = trusted(project)
        loaded = [row for row in table if row[-1] != known[0][-1]]
        suite.check(f"{name} loads {rows} rows", len(loaded) == rows, table)
        slice_total = sum(row[3] for row in table if str(row[1]) == DAY)
        suite.check(f"{name}: the slice is 14500", slice_total == 14500, table)
        recorded = loads(project)
        suite.check(f"{name} leaves version {version} on record", recorded[-1][2] == version, recorded)
        currencies = [row[4] for row in table if str(row[1]) == DAY]
        suite.check(f"{name} keeps currencies", currencies == (["GBP", None] if case == "added" else [None, None]), table)
        if exit_code:
            total = sum(row[3] for row in table)
            suite.check(f"{name} leaves 3 orders of 18500", (len(table), total) == (3, 18500), table)
            suite.check(f"{name} changes no byte", table == known, table)
            suite.check(f"{name} records no load", len(recorded) == 1, recorded)
        else:
            suite.check(f"{name} records the load", recorded[-1] == ("orders", "2.0.0", version, reason), recorded)


def without_parents(suite, tool, dbt, folder):
    """The pre-hook holds where the test of the source is not selected."""
    project = folder / "both"
    write(project, "both")
    run([tool, "generate"], project)
    arrive(project, CASES["renamed"][0])
    code, out = run([dbt, "build", "-s", "stg_orders+", "--profiles-dir", project], project)
    suite.check("a selection without the source is stopped too", code == 1 and CASES["renamed"][5] in out, out)


def policies(suite, tool, dbt, folder):
    """What other policies make of a shape, as the test of the source says it."""
    for policy, columns, exit_code in [
        ("additive", COLUMNS | {"loaded_at": "timestamp"}, 0),
        ("additive", COLUMNS | {"amount_cents": "hugeint"}, 1),
        ("widening", COLUMNS | {"amount_cents": "hugeint"}, 0),
        ("frozen", COLUMNS, 1),
        ("evolve", CASES["renamed"][0], 0),
    ]:
        project = folder / f"policy_{policy}"
        write(project, "source_test")
        contract = project / "contracts/contracts/orders.odcs.yaml"
        contract.write_text(contract.read_text().replace("approved", policy))
        run([tool, "sync", "--force"], project)
        arrive(project, columns)
        code, out = run([dbt, "test", "-s", "test_name:contract_drift", "--profiles-dir", project], project)
        suite.check(f"{policy} exits with {exit_code} on {list(columns.items())[-1]}", code == exit_code, out)


def permissive(suite, tool, dbt, folder):
    """Without the gate, a load that takes what it can get."""
    project = folder / "none"
    write(project, "none")
    run([tool, "generate"], project)
    for case, (columns, _, _, cents, _, _) in CASES.items():
        arrive(project, columns)
        command = [dbt, "run", "-s", "permissive", "--vars", "{permissive: true}", "--profiles-dir", project]
        code, out = run(command, project)
        query = f"select coalesce(sum(amount_cents), 0) from permissive where order_date = '{DAY}' and channel is not null"
        total = int(ask(project, query)[0][0]) if code == 0 else None
        suite.check(f"without the gate {case} is worth {cents}", (code, total) == (0, cents), f"{total}\n{out}")


def offline(suite, tool, dbt, folder):
    """`drift` on what macros and the query observe."""
    project = folder / "source_test"
    for case, (columns, exit_code, _, _, version, reason) in CASES.items():
        arrive(project, columns)
        if case == "retyped":
            code, out = run([dbt, "--quiet", "run-operation", "contract_observe", "--profiles-dir", project], project)
            observed = project / "observed.jsonl"
            observed.write_text(out)
        else:
            _, query = run([tool, "drift", "--print-query", "duckdb"], project)
            with duckdb.connect(str(project / "gate.duckdb"), read_only=True) as database:
                found = database.execute(query)
                names = [column[0] for column in found.description]
                observed = project / "observed.csv"
                with observed.open("w", newline="") as file:
                    csv.writer(file).writerows([names, *found.fetchall()])
        code, out = run([tool, "drift", "--observed", observed, "--format", "json"], project)
        result = json.loads(out)["results"][0]
        suite.check(
            f"drift decides {case} alike",
            (code, result["diff_reason"], result["schema_version"]) == (exit_code, reason, version),
            out,
        )


def main():
    tool, dbt = (pathlib.Path(argument).absolute() for argument in sys.argv[1:3])
    suite = Suite()
    folder = pathlib.Path(tempfile.mkdtemp())
    wiring(suite, tool, dbt, folder, "source_test", ["build"])
    wiring(suite, tool, dbt, folder, "pre_hook", ["run"])
    without_parents(suite, tool, dbt, folder)
    policies(suite, tool, dbt, folder)
    permissive(suite, tool, dbt, folder)
    offline(suite, tool, dbt, folder)
    shutil.rmtree(folder)
    suite.done()


if __name__ == "__main__":
    main()
