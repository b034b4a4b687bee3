"""The SQL that makes the tables which cases are about, and gives them their rows."""

import datetime


def create(tables):
    """The statements that make the tables, without rows."""
    for schema in sorted({table.schema for table in tables}):
        yield f"create schema {quoted(schema)}"
    for table in tables:
        columns = ", ".join(f"{quoted(name)} {kind}" for name, kind in table.columns.items())
        yield f"create table {relation(table)} ({columns})"


def fill(tables, state):
    """The statements that give the tables the rows of a state; one with the same rows in all keeps them."""
    for table in tables:
        if len(table.states) == 1 and state > 0:
            continue
        yield f"delete from {relation(table)}"
        rows = table.states[min(state, len(table.states) - 1)]
        if rows:
            values = ", ".join(row(table, values) for values in rows)
            yield f"insert into {relation(table)} values {values}"


def relation(table):
    return f"{quoted(table.schema)}.{quoted(table.name)}"


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def row(table, values):
    """A row as SQL."""
    assert len(values) == len(table.columns), f"{table}: {values}"
    return f"({', '.join(literal(value, kind) for value, kind in zip(values, table.columns.values()))})"


def literal(value, kind):
    """A value of a case as SQL: lists are arrays, `{ago: 3}` is so many hours ago, `{sql: …}` is itself."""
    if value is None:
        return f"cast(null as {kind})"
    if isinstance(value, list):
        items = ", ".join(literal(item, kind.removesuffix("[]")) for item in value)
        return f"cast(array[{items}] as {kind})"
    if isinstance(value, dict) and "sql" in value:
        return value["sql"]
    if isinstance(value, dict):
        moment = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=value["ago"])
        # With an offset, a date would lose its day.
        zone = "+00" if "tz" in kind or "zone" in kind else ""
        return f"cast('{moment:%Y-%m-%d %H:%M:%S}{zone}' as {kind})"
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"cast('{text.replace(chr(39), chr(39) * 2)}' as {kind})"
