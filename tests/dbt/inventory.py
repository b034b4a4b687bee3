"""What dbt knows of a project's models, sources and tests, to compare before and after an import."""

import collections
import json
import re

from harness import artifact, run

# What changes with every run of dbt, or only says where something stands.
VOLATILE = {"created_at", "original_file_path", "patch_path", "path", "raw_code", "checksum", "build_path"}

# What dbt derives from other fields, which are compared: the whole name from its parts, a key from tests
# and constraints, the names of docs blocks from descriptions, and what was written from what came of it.
DERIVED = {"relation_name", "primary_key", "doc_blocks", "unrendered_config", "unrendered_database", "unrendered_schema"}

# Which contract something comes from is new, and so is the folder.
NEW = {"data_contract", "fqn"}

MINUTES = {"minute": 1, "hour": 60, "day": 24 * 60}

# Other words of the warehouse for one type.
TYPES = {"text": "varchar", "string": "varchar", "timestampwithtimezone": "timestamptz", "int": "integer", "int64": "bigint", "float64": "double"}


# Tests of packages that the standard has words for, with those by which we test the same: the macro, and
# its arguments by theirs. What is left out must be what the package does by itself.
OURS = {
    "dbt_utils.unique_combination_of_columns": ("contract_unique_combination", {"combination_of_columns": "combination_of_columns"}, {}),
    "dbt_utils.accepted_range": ("contract_between", {"min_value": "min_value", "max_value": "max_value"}, {"inclusive": True}),
    "dbt_expectations.expect_column_values_to_be_between": ("contract_between", {"min_value": "min_value", "max_value": "max_value"}, {"strictly": False}),
    "dbt_expectations.expect_column_values_to_not_be_null": ("not_null", {}, {}),
    "dbt_expectations.expect_column_values_to_be_unique": ("unique", {}, {}),
    "dbt_expectations.expect_column_values_to_match_regex": ("contract_pattern", {"regex": "pattern"}, {}),
}


def without(value, keys):
    """A value without some keys at any depth. Two days are as long as 48 hours, and no time is none."""
    if isinstance(value, dict):
        if value.keys() == {"count", "period"}:
            return value["count"] * MINUTES[value["period"]] if value["count"] else None
        inner = {key: without(inner, keys) for key, inner in value.items() if key not in keys}
        is_freshness = inner.keys() == {"warn_after", "error_after", "filter"}
        return None if is_freshness and not any(inner.values()) else inner
    if isinstance(value, list):
        return [without(item, keys) for item in value]
    return value


def parse(suite, what, dbt, project):
    """Whether dbt reads the project."""
    strict = ["--profiles-dir", project, "--project-dir", project]
    code, out = run([dbt, "parse", "--no-partial-parse", *strict], project)
    suite.check(f"dbt parses {what}", code == 0, out)
    return code == 0


def exact(project):
    """The nodes of the manifest that contracts are about, as they are."""
    done = artifact(project, "manifest.json")
    nodes = {**done["nodes"], **done["sources"]}
    kinds = {"model", "source", "test"}
    nodes = {name: without(node, VOLATILE) for name, node in nodes.items() if node["resource_type"] in kinds}
    for node in nodes.values():
        # dbt takes the word in any case.
        if "severity" in node["config"]:
            node["config"]["severity"] = node["config"]["severity"].lower()
    return nodes


def inventory(project):
    """The same without what does not matter; each test is known by what it checks, whatever its name."""
    known = collections.defaultdict(list)
    for name, node in sorted(exact(project).items()):
        node = without(node, NEW | DERIVED)
        if node["resource_type"] == "test":
            known[checked(node) if node.get("test_metadata") else name].append(of_test(node))
        else:
            known[name].append(of_relation(node))
    return {name if place == 0 else f"{name} #{place + 1}": node for name, nodes in known.items() for place, node in enumerate(sorted(nodes, key=json.dumps))}


def macro_of(node):
    """The macro of a test with its package."""
    return ".".join(filter(None, [node["test_metadata"]["namespace"], node["test_metadata"]["name"]]))


def checked(node):
    """What a test checks: the macro, the relation, the column, and the arguments that are no default."""
    metadata = node["test_metadata"]
    stated = {key: value for key, value in metadata["kwargs"].items() if key not in ("model", "column_name")}
    if metadata["name"] == "accepted_values" and stated.get("quote") is True:
        del stated["quote"]
    macro = macro_of(node)
    if macro in OURS and all(value == OURS[macro][2].get(key) for key, value in stated.items() if key not in OURS[macro][1]):
        macro, names, _ = OURS[macro]
        stated = {names[key]: value for key, value in stated.items() if key in names}
    rows = "dbt_expectations.expect_table_row_count_to_be_between"
    if macro == rows and stated.keys() == {"min_value", "max_value"}:
        macro = "contract_metric"
        stated = {"metric": "row_count", "operator": "must_be_between", "threshold": [stated["min_value"], stated["max_value"]]}
    on = node["attached_node"] or re.sub(r"\W+", "_", metadata["kwargs"]["model"].partition("(")[2]).strip("_")
    column = (node["column_name"] or "").strip('"')
    return f"{macro} of {on} {column} {json.dumps(stated, sort_keys=True)}"


def of_test(node):
    """What a test says beside what it checks. A name that dbt has cut, or that it gives a test of a package,
    is nobody's; the tags of a column are told with it."""
    is_other = node.get("test_metadata") and "." in macro_of(node)
    is_cut = node["alias"] != node["name"] or is_other and node["name"].startswith(macro_of(node).replace(".", "_"))
    config = {**node["config"], "tags": sorted({*node["config"]["tags"]})}
    if is_cut:
        config["alias"] = None
    return {"config": config, "description": node["description"].strip(), "name": None if is_cut else node["name"]}


def of_relation(node):
    """What a model or source table says. Blanks at the end of a text are those of its notation."""
    for text in ("description", "source_description"):
        if text in node:
            node[text] = node[text].rstrip()
    for column in node["columns"].values():
        column["description"] = column["description"].rstrip()
        if column["data_type"]:
            data_type = re.sub(r"\s", "", column["data_type"]).lower()
            column["data_type"] = TYPES.get(data_type, data_type)
    # Tags and meta stand in `config` too; nothing reads when a table was loaded that need not be fresh.
    for repeated in ("tags", "meta", "source_meta"):
        node.pop(repeated, None)
    node["config"]["tags"] = sorted({*(node["config"].get("tags") or [])})
    if not node.get("freshness"):
        node.pop("loaded_at_field", None)
        node["config"].pop("loaded_at_field", None)
    return node


def lineage(project):
    """Which models read which sources and models."""
    nodes = artifact(project, "manifest.json")["nodes"].items()
    return {name: sorted(node["depends_on"]["nodes"]) for name, node in nodes if node["resource_type"] == "model"}


def differences(before, after):
    """The fields, by their paths, in which two values are not the same, with both values."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted({*before, *after}):
            # What had no name of its own may have one.
            if key == "name" and before.get(key, "") is None:
                continue
            for path, one, other in differences(before.get(key), after.get(key)):
                yield f"{key}.{path}".rstrip("."), one, other
    elif before != after:
        yield "", before, after


def compare(suite, what, before, after):
    """Every node is the same in all its fields."""
    suite.check(f"{what} has resources", len(before) > 5)
    for name in sorted({*before, *after}):
        found = differences(before.get(name), after.get(name))
        detail = [f"{path}: {one} | {other}" for path, one, other in found]
        suite.check(f"{what}: {name}", not detail, "\n".join(detail))
