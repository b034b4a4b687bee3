"""The table of cases: cases/*.yml come in, one `Case` each goes out, with the contracts it is about.

A file is a list of cases. The keys of one:

    id         unique; also the contract, its schema in the warehouse, and its folder in the project
    column     what the contract says of the one column `value`, or
    columns    of several, by name. `type` in either is the type that the table has
    object     more keys of the schema object, such as `quality`
    contract   more keys of the contract, such as `slaProperties`
    at         the table, where it is not called like the object
    tables     further objects of the contract, with `columns` and `rows`
    other      the same, of another contract, `<id>_other`. Where that is `as: model` too, the model of
               the case is made of both
    as         `source` (default), or `model`: then `raw` are the columns of the source that it is
               made of, where they differ
    good       rows that keep every promise; a value where the case is about one column, else a list
    bad        rows that come to the good ones and break the promise, or
    instead    the rows that come in their place
    tests      every test that dbt has, with what comes of it on the bad rows: the number of failures,
               `warn 2` where it only warns, 0 where it passes, `error` where it cannot run. On the good
               rows and on no rows at all every one of them passes, but for
    empty      those that do not pass on no rows, and
    also       further tables: `rows` and the `tests` that do not pass on them
    freshness  [on the good rows, on the bad ones, on none], as `dbt source freshness` calls it
    build      in place of `tests`: rows of which each comes alone to the good ones, as pairs with what
               `dbt build` then says of the model: `success`, `skipped`, or `error`, which is that a
               constraint refuses the row. On the good rows alone it is `success`
    findings   every code below `mapping/` of what `generate` says of the contract, and those of others
               that the case is about; by adapter where they differ
    adapters   where the case applies, when not everywhere

A test is called by the `name` of its rule, else by its kind, with the column where there are several.

`operators` in place of `tests` measures one number: each operator becomes rules with thresholds at
and around it, in the `units` given, and each rule is judged.
"""

import dataclasses
import pathlib

import yaml

FOLDER = pathlib.Path(__file__).resolve().parent / "cases"

# The type of a column whose case names none.
TYPES = {
    "string": "varchar",
    "integer": "bigint",
    "number": "decimal(18,6)",
    "boolean": "boolean",
    "date": "date",
    "timestamp": "timestamp",
    "time": "time",
    "array": "varchar[]",
}

# operator -> (thresholds that hold, thresholds that break the promise) for a measured value v
OPERATORS = {
    "mustBe": lambda v: ([v], [v + 1, v - 1]),
    "mustNotBe": lambda v: ([v + 1, v - 1], [v]),
    "mustBeGreaterThan": lambda v: ([v - 1], [v, v + 1]),
    "mustBeGreaterOrEqualTo": lambda v: ([v, v - 1], [v + 1]),
    "mustBeLessThan": lambda v: ([v + 1], [v, v - 1]),
    "mustBeLessOrEqualTo": lambda v: ([v, v + 1], [v - 1]),
    "mustBeBetween": lambda v: ([[v, v + 1], [v - 1, v], [v + 1, v - 1]], [[v + 1, v + 2], [v - 2, v - 1]]),
    "mustNotBeBetween": lambda v: ([[v + 1, v + 2], [v - 2, v - 1]], [[v, v + 1], [v - 1, v], [v + 1, v - 1]]),
}


@dataclasses.dataclass
class Table:
    """A table of the warehouse: where it is, its columns with their types, and its rows by state."""

    schema: str
    name: str
    columns: dict
    states: list


@dataclasses.dataclass
class Case:
    """One case: documents of the standard, tables, and what comes of the rows in each state."""

    id: str
    documents: dict
    tables: list
    states: list
    is_model: bool
    one_column: bool
    rules: list
    builds: list
    freshness: list
    findings: list


def read(server):
    """Every case that applies to the adapter of a server, in the order of the files."""
    cases = []
    for file in sorted(FOLDER.glob("*.yml")):
        for entry in yaml.safe_load(file.read_text(encoding="utf-8")):
            for entry in measured(entry) if "operators" in entry else [entry]:
                if server["type"] in entry.get("adapters", [server["type"]]):
                    cases.append(case(entry, server))
    names = [each.id for each in cases]
    assert len(set(names)) == len(names), "ids of cases must be unique"
    return cases


def measured(entry):
    """One case for each unit of a measured number, with rules for every operator."""
    common = {key: value for key, value in entry.items() if key not in ("operators", "units", "rows")}
    for unit, (value, failures) in entry["units"].items():
        rules, tests = [], {}
        for operator, thresholds in OPERATORS.items():
            for kind, chosen in zip(("kept", "broken"), thresholds(value)):
                for number, threshold in enumerate(chosen):
                    name = f"{operator.lower()}_{kind}_{number}"
                    extra = {"unit": unit} if unit != "rows" else {}
                    rules.append({"name": name, **entry["operators"], **extra, operator: threshold})
                    tests[name] = failures if kind == "broken" else 0
        made = {**common, "id": f"{entry['id']}_{unit}", "good": [], "bad": entry["rows"], "tests": tests}
        # What holds of no rows at all depends on the threshold; other cases say it.
        made["empty"] = None
        if "column" in entry:
            made["column"] = {**entry["column"], "quality": rules}
        else:
            made["object"] = {"quality": rules}
        yield made


def case(entry, server):
    """Reads one case."""
    name = entry["id"]
    columns = {"value": entry["column"]} if "column" in entry else entry["columns"]
    row = (lambda value: [value]) if "column" in entry else (lambda values: values)
    good = [row(value) for value in entry.get("good", [])]
    bad = [row(value) for value in entry.get("instead", entry.get("bad", []))]
    further = [[row(value) for value in also["rows"]] for also in entry.get("also", [])]
    rows = [[], good, bad if "instead" in entry else good + bad, *further]
    rows += [good, *(good + [row(value)] for value, _ in entry.get("build", []))]
    states = judged(entry) if "tests" in entry else []

    is_model = entry.get("as") == "model"
    physical = entry.get("raw", columns) if is_model else columns
    own = {"name": name if is_model else "items", **entry.get("object", {})}
    objects = [{**own, "properties": properties(columns)}]
    relation = "items" if is_model else entry.get("at", own.get("physicalName", own["name"]))
    tables = [Table(f"{name}_raw" if is_model else name, relation, types(physical, is_model), rows)]
    for title, table in entry.get("tables", {}).items():
        objects.append({"name": title, **table.get("object", {}), "properties": properties(table["columns"])})
        tables.append(Table(name, title, types(table["columns"]), [table["rows"]]))
    documents = {f"contracts/{name}.odcs.yaml": contract(name, server, objects, entry.get("contract", {}))}
    for title, table in entry.get("other", {}).items():
        made = {"name": title, **table.get("object", {}), "properties": properties(table["columns"])}
        documents[f"contracts/{name}_other.odcs.yaml"] = contract(f"{name}_other", server, [made], {})
        is_made = table.get("as") == "model"
        if is_made:
            documents |= staged(f"{name}_other", server, title, bare(table["columns"]))
        place = f"{name}_other_raw" if is_made else f"{name}_other"
        tables.append(Table(place, title, types(table["columns"]), [table["rows"]]))
    if is_model:
        inputs = [f"{name}_other" for table in entry.get("other", {}).values() if table.get("as") == "model"]
        documents |= staged(name, server, "items", entry.get("raw") or bare(columns), inputs)
    return Case(
        id=name,
        documents={path: yaml.safe_dump(made, sort_keys=False, allow_unicode=True) for path, made in documents.items()},
        tables=tables,
        states=states,
        is_model=is_model,
        one_column="column" in entry,
        rules=sorted(rule_names(objects), key=len, reverse=True),
        builds=["success", *(found for _, found in entry["build"])] if "build" in entry else [],
        freshness=entry.get("freshness", []),
        findings=sorted(by_adapter(entry.get("findings", []), server)),
    )


def judged(entry):
    """What comes of the tests in each state; None for one that is not judged."""
    kept = {test: passed(found) for test, found in entry["tests"].items()}
    empty = None if entry.get("empty", 0) is None else kept | entry.get("empty", {})
    states = [empty, None if entry.get("empty", 0) is None else kept, entry["tests"]]
    return states + [kept | also["tests"] for also in entry.get("also", [])]


def by_adapter(said, server):
    """What a case says, which may be a mapping from adapters."""
    return said.get(server["type"], []) if isinstance(said, dict) else said


def passed(found):
    """What becomes of a test where every promise is kept. One that is an error stays one."""
    if isinstance(found, list):
        return [0] * len(found)
    return "error" if found == "error" else 0


def properties(columns):
    """The columns as the contract has them."""
    return [{"name": name} | {key: value for key, value in said.items() if key != "type"} for name, said in columns.items()]


def types(columns, logical=False):
    """The columns as the table has them; the source of a model calls them by their logical names."""
    name = (lambda name, said: name) if logical else (lambda name, said: said.get("physicalName", name))
    return {
        name(column, said): said.get("type") or said.get("physicalType") or TYPES[said["logicalType"]]
        for column, said in columns.items()
    }


def contract(name, server, objects, further):
    """A contract of objects in a schema of its own."""
    place = {"server": "local", **server, "schema": name}
    if further.get("apiVersion", "").startswith("v3.0"):
        # The schema of v3.0 wants the one of a DuckDB server to be a number.
        place = {"server": "local", "type": "custom", "schema": name}
    return {
        "apiVersion": "v3.2.0",
        "kind": "DataContract",
        "id": name,
        "name": name,
        "version": "1.0.0",
        "status": "active",
        "servers": [place],
        "schema": objects,
    } | further


def staged(name, server, table, columns, inputs=()):
    """The source that the model of a contract is staged from, and the product that makes it."""
    kinds = types(columns, logical=True)
    offered = [{"name": column, "physicalType": kinds[column], **said} for column, said in columns.items()]
    raw = [{"name": table, "properties": [{key: said[key] for key in said if key != "type"} for said in offered]}]
    return {
        f"contracts/{name}_raw.odcs.yaml": contract(f"{name}_raw", server, raw, {}),
        f"products/{name}.odps.yaml": {
            "apiVersion": "v1.0.0",
            "kind": "DataProduct",
            "id": name,
            "name": name,
            "version": "1.0.0",
            "status": "active",
            "inputPorts": [{"name": read, "version": "1.0.0", "contractId": read} for read in [f"{name}_raw", *inputs]],
            "outputPorts": [{"name": "made", "version": "1.0.0", "contractId": name}],
        },
    }


def bare(columns):
    """Columns without what is promised of them."""
    kinds = types(columns, logical=True)
    shape = lambda said: {key: said[key] for key in ("logicalType", "items", "map") if key in said}
    return {name: {**shape(said), "type": kinds[name]} for name, said in columns.items()}


def rule_names(part):
    """The names of all quality rules at any depth."""
    if isinstance(part, list):
        return {name for each in part for name in rule_names(each)}
    if not isinstance(part, dict):
        return set()
    names = {rule["name"] for rule in part.get("quality", []) if "name" in rule}
    return names.union(*(rule_names(each) for each in part.values()))
