"""What the macros of the gate ask each warehouse: gate_adapters.py [--accept]

Renders templates/drift and templates/optional with dbt's own Jinja for every adapter, a stub in place of
the warehouse, and compares the queries and the SQL with gate_adapters.txt. `--accept` writes that file anew,
to be read before it is committed. What adapters say in their own packages stands in braces.
"""

import pathlib
import re
import sys
import types

from dbt_common.clients.jinja import get_environment

from harness import Suite

HERE = pathlib.Path(__file__).resolve().parent
EXPECTED = HERE / "gate_adapters.txt"
FOLDERS = [HERE.parents[1] / "templates" / name for name in ("drift", "optional")]

# The prefixes of dispatched macros, the first that exists counts.
PREFIXES = {
    "duckdb": ["duckdb"],
    "postgres": ["postgres"],
    "snowflake": ["snowflake"],
    "bigquery": ["bigquery"],
    "redshift": ["redshift", "postgres"],
    "databricks": ["databricks", "spark"],
}

SHAPE = {
    "contract": "orders", "version": "2.0.0", "source": "shop", "table": "orders", "policy": "widening",
    "columns": [
        {"name": "id", "type": "integer", "wider": ["bigint"], "digits": [10, 0]},
        {"name": "total", "kind": "number"},
        {"name": "currency", "type": "varchar", "added_in": 2, "sql": "currency", "absent": "varchar"},
    ],
}


class Return(Exception):
    pass


class Relation(str):
    """A relation as the macros use it."""

    database, schema = "db", "raw"

    @property
    def identifier(self):
        return self.split(".")[-1]

    def include(self, database=True):
        return self if database else "raw.orders"


class Run:
    """The macros in the context of one adapter, whose warehouse has an integer `id` and a text `total`."""

    def __init__(self, name, config):
        self.queries = []
        self.log = []
        self.macros = {}

        def columns(query):
            """What a query has: the types that are asked for, else the columns of the source."""
            self.queries.append(" ".join(query.split()))
            probes = re.findall(r"cast\(null as ([^)]+)\)(?: as (c\d+))?", query)
            found = [{"name": probe, "data_type": kind} for kind, probe in probes]
            return found or [{"name": "id", "data_type": "bigint"}, {"name": "total", "data_type": "varchar"}]

        def run_query(query):
            found = columns(query)
            rows = [[column["name"], column["data_type"]] for column in found]
            kinds = [column["data_type"] for column in found]
            return types.SimpleNamespace(rows=[kinds] if "pg_typeof" in query else rows)

        words = ("type_string", "type_int", "type_timestamp", "current_timestamp")
        self.context = {
            "adapter": types.SimpleNamespace(
                dispatch=lambda macro, *_: self.dispatch(name, macro),
                get_relation=lambda identifier, **_: Relation("db.raw.orders") if identifier == "orders" else None,
                get_columns_in_relation=lambda relation: columns(f"{{columns of {relation}}}"),
                cache_added=lambda _: None,
            ),
            "api": types.SimpleNamespace(
                Relation=types.SimpleNamespace(create=lambda **parts: Relation("db.main." + parts["identifier"]))
            ),
            "config": config,
            "context": self.macros,
            "dbt": types.SimpleNamespace(
                string_literal=lambda text: f"'{text}'", **{word: (lambda word=word: f"{{{word}}}") for word in words}
            ),
            "exceptions": types.SimpleNamespace(raise_compiler_error=self.refuse),
            "execute": True,
            "flags": types.SimpleNamespace(WHICH="build"),
            "get_column_schema_from_query": columns,
            "get_empty_schema_sql": lambda probes: "select "
            + ", ".join(f"cast(null as {probe['data_type']}) as {probe['name']}" for probe in probes.values()),
            "graph": types.SimpleNamespace(sources={}),
            "invocation_id": "0000",
            "log": lambda text, info: self.log.append(text) or "",
            "modules": types.SimpleNamespace(re=re),
            "return": self.give,
            "run_query": run_query,
            "source": lambda *_: Relation("db.raw.orders"),
            "target": types.SimpleNamespace(type=name, database="db", schema="main"),
            "this": "db.main.stg_orders",
            "zip": lambda *lists: list(zip(*lists)),
        }
        environment = get_environment()
        for folder in FOLDERS:
            for file in sorted(folder.glob("*.sql")):
                module = environment.from_string(file.read_text(), globals=self.context).module
                for macro, function in vars(module).items():
                    if macro.startswith("dbt_macro__"):
                        self.macros[macro.removeprefix("dbt_macro__")] = self.returning(function)
        self.macros["contract_shape__shop__orders"] = lambda: SHAPE
        self.context.update(self.macros)

    @staticmethod
    def returning(function):
        def call(*arguments, **named):
            try:
                return function(*arguments, **named)
            except Return as value:
                return value.args[0]

        return call

    @staticmethod
    def give(value):
        raise Return(value)

    @staticmethod
    def refuse(message):
        raise ValueError(message)

    def dispatch(self, name, macro):
        for prefix in [*PREFIXES[name], "default"]:
            if found := self.macros.get(f"{prefix}__{macro}"):
                return found
        raise KeyError(macro)


def rendered(name):
    """What one adapter is asked and given, as text."""
    lines = [f"== {name}"]

    def section(title, use, config=None):
        run = Run(name, config or {})
        try:
            text = str(use(run))
        except ValueError as refusal:
            text = f"stops: {refusal}"
        lines.append(f"-- {title}")
        lines.extend(f"asks   {query}" for query in run.queries)
        lines.extend(f"logs   {line}" for line in run.log)
        lines.append("gives  " + " ".join(text.split()))

    section("test of the source", lambda run: run.macros["test_contract_drift"](Relation("db.raw.orders"), SHAPE))
    section("pre-hook", lambda run: run.macros["contract_gate"](SHAPE))
    section("post-hook", lambda run: run.macros["contract_record"](SHAPE))
    section("absent columns", lambda run: run.macros["contract_optional"](SHAPE))
    section(
        "what a test selects from",
        lambda run: run.macros["default__get_where_subquery"](Relation("db.raw.orders")),
        {"where": "id > 0", "meta": {"contract_shape": "contract_shape__shop__orders"}},
    )
    return "\n".join(lines) + "\n"


def main():
    found = "\n".join(rendered(name) for name in PREFIXES)
    if "--accept" in sys.argv[1:]:
        EXPECTED.write_text(found)
    suite = Suite()
    expected = EXPECTED.read_text().split("\n\n")
    for name, text, known in zip(PREFIXES, found.split("\n\n"), expected, strict=True):
        suite.check(f"the gate on {name} asks and says the same", text.rstrip() == known.rstrip(), text)
    suite.done()


if __name__ == "__main__":
    main()
