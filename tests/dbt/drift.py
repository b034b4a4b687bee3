"""The gate for sources in the real dbt: drift.py DBT_CONTRACTS DBT

A source in five shapes goes through a generated staging model into a trusted table that holds three
orders of 18500 cents. A load replaces the slice of one day: two orders of 14500 cents.

For each wiring of the gate, a test of the source under `dbt build` and a pre-hook under `dbt run`, the
table CASES says what comes of each shape: the exit code, what was loaded, what the slice is worth, the
recorded version of the schema and the reason in the log. After a rejection the trusted table is what
it was, byte for byte. Without the gate a permissive load ends well in all five and loses the money.
`drift` itself decides the same from what the gate's own run-operation and a query observe. All of it runs
on DuckDB, and on PostgreSQL too where DBT_CONTRACTS_TEST_POSTGRES names one.
"""

import csv
import json
import pathlib
import re
import shutil
import sys
import tempfile

import warehouses
from harness import Suite, check_properties, run

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
    "profiles.yml": "gate: {target: dev, outputs: {dev: {PROFILE}}}\n",
    "contracts/contracts/orders.odcs.yaml": """
apiVersion: v3.1.0
kind: DataContract
id: orders
name: shop
version: 2.0.0
status: active
customProperties: [{property: dbt.drift_policy, value: approved}]
servers: [{server: local, SERVER, schema: raw}]
schema:
  - name: orders
    properties:
      - {name: order_id, physicalType: VARCHAR, required: true}
      - {name: order_date, physicalType: DATE, required: true}
      - {name: channel, physicalType: VARCHAR, required: true}
      - {name: amount_cents, physicalType: BIGINT, required: true}
      - name: currency
        physicalType: VARCHAR
        unique: true
        logicalType: string
        logicalTypeOptions: {maxLength: 3}
        quality: [{metric: invalidValues, arguments: {validValues: [GBP, EUR]}, mustBe: 0}]
        customProperties: [{property: dbt.added_in_version, value: 2}]
    quality:
      - {name: all, metric: rowCount, mustBeGreaterThan: 0}
""",
    "contracts/contracts/clean_orders.odcs.yaml": """
apiVersion: v3.1.0
kind: DataContract
id: clean-orders
version: 1.0.0
status: active
servers: [{server: local, SERVER, schema: main}]
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


def write(project, warehouse, gate, files=tuple(FILES)):
    for path in files:
        file = project / path
        file.parent.mkdir(parents=True, exist_ok=True)
        text = FILES[path].replace("PROFILE", warehouse.profile).replace("SERVER", warehouse.server)
        file.write_text(text.lstrip())
    (project / "contracts" / "config.yaml").write_text(f"drift: {{gate: {gate}, record: true}}\n")


def arrive(warehouse, columns):
    """The source in a shape: every order with the columns that the shape has."""
    statements = [
        "create schema if not exists raw",
        "drop table if exists raw.orders cascade",
        f"create table raw.orders ({', '.join(f'{name} {kind}' for name, kind in columns.items())})",
    ]
    for row in ROWS:
        values = dict(zip([*COLUMNS, "currency"], row))
        values["sale_date"] = values["order_date"]
        if columns.get("amount_cents") == "text":
            values["amount_cents"] = f"{values['amount_cents']}c"
        chosen = [values.get(name) for name in columns]
        literals = ["null" if value is None else f"'{value}'" for value in chosen]
        statements.append(f"insert into raw.orders values ({', '.join(literals)})")
    warehouse.execute(*statements)


def trusted(warehouse):
    return warehouse.ask("select * from trusted_orders order by order_id")[1]


def loads(warehouse):
    query = "select contract_id, contract_version, schema_version, diff_reason from contract_loads order by loaded_at"
    return warehouse.ask(query)[1]


def wiring(suite, tool, dbt, folder, kind, gate, command):
    """All shapes through one wiring of the gate."""
    project = folder / gate
    project.mkdir(parents=True)
    warehouse = kind(project)
    write(project, warehouse, gate)
    on = f"{kind.adapter}, {gate}"
    code, out = run([tool, "generate"], project)
    suite.check(f"{on}: generate", code == 0, out)
    check_properties(suite, on, dbt, project)
    code, out = run([tool, "diff"], project)
    suite.check(f"{on}: nothing is left to generate", code == 0, out)
    arrive(warehouse, COLUMNS)
    strict = ["--profiles-dir", project, "--project-dir", project]
    code, out = run([dbt, "parse", "--warn-error", "--show-all-deprecations", *strict], project)
    suite.check(f"{on}: dbt parse without warnings", code == 0, out)
    code, out = run([dbt, *command, *strict], project)
    suite.check(f"{on}: the first load", code == 0 and len(trusted(warehouse)) == 3, out)
    warehouse.keep()
    known = trusted(warehouse)
    for case, (columns, exit_code, rows, _, version, reason) in CASES.items():
        warehouse.go_back()
        arrive(warehouse, columns)
        code, out = run([dbt, *command, *strict], project)
        name = f"{on}: {case}"
        suite.check(f"{name} exits with {exit_code}", code == exit_code, out)
        suite.check(f"{name} says why in the log", f": {reason}\n" in out, out)
        table = trusted(warehouse)
        loaded = [row for row in table if row[-1] != known[0][-1]]
        suite.check(f"{name} loads {rows} rows", len(loaded) == rows, table)
        slice_total = sum(row[3] for row in table if str(row[1]) == DAY)
        suite.check(f"{name}: the slice is 14500", slice_total == 14500, table)
        recorded = loads(warehouse)
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


def without_parents(suite, tool, dbt, folder, kind):
    """The pre-hook holds where the test of the source is not selected."""
    project = folder / "both"
    project.mkdir()
    warehouse = kind(project)
    write(project, warehouse, "both")
    run([tool, "generate"], project)
    arrive(warehouse, CASES["renamed"][0])
    code, out = run([dbt, "build", "-s", "stg_orders+", "--profiles-dir", project], project)
    holds = code == 1 and CASES["renamed"][5] in out
    suite.check(f"{kind.adapter}: a selection without the source is stopped too", holds, out)


def optional_tests(suite, tool, dbt, folder, kind):
    """Tests of a column that may be absent pass while it is, and count once it is there."""
    project = folder / "optional"
    project.mkdir()
    warehouse = kind(project)
    write(project, warehouse, "source_test")
    run([tool, "generate"], project)
    command = [dbt, "test", "-s", "source:shop", "--profiles-dir", project]
    for what, columns, wrong, expected in [
        ("is absent", COLUMNS, [], (0, "PASS=9")),
        ("is there", CASES["added"][0], [], (0, "PASS=9")),
        ("is there and wrong", CASES["added"][0], ["update raw.orders set currency = 'XXXX'"], (1, "ERROR=3")),
    ]:
        arrive(warehouse, columns)
        warehouse.execute(*wrong)
        code, out = run(command, project)
        holds = code == expected[0] and expected[1] in out and "Runtime Error" not in out
        suite.check(f"{kind.adapter}: tests of a column that {what}", holds, out)


# What a contract says of a column, what arrives in place of it, and the policies that load it. None is a
# column that is not there. The first policy is `frozen`, the last `evolve`, which loads everything.
SAME = "frozen approved additive widening evolve"
OPTIONAL = "customProperties: [{property: dbt.added_in_version, value: 2}]"
CHANGES = {
    "duckdb": [
        ("physicalType: BIGINT", "bigint", SAME),
        ("physicalType: INT8", "bigint", SAME),
        ("physicalType: VARCHAR(20)", "varchar", SAME),
        ("physicalType: 'DECIMAL(10,2)'", "decimal(10,2)", SAME),
        ("physicalType: BIGINT", "varchar", "evolve"),
        ("physicalType: BIGINT", "hugeint", "widening evolve"),
        ("physicalType: INTEGER", "bigint", "widening evolve"),
        ("physicalType: INTEGER", "double", "widening evolve"),
        ("physicalType: SMALLINT", "float", "widening evolve"),
        ("physicalType: INTEGER", "decimal(10,0)", "widening evolve"),
        ("physicalType: INTEGER", "decimal(9,0)", "evolve"),
        ("physicalType: INTEGER", "float", "evolve"),
        ("physicalType: UINTEGER", "bigint", "widening evolve"),
        ("physicalType: BIGINT", "ubigint", "evolve"),
        ("physicalType: BIGINT", "integer", "evolve"),
        ("physicalType: FLOAT", "double", "widening evolve"),
        ("physicalType: 'DECIMAL(10,2)'", "decimal(12,2)", "widening evolve"),
        ("physicalType: 'DECIMAL(10,2)'", "decimal(12,4)", "widening evolve"),
        ("physicalType: 'DECIMAL(10,2)'", "decimal(10,4)", "evolve"),
        ("physicalType: 'DECIMAL(10,2)'", "decimal(8,2)", "evolve"),
        ("physicalType: 'DECIMAL(10,2)'", "double", "evolve"),
        ("physicalType: DATE", "timestamp", "evolve"),
        ("physicalType: TIMESTAMP", "timestamptz", "evolve"),
        ("physicalType: 'INTEGER[]'", "integer[]", SAME),
        ("physicalType: 'INTEGER[]'", "bigint[]", "evolve"),
        ("physicalType: 'STRUCT(a INTEGER)'", "struct(a integer)", SAME),
        ("physicalType: 'STRUCT(a INTEGER)'", "struct(a integer, b integer)", "evolve"),
        ("logicalType: integer", "bigint", SAME),
        ("logicalType: integer", "decimal(18,0)", SAME),
        ("logicalType: integer", "decimal(18,2)", "evolve"),
        ("logicalType: integer", "varchar", "evolve"),
        ("logicalType: number", "decimal(18,2)", SAME),
        ("logicalType: number", "varchar", "evolve"),
        ("logicalType: string", "uuid", SAME),
        ("logicalType: string", "bigint", "evolve"),
        ("logicalType: timestamp", "timestamptz", SAME),
        ("logicalType: timestamp", "date", "evolve"),
        ("logicalType: array", "integer[]", SAME),
        ("logicalType: array", "varchar", "evolve"),
        ("logicalType: object", "struct(a integer)", SAME),
        ("description: anything", "interval", SAME),
        ("physicalType: BIGINT", None, "evolve"),
        ("physicalType: BIGINT, " + OPTIONAL, "bigint", SAME),
        ("physicalType: BIGINT, " + OPTIONAL, None, "approved additive widening evolve"),
        ("physicalType: BIGINT, " + OPTIONAL, "varchar", "evolve"),
        (None, "bigint", "additive widening evolve"),
    ],
    # Its driver gives several widths one name, and digits none: the gate asks the catalog instead.
    "postgres": [
        ("physicalType: bigint", "int8", SAME),
        ("physicalType: bigint", "text", "evolve"),
        ("physicalType: integer", "bigint", "widening evolve"),
        ("physicalType: integer", "smallint", "evolve"),
        ("physicalType: integer", "numeric(10,0)", "widening evolve"),
        ("physicalType: smallint", "real", "widening evolve"),
        ("physicalType: 'numeric(10,2)'", "numeric(10,2)", SAME),
        ("physicalType: 'numeric(10,2)'", "numeric(12,2)", "widening evolve"),
        ("physicalType: 'numeric(10,2)'", "numeric(10,4)", "evolve"),
        ("physicalType: 'numeric(10,2)'", "numeric", SAME),
        ("physicalType: varchar(20)", "character varying(20)", SAME),
        ("physicalType: varchar(20)", "varchar(40)", "widening evolve"),
        ("physicalType: varchar(20)", "varchar(10)", "evolve"),
        ("physicalType: varchar(20)", "text", "widening evolve"),
        ("physicalType: text", "varchar(20)", "evolve"),
        ("physicalType: timestamp", "timestamp without time zone", SAME),
        ("physicalType: timestamp", "timestamptz", "evolve"),
        ("physicalType: 'integer[]'", "integer[]", SAME),
        ("physicalType: 'integer[]'", "text[]", "evolve"),
        ("logicalType: integer", "bigint", SAME),
        ("logicalType: integer", "text", "evolve"),
        ("logicalType: timestamp", "timestamptz", SAME),
        ("logicalType: object", "jsonb", SAME),
        ("physicalType: integer, " + OPTIONAL, None, "approved additive widening evolve"),
        (None, "bigint", "additive widening evolve"),
    ],
}


def policies(suite, tool, dbt, folder, kind):
    """Every policy on every change, as `drift` decides it and as the test of the source does in dbt: one
    contract for each policy, an object for each change."""
    project = folder / "policies"
    project.mkdir()
    warehouse = kind(project)
    contracts = project / "contracts/contracts"
    contracts.mkdir(parents=True)
    write(project, warehouse, "source_test", ["dbt_project.yml", "profiles.yml"])
    changes = CHANGES[kind.adapter]
    names = SAME.split()
    for policy in names:
        objects = []
        for place, (stated, _, _) in enumerate(changes):
            changed = f", {{name: changed, {stated}}}" if stated else ""
            properties = "{name: kept, physicalType: DATE}" + changed
            objects.append(f"  - {{name: change_{place}, properties: [{properties}]}}")
        (contracts / f"{policy}.odcs.yaml").write_text(
            f"apiVersion: v3.1.0\nkind: DataContract\nid: {policy}\nversion: 1.0.0\nstatus: active\n"
            f"customProperties: [{{property: dbt.drift_policy, value: {policy}}}]\n"
            f"servers: [{{server: local, {kind.server}, schema: raw}}]\n"
            "schema:\n" + "\n".join(objects) + "\n"
        )
    tables = []
    for place, (_, arrives, _) in enumerate(changes):
        changed = f", changed {arrives}" if arrives else ""
        tables.append(f"create table raw.change_{place} (kept date{changed})")
    warehouse.execute("create schema raw", *tables)
    observed = export(tool, warehouse, project)
    code, out = run([tool, "generate"], project)
    suite.check(f"{kind.adapter}: generate of all policies", code == 0, out)
    _, out = run([tool, "drift", "--observed", observed, "--format", "json"], project)
    offline = {
        (result["policy"], result["object"]): (result["decision"], result["diff_reason"])
        for result in json.loads(out)["results"]
    }
    _, log = run([dbt, "test", "--profiles-dir", project], project)
    found = re.findall(r"<- (\w+)\.(\w+) \[\w+\]: (\w+(?: judge)?): (.*)", log)
    gate = {(policy, table): (decision, reason.strip()) for policy, table, decision, reason in found}
    for place, (stated, arrives, loaded_by) in enumerate(changes):
        for policy in names:
            key = (policy, f"change_{place}")
            expected = "accepted" if policy in loaded_by.split() else "rejected"
            suite.check(
                f"{kind.adapter}: `{stated}` and `{arrives}` under {policy} is {expected} by both for one reason",
                offline.get(key, [None])[0] == expected and offline[key] == gate.get(key),
                f"offline {offline.get(key)}, in dbt {gate.get(key)}",
            )
    if len(gate) < len(offline):
        print(log)


def export(tool, warehouse, project):
    """The result of the query that `drift` prints, in a CSV file."""
    _, query = run([tool, "drift", "--print-query", warehouse.adapter], project)
    path = project / "observed.csv"
    names, rows = warehouse.ask(query)
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([names, *rows])
    return path


def permissive(suite, tool, dbt, folder, kind):
    """Without the gate, a load that takes what it can get."""
    project = folder / "none"
    project.mkdir()
    warehouse = kind(project)
    write(project, warehouse, "none")
    run([tool, "generate"], project)
    for case, (columns, _, _, cents, _, _) in CASES.items():
        arrive(warehouse, columns)
        command = [dbt, "run", "-s", "permissive", "--vars", "{permissive: true}", "--profiles-dir", project]
        code, out = run(command, project)
        query = f"select coalesce(sum(amount_cents), 0) from permissive where order_date = '{DAY}' and channel is not null"
        total = int(warehouse.ask(query)[1][0][0]) if code == 0 else None
        suite.check(f"without the gate {case} is worth {cents}", (code, total) == (0, cents), f"{total}\n{out}")


def offline(suite, tool, dbt, folder, kind):
    """`drift` on what the run-operation, the query and Parquet observe."""
    project = folder / "offline"
    project.mkdir()
    warehouse = kind(project)
    write(project, warehouse, "source_test")
    run([tool, "generate"], project)
    for case, (columns, exit_code, _, _, version, reason) in CASES.items():
        arrive(warehouse, columns)
        observed = [export(tool, warehouse, project)]
        if case == "retyped":
            observed.append(project / "observed.jsonl")
            _, out = run([dbt, "--quiet", "run-operation", "contract_observe", "--profiles-dir", project], project)
            observed[-1].write_text(out)
        if kind is warehouses.DuckDb:
            observed.append(project / "orders.parquet")
            warehouse.execute(f"copy raw.orders to '{observed[-1]}' (format parquet)")
        for file in observed:
            code, out = run([tool, "drift", "--observed", file, "--format", "json"], project)
            result = json.loads(out)["results"][0]
            suite.check(
                f"{kind.adapter}: drift decides {case} alike on {file.name}",
                (code, result["diff_reason"], result["schema_version"]) == (exit_code, reason, version),
                out,
            )


def main():
    tool, dbt = (pathlib.Path(argument).absolute() for argument in sys.argv[1:3])
    suite = Suite()
    for kind in warehouses.available():
        folder = pathlib.Path(tempfile.mkdtemp())
        arguments = (suite, tool, dbt, folder, kind)
        wiring(*arguments, "source_test", ["build"])
        wiring(*arguments, "pre_hook", ["run"])
        without_parents(*arguments)
        optional_tests(*arguments)
        policies(*arguments)
        if kind is warehouses.DuckDb:
            permissive(*arguments)
        offline(*arguments)
        shutil.rmtree(folder)
    suite.done()


if __name__ == "__main__":
    main()
